"""memlens' own colours, dark, light and for sixteen; and what other themes lack, worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.theme import Theme

if TYPE_CHECKING:
    from textual.color import Color

# Names that the style sheets use beside the framework's: `ink-…` is text, `scope-…` the scopes.
_DARK: Final = {
    "ink-accent": "#e0af68", "ink-heading": "#7aa2f7", "ink-note": "#9ece6a",
    "ink-faint": "#6c7085", "ink-key": "#e0af68", "ink-off": "#74788d",
    "ink-ok": "#a9d47c", "ink-warning": "#e7bd7f", "ink-error": "#f78ba0",
    "ink-added": "#a9d47c", "added-ground": "#262f26",
    "ink-removed": "#f78ba0", "removed-ground": "#38242f",
    "ink-hidden": "#ffc2ce", "hidden-ground": "#5a2b3a",
    "cursor-ground": "#343f5e", "ink-cursor": "#c0caf5", "cursor-style": "none",
    "resting-ground": "#22252f", "resting-style": "none",
    "tab-style": "bold", "off-style": "none",
    "tab-ground": "#7aa2f7", "ink-tab": "#16161e",
    "scope-user": "#bb9af7", "scope-managed": "#ff9e64", "scope-ancestor": "#7dcfff",
    "scope-project": "#7aa2f7", "scope-local": "#73daca", "scope-nested": "#b4a07a",
    "scope-index": "#e0af68", "scope-ink": "#16161e",
}  # fmt: skip
_LIGHT: Final = {
    "ink-accent": "#7d5212", "ink-heading": "#2e5aac", "ink-note": "#33691e",
    "ink-faint": "#75798e", "ink-key": "#7d5212", "ink-off": "#777b8f",
    "ink-ok": "#2a5719", "ink-warning": "#77500f", "ink-error": "#9e2142",
    "ink-added": "#245014", "added-ground": "#d9e6d2",
    "ink-removed": "#8f1e3b", "removed-ground": "#f2d8df",
    "ink-hidden": "#7a1530", "hidden-ground": "#ecb9c6",
    "cursor-ground": "#b8c6e2", "ink-cursor": "#23283d", "cursor-style": "none",
    "resting-ground": "#e6e9f2", "resting-style": "none",
    "tab-style": "bold", "off-style": "none",
    "tab-ground": "#2e5aac", "ink-tab": "#f4f4f8",
    "scope-user": "#7847bd", "scope-managed": "#a3530c", "scope-ancestor": "#0e6b8c",
    "scope-project": "#2e5aac", "scope-local": "#1f6f62", "scope-nested": "#73633c",
    "scope-index": "#8f5e15", "scope-ink": "#ffffff",
}  # fmt: skip
_SIXTEEN: Final = {
    "ink-accent": "ansi_bright_yellow", "ink-heading": "ansi_bright_cyan",
    "ink-note": "ansi_green", "ink-faint": "ansi_bright_black", "ink-key": "ansi_bright_yellow",
    "ink-off": "ansi_bright_black", "ink-ok": "ansi_bright_green",
    "ink-warning": "ansi_bright_yellow", "ink-error": "ansi_bright_red",
    "ink-added": "ansi_bright_green",
    "added-ground": "ansi_default", "ink-removed": "ansi_bright_red",
    "removed-ground": "ansi_default", "ink-hidden": "ansi_bright_white",
    "hidden-ground": "ansi_red", "cursor-ground": "ansi_default", "ink-cursor": "ansi_default",
    # These are seen without any colour, too.
    "resting-ground": "ansi_default", "resting-style": "underline",
    "cursor-style": "reverse", "tab-style": "bold reverse", "off-style": "dim",
    "tab-ground": "ansi_default", "ink-tab": "ansi_default",
    "scope-user": "ansi_bright_magenta", "scope-managed": "ansi_yellow",
    "scope-ancestor": "ansi_bright_cyan", "scope-project": "ansi_bright_blue",
    "scope-local": "ansi_bright_green", "scope-nested": "ansi_white",
    "scope-index": "ansi_yellow", "scope-ink": "ansi_black",
}  # fmt: skip
_SIXTEEN_LIGHT: Final = {
    **_SIXTEEN, "ink-accent": "ansi_magenta", "ink-heading": "ansi_blue", "ink-faint": "ansi_black",
    "ink-key": "ansi_magenta", "ink-off": "ansi_bright_black", "ink-ok": "ansi_green",
    "ink-warning": "ansi_magenta", "ink-error": "ansi_red", "ink-added": "ansi_green",
    "ink-removed": "ansi_red", "scope-user": "ansi_magenta", "scope-ancestor": "ansi_cyan",
    "scope-project": "ansi_blue", "scope-local": "ansi_green", "scope-nested": "ansi_bright_black",
    "scope-ink": "ansi_bright_white",
}  # fmt: skip

DARK: Final = Theme(
    name="memlens", dark=True,
    primary="#7aa2f7", secondary="#9ece6a", accent="#e0af68", foreground="#c0caf5",
    # As grey as it takes for the nearest of 256 colours to be a grey, too.
    background="#16161e", surface="#1a1b26", panel="#292b37",
    success="#9ece6a", warning="#e0af68", error="#f7768e",
    variables={"border": "#7aa2f7", "border-blurred": "#3b4261", **_DARK},
)  # fmt: skip
LIGHT: Final = Theme(
    name="memlens-light", dark=False,
    primary="#2e5aac", secondary="#3d7a1f", accent="#8f5e15", foreground="#343b58",
    background="#f4f4f8", surface="#ffffff", panel="#e4e6f0",
    success="#33691e", warning="#8f5e15", error="#b3264a",
    variables={"border": "#2e5aac", "border-blurred": "#b8bccf", **_LIGHT},
)  # fmt: skip
SIXTEEN: Final = Theme(
    name="memlens-16", dark=True, ansi=True,
    primary="ansi_bright_blue", secondary="ansi_bright_cyan", accent="ansi_bright_yellow",
    foreground="ansi_default", background="ansi_default", surface="ansi_default",
    panel="ansi_default", boost="ansi_default", success="ansi_bright_green",
    warning="ansi_bright_yellow", error="ansi_bright_red",
    variables={
        "border": "ansi_bright_white", "border-blurred": "ansi_blue",
        "ansi-background": "ansi_black", "ansi-foreground": "ansi_white",
        "block-cursor-foreground": "ansi_bright_white", "block-cursor-background": "ansi_blue",
        "input-cursor-background": "ansi_white", "input-cursor-foreground": "ansi_black",
        "input-cursor-text-style": "none",
        "input-selection-background": "ansi_blue", "input-selection-foreground": "ansi_white",
        "screen-selection-background": "ansi_blue", "screen-selection-foreground": "ansi_white",
        **_SIXTEEN,
    },
)  # fmt: skip
"""For terminals with no more than sixteen colours, where shades run into one another."""
OWN: Final = (DARK, LIGHT, SIXTEEN)

READABLE: Final = 4.5
"""The least contrast of text with what it stands on; as the guidelines for the web have it."""
FAINT: Final = 3.0
"""The least contrast of what only accompanies: numbers of lines, keys that do nothing now."""


def lacking(theme: Theme) -> dict[str, str]:
    """The variables of the style sheets that a theme of the framework does not have."""
    if "ink-accent" in theme.variables:
        return {}
    if theme.ansi:
        return _SIXTEEN if theme.dark else _SIXTEEN_LIGHT
    return _worked_out(theme)


def _worked_out(theme: Theme) -> dict[str, str]:
    from textual.color import Color

    colours = theme.to_color_system().generate()
    ground, panel = Color.parse(colours["background"]), Color.parse(colours["panel"])
    ink = Color.parse(colours["foreground"])
    black, white = Color.parse("#000000"), Color.parse("#ffffff")

    def readable(text: Color, on: Color, least: float = READABLE) -> str:
        """`text`, as much nearer to black or white as it takes."""
        limit = max(black, white, key=lambda end: _contrast(end, on))
        shades = (text.blend(limit, step / 20) for step in range(21))
        return next((one for one in shades if _contrast(one, on) >= least), limit).hex

    # Where the text hardly stands out from the ground, what is under it goes the other way.
    away = min(black, white, key=lambda end: _contrast(end, ground))
    nearer = (ground.blend(ink, share) for share in (0.08, 0.05))
    resting = next(
        (one for one in nearer if _contrast(ink, one) >= READABLE), ground.blend(away, 0.2)
    )
    upon = min(ground, resting, key=lambda one: _contrast(ink, one))
    found = {}
    for name, colour in (
        ("accent", "accent"), ("heading", "primary"), ("note", "secondary"), ("ok", "success"),
        ("warning", "warning"), ("error", "error"),
    ):  # fmt: skip
        found[f"ink-{name}"] = readable(Color.parse(colours[colour]), upon)
    found["ink-key"] = readable(Color.parse(colours["accent"]), panel)
    found["ink-off"] = readable(panel.blend(ink, 0.4), panel, FAINT)
    found["ink-faint"] = readable(ground.blend(ink, 0.4), upon, FAINT)
    for name, colour, share in (
        ("added", "success", 0.15), ("removed", "error", 0.15), ("hidden", "error", 0.3),
    ):  # fmt: skip
        own = Color.parse(colours[colour])
        under = ground.blend(own, share)
        found[f"{name}-ground"], found[f"ink-{name}"] = under.hex, readable(own, under)
    cursor = ground.blend(Color.parse(colours["primary"]), 0.3)
    found["cursor-ground"], found["ink-cursor"] = cursor.hex, readable(ink, cursor)
    found["resting-ground"] = resting.hex
    found |= {
        "cursor-style": "none",
        "resting-style": "none",
        "tab-style": "bold",
        "off-style": "none",
    }
    tab = Color.parse(colours["primary"])
    found["tab-ground"], found["ink-tab"] = tab.hex, readable(ground, tab)
    for name, value in (_DARK if theme.dark else _LIGHT).items():
        if name.startswith("scope-"):
            found[name] = readable(Color.parse(value), upon)
    found["scope-ink"] = "#000000" if theme.dark else "#ffffff"
    return found


def _contrast(one: Color, other: Color) -> float:
    """From 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
