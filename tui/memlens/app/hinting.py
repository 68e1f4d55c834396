"""Widgets whose own keys the footer tells; apart from them, so that it need not import them."""

from __future__ import annotations

from typing import ClassVar

from textual.dom import DOMNode


class Hinting(DOMNode):
    """Mixed into a widget that letters go into: its keys are told while it has the focus."""

    HINTS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Keys, and what they do here."""
