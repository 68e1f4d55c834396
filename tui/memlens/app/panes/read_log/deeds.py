"""What can be done with the files of the read log; each deed waits for its own answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.app.outside import edit_outside
from memlens.app.panes.read_log.rows import label, numbered
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.widgets.texts import DiffLines
from memlens.engine.commands.reads import CompareRead, ForgetReads, LoadReads, RestoreReads
from memlens.engine.editor import NoEditorError
from memlens.engine.events.reads import JournalStep, ReadCompared, ReadsForgotten, ReadsRestored
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.panes.base import Pane
    from memlens.engine.reads.model import PathReads, ReadLog


class Comparing:
    """Shows what differs between what was read and what is there, or opens the editor there."""

    def __init__(self, pane: Pane, root: str) -> None:
        self._pane, self._root = pane, root
        self._to_edit: int | None = None
        pane.listen(ReadCompared, self._answered)

    def show(self, entry: PathReads) -> None:
        """Shows the difference; where there is none to show, says why."""
        self._pane.ask(CompareRead(path=entry.path, agent=entry.lane))

    def edit(self, entry: PathReads) -> None:
        """Opens the person's editor at the first line that differs, else at what was read."""
        if entry.state == "changed" and (entry.has_content or entry.evidence.hash_then):
            self._to_edit = self._pane.ask(CompareRead(path=entry.path, agent=entry.lane))
        else:
            self._edit(entry.path, entry.ranges[0].first if entry.ranges else 1)

    def _edit(self, path: str, line: int) -> None:
        try:
            edit_outside(self._pane.app, path, max(1, line))
        except NoEditorError as error:
            self._pane.app.notify(str(error), title="Editor", severity="warning", markup=False)
        self._pane.ask(LoadReads())

    def _answered(self, event: ReadCompared) -> None:
        if event.request == self._to_edit:
            self._to_edit = None
            self._edit(event.path, event.first_line)
            return
        app, name = self._pane.app, label(event.path, self._root)
        if not event.lines:
            text = event.problem or "What was read is what is there; nothing differs."
            app.notify(visible(text), title=visible(name), markup=False)
        elif self._pane.screen.is_current:
            source = "git, by its hash" if event.source == "git" else "the transcript"
            legend = f"- read, from {source}   + now"
            app.push_screen(Show(f"{name}: read → now", DiffLines(event.lines), legend=legend))


class Forgetting:
    """Forgets in memlens' own journal, and takes the last forgetting back."""

    def __init__(self, pane: Pane, root: str) -> None:
        self._pane, self._root = pane, root
        self._step: JournalStep | None = None
        pane.listen(ReadsForgotten, self._forgotten)
        pane.listen(ReadsRestored, self._restored)

    @property
    def can_restore(self) -> bool:
        """Whether there is a forgetting to take back."""
        return self._step is not None

    def forget(self, entry: PathReads) -> None:
        """Forgets one file; nobody is asked, for it can be taken back."""
        self._pane.ask(ForgetReads(path=entry.path, agent=entry.lane))

    def clear(self, log: ReadLog) -> None:
        """Forgets all, after asking."""

        def answer(yes: bool | None) -> None:
            if yes:
                self._pane.ask(ForgetReads())

        question = (
            f"Forget {numbered(len(log.paths), 'file')} that session {log.session.id[:13]} has "
            "read, in memlens' journal?\nA guarded agent must read each again before it writes. "
            "U takes it back."
        )
        self._pane.app.push_screen(Confirm(question, yes="Forget all", no="Keep"), answer)

    def restore(self) -> None:
        """Takes the last forgetting back."""
        if self._step is not None:
            self._pane.ask(RestoreReads(step=self._step))
            self._step = None

    def _forgotten(self, event: ReadsForgotten) -> None:
        self._step = event.step
        what = label(event.path, self._root) if event.path else numbered(event.count, "file")
        still = " Claude Code's transcript still tells of it." if event.still_told else ""
        self._say(f"{visible(what)}: forgotten. U takes it back.{still}")

    def _restored(self, event: ReadsRestored) -> None:
        self._say(f"{numbered(event.count, 'file')} as before.")

    def _say(self, text: str) -> None:
        self._pane.app.notify(text, title="Journal", markup=False)
