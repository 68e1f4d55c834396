"""Writes transcripts as Claude Code does, for tests. All made up."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memlens.engine.places import slugs

START = 1_750_000_000.0


class Maker:
    """One transcript that is being written."""

    def __init__(self, path: Path, cwd: Path, *, spaced: bool = False, **common: Any) -> None:
        self.path = path
        self.cwd = cwd
        self.spaced = spaced
        self.common = common
        self.now = START
        self.number = 0
        self.parent: str | None = None
        self.calls = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def line(self, kind: str, *, parent: Any = ..., tail: Any = None, **more: Any) -> str:
        """Appends a line and returns its uuid."""
        self.number += 1
        self.now += 1
        uuid = f"{self.path.stem[:8]:x<8}-0000-4000-8000-{self.number:012x}"
        values = {
            "parentUuid": self.parent if parent is ... else parent,
            "isSidechain": False, "userType": "external", "cwd": str(self.cwd),
            "sessionId": self.path.stem, "version": "2.1.300", "gitBranch": "main", "type": kind,
            **more, "uuid": uuid,
            "timestamp": datetime.fromtimestamp(self.now, UTC).isoformat(timespec="milliseconds"),
            **(tail or {}), **self.common,
        }  # fmt: skip
        separators = (", ", ": ") if self.spaced else (",", ":")
        self.raw(json.dumps(values, separators=separators, ensure_ascii=False).encode() + b"\n")
        self.parent = uuid
        return uuid

    def raw(self, data: bytes) -> None:
        with self.path.open("ab") as out:
            out.write(data)

    def prompt(self, text: str = "do it", **more: Any) -> str:
        return self.line("user", message={"role": "user", "content": text}, **more)

    def says(self, text: str = "I will", **more: Any) -> str:
        content = [{"type": "text", "text": text}]
        return self.line("assistant", message={"role": "assistant", "content": content}, **more)

    def call(self, name: str, asked: dict[str, Any], **more: Any) -> str:
        """A call; returns its id."""
        self.calls += 1
        call = f"toolu_{self.path.stem[-6:]}_{self.calls}"
        content = [{"type": "tool_use", "id": call, "name": name, "input": asked}]
        self.line("assistant", message={"role": "assistant", "content": content}, **more)
        return call

    def result(self, call: str, answer: Any, text: Any = "ok", **more: Any) -> str:
        error = {"is_error": more.pop("is_error")} if "is_error" in more else {}
        item = {"type": "tool_result", "tool_use_id": call, "content": text, **error}
        tail = {} if answer is None else {"toolUseResult": answer}
        message = {"role": "user", "content": [item]}
        return self.line("user", message=message, tail=tail, **more)

    def attach(self, kind: str, **values: Any) -> str:
        return self.line("attachment", attachment={"type": kind, **values})

    def read(self, path: Any, text: str | None = None, **asked: Any) -> None:
        """A whole read, or a page with `offset` and `limit`, as new versions answer it."""
        if text is None:
            text = Path(path).read_bytes().decode("utf-8", "replace")
            text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        call = self.call("Read", {"file_path": str(path), **asked})
        lines = text.split("\n")
        first = asked.get("offset", 1)
        shown = lines[first - 1 : first - 1 + asked.get("limit", len(lines))]
        self.result(call, text_answer(path, "\n".join(shown), len(shown), first, len(lines)))

    def write(self, path: Any, text: str) -> None:
        call = self.call("Write", {"file_path": str(path), "content": text})
        answer = {"type": "create", "filePath": str(path), "content": text, "structuredPatch": []}
        self.result(call, answer)

    def edit(self, path: Any, original: str | None, old: str, new: str, **more: Any) -> None:
        call = self.call("Edit", {"file_path": str(path), "old_string": old, "new_string": new})
        answer = {
            "filePath": str(path), "oldString": old, "newString": new, "originalFile": original,
            "structuredPatch": [], "userModified": False, "replaceAll": False, **more,
        }  # fmt: skip
        self.result(call, answer)

    def compact(self) -> str:
        return self.line(
            "system", subtype="compact_boundary", content="Conversation compacted",
            tail={"logicalParentUuid": self.parent}, parent=None,
        )  # fmt: skip


def text_answer(path: Any, text: str, count: int, first: int, total: int) -> dict[str, Any]:
    file = {
        "filePath": str(path), "content": text, "numLines": count, "startLine": first,
        "totalLines": total,
    }  # fmt: skip
    return {"type": "text", "file": file}


def project(home: Path, cwd: Path) -> Path:
    """The transcript folder of `cwd`."""
    return home / "projects" / slugs(str(cwd))[0]


def put(path: Path, data: bytes | str, when: float = START - 1000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    os.utime(path, (when, when))
    return path
