"""What the settings mean, out of their declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

from memlens.engine.record import fields
from memlens.engine.settings.values import Settings


@dataclass(frozen=True, slots=True)
class About:
    """What a setting means and takes."""

    meaning: str
    """A sentence."""
    choices: tuple[str, ...] = ()
    between: tuple[float, float] | None = None
    """The least and the greatest number."""
    folder: bool = False
    """Whether it is the path of a folder; `~/` stands for home."""
    known: Callable[[], Iterable[str]] | None = None
    """Gives the names that there are, where they are declared elsewhere."""


def agents() -> Iterable[str]:
    """The names of all agents."""
    from memlens.engine.agents import PROFILES

    return PROFILES


def finding_names() -> Iterable[str]:
    """The names of all findings."""
    from memlens.engine.finding_names import DESCRIPTIONS

    return DESCRIPTIONS


@cache
def _about() -> Mapping[str, About]:
    scope = {
        "Annotated": Annotated, "About": About, "Mapping": Mapping,
        "agents": agents, "finding_names": finding_names,
    }  # fmt: skip
    hints = get_type_hints(Settings, globalns=scope, include_extras=True)
    return {name: hints[name].__metadata__[0] for name in names()}


def names() -> tuple[str, ...]:
    """All settings, in the order of their declaration."""
    return fields(Settings)


def about(name: str) -> About:
    """What a setting means and takes."""
    return _about()[name]


def meaning(name: str) -> str:
    """What a setting means, with what it takes, as sentences."""
    declared = about(name)
    text = declared.meaning
    if declared.choices:
        text += f" One of: {', '.join(declared.choices)}."
    if declared.between:
        text += f" From {declared.between[0]:,} to {declared.between[1]:,}."
    return text


def default(name: str) -> Any:
    """The value of a setting that nobody has set."""
    return getattr(Settings(), name)


def template(written: Callable[[object], str]) -> str:
    """A settings file in which everything is a comment; `written` gives a value in TOML."""
    parts = ["# The settings of memlens. Take away the # before what you want to change.\n"]
    plain = [name for name in names() if name != "keys"]
    parts += [f"# {meaning(name)}\n# {name} = {written(default(name))}\n" for name in plain]
    parts.append(f'# {meaning("keys")}\n# [keys]\n# "app.quit" = "ctrl+x"\n')
    return "\n".join(parts)
