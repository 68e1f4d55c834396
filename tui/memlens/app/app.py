"""The Textual app: it opens the screen on a workspace, and holds nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.theme import Theme

from memlens.app.actions import ACTIONS, AREAS
from memlens.app.bridge import Bridge, EventArrived
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.engine import Engine, Workspace, open_workspace

if TYPE_CHECKING:
    from textual.screen import Screen

DARK = Theme(
    name="memlens", dark=True,
    primary="#7aa2f7", secondary="#9ece6a", accent="#e0af68", foreground="#c0caf5",
    background="#16161e", surface="#1a1b26", panel="#24283b",
    success="#9ece6a", warning="#e0af68", error="#f7768e",
    variables={"border": "#7aa2f7", "border-blurred": "#3b4261"},
)  # fmt: skip
LIGHT = Theme(
    name="memlens-light", dark=False,
    primary="#2e5aac", secondary="#3d7a1f", accent="#8f5e15", foreground="#343b58",
    background="#f4f4f8", surface="#ffffff", panel="#e4e6f0",
    success="#33691e", warning="#8f5e15", error="#b3264a",
    variables={"border": "#2e5aac", "border-blurred": "#b8bccf"},
)  # fmt: skip


class MemlensApp(App[None]):
    """memlens on one folder. Raises `NoWorkspaceError` where that cannot be opened."""

    TITLE = "memlens"
    CSS_PATH = [
        "memlens.tcss",
        *(f"styles/{part}.tcss" for part in (
            "lines", "tree", "preview", "memories", "reads", "dialogs",
        )),
    ]  # fmt: skip
    BINDINGS: ClassVar = []
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

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
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    @property
    def folder_label(self) -> str:
        """The folder as a person would name it."""
        root, home = self.workspace.root, self.workspace.home
        if home and (root == home or root.startswith(home.rstrip("/") + "/")):
            return "~" + root[len(home.rstrip("/")) :]
        return root

    def on_mount(self) -> None:
        self.engine.start()
        self.push_screen(WorkspaceScreen())

    def on_unmount(self) -> None:
        self.bridge.close()
        self.engine.close()

    def on_event_arrived(self, message: EventArrived) -> None:
        self.bridge.deliver(message.event)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers: the registry, and the framework's themes."""
        workspace = next(
            (one for one in self.screen_stack if isinstance(one, WorkspaceScreen)), None
        )
        if workspace is not None:
            for action in ACTIONS:
                if action.name != "app.palette":
                    yield SystemCommand(
                        f"{AREAS[action.area]}: {action.title}"
                        if action.area != "app"
                        else action.title,
                        action.sentence,
                        lambda name=action.name: workspace.perform_by_name(name),
                    )
        yield SystemCommand("Theme", "Choose the colours.", self.action_change_theme)
        yield SystemCommand(
            "Screenshot", "Save a picture of the screen (SVG).", self.deliver_screenshot
        )

    def action_command_palette(self) -> None:
        if self.use_command_palette and not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(id="--command-palette"))
