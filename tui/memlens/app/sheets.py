"""The app's style sheets: read once for each theme, beside the loop where somebody is looking; the
styles of parts only when needed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from textual.css.styles import RenderStyles


class Sheets(Stylesheet):
    """Keeps what it has parsed while the theme's colours stay the same, and works out how a part of
    a widget looks when it is drawn.

    The framework asks for all of the sheets anew at each start, and that takes as long as a first
    frame. For the parts of all widgets below a node whose class changes, seen or not, it takes as
    much time as for the widgets themselves.
    """

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        self.parse()

    async def recolour(self, variables: dict[str, str]) -> None:
        """Takes other colours, with all sheets parsed for them on a thread."""
        while True:
            other = Sheets(variables=variables)
            other.source = dict(self.source)
            await asyncio.to_thread(other.prepare)
            if other.source == self.source:  # no widget has brought its own meanwhile
                break
        self.set_variables(variables)
        self._rules, self._rules_map = other._rules, other._rules_map
        self._require_parse = False

    def prepare(self) -> None:
        """Parses all sheets, and sorts the rules by what they apply to."""
        self.parse()
        self.rules_map  # noqa: B018 - worked out when it is asked for

    def _process_component_classes(self, node: DOMNode) -> None:
        names = node._get_component_classes()  # noqa: SLF001 - what it is called with
        if not names:
            return
        before = node._component_styles  # noqa: SLF001
        parts = _Parts(self, node, names)
        node._component_styles = parts  # noqa: SLF001
        if any(parts[name] != styles for name, styles in before.items() if name in names):
            node.refresh()


class _Parts(dict[str, "RenderStyles"]):
    """How the parts of a widget look; holds those that were asked for."""

    def __init__(self, sheets: Sheets, node: DOMNode, names: AbstractSet[str]) -> None:
        super().__init__()
        self._sheets: Final = sheets
        self._node: Final = node
        self._names: Final = names

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __missing__(self, name: str) -> RenderStyles:
        part = DOMNode(classes=name)
        part._attach(self._node)  # noqa: SLF001 - what the framework does for its own
        self._sheets.apply(part, animate=False)
        self[name] = part.styles
        return part.styles
