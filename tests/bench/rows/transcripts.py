"""From the transcript of a long session to what was read in it."""

from __future__ import annotations

from typing import Final

from memlens.engine.reads import ReadLog, Session, read_log
from tests.bench.bench import Bench, Row
from tests.bench.making.transcripts import CONTENT, TranscriptFile
from tests.bench.measure import Result, race, timed


def logged(transcript: TranscriptFile) -> ReadLog:
    """The whole log, against the files on disk."""
    session = Session(
        id="session", source="transcript", folder=str(transcript.folder),
        file=str(transcript.file), started=0.0, last=0.0, reads=-1, agent="claude", title="",
    )  # fmt: skip
    log = read_log(session)
    assert log.paths
    assert not log.skipped
    return log


def reading(bench: Bench) -> Result:
    transcript = bench.transcript
    return race(
        lambda: timed(transcript.count_lines),
        lambda: timed(lambda: logged(transcript)),
        bench.rounds(5, 3),
        f"{transcript.bytes / 1e6:.0f} MB: {CONTENT}",
    )


ROWS: Final = (
    Row(
        "transcript", "a transcript of 200 MB to a read log",
        "reading the file and counting its lines", 8, "×", reading,
    ),
)  # fmt: skip
