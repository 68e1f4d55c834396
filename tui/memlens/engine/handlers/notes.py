"""Where the agent of a workspace keeps notes of its own."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.configured import AutoFolder, Configured
    from memlens.engine.workspace import Workspace


def configured_for(workspace: Workspace) -> Configured | None:
    """What the agent's settings say here; None for an agent without settings."""
    from memlens.engine.agents import PROFILES

    profile = PROFILES[workspace.agent]
    if profile.configuration is None:
        return None
    import os

    from memlens.engine.configured import Configured
    from memlens.engine.context.layout import default_config_folder
    from memlens.engine.files import DISK

    home = os.path.realpath(workspace.home) if workspace.home else None
    config = default_config_folder(workspace.home, profile)
    return Configured(
        profile, DISK, workspace.root,
        home=home, config_folder=os.path.realpath(config) if config else None,
        managed_folder=workspace.settings.managed_folder,
    )  # fmt: skip


def notes_place(workspace: Workspace) -> tuple[Configured, AutoFolder] | None:
    """The settings and the folder of the notes; None where the agent keeps none."""
    configured = configured_for(workspace)
    if configured is None:
        return None
    from memlens.engine.configured import auto_folder

    folder = auto_folder(configured)
    return None if folder is None or not folder.path or folder.off else (configured, folder)


def notes_folder(workspace: Workspace) -> str | None:
    """The folder of the notes; None where the agent keeps none."""
    place = notes_place(workspace)
    return None if place is None else place[1].path
