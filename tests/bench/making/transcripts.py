"""A transcript of a long session, written line by line: it may be larger than the memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.bench.making.words import Words

CONTENT: Final = (
    "of its bytes about 40 % are files that were read (each twice, as the answer and as the text "
    "for the model), 10 % edits with the original file, 40 % output of commands, the rest words, "
    "thoughts and progress; a step back and a compaction every ten megabytes"
)
_FILES: Final = 60
_START: Final = 1_750_000_000


class TranscriptFile:
    """A transcript of about `size` bytes, of a session in `place`/project."""

    def __init__(self, place: Path, size: int, seed: int = 17) -> None:
        self.folder: Final = place / "project"
        self.file: Final = place / "session.jsonl"
        source = self.folder / "src"
        source.mkdir(parents=True)
        self._words: Final = Words(seed)
        self._texts: Final = [
            self._words.code(self._words.random.choice((1500, 4000, 8000, 20_000)))
            for _ in range(_FILES)
        ]
        self._outputs: Final = [self._words.prose(n) for n in (200, 800, 3000, 9000, 15_000)]
        self._paths: Final = [str(source / f"module{number}.py") for number in range(_FILES)]
        for path, text in zip(self._paths, self._texts, strict=True):
            Path(path).write_text(text)
            os.utime(path, (_START - 100, _START - 100))
        self._parent: str | None = None
        self._number = 0
        self.bytes = 0
        with open(self.file, "wb") as out:
            for line in self._session(size):
                out.write(line)
                self.bytes += len(line)

    def count_lines(self) -> int:
        """The floor: reads the file in pieces and counts its line ends."""
        count = 0
        with open(self.file, "rb", buffering=0) as file:
            while piece := file.read(1 << 20):
                count += piece.count(b"\n")
        return count

    def _session(self, size: int) -> Iterator[bytes]:
        draw = self._words.random
        next_break = 10_000_000
        while self.bytes < size:
            if self.bytes > next_break:
                next_break += 10_000_000
                yield from self._break()
            kind = draw.random()
            if kind < 0.30:
                yield from self._read(draw.randrange(_FILES))
            elif kind < 0.42:
                yield from self._edit(draw.randrange(_FILES))
            elif kind < 0.80:
                yield from self._command()
            else:
                yield from self._talk()

    def _line(self, kind: str, *, parent: Any = ..., **more: Any) -> bytes:
        self._number += 1
        uuid = f"{self._number:08x}-0000-4000-8000-{self._number:012x}"
        moment = datetime.fromtimestamp(_START + self._number, UTC)
        values = {
            "parentUuid": self._parent if parent is ... else parent,
            "isSidechain": False, "userType": "external", "cwd": str(self.folder),
            "sessionId": "session", "version": "2.1.300", "gitBranch": "main", "type": kind,
            **more, "uuid": uuid, "timestamp": moment.isoformat(timespec="milliseconds"),
        }  # fmt: skip
        self._parent = uuid
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def _call(self, tool: str, asked: dict[str, Any]) -> tuple[bytes, str]:
        call = f"toolu_{self._number:08x}"
        item = {"type": "tool_use", "id": call, "name": tool, "input": asked}
        usage = {"input_tokens": 4, "cache_read_input_tokens": 91_733, "output_tokens": 121}
        message = {"model": "m", "role": "assistant", "content": [item], "usage": usage}
        return self._line("assistant", message=message), call

    def _result(self, call: str, text: str, answer: object) -> bytes:
        item = {"tool_use_id": call, "type": "tool_result", "content": text}
        message = {"role": "user", "content": [item]}
        return self._line("user", message=message, toolUseResult=answer)

    def _read(self, number: int) -> Iterator[bytes]:
        path, text = self._paths[number], self._texts[number]
        lines = text.split("\n")
        first, count = 1, len(lines)
        asked: dict[str, Any] = {"file_path": path}
        if self._words.random.random() < 0.3 and count > 40:
            first, count = 11, 30
            asked |= {"offset": first, "limit": count}
        shown = lines[first - 1 : first - 1 + count]
        line, call = self._call("Read", asked)
        yield line
        file = {
            "filePath": path, "content": "\n".join(shown), "numLines": count, "startLine": first,
            "totalLines": len(lines),
        }  # fmt: skip
        numbered = "\n".join(f"{first + at:6}→{one}" for at, one in enumerate(shown))
        yield self._result(call, numbered, {"type": "text", "file": file})

    def _edit(self, number: int) -> Iterator[bytes]:
        path, text = self._paths[number], self._texts[number]
        old = text[: text.index("\n")]
        asked = {"file_path": path, "old_string": old, "new_string": old + "  # seen"}
        line, call = self._call("Edit", asked)
        yield line
        patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-", "+"]}
        answer = {
            "filePath": path, "oldString": old, "newString": asked["new_string"],
            "originalFile": text, "structuredPatch": [patch], "userModified": False,
            "replaceAll": False,
        }  # fmt: skip
        yield self._result(call, f"The file {path} has been updated.", answer)

    def _command(self) -> Iterator[bytes]:
        line, call = self._call("Bash", {"command": "pytest -q", "description": "Run the tests"})
        yield line
        if self._words.random.random() < 0.3:
            yield self._line("progress", data={"type": "hook_progress"}, toolUseID=call)
        output = self._words.random.choice(self._outputs)
        answer = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        yield self._result(call, output, answer)

    def _talk(self) -> Iterator[bytes]:
        thought = {"type": "thinking", "thinking": self._outputs[1], "signature": "x" * 600}
        text = {"type": "text", "text": self._words.sentence(30)}
        for content in (thought, text):
            yield self._line("assistant", message={"role": "assistant", "content": [content]})
        question = {"role": "user", "content": self._words.sentence(12)}
        yield self._line("user", message=question)

    def _break(self) -> Iterator[bytes]:
        """A person goes back some steps, and later the context is compacted."""
        back = f"{self._number - 6:08x}-0000-4000-8000-{self._number - 6:012x}"
        question = {"role": "user", "content": self._words.sentence(12)}
        yield self._line("user", parent=back, message=question)
        yield self._line(
            "system", parent=None, subtype="compact_boundary", content="Conversation compacted",
            logicalParentUuid=self._parent,
        )  # fmt: skip
