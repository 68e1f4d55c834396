"""The screen: panes and dialogs that know the bus and its messages, and nothing below."""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.app.app import MemlensApp

__all__ = ["MemlensApp"]

__getattr__ = resolver(__name__, {"MemlensApp": ".app"})
