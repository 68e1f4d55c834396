"""What is wrong with the settings that only the screen understands: its colours and its keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.findings import Finding
    from memlens.engine.settings.load import LoadedSettings


def with_screen(loaded: LoadedSettings) -> LoadedSettings:
    """The settings with these problems, too. A theme or keys that are set take the screen's
    modules to look at; nothing is drawn."""
    return loaded._replace(problems=(*loaded.problems, *_problems(loaded)))


def _problems(loaded: LoadedSettings) -> Iterator[Finding]:
    from memlens.engine.settings.parse import suggestion

    if loaded.values.theme:
        from textual.theme import BUILTIN_THEMES

        from memlens.app.themes import OWN

        themes = sorted({*BUILTIN_THEMES, *(one.name for one in OWN)})
        if loaded.values.theme not in themes:
            told = f"theme: there is none named {loaded.values.theme}"
            hint = suggestion(loaded.values.theme, themes) or f"There are {', '.join(themes)}."
            yield _problem(loaded, "theme", "theme", told, hint)
    if loaded.values.keys:
        from memlens.app.actions import BY_NAME
        from memlens.app.actions.keys import is_key, key_name

        for name, keys in loaded.values.keys.items():
            for key in map(str.strip, keys.split(",")):
                if not is_key(key_name(key)):
                    told = f"keys: {name}: there is no key named {key!r}"
                    hint = "memlens config --keys shows how keys are written."
                    yield _problem(loaded, "keys", name, told, hint)
            if name not in BY_NAME:
                told = f"keys: there is no action named {name}"
                hint = suggestion(name, BY_NAME) or "memlens config --keys lists them all."
                yield _problem(loaded, "keys", name, told, hint)
        yield from sorted(_collisions(loaded), key=lambda one: one.line)


def _collisions(loaded: LoadedSettings) -> Iterator[Finding]:
    """One for each key that an action of the settings takes from others, or does not get."""
    from memlens.app.actions import BY_NAME, key_sign
    from memlens.app.actions.collisions import collisions
    from memlens.app.actions.keys import own_keys

    own = own_keys(loaded.values.keys)
    taken: dict[tuple[str, str, str], list[str]] = {}
    for one in collisions(own):
        wished = one.hidden in own and one.key not in BY_NAME[one.hidden].keys
        told = "{1} does not do {0} where it does {2}" if wished else "{0} takes {1} from {2}"
        name, other = (one.hidden, one.done) if wished else (one.done, one.hidden)
        taken.setdefault((told, name, key_sign(one.key)), []).append(other)
    for (told, name, key), others in taken.items():
        hint = "Give one of them another key; memlens config --keys lists them all."
        words = told.format(name, key, ", ".join(others))
        yield _problem(loaded, "keys", name, f"keys: {words}", hint)


def _problem(loaded: LoadedSettings, setting: str, name: str, told: str, hint: str) -> Finding:
    from memlens.engine.settings.parse import line_in, problem

    origin = loaded.origins[setting]
    line = line_in(origin, name) or line_in(origin, setting) if origin == loaded.file else 0
    return problem(origin, line, told, hint)
