"""Widgets that do the actions of an area: bindings, the check before, and the word when not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from memlens.app.actions import AREAS, BY_NAME, OPENERS, Action, Area, actions_of, key_sign
from memlens.app.screens.quick import QuickScreen
from memlens.app.widgets.hollow import Hollow

if TYPE_CHECKING:
    from textual import events
    from textual.app import App

    from memlens.app.recovery import Recovery


def bindings_of(area: Area, *, priority: bool = False) -> list[BindingType]:
    """The bindings of an area's actions, each under its action's name, for the keymap.

    `priority`: they work wherever the focus is, also in a dialog.
    """
    return [
        Binding(
            ",".join(action.keys), f"perform({action.name!r})", action.title, show=action.footer,
            tooltip=action.sentence, id=action.name, priority=priority,
        )
        for action in actions_of(area)
        if action.keys
    ]  # fmt: skip


def keys_of(app: App[Any], action: Action) -> tuple[str, ...]:
    """The keys that do it: a person's own, where the keymap has some; none that they have given
    to another action which comes first wherever this one is within reach."""
    keymap = app._keymap  # noqa: SLF001 - there is no other way to ask
    if not keymap:
        return action.keys
    mapped = keymap.get(action.name)
    keys = mapped.split(",") if mapped else action.keys
    taken = _taken(frozenset(keymap.items())).get(action.name, ())
    return tuple(key for key in keys if key not in taken)


@lru_cache(maxsize=2)
def _taken(keymap: frozenset[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    """Of each action, the keys that it has lost everywhere to another one."""
    from memlens.app.actions.collisions import collisions

    taken: dict[str, list[str]] = {}
    for one in collisions(dict(keymap)):
        if BY_NAME[one.done].area in (BY_NAME[one.hidden].area, "lists", "work"):
            taken.setdefault(one.hidden, []).append(one.key)
    return taken


def key_names(app: App[Any], areas: Iterable[Area]) -> frozenset[str]:
    """All keys that do something of these areas."""
    actions = (action for area in areas for action in actions_of(area))
    return frozenset(key for action in actions for key in keys_of(app, action))


def sign_of(app: App[Any], action: Action) -> str:
    """The first of its keys as people write it; empty where it has none."""
    return next(map(key_sign, keys_of(app, action)), "")


def not_open(app: App[Any], area: Area) -> str:
    """Why nothing of an area can be done while it is not open, and how to open it."""
    opener = BY_NAME.get(OPENERS.get(area, ""))
    if opener is None:
        return f"{AREAS[area]}: not open now; it opens by itself where it is needed."
    place = "" if opener.area == "app" else f" in {AREAS[opener.area]}"
    return f"{AREAS[area]}: not open now; {sign_of(app, opener)}{place} opens it."


class ActionHost(DOMNode):
    """Mixed into the widget that does an area's actions, by methods named after them."""

    AREA: Area
    PARTS: ClassVar[frozenset[str]] = frozenset()
    """The engine's parts whose answers it shows, so that it says when one was cancelled."""

    SERVES: ClassVar[bool] = False
    """Whether it is a part of whatever holds it, whose actions are told of before its own."""

    @property
    def rests(self) -> bool:
        """Whether something within has taken its place, so that the footer leaves it out."""
        return False

    def reason_against(self, action: Action) -> str | None:
        """Why `action` cannot run now, as a sentence; `None` when it can."""
        return None

    def say_cancelled(self, words: str) -> None:
        """Shows that what it waits for was cancelled, and how to go on."""

    def perform(self, action: Action) -> None:
        """Does `action`, or says why not."""
        reason = self.reason_against(action)
        if reason is None:
            getattr(self, action.method)()
        else:
            self.app.notify(reason, title=action.title, severity="warning", markup=False)

    def action_perform(self, name: str) -> None:
        self.perform(BY_NAME[name])


class MainScreen(QuickScreen[None], Hollow, ActionHost):
    """A screen that fills the terminal; dialogs open over it."""

    SHEETS: ClassVar[tuple[str, ...]] = ()
    """The style sheets, beside the main one, that its first paint needs."""
    OPENS_OTHERS: ClassVar[bool] = False
    """Whether the palette lists what can be done in areas that are not open, too."""
    recovery: Recovery | None = None
    """Keeps what a person writes here, once there is something to write in."""

    async def furnish(self) -> None:
        """Puts into its frame, when that is painted, what would have kept the paint waiting."""

    def keep(self) -> None:
        """Keeps at once what the next start needs: it may be the last moment."""
        if self.recovery is not None:
            self.recovery.keep()

    def leave(self) -> None:
        """Does what the key for leaving does."""
        raise NotImplementedError

    @property
    def awaits(self) -> bool:
        """Whether what is shown here is still to come, for the first time."""
        return False

    def too_soon(self, event: events.Key) -> bool:
        """Whether a key is meant for something that is still being loaded."""
        if not self.awaits:
            return False
        now = [one for one in actions_of(self.AREA) if self.reason_against(one) is None]
        return not any(key in event.aliases for one in now for key in keys_of(self.app, one))

    def host_of(self, area: Area) -> ActionHost | None:
        """Who does the actions of an area here, nearest to the focus; None where none does."""
        near = hosts_from(self.focused or self)
        return next((host for host in near if area == host.AREA), None)

    def perform_by_name(self, name: str) -> None:
        """Does any action of the registry, wherever its area is; for the palette."""
        action = BY_NAME[name]
        host = self.host_of(action.area)
        if host is None:
            reason = not_open(self.app, action.area)
            self.app.notify(reason, title=action.title, severity="warning", markup=False)
        else:
            self.bring_forward(host)
            host.perform(action)

    def bring_forward(self, host: ActionHost) -> None:
        """Shows whoever is about to do something."""


def told_from(node: DOMNode | None) -> list[ActionHost]:
    """The hosts from a node upwards, in the order in which they are told of."""
    return sorted(hosts_from(node), key=lambda host: host.SERVES)


def hosts_from(node: DOMNode | None) -> Iterable[ActionHost]:
    """The hosts from a node upwards, nearest first."""
    while node is not None:
        if isinstance(node, ActionHost):
            yield node
        node = cast("DOMNode | None", node._parent)  # noqa: SLF001 - parent raises at the top
