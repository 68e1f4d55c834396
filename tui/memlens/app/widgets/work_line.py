"""What takes long, in the corner of whatever screen is on top; a click ends it."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.engine.visible import visible


class WorkLine(Static):
    """One line over the right end of a screen's first line. It takes no room from anything."""

    _cells = 0
    """How wide it is told to be."""

    class Clicked(Message):
        """A person wants it to end."""

    def say(self, doing: str, key: str, others: int) -> None:
        """Shows what is being done, the key that ends it (none: it is ending), and how much else
        goes on."""
        more = f" +{others}" if others else ""
        said = Content.assemble(
            " ◌ ", visible(doing), (more, "$text-muted"), "  " if key else " ",
            (key, "bold $accent"), (" cancels " if key else "", "$text-muted"),
        )  # fmt: skip
        # Ten times in a second it tells something else, and mostly in as many cells as before: the
        # screen is not to be laid out and drawn as a whole each time.
        self.update(said, layout=said.cell_length != self._cells)
        self._cells = said.cell_length
        self.display = True

    def on_click(self) -> None:
        self.post_message(self.Clicked())
