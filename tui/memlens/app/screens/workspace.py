"""The one screen: four panes, a line above, the keys below."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from memlens.app.actions import BY_NAME
from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.links import PaneWanted
from memlens.app.panes.base import Pane
from memlens.app.panes.memory_browser import MemoryBrowser
from memlens.app.panes.memory_form import MemoryForm
from memlens.app.panes.memory_tree import MemoryTree
from memlens.app.panes.prompt_preview import PromptPreview
from memlens.app.panes.read_log import ReadLogPane
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.help import Help
from memlens.app.widgets.action_bar import ActionBar
from memlens.engine.commands.memories import LoadMemories
from memlens.engine.commands.reads import LoadReads
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.events.base import Failed
from memlens.engine.events.workspace import ContextLoaded, WatchChanged
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge

WIDE: Final = 100
"""Columns from which all four panes fit; below, they are tabs."""
SMALLEST: Final = (60, 20)
"""Columns and lines below which the screen says that it is too small."""


class Tab(Static):
    """One pane's name while the panes are tabs."""

    class Picked(Message):
        def __init__(self, area: str) -> None:
            super().__init__()
            self.area: Final = area

    def __init__(self, pane: type[Pane]) -> None:
        super().__init__(f" {pane.NUMBER} {pane.TITLE} ", classes="tab", markup=False)
        self.area: Final = pane.AREA

    def on_click(self) -> None:
        self.post_message(self.Picked(self.area))


class WorkspaceScreen(Screen[None], ActionHost):
    """Shows the workspace; does the actions that work everywhere."""

    AREA = "app"
    BINDINGS = bindings_of("app")
    PANES: ClassVar[tuple[type[Pane], ...]] = (
        MemoryTree, PromptPreview, MemoryBrowser, ReadLogPane,
    )  # fmt: skip

    def compose(self) -> ComposeResult:
        yield Static(id="header")
        with Horizontal(id="tabs"):
            for pane in self.PANES:
                yield Tab(pane)
        with Container(id="panes"):
            yield MemoryTree(id="memory-tree")
            yield PromptPreview(id="prompt-preview")
            yield MemoryBrowser(id="memory-browser")
            yield ReadLogPane(id="read-log")
        yield Static(id="too-small")
        yield ActionBar()

    @property
    def bridge(self) -> Bridge:
        return cast("MemlensApp", self.app).bridge

    def on_mount(self) -> None:
        self._live: bool | None = None
        self._snapshot: ContextLoaded | None = None
        self._current: Pane = self.query_one(MemoryTree)
        self.bridge.subscribe(ContextLoaded, self._loaded)
        self.bridge.subscribe(WatchChanged, self._watched)
        self.bridge.subscribe(Failed, self._failed)
        self.bridge.subscribe(PaneWanted, lambda event: self._go(event.area))
        self._say_header()
        self._go("tree")
        self.call_after_refresh(self._load)

    def _load(self) -> None:
        # Only now: the frame is painted before anything is read.
        for command in (LoadContext(), LoadMemories(), LoadReads()):
            self.bridge.publish(command)

    def pane_of(self, area: str) -> Pane:
        return next(pane for pane in self.query(Pane) if area == pane.AREA)

    def _go(self, area: str) -> None:
        pane = self.pane_of(area)
        self._show_only(pane)
        target = pane.main
        (target if target.focusable else pane).focus()
        if isinstance(target, MemoryForm):
            target.query("#form-body").first().focus()

    def _show_only(self, current: Pane) -> None:
        self._current = current
        for pane in self.query(Pane):
            pane.set_class(pane is current, "-current")
        for tab in self.query(Tab):
            tab.set_class(tab.area == current.AREA, "-current")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        pane = next((node for node in event.widget.ancestors if isinstance(node, Pane)), None)
        if pane is not None and pane is not self._current:
            self._show_only(pane)

    @on(Tab.Picked)
    def _picked(self, event: Tab.Picked) -> None:
        self._go(event.area)

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.set_class(width < WIDE, "-tabs")
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(small, "-small")
        if small:
            self.query_one("#too-small", Static).update(
                f"This terminal has {width} × {height} characters.\n"
                f"memlens needs {SMALLEST[0]} × {SMALLEST[1]}.\n\nq leaves."
            )

    def _loaded(self, event: ContextLoaded) -> None:
        self._snapshot = event
        self._say_header()

    def _watched(self, event: WatchChanged) -> None:
        self._live = event.live
        self._say_header()

    def _say_header(self) -> None:
        app = cast("MemlensApp", self.app)
        parts: list[tuple[str, str]] = [(" memlens ", "bold $primary")]

        def add(text: str, style: str = "$foreground") -> None:
            parts.extend([("─ ", "$border-blurred"), (text + " ", style)])

        add(visible(app.folder_label))
        add(f"agent {visible(app.workspace.agent)}", "dim")
        if self._snapshot is not None:
            tokens = self._snapshot.plan.tokens
            add(f"≈ {tokens / 1000:.1f}k tokens" if tokens >= 1000 else f"≈ {tokens} tokens")
            loud = sum(finding.severity != "note" for finding in self._snapshot.findings)
            if loud:
                add(f"✗ {loud} problem{'s' if loud != 1 else ''}", "$text-error")
            else:
                add("✓ no problems", "$text-success")
        else:
            add("loading …", "dim")
        if self._live is not None:
            add(
                "● live" if self._live else "○ not live: F5",
                "$text-success" if self._live else "dim",
            )
        self.query_one("#header", Static).update(Content.assemble(*parts))

    def _failed(self, event: Failed) -> None:
        lines = [event.why, event.where, event.hint]
        self.app.notify(
            visible_text("\n".join(line for line in lines if line)),
            title=f"Could not {visible(event.what)}", severity="error", timeout=10, markup=False,
        )  # fmt: skip

    def do_app_tree(self) -> None:
        self._go("tree")

    def do_app_preview(self) -> None:
        self._go("preview")

    def do_app_memories(self) -> None:
        self._go("memories")

    def do_app_reads(self) -> None:
        self._go("reads")

    def _step(self, step: int) -> None:
        areas = [pane.AREA for pane in self.PANES]
        self._go(areas[(areas.index(self._current.AREA) + step) % len(areas)])

    def do_app_next(self) -> None:
        self._step(1)

    def do_app_previous(self) -> None:
        self._step(-1)

    def do_app_zoom(self) -> None:
        self.toggle_class("-zoomed")

    def do_app_reload(self) -> None:
        self._load()

    def do_app_help(self) -> None:
        if self.is_current:
            self.app.push_screen(Help(self._current.AREA))

    def do_app_palette(self) -> None:
        self.app.action_command_palette()

    def do_app_quit(self) -> None:
        if not self.query_one(MemoryForm).dirty:
            self.app.exit()
            return

        def answer(leave: bool | None) -> None:
            if leave:
                self.app.exit()

        self.app.push_screen(
            Confirm("A fact has changes that are not saved.", yes="Quit anyway", no="Stay"), answer
        )

    def perform_by_name(self, name: str) -> None:
        """Does any action, wherever its area is; for the palette."""
        action = BY_NAME[name]
        if action.area == self.AREA:
            self.perform(action)
            return
        if action.area == "form":
            self.query_one(MemoryForm).perform(action)
            return
        self._go(action.area)
        self.pane_of(action.area).perform(action)
