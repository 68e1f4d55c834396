"""Whatever the files hold: spans are slices of their files, and joined they are the prompt."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import CLAUDE
from memlens.engine.context import ContextMemory
from memlens.engine.context.comments import comment_cuts
from memlens.engine.context.globs import expand_braces, split_patterns
from memlens.engine.plan import Plan

_PIECES = st.sampled_from([
    "text", "é", "\n", "\n\n", "\r\n", " ", "    ", "\t", "\ufeff", "\u3000",
    "<!--", "-->", "<!-- c -->", "`", "```", "~~~", "- ", "> ", "# ", "---\n", "paths: x\n",
    "@a.md", "@b.md", "@rules/r.md", "@gone.md", "@a.md.", "@with\\ space.md", "@../out.md", "#x",
])  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=14).map("".join)


@settings(max_examples=60, deadline=None)
@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_spans(claude: str, first: str, second: str, rule: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve() / "p"
        (root / ".claude/rules").mkdir(parents=True)
        for name, text in {
            "CLAUDE.md": claude, "a.md": first, "b.md": second, ".claude/rules/r.md": rule,
            "with space.md": second, "../out.md": "out",
        }.items():  # fmt: skip
            (root / name).write_bytes(text.encode())
        memory = ContextMemory(
            root, [root], home=root / "h", profile=CLAUDE, environment={},
            managed_folder=str(root / "m"),
        )  # fmt: skip
        plan = Plan(memory.items, CLAUDE)
        assert plan.text == (memory.prompt_text() or "")
        assert plan.bytes == len(plan.text.encode())
        for span in plan.spans:
            assert span.size == len(span.text.encode())
            assert span.breaks == span.text.count("\n")
            if span.kind == "text":
                source = memory.text_of(span.file)
                assert source is not None
                assert span.text == source[span.start : span.end]
                assert span.line == source.count("\n", 0, span.start) + 1
        for item in memory.items:
            assert item.text == "".join(span.text for span in item.spans)
            assert item.bytes == len(item.text.encode())
        assert all(one.message for one in memory.findings)
        touched = memory.nested_for("x")
        assert all(item.scope == "nested" for item in touched)


@given(_TEXTS)
def test_cuts_are_apart_and_in_order(text: str) -> None:
    cuts = comment_cuts(text)
    ends = [place for cut in cuts for place in cut]
    assert ends == sorted(ends)
    assert all("<!--" in text[start:end] for start, end in cuts)


@given(st.text("{},ab*/", max_size=40))
def test_braces_end(text: str) -> None:
    found = expand_braces(split_patterns(text), 50)
    assert len(found) <= 50
