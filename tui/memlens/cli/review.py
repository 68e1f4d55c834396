"""`memlens review`: what a change in git does to what agents are told, with a screen or without."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memlens.cli.common import CommandError, for_terminal, workspace_of, write_exactly
from memlens.engine.commands.review import ChangeHook, LoadReview
from memlens.engine.core import Engine
from memlens.engine.events.review import HookChanged, ReviewAnswer, ReviewLoaded, ReviewRefused
from memlens.engine.record import replace

if TYPE_CHECKING:
    import argparse

    from memlens.app.screens.review import ReviewScreen
    from memlens.engine.commands.base import Command
    from memlens.engine.review import Format, Review
    from memlens.engine.workspace import Workspace

FORMATS = ("text", "json", "github", "sarif")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Without an option it reviews what is staged. Exit codes: 0 accepted, 1 rejected (with "
        "--check: errors were found), 2 it could not be done."
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--all", action="store_true", help="everything changed, untracked files included"
    )
    what.add_argument(
        "--range", metavar="A..B", help="commits, such as main..HEAD; A...B: since they parted"
    )
    what.add_argument(
        "--base", metavar="COMMIT",
        help="compare what is staged with COMMIT, such as HEAD~1 for what an amended commit does",
    )  # fmt: skip
    parser.add_argument("--check", action="store_true", help="a report instead of the screen")
    parser.add_argument(
        "--format", choices=FORMATS, help="the report for people (text) or machines"
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument("--strict", action="store_true", help="exit 1 on warnings, too")
    hook = parser.add_mutually_exclusive_group()
    hook.add_argument(
        "--hook", action="store_true",
        help="as run by git: the screen where there is a terminal, else the check",
    )  # fmt: skip
    hook.add_argument(
        "--install-hook", action="store_true", help="have git run it before each commit and merge"
    )
    hook.add_argument(
        "--uninstall-hook", action="store_true", help="take the hook away, put back an older one"
    )


def run(options: argparse.Namespace) -> int:
    _check_words(options)
    workspace = workspace_of(options)
    if options.install_hook or options.uninstall_hook:
        return _change_hook(workspace, install=options.install_hook)
    if options.hook:
        return _hook(workspace)
    command = _command(options)
    if _wants_report(options):
        form: Format = options.format or ("json" if options.json else "text")
        return _report(_load(workspace, command), form, strict=options.strict)
    from memlens.cli.terminal import may_take_terminal

    if not may_take_terminal():
        raise CommandError("the screen needs a terminal; memlens review --check does not")
    return _open(workspace, _screen(command), Engine(workspace))


def _wants_report(options: argparse.Namespace) -> bool:
    return bool(options.check or options.json or options.format or options.strict)


def _check_words(options: argparse.Namespace) -> None:
    if options.json and options.format not in (None, "json"):
        raise CommandError(f"--json is --format json, so --format {options.format} contradicts it")
    about_hook = options.hook or options.install_hook or options.uninstall_hook
    if about_hook and (options.all or options.range or options.base or _wants_report(options)):
        raise CommandError("the options about the hook go with no others")


def _command(options: argparse.Namespace) -> LoadReview:
    if options.range is not None:
        return LoadReview(mode="range", commits=options.range)
    return LoadReview(mode="all" if options.all else "staged", base=options.base or "")


def _change_hook(workspace: Workspace, *, install: bool) -> int:
    done = _answer(workspace, ChangeHook(install=install))
    assert isinstance(done, HookChanged)
    write_exactly(for_terminal(f"{done.path}: {done.message}\n"))
    return 0


def _hook(workspace: Workspace) -> int:
    """What git's hook calls: a commit that changes nothing for agents passes without a word."""
    from memlens.cli.terminal import may_take_terminal

    engine = Engine(workspace)
    try:
        loaded = _ask(engine, LoadReview())
        assert isinstance(loaded, ReviewLoaded)
        review = loaded.review
        if not review.files and not review.findings:
            return 0
        if not may_take_terminal():
            return _report(review, "text", strict=False)
        screen = _screen(LoadReview(), in_hook=True, loaded=loaded)
        code = _open(workspace, screen, engine)
    finally:
        engine.close()
    if code:
        print("memlens: the review stopped this commit", file=sys.stderr)
    return code


def _report(review: Review, form: Format, *, strict: bool) -> int:
    from memlens.engine.review import exit_code, report

    write_exactly(report(review, form))
    return exit_code(review, strict=strict)


def _screen(
    command: LoadReview, *, in_hook: bool = False, loaded: ReviewLoaded | None = None
) -> ReviewScreen:
    from memlens.app.screens.review import ReviewScreen

    return ReviewScreen(command, alone=True, in_hook=in_hook, loaded=loaded)


def _open(workspace: Workspace, screen: ReviewScreen, engine: Engine) -> int:
    """Opens the screen; only an acceptance in so many words is one."""
    from memlens.app.app import MemlensApp
    from memlens.app.smooth import run as run_app
    from memlens.cli.screen_settings import with_screen
    from memlens.cli.terminal import terminal
    from memlens.engine.keeping import Keeper
    from memlens.engine.settings import load_settings

    view = Keeper(workspace.state_dir, workspace.root).view()
    wrong = with_screen(load_settings()).problems
    with terminal():
        app = MemlensApp(workspace, live=False, first=screen, engine=engine, view=view, wrong=wrong)
        code = run_app(app)
    return code if screen.accepted else code or 1


def _load(workspace: Workspace, command: LoadReview) -> Review:
    loaded = _answer(workspace, command)
    assert isinstance(loaded, ReviewLoaded)
    return loaded.review


def _answer(workspace: Workspace, command: Command) -> ReviewAnswer:
    with Engine(workspace) as engine:
        return _ask(engine, command)


def _ask(engine: Engine, command: Command) -> ReviewAnswer:
    engine.start()
    answer = engine.ask(replace(command, request=engine.next_request()), ReviewAnswer)
    if isinstance(answer, ReviewRefused):
        where = f"{answer.where}: " if answer.where else ""
        hint = f"\n{answer.hint[:1].upper()}{answer.hint[1:]}." if answer.hint else ""
        raise CommandError(f"{where}{answer.why}{hint}")
    return answer
