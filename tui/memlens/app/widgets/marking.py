"""Classes of widgets, without styling all that is below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.dom import DOMNode


def mark(node: DOMNode, name: str, *shown: DOMNode, on: bool) -> None:
    """Puts the class `name` on a node or takes it off; only `shown` look different for it.

    The framework would style anew whatever is below the node, which takes as long for a screen as
    drawing it.
    """
    if on != node.has_class(name):
        node.set_class(on, name, update=False)
        node.app.stylesheet.update_nodes(shown, animate=True)
