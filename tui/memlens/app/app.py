"""The Textual app: it opens the screen on a workspace, and holds nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text
from textual import events
from textual.app import App
from textual.filter import NoColor

from memlens.app.actions import BY_NAME
from memlens.app.actions.keys import own_keys
from memlens.app.bridge import Bridge, EventArrived
from memlens.app.ending import Ending
from memlens.app.escapes import telling_escapes
from memlens.app.hosting import ActionHost, MainScreen, bindings_of
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.sheets import Sheets
from memlens.app.smooth import PACE, Smooth
from memlens.app.straight import straightened
from memlens.app.themes import DARK, OWN, SIXTEEN, lacking
from memlens.app.words import shortened
from memlens.app.works import Works
from memlens.engine import Engine, Workspace, open_workspace
from memlens.engine.log import LOG_NAME, log
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.notifications import Notify
    from textual.screen import Screen
    from textual.worker import WorkType

    from memlens.app.actions import Action
    from memlens.engine.findings import Finding

_HERE: Final = Path(__file__).parent
STYLES: Final = (
    "lines", "tree", "preview", "editor", "memories", "reads", "review", "compare", "dialogs",
)  # fmt: skip
"""The sheets beside the main one, an area each."""
_TOLD: Final = 160
"""Characters of a line of what is told for a moment."""
_MOST_WRONG: Final = 3
"""Of what is wrong with the settings, so many are told; there is something else to see."""
PATIENCE = 2.0
"""Seconds that an end from outside waits for what the engine still has to write."""


def _sheets(styles: Iterable[str]) -> list[Path]:
    return [_HERE / "memlens.tcss", *(_HERE / "styles" / f"{style}.tcss" for style in styles)]


class MemlensApp(App[None], ActionHost):
    """memlens on one folder. Raises `NoWorkspaceError` where that cannot be opened."""

    TITLE = "memlens"
    AREA = "work"
    BINDINGS = bindings_of("work", priority=True)
    ENABLE_COMMAND_PALETTE = False  # the registry binds its key

    def __init__(
        self,
        root: str | os.PathLike[str] | Workspace,
        *,
        home: str | os.PathLike[str] | None = None,
        agent: str | None = None,
        read_only: bool = False,
        live: bool = True,
        first: MainScreen | None = None,
        engine: Engine | None = None,
        ask_agent: bool = False,
        prepare: Callable[[], None] | None = None,
        view: Mapping[str, Any] | None = None,
        wrong: Sequence[Finding] = (),
    ) -> None:
        """`first` is the screen that the app opens on and ends with; else the workspace.
        `engine`: one that was asked things already; the app closes it.
        `ask_agent`: ask which agent a person uses. `prepare`: what must be done to the workspace
        before anything there is loaded; it is called on a thread, behind the first paint. `view`:
        how the folder was looked at last, where that is known already, so that the first paint
        shows it so; else it is asked for behind that. `wrong`: what is wrong with the settings;
        it is told once there is something to see."""
        self.workspace = (
            root
            if isinstance(root, Workspace)
            else open_workspace(root, home=home, agent=agent, read_only=read_only)
        )
        # What the first paint does not need is read behind it.
        super().__init__(css_path=[*_sheets(first.SHEETS if first is not None else ())])
        self._first = first
        self._furnished = False
        self.ask_agent = ask_agent
        self.prepare = prepare
        self.view = view
        self._wrong = wrong
        self.engine = engine or Engine(self.workspace, live=live)
        self.bridge = Bridge(self, self.engine.bus, self._too_soon)
        self.works = Works(self)
        self._ending = Ending(self._end)
        self._smooth = Smooth()
        for theme in OWN:
            self.register_theme(theme)
        settings = self.workspace.settings
        self._first_theme = DARK.name
        self._kept_theme = ""
        self.theme = settings.theme if settings.theme in self.available_themes else DARK.name
        self.wraps = True
        """Whether long lines are wrapped in what is opened next to be read."""
        if view is not None:
            self.recall_theme(view.get("theme"))
            self.recall_wrap(view.get("wrap"))
        self.stylesheet = Sheets(variables=self.get_css_variables())
        if settings.keys:
            self.set_keymap(own_keys(settings.keys))

    def get_driver_class(self) -> type[Driver]:
        alt = "alt+" in ",".join(own_keys(self.workspace.settings.keys).values())
        return straightened(telling_escapes(super().get_driver_class(), alt=alt))

    @property
    def folder_label(self) -> str:
        """The folder as a person would name it."""
        root, home = self.workspace.root, self.workspace.home
        if home and (root == home or root.startswith(home.rstrip("/") + "/")):
            return "~" + root[len(home.rstrip("/")) :]
        return root

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return lacking(self.current_theme)

    def get_default_screen(self) -> Screen[None]:
        if self.console.color_system == "standard" and not self.is_headless:
            self._first_theme = SIXTEEN.name
            if self.theme != self.workspace.settings.theme:
                self.theme = SIXTEEN.name
                if self.no_color:  # shades of grey are too many there, too
                    self._filters = [NoColor()]
        # Not pushed upon an empty one, which would be made, styled and laid out for nothing.
        self.engine.start()
        self.engine.show_progress()
        screen = self._first or WorkspaceScreen()
        screen.hurried = True
        return screen

    def on_mount(self) -> None:
        if not self.is_headless:
            self._ending.watch()
        self.app_resume_signal.subscribe(self, self._paint_again)
        self.call_later(self._furnish)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            self._smooth.used()
            await self._furnish()  # what was typed before has waited here, in order
        if isinstance(event, events.Key) and self._is_early_enter(event):
            event = events.Key("enter", "\r")
        if not self.bridge.typed.holds(event):
            await super().on_event(event)

    def _is_early_enter(self, event: events.Key) -> bool:
        """Whether it is what the terminal made of Enter that was typed before this app, or one
        that it has come back from, had it: until then it sends a line feed."""
        own = (key for keys in self._keymap.values() for key in keys.split(","))
        return event.key == "ctrl+j" and "ctrl+j" not in own

    def _too_soon(self, event: events.Key) -> bool:
        screen = self.screen
        return isinstance(screen, MainScreen) and screen.too_soon(event)

    async def _furnish(self) -> None:
        """Has the first screen fill its frame, once that is painted."""
        if self._furnished:
            return
        self._furnished = True
        screen = self.screen
        painted = asyncio.Event()
        if screen.call_after_refresh(painted.set):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(painted.wait(), PATIENCE)
        self._take_sheets()
        if isinstance(screen, MainScreen):
            screen.hurried = False
            await screen.furnish()
        self._tell_wrong()
        self._smooth.start()
        self.set_interval(PACE, self._smooth.tidy)

    def _tell_wrong(self) -> None:
        told = self._wrong if len(self._wrong) <= _MOST_WRONG else self._wrong[: _MOST_WRONG - 1]
        for one in told:
            place = f"{one.file}:{one.line}" if one.line else one.file
            self.notify(
                visible_text(f"{one.message}. {one.hint}\n{place}"), title="Settings",
                severity="warning", timeout=10, markup=False,
            )  # fmt: skip
        if left := len(self._wrong) - len(told):
            self.notify(
                f"{left} more: memlens config --check names them all.", title="Settings",
                severity="warning", timeout=10, markup=False,
            )  # fmt: skip

    def _take_sheets(self) -> None:
        """Reads the style sheets that the first paint has not needed."""
        known = set(self.css_path)
        missing = [path for path in _sheets(STYLES) if path not in known]
        if missing:
            self.css_path += missing
            self.stylesheet.read_all(missing)
            self.stylesheet.parse()

    def on_unmount(self) -> None:
        self._smooth.stop()
        self._ending.close()
        self.bridge.close()
        self.engine.close()

    def _paint_again(self, _: object) -> None:
        """Draws everything: whoever had the terminal meanwhile left it blank."""
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.refresh()
            screen.refresh(layout=True)

    def _end(self, code: int) -> None:
        """Ends because something outside wants it: unsaved text is kept first."""
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                screen.keep()
        self.engine.drain(PATIENCE)
        self.exit(return_code=code)

    def _fatal_error(self) -> None:
        """Says in words that something went wrong; how exactly stands in the log file."""
        if os.environ.get("MEMLENS_DEBUG"):
            super()._fatal_error()
            return
        log(traceback.format_exc(), "screen")
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                screen.keep()
        self.engine.drain(PATIENCE)
        where = os.path.join(self.workspace.state_dir, LOG_NAME)
        self._exit_renderables.append(
            Text(
                "memlens: something went wrong in the program itself, and it had to end.\n"
                "Unsaved text is kept and offered at the next start.\n"
                f"The details are in {visible(where)}"
            )
        )
        self._close_messages_no_wait()

    def on_notify(self, event: Notify) -> None:
        """What was told a moment ago is not told again: a key that is held fills no screen. Nor
        does a long name."""
        new = event.notification
        if not new.markup:  # all that holds names
            new.message = "\n".join(shortened(line, _TOLD) for line in new.message.split("\n"))
        for told in self._notifications:
            same = (told.message, told.title, told.severity) == (
                new.message, new.title, new.severity,
            )  # fmt: skip
            if same and told.time_left > told.timeout / 2:
                event.prevent_default()
                return

    def on_text_area_changed(self) -> None:
        """What can be done with a text, such as to save it, may be something else now."""
        for bar in self.screen.query("#action-bar"):
            bar.refresh()

    on_input_changed = on_text_area_changed

    def on_event_arrived(self, message: EventArrived) -> None:
        self.bridge.deliver(message.event)

    def reason_against(self, action: Action) -> str | None:
        if action.name == "work.suspend":
            from memlens.app.outside import reason_against_stopping

            return reason_against_stopping(self)
        return self.works.reason_against(action.name)

    def do_work_cancel(self) -> None:
        self.works.cancel()

    def do_work_again(self) -> None:
        self.works.again()

    def do_work_suspend(self) -> None:
        from memlens.app.outside import stop

        stop(self)

    def on_work_line_clicked(self) -> None:
        self.perform(BY_NAME["work.cancel"])

    def refresh_css(self, animate: bool = True) -> None:
        if self._furnished:
            work: WorkType[None] = self._recolour
            self.run_worker(work, group="colours", exclusive=True)
        else:  # nobody has seen other colours yet
            super().refresh_css(animate)

    async def _recolour(self) -> None:
        from memlens.app.recolouring import recolour

        assert isinstance(self.stylesheet, Sheets)
        await recolour(self, self.stylesheet)

    def wrap(self, *, on: bool) -> None:
        """Takes it that a person wants long lines wrapped, or not, until they say otherwise."""
        self.wraps = on

    def recall_wrap(self, on: object) -> None:
        """Takes what a person wanted at the last start."""
        if isinstance(on, bool):
            self.wraps = on

    @property
    def chosen_theme(self) -> str:
        """The theme that a person chose; empty where it is what they began with."""
        return self._kept_theme if self.theme == self._first_theme else self.theme

    def recall_theme(self, name: object) -> None:
        """Takes the theme of the last start, unless the settings name one."""
        known = isinstance(name, str) and name in self.available_themes
        if self.workspace.settings.theme or not known:
            return
        if self._first_theme == SIXTEEN.name:  # chosen where there were more colours
            self._kept_theme = str(name)
        else:
            self.theme = str(name)

    def choose_theme(self) -> None:
        """Offers the themes, memlens' own first."""
        from memlens.app.screens.choose import Choice, Choose

        names = sorted(
            self.available_themes, key=lambda name: (not name.startswith("memlens"), name)
        )
        choices = [
            Choice(name, name, "dark" if self.available_themes[name].dark else "light")
            for name in names
        ]

        def choose(name: str | None) -> None:
            if name is not None:
                self.theme = name

        if not isinstance(self.screen, Choose):
            self.push_screen(Choose("Theme", choices, current=names.index(self.theme)), choose)

    def perform_at(self, main: MainScreen, action: Action) -> None:
        """Does any action of the registry, as from a main screen."""
        if action.area == self.AREA:
            self.perform(action)
        else:
            main.perform_by_name(action.name)

    @property
    def main_screen(self) -> MainScreen | None:
        """The uppermost screen that is no dialog."""
        screens = reversed(self.screen_stack)
        return next((one for one in screens if isinstance(one, MainScreen)), None)

    async def action_quit(self) -> None:
        """The framework's own key for leaving asks like any other."""
        if self.main_screen is not None:
            self.main_screen.leave()

    def action_command_palette(self) -> None:
        from memlens.app.screens.palette import Palette

        def do(deed: Callable[[], object] | None) -> None:
            if deed is not None:
                deed()

        main = self.main_screen
        if main is not None and main is self.screen:
            self.push_screen(Palette(self, main), do)
