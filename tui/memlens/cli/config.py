"""`memlens config`: the settings in force, where they come from, and what is wrong with them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from memlens.cli.common import CommandError, print_json, print_text, table
from memlens.cli.screen_settings import with_screen
from memlens.engine.settings import (
    VARIABLES,
    LoadedSettings,
    default,
    load_settings,
    meaning,
    names,
    template,
)
from memlens.engine.visible import visible

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "settings:\n" + "\n".join(
        f"  {name} = {to_toml(default(name))}\n      {meaning(name)}" for name in names()
    )
    parser.epilog += "\n\nvariables beside those of the settings, MEMLENS_<NAME>:\n" + "\n".join(
        f"  {name}\n      {about}" for name, about in VARIABLES.items()
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--edit", action="store_true", help="open the file in $VISUAL or $EDITOR")
    what.add_argument("--check", action="store_true", help="only what is wrong; exit 1 if anything")
    what.add_argument("--keys", action="store_true", help="the screen's actions, by name and key")
    what.add_argument("--path", action="store_true", help="print where the file is")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    loaded = with_screen(load_settings())
    if not loaded.file:
        raise CommandError("there is no home folder, so there is no place for settings")
    if options.path:
        print_text(loaded.file)
        return 0
    if options.keys:
        _show_keys(loaded, as_json=options.json)
        return 0
    if options.edit:
        _edit(loaded.file)
        loaded = with_screen(load_settings())
        _print_problems(loaded)
        return 1 if loaded.problems else 0
    if options.check:
        if options.json:
            print_json({"findings": _problems(loaded)})
        else:
            _print_problems(loaded, sys.stdout)
        return 1 if loaded.problems else 0
    _show(loaded, as_json=options.json)
    return 0


def _show(loaded: LoadedSettings, *, as_json: bool) -> None:
    values = {name: getattr(loaded.values, name) for name in names()}
    if as_json:
        settings = {
            name: {"value": value, "origin": loaded.origins[name]} for name, value in values.items()
        }
        print_json({"file": loaded.file, "settings": settings, "findings": _problems(loaded)})
        return
    exists = "" if os.path.exists(loaded.file) else "  (not there; memlens config --edit makes it)"
    rows = [(name, to_toml(value), loaded.origins[name]) for name, value in values.items()]
    print_text(f"{loaded.file}{exists}\n\n{table(rows)}")
    _print_problems(loaded)


def _show_keys(loaded: LoadedSettings, *, as_json: bool) -> None:
    from memlens.app.actions import ACTIONS
    from memlens.app.actions.keys import own_keys

    own = own_keys(loaded.values.keys)
    keys = {one.name: own[one.name].split(",") if one.name in own else one.keys for one in ACTIONS}
    if as_json:
        actions = [
            {"name": one.name, "keys": list(keys[one.name]), "title": one.title,
             "sentence": one.sentence}
            for one in ACTIONS
        ]  # fmt: skip
        print_json({"actions": actions})
    else:
        print_text(table([(one.name, ",".join(keys[one.name]), one.sentence) for one in ACTIONS]))


def _problems(loaded: LoadedSettings) -> list[dict[str, Any]]:
    from memlens.cli.context import finding_json

    return [finding_json(problem) for problem in loaded.problems]


def _print_problems(loaded: LoadedSettings, stream: Any = None) -> None:
    for problem in loaded.problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        print(visible(f"{place}: {problem.message}. {problem.hint}"), file=stream or sys.stderr)


def to_toml(value: object) -> str:
    """A setting's value as a settings file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(to_toml(one) for one in value) + "]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{to_toml(name)} = {to_toml(one)}" for name, one in value.items())
        return "{ " + pairs + " }" if pairs else "{}"
    return f"{value}"


def make_file(path: str) -> None:
    """Makes a settings file with every setting as a comment, where there is none.

    Raises `OSError` when the disk refuses.
    """
    from memlens.engine.files import make_folders, replace_file

    if os.path.lexists(path):
        return
    make_folders(os.path.dirname(path))
    try:
        replace_file(path, template(to_toml).encode(), create=True)
    except FileExistsError:  # somebody else was faster
        return


def _edit(path: str) -> None:
    import subprocess

    from memlens.engine.editor import NoEditorError, editor_command

    try:
        command = editor_command(path)
    except NoEditorError as error:
        raise CommandError(str(error)) from None
    make_file(path)
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise CommandError(f"{command[0]} cannot be started: {error.strerror}") from None
    if code:
        raise CommandError(f"{command[0]} ended with {code}")
