"""The words behind `memlens hook`, apart from the one that a hook call needs."""

from __future__ import annotations

import os
import sys

from memlens.engine.log import log
from memlens.engine.places import claude_dir

HELP = """\
usage: memlens hook [--guard]
       memlens hook --print-settings
       memlens hook --install [PATH] | --uninstall [PATH]

Takes one hook call of Claude Code from standard input and journals what was
read or written.

  --guard           refuse writes to files that were not read, or have changed
  --print-settings  print the entry for a settings file
  --install         put that entry into the settings file PATH, and touch
                    nothing else in it
  --uninstall       take it out again
  --agent NAME      who is journalled (default: claude)
  --home DIR        whose settings, where no PATH is given

Without one of the settings options the exit code is always 0, so that the
agent goes on.
"""
_TASKS = ("--help", "-h", "--print-settings", "--install", "--uninstall")


class _Usage(Exception):
    pass


def ask(arguments: list[str]) -> tuple[bool, str] | int:
    """Does what the words ask for and returns the exit code; or, when a hook call is to be
    handled, whether to guard and who is journalled."""
    from memlens.engine.reads.hook import AGENT

    try:
        options, task, place = _parse(arguments)
    except _Usage as error:
        if sys.stderr is not None:  # else it would come out as an answer to the agent
            print(f"memlens hook: {error}", file=sys.stderr)
        if any(word.partition("=")[0] in _TASKS for word in arguments) or _at_terminal():
            return 2
        log(f"not run: {error}")
        return 0
    if task:
        return _settings(task, place, options.get("--home"))
    return "--guard" in options, options.get("--agent", AGENT)


def _parse(arguments: list[str]) -> tuple[dict[str, str], str, str | None]:
    """The options, the task and its path. Raises `_Usage`."""
    options: dict[str, str] = {}
    task, place = "", None
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--guard":
            options[word] = ""
        elif name in ("--agent", "--home", "--root"):
            given = value if equals else next(words, None)
            if not given:
                raise _Usage(f"{name} needs a value")
            options[name] = given
        elif word in _TASKS or name in ("--install", "--uninstall"):
            if task:
                raise _Usage(f"{task} and {name} do not go together")
            task, place = name, value or None
        elif task in ("--install", "--uninstall") and place is None and word[:1] != "-":
            place = word
        else:
            raise _Usage(f"unknown: {word[:200]!r}; see --help")
    return options, task, place


def _settings(task: str, place: str | None, home: str | None) -> int:
    if task in ("--help", "-h"):
        sys.stdout.write(HELP)
        return 0
    from memlens.engine.reads import hook_settings

    if task == "--print-settings":
        sys.stdout.write(hook_settings.settings_text())
        return 0
    try:
        path = place or os.path.join(claude_dir(home), "settings.json")
        change = hook_settings.install if task == "--install" else hook_settings.uninstall
        for sentence in change(path):
            print(sentence)
    except (hook_settings.SettingsProblem, OSError, RuntimeError) as error:
        print(f"memlens hook: {error}", file=sys.stderr)
        return 2
    return 0


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
