"""What real sessions tell of the prompt, as nodes of the tree: a pure function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from memlens.app.panes.memory_tree.nodes import Node
from memlens.app.words import age_words

if TYPE_CHECKING:
    from memlens.engine.events.verify import ContextVerified
    from memlens.engine.verify import FileVerdict, Loading, Verified

TOLD: Final = "told"
LOADED: Final = "loaded"
_WORDS: Final = {
    "same": ("✓", "ok", "the prompt is what session {id} was told"),
    "changed since": ("△", "changed", "files were changed since session {id} was told"),
    "different": ("≠", "warning", "session {id} was told something else"),
}
_FILES: Final[dict[FileVerdict, str]] = {
    "changed since": "changed on disk since",
    "different": "told differently",
    "not told": "not told",
    "not here": "told, and not here",
}


def session_mark(event: ContextVerified | None) -> str:
    """One word for the pane's frame; empty where nothing was compared."""
    if event is None or event.verified is None:
        return ""
    return {"same": "✓ as told", "changed since": "△ changed since", "different": "≠ as told"}[
        event.verified.state
    ]


def session_nodes(
    event: ContextVerified | None, label_of: Callable[[str], str]
) -> tuple[Node, ...]:
    """What the newest session was told against the prompt, and what hooks say was loaded."""
    if event is None:
        return ()
    nodes: list[Node] = []
    if event.verified is not None:
        nodes += _told(event.verified, event.now, label_of)
    if event.loading is not None:
        nodes += _loaded(event.loading, event.now, label_of)
    return tuple(nodes)


def _told(verified: Verified, now: float, label_of: Callable[[str], str]) -> Iterator[Node]:
    glyph, style, words = _WORDS[verified.state]
    files = [file for file in verified.files if file.state != "same"]
    age = f", {_ago(now - verified.time)}" if verified.time else ""
    text = words.format(id=verified.session[:8])
    details = [(text + age, "strong"), (f"session {verified.session}", "dim")]
    if not verified.same:
        details.append(("d shows the difference", ""))
    yield Node(
        key=TOLD, depth=0, glyph=glyph, glyph_style=style, label=text, style=style, scope="",
        note=age.removeprefix(", "), in_prompt=False, foldable=bool(files),
        problem=verified.state == "different", details=tuple(details),
    )  # fmt: skip
    for file in files:
        words = _FILES[file.state]
        yield Node(
            key=(TOLD, file.path), depth=1, glyph=glyph, glyph_style=style,
            label=label_of(file.path), style="", scope="", file=file.path, note=words,
            in_prompt=False, details=((file.path, "strong"), (words, "")),
        )  # fmt: skip


def _ago(seconds: float) -> str:
    words = age_words(max(0.0, seconds))
    return "just now" if words == "now" else f"{words} ago"


def _loaded(loading: Loading, now: float, label_of: Callable[[str], str]) -> Iterator[Node]:
    count = len(loading.loaded)
    words = f"session {loading.session[:8]} loaded {count} file{'s' if count != 1 else ''}"
    missing = f"{len(loading.missing)} not" if loading.missing else ""
    yield Node(
        key=LOADED, depth=0, glyph="◈", glyph_style="note", label=words, style="note", scope="",
        note=missing, in_prompt=False, foldable=True,
        details=(
            (f"{words}, as its hook noted {_ago(now - loading.time)}", "strong"),
            (f"session {loading.session}", "dim"),
        ),
    )  # fmt: skip
    for number, one in enumerate(loading.loaded):
        why = one.reason.replace("_", " ")
        details = [(one.path, "strong"), (f"{one.memory_type} {why}".strip(), "")]
        if one.parent:
            details.append((f"imported by {one.parent}", "dim"))
        if one.trigger:
            details.append((f"because of {one.trigger}", "dim"))
        yield Node(
            key=(LOADED, one.path, number), depth=1, glyph="✓", glyph_style="ok",
            label=label_of(one.path), style="", scope="", file=one.path, note=why,
            in_prompt=False, details=tuple(details),
        )  # fmt: skip
    lost = "It is in the prompt, and the session did not load it."
    for path in loading.missing:
        yield Node(
            key=(LOADED, path), depth=1, glyph="–", glyph_style="changed", label=label_of(path),
            style="dim", scope="", file=path, note="not loaded", in_prompt=False,
            details=((path, "strong"), (lost, "")),
        )  # fmt: skip
