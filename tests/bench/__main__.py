"""`python -m tests.bench`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.bench.bench import Bench, Row
from tests.bench.growth import Growth, grow
from tests.bench.machine import this_machine
from tests.bench.rows import ROWS
from tests.bench.table import (
    Measured,
    as_json,
    growth_markdown,
    growth_table,
    markdown_table,
    text_table,
)


def main(words: list[str] | None = None) -> int:
    """Measures and prints. 1 when a row crashed or is five times off its promise, else 0."""
    options = _options(words)
    wanted = [row for row in ROWS if not options.only or row.name in options.only]
    machine = this_machine()
    _tell(f"{machine}, load {machine.load:.1f}")
    if machine.busy:
        _tell("Something else is at work here: the times are worse than they need be.")
    measured: list[Measured] = []
    grown: list[Growth] = []
    crashed = False
    with tempfile.TemporaryDirectory(prefix="memlens-bench-") as folder:
        bench = Bench(Path(folder).resolve(), quick=options.quick, scale=options.scale)
        if not options.growth_only:
            measured = [_measure(row, bench) for row in wanted]
        if options.growth or options.growth_only:
            try:
                for one in grow(bench):
                    grown.append(one)
                    _tell(f"grown: {one.name}")
            except Exception:  # noqa: BLE001 - what was measured before is still worth printing
                traceback.print_exc()
                crashed = True
    _print(options, measured, grown)
    if options.json:
        text = json.dumps(
            as_json(machine, measured, grown, quick=options.quick), ensure_ascii=False, indent=2
        )
        if options.json == "-":
            print(text)
        else:
            Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 1 if crashed or any(one.failed for one in measured) else 0


def _options(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measures what memlens promises about its speed, each promise against its "
        "floor in the same run. Only a crash or five times a promise fails.",
    )
    parser.add_argument("--quick", action="store_true", help="under a minute, with less data")
    parser.add_argument(
        "--only", metavar="NAME", action="append", default=[], choices=[row.name for row in ROWS],
        help="only this row; may be repeated: " + ", ".join(row.name for row in ROWS),
    )  # fmt: skip
    parser.add_argument("--growth", action="store_true", help="also how the costs grow")
    parser.add_argument("--growth-only", action="store_true", help="only how the costs grow")
    parser.add_argument("--json", metavar="FILE", help="write JSON there; - for standard output")
    parser.add_argument(
        "--markdown", action="store_true", help="print the README's tables instead of the text"
    )
    parser.add_argument("--scale", type=float, default=1.0, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def _measure(row: Row, bench: Bench) -> Measured:
    start = time.perf_counter()
    try:
        measured = Measured(row, row.measure(bench))
    except Exception as error:  # noqa: BLE001 - the other rows are still worth measuring
        traceback.print_exc()
        measured = Measured(row, None, f"{type(error).__name__}: {error}")
    _tell(f"{row.name}: {measured.verdict} ({time.perf_counter() - start:.1f} s)")
    return measured


def _print(options: argparse.Namespace, measured: list[Measured], grown: list[Growth]) -> None:
    if options.json == "-":
        return
    if options.markdown:
        if measured:
            print(markdown_table(measured, this_machine()))
        if grown:
            print(growth_markdown(grown))
        return
    if measured:
        print(text_table(measured))
        told = [(one.row.name, one.result.data) for one in measured if one.result]
        print("\n" + "\n".join(f"{name}: {data}" for name, data in told if data))
    if grown:
        print("\n" + growth_table(grown))


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
