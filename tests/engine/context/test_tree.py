"""Where paths lead, told part by part, against the system's own answer."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import RAIDER
from memlens.engine.context.tree import Tree
from memlens.engine.files import DISK

PARTS = st.lists(st.sampled_from(["a", "b", "l", "m", "f", "gone", "..", ".", ""]), max_size=7)


@settings(max_examples=60, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=12))
def test_folders_are_the_ones_that_the_system_finds(ways: list[list[str]]) -> None:
    with TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        (top / "a/b/a").mkdir(parents=True)
        (top / "b").mkdir()
        (top / "f").write_text("a file")
        (top / "l").symlink_to("a/b")
        (top / "a/m").symlink_to("../b/..")
        (top / "b/l").symlink_to(top / "gone")
        (top / "a/b/f").symlink_to("../../f")
        tree = Tree(DISK, RAIDER.imports)
        for way in ways:
            path = "/".join((str(top), *way))
            assert tree.real_folder(path) == os.path.realpath(path)


def test_nothing_is_looked_for_below_what_is_no_folder(tmp_path: Path) -> None:
    top = tmp_path.resolve()
    tree = Tree(DISK, RAIDER.imports)
    (top / "f").write_text("a file")
    for name in ("gone/a.md", "gone/deep/a.md", "f/a.md", "f/../gone/a.md"):
        assert tree.target(f"{top}/{name}").problem == "missing"
    (top / "gone").mkdir()
    (top / "gone/a.md").write_text("there")
    tree.forget([f"{top}/gone"])
    assert tree.target(f"{top}/gone/a.md").body == "there"
    assert tree.target(f"{top}/f/../gone/a.md").body == "there"
