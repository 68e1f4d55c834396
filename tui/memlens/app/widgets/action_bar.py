"""The footer: what works here and now, from the registry; a click does it."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, TextArea

from memlens.app.actions import ACTIONS, Action, key_sign
from memlens.app.hosting import ActionHost, hosts_from


class ActionBar(Widget):
    """One line of keys for the focused area, then for everywhere.

    An action that cannot run now stays, dimmed; doing it says why not.
    """

    COMPONENT_CLASSES = {"bar--key", "bar--title", "bar--off"}

    def __init__(self) -> None:
        super().__init__(id="action-bar")
        self._places: list[tuple[int, int, ActionHost, Action]] = []

    def on_mount(self) -> None:
        self.watch(self.screen, "focused", self._focus_moved)

    def _focus_moved(self) -> None:
        self.refresh()

    @property
    def _typing(self) -> bool:
        """Whether plain letters go into a text, so that they do nothing else."""
        return isinstance(self.screen.focused, Input | TextArea)

    def _offered(self) -> list[tuple[ActionHost, Action]]:
        hosts: Final = list(hosts_from(self.screen.focused or self.screen))
        return [
            (host, action)
            for host in hosts
            if not host.rests
            for action in ACTIONS
            if action.area == host.AREA and action.footer and self._key_of(action)
        ]

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        plain = self.rich_style
        key_style, title_style, off_style = (
            self.get_component_rich_style(f"bar--{name}") for name in ("key", "title", "off")
        )
        self._places = []
        segments: list[Segment] = []
        used = 0
        for host, action in self._offered() if y == 0 else ():
            sign, title = f" {key_sign(self._key_of(action))}", f" {action.title} "
            needed = cell_len(sign) + cell_len(title)
            if used + needed > width:
                break
            off = host.reason_against(action) is not None
            segments.append(Segment(sign, off_style if off else key_style))
            segments.append(Segment(title, off_style if off else title_style))
            self._places.append((used, used + needed, host, action))
            used += needed
        segments.append(Segment(" " * (width - used), plain))
        return Strip(segments)

    def _key_of(self, action: Action) -> str:
        """The first key that does it here: the person's own, where the keymap has one."""
        mapped = self.app._keymap.get(action.name)  # noqa: SLF001 - there is no other way to ask
        keys = mapped.split(",") if mapped else action.keys
        return next((key for key in keys if not (self._typing and _is_written(key))), "")

    def on_click(self, event: events.Click) -> None:
        for start, end, host, action in self._places:
            if start <= event.x < end:
                host.perform(action)
                return


def _is_written(key: str) -> bool:
    """Whether a key puts a character into a text."""
    return len(key_sign(key)) == 1 and key not in ("enter", "escape", "backspace")
