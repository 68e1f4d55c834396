"""Two agents side by side: what each of them gets here that the other does not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from memlens.app.actions import Action
from memlens.app.hosting import MainScreen, bindings_of
from memlens.app.screens.choose import Choice, Choose
from memlens.app.screens.help import Help
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.header import Header, Part, tokens
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit_path
from memlens.app.widgets.wrapping import Wrapping, as_wished, toggle_wrap
from memlens.engine.commands.agents import CompareAgents
from memlens.engine.events.agents import AgentsCompared
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.engine.bus import Subscription
    from memlens.engine.compare import ComparedLine, ComparedSide

WIDE: Final = 100
"""Columns from which the two stand side by side; below, one stands above the other."""
_NAMED: Final = 3
"""Files that are named above a side; of more only the number is told."""
_LOOK_BACK: Final = 2000
"""Lines above the cursor among which one is looked for that the other side has, too."""
_LABEL: Final = 28
"""Cells of a file's name there."""
_STYLES: Final = {"both": "", "here": "added", "around": "dim"}
_SIGNS: Final = {"both": "  ", "here": "▌ ", "around": "  "}


class SideLines(Wrapping):
    """The prompt of one agent; what only this one gets is marked by sign and colour."""

    margin_width: Final = 2

    def __init__(self, side: ComparedSide, *, wrap: bool = True) -> None:
        super().__init__(len(side.lines), wrap=wrap)
        self.lines: Final = side.lines
        self._side: Final = side

    def again(self, *, wrap: bool) -> SideLines:
        return SideLines(self._side, wrap=wrap)

    @property
    def alone(self) -> bool:
        """Whether something on it reaches this agent alone."""
        return self.first is not None

    @cached_property
    def first(self) -> int | None:
        """The first line that this side has alone."""
        alone = (index for index, line in enumerate(self.lines) if line.only == "here")
        return next(alone, None)

    def place_of(self, line: ComparedLine) -> int | None:
        """The number of the line that comes from the same line of the same file, if one does."""
        return self._side.places.get((line.file, line.line))

    def text(self, number: int) -> tuple[str, str]:
        line = self.lines[number]
        return line.text, _STYLES[line.only]

    def texts(self) -> Iterable[str]:
        return [line.text for line in self.lines]

    def margin(self, number: int, *, first: bool) -> Sequence[Piece]:
        only = self.lines[number].only
        return ((_SIGNS[only], "added" if only == "here" else "dim"),)

    def name(self, number: int) -> Hashable:
        line = self.lines[number]
        return line.file, line.line, number

    def _number_of(self, name: Hashable) -> int | None:
        if not isinstance(name, tuple):
            return None
        file, line, number = name
        if number < len(self.lines):
            here = self.lines[number]
            if (here.file, here.line) == (file, line):
                return int(number)
        return self._side.places.get((file, line))


class CompareScreen(MainScreen):
    """Shows what two agents get, and what only one of them does."""

    AREA = "compare"
    PARTS = frozenset(["agents"])
    BINDINGS: ClassVar = bindings_of("compare")

    def __init__(self, left: str, right: str) -> None:
        super().__init__()
        self._waiting = "loading …"
        self._names = [left, right]
        self._compared: AgentsCompared | None = None
        self._subscription: Subscription | None = None

    def compose(self) -> ComposeResult:
        yield Header()
        with Container(id="compare-sides"):
            for side in ("left", "right"):
                with Frame(id=f"compare-{side}", classes="compare-side"):
                    yield Static(id=f"compare-{side}-files", classes="compare-files")
                    yield LineView(id=f"compare-{side}-lines")
        yield ActionBar()

    @property
    def memlens(self) -> MemlensApp:
        return cast("MemlensApp", self.app)

    def say_cancelled(self, words: str) -> None:
        self._waiting = words
        self._say_header()

    def on_mount(self) -> None:
        self._subscription = self.memlens.bridge.subscribe(AgentsCompared, self._show)
        self._view("left").focus()
        self._say_header()
        self.call_after_refresh(self._load)

    def on_unmount(self) -> None:
        if self._subscription is not None:
            self._subscription.close()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < WIDE, "-narrow")

    def _load(self) -> None:
        left, right = self._names
        self.memlens.bridge.publish(CompareAgents(left=left, right=right))

    def _view(self, side: str) -> LineView:
        return self.query_one(f"#compare-{side}-lines", LineView)

    def _show(self, event: AgentsCompared) -> None:
        pair = (event.left.agent, event.right.agent)
        before = self._compared
        opened = before is None or (before.left.agent, before.right.agent) != pair
        self._compared = event
        for name, side in (("left", event.left), ("right", event.right)):
            self._view(name).show(as_wished(self, SideLines(side)))
            box = self.query_one(f"#compare-{name}")
            box.border_title = Content(visible(f"{side.title} ({side.agent})"))
            box.border_subtitle = Content(tokens(side.tokens))
            self.query_one(f"#compare-{name}-files", Static).update(
                Content(visible(self._summary(side)))
            )
        if opened:
            self._go_to_first()
        self._say_header()
        self.query_one(ActionBar).refresh()

    def _go_to_first(self) -> None:
        """What both get first is what one knows; what they do not share is what one came for."""
        for side in ("left", "right"):
            view = self._view(side)
            lines = view.lines
            first = lines.first if isinstance(lines, SideLines) else None
            if isinstance(lines, SideLines) and first is not None:
                self._go_to(view, lines.row_of(first))
                self._lead(view)
                return

    def _go_to(self, view: LineView, row: int) -> None:
        """To the beginning of a stretch, so that more of it is seen than of what is before."""
        view.go_to(row)
        _put(view, row, view.scrollable_content_region.height // 4)

    def _summary(self, side: ComparedSide) -> str:
        """How much of which files reaches this agent alone."""
        if not side.lines:
            return "It gets nothing here."
        if not side.files:
            return "Nothing here reaches this agent alone."
        count = f"{side.alone} line{'s' if side.alone != 1 else ''} only here: "
        most = sorted(side.files, key=lambda one: -one[1])[:_NAMED]
        names = [
            f"{fit_path(self._label(file), _LABEL).rstrip() if file else 'its own'} ({lines})"
            for file, lines in most
        ]
        more = len(side.files) - len(most)
        return count + ", ".join(names) + (f", and {more} more files" if more else "")

    def _label(self, file: str) -> str:
        workspace = self.memlens.workspace
        for folder, sign in ((workspace.root, ""), (workspace.home, "~/")):
            prefix = folder.rstrip("/") + "/" if folder else ""
            if prefix and file.startswith(prefix):
                return sign + file[len(prefix) :]
        return file

    def _say_header(self) -> None:
        left, right = self._names
        parts: list[Part] = [
            (self.memlens.folder_label, "$foreground"),
            (f"{left} against {right}", "dim", f"{left} ↔ {right}"),
        ]
        if self._compared is None:
            parts.append((self._waiting, "dim"))
        else:
            alone = self._compared.left.alone + self._compared.right.alone
            words = f"▌ {alone} line{'s' if alone != 1 else ''} that only one of them gets"
            same = ("✓ both get the same", "$text-success", "✓ the same")
            parts.append((words, "$text-warning", f"▌ {alone} alone") if alone else same)
        self.query_one(Header).say(*parts)

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        if event.view is self._here:  # else both would lead, and follow
            self._lead(event.view)

    def _lead(self, view: LineView) -> None:
        """The other side shows the same line of the same file, or else the one before it."""
        lines, other = view.lines, self._other(view)
        if not isinstance(lines, SideLines) or not isinstance(other.lines, SideLines):
            return
        here = lines.number(view.cursor) if lines.lines else -1
        for at in range(here, max(-1, here - _LOOK_BACK), -1):
            number = other.lines.place_of(lines.lines[at])
            if number is not None:
                row = other.lines.row_of(number)
                other.go_to(row, quietly=True)
                height = other.scrollable_content_region.height
                _put(other, row, min(view.cursor - round(view.scroll_y), max(0, height - 1)))
                return

    def _other(self, view: LineView) -> LineView:
        return self._view("right" if view is self._view("left") else "left")

    @property
    def _here(self) -> LineView:
        return self._view("right") if self._view("right").has_focus else self._view("left")

    def _step(self, step: int) -> None:
        """Goes to the next stretch of lines that only this side has."""
        view = self._here
        if not isinstance(view.lines, SideLines):
            return
        shown = view.lines
        lines = shown.lines
        number = shown.number(view.cursor) + step
        while 0 <= number < len(lines):
            first = number == 0 or lines[number - 1].only != "here"
            if lines[number].only == "here" and first:
                self._go_to(view, shown.row_of(number))
                return
            number += step

    # The actions.

    @property
    def awaits(self) -> bool:
        return self._compared is None and self.memlens.bridge.awaits(CompareAgents)

    def reason_against(self, action: Action) -> str | None:
        if action.name in ("compare.next", "compare.previous"):
            lines = self._here.lines
            if isinstance(lines, NoLines):
                return "The comparison is still being made."
            if isinstance(lines, SideLines) and not lines.alone:
                return "Nothing here reaches this agent alone."
        return None

    def do_compare_next(self) -> None:
        self._step(1)

    def do_compare_previous(self) -> None:
        self._step(-1)

    def do_compare_other_side(self) -> None:
        self._other(self._here).focus()

    def do_compare_wrap(self) -> None:
        toggle_wrap(self._view("left"), self._view("right"))

    def do_compare_agents(self) -> None:
        from memlens.engine.commands.agents import LoadAgents
        from memlens.engine.events.agents import AgentsLoaded

        def offer(event: AgentsLoaded) -> None:
            subscription.close()
            names = [agent for agent in event.agents if agent.name != self._names[0]]
            choices = [Choice(agent.name, f"{agent.title} ({agent.name})") for agent in names]
            if self.is_current:
                self.app.push_screen(Choose(f"Compare {self._names[0]} with", choices), take)

        def take(name: str | None) -> None:
            if name is not None:
                self._names[1] = name
                self._load()

        subscription = self.memlens.bridge.subscribe(AgentsLoaded, offer)
        self.memlens.bridge.publish(LoadAgents())

    def do_compare_help(self) -> None:
        if self.is_current:
            self.app.push_screen(Help("compare"))

    def do_compare_palette(self) -> None:
        self.app.action_command_palette()

    def do_compare_leave(self) -> None:
        self.leave()

    def leave(self) -> None:
        if self.is_current:
            self.dismiss(None)


def _put(view: LineView, row: int, below: int) -> None:
    """Scrolls so that a row stands so many rows below the top, as far as there are rows."""
    view.scroll_to(y=max(0, row - below), animate=False, force=True, immediate=True)
