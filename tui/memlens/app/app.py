"""The Textual app: it opens the screen on a workspace, and holds nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.command import CommandPalette

from memlens.app.actions import ACTIONS, AREAS
from memlens.app.bridge import Bridge, EventArrived
from memlens.app.ending import Ending
from memlens.app.screens.choose import Choice, Choose
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.themes import DARK, LIGHT
from memlens.engine import Engine, Workspace, open_workspace

if TYPE_CHECKING:
    from textual.screen import Screen

STYLES = ("lines", "tree", "preview", "editor", "memories", "reads", "review", "dialogs")
"""The sheets beside the main one, an area each."""
PATIENCE = 2.0
"""Seconds that an end from outside waits for what the engine still has to write."""


class MemlensApp(App[None]):
    """memlens on one folder. Raises `NoWorkspaceError` where that cannot be opened."""

    TITLE = "memlens"
    CSS_PATH: ClassVar = ["memlens.tcss", *(f"styles/{part}.tcss" for part in STYLES)]
    BINDINGS: ClassVar = []
    ENABLE_COMMAND_PALETTE = False  # the registry binds its key

    def __init__(
        self,
        root: str | os.PathLike[str] | Workspace,
        *,
        home: str | os.PathLike[str] | None = None,
        agent: str | None = None,
        read_only: bool = False,
        live: bool = True,
    ) -> None:
        super().__init__()
        self.workspace = (
            root
            if isinstance(root, Workspace)
            else open_workspace(root, home=home, agent=agent, read_only=read_only)
        )
        self.engine = Engine(self.workspace, live=live)
        self.bridge = Bridge(self, self.engine.bus)
        self._ending = Ending(self._end)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        settings = self.workspace.settings
        self.theme = settings.theme if settings.theme in self.available_themes else DARK.name
        if settings.keys:
            self.set_keymap(dict(settings.keys))

    @property
    def folder_label(self) -> str:
        """The folder as a person would name it."""
        root, home = self.workspace.root, self.workspace.home
        if home and (root == home or root.startswith(home.rstrip("/") + "/")):
            return "~" + root[len(home.rstrip("/")) :]
        return root

    def on_mount(self) -> None:
        if not self.is_headless:
            self._ending.watch()
        self.engine.start()
        self.push_screen(WorkspaceScreen())

    def on_unmount(self) -> None:
        self._ending.close()
        self.bridge.close()
        self.engine.close()

    def _end(self, code: int) -> None:
        """Ends because something outside wants it: unsaved text is kept first."""
        for screen in self.screen_stack:
            if isinstance(screen, WorkspaceScreen) and screen.recovery is not None:
                screen.recovery.keep()
        self.engine.drain(PATIENCE)
        self.exit(return_code=code)

    def on_event_arrived(self, message: EventArrived) -> None:
        self.bridge.deliver(message.event)

    def watch_theme(self, _: str) -> None:
        for screen in self.screen_stack if self.is_running else ():
            if isinstance(screen, WorkspaceScreen):
                screen.keep_view_soon()

    def recall_theme(self, name: object) -> None:
        """Takes the theme of the last start, unless the settings name one."""
        if not self.workspace.settings.theme and name in self.available_themes:
            self.theme = str(name)

    def choose_theme(self) -> None:
        """Offers the themes, memlens' own first."""
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

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers: the registry."""
        workspace = next(
            (one for one in self.screen_stack if isinstance(one, WorkspaceScreen)), None
        )
        if workspace is not None:
            for action in ACTIONS:
                if action.name == "app.palette":
                    continue
                area = "" if action.area == "app" else f"{AREAS[action.area]}: "
                yield SystemCommand(
                    f"{area}{action.title}",
                    action.sentence,
                    lambda name=action.name: workspace.perform_by_name(name),
                )
        yield SystemCommand(
            "Screenshot", "Save a picture of the screen (SVG).", self.deliver_screenshot
        )

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(id="--command-palette"))
