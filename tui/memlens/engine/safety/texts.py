"""All that is looked for in the text of a memory file, an import or a fact."""

from __future__ import annotations

from collections.abc import Iterator

from memlens.engine.findings import Finding
from memlens.engine.safety.conflicts import conflict_spots
from memlens.engine.safety.hidden import hidden_spots
from memlens.engine.safety.lookalikes import in_import_tokens
from memlens.engine.safety.secrets import find_secrets
from memlens.engine.safety.spots import Spot


def text_spots(text: str) -> list[Spot]:
    """What is in a text, by line and column. No column counts a byte order mark before it."""
    text = text.removeprefix("\ufeff")
    spots = [*hidden_spots(text), *conflict_spots(text), *_secrets(text), *_token_letters(text)]
    spots.sort(key=lambda spot: (spot.line, spot.column, spot.name))
    return spots


def check_text(file: str, text: str) -> list[Finding]:
    """The same as findings. `file` is put into them as it is."""
    return [spot.in_file(file) for spot in text_spots(text)]


def _secrets(text: str) -> Iterator[Spot]:
    for secret in find_secrets(text):
        yield Spot(
            "secret", "error", secret.line, secret.column,
            f"it looks like a secret ({secret.kind})",
            "take it out and make it invalid: what was committed or sent once is known",
        )  # fmt: skip


def _token_letters(text: str) -> Iterator[Spot]:
    if text.isascii() or "@" not in text:
        return
    for number, line in enumerate(text.split("\n"), 1):
        found = next(in_import_tokens(line), None)
        if found is not None:
            yield Spot(
                "hidden-characters", "error", number, found.at + 1,
                f"a letter in an import's path deceives: {found.words}",
                "write the path with plain letters",
            )  # fmt: skip
