"""The harness of the measured floors, on tiny data: it measures, compares, prints, cleans up."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import pytest

from tests.bench.__main__ import main
from tests.bench.bench import Bench, Row
from tests.bench.growth import Growth
from tests.bench.machine import this_machine
from tests.bench.making.facts import Facts
from tests.bench.making.memory_files import DeepFolders, MemoryFiles
from tests.bench.making.transcripts import TranscriptFile
from tests.bench.measure import (
    Cost,
    Result,
    compared,
    more_memory,
    percentile,
    race,
    timed,
    worst_of_twenty,
)
from tests.bench.processes import Failed, first_frame, surroundings, whole
from tests.bench.rows import ROWS
from tests.bench.rows.imports import resolved
from tests.bench.rows.transcripts import logged
from tests.bench.table import Measured, growth_markdown, growth_table, markdown_table, text_table


def row(promise: float | None = 2) -> Row:
    return Row("r", "a thing", "a floor", promise, "×", lambda _: Result(1, 1, 1, 1))


def result(value: float) -> Result:
    return Result(value, value, value, value)


def test_ratios_are_taken_pair_by_pair() -> None:
    floors = [Cost(1, 1), Cost(10, 1), Cost(2, 2)]
    subjects = [Cost(2, 3), Cost(30, 3), Cost(8, 6)]
    found = compared(floors, subjects)
    assert (found.value, found.floor, found.subject, found.by_cpu) == (3, 2, 8, 3)
    assert found.low <= found.value <= found.high


def test_who_begins_changes_with_every_round() -> None:
    ran: list[str] = []

    def run(name: str) -> Cost:
        ran.append(name)
        return Cost(1, 1)

    assert race(lambda: run("floor"), lambda: run("subject"), 2).samples == 2
    assert ran == ["floor", "subject", "floor", "subject", "subject", "floor"]


def test_percentiles_and_memory() -> None:
    assert percentile(range(1, 101), 95) == 95
    assert percentile([7], 95) == 7
    assert worst_of_twenty([0.001] * 99 + [1.0]).value == 1
    assert more_memory([10_000_000], [25_000_000]).value == 15
    assert timed(lambda: time.sleep(0.01)).wall >= 0.01


def test_only_five_times_a_promise_fails() -> None:
    verdicts = [Measured(row(), result(value)) for value in (2, 2.1, 10, 10.1)]
    assert [one.verdict for one in verdicts] == ["kept", "missed", "missed", "BROKEN"]
    assert [one.failed for one in verdicts] == [False, False, False, True]
    crashed = Measured(row(), None, "why")
    assert (crashed.verdict, crashed.failed) == ("crashed", True)
    told = Measured(row(None), result(100))
    assert (told.verdict, told.failed) == ("told", False)
    assert "| a floor | – | 100.00 × |" in markdown_table([told], this_machine())


def test_tables_name_everything() -> None:
    measured = [Measured(row(), result(1.5)), Measured(row(), None, "why")]
    text = text_table(measured)
    assert "1.50 ×" in text
    assert "crashed" in text
    markdown = markdown_table(measured, this_machine())
    assert "| a thing | a floor | ≤ 2 × | 1.50 × |" in markdown
    assert "CPython" in markdown or "PyPy" in markdown
    steps = (("10", 0.01), ("100", 0.1), ("1,000", 3.0))
    assert "NO" in growth_table([Growth("g", "grows", steps, (10, 100, 1000), "linear")])
    small = Growth("g", "grows", steps[:2], (10, 100), "linear")
    assert "yes" in growth_table([small])
    assert "| grows | 10: 10.0 ms | 100: 100.0 ms |  |  | n^1.00 |" in growth_markdown([small])


def test_what_is_constant_may_only_be_unsteady() -> None:
    steady = Growth(
        "g", "stays", (("10", 0.03), ("100", 0.04), ("1,000", 0.03)), (10, 100, 1000), "constant"
    )
    assert "yes" in steady.verdict
    grown = Growth("g", "grows", (("10", 0.03), ("100", 0.07)), (10, 100), "constant")
    assert "NO" in grown.verdict


def test_data_is_the_same_in_every_run(tmp_path: Path) -> None:
    def texts(name: str) -> list[bytes]:
        place = tmp_path / name
        facts = Facts(place / "facts", 100)
        tree = MemoryFiles(place / "tree", 30, 1000)
        return [path.read_bytes() for path in [*map(Path, facts.paths), *tree.paths]]

    def shape(data: bytes) -> bytes:
        return data.replace(str(tmp_path).encode(), b"")

    assert list(map(shape, texts("one"))) == list(map(shape, texts("other")))


def test_the_data_is_what_it_says(tmp_path: Path) -> None:
    facts = Facts(tmp_path / "facts", 100)
    assert len(facts.paths) == 100
    queries = facts.queries(50)
    assert len(queries) >= 50
    tree = MemoryFiles(tmp_path / "tree", 60, 1000)
    assert len(resolved(tree).items[0].imports) == 60
    deep = DeepFolders(tmp_path / "deep", 4, 8, 500)
    assert len(list(deep.root.parents)) >= 3
    transcript = TranscriptFile(tmp_path / "transcript", 300_000)
    assert transcript.file.stat().st_size == transcript.bytes >= 300_000
    log = logged(transcript)
    assert {path.coverage for path in log.paths} >= {"whole"}
    assert transcript.count_lines() > 10


def test_processes_are_run_to_the_end_or_said_to_have_failed(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "bench", scale=0.01)
    environment = surroundings(tmp_path / "around")
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert whole(bench.python("-c", "pass"), environment, tmp_path).wall > 0
    with pytest.raises(Failed, match="no such luck"):
        whole(bench.python("-c", "raise SystemExit('no such luck')"), environment, tmp_path)
    say = bench.python("-c", "print('here it is')")
    assert first_frame(say, environment, tmp_path, ["here", "it is"]).wall > 0
    with pytest.raises(Failed, match="no frame"):
        first_frame(say, environment, tmp_path, ["nowhere"])


@pytest.mark.slow
def test_a_run_on_tiny_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    wanted = ["load", "refresh", "search", "resolve", "change", "transcript", "hook"]
    words = [word for name in wanted for word in ("--only", name)]
    code = main(["--quick", "--scale", "0.005", *words, "--json", str(tmp_path / "out.json")])
    told = json.loads((tmp_path / "out.json").read_text())
    rows = {one["name"]: one for one in told["rows"]}
    assert set(rows) == set(wanted)
    assert all(one["error"] is None and one["result"]["value"] > 0 for one in rows.values())
    assert code in (0, 1)  # tiny data promises nothing
    assert "transcript" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_row_that_crashes_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(_: Bench) -> Result:
        raise RuntimeError("no such luck")

    module = "tests.bench.__main__"
    monkeypatch.setattr(f"{module}.ROWS", (Row("r", "", "", 1, "×", crash),))
    assert main(["--only", "r"]) == 1
    assert "no such luck" in capsys.readouterr().err


def test_each_row_has_a_name_of_its_own() -> None:
    names = [one.name for one in ROWS]
    assert len(set(names)) == len(names)
    assert {"first-paint", "prompt", "hook", "load", "refresh", "search", "typing"} <= set(names)
    assert {"resolve", "change", "transcript", "memory"} <= set(names)
