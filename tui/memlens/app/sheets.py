"""The app's style sheets, read once for each theme."""

from __future__ import annotations

from textual.css.stylesheet import Stylesheet


class Sheets(Stylesheet):
    """Keeps what it has parsed while the theme's colours stay the same.

    The framework asks for all of it anew at each start, and that takes as long as a first frame.
    """

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        self.parse()
