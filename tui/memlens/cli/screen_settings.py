"""What is wrong with the settings that only the screen understands: its colours and its keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.findings import Finding
    from memlens.engine.settings.load import LoadedSettings


def with_screen(loaded: LoadedSettings) -> LoadedSettings:
    """The settings with these problems, too. A theme or keys that are set take the screen's
    modules to look at; nothing is drawn."""
    return loaded._replace(problems=(*loaded.problems, *_problems(loaded)))


def _problems(loaded: LoadedSettings) -> Iterator[Finding]:
    if loaded.values.theme:
        from textual.theme import BUILTIN_THEMES

        from memlens.app.themes import OWN

        themes = sorted({*BUILTIN_THEMES, *(one.name for one in OWN)})
        if loaded.values.theme not in themes:
            told = f"theme: there is none named {loaded.values.theme}"
            hint = _close(loaded.values.theme, themes) or f"There are {', '.join(themes)}."
            yield _problem(loaded, "theme", "theme", told, hint)
    if loaded.values.keys:
        from memlens.app.actions import BY_NAME

        for name in loaded.values.keys:
            if name not in BY_NAME:
                told = f"keys: there is no action named {name}"
                hint = _close(name, BY_NAME) or "memlens config --keys lists them all."
                yield _problem(loaded, "keys", name, told, hint)


def _close(name: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(known), 1)
    return f"Did you mean {close[0]}?" if close else ""


def _problem(loaded: LoadedSettings, setting: str, name: str, told: str, hint: str) -> Finding:
    from memlens.engine.settings.parse import line_in, problem

    origin = loaded.origins[setting]
    return problem(origin, line_in(origin, name) if origin == loaded.file else 0, told, hint)
