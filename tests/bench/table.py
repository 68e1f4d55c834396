"""The numbers for people: a table for the terminal, one in Markdown, and JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.bench.bench import Row
from tests.bench.growth import Growth
from tests.bench.measure import Result, Unit

if TYPE_CHECKING:
    from tests.bench.machine import Machine

SCHEMA: Final = 1


class Measured(NamedTuple):
    """A row and what came out; without a result it crashed."""

    row: Row
    result: Result | None
    error: str = ""

    @property
    def failed(self) -> bool:
        """Whether the run has to say so by its exit code."""
        return self.result is None or self.row.broken(self.result)

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.result is None:
            return "crashed"
        if self.row.broken(self.result):
            return "BROKEN"
        if self.row.promise is None:
            return "told"
        return "kept" if self.row.kept(self.result) else "missed"


def text_table(measured: Sequence[Measured]) -> str:
    """For a terminal."""
    rows: list[tuple[str, ...]] = [
        ("name", "promise", "measured", "spread", "by CPU", "floor", "subject", "")
    ]
    rows += [(one.row.name, *_cells(one)) for one in measured]
    return _aligned(rows)


def markdown_table(measured: Sequence[Measured], machine: Machine) -> str:
    """For the README: what, against what, promised and measured, and where."""
    lines = [
        "| what | measured against | promise | measured |",
        "| --- | --- | --- | --- |",
    ]
    for row, result, _ in measured:
        value = "crashed" if result is None else _value(result.value, row.unit)
        lines.append(f"| {row.what} | {row.floor or '–'} | {_promise(row)} | {value} |")
    return "\n".join([*lines, "", f"Measured on {machine}, by `python -m tests.bench`.", ""])


def growth_markdown(grown: Sequence[Growth]) -> str:
    """For the README: each cost at each of its sizes, and the exponent between the last two."""
    lines = ["| what | | | | | grows with |", "| --- | --- | --- | --- | --- | --- |"]
    for one in grown:
        cells = [f"{size}: {_seconds(seconds)}" for size, seconds in one.steps]
        cells += [""] * (4 - len(cells))
        power = "" if one.power is None else f"n^{one.power:.2f}"
        lines.append(f"| {one.what} | {' | '.join(cells)} | {power} |")
    return "\n".join([*lines, ""])


def growth_table(grown: Sequence[Growth]) -> str:
    """For a terminal: seconds for each size, and how they grow."""
    blocks = []
    for one in grown:
        rows = [(one.what, *(size for size, _ in one.steps), "")]
        rows.append(("", *(_seconds(seconds) for _, seconds in one.steps), one.verdict))
        blocks.append(_aligned(rows))
    return "\n\n".join(blocks)


def as_json(
    machine: Machine, measured: Sequence[Measured], grown: Sequence[Growth], *, quick: bool
) -> dict[str, Any]:
    """All of it; keys are only ever added within one schema. Seconds, except for memory: bytes."""
    return {
        "schema": SCHEMA,
        "quick": quick,
        "machine": asdict(machine),
        "rows": [
            {
                "name": row.name, "what": row.what, "floor": row.floor, "promise": row.promise,
                "unit": row.unit, "verdict": Measured(row, result, error).verdict,
                "error": error or None, "result": asdict(result) if result else None,
            }
            for row, result, error in measured
        ],
        "growth": [asdict(one) | {"verdict": one.verdict} for one in grown],
    }  # fmt: skip


def _cells(one: Measured) -> tuple[str, ...]:
    row, result = one.row, one.result
    promise = _promise(row)
    if result is None:
        return (promise, "–", "", "", "", "", one.verdict)
    unit = row.unit
    show = _bytes if unit == "MB" else _seconds
    return (
        promise,
        _value(result.value, unit),
        f"{_value(result.low, unit)} – {_value(result.high, unit)}",
        "" if result.by_cpu is None else _value(result.by_cpu, unit),
        "" if result.floor is None else show(result.floor),
        show(result.subject),
        one.verdict,
    )


def _promise(row: Row) -> str:
    if row.promise is None:
        return "–"
    sign = "+" if row.unit == "MB" else ""
    return f"≤ {sign}{row.promise:g} {row.unit}"


def _value(value: float, unit: Unit) -> str:
    if unit == "×":
        return f"{value:.2f} ×"
    return f"{value:+.1f} MB" if unit == "MB" else f"{value:.1f} ms"


def _seconds(value: float) -> str:
    if value < 1:
        return f"{value * 1000:.{1 if value >= 0.01 else 2}f} ms"
    return f"{value:.2f} s"


def _bytes(value: float) -> str:
    return f"{value / 1e6:.1f} MB"


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if 0 < at < len(row) - 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
