"""The one screen: four panes, a line above, the keys below."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from memlens.app.actions import Action, Area
from memlens.app.hinting import is_taken_by
from memlens.app.hosting import ActionHost, MainScreen, bindings_of, key_names, told_from
from memlens.app.panes.base import Pane
from memlens.app.panes.frame import frames, panes
from memlens.app.screens.folder_view import FolderView
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.header import Header, Part, few_tokens, tokens
from memlens.app.widgets.marking import mark
from memlens.app.widgets.pane_grid import WIDE, PaneGrid
from memlens.engine.commands.keeping import LoadKept
from memlens.engine.commands.memories import LoadMemories
from memlens.engine.commands.memory_changes import UndoMemory
from memlens.engine.commands.reads import LoadReads
from memlens.engine.commands.review import LoadReview
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.events.base import Cancelled, Failed
from memlens.engine.events.keeping import KeptLoaded
from memlens.engine.events.workspace import ContextLoaded, WatchChanged
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.app.agents import Agents
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.app.recovery import Restoring
    from memlens.engine.keeping import Draft

SMALLEST: Final = (60, 20)
"""Columns and lines below which the screen says that it is too small."""
_WHOLE_TABS: Final = 68
"""Columns from which the tabs have room for whole names."""


class Tab(Static):
    """One pane's name while the panes are tabs."""

    class Picked(Message):
        def __init__(self, area: str) -> None:
            super().__init__()
            self.area: Final = area

    def __init__(self, pane: Pane) -> None:
        super().__init__(f" {pane.NUMBER} {pane.TITLE} ", classes="tab", markup=False)
        self.area: Final = pane.AREA
        self._names: Final = (pane.TITLE.split()[-1].capitalize(), pane.TITLE)
        self._number: Final = pane.NUMBER

    def fit(self, *, whole: bool) -> None:
        """Shows the whole name, or its last word where there is no room for all tabs."""
        self.update(f" {self._number} {self._names[whole]} ")

    def on_click(self) -> None:
        self.post_message(self.Picked(self.area))


class WorkspaceScreen(MainScreen):
    """Shows the workspace; does the actions that work in all panes."""

    AREA = "app"
    PARTS = frozenset(["workspace"])
    OPENS_OTHERS = True
    BINDINGS = bindings_of("app")

    def __init__(self) -> None:
        super().__init__()
        self.grid: Final = PaneGrid(*frames())
        self._live: WatchChanged | None = None
        self._loaded: ContextLoaded | None = None
        self._waiting = "loading …"
        """What is said as long as nothing is loaded."""
        self._folder_view: Final = FolderView(self)
        self.agents: Agents | None = None

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal(id="tabs"):
            for pane in self.grid.panes:
                yield Tab(pane)
        yield self.grid
        yield Static(id="too-small")
        yield ActionBar()

    @property
    def memlens(self) -> MemlensApp:
        return cast("MemlensApp", self.app)

    @property
    def bridge(self) -> Bridge:
        return self.memlens.bridge

    def on_mount(self) -> None:
        self.bridge.subscribe(ContextLoaded, self._show_context)
        self.bridge.subscribe(WatchChanged, self._show_watch)
        self.bridge.subscribe(Failed, self._show_failure)
        self.bridge.subscribe(KeptLoaded, self._recall)
        self._say_header()
        self.go("tree")
        self._folder_view.arrange(self.memlens.view or {})

    async def furnish(self) -> None:
        self.run_worker(self._load_first())  # while the panes are made, or for longer
        made = []
        for pane in panes():
            made.append(pane)
            await asyncio.sleep(0)
        from memlens.app.agents import Agents
        from memlens.app.links import PaneWanted
        from memlens.app.recovery import Recovery

        with self.app.batch_update():
            self.set_focus(None)
            await self.grid.furnish(*made)
            self.go(self.grid.current.AREA)
        self.bridge.subscribe(PaneWanted, lambda event: self.go(event.area))
        self.recovery = Recovery(self)
        self.agents = Agents(self, self._say_header)

    async def _load_first(self) -> None:
        if self.memlens.prepare is not None:
            await asyncio.to_thread(self.memlens.prepare)
        self._load()

    def _load(self) -> None:
        if not self._folder_view.known:
            self.bridge.publish(LoadKept())
        for command in (LoadContext(), LoadMemories(), LoadReads()):
            self.bridge.publish(command)

    def go(self, area: str) -> None:
        """Makes the pane of an area the current one, and gives it the focus."""
        pane = self.grid.pane_of(area)
        self.grid.switch(pane)
        target = pane.main
        (target if target.focusable else pane).focus()

    def too_soon(self, event: events.Key) -> bool:
        pane = self.grid.current
        if pane.rests or not pane.awaits:
            return False
        if is_taken_by(self.focused, event):
            return False
        own = key_names(self.app, [pane.AREA])
        elsewhere = key_names(self.app, [self.AREA]) - own
        return elsewhere.isdisjoint(event.aliases)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if not event.widget.has_focus:
            return  # it had it when this was sent
        pane = next((node for node in event.widget.ancestors if isinstance(node, Pane)), None)
        if pane is not None and pane is not self.grid.current:
            self.grid.switch(pane)

    @on(Tab.Picked)
    def _picked(self, event: Tab.Picked) -> None:
        self.go(event.area)

    @on(PaneGrid.Switched)
    def _switched(self, event: PaneGrid.Switched) -> None:
        for tab in self.query(Tab):
            tab.set_class(tab.area == event.pane.AREA, "-current")

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        tabs = self.query_one("#tabs")
        mark(self, "-tabs", tabs, self.grid, *self.grid.panes, on=width < WIDE)
        for tab in self.query(Tab):
            tab.fit(whole=width >= _WHOLE_TABS)
        small = width < SMALLEST[0] or height < SMALLEST[1]
        mark(self, "-small", *self.children, on=small)
        if small:
            self.query_one("#too-small", Static).update(
                f"This terminal has {width} × {height} characters.\n"
                f"memlens needs {SMALLEST[0]} × {SMALLEST[1]}.\n\nq leaves."
            )

    # How the folder was looked at, and what was not saved.

    def keep(self) -> None:
        super().keep()
        self._folder_view.keep()

    def _recall(self, event: KeptLoaded) -> None:
        if self._folder_view.known:
            return
        self._folder_view.recall(event.view)
        if self.recovery is not None:
            self.recovery.offer(event.drafts)
        if self.memlens.ask_agent and self.agents is not None:
            self.agents.ask_first()

    # The line above, and what went wrong.

    def _show_context(self, event: ContextLoaded) -> None:
        self._loaded = event
        self._say_header()

    def _show_watch(self, event: WatchChanged) -> None:
        self._live = event
        self._say_header()

    def say_cancelled(self, words: str) -> None:
        self._waiting = words
        self._say_header()

    def _say_header(self) -> None:
        workspace = self.memlens.workspace
        agent = workspace.agent
        parts: list[Part] = [
            (self.memlens.folder_label, "$foreground"), (f"agent {agent}", "dim", agent),
        ]  # fmt: skip
        if self._loaded is None:
            parts.append((self._waiting, "dim"))
        else:
            count = self._loaded.plan.tokens
            parts.append((tokens(count), "$foreground", few_tokens(count)))
            gone = self._loaded.gone
            loud = sum(finding.severity != "note" for finding in self._loaded.findings)
            parts.append(
                (f"✗ the folder {gone}", "$text-error", f"✗ {gone}")
                if gone
                else (f"✗ {loud} problem{'s' if loud != 1 else ''}", "$text-error", f"✗ {loud}")
                if loud
                else ("✓ no problems", "$text-success", "✓")
            )
        if workspace.read_only:
            parts.append(("read only", "$text-warning"))
        if self._live is not None:
            live = ("● live", "$text-success")
            not_live = ("○ not live: F5 looks again", "dim", "○ F5")
            parts.append(live if self._live.live else not_live)
        self.query_one(Header).say(*parts)

    def _show_failure(self, event: Failed) -> None:
        if isinstance(event, Cancelled):
            return  # that was asked for, and is told with the key that does it again
        lines = [event.why, event.where, event.hint]
        self.app.notify(
            visible_text("\n".join(line for line in lines if line)),
            title=f"Could not {visible(event.what)}", severity="error", timeout=10, markup=False,
        )  # fmt: skip

    # The actions.

    def reason_against(self, action: Action) -> str | None:
        shares = ("app.wider", "app.narrower", "app.higher", "app.lower")
        if action.name in shares and (self.grid.zoomed or self.grid.tabbed):
            return "Only one pane is shown, so there is no room to share."
        if action.name == "app.undo" and self.memlens.workspace.read_only:
            return "memlens was opened so that nothing can be written."
        if action.name == "app.zoom" and self.grid.tabbed:
            return f"Below {WIDE} columns each pane has the whole room already."
        if action.name == "app.keep_agent" and self.memlens.workspace.read_only:
            return "memlens was opened so that nothing can be written."
        return None

    def do_app_tree(self) -> None:
        self.go("tree")

    def do_app_preview(self) -> None:
        self.go("preview")

    def do_app_memories(self) -> None:
        self.go("memories")

    def do_app_reads(self) -> None:
        self.go("reads")

    def do_app_review(self) -> None:
        from memlens.app.screens.review import ReviewScreen

        if self.is_current:
            self.app.push_screen(ReviewScreen(LoadReview()))

    # A staged text is written on a screen of its own.

    def unsaved(self) -> Draft | None:
        return None

    def restore(self, restoring: Restoring) -> bool:
        """Opens the review to go on with a staged text there."""
        from memlens.app.screens.review import ReviewScreen

        draft = restoring.draft
        if draft.kind != "staged":
            return False
        self.app.push_screen(ReviewScreen(LoadReview(), draft=draft))
        return True

    def do_app_agent(self) -> None:
        if self.agents is not None and self.is_current:
            self.agents.choose()

    def do_app_compare(self) -> None:
        if self.agents is not None and self.is_current:
            self.agents.compare()

    def do_app_keep_agent(self) -> None:
        if self.agents is not None:
            self.agents.keep()

    def do_app_next(self) -> None:
        self.go(self.grid.beside(1).AREA)

    def do_app_previous(self) -> None:
        self.go(self.grid.beside(-1).AREA)

    def do_app_zoom(self) -> None:
        self.grid.zoom(not self.grid.zoomed)

    def do_app_wider(self) -> None:
        self.grid.grow(across=1)

    def do_app_narrower(self) -> None:
        self.grid.grow(across=-1)

    def do_app_higher(self) -> None:
        self.grid.grow(down=1)

    def do_app_lower(self) -> None:
        self.grid.grow(down=-1)

    def do_app_reload(self) -> None:
        self._load()

    def do_app_help(self) -> None:
        from memlens.app.screens.help import Help

        if self.is_current:
            self.app.push_screen(Help(told_from(self.focused or self)[0].AREA))

    def do_app_palette(self) -> None:
        self.app.action_command_palette()

    def do_app_undo(self) -> None:
        self.bridge.publish(UndoMemory())

    def do_app_log(self) -> None:
        from memlens.app.panes.memory_browser.history import History

        self.app.push_screen(History())

    def do_app_theme(self) -> None:
        self.memlens.choose_theme()

    def leave(self) -> None:
        if self.is_current:
            self.do_app_quit()

    def do_app_quit(self) -> None:
        from memlens.app.screens.confirm import Confirm

        unsaved = self.recovery.unsaved() if self.recovery is not None else ()
        self.keep()  # what was saved a moment ago must not be offered again
        if not unsaved:
            self.app.exit()
            return
        names = "\n".join(f"  {draft.title}" for draft in unsaved)

        def answer(leave: bool | None) -> None:
            if leave:
                if self.recovery is not None:
                    self.recovery.forget()
                self.app.exit()

        question = f"This is not saved:\n\n{names}"
        self.app.push_screen(Confirm(question, yes="Quit without it", no="Stay"), answer)

    def host_of(self, area: Area) -> ActionHost | None:
        near = super().host_of(area)
        panes = (self.grid.current, *self.grid.panes)
        inside = (host for pane in panes for host in pane.walk_children(with_self=True))
        return near or next(
            (host for host in inside if isinstance(host, ActionHost) and area == host.AREA), None
        )

    def bring_forward(self, host: ActionHost) -> None:
        pane = next((node for node in host.ancestors_with_self if isinstance(node, Pane)), None)
        if pane is not None:
            self.go(pane.AREA)
