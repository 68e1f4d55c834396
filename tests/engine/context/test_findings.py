"""What a person is told beyond the text (spec, part 6)."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from memlens.engine.context.meant import looks_like_a_path
from memlens.engine.silence import ignored_names

from .conftest import Make, Write


def found(make: Make, text: str, **files: str | bytes) -> list[tuple[str, str, int, int]]:
    """Findings of a project file, with further files by name (`__` is a slash, `_` a dot)."""
    tree: dict[str, str | bytes] = {
        "w/p/" + name.replace("__", "/").replace("_", "."): content
        for name, content in files.items()
    }
    memory = make({"w/p/CLAUDE.md": text} | tree)
    return [(one.name, one.severity, one.line, one.column) for one in memory.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n see @docs/gone.md x", ("broken-import", "error", 2, 6)),
        ("@./gone", ("broken-import", "error", 1, 1)),
        ("@../gone", ("broken-import", "error", 1, 1)),
        ("@~/gone.md", ("broken-import", "error", 1, 1)),
        ("@/components/Button", ("broken-import", "warning", 1, 1)),
        ("@gone.md).", ("broken-import", "error", 1, 1)),
        ("@a.md.", ("import-punctuation", "error", 1, 1)),
        ("@a.md**.", ("import-punctuation", "error", 1, 1)),
        ("@a.mdx", ("import-punctuation", "error", 1, 1)),
        ("@a.md#part", ("broken-import", "error", 1, 1)),
        ("@A.md", ("broken-import", "error", 1, 1)),
        ("@D/X.md,", ("broken-import", "error", 1, 1)),
        ("@gone.md:12", ("broken-import", "error", 1, 1)),
        ("@gone.md#L3-L9,", ("broken-import", "error", 1, 1)),
        ("@/usr", ("broken-import", "warning", 1, 1)),
        ("@d", ("broken-import", "note", 1, 1)),
        ("@./d", ("broken-import", "warning", 1, 1)),
        ("@bin.png", ("import-binary", "warning", 1, 1)),
        ("@a.md @a.md", ("import-twice", "note", 1, 7)),
        ("@CLAUDE.md", ("import-twice", "note", 1, 1)),
        ("@../out.md", ("external-import", "note", 1, 1)),
        ("@../../far.md", ("external-import", "warning", 1, 1)),
    ],
)
def test_imports(make: Make, write: Write, text: str, expected: tuple[str, str, int, int]) -> None:
    write({"w/out.md": "O", "far.md": "F"})
    files: dict[str, str | bytes] = {"a_md": "A", "d__x_md": "X", "bin_png": b"\x89PNG\0"}
    assert found(make, text, **files) == [expected]


NEVER_IMPORTS = """
@scope/name @types/node@20.1.0 @id @default(now()) @updatedAt @app.get("/x") @alice @alice, @bob:
@carol. @pytest.fixture @functools.cache @click.command() @org/team @2x @me@example.org @@schema
@ @, @scope/pkg.method() @<name>/x @relation("n") @dirs, @dirs @v1.2.3 @property.setter
@nestjs/common.Injectable() @/ @~/ @12:30 @alice:1 @node:20.1
"""


@pytest.mark.parametrize("text", NEVER_IMPORTS.split())
def test_what_never_was_an_import_is_quiet(make: Make, text: str) -> None:
    memory = make({"w/p/CLAUDE.md": text, "w/p/dirs/x": ""})
    assert {finding.severity for finding in memory.findings} <= {"note"}


def test_deep_imports_name_the_limit(make: Make) -> None:
    memory = make(
        {"w/p/CLAUDE.md": "@a.md", "w/p/a.md": "\n @b.md", "w/p/b.md": "B"}, max_import_depth=1
    )
    finding = memory.findings[0]
    assert (finding.name, finding.severity, finding.line, finding.column) == (
        "import-too-deep", "warning", 2, 2,
    )  # fmt: skip
    assert finding.file.endswith("/w/p/a.md")
    assert "2 levels" in finding.message


def test_imports_of_a_users_own_files_may_lie_anywhere(make: Make) -> None:
    memory = make(
        {
            "h/.claude/CLAUDE.md": "@~/x.md",
            "h/x.md": "X",
            "w/p/CLAUDE.local.md": "@~/y.md",
            "h/y.md": "Y",
        }
    )
    assert {finding.severity for finding in memory.findings} == {"note"}


def test_hints_say_where_it_is_already(make: Make, tmp_path: Path) -> None:
    memory = make({"w/p/CLAUDE.md": "x\n@a.md\n@a.md"})
    assert memory.findings[0].name == "broken-import"
    memory = make({"w/p/a.md": "A"})
    assert f"{tmp_path}/w/p/CLAUDE.md:2" in memory.findings[0].message


def test_encoding_says_where(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": b"x\n@a.md\nab\xff", "w/p/a.md": b"\xe9"})
    assert [(one.name, one.file[-9:], one.line, one.column) for one in memory.findings] == [
        ("encoding", "CLAUDE.md", 3, 3), ("encoding", "/w/p/a.md", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@a.md:12", "a.md exists without :12"),
        ("@a.md:12:5.", "a.md exists without :12:5."),
        ("@a.md#L3-L9", "a.md exists without #L3-L9"),
        ("@A.md#part", "in another letter case there is {}/w/p/a.md"),
        ("@A.md:3", "in another letter case there is {}/w/p/a.md"),
        ("@{}/w/P/A.md", "in another letter case there is {}/w/p/a.md"),
        ("@~/N.md,", "in another letter case there is {}/h/n.md"),
        ("@a.md!!!!!!", "@a.md!!!!!! is missing"),
    ],
)
def test_what_was_meant_is_named(
    make: Make, write: Write, tmp_path: Path, text: str, words: str
) -> None:
    write({"h/n.md": "N"})
    [finding] = make({"w/p/CLAUDE.md": text.format(tmp_path), "w/p/a.md": "A"}).findings
    assert finding.severity == "error"
    assert words.format(tmp_path) in finding.message


def test_a_link_checked_out_as_text(make: Make, write: Write) -> None:
    write({"w/p/AGENTS.md": "real"})
    assert [one[0] for one in found(make, "AGENTS.md\n")] == [
        "shadowed-agents-file",
        "link-as-text",
    ]
    assert [one[0] for one in found(make, "nothing.md\n")] == ["shadowed-agents-file"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_file_in_another_encoding_says_so_and_how_to_convert_it(
    make: Make, tmp_path: Path, encoding: str
) -> None:
    name = encoding[:6].upper()
    told = f"it is {name} by its byte order mark, and agents read UTF-8"
    memory = make({
        "w/CLAUDE.md": "\ufeffold".encode(encoding), "w/p/CLAUDE.md": "See @a.md",
        "w/p/a.md": "\ufeffa".encode(encoding),
    })  # fmt: skip
    one, other = memory.findings
    assert (one.name, one.severity) == ("file-unreadable", "error")
    assert one.message == f"CLAUDE.md not read: {told}"
    path = f"{tmp_path}/w/CLAUDE.md"
    way = f"save it as UTF-8, or convert it: iconv -f {name} -t UTF-8 {path} > {path}.utf8 && "
    assert one.hint == f"{way}mv {path}.utf8 {path}"
    assert (other.name, other.severity) == ("import-binary", "warning")
    assert other.message == f"@a.md stays as written: {told}"
    assert other.hint.startswith(f"save it as UTF-8, or convert it: iconv -f {name} ")
    if shutil.which("iconv"):
        subprocess.run(["sh", "-c", one.hint.partition(": ")[2]], check=True)
        assert (tmp_path / "w/CLAUDE.md").read_text() == "old"


def test_another_encoding_is_told_also_where_nothing_looks_binary(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "\ufeff規則".encode("utf-16-le")})
    [finding] = memory.findings
    assert (finding.name, finding.severity) == ("encoding", "warning")
    assert finding.message.startswith("it is UTF-16 by its byte order mark, and agents read UTF-8:")
    assert "iconv -f UTF-16 -t UTF-8" in finding.hint


REASONS: dict[str, dict[str, str]] = {
    "used": {"CLAUDE.md": "x"},
    "fallback-used": {"AGENTS.md": "x"},
    "shadowed": {"CLAUDE.md": "x", "AGENTS.md": "y"},
    "imported": {"CLAUDE.md": "@AGENTS.md", "AGENTS.md": "y"},
    "empty": {"CLAUDE.md": " "},
    "wrong-case": {"claude.md": "x"},
    "misplaced": {".claude/CLAUDE.local.md": "x"},
    "binary": {"CLAUDE.md": "\0"},
}


@pytest.mark.parametrize("reason", REASONS)
def test_reasons(make: Make, reason: str) -> None:
    memory = make({f"w/p/{name}": text for name, text in REASONS[reason].items()})
    said = [one for one in memory.reasons if one.state != "absent"]
    assert reason in [one.reason for one in said]
    one = next(one for one in said if one.reason == reason)
    assert one.state == ("in" if reason in ("used", "fallback-used", "imported") else "out")
    assert one.path.rpartition("/")[2] in one.text or reason == "misplaced"


def test_the_words_of_the_spec(make: Make) -> None:
    memory = make({"w/AGENTS.md": "a", "w/p/CLAUDE.md": "x", "w/p/AGENTS.md": "y"})
    said = {one.text for one in memory.reasons}
    assert "AGENTS.md used: no CLAUDE.md at this level" in said
    assert "AGENTS.md not read: CLAUDE.md is here" in said


def test_wrong_case_and_misplaced_are_findings(make: Make) -> None:
    memory = make({"w/claude.md": "x", "w/p/Agents.md": "y", "w/p/.claude/CLAUDE.local.md": "z"})
    assert [(one.name, one.severity) for one in memory.findings] == [
        ("wrong-case", "warning"), ("wrong-case", "warning"), ("misplaced-file", "warning"),
    ]  # fmt: skip


def test_another_letter_case_beside_the_right_one(make: Make, tmp_path: Path) -> None:
    memory = make({"w/p/CLAUDE.md": "x", "w/p/Claude.md": "y", "w/p/agents.md": "z"})
    [finding] = memory.findings
    assert (finding.name, finding.file) == ("wrong-case", f"{tmp_path}/w/p/Claude.md")
    assert finding.hint == "move what it says to CLAUDE.md"


def test_the_same_file_twice(make: Make, write: Write, tmp_path: Path) -> None:
    write({"w/CLAUDE.md": "A", "w/p/x": ""})
    (tmp_path / "w/p/CLAUDE.md").symlink_to("../CLAUDE.md")
    memory = make({})
    assert [item.scope for item in memory.items] == ["ancestor"]
    assert [(one.name, one.severity) for one in memory.findings] == [("same-file", "note")]
    same = next(one for one in memory.reasons if one.reason == "same-file")
    assert same.other == f"{tmp_path}/w/CLAUDE.md"


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("<!-- memlens: ignore broken-import -->", 1),
        ("<!-- memlens: ignore secret, broken-import -->", 1),
        ("<!--memlens:ignore broken-import-->", 1),
        ("<!-- memlens: ignore import-twice -->", 2),
        ("<!-- memlens: ignore -->", 2),
        ("memlens: ignore broken-import", 2),
    ],
)
def test_a_comment_silences_its_own_line(make: Make, comment: str, left: int) -> None:
    memory = make({"w/p/CLAUDE.md": f"@gone.md {comment}\n@other.md"})
    assert len(memory.findings) == left


def test_many_comments_take_no_longer_than_their_size() -> None:
    begin = time.process_time()
    names = ignored_names("x <!-- memlens: ignore secret -->\n" * 100_000)
    assert list(names) == list(range(1, 100_001))
    assert time.process_time() - begin < 5


def test_names_by_line() -> None:
    text = "a\n<!-- memlens: ignore x --> <!-- memlens: ignore y z -->\n<!-- memlens: ignore x -->"
    assert ignored_names(text) == {2: {"x", "y", "z"}, 3: {"x"}}


@pytest.mark.parametrize(
    "word", ["a.md", "docs/x.txt", "a.md,", "a.md:", "./x", "../x", "~/x", "/x"]
)
def test_words_that_look_like_a_path(word: str) -> None:
    assert looks_like_a_path(word)


def test_findings_for_what_a_touch_added(make: Make) -> None:
    memory = make({"w/p/a/CLAUDE.md": "@gone.md"})
    before = memory.findings
    memory.nested_for("a/x")
    assert not before
    assert [one.name for one in memory.findings] == ["broken-import"]


SIDES = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
KEY = "AKIA" + "IOSFODNN7" + "EXAMPLE"


def test_what_may_be_hostile_is_told_of_each_file_that_is_in(make: Make) -> None:
    memory = make({
        "w/p/CLAUDE.md": f"hid\u200bden\n@docs/a.md and again @docs/a.md\n{SIDES}",
        "w/p/docs/a.md": f"\ufeffa \x1b[1m\r\nkey {KEY}\r\n",
        "w/CLAUDE.local.md": "a\u2066b\u2069",
        "w/p/docs/out.md": "c\u200bd",
    })  # fmt: skip
    loud = [one for one in memory.findings if one.severity == "error"]
    assert sorted(
        (one.name, one.file.rpartition("/")[2], one.line, one.column) for one in loud
    ) == [
        ("conflict-markers", "CLAUDE.md", 3, 1),
        ("control-characters", "a.md", 1, 3),
        ("hidden-characters", "CLAUDE.local.md", 1, 2),
        ("hidden-characters", "CLAUDE.md", 1, 4),
        ("secret", "a.md", 2, 5),
    ]
    assert KEY not in repr(memory.findings)


def test_a_comment_silences_what_may_be_hostile(make: Make) -> None:
    text = f"{KEY} <!-- memlens: ignore secret -->\n{KEY}"
    assert [one.line for one in make({"w/p/CLAUDE.md": text}).findings] == [2]
