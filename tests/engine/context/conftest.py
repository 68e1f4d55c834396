"""A made-up machine: files from a mapping, a home, and memory made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from memlens.engine.context import ContextMemory

Write = Callable[[Mapping[str, str | bytes]], None]
Make = Callable[..., ContextMemory]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files below the temporary folder."""

    def write_files(files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    return write_files


@pytest.fixture
def make(tmp_path: Path, write: Write) -> Make:
    """Writes files and gives the memory of `w/p`, walked from `w`, with `h` as the home."""

    def make_memory(content: Mapping[str, str | bytes], **options: object) -> ContextMemory:
        write(content)
        (tmp_path / "w/p").mkdir(parents=True, exist_ok=True)
        settings: dict[str, object] = {"home": tmp_path / "h"} | options
        walk = settings.pop("walk", [tmp_path / "w", tmp_path / "w/p"])
        return ContextMemory(tmp_path / "w/p", walk, **settings)  # type: ignore[arg-type]

    return make_memory
