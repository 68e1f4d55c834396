"""What panes tell one another, over the screen's bus, without knowing one another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePointed:
    """A person points at a place in a source of the prompt; who shows it goes there."""

    file: str
    """Absolute; empty for what comes from no file."""
    line: int
    """From 1; 0: the beginning of its part of the prompt."""
    origin: str
    """The id of the pane that was used, which stays where it is."""
    at: int = 0
    """The line of the prompt, from 1, where it is known."""
    offset: int = -1
    """The character of the prompt, where one inside a line is meant; else -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaneWanted:
    """A person wants to go on in another pane."""

    area: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditWanted:
    """A person wants to edit a file; the editor opens it."""

    file: str
    """Absolute."""
    line: int
    """From 1."""
    origin: str
    """The area that is gone back to when the editor closes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchWanted:
    """A person wants to see what an agent is given when it touches a path."""

    path: str
    """What the question for the path begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPointed:
    """A person points at a durable fact; who shows facts goes there."""

    file: str
    """Absolute."""
