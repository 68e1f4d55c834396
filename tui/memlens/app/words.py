"""Words for amounts that several panes show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.events.base import Progress
    from memlens.engine.events.workspace import ContextLoaded

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def at_home(path: str, home: str | None) -> str:
    """A path as a person would write it: `~` for their home."""
    prefix = home.rstrip("/") + "/" if home else ""
    return f"~/{path[len(prefix) :]}" if prefix and path.startswith(prefix) else path


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters: where it has more, its middle gives way to `…`."""
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end].rstrip()}…{text[len(text) - end :].lstrip()}"


def gone_words(loaded: ContextLoaded) -> str:
    """What an empty pane says where the folder itself cannot be looked into; empty where it can."""
    words = f"The folder {loaded.root} {loaded.gone}.\n\nF5 looks again when it is back; q leaves."
    return words if loaded.gone else ""


def for_shell(path: str, home: str | None) -> str:
    """A path as a person would type it behind a command: `~` for their home, quoted if need be."""
    import shlex

    short = at_home(path, home)
    return f"~/{shlex.quote(short[2:])}" if short != path else shlex.quote(path)


def age_words(seconds: float) -> str:
    """An age in at most four cells: `now`, `5m`, `3h`, `12d`, `7mo`, `3y`."""
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)}m"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)}h"
    days = int(seconds // _DAY)
    if days < 100:
        return f"{days}d"
    return f"{days // 30}mo" if days < 730 else f"{days // 365}y"


def progress_words(progress: Progress) -> str:
    """What is being done and how far it is: `reading the session 38 %`, `loading facts 3,200`."""
    if progress.total:
        return f"{progress.what} {min(99, 100 * progress.done // progress.total)} %"
    return f"{progress.what} {progress.done:,}" if progress.done else progress.what
