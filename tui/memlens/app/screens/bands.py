"""A screen drawn in bands: a whole one takes 25 milliseconds, in which no key is taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual._compositor import Compositor  # what a screen is drawn by
from textual.geometry import Region
from textual.strip import Strip

CELLS = 2_000
"""Cells that are drawn at once: about ten milliseconds."""


class BandCompositor(Compositor):
    """Draws only the lines that are asked for; the framework draws all of each widget in them."""

    def _get_renders(
        self, crop: Region | None = None
    ) -> Iterable[tuple[Region, Region, list[Strip]]]:
        asked = self.size.region if crop is None else crop
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            top, bottom = max(seen.y, asked.y), min(seen.bottom, asked.bottom)
            if top < bottom and seen.x < asked.right and asked.x < seen.right:
                lines = Region(seen.x, top, seen.width, bottom - top)
                yield region, lines, widget.render_lines(lines.translate(-region.offset))

    @property
    def much_changed(self) -> bool:
        """Whether most of what is seen has to be drawn, and is too much to be drawn at once."""
        area = self.size.area
        return area > CELLS and 2 * sum(region.area for region in self._dirty_regions) > area

    def change_all(self) -> None:
        """All has to be drawn, whatever of it is known to the terminal."""
        self._dirty_regions.add(self.size.region)

    @property
    def changes(self) -> list[Region]:
        """What has to be drawn."""
        return [*self._dirty_regions]

    def take_changes(self) -> None:
        """All is about to be drawn: what changes from now on will be drawn after that."""
        self._dirty_regions.clear()

    def bands(self) -> Iterator[list[Iterable[Strip]]]:
        """The lines of each band, drawn when it is asked for; each line in pieces.

        They end early when the screen gets another size meanwhile, and are of no use then.
        """
        size = self.size
        width, height = size
        step = max(1, CELLS // max(1, width))
        for top in range(0, height, step):
            if size != self.size:
                return
            band = Region(0, top, width, min(step, height - top))
            chops = self._render_chops(band, band.line_range.__contains__)
            yield [chops[y].values() for y in band.line_range]
