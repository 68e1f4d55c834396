"""What scripts and hooks wait for: whole processes against an empty Python process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tests.bench.bench import Bench, Row
from tests.bench.making.memory_files import CONTENT, DeepFolders
from tests.bench.measure import Result, race
from tests.bench.processes import console_script, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LEVELS: Final = 20
_IMPORTS: Final = 200
_BYTES: Final = 1_000
_EMPTY: Final = "python -c pass"


def _race(
    bench: Bench, command: Sequence[str], folder: Path, data: str, given: Path | None = None
) -> Result:
    environment = bench.environment
    return race(
        lambda: whole(bench.python("-c", "pass"), environment, folder),
        lambda: whole(command, environment, folder, given),
        bench.rounds(31, 11),
        data,
    )


def prompt(bench: Bench, start: Sequence[str] | None = None) -> Result:
    deep = DeepFolders(bench.folder("deep"), _LEVELS, _IMPORTS, _BYTES)
    data = (
        f"{_LEVELS} levels, {_IMPORTS} imports, {deep.bytes / 1e6:.2f} MB in all, no facts: "
        + CONTENT
    )
    return _race(bench, (*(start or bench.python("-m", "memlens")), "prompt"), deep.root, data)


def hook(bench: Bench, start: Sequence[str] | None = None) -> Result:
    folder = bench.folder("hook")
    text = "\n".join(f"value_{number} = {number}" for number in range(120)) + "\n"
    path = folder / "module.py"
    path.write_text(text)
    file = {
        "filePath": str(path), "content": text, "numLines": 121, "startLine": 1, "totalLines": 121
    }  # fmt: skip
    call = {
        "session_id": "bench", "transcript_path": "", "cwd": str(folder),
        "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": str(path)}, "tool_response": {"type": "text", "file": file},
    }  # fmt: skip
    given = folder / "call.json"
    given.write_text(json.dumps(call))
    command = (*(start or bench.python("-m", "memlens")), "hook")
    data = "a call behind a whole read of 120 lines, journalled with its SHA-256"
    return _race(bench, command, folder, data, given)


def _rows() -> tuple[Row, ...]:
    rows = [
        Row(
            "prompt", f"`memlens prompt` on {_LEVELS} levels and {_IMPORTS} imports, whole process",
            _EMPTY, 4, "×", prompt,
        ),
        Row("hook", "`memlens hook`, whole process", _EMPTY, 3, "×", hook),
    ]  # fmt: skip
    script = console_script()
    if script is not None:
        rows += [
            Row(
                "prompt-script", "the same by the installed `memlens`", _EMPTY, 4, "×",
                lambda bench: prompt(bench, [script]),
            ),
            Row(
                "hook-script", "the same by the installed `memlens`", _EMPTY, 3, "×",
                lambda bench: hook(bench, [script]),
            ),
        ]  # fmt: skip
        rows = [rows[0], rows[2], rows[1], rows[3]]
    return tuple(rows)


ROWS: Final = _rows()
