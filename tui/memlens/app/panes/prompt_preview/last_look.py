"""What has changed in the prompt since a person looked at it last, and where."""

from __future__ import annotations

from typing import NamedTuple

from memlens.engine.commands.looks import FindChanges


class Marks(NamedTuple):
    """What has changed since the last look. Lines of the prompt from 1."""

    new: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    """Lines before which others stood."""

    def line_from(self, here: int, step: int) -> int:
        """The next change behind a line, or with a negative `step` the one before it; at the end
        it goes on at the other. Of changed lines that follow one another it is the first. There
        must be one."""
        changed = self.new | self.gone
        starts = sorted(one for one in changed if one - 1 not in changed)
        if step > 0:
            return next((one for one in starts if one > here), starts[0])
        return next((one for one in reversed(starts) if one < here), starts[-1])


class LastLook:
    """The prompt as the person saw it last, and what is marked because of it."""

    def __init__(self) -> None:
        self.text = ""
        self.marks = Marks()
        self._begun = False

    def begin(self, text: str) -> None:
        """The first prompt that is shown counts as seen."""
        if not self._begun:
            self._begun = True
            self.text = text

    def renew(self, text: str) -> FindChanges | None:
        """Takes the marks off, because the prompt is another one; gives the question what has
        changed, where something has."""
        self.marks = Marks()
        return FindChanges(before=self.text, after=text) if text != self.text else None

    def see(self, text: str) -> None:
        """The person has seen the prompt as it is now."""
        self.text = text
        self.marks = Marks()
