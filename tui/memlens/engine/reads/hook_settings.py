"""Puts memlens' hooks into a settings file of Claude Code, and takes them out again.

Only what is ours is changed: order, indentation, line ends, unknown keys and everything else stay
byte by byte, and taking out restores what was there before putting in.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from memlens.engine.files import DISK, FileProblem, replace_file
from memlens.engine.reads.json_spans import Span, indent_of, insert, is_spread, remove, spans

_LIMIT: Final = 8 * 1024 * 1024


def _hook(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": 5}


_GROUPS: Final[dict[str, dict[str, Any]]] = {
    "PreToolUse": {
        "matcher": "Write|Edit|MultiEdit|NotebookEdit",
        "hooks": [_hook("memlens hook --guard")],
    },
    "PostToolUse": {
        "matcher": "Read|Write|Edit|MultiEdit|NotebookEdit",
        "hooks": [_hook("memlens hook")],
    },
    "InstructionsLoaded": {"hooks": [_hook("memlens hook")]},
    "SessionStart": {"hooks": [_hook("memlens hook")]},
}


class SettingsProblem(Exception):
    """Why a settings file was left as it is, for people."""


def settings_text() -> str:
    """The entry as a settings file of its own (spec, part D)."""
    groups = {event: [group] for event, group in _GROUPS.items()}
    return json.dumps({"hooks": groups}, indent=2) + "\n"


def install(path: str) -> list[str]:
    """Puts the hooks in. Returns what was done, in sentences.

    A file that is not there is made; a link is followed, and the file behind it written. Raises
    `SettingsProblem` when the file is no JSON object or has something else where hooks belong,
    and `OSError` when the disk refuses; the file then stands as it was.
    """
    real, old = _read(path)
    if old is None:
        os.makedirs(os.path.dirname(real), exist_ok=True)
        replace_file(real, settings_text().encode(), create=True)
        return [f"Made {real} with the hooks of memlens."]
    text, added, kept = _with_hooks(old, real)
    said = _linked(path, real)
    said += [f"{event}: memlens is there already." for event in kept]
    if added:
        _write(real, old, text)
        said += [f"{event}: added memlens." for event in added]
        said.append(f"Changed {real}; nothing else in it was touched.")
    else:
        said.append(f"Nothing to do in {real}.")
    return said


def uninstall(path: str) -> list[str]:
    """Takes the hooks out, wherever they stand. Returns what was done, in sentences.

    Raises as `install` does.
    """
    real, old = _read(path)
    if old is None:
        return [f"Nothing to do: there is no {real}."]
    text, removed = _without_hooks(old, real)
    said = _linked(path, real)
    if not removed:
        return [*said, f"Nothing to do in {real}: memlens is not in it."]
    _write(real, old, text)
    said += [f"{event}: removed memlens." for event in dict.fromkeys(removed)]
    return [*said, f"Changed {real}; nothing else in it was touched."]


def _with_hooks(old: str, real: str) -> tuple[str, list[str], list[str]]:
    """The text with the hooks, the events that were added, and those that had them."""
    text = old
    newline = "\r\n" if "\r\n" in text else "\n"
    added, kept = [], []
    for event, group in _GROUPS.items():
        root = _parsed(text, real)
        step = _step(text, root)
        hooks = root.get("hooks")
        if hooks is None:
            indent = step
            item = f'"hooks": {_json({event: [group]}, indent, step, newline)}'
            text = insert(text, root, item, newline=newline, indent=indent, inline=False)
            added.append(event)
            continue
        if hooks.kind != "object":
            raise SettingsProblem(f"{real}: `hooks` is no object, so it was left as it is")
        groups = hooks.get(event)
        if groups is None:
            indent = _inner(text, hooks, step)
            item = f"{json.dumps(event)}: {_json([group], indent, step, newline)}"
            text = insert(text, hooks, item, newline=newline, indent=indent, inline=True)
        elif groups.kind != "array":
            raise SettingsProblem(f"{real}: `hooks.{event}` is no list, so it was left as it is")
        elif _ours(groups) is not None:
            kept.append(event)
            continue
        else:
            indent = _inner(text, groups, step)
            item = _json(group, indent, step, newline)
            text = insert(text, groups, item, newline=newline, indent=indent, inline=True)
        added.append(event)
    return text, added, kept


def _without_hooks(old: str, real: str) -> tuple[str, list[str]]:
    """The text without our hooks, and the events they were taken from."""
    text = old
    removed: list[str] = []
    while True:
        root = _parsed(text, real)
        hooks = root.get("hooks")
        found = _first_of_ours(hooks)
        if hooks is None or found is None:
            return text, removed
        event, place, group, hook = found
        removed.append(event)
        groups = hooks.items[place]
        entries = groups.items[group].get("hooks")
        if entries is not None and len(entries.items) > 1:
            text = remove(text, entries, hook)
        elif len(groups.items) > 1 or not is_spread(text, groups):
            text = remove(text, groups, group)
        elif len(hooks.items) > 1 or not is_spread(text, hooks):
            text = remove(text, hooks, place)
        else:
            names = [name for name, _ in root.members]
            text = remove(text, root, len(names) - 1 - names[::-1].index("hooks"))


def _first_of_ours(hooks: Span | None) -> tuple[str, int, int, int] | None:
    """Event, its index, that of the group and of the hook in it."""
    if hooks is not None and hooks.kind == "object":
        # From the end: what was put in last goes first, so each removal undoes one insertion.
        for place in range(len(hooks.items) - 1, -1, -1):
            found = _ours(hooks.items[place])
            if found is not None:
                return hooks.members[place][0], place, *found
    return None


def _ours(groups: Span) -> tuple[int, int] | None:
    """The group and the hook in it that is memlens', in the hooks of one event."""
    for number in range(len(groups.items) - 1, -1, -1) if groups.kind == "array" else ():
        group = groups.items[number]
        entries = group.get("hooks") if group.kind == "object" else None
        for index, entry in enumerate(entries.items if entries is not None else ()):
            command = entry.get("command") if entry.kind == "object" else None
            words = command.value.split() if command is not None else []
            if len(words) > 1 and os.path.basename(words[0]) == "memlens" and words[1] == "hook":
                return number, index
    return None


def _read(path: str) -> tuple[str, str | None]:
    """The real path and the text of a settings file; no text when there is no file."""
    real = DISK.real_path(os.path.abspath(os.path.expanduser(path)))
    try:
        data, _ = DISK.read(real, _LIMIT)
        return real, data.decode("utf-8")
    except FileProblem as problem:
        if problem.kind == "missing":
            return real, None
        raise SettingsProblem(f"{real}: {problem}") from None
    except UnicodeDecodeError:
        raise SettingsProblem(f"{real} is not UTF-8, so it was left as it is") from None


def _write(real: str, old: str, text: str) -> None:
    def check() -> None:
        if _read(real)[1] != old:
            raise SettingsProblem(f"{real} was changed meanwhile, so it was left as it is")

    check()
    _parsed(text, real)
    replace_file(real, text.encode("utf-8"), check=check)


def _parsed(text: str, real: str) -> Span:
    try:
        if not isinstance(json.loads(text.removeprefix("\ufeff")), dict):
            raise SettingsProblem(f"{real} is no JSON object, so it was left as it is")
        # A mark at the start is no JSON; a blank keeps all places the same.
        return spans(" " + text[1:] if text.startswith("\ufeff") else text)
    except (ValueError, RecursionError) as error:
        raise SettingsProblem(f"{real} is no JSON, so it was left as it is: {error}") from None


def _linked(path: str, real: str) -> list[str]:
    name = os.path.abspath(os.path.expanduser(path))
    return [f"{name} is a link; its target is meant."] if os.path.islink(name) else []


def _step(text: str, root: Span) -> str:
    """One step of the file's indentation."""
    starts = root.starts()
    if starts and "\n" in text[root.start : starts[0]]:
        return indent_of(text, starts[0]) or "  "
    return "  "


def _inner(text: str, box: Span, step: str) -> str:
    """The indentation of a container's items."""
    starts = box.starts()
    if starts and "\n" in text[box.start : starts[0]]:
        return indent_of(text, starts[0])
    return indent_of(text, box.start) + step


def _json(value: object, indent: str, step: str, newline: str) -> str:
    lines = json.dumps(value, indent=step).split("\n")
    return (newline + indent).join(lines)
