"""The tree's nodes: everything that is in, and everything that is wrong, in the prompt's order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.app.panes.memory_tree.in_prompt import prompt_line, prompt_part
from memlens.app.panes.memory_tree.nodes import INDEX, NOT_LOADED, Node, nodes_of
from memlens.app.panes.memory_tree.session import session_mark, session_nodes
from memlens.app.widgets.share_bar import widths
from memlens.engine import ContextLoaded, ContextVerified, Engine, LoadContext, open_workspace
from memlens.engine.reads.model import LoadedInstruction
from memlens.engine.settings import Settings
from memlens.engine.verify import Loading, Verified, VerifiedFile


def loaded(root: Path) -> ContextLoaded:
    with Engine(open_workspace(root)) as engine:
        command = LoadContext(request=engine.next_request())
        return engine.ask(command, ContextLoaded, timeout=30)


def node(nodes: tuple[Node, ...], label: str) -> Node:
    return next(one for one in nodes if label in one.label)


def details(one: Node) -> str:
    return "\n".join(text for text, _ in one.details)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text(
        "See @docs/a.md and @docs/a.md. and @./gone.md\nAsk @someone about @scope/pkg\n@docs/c.md\n"
    )
    (tmp_path / "AGENTS.md").write_text("Not read.\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("First @b.md\n")
    (tmp_path / "docs" / "b.md").write_text("Deeper\n")
    (tmp_path / "docs" / "c.md").write_bytes(b"bad \xff byte\n")
    (tmp_path / "CLAUDE.local.md").write_text("mine\n")
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "CLAUDE.md").write_text("on touch\n")
    return tmp_path


def test_items_and_imports_stand_in_the_order_of_the_prompt(root: Path) -> None:
    event = loaded(root)
    nodes = nodes_of(event)
    shown = [(one.depth, one.label) for one in nodes if one.in_prompt and not one.quiet]
    assert [label for depth, label in shown if depth == 0] == ["CLAUDE.md", "CLAUDE.local.md"]
    places = [prompt_line(event.plan, one) for one in nodes if one.in_prompt and one.record >= 0]
    assert places == sorted(places)
    assert (1, "docs/a.md") in shown
    assert (2, "docs/b.md") in shown


def test_an_import_says_what_is_wrong_in_words(root: Path) -> None:
    nodes = nodes_of(loaded(root))
    wrong = node(nodes, "@docs/a.md.")
    assert (wrong.glyph, wrong.problem) == ("✗", True)
    assert wrong.note == "exists without the last character, line 1"
    text = details(wrong)
    assert "put a space" in text
    assert "CLAUDE.md:1:20" in text
    gone = node(nodes, "@./gone.md")
    assert gone.note == "missing, line 1"
    assert str(root / "gone.md") in details(gone)


def test_mentions_are_quiet(root: Path) -> None:
    nodes = nodes_of(loaded(root))
    for label in ("@someone", "@scope/pkg"):
        assert node(nodes, label).quiet
        assert not node(nodes, label).problem


def test_what_is_wrong_with_a_file_stands_below_its_item(root: Path) -> None:
    nodes = nodes_of(loaded(root))
    bad = next(one for one in nodes if "UTF-8" in one.note)
    assert (bad.label, bad.glyph, bad.line) == ("docs/c.md:1", "▲", 1)
    assert "save it as UTF-8" in details(bad)


def test_each_finding_is_told_once(root: Path) -> None:
    event = loaded(root)
    nodes = nodes_of(event)
    for finding in event.findings:
        told = [one for one in nodes if f"{finding.message} [{finding.name}]" in details(one)]
        assert len(told) == 1, finding


def test_what_is_out_has_its_reason_and_what_is_nested_its_touch(root: Path) -> None:
    nodes = nodes_of(loaded(root))
    agents = node(nodes, "AGENTS.md")
    assert (agents.depth, agents.in_prompt, agents.note) == (
        1,
        False,
        "not read: CLAUDE.md is here",
    )
    group = next(one for one in nodes if one.key == NOT_LOADED)
    assert group.label == "1 file left out"
    nested = node(nodes, "api/CLAUDE.md")
    assert (nested.touch, nested.note, nested.in_prompt) == ("api/", "on touch", False)
    given = nodes_of(loaded(root), given={nested.file})
    assert node(given, "api/CLAUDE.md").note == "given"


def test_a_link_shows_where_it_was_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("text\n")
    (tmp_path / "CLAUDE.md").symlink_to("other.md")
    one = nodes_of(loaded(tmp_path))[0]
    assert one.file == str(tmp_path / "other.md")
    assert f"found as {tmp_path}/CLAUDE.md, a link" in details(one)


def test_the_text_of_a_node_is_what_the_prompt_holds_of_it(root: Path) -> None:
    event = loaded(root)
    nodes = nodes_of(event)
    assert prompt_part(event.plan, node(nodes, "docs/a.md")) == "First Deeper"
    assert prompt_part(event.plan, node(nodes, "docs/b.md")) == "Deeper"
    assert prompt_part(event.plan, node(nodes, "CLAUDE.local.md")) == "mine\n"
    assert prompt_part(event.plan, node(nodes, "api/CLAUDE.md")) == ""
    assert prompt_part(event.plan, node(nodes, "@./gone.md")) == ""


def test_keys_stay_when_lines_move(root: Path) -> None:
    before = {one.label: one.key for one in nodes_of(loaded(root))}
    file = root / "CLAUDE.md"
    file.write_text("A new line.\n\n" + file.read_text())
    after = {one.label: one.key for one in nodes_of(loaded(root))}
    for label in ("docs/a.md", "@./gone.md", "CLAUDE.md", "@docs/a.md."):
        assert before[label] == after[label]


def test_keys_are_unique_for_repeated_tokens(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("@gone.md @gone.md\n@gone.md\n")
    keys = [one.key for one in nodes_of(loaded(tmp_path))]
    assert len(keys) == len(set(keys))


def test_the_index_has_a_node(demo_facts: Path) -> None:
    event = loaded(demo_facts)
    one = next(one for one in nodes_of(event) if one.key == INDEX)
    assert one.note == "1 facts" or "fact" in one.note
    assert prompt_part(event.plan, one).startswith("# Memory")
    assert prompt_line(event.plan, one) >= 1


@pytest.fixture
def demo_facts(tmp_path: Path, home: Path) -> Path:
    folder = home / ".local" / "share" / "mermaid" / "memory"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\nname: a\ndescription: b\nscope: global\n---\n\nx\n")
    (tmp_path / "CLAUDE.md").write_text("x\n")
    return tmp_path


def test_many_imports_take_no_time(tmp_path: Path) -> None:
    from time import thread_time

    (tmp_path / "CLAUDE.md").write_text("".join(f"@f{at}.md\n@gone{at}.md\n" for at in range(500)))
    for at in range(500):
        (tmp_path / f"f{at}.md").write_text(f"{at}\n")
    event = loaded(tmp_path)
    times = []
    for _ in range(5):
        start = thread_time()
        assert len(nodes_of(event)) > 1000
        times.append(thread_time() - start)
    assert min(times) < 0.1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(1, 120))
def test_a_bar_is_as_wide_as_it_is(shares: list[float], width: int) -> None:
    cells = widths(shares, width)
    assert sum(cells) == width
    assert min(cells) >= (1 if len(shares) <= width else 0)


@pytest.fixture
def claude(root: Path, home: Path) -> ContextLoaded:
    """The same folder as Claude Code sees it, with a rule that waits."""
    rules = root / ".claude/rules"
    rules.mkdir(parents=True)
    (rules / "py.md").write_text('---\npaths: "**/*.py"\n---\npy\n')
    settings = Settings(managed_folder=str(root / "none"))
    with Engine(open_workspace(root, agent="claude", settings=settings)) as engine:
        command = LoadContext(request=engine.next_request())
        return engine.ask(command, ContextLoaded, timeout=30)


def test_imports_that_are_items_stand_below_their_importer(claude: ContextLoaded) -> None:
    nodes = nodes_of(claude)
    shown = [(one.depth, one.label) for one in nodes if one.in_prompt and not one.problem_only]
    assert [one for one in shown if ":" not in one[1]] == [
        (0, "CLAUDE.md"), (1, "docs/a.md"), (2, "docs/b.md"), (1, "docs/c.md"),
        (0, "CLAUDE.local.md"),
    ]  # fmt: skip
    wrong = node(nodes, "@docs/a.md.")
    assert (wrong.depth, wrong.problem) == (1, True)
    assert node(nodes, "CLAUDE.md").foldable
    parts = [one for one in nodes if one.is_part]
    assert [prompt_line(claude.plan, one) > 0 for one in parts] == [True] * len(parts)
    rule = next(one for one in nodes if one.label == ".claude/rules/py.md")
    assert "matches **/*.py loads it" in details(rule)
    assert rule.touch == ""


def test_what_sessions_tell(claude: ContextLoaded) -> None:
    told = LoadedInstruction("/p/x.md", 5.0, "main", "Project", "nested_traversal", "", "/p/y")
    files = (VerifiedFile("/p/a.md", "same"), VerifiedFile("/p/b.md", "not told"))
    event = ContextVerified(
        agent="claude", now=65.0, difference=(),
        verified=Verified("abcdefghij", 5.0, "different", "t", "p", files),
        loading=Loading("s", 5.0, (told,), ("/p/c.md",)),
    )  # fmt: skip
    nodes = session_nodes(event, claude.label_of)
    assert [(one.depth, one.glyph, one.label, one.note) for one in nodes] == [
        (0, "≠", "session abcdefgh was told something else", "1m ago"),
        (1, "≠", "/p/b.md", "not told"),
        (0, "◈", "session s loaded 1 file", "1 not"),
        (1, "✓", "/p/x.md", "nested traversal"),
        (1, "–", "/p/c.md", "not loaded"),
    ]
    assert session_mark(event) == "≠ as told"
    assert session_nodes(None, claude.label_of) == ()
    assert session_mark(None) == ""
