"""What an agent gets in a folder: memory files and durable index as one text, each stretch of it
with its source.

A plan stands above the context library and the durable memory and takes plain values from both.
"""

from __future__ import annotations

from memlens.engine.agents.model import AgentProfile
from memlens.engine.agents.raider import RAIDER
from memlens.engine.context.model import TOKEN_METHOD, MemoryItem
from memlens.engine.context.render import prompt

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, NamedTuple

    from memlens.engine.arranged import Arranged, PlanPart, Source
    from memlens.engine.context.model import Span
else:
    from memlens.engine.named import NamedTuple


class IndexFact(NamedTuple):
    """A durable fact and its line in the index."""

    name: str
    path: str
    """Absolute."""
    line: str
    """As the index would write it, without a line end."""


class IndexFacts:
    """The facts of an index, each made when it is looked at: ten thousand lines take megabytes."""

    __slots__ = ("_entries", "_make")

    def __init__(self, entries: Sequence[Any], make: Callable[[Any], IndexFact]) -> None:
        """`make` tells the fact that one of `entries` stands for."""
        self._entries = entries
        self._make = make

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[IndexFact]:
        return map(self._make, self._entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IndexFacts):
            return NotImplemented
        return self._make is other._make and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(len(self._entries))


class DurableIndex(NamedTuple):
    """The index of the durable memory as the agent gets it."""

    text: str
    facts: tuple[IndexFact, ...] | IndexFacts = ()
    """All facts in the order of the index, also those behind its cut."""


class Plan:
    """The prompt with its sources. Immutable: nothing changes it once it is built.

    Where its stretches come from is worked out when anything but the text is first asked for;
    who only wants the text needs none of it. Two threads that ask at once get the same.
    """

    __slots__ = ("_known", "_text", "frame", "index", "items", "profile")

    items: tuple[MemoryItem, ...]
    """The memory files in the order of the prompt."""
    index: DurableIndex | None
    profile: AgentProfile
    frame: str
    """The name of its framing; empty for the agent's first one."""

    def __init__(
        self,
        items: Iterable[MemoryItem],
        profile: AgentProfile = RAIDER,
        index: DurableIndex | None = None,
        frame: str = "",
    ) -> None:
        """Builds the plan.

        Args:
            items: the memory files in order, as `ContextMemory.items` gives them.
            profile: the agent, whose words stand around the items.
            index: the durable index; left out for agents that have none.
            frame: the name of the framing; by default the agent's first one.
        """
        self.items = tuple(items)
        self.profile = profile
        self.index = index if index is not None and profile.has_durable_index else None
        self.frame = frame
        self._known: Arranged | None = None
        self._text: str | None = None

    @property
    def _arranged(self) -> Arranged:
        if self._known is None:
            from memlens.engine.arranged import Arranged

            self._known = Arranged(self.items, self.profile, self.index, self.frame)
        return self._known

    @property
    def spans(self) -> tuple[Span, ...]:
        """Joined they are `text`. A span of kind `text` is a slice of its file's text."""
        return self._arranged.spans

    @property
    def parts(self) -> tuple[PlanPart, ...]:
        """The blocks of the prompt, in order."""
        return self._arranged.parts

    @property
    def bytes(self) -> int:
        """Of `text` in UTF-8."""
        return self._arranged.bytes

    @property
    def lines(self) -> int:
        """Of `text`; 0 when it is empty."""
        return self._arranged.lines

    @property
    def index_bytes(self) -> int:
        """Of the durable index in UTF-8; 0 where there is none."""
        last = self.parts[-1] if self.parts else None
        return last.bytes if last is not None and last.item < 0 else 0

    @property
    def text(self) -> str:
        """The prompt; empty when there is nothing. Put together when it is first asked for."""
        if self._text is None:
            if self._known is None:
                told = "" if self.index is None else self.index.text
                self._text = prompt(self.items, self.profile, self.frame, told) or ""
            else:  # of the same pieces, so that no item's text has to be put together
                self._text = "".join([span.text for span in self.spans])
        return self._text

    @property
    def tokens(self) -> int:
        """An estimate, by `token_method`."""
        return self.bytes // 4

    @property
    def token_method(self) -> str:
        """How tokens are estimated, for people."""
        return TOKEN_METHOD

    def source(self, line: int) -> Source:
        """Where the beginning of a line of the prompt (from 1) comes from; a source without a
        file for a line that does not exist."""
        return self._arranged.source(line)

    def sources(self, line: int) -> tuple[Source, ...]:
        """Every source that a line of the prompt (from 1) has text from, left to right."""
        return self._arranged.sources(line)

    def part_at(self, line: int) -> PlanPart | None:
        """The block that a line of the prompt (from 1) belongs to."""
        return self._arranged.part_at(line)

    def line_of(self, file: str, line: int) -> int | None:
        """The first line of the prompt (from 1) that shows a file's line; where that line does
        not show, the nearest one of the file behind it, else its last. None when the file is not
        in."""
        return self._arranged.line_of(file, line)

    def import_line(self, item: int, record: int) -> int | None:
        """The line of the prompt (from 1) where an item's import begins, or where its token
        stays. None where the item shows nothing."""
        if not 0 <= item < len(self.items):
            return None
        apart = self.profile.imports.placement == "own-entry"
        return self._arranged.import_line(item, self.items[item].records[record], apart=apart)

    def offset_source(self, offset: int) -> Source:
        """Where the character at an offset of the prompt comes from."""
        return self._arranged.offset_source(offset)
