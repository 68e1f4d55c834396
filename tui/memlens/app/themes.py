"""memlens' own colours, dark and light."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="memlens", dark=True,
    primary="#7aa2f7", secondary="#9ece6a", accent="#e0af68", foreground="#c0caf5",
    background="#16161e", surface="#1a1b26", panel="#24283b",
    success="#9ece6a", warning="#e0af68", error="#f7768e",
    variables={"border": "#7aa2f7", "border-blurred": "#3b4261"},
)  # fmt: skip
LIGHT: Final = Theme(
    name="memlens-light", dark=False,
    primary="#2e5aac", secondary="#3d7a1f", accent="#8f5e15", foreground="#343b58",
    background="#f4f4f8", surface="#ffffff", panel="#e4e6f0",
    success="#33691e", warning="#8f5e15", error="#b3264a",
    variables={"border": "#2e5aac", "border-blurred": "#b8bccf"},
)  # fmt: skip
