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


@dataclass(frozen=True, slots=True, kw_only=True)
class PaneWanted:
    """A person wants to go on in another pane."""

    area: str
