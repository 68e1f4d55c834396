"""Opening and saving files as the screen does: through the read state, and to be undone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine import (
    CompletePath,
    Engine,
    EngineError,
    Event,
    FileClashed,
    FileOpened,
    FileRefused,
    FileSaved,
    OpenFile,
    PathCompleted,
    ReadText,
    SaveFile,
    SaveText,
    TextNotSaved,
    TextRead,
    TextSaved,
    open_workspace,
)
from memlens.engine.durable.journal import undo
from memlens.engine.reads.texts import MODIFIED

E = TypeVar("E", bound=Event)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(open_workspace(root)) as engine:
        yield engine


def opened(engine: Engine, path: Path) -> FileOpened:
    return engine.ask(
        OpenFile(request=engine.next_request(), path=str(path)), FileOpened, timeout=60
    )


def save(engine: Engine, path: Path, text: str, kind: type[E], *, keep_mine: bool = False) -> E:
    return engine.ask(
        SaveFile(
            request=engine.next_request(), path=str(path), text=text, keep_mine=keep_mine
        ),
        kind,
        timeout=60,
    )  # fmt: skip


def test_what_is_saved_is_what_was_typed_and_can_be_undone(engine: Engine, root: Path) -> None:
    path = root / "CLAUDE.md"
    path.write_text("one\n")
    path.chmod(0o640)
    text = opened(engine, path).text
    saved = save(engine, path, text + "two", FileSaved)
    assert (path.read_text(), saved.bytes, saved.text) == ("one\ntwo", 7, "one\ntwo")
    assert path.stat().st_mode & 0o777 == 0o640
    again = save(engine, path, "three", FileSaved)
    assert path.read_text() == "three"
    undo(None, again.undo_id)
    assert path.read_text() == "one\ntwo"
    undo(None, saved.undo_id)
    assert path.read_text() == "one\n"


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=60).filter(lambda data: b"\0" not in data))
def test_bytes_that_nobody_edited_stay(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("bytes")
    path = root / "x.md"
    path.write_bytes(data)
    with Engine(open_workspace(root)) as engine:
        text = opened(engine, path).text
        save(engine, path, text + "!", FileSaved)
    assert path.read_bytes() == data + b"!"


def test_bom_and_mixed_line_ends_stay(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    data = b"\xef\xbb\xbfa\r\nb\nc\rd\xff"
    path.write_bytes(data)
    event = opened(engine, path)
    assert (event.bom, event.text) == (True, "a\r\nb\nc\rd\udcff")
    save(engine, path, event.text.replace("b", "B"), FileSaved)
    assert path.read_bytes() == data.replace(b"b", b"B")


def test_nothing_to_write_leaves_nothing_to_undo(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("same")
    before = path.stat()
    assert save(engine, path, opened(engine, path).text, FileSaved).undo_id == ""
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_a_file_that_changed_meanwhile_is_not_overwritten(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("one\n")
    opened(engine, path)
    path.write_text("theirs\n")
    clash = save(engine, path, "mine\n", FileClashed)
    assert (clash.problem, clash.theirs, clash.mine) == (MODIFIED, "theirs\n", "mine\n")
    assert [(line.kind, line.text) for line in clash.difference] == [
        ("removed", "theirs"), ("added", "mine"),
    ]  # fmt: skip
    # A person who goes on and saves again has not agreed to anything.
    assert save(engine, path, "mine\n", FileClashed).theirs == "theirs\n"
    # Nor to what comes behind what was shown.
    path.write_text("theirs again\n")
    clash = save(engine, path, "mine\n", FileClashed, keep_mine=True)
    assert (clash.theirs, path.read_text()) == ("theirs again\n", "theirs again\n")
    saved = save(engine, path, "mine\n", FileSaved, keep_mine=True)
    assert path.read_text() == "mine\n"
    undo(None, saved.undo_id)
    assert path.read_text() == "theirs again\n"


def test_reloading_is_opening_again(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("one\n")
    opened(engine, path)
    path.write_text("theirs\n")
    save(engine, path, "mine\n", FileClashed)
    assert opened(engine, path).text == "theirs\n"
    save(engine, path, "theirs, and mine\n", FileSaved)


def test_a_file_that_went_meanwhile_is_made_again(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("one\n")
    opened(engine, path)
    path.unlink()
    save(engine, path, "mine\n", FileSaved)
    assert path.read_text() == "mine\n"


def test_a_file_that_became_a_folder_is_told(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("one\n")
    opened(engine, path)
    path.unlink()
    path.mkdir()
    assert save(engine, path, "mine\n", FileClashed).theirs is None
    assert save(engine, path, "mine\n", FileClashed, keep_mine=True).theirs is None
    assert path.is_dir()


def test_a_new_file_is_made_but_over_nothing(engine: Engine, root: Path) -> None:
    path = root / "new.md"
    assert opened(engine, path).new
    save(engine, path, "new\n", FileSaved)
    assert path.read_text() == "new\n"
    other = root / "other.md"
    assert opened(engine, other).new
    other.write_text("somebody was quicker")
    assert save(engine, other, "mine", FileClashed).theirs == "somebody was quicker"


def test_a_link_is_followed(engine: Engine, root: Path) -> None:
    target = root / "target.md"
    target.write_text("one")
    (root / "link.md").symlink_to("target.md")
    save(engine, root / "link.md", opened(engine, root / "link.md").text + "!", FileSaved)
    assert (root / "link.md").is_symlink()
    assert target.read_text() == "one!"


def test_what_the_editor_does_not_take(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    for data, word in (
        (b"x" * 65537, "64 kB"), (b"a\0b", "binary"), ("a".encode("utf-16"), "is UTF-16"),
    ):  # fmt: skip
        path.write_bytes(data)
        refused = engine.ask(
            OpenFile(request=engine.next_request(), path=str(path), line=3), FileRefused
        )
        assert word in refused.reason
        assert refused.line == 3
    (root / "folder").mkdir()
    (root / "dangling").symlink_to("nothing")
    os.mkfifo(root / "fifo")
    for name in ("folder", "dangling", "fifo"):
        with pytest.raises(EngineError):
            opened(engine, root / name)


def test_read_only_saves_nothing(root: Path) -> None:
    path = root / "x.md"
    path.write_text("one")
    with Engine(open_workspace(root, read_only=True)) as engine:
        assert "--read-only" in opened(engine, path).read_only
        with pytest.raises(EngineError, match="nothing can be written"):
            save(engine, path, "two", FileSaved)
        with pytest.raises(EngineError, match="nothing can be written"):
            engine.ask(SaveText(request=engine.next_request(), path="p.txt", text="t"), TextSaved)
    assert path.read_text() == "one"
    assert not (root / "p.txt").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_permissions_are_told_before_typing(engine: Engine, root: Path) -> None:
    path = root / "x.md"
    path.write_text("one")
    path.chmod(0o444)
    assert "permission" in opened(engine, path).read_only


def test_a_missing_folder_is_told_before_typing(engine: Engine, root: Path) -> None:
    assert "folder" in opened(engine, root / "no" / "x.md").read_only


def test_a_text_is_saved_exactly_and_over_nothing(engine: Engine, root: Path) -> None:
    text = "a\r\nb\x1b \ufffd\udcff"

    def ask(kind: type[E], *, replace: bool = False) -> E:
        return engine.ask(
            SaveText(
                request=engine.next_request(), path="out/p.txt", text=text, replace=replace
            ),
            kind,
        )  # fmt: skip

    with pytest.raises(EngineError, match="no such folder"):
        ask(TextSaved)
    (root / "out").mkdir()
    assert ask(TextSaved).path == str(root / "out" / "p.txt")
    assert (root / "out" / "p.txt").read_bytes() == text.encode("utf-8", "surrogateescape")
    (root / "out" / "p.txt").write_text("precious")
    assert ask(TextNotSaved).replaceable
    assert (root / "out" / "p.txt").read_text() == "precious"
    ask(TextSaved, replace=True)
    undo()
    assert (root / "out" / "p.txt").read_text() == "precious"
    (root / "out" / "p.txt").unlink()
    (root / "out" / "p.txt").mkdir()
    assert not ask(TextNotSaved).replaceable


def test_paths_are_completed_from_the_folder(engine: Engine, root: Path) -> None:
    for name in ("src/a.py", "src/b.py", "src/sub/c.py", "setup.py", ".git/x", ".hidden"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    (root / "odd\x1bname").write_text("")

    def completed(typed: str) -> tuple[str, ...]:
        command = CompletePath(request=engine.next_request(), typed=typed)
        return engine.ask(command, PathCompleted).paths

    assert completed("s") == ("src/", "setup.py")
    assert completed("src/") == ("src/sub/", "src/a.py", "src/b.py")
    assert completed("src/a") == ("src/a.py",)
    assert completed("o") == ("odd\x1bname",)
    assert completed(".h") == (".hidden",)
    assert completed("nowhere/x") == ()
    assert completed(f"{root}/set") == (f"{root}/setup.py",)
    assert ".git/" not in completed(".g")


def test_text_is_read_for_the_clipboard(engine: Engine, root: Path) -> None:
    (root / "x.md").write_bytes(b"\xef\xbb\xbfa\xff")
    command = ReadText(request=engine.next_request(), path=str(root / "x.md"))
    assert engine.ask(command, TextRead).text == "a\ufffd"


def test_nothing_hangs_on_a_fifo(engine: Engine, root: Path) -> None:
    os.mkfifo(root / "fifo")
    with pytest.raises(EngineError):
        engine.ask(
            ReadText(request=engine.next_request(), path=str(root / "fifo")), TextRead, timeout=60
        )


def test_two_engines_never_lose_a_text(root: Path) -> None:
    """Of two people who save at once, one is told."""
    path = root / "x.md"
    path.write_text("base")
    outcomes: list[str] = []

    def person(name: str, engine: Engine, ready: Callable[[], object]) -> None:
        opened(engine, path)
        ready()
        request = engine.next_request()
        try:
            event = engine.ask(
                SaveFile(request=request, path=str(path), text=name), Event, timeout=60
            )
        except EngineError as error:
            outcomes.append(f"failed: {error}")
        else:
            outcomes.append(type(event).__name__)

    barrier = threading.Barrier(2)
    with Engine(open_workspace(root)) as first, Engine(open_workspace(root)) as second:
        threads = [
            threading.Thread(target=person, args=(name, engine, barrier.wait))
            for name, engine in (("A", first), ("B", second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(outcome == "FileSaved" for outcome in outcomes) == 1, outcomes
