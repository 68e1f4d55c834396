"""What was done to facts, told in a few words; the cursor goes where it was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from memlens.app.words import at_home
from memlens.engine.events.memory_changes import (
    EditAdopted,
    MemoriesChanged,
    MemoryClashed,
    MemorySaved,
    MemoryUndone,
)
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlens.app.app import MemlensApp
    from memlens.app.panes.base import Pane


class FactNews:
    """Tells on behalf of a pane."""

    def __init__(
        self, pane: Pane, *, go_to: Callable[[str], None], forget_marks: Callable[[], None]
    ) -> None:
        """`go_to`: puts the cursor on the fact with a path, as soon as it is listed."""
        self._pane: Final = pane
        self._go_to: Final = go_to
        self._forget_marks: Final = forget_marks
        self.renaming = 0
        """The request of the last renaming; 0: none."""
        pane.listen(MemorySaved, self._saved)
        pane.listen(MemoriesChanged, self._changed)
        pane.listen(MemoryUndone, self._undone)
        pane.listen(EditAdopted, self._adopted)
        pane.listen(MemoryClashed, self._clashed)

    def _tell(self, title: str, *lines: str, warn: bool = False) -> None:
        """Each line may hold names from disks, with line ends of their own."""
        self._pane.app.notify(
            "\n".join(map(visible, lines)), title=title,
            severity="warning" if warn else "information", markup=False,
        )  # fmt: skip

    def _saved(self, event: MemorySaved) -> None:
        if not event.undo_id:
            self._tell("Saved", f"{event.name} is as it was.")
            return
        home = cast("MemlensApp", self._pane.app).workspace.home
        lines = [f"{event.name} is saved in", f"{at_home(event.path, home)}."]
        if event.redacted:
            number = len(event.redacted)
            lines.append(f"{number} secret{'s' if number > 1 else ''} became [REDACTED].")
        if event.committed:
            lines.append("It is part of the repository.")
        self._tell("Saved", *lines)
        self._go_to(event.path)

    def _changed(self, event: MemoriesChanged) -> None:
        self._forget_marks()
        lines = [f"{event.title}." + (" u takes it back." if event.undo_id else "")]
        if event.failed:
            lines.append(f"The rest stays: {event.failed}")
        self._tell("Done", *lines, warn=bool(event.failed))
        if event.paths and not event.title.startswith("deleted"):
            self._go_to(event.paths[0])

    def _undone(self, event: MemoryUndone) -> None:
        lines = [f"{event.title}: taken back."]
        if event.left:
            lines.append(f"{event.left[:1].upper()}{event.left[1:]}.")
        self._tell("Undone", *lines, warn=bool(event.left))
        if event.restored:
            self._go_to(event.restored[0])

    def _adopted(self, event: EditAdopted) -> None:
        if event.gone:
            self._tell("Gone", f"{event.name} was deleted. u brings it back.", warn=True)
        elif not event.changed:
            self._tell("Unchanged", f"{event.name} is as it was.")
        else:
            lines = [f"{event.name} was changed. u takes it back."]
            lines += [f"{finding.name}: {finding.message}" for finding in event.findings]
            self._tell("Changed", *lines, warn=bool(event.findings))

    def _clashed(self, event: MemoryClashed) -> None:
        if self.renaming and event.request == self.renaming:
            self._tell("Not renamed", event.problem, warn=True)
