"""Any bytes as memory files that import one another: a prompt comes of it, and findings."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine.context import ContextMemory
from memlens.engine.context.code import code_regions
from memlens.engine.plan import Plan
from memlens.engine.why import why
from tests.fuzz.noise import BYTES, ODD, PIECES

WORDS = st.sampled_from(
    ["@a.md", "@b.md", "@./a.md", "@../x.md", "@~/y.md", "@/z.md", "`@a.md`", "```\n", "~~~\n",
     "<!-- ", " -->", "> ", "- ", "    ", "\t", "\n", "text ", "---\npaths: x\n---\n", "@",
     "@@a.md", "@a.md.", "(@b.md)", "<div>", "</div>", "\\@a.md", "[x](@a.md)"]
)  # fmt: skip
TEXTS = st.lists(WORDS | ODD | st.text(max_size=8), max_size=30).map("".join)
FILES = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | BYTES


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(FILES, FILES, FILES, PIECES)
def test_a_prompt_comes_of_anything(one: bytes, other: bytes, rule: bytes, phrase: str) -> None:
    with tempfile.TemporaryDirectory() as box:
        root = Path(box, "p")
        (root / ".claude" / "rules").mkdir(parents=True)
        (root / "CLAUDE.md").write_bytes(one)
        (root / "a.md").write_bytes(other)
        (root / "b.md").write_bytes(one)
        (root / ".claude" / "rules" / "r.md").write_bytes(rule)
        memory = ContextMemory(root, [root], home=box)
        plan = Plan(memory.items)
        assert plan.text == (memory.prompt_text() or "")
        for finding in memory.findings:
            assert finding.line >= 0
        memory.unloaded()
        why(phrase, plan, memory)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_code_is_found_in_order_and_inside_the_text(text: str) -> None:
    regions = code_regions(text)
    end = 0
    for region in sorted(regions):
        start, stop = region[0], region[1]
        assert 0 <= start <= stop <= len(text)
        end = max(end, stop)
    assert end <= len(text)
