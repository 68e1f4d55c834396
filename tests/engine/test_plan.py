"""The plan: spans, lines and shares, and why a phrase is in or not."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import PROFILES, AgentProfile
from memlens.engine.context import ContextMemory
from memlens.engine.plan import DurableIndex, IndexFact, Plan
from memlens.engine.why import why


def memory_of(root: Path, files: dict[str, str], **options: object) -> ContextMemory:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    project = root / "p"
    project.mkdir(exist_ok=True)
    settings_ = {"home": root / "h"} | options
    walk = settings_.pop("walk", [project])
    return ContextMemory(project, walk, **settings_)  # type: ignore[arg-type]


def fact(name: str, text: str = "x") -> IndexFact:
    return IndexFact(name, f"/m/{name}.md", f"- [{name}] {text} — /m/{name}.md")


def test_every_line_has_its_file_its_line_and_its_imports(tmp_path: Path) -> None:
    memory = memory_of(
        tmp_path,
        {
            "h/.claude/CLAUDE.md": "user\n",
            "p/CLAUDE.md": "\n\none\nsee @a.md now\nlast\n",
            "p/a.md": "A1\nA2 @b.md\nA3\n",
            "p/b.md": "B1\nB2\n\n",
        },
    )
    plan = Plan(memory.items)
    assert plan.text == memory.prompt_text()
    lines = plan.text.split("\n")
    at = {text: plan.source(number) for number, text in enumerate(lines, 1)}
    p = f"{tmp_path}/p"
    assert (at["user"].file, at["user"].line) == (f"{tmp_path}/h/.claude/CLAUDE.md", 1)
    assert (at["one"].file, at["one"].line) == (f"{p}/CLAUDE.md", 3)
    assert (at["see A1"].file, at["see A1"].line) == (f"{p}/CLAUDE.md", 4)
    assert (at["A2 B1"].file, at["A2 B1"].line) == (f"{p}/a.md", 2)
    assert (at["B2"].file, at["B2"].line) == (f"{p}/b.md", 2)
    assert at["B2"].chain == ((f"{p}/CLAUDE.md", 4, 5), (f"{p}/a.md", 2, 4))
    assert (at["A3 now"].file, at["A3 now"].line) == (f"{p}/a.md", 3)
    assert (at["last"].file, at["last"].line, at["last"].chain) == (f"{p}/CLAUDE.md", 5, ())
    mixed = plan.sources(lines.index("A2 B1") + 1)
    assert [(source.file, source.line) for source in mixed] == [(f"{p}/a.md", 2), (f"{p}/b.md", 1)]
    assert plan.source(1).kind == "header"
    assert plan.source(0).file == plan.source(len(lines) + 1).file == ""


def test_the_index_stands_behind_the_memory_files(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, {"p/CLAUDE.md": "x\n"})
    facts = (fact("a"), fact("b"))
    text = f"# Memory\n\n## G\n{facts[0].line}\n{facts[1].line}\n"
    plan = Plan(memory.items, index=DurableIndex(text, facts))
    assert plan.text == f"{memory.prompt_text()}\n\n{text}"
    sources = [plan.source(line) for line in range(1, plan.lines + 1)]
    assert [source.file for source in sources[-2:]] == ["/m/a.md", "/m/b.md"]
    assert [source.item for source in sources] == [0, 0, 0, -1, -1, -1, -1, -1, -1]
    assert plan.index_bytes == len(text.encode())
    assert sum(part.share for part in plan.parts) == pytest.approx(1, abs=0.05)
    assert Plan((), index=DurableIndex(text, facts)).text == text


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
@pytest.mark.parametrize("index", ["", "# Memory\n\n- [a] x", "# Memory\n"])
def test_the_text_alone_is_that_of_the_spans(
    tmp_path: Path, profile: AgentProfile, index: str
) -> None:
    name = next(rule.name for rule in profile.files if rule.place == "level")
    memory = memory_of(
        tmp_path, {f"p/{name}": "\n\n x @a.md \r\n\n", "p/a.md": "A\n"}, profile=profile,
        environment={},
    )  # fmt: skip
    assert memory.items
    for items in (memory.items, ()):
        for framing in profile.framings:
            made = [Plan(items, profile, DurableIndex(index), framing.name) for _ in range(2)]
            text = made[0].text
            assert text == "".join(span.text for span in made[1].spans) == made[1].text
            assert made[0].bytes == made[1].bytes == len(text.encode())


def test_a_fact_cut_in_its_line_still_points_to_its_file() -> None:
    one, two = fact("a"), fact("b")
    plan = Plan(
        (), index=DurableIndex(f"# Memory\n{one.line}\n{two.line[:8]}\n\n[cut]", (one, two))
    )
    assert [plan.source(line).file for line in (2, 3, 4, 5)] == ["/m/a.md", "/m/b.md", "", ""]


def test_without_anything_the_plan_is_empty() -> None:
    plan = Plan(())
    assert (plan.text, plan.bytes, plan.lines, plan.tokens, plan.parts) == ("", 0, 0, 0, ())
    assert plan.source(1).file == ""


def test_where_an_import_shows(tmp_path: Path) -> None:
    memory = memory_of(
        tmp_path,
        {"p/CLAUDE.md": "x\n@a.md\n@gone.md\n@e.md\n", "p/a.md": "1\n@b.md\n", "p/b.md": "2\n",
         "p/e.md": ""},
    )  # fmt: skip
    plan = Plan(memory.items)
    lines = plan.text.split("\n")
    shown = [plan.import_line(0, number) for number in range(4)]
    assert [lines[line - 1] for line in shown[:3] if line] == ["1", "2", "@gone.md"]
    assert plan.line_of(f"{tmp_path}/p/b.md", 1) == lines.index("2") + 1
    assert plan.line_of(f"{tmp_path}/p/none.md", 1) is None
    part = plan.part_at(lines.index("2") + 1)
    assert part is not None
    assert part.item == 0


TEXTS = st.lists(
    st.sampled_from(
        ["@a.md", "@b.md", "@c.md", "@CLAUDE.md", "@x", "é", "\n", "\r\n", "\n\n", " ", "a", "`"]
    ),
    max_size=10,
).map("".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
def test_joined_spans_are_the_prompt_and_each_is_a_slice_of_its_file(
    project: str, local: str, a: str, b: str, c: str
) -> None:
    with TemporaryDirectory() as folder:
        files = {
            "p/CLAUDE.md": project, "p/CLAUDE.local.md": local, "p/a.md": a, "p/b.md": b,
            "p/c.md": c,
        }  # fmt: skip
        memory = memory_of(Path(folder).resolve(), files)
        plan = Plan(memory.items)
        assert plan.text == "".join(span.text for span in plan.spans)
        assert plan.text == (memory.prompt_text() or "")
        assert plan.bytes == len(plan.text.encode())
        read = [path for item in memory.items for path in (item.file, *item.imports)]
        assert len(read) == len(set(read))
        for item in memory.items:
            assert item.text == "".join(span.text for span in item.spans)
            assert item.bytes == len(item.text.encode())
            for record in item.records:
                text = memory.text_of(record.file)
                assert text is not None
                token = f"@{record.written}"
                assert text[record.offset : record.offset + len(token)] == token
                assert record.line == text.count("\n", 0, record.offset) + 1
        for span in (*plan.spans, *(span for item in memory.items for span in item.spans)):
            assert span.breaks == span.text.count("\n")
            assert span.size == len(span.text.encode())
            if span.kind == "text":
                text = memory.text_of(span.file)
                assert text is not None
                assert text[span.start : span.end] == span.text
                assert span.line == text.count("\n", 0, span.start) + 1
        for number, line in enumerate(plan.text.split("\n")[: plan.lines], 1):
            source = plan.source(number)
            if source.kind == "text" and line:
                text = memory.text_of(source.file)
                assert text is not None
                first = plan.sources(number)[0]
                assert first == source
                own = plan.spans[source.span].text.split("\n")
                begin = own[source.line - plan.spans[source.span].line]
                assert line.startswith(begin) or begin.startswith(line)


def test_why_follows_the_chain(tmp_path: Path) -> None:
    memory = memory_of(
        tmp_path,
        {"p/CLAUDE.md": "x\n\nSee @a.md\n", "p/a.md": "1\n@b.md", "p/b.md": "deep\nwords here"},
    )
    plan = Plan(memory.items)
    p = f"{tmp_path}/p"
    answer = why("words here", plan, memory)
    assert answer.reached
    assert answer.chain == ((f"{p}/CLAUDE.md", 3), (f"{p}/a.md", 2), (f"{p}/b.md", 2))
    assert plan.text.split("\n")[answer.line - 1] == "words here"
    across = why("See 1\ndeep", plan, memory)
    assert across.chain == ((f"{p}/CLAUDE.md", 3),)
    loose = why("deep words\there", plan, memory)
    assert loose.reached
    assert "white space" in loose.reason
    assert why("Contents of", plan, memory).reached
    assert not why("  ", plan, memory).reached


def test_why_not(tmp_path: Path) -> None:
    memory = memory_of(
        tmp_path,
        {
            "CLAUDE.md": "far above",
            "p/CLAUDE.md": "x @a.md. @b.md\n@c.md",
            "p/AGENTS.md": "shadow",
            "p/a.md": "behind a dot",
            "p/b.md": "@d.md",
            "p/d.md": "too deep for it",
            "p/sub/CLAUDE.md": "when touched",
        },
        max_import_depth=1,
    )
    plan = Plan(memory.items)
    p = f"{tmp_path}/p"

    def reason(text: str) -> tuple[tuple[tuple[str, int], ...], str]:
        answer = why(text, plan, memory)
        assert not answer.reached
        return answer.chain, answer.reason

    assert reason("behind a dot")[0] == ((f"{p}/CLAUDE.md", 1), (f"{p}/a.md", 1))
    chain, text = reason("too deep for it")
    assert chain == ((f"{p}/CLAUDE.md", 1), (f"{p}/b.md", 1), (f"{p}/d.md", 1))
    assert "too deep" in text
    assert "CLAUDE.md is here" in reason("shadow")[1]
    assert f"{p}/sub" in reason("when touched")[1]
    assert "above the folders" in reason("far above")[1]
    assert reason("nowhere at all")[0] == ()
    memory.nested_for("sub/x")
    assert why("when touched", plan, memory).reached


def test_why_not_for_facts(tmp_path: Path) -> None:
    for name in ("seen", "cut"):
        (tmp_path / f"{name}.md").write_text(f"---\nname: {name}\n---\n\nthe body of {name}\n")
    facts = tuple(
        IndexFact(name, f"{tmp_path}/{name}.md", f"- [{name}] says {name} — {tmp_path}/{name}.md")
        for name in ("seen", "cut")
    )
    memory = memory_of(tmp_path, {})
    plan = Plan(memory.items, index=DurableIndex(f"# Memory\n{facts[0].line}\n", facts))
    assert why("says seen", plan, memory).chain == ((f"{tmp_path}/seen.md", 1),)
    assert "has to read" in why("the body of seen", plan, memory).reason
    assert "behind the cut" in why("the body of cut", plan, memory).reason
