"""Resolving again: the same as a fresh resolve, and only what changed is read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import CLAUDE, RAIDER
from memlens.engine.agents.model import AgentProfile, ImportRules
from memlens.engine.context import ContextMemory, ContextResolver
from memlens.engine.context import source as source_module
from memlens.engine.context.comments import comment_cuts
from memlens.engine.context.source import Source, Token
from memlens.engine.plan import Plan

NAMES = ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", "a.md", "b.md", "d/c.md", "d/CLAUDE.md"]
TEXTS = st.lists(
    st.sampled_from(
        ["@a.md", "@b.md", "@d/c.md", "@./a.md", "@../a.md", "@../p/b.md", "@c.md", "@link.md",
         "@gone.md", "@d", "@l/c.md", "x", "é", "`", "\n", " ", "\n\n", "```\n", "- "]
    ),
    max_size=8,
).map("".join)  # fmt: skip
EDITS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), TEXTS),
    st.tuples(st.just("delete"), st.sampled_from([*NAMES, "d", "link.md"]), st.just("")),
    st.tuples(st.just("link"), st.just("link.md"), st.sampled_from(["a.md", "d/c.md", "no"])),
    st.tuples(st.just("link"), st.just("l"), st.sampled_from(["d", "e", "."])),
    st.tuples(st.just("link"), st.just("CLAUDE.md"), st.sampled_from(["a.md", "AGENTS.md"])),
    st.tuples(st.just("move"), st.just("d"), st.just("e")),
    st.tuples(st.just("move"), st.just("e"), st.just("d")),
)


def _apply(root: Path, edit: tuple[str, str, str]) -> list[str]:
    """Makes one change; returns the paths that a watcher would name."""
    what, name, content = edit
    path = root / name
    if what == "move":
        other = root / content
        if not path.is_dir() or other.exists():
            return []
        path.rename(other)
        return [str(path), str(other)]
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
    if what == "delete":
        return [str(path)]
    made = [str(path)]
    if not path.parent.exists():
        path.parent.mkdir()
        made.append(str(path.parent))
    if what == "write":
        path.write_text(content)
    else:
        path.symlink_to(content)
    return made


def _same(one: ContextMemory, other: ContextMemory) -> None:
    assert one.items == other.items
    assert one.prompt_text() == other.prompt_text()
    assert one.reasons == other.reasons
    assert one.findings == other.findings
    assert one.depends_on == other.depends_on
    assert one.unloaded().files == other.unloaded().files
    assert Plan(one.items).text == (one.prompt_text() or "")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.lists(EDITS, max_size=4), st.booleans()), min_size=1, max_size=6))
def test_resolving_again_equals_a_fresh_resolve(
    rounds: list[tuple[list[tuple[str, str, str]], bool]],
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "p"
        root.mkdir()
        (root / "a.md").write_text("A @b.md\n")
        (root / "CLAUDE.md").write_text("@a.md and @d/c.md\n")
        resolver = ContextResolver(root, [root], home=root / "h")
        resolver.resolve()
        for edits, named in rounds:
            changed = [path for edit in edits for path in _apply(root, edit)]
            again = resolver.resolve(changed if named else None)
            _same(again, ContextMemory(root, [root], home=root / "h"))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(EDITS, max_size=4), min_size=1, max_size=5))
def test_what_is_asked_for_late_tells_of_the_files_as_they_were(
    rounds: list[list[tuple[str, str, str]]],
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "p"
        root.mkdir()
        (root / "a.md").write_text("A @b.md\n")
        (root / "CLAUDE.md").write_text("@a.md and @d/c.md\n")
        resolver = ContextResolver(root, [root], home=root / "h")
        late = [resolver.resolve()]
        then = [ContextMemory(root, [root], home=root / "h").items]
        wanted = [[(item.spans, item.records, item.lines) for item in then[0]]]
        for edits in rounds:
            changed = [path for edit in edits for path in _apply(root, edit)]
            late.append(resolver.resolve(changed))
            then.append(ContextMemory(root, [root], home=root / "h").items)
            wanted.append([(item.spans, item.records, item.lines) for item in then[-1]])
        for memory, items, told in zip(late, then, wanted, strict=True):
            assert [(one.spans, one.records, one.lines) for one in memory.items] == told
            assert memory.items == items


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), TEXTS), max_size=8),
    st.sampled_from(["", "\0", "é" * 40]),
    st.integers(0, 4),
)
def test_reading_ahead_changes_nothing(files: list[tuple[str, str]], odd: str, depth: int) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "p"
        (root / "d").mkdir(parents=True)
        (root / "l").symlink_to("d")
        (root / "link.md").symlink_to("d/c.md")
        (root / "CLAUDE.md").write_text("@a.md and @d/c.md\n")
        for name, text in files:
            (root / name).write_text(text + odd * (name == "b.md"))
        made = [
            ContextMemory(root, [root], home=root / "h", max_import_depth=depth) for _ in range(2)
        ]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("memlens.engine.context.memory.look_ahead", lambda *_: None)
            _ = made[0].items
        _same(*made)


CODE = st.lists(
    st.sampled_from(
        ["@a.md", "@b.md", "@gone.md", "@gone/x", "@d", "@~/a.md", "@../p/a.md", "x", "`", "``",
         " ", "\n", "\n\n", "\n```\n", "\n```\n@gone.md\n```\n", "` @gone/x `", "\n~~~\n", "<!-- ",
         " -->"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a.md", "b.md", "d/c.md"]), CODE), max_size=6),
    st.lists(st.sampled_from(["gone.md", "gone/x", "h/a.md", "b.md"]), max_size=3),
    st.sampled_from([RAIDER, CLAUDE]),
    st.integers(0, 3),
)
def test_to_tell_late_what_is_code_changes_nothing(
    files: list[tuple[str, str]], later: list[str], profile: AgentProfile, depth: int
) -> None:
    def at_once(text: str, rules: ImportRules) -> list[Token]:
        source = Source("/a.md")
        source.body, source.places = text, told_late(text, rules)
        if rules.comments == "strip-blocks" and "<!--" in text:
            source.cuts = comment_cuts(text)
        return list(source.tokens)

    told_late = source_module._places  # the slow way stands in its place
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder).resolve() / "p"
        for name in ("d", "h", "gone"):
            (root / name).mkdir(parents=True)
        (root / "CLAUDE.md").write_text("@a.md and @d/c.md\n")
        for name, text in files:
            (root / name).write_text(text)
        made = [
            ContextResolver(
                root, [root], home=root / "h", profile=profile, max_import_depth=depth,
                environment={},
            )
            for _ in range(2)
        ]  # fmt: skip
        changed: list[str] | None = None
        for _ in range(2):
            patch.undo()
            late = made[0].resolve(changed)
            patch.setattr(source_module, "_places", at_once)
            now = made[1].resolve(changed)
            assert late.prompt_text() == now.prompt_text()
            assert late.items == now.items
            assert late.depends_on == now.depends_on
            assert [item.lines for item in late.items] == [item.lines for item in now.items]
            assert made[0].reads == made[1].reads
            assert late.findings == now.findings
            changed = []
            for name in later:
                (root / name).write_text("new @b.md")
                changed.append(str(root / name))


def _old(root: Path) -> None:
    """Makes all files old, so that their stamps can be trusted."""
    for path in root.rglob("*.md"):
        os.utime(path, (1_000_000_000, 1_000_000_000))


def test_only_the_changed_file_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(20):
        (tmp_path / f"docs/{number}.md").write_text(f"file {number}\n")
    (tmp_path / "CLAUDE.md").write_text("".join(f"@docs/{n}.md\n" for n in range(20)))
    _old(tmp_path)
    resolver = ContextResolver(tmp_path, [tmp_path], home=tmp_path / "h")
    resolver.resolve()
    assert resolver.reads == 21
    resolver.resolve()
    assert resolver.reads == 21
    (tmp_path / "docs/7.md").write_text("changed\n")
    for changed in (None, [str(tmp_path / "docs/7.md")]):
        before = resolver.reads
        text = resolver.resolve(changed).prompt_text()
        assert text is not None
        assert "changed" in text
        assert resolver.reads == before + 1


def test_a_change_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    resolver = ContextResolver(tmp_path, [tmp_path], home=tmp_path / "h")
    for text in ("one", "two", "six"):
        file.write_text(text)
        status = file.stat()
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns // 10**8 * 10**8))
        assert resolver.resolve().items[0].text == text


def test_what_to_watch_holds_every_place_that_matters(tmp_path: Path) -> None:
    root = tmp_path / "p"
    (root / "docs").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("@docs/a.md @later/b.md @~/x.md")
    (root / "docs/a.md").write_text("A")
    memory = ContextMemory(root, [root], home=tmp_path / "h")
    assert {
        f"{root}/CLAUDE.md", f"{root}/AGENTS.md", f"{root}/docs/a.md", f"{root}/later/b.md",
        f"{tmp_path}/h/x.md", f"{tmp_path}/h/.claude/CLAUDE.md",
    } <= memory.depends_on  # fmt: skip
    assert memory.watch_folders() == {str(root), f"{root}/docs", str(tmp_path)}
