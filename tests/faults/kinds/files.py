"""Memory files, through the handler behind the editor; texts put into files."""

from __future__ import annotations

from pathlib import Path

from memlens.engine import (
    Engine,
    Event,
    FileOpened,
    FileSaved,
    OpenFile,
    SaveFile,
    SaveText,
    TextSaved,
    open_workspace,
)
from memlens.engine.durable import history
from tests.faults.kinds.base import Kind, Step
from tests.faults.place import body, number_of


class OfFiles(Kind):
    def targets(self) -> list[Path]:
        return [self.file]

    @property
    def file(self) -> Path:
        return self.place.root / "CLAUDE.md"

    def prepare(self) -> None:
        self.file.write_text(body(0))
        self.file.chmod(0o640)

    def check(self, done: int, begun: int) -> int:
        now = number_of(self.file.read_text())
        assert done <= now <= begun
        assert self.file.stat().st_mode & 0o777 == 0o640
        kept = list((self.place.data / "trash").glob("[0-9]*"))
        assert len(history(None)) == len(kept), "an operation that cannot be read"
        for copy in (self.place.data / "trash").glob("[0-9]*/*CLAUDE.md"):
            number_of(copy.read_text())
        return now


class EditedFile(OfFiles):
    title = "a memory file, saved in the editor"

    def begin(self) -> Step:
        engine = Engine(open_workspace(self.place.root))
        engine.start()
        path = str(self.file)
        engine.ask(OpenFile(request=engine.next_request(), path=path), FileOpened, timeout=30)

        def step(number: int) -> None:
            command = SaveFile(request=engine.next_request(), path=path, text=body(number))
            if not isinstance(answer := engine.ask(command, Event, timeout=30), FileSaved):
                raise RuntimeError(f"not saved: {type(answer).__name__}")

        return step


class TextInFile(OfFiles):
    title = "the prompt, put into a file"

    def begin(self) -> Step:
        engine = Engine(open_workspace(self.place.root))
        engine.start()
        path = str(self.file)

        def step(number: int) -> None:
            command = SaveText(
                request=engine.next_request(), path=path, text=body(number), replace=True
            )
            if not isinstance(answer := engine.ask(command, Event, timeout=30), TextSaved):
                raise RuntimeError(f"not saved: {type(answer).__name__}")

        return step
