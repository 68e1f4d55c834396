"""The footer: what works here and now, from the registry; a click does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from memlens.app.actions import ACTIONS, Action, key_sign
from memlens.app.hinting import hints_of
from memlens.app.hosting import ActionHost, MainScreen, hosts_from, keys_of
from memlens.app.widgets.line_view import LineView
from memlens.engine.events.base import Event, Progress

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.engine.bus import Subscription

Offer = tuple[ActionHost, Action]


class ActionBar(Widget):
    """One line of keys for the focused area, then for everywhere.

    An action that cannot run now stays, dimmed; doing it says why not. Where there is no room for
    all, the help stays, because it tells of the others; where there is none, the way out.
    """

    COMPONENT_CLASSES = {"bar--key", "bar--title", "bar--off"}

    def __init__(self) -> None:
        super().__init__(id="action-bar")
        self._places: list[tuple[int, int, ActionHost, Action]] = []
        self._subscription: Subscription | None = None

    def on_mount(self) -> None:
        # What can run changes with the focus, the cursor, and what comes from the engine.
        self.watch(self.screen, "focused", self._focus_moved)
        bridge = cast("MemlensApp", self.app).bridge
        self._subscription = bridge.subscribe(Event, self._look_again)

    def on_unmount(self) -> None:
        if self._subscription is not None:
            self._subscription.close()

    def _focus_moved(self, focused: Widget | None) -> None:
        if isinstance(focused, LineView):
            self.watch(focused, "cursor", self._look_again, init=False)
        self.refresh()

    def _look_again(self, news: object = None) -> None:
        if not isinstance(news, Progress):  # comes ten times in a second, and changes nothing here
            self.refresh()

    @property
    def _typing(self) -> bool:
        """Whether plain letters go into a text, so that they do nothing else."""
        focused = self.screen.focused
        return focused is not None and focused.check_consume_key("a", "a")

    def _offered(self) -> list[Offer]:
        focused = self.screen.focused
        hosts: Final = list(hosts_from(focused or self.screen))
        if hints_of(focused) is not None:  # its keys are told instead
            hosts[:] = [host for host in hosts if isinstance(host, MainScreen)]
        return [
            (host, action)
            for host in hosts
            if not host.rests
            for action in ACTIONS
            if action.area == host.AREA and action.footer and self._key_of(action)
        ]

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        key_style, title_style, off_style = (
            self.get_component_rich_style(f"bar--{name}") for name in ("key", "title", "off")
        )
        self._places = []
        segments: list[Segment] = []
        used = 0
        focused = self.screen.focused
        for key, title in hints_of(focused) or ():
            segments += (
                Segment(f" {key_sign(key)}", key_style),
                Segment(f" {title} ", title_style),
            )
            used += sum(segment.cell_length for segment in segments[-2:])
        offers, cut = self._fitting(self._offered(), width - used)
        for host, action in offers:
            words = self._words(action)
            needed = sum(map(cell_len, words))
            if cut and action is offers[-1][1]:
                segments.append(Segment(" " * (width - used - needed), self.rich_style))
                used = width - needed
            off = host.reason_against(action) is not None
            for text, style in zip(words, (key_style, title_style), strict=True):
                segments.append(Segment(text, off_style if off else style))
            self._places.append((used, used + needed, host, action))
            used += needed
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _words(self, action: Action) -> tuple[str, str]:
        return f" {key_sign(self._key_of(action))}", f" {action.title} "

    def _fitting(self, offers: Sequence[Offer], room: int) -> tuple[Sequence[Offer], bool]:
        """As many as there is room for, from the first; of those behind, the one that stays."""
        sizes = [sum(map(cell_len, self._words(action))) for _, action in offers]
        if sum(sizes) <= room:
            return offers, False
        stays = _what_stays(offers)
        left = room - sizes[offers.index(stays)]
        fitting = []
        for size, offer in zip(sizes, offers, strict=True):
            if offer is not stays:
                left -= size
                if left < 0:
                    break
                fitting.append(offer)
        return [*fitting, stays], True

    def _key_of(self, action: Action) -> str:
        """The first key that does it here: the person's own, where the keymap has one."""
        keys = keys_of(self.app, action)
        return next((key for key in keys if not (self._typing and _is_written(key))), "")

    def on_click(self, event: events.Click) -> None:
        for start, end, host, action in self._places:
            if start <= event.x < end:
                host.perform(action)
                return


def _what_stays(offers: Sequence[Offer]) -> Offer:
    """The help, or else the way out, or else the last."""
    for verbs in (("help",), ("close", "leave", "back")):
        for offer in offers:
            if offer[1].name.rpartition(".")[2] in verbs:
                return offer
    return offers[-1]


def _is_written(key: str) -> bool:
    """Whether a key puts a character into a text."""
    return len(key_sign(key)) == 1 and key not in ("enter", "escape", "backspace")
