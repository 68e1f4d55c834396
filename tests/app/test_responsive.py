"""Nothing that a person does holds up the screen, also where there is much of everything.

Every action of the registry is done by its key, on 10,000 facts and a prompt of two megabytes, and
every step of the loop is looked at.

Measured times decide little in a normal run: it fails at five times a promise.
`MEMLENS_TIMES=strict pytest tests/app/test_responsive.py`, on a quiet machine, holds the promises.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import pytest
from textual.pilot import Pilot

from memlens.app.actions import ACTIONS, BY_NAME
from memlens.app.app import MemlensApp
from memlens.app.panes.prompt_preview.pane import PromptPreview
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.smooth import loop_first
from memlens.app.widgets.line_view import Growing, LineView
from memlens.engine.workspace import Workspace
from tests.app.large import LargeWorkspace
from tests.app.pilot import driven, loaded, make_app, opened, until
from tests.app.watchdog import Watchdog

STRICT: Final = os.environ.get("MEMLENS_TIMES") == "strict"
LEEWAY: Final = 1 if STRICT else 5
LONGEST: Final = 0.030 * LEEWAY
"""Processor seconds that a step of the loop may take."""
LONG: Final = 120.0
"""Seconds that the engine may work at most."""
TO_PAINT: Final = 0.050 * LEEWAY
"""Processor seconds from a key to its paint, for 19 keys of 20."""

_AWAY: Final = "hands the terminal to another program"
_FIELD: Final = "the field itself takes its keys"
_CLASH: Final = "needs another hand on the same file, see test_memories_screens"
ELSEWHERE: Final = {
    "work.suspend": _AWAY, "tree.outside": _AWAY, "preview.outside": _AWAY,
    "editor.outside": _AWAY, "memories.external": _AWAY, "reads.edit": _AWAY,
    "review.outside": _AWAY,
    "app.quit": "ends the app",
    "editor.undo": _FIELD, "editor.redo": _FIELD,
    "form.next_field": _FIELD, "form.previous_field": _FIELD,
    "clash.mine": _CLASH, "clash.theirs": _CLASH, "clash.merge": _CLASH, "clash.back": _CLASH,
    "clash.wrap": _CLASH,
}  # fmt: skip
"""Actions that are not walked, and why."""

BACK: Final = "~"
"""Back to the workspace, out of whatever is open."""
ALL: Final = "…"
"""Wait also for what the engine does for long, beside everything else."""
WALK: Final = (
    ("moving in the tree", "1 j j k G g pagedown pageup ctrl+d ctrl+u L H"),
    ("folding", "tree.fold_all tree.fold_all tree.toggle tree.close tree.open tree.notes"),
    ("problems", "tree.problem tree.problem tree.problem_before"),
    ("what a session was told", "tree.told ~"),
    ("copying from the tree", "g tree.copy_path tree.copy_text tree.notes"),
    ("going to the prompt", "j j j tree.show"),
    ("touching from the tree", "1 tree.touch ~"),
    ("editing a file", "1 g j j tree.edit"),
    ("typing in the editor", "x y z enter ctrl+z editor.redo editor.undo"),
    ("what saving would change", "x editor.changes escape editor.save"),
    ("leaving the editor", "editor.close"),
    ("moving in the prompt", "2 j j k G g end home pagedown pageup ctrl+d ctrl+u"),
    ("sections", "preview.section preview.section preview.section_before"),
    ("searching the prompt", "preview.search t h e enter"),
    ("going through what was found", "preview.next preview.next preview.previous G preview.next"),
    ("ending the search", "preview.unsearch"),
    ("not wrapping", "preview.wrap G L L H preview.wrap"),
    ("copying from the prompt", "preview.copy preview.copy_line preview.save ~"),
    ("asking why", "preview.why w o r d s enter ~"),
    ("asking what a touch adds", "preview.touch a p i / x enter"),
    ("reading what a touch adds", "j G g n pagedown ~"),
    ("beginning a new session", "preview.new_session"),
    ("the difference to the last commit", "preview.compare down enter"),
    ("reading a difference", "show.next show.next show.previous show.wrap G g show.wrap ~"),
    ("editing from the prompt", "2 g j j preview.seen preview.edit escape preview.source"),
    ("editing a large file", "2 G { preview.edit ~"),
    ("moving in the facts", "3 j j k G g pagedown pageup ctrl+d ctrl+u"),
    ("searching the facts", "memories.search p o s t g r e s backspace backspace down up"),
    ("clearing the search", "memories.clear"),
    ("reading a fact", "memories.read j G ~"),
    ("editing a fact", "memories.edit h e l l o form.zoom form.zoom"),
    ("leaving with something unsaved", "form.close y"),
    ("saving a fact", "memories.edit x form.save"),
    ("taking it back", "3 app.undo"),
    ("a new fact", "memories.new a b c form.close y"),
    ("a copy of a fact", "memories.duplicate form.close y"),
    ("marking", "3 memories.mark memories.mark memories.mark_all memories.mark_all"),
    ("filtering", "memories.filter s h a r ~"),
    ("sorting", "memories.sort down enter"),
    ("sorting as before", "memories.sort enter"),
    ("renaming", "memories.rename ~ memories.tag ~ memories.move ~"),
    ("copying from a fact", "memories.copy_line memories.copy_path memories.copy_body"),
    ("deleting", "memories.delete y"),
    ("the trash", "memories.trash j trash.restore trash.close"),
    ("the log", "app.log j history.wrap history.wrap history.undo ~ app.log history.close"),
    ("duplicates", "memories.twins … j twins.both twins.merge ~"),
    ("keeping one of two", "3 memories.twins twins.first twins.undo twins.second twins.undo"),
    ("leaving duplicates", "twins.close"),
    ("facts out of use", "memories.stale … j G g stale.mark stale.mark stale.undo stale.close"),
    ("deleting what is out of use", "memories.stale stale.delete stale.undo stale.edit ~"),
    ("moving in the read state", "4 j j k G g pagedown pageup ctrl+d ctrl+u"),
    ("grouping and sorting", "reads.folders reads.folders reads.order reads.order reads.order"),
    ("problems alone", "reads.problems reads.problems"),
    ("filtering what was read", "reads.filter m o d 1 reads.leave reads.leave"),
    ("what differs", "g reads.compare"),
    ("reading what differs", "n n G g N show.leave"),
    ("why a write is refused", "reads.why ~ reads.session ~ reads.check ~"),
    ("copying from the read state", "reads.copy reads.copy_refusal reads.tree"),
    ("forgetting", "4 reads.forget y reads.restore reads.clear y reads.restore"),
    ("one pane alone", "2 app.zoom 1 app.zoom"),
    ("sharing the room", "app.wider app.narrower app.higher app.lower"),
    ("going round", "app.next app.next app.next app.next app.previous"),
    ("to each pane", "app.tree app.preview app.memories app.reads"),
    ("help", "app.help m e m ~"),
    ("all commands", "app.palette f a c t ~"),
    ("taking other colours", "app.theme down down enter"),
    ("taking the colours from before", "app.theme up up enter"),
    ("another agent", "app.agent ~ app.keep_agent"),
    ("comparing agents", "app.compare enter"),
    ("reading a comparison", "compare.next compare.next compare.previous compare.wrap G g j"),
    ("the other side", "compare.other_side G g compare.help escape compare.palette escape"),
    ("leaving the comparison", "compare.agents escape compare.leave"),
    ("reviewing", "app.review"),
    ("going through a review", "review.next review.next review.previous review.next_file"),
    ("its parts", "review.prompt G g review.findings j review.difference review.files"),
    ("whole texts", "review.difference review.context n n G review.context review.previous_file"),
    ("its rooms", "review.next_part review.previous_part review.open review.scope review.scope"),
    ("its dialogs", "review.help escape review.palette escape review.reload"),
    ("editing a staged text", "1 review.edit x staged.save"),
    ("leaving a staged text", "review.edit staged.close"),
    ("leaving the review", "review.leave ~"),
    ("accepting", "app.review review.accept ~"),
    ("rejecting", "app.review review.reject ~"),
    ("stopping", "app.review review.stop ~"),
    ("reading everything again", "app.reload"),
    ("cancelling where nothing is at work", "f8 f9"),
)  # fmt: skip


def as_run(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs the test on the loop that the program has, not on that of the other tests."""

    @wraps(test)
    def run(**fixtures: object) -> None:
        with asyncio.Runner(loop_factory=loop_first) as runner:
            runner.run(test(**fixtures))

    return run


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> LargeWorkspace:
    return LargeWorkspace(tmp_path_factory.mktemp("large"))


@pytest.fixture
def workspace(large: LargeWorkspace) -> Iterator[Workspace]:
    with large.opened() as workspace:
        yield workspace


class Person:
    """Presses keys, and waits until all they set off is done."""

    def __init__(self, pilot: Pilot[Any], watchdog: Watchdog) -> None:
        self.pilot: Final = pilot
        self.watchdog: Final = watchdog
        app = pilot.app
        assert isinstance(app, MemlensApp)
        self.app: Final = app

    async def walk(self, doing: str, words: str) -> None:
        """`words`: keys, and names of actions for their keys."""
        self.watchdog.doing = doing
        for word in words.split():
            if word == BACK:
                await self.back()
            elif word == ALL:
                await asyncio.to_thread(self.app.engine.drain, LONG)
                await self.settle()
            else:
                await self.pilot.press(BY_NAME[word].keys[0] if "." in word else word)
                await self.settle()
        self.watchdog.measure()

    async def back(self) -> None:
        """Leaves whatever is open, and loses what is not saved."""
        for _ in range(8):
            await self.settle()
            pane = self.app.screen.query("Pane.-editing")
            if isinstance(self.app.screen, WorkspaceScreen) and not pane:
                return
            confirming = self.app.screen.query("#yes")
            await self.pilot.press("y" if confirming else "escape")
        raise AssertionError(f"{self.app.screen} does not close")

    async def settle(self) -> None:
        """Waits until the engine has answered and the screen has shown it."""
        deadline = asyncio.get_running_loop().time() + LONG
        while not self._settled():
            assert asyncio.get_running_loop().time() < deadline, self.watchdog.doing
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    def _settled(self) -> bool:
        views = [view.lines for view in self.app.screen.query(LineView)]
        growing = any(isinstance(one, Growing) and not one.complete for one in views)
        lanes = self.app.engine._lanes.items()
        return not growing and all(lane.idle_by(0) for name, lane in lanes if name != "curation")


@asynccontextmanager
async def watched(workspace: Workspace) -> AsyncIterator[Person]:
    """The app on `workspace`, with everything loaded, under the eyes of a watchdog."""
    app = make_app(workspace, live=True)
    with Watchdog() as watchdog:
        async with driven(app, waits_for_engine=False) as pilot:
            person = Person(pilot, watchdog)
            await until(pilot, lambda: watchdog.painted)
            watchdog.doing = "loading"
            await loaded(pilot)
            await person.settle()
            yield person
            watchdog.doing = "ending"


def judge(watchdog: Watchdog) -> None:
    """No step was too long, but for those that make the app and take it apart."""
    late = [
        step for step in watchdog.worst(40)
        if step.seconds > watchdog.slowness * LONGEST and step.doing not in ("starting", "ending")
    ]  # fmt: skip
    told = "\n".join(map(str, late))
    assert not late, f"on a machine {watchdog.slowness:.1f} times slower:\n{told}"


@as_run
async def test_no_action_holds_up_the_screen(workspace: Workspace) -> None:
    async with watched(workspace) as person:
        for doing, words in WALK:
            await person.walk(doing, words)
        left_out = {action.name for action in ACTIONS} - person.watchdog.done
        assert left_out <= ELSEWHERE.keys()
    judge(person.watchdog)


@as_run
async def test_what_comes_from_outside_holds_up_nothing(
    workspace: Workspace, large: LargeWorkspace
) -> None:
    async with watched(workspace) as person:
        pilot = person.pilot
        preview = person.app.screen.query_one(PromptPreview)
        for size in ((90, 30), (130, 40), (70, 24), (50, 15), (120, 36)):
            person.watchdog.doing = f"taking another size: {size}"
            await pilot.resize_terminal(*size)
            await person.settle()
        await person.walk("going to the prompt", "2 G")
        text = large.handbook.read_text()
        middle = len(text) // 2
        for number in range(3):
            person.watchdog.doing = "following a large file"
            changed = f"new {number}\n{text[:middle]}\nchanged {number}\n{text[middle:]}"
            large.handbook.write_text(changed)
            await until(
                pilot,
                lambda: f"changed {number}" in str(preview.snapshot and preview.snapshot.plan.text),  # noqa: B023
            )
            await person.settle()
            await until(pilot, lambda: "changed" in str(preview.border_subtitle))
        await person.walk("going to changes", "preview.next preview.next preview.previous")
        await person.walk("the difference to the last look", "preview.compare enter n n ~")
        person.watchdog.doing = "following many facts"
        facts = person.app.screen.query_one("#memory-results", LineView)
        before = facts.lines.count(80)
        for number in range(200):
            Path(os.environ["MERMAID_DATA_DIR"], "memory", f"more-{number}.md").write_text(
                f"---\nname: more {number}\ndescription: one more\n---\n\nbody\n"
            )
        await until(pilot, lambda: facts.lines.count(80) == before + 200)
        await person.settle()
    judge(person.watchdog)


@as_run
async def test_keys_are_painted_soon(demo: Workspace) -> None:
    """All that the loop does between a key and its paint, on the demo."""
    keys = [
        *"1jjjjkkG", "g", *"jj", "space", "space", *"2jjjjjjkkk", "pagedown", "pageup", *"Gg",
        "slash", *"money", "enter", *"nnN", "escape", *"3jjjjkkk", "slash", *"sandbox",
        *["backspace"] * 7, "escape", *"4jjjkk", *"zz", "tab", "tab", "tab", "tab", "question_mark",
        *"mem", "escape", "t", *"src", "escape", "ctrl+t", "down", "escape", "plus", "minus",
    ]  # fmt: skip
    times: list[float] = []
    async with opened(demo) as pilot:
        with Watchdog() as watchdog:
            for _ in range(2):
                for key in keys:
                    before, watchdog.painted_at = watchdog.total, 0.0
                    await pilot.press(key)
                    if watchdog.painted_at:
                        times.append(watchdog.painted_at - before)
                    watchdog.measure()
                    await asyncio.to_thread(pilot.app.engine.drain, 5)  # type: ignore[attr-defined]
                    await pilot.pause()
    assert len(times) > 100
    p95 = quantiles(times, n=20)[-1]
    assert p95 <= TO_PAINT * watchdog.slowness
