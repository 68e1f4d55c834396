"""Containers that show nothing themselves, but for a border."""

from __future__ import annotations

from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Hollow(Widget):
    """Mixed into a container, after the framework's class.

    The framework makes every line of a container, though its children cover them. Those between
    the borders are all alike, and one of them is made for all.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        gutter = self.styles.gutter
        first = max(crop.y, gutter.top)
        last = min(crop.bottom, self.outer_size.height - gutter.bottom)
        if last - first < 2:
            return super().render_lines(crop)
        x, y, width, _ = crop
        strips = super().render_lines(Region(x, y, width, first + 1 - y))
        strips += [strips[-1]] * (last - first - 1)
        if last < crop.bottom:
            strips += super().render_lines(Region(x, last, width, crop.bottom - last))
        return strips


class Frame(Vertical, Hollow):
    """A hollow column."""
