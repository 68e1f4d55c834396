"""Fields for text from disks: what is edited stays as it is, what is drawn cannot drive a terminal.

The framework's own fields send control characters of their text to the terminal as they are. Here
each hidden character has a visible stand-in of one cell, one for one, so that cursor, selection
and wrapping go by what is seen, while the value keeps every character.
"""

from __future__ import annotations

import re
from typing import Final, overload

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.document._document import Document, EditResult, Location  # the document of TextArea
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Input, TextArea

from memlens.engine.visible import hidden_places

HIDDEN: Final = "¿"
"""Stands for a bidirectional, zero-width, tag or C1 character."""
UNDECODED: Final = "\ufffd"
"""Stands for a byte that is no UTF-8."""
_PASTED_ENDS: Final = re.compile(r"\r\n?")


def stand_ins(text: str) -> str:
    """`text` with a visible sign for each hidden character, of the same length.

    Tabs stay, because fields expand them; any line end counts as hidden.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = list(text)
    for place in hidden_places(text):
        shown[place] = _sign(text[place])
    return "".join(shown).replace("\n", "\u240a")


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return UNDECODED if 0xD800 <= code <= 0xDFFF else HIDDEN


class SafeDocument(Document):
    """The text of a `SafeTextArea`; nothing in it is lost or made alike.

    Lines end at CR LF where all of them do, else at LF only: then a CR is a character like any
    other. So `text` is what was given, to the last character, but for what was edited.
    """

    def __init__(self, text: str) -> None:
        crlf = "\n" in text and text.count("\n") == text.count("\r\n")
        self._newline = "\r\n" if crlf else "\n"
        self._lines: list[str] = text.split(self._newline)
        self._shown: list[str] = [stand_ins(line) for line in self._lines]

    @property
    def lines(self) -> list[str]:
        """What is drawn and moved in; `text` and `get_text_range` give what is there."""
        return self._shown

    @overload
    def __getitem__(self, line_index: int) -> str: ...
    @overload
    def __getitem__(self, line_index: slice) -> list[str]: ...
    def __getitem__(self, line_index: int | slice) -> str | list[str]:
        return self._shown[line_index]

    def get_size(self, tab_width: int) -> Size:
        width = max((cell_len(line.expandtabs(tab_width)) for line in self._shown), default=0)
        return Size(width, len(self._shown))

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        (top, left), (bottom, right) = sorted((start, end))
        bottom = min(bottom, len(self._lines) - 1)
        replaced = self.get_text_range((top, left), (bottom, right))
        new = re.split(r"\r?\n", text) if self._newline == "\r\n" else text.split("\n")
        after = self._lines[bottom][right:]
        new[0] = self._lines[top][:left] + new[0]
        column = len(new[-1])
        new[-1] += after
        self._lines[top : bottom + 1] = new
        self._shown[top : bottom + 1] = [stand_ins(line) for line in new]
        return EditResult((top + len(new) - 1, column), replaced)


class SafeTextArea(TextArea):
    """A `TextArea` for text from disks."""

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """What it does with a key comes before what that does everywhere."""
        own = not self.read_only and key in self._bindings.key_to_bindings
        return own or super().check_consume_key(key, character)

    def _set_document(self, text: str, language: str | None) -> None:
        document = SafeDocument(text)
        self.document = document
        self.wrapped_document = WrappedDocument(document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    async def _on_paste(self, event: events.Paste) -> None:
        # Terminals send CR for the line ends of what is pasted.
        event.prevent_default()
        pasted = events.Paste(_PASTED_ENDS.sub("\n", event.text))
        await super()._on_paste(pasted)


class SafeInput(Input):
    """An `Input` for text from disks."""

    read_only = False
    """Whether it can be read and copied from, but not changed; as `TextArea` has it."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return not self.read_only and super().check_consume_key(key, character)

    async def _on_key(self, event: events.Key) -> None:
        if self.read_only and event.is_printable:
            event.prevent_default()  # it does nothing here, so it may do something above

    def replace(self, text: str, start: int, end: int) -> None:
        if not self.read_only:  # all that a person does to the text comes here
            super().replace(text, start, end)

    @property
    def _value(self) -> Text:
        shown = "•" * len(self.value) if self.password else self._drawn(self.value)
        return Text(shown, no_wrap=True, overflow="ignore", end="")

    @staticmethod
    def _drawn(text: str) -> str:
        return stand_ins(text).replace("\t", "\u2409")

    def _position_to_cell(self, position: int) -> int:
        return cell_len(self._drawn(self.value[:position]))

    def _cell_offset_to_index(self, offset: int) -> int:
        offset += self.scroll_offset.x
        used = 0
        for index, character in enumerate(self._drawn(self.value)):
            used += cell_len(character)
            if offset < used:
                return index
        return len(self.value)

    def render_line(self, y: int) -> Strip:
        # What is suggested and the placeholder come from disks, too.
        strip = super().render_line(y)
        segments = [Segment(stand_ins(segment.text), segment.style) for segment in strip]
        return Strip(segments).adjust_cell_length(strip.cell_length)
