"""The rows of the table, a small module for each group."""

from __future__ import annotations

from typing import Final

from tests.bench.bench import Row
from tests.bench.rows import facts, imports, screen, scripts, transcripts

ROWS: Final[tuple[Row, ...]] = (
    *screen.STARTS,
    *scripts.ROWS,
    *facts.ROWS,
    *screen.ROWS,
    *imports.ROWS,
    *transcripts.ROWS,
    *screen.HOLDS,
)
"""In the order of the promises."""
