"""Other colours for screens that somebody looks at, a few widgets at a time.

The framework parses all sheets anew, styles all widgets of all screens and draws everything, in one
step. That takes longer than anything else that a key can ask for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from memlens.app.screens.quick import QuickScreen

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from memlens.app.app import MemlensApp
    from memlens.app.sheets import Sheets

FEW: Final = 6
"""Widgets that are styled in one step: about five milliseconds."""


async def recolour(app: MemlensApp, sheets: Sheets) -> None:
    """Styles all widgets for the theme of now."""
    for screen in app.screen_stack:
        if isinstance(screen, QuickScreen):
            screen.styled()
    await sheets.recolour(app.get_css_variables())
    nodes: list[DOMNode] = [app]
    for screen in reversed(app.screen_stack):
        nodes += screen.walk_children(with_self=True)
    for start in range(0, len(nodes), FEW):
        sheets.update_nodes(node for node in nodes[start : start + FEW] if node.is_attached)
        await asyncio.sleep(0)
