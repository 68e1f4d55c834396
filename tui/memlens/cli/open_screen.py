"""`memlens`, `memlens PATH` and `memlens --demo`: the screen."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.workspace import Workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from memlens import __version__

    parser.add_argument("path", metavar="PATH", nargs="?", help="the project's folder")
    parser.add_argument(
        "--demo", action="store_true", help="open a sample workspace in a temporary folder"
    )
    parser.add_argument("--read-only", action="store_true", help="nothing can be written")
    parser.add_argument(
        "--serve", metavar="PORT", nargs="?", type=int, const=8463,
        help="show it in a browser of this machine (needs the extra memlens[serve])",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"memlens {__version__}")


def run(options: argparse.Namespace) -> int:
    from memlens.cli.common import CommandError, workspace_of

    if options.path and options.root:
        raise CommandError("give the folder once: as PATH or with --root")
    if options.demo and (options.path or options.root):
        raise CommandError("--demo opens a workspace of its own; leave the folder away")
    workspace = None if options.demo else workspace_of(options)
    if options.serve is not None:
        from memlens.cli.serve import serve

        return serve(options, options.serve)
    served = os.environ.get("TEXTUAL_DRIVER")
    if not served and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise CommandError(
            "the screen needs a terminal; for scripts there are memlens context, prompt, memory "
            "and reads"
        )
    if workspace is None:
        from memlens.demo import demo_workspace

        with demo_workspace() as (sample, prepare):
            return _open(sample, {}, read_only=options.read_only, prepare=prepare)
    ask = options.agent is None and _agent_is_open(workspace)
    from memlens.engine.keeping import Keeper

    view = Keeper(workspace.state_dir, workspace.root).view()
    return _open(workspace, view, read_only=options.read_only, ask_agent=ask)


def _agent_is_open(workspace: Workspace) -> bool:
    """Whether to ask which agent a person uses: another than the default one is at home here,
    nothing is set, and nobody has asked before."""
    from memlens.engine.agents import PROFILES
    from memlens.engine.context.layout import default_config_folder
    from memlens.engine.handlers.agents import ASKED
    from memlens.engine.settings import default, load_settings

    usual = PROFILES[default("agent")]
    folders = {default_config_folder(workspace.home, one) for one in PROFILES.values()}
    return (
        load_settings().origins["agent"] == "default"
        and any(folder and os.path.isdir(folder) for folder in folders)
        and usual.name == workspace.agent
        and not os.path.exists(os.path.join(workspace.state_dir, ASKED))
    )


def _open(
    workspace: Workspace,
    view: Mapping[str, Any],
    *,
    read_only: bool,
    ask_agent: bool = False,
    prepare: Callable[[], None] | None = None,
) -> int:
    from memlens.app.app import MemlensApp
    from memlens.app.smooth import run as run_app
    from memlens.cli.screen_settings import with_screen
    from memlens.engine.record import replace
    from memlens.engine.settings import load_settings

    opened = replace(workspace, read_only=read_only)
    wrong = with_screen(load_settings()).problems
    app = MemlensApp(opened, ask_agent=ask_agent, prepare=prepare, view=view, wrong=wrong)
    return run_app(app)
