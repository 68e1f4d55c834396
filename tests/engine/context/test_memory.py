"""Order, scopes, kinds, labels and the prompt (seed; spec, parts 1, 2 and 4)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlens.engine.context import ContextMemory, walk_dirs_for
from memlens.engine.files import DISK, Stamp

from .conftest import Make, Write


def names(memory: ContextMemory) -> list[tuple[str, str, str]]:
    return [(item.label, item.scope, item.kind) for item in memory.items]


def test_order_scopes_kinds_and_labels(make: Make, tmp_path: Path) -> None:
    memory = make(
        {
            "h/.claude/CLAUDE.md": "u",
            "w/AGENTS.md": "a",
            "w/CLAUDE.local.md": "al",
            "w/p/CLAUDE.local.md": "l",
            "w/p/CLAUDE.md": "c",
            "w/p/AGENTS.md": "no",
        }
    )
    assert names(memory) == [
        ("~/.claude/CLAUDE.md", "user", "CLAUDE.md"),
        (f"{tmp_path}/w/AGENTS.md", "ancestor", "AGENTS.md"),
        (f"{tmp_path}/w/CLAUDE.local.md", "local", "CLAUDE.local.md"),
        ("CLAUDE.md", "project", "CLAUDE.md"),
        ("CLAUDE.local.md", "local", "CLAUDE.local.md"),
    ]
    assert memory.items is memory.items


def test_blocks_are_one_empty_line_apart(make: Make, tmp_path: Path) -> None:
    memory = make(
        {"w/AGENTS.md": "\n\na\n\n", "w/p/CLAUDE.md": "  c\r\n", "w/p/CLAUDE.local.md": "l"}
    )
    w = tmp_path / "w"
    assert memory.prompt_text() == (
        f"Contents of {w}/AGENTS.md (project instructions (AGENTS.md)):\n\na\n\n"
        f"Contents of {w}/p/CLAUDE.md (project instructions, checked into the codebase):\n\n  c\n\n"
        f"Contents of {w}/p/CLAUDE.local.md "
        "(user's private project instructions, not checked in):\n\nl"
    )
    assert [item.text for item in memory.items] == ["\n\na\n\n", "  c\r\n", "l"]


def test_nothing_gives_none(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": " \n\t"})
    assert (memory.items, memory.prompt_text(), memory.nested_text()) == ((), None, None)


@pytest.mark.parametrize("walk", [["w"], [], ["w/p", "w"]])
def test_a_walk_that_does_not_end_at_the_root_is_an_error(
    make: Make, tmp_path: Path, walk: list[str]
) -> None:
    with pytest.raises(ValueError, match="must end at the root"):
        make({}, walk=[tmp_path / name for name in walk])


def test_repeats_and_missing_folders_of_the_walk_are_dropped(make: Make, tmp_path: Path) -> None:
    w = tmp_path / "w"
    memory = make(
        {"w/CLAUDE.md": "a", "w/p/CLAUDE.md": "p"}, walk=[w, w / "no", w, w / "p", f"{w}/p/"]
    )
    assert [item.text for item in memory.items] == ["a", "p"]


def test_the_home_may_be_unknown(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"p/CLAUDE.md": "@~/x.md", "c/CLAUDE.md": "u", "x.md": "no"})
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setattr("memlens.engine.context.memory.default_home", lambda: None)
    memory = ContextMemory(tmp_path / "p", [tmp_path / "p"])
    assert [item.text for item in memory.items] == ["@~/x.md"]
    assert memory.records[0].outcome == "no-home"
    memory = ContextMemory(tmp_path / "p", [tmp_path / "p"], claude_home=tmp_path / "c")
    assert names(memory)[0] == (f"{tmp_path}/c/CLAUDE.md", "user", "CLAUDE.md")


def test_a_link_is_its_target_and_says_where_it_was_found(
    make: Make, write: Write, tmp_path: Path
) -> None:
    write({"real/x.md": "X @y.md", "real/y.md": "Y", "w/p/y.md": "no"})
    (tmp_path / "w/p/CLAUDE.md").symlink_to(tmp_path / "real/x.md")
    item = make({}).items[0]
    assert (item.file, item.found) == (f"{tmp_path}/real/x.md", f"{tmp_path}/w/p/CLAUDE.md")
    assert (item.text, item.scope, item.kind) == ("X Y", "project", "CLAUDE.md")


def test_the_walk_begins_at_the_top_of_the_checkout(tmp_path: Path) -> None:
    deep = tmp_path / "repo/a/b"
    deep.mkdir(parents=True)
    assert walk_dirs_for(deep) == [str(deep)]
    (tmp_path / "repo/.git").write_text("gitdir: elsewhere")
    assert walk_dirs_for(deep) == [str(tmp_path / name) for name in ("repo", "repo/a", "repo/a/b")]
    whole = walk_dirs_for(deep, whole=True)
    assert whole[0] == "/"
    assert whole[-1] == str(deep)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfx", "x"),
        (b"\xef\xbb\xbf\xef\xbb\xbfx", "\ufeffx"),
        (b"a\xffb\r\n", "a\ufffdb\r\n"),
        (b"a\xe2\x82\n", "a\ufffd\n"),
    ],
)
def test_decoding(make: Make, content: bytes, text: str) -> None:
    assert make({"w/p/CLAUDE.md": content}).items[0].text == text


def test_a_byte_of_zero_makes_a_file_binary(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": b"a\0b", "w/p/AGENTS.md": "no"})
    assert memory.items == ()
    assert [(finding.name, finding.severity) for finding in memory.findings] == [
        ("file-unreadable", "error"),
        ("shadowed-agents-file", "warning"),
    ]


def test_a_file_of_more_than_4_mib_is_left_out(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "x" * (4 * 1024 * 1024 + 1), "w/p/CLAUDE.local.md": "l"})
    assert [item.text for item in memory.items] == ["l"]
    assert [finding.name for finding in memory.findings] == ["file-too-large"]


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path) + b"/p\xff"
    os.mkdir(root)
    with open(root + b"/CLAUDE.md", "wb") as file:
        file.write(b"@a.md")
    with open(root + b"/a.md", "wb") as file:
        file.write(b"A")
    memory = ContextMemory(os.fsdecode(root), [os.fsdecode(root)], home=tmp_path)
    assert memory.items[0].text == "A"
    from memlens.engine.plan import Plan

    assert Plan(memory.items).bytes > 0


class Elsewhere:
    """A tree of files that is no disk, as a commit is: only what every tree can do."""

    def real_path(self, path: str) -> str:
        return DISK.real_path(path)

    def look(self, path: str) -> Stamp:
        return DISK.look(path)

    def read(self, path: str, limit: int) -> tuple[bytes, Stamp]:
        return DISK.read(path, limit)

    def names(self, folder: str) -> list[str]:
        return DISK.names(folder)

    def is_link(self, path: str) -> bool:
        return DISK.is_link(path)


def test_any_tree_of_files_gives_the_same(make: Make, write: Write, tmp_path: Path) -> None:
    write(
        {"w/CLAUDE.md": "@p/l.md @p/gone.md @p/d @p/f.md", "w/p/a.md": "A", "w/p/d/CLAUDE.md": "D",
         "w/p/claude.md": "no", "w/p/.claude/CLAUDE.local.md": "no"}
    )  # fmt: skip
    (tmp_path / "w/p/l.md").symlink_to("a.md")
    (tmp_path / "w/p/e").symlink_to("d")
    os.mkfifo(tmp_path / "w/p/f.md")
    one, other = make({}), make({}, files=Elsewhere())
    assert one.items == other.items
    assert one.reasons == other.reasons
    assert one.findings == other.findings
    assert one.unloaded().files == other.unloaded().files
    assert one.nested_for("e/x") == other.nested_for("e/x") != []


def test_an_item_is_frozen(make: Make) -> None:
    item = make({"w/p/CLAUDE.md": "@a.md\n", "w/p/a.md": "A\n"}).items[0]
    with pytest.raises(AttributeError):
        item.text = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del item.text
    assert item.spans is item.spans
    assert {item} == {item}
    assert item != "text"


def test_bytes_and_lines_are_those_of_the_text(make: Make) -> None:
    memory = make(
        {
            "w/p/CLAUDE.md": "é @a.md x @gone\n\n@b.md\n@empty.md",
            "w/p/a.md": "\ufeffà\n@b.md\n@blank.md\n\n",
            "w/p/b.md": "ü\r\nz\r\n",
            "w/p/blank.md": " \n \n",
            "w/p/empty.md": "",
        }
    )
    item = memory.items[0]
    assert item.text == "é à\nü\r\nz x @gone\n\n@b.md\n"
    assert item.bytes == len(item.text.encode()) == sum(span.size for span in item.spans)
    assert item.lines == 5 == len(item.text.splitlines())
    assert "".join(span.text for span in item.spans) == item.text
