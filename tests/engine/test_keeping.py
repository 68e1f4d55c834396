"""Unsaved text and views outlive the process that kept them, and nothing broken stops anybody."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memlens.engine import Engine, open_workspace
from memlens.engine.commands.keeping import DropDraft, KeepDraft, KeepView, LoadKept
from memlens.engine.events.base import Event, Failed
from memlens.engine.events.keeping import DraftKept, DraftRefused, KeptLoaded
from memlens.engine.keeping import Draft, Keeper

DRAFT = Draft("fact", "/facts/a.md", {"name": "a\ud800", "body": "x\x1b\n"})


def kept_by_another(state: Path, root: str = "/w") -> None:
    """Keeps a draft in a process that is over when this returns."""
    program = (
        "import sys\n"
        "from memlens.engine.keeping import Draft, Keeper\n"
        "Keeper(*sys.argv[1:]).keep_draft(\n"
        "    Draft('fact', '/facts/a.md', {'name': 'a\\ud800', 'body': 'x\\x1b\\n'}, 5.0))\n"
    )
    subprocess.run([sys.executable, "-c", program, str(state), root], check=True)


def test_unsaved_text_of_a_dead_process_is_found(tmp_path: Path) -> None:
    kept_by_another(tmp_path)
    keeper = Keeper(str(tmp_path), "/w")
    (draft,) = keeper.drafts()
    assert (draft.kind, draft.path, dict(draft.fields)) == ("fact", "/facts/a.md", DRAFT.fields)
    assert draft.time == 5.0
    assert Keeper(str(tmp_path), "/other").drafts() == ()
    keeper.drop_draft(draft.kind, draft.path, draft.pid)
    assert keeper.drafts() == ()


def test_the_text_of_a_living_process_is_its_own(tmp_path: Path) -> None:
    keeper = Keeper(str(tmp_path), "/w")
    keeper.keep_draft(DRAFT)
    (kept,) = tmp_path.rglob("draft-*.json")
    values = json.loads(kept.read_text())
    values["pid"] = os.getppid()
    kept.write_text(json.dumps(values))
    assert keeper.drafts() == ()


def test_only_the_person_can_read_it(tmp_path: Path) -> None:
    Keeper(str(tmp_path / "state"), "/w").keep_draft(DRAFT)
    for path in (tmp_path / "state").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_views_are_kept_for_each_folder(tmp_path: Path) -> None:
    Keeper(str(tmp_path), "/w").keep_view({"pane": "reads", "sizes": [4, 5]})
    assert Keeper(str(tmp_path), "/w").view() == {"pane": "reads", "sizes": [4, 5]}
    assert Keeper(str(tmp_path), "/v").view() == {}


def test_broken_files_are_left_out(tmp_path: Path) -> None:
    keeper = Keeper(str(tmp_path), "/w")
    keeper.keep_view({"a": 1})
    (folder,) = (tmp_path / "folders").iterdir()
    for text in ("", "[]", "{", '{"schema": 2}', '{"schema": 1, "view": 3}', "[" * 100_000):
        (folder / "view.json").write_text(text)
        assert keeper.view() == {}
        (folder / "draft-x.json").write_text(text.replace("view", "kind"))
        assert keeper.drafts() == ()
    (folder / "draft-x.json").unlink()
    os.mkfifo(folder / "draft-x.json")
    assert keeper.drafts() == ()


def test_without_a_place_nothing_is_kept_and_nothing_fails() -> None:
    keeper = Keeper("", "/w")
    keeper.keep_draft(DRAFT)
    keeper.drop_draft("fact", "/facts/a.md")
    keeper.keep_view({})
    assert keeper.drafts() == ()
    assert keeper.view() == {}


def test_through_the_engine(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path)
    kept_by_another(Path(workspace.state_dir), workspace.root)
    with Engine(workspace) as engine:
        engine.bus.publish(KeepView(values={"pane": "tree"}))
        kept = engine.ask(LoadKept(request=1), KeptLoaded)
        assert kept.view == {"pane": "tree"}
        (draft,) = kept.drafts
        engine.bus.publish(KeepDraft(draft=DRAFT))
        engine.bus.publish(DropDraft(kind=draft.kind, path=draft.path, pid=draft.pid))
        assert [one.pid for one in engine.ask(LoadKept(request=2), KeptLoaded).drafts] == [
            os.getpid()
        ]


def test_a_full_disk_is_told_once_and_again_after_it_was_not_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = iter((True, True, False, True))

    def keep(self: Keeper, draft: Draft) -> None:
        if next(states):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Keeper, "keep_draft", keep)
    told: list[Failed] = []
    with Engine(open_workspace(tmp_path)) as engine:
        engine.bus.subscribe(Failed, told.append)
        for _ in range(4):
            engine.bus.publish(KeepDraft(draft=DRAFT))
            assert engine.drain(20)
    assert [event.why for event in told] == [
        "what you write would not outlive a crash: the disk is full"
    ] * 2
    assert told[0].hint == "Save it, or make room on the disk: then it is kept by itself."


def test_texts_that_are_refused_are_told_as_one_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = True

    def keep(self: Keeper, draft: Draft) -> None:
        if full and draft.kind != "file":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Keeper, "keep_draft", keep)
    drafts = [Draft("file", "/small"), Draft("fact", "/one"), Draft("fact", "/two")]
    told: list[Event] = []
    with Engine(open_workspace(tmp_path)) as engine:
        for kind in (Failed, DraftKept, DraftRefused):
            engine.bus.subscribe(kind, told.append)

        def keep_all() -> list[tuple[str, object]]:
            told.clear()
            for draft in drafts:
                engine.bus.publish(KeepDraft(draft=draft))
            assert engine.drain(20)
            return [(type(one).__name__, getattr(one, "again", "")) for one in told]

        kept, refused = ("DraftKept", False), ("DraftRefused", "")
        assert keep_all() == [kept, refused, ("Failed", ""), refused]
        assert keep_all() == [kept, refused, refused]
        full = False
        assert keep_all() == [kept, kept, ("DraftKept", True)]
        assert keep_all() == [kept, kept, kept]
        full = True
        assert keep_all() == [kept, refused, ("Failed", ""), refused]
        for draft in drafts:
            engine.bus.publish(DropDraft(kind=draft.kind, path=draft.path))
        full = False
        assert keep_all() == [kept, kept, kept]
