"""The shapes that Claude Code's tools answer in, old and new (spec, part C).

Everything unknown is tolerated: a function here answers None for what it does not understand.
Used by the pass over a transcript, by reading one text again, and by the hook.
"""

from __future__ import annotations

from memlens.engine.reads.texts_of import after_edit, normalised
from memlens.engine.reads.values import as_count, as_dict, as_text, path_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSALS = (
    "File has not been read yet",
    "File has been modified since read",
    "File has been unexpectedly modified",
    "File content has changed since it was last read",
)
"""How a refusal begins, whatever follows."""
UNCHANGED = "nchanged since last read"
"""No error, though it looks like one: the file was answered from context."""


def result_text(content: object) -> str:
    """The text of a tool's result: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(as_text(as_dict(part).get("text")) for part in content)
    return ""


def refusal_in(text: str) -> str | None:
    """Which refusal a tool's error is; None when it is none of them."""
    for fragment in REFUSALS:
        if fragment in text:
            return fragment
    return None


class Page:
    """What a read answered with: lines of a text, or something that is no text."""

    __slots__ = ("count", "first", "text", "total", "unchanged")

    def __init__(
        self,
        text: str | None,
        first: int,
        count: int | None,
        total: int | None,
        *,
        unchanged: bool = False,
    ) -> None:
        self.text = text
        """None for images, PDFs, notebooks."""
        self.first = first
        """The first line, from 1."""
        self.count = count
        self.total = total
        """Lines of the file; None where the answer does not say."""
        self.unchanged = unchanged
        """The file was not sent again, because the context still has it."""


def page_of(answer: Mapping[str, object]) -> Page | None:
    """What a `toolUseResult`, `tool_response` or attached file says of a read."""
    kind = as_text(answer.get("type"))
    file = as_dict(answer.get("file"))
    if kind == "file_unchanged":
        return Page(None, 1, None, None, unchanged=True)
    if kind in ("image", "pdf", "notebook") and file:
        return Page(None, 1, None, None)
    if kind == "parts":
        return Page(None, 1, 0, None)
    content = file.get("content")
    if not isinstance(content, str):
        return None
    count = as_count(file.get("numLines"))
    total = as_count(file.get("totalLines"))
    first = as_count(file.get("startLine"))
    return Page(
        content,
        1 if first is None else max(first, 1),
        len(content.split("\n")) if count is None else count,
        total,
    )


def path_of_page(answer: Mapping[str, object]) -> str:
    """The path that goes with `page_of`; empty when there is none."""
    return path_in(as_dict(answer.get("file"))) or path_in(answer)


def written_text(answer: Mapping[str, object], asked: Mapping[str, object]) -> str | None:
    """The whole text that a file has after a write or an edit; None where that is not told.

    `answer` is what the tool answered, `asked` its input (empty where it is not at hand).
    """
    for values, key in ((answer, "content"), (answer, "updated_file"), (asked, "content")):
        value = values.get(key)
        if isinstance(value, str):
            return normalised(value)
    original = answer.get("originalFile")
    if original is None:
        original = answer.get("originalFileContents", answer.get("original_file"))
    if not isinstance(original, str):
        return None
    edits = answer.get("edits")
    if edits is None and "oldString" in answer:
        edits = [answer]
    if edits is None:
        edits = asked.get("edits", [asked] if "old_string" in asked else None)
    if not isinstance(edits, list) or not edits:
        return None
    text: str | None = normalised(original)
    for edit in edits:
        text = _edited(text, as_dict(edit))
    return text


def _edited(text: str | None, edit: Mapping[str, object]) -> str | None:
    old = edit.get("oldString", edit.get("old_string"))
    new = edit.get("newString", edit.get("new_string"))
    if text is None or not isinstance(old, str) or not isinstance(new, str):
        return None
    everywhere = edit.get("replaceAll", edit.get("replace_all")) is True
    return after_edit(text, normalised(old), normalised(new), everywhere=everywhere)
