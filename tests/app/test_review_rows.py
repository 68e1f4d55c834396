"""The lists of the review as lines to draw."""

from __future__ import annotations

from memlens.app.screens.review_rows import DifferenceLines, Remark
from memlens.engine.findings import Finding
from memlens.engine.review.model import DiffLine


def test_each_row_of_a_difference_is_found_again_by_its_key() -> None:
    lines = [
        DiffLine("gap", 0, 0, "3"), DiffLine("same", 4, 4, "same"), DiffLine("removed", 5, 0, "x"),
        DiffLine("added", 0, 5, "new"), DiffLine("gap", 0, 0, "2"), DiffLine("same", 9, 9, "same"),
    ]  # fmt: skip
    found = [Finding("dead-link", "error", "/x", line, 1, "it is dead") for line in (5, 7)]
    heads = [Remark("a head"), Remark("another")]
    shown = DifferenceLines("x", lines, heads=heads, findings=found)
    rows = shown.count(80)
    assert [shown.index(shown.key(row)) for row in range(rows)] == list(range(rows))
    other = DifferenceLines("y", lines, heads=heads)
    assert all(other.index(shown.key(row)) is None for row in range(rows))
