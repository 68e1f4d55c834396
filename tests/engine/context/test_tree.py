"""Where paths lead, told part by part, against the system's own answer."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import RAIDER
from memlens.engine.context.tree import Tree
from memlens.engine.files import DISK, regular_names

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


def test_a_folder_of_many_wanted_files_is_listed_and_tells_the_same(tmp_path: Path) -> None:
    names = [f"{number}.md" for number in range(250)]
    for name in names:
        (tmp_path / name).write_text(f"text of {name}\n")
    (tmp_path / "3.md").unlink()
    (tmp_path / "4.md").unlink()
    (tmp_path / "4.md").symlink_to("5.md")
    (tmp_path / "6.md").unlink()
    (tmp_path / "6.md").mkdir()
    (tmp_path / "7.md").unlink()
    os.mkfifo(tmp_path / "7.md")
    folder = str(tmp_path)
    ahead, alone = Tree(DISK, RAIDER.imports), Tree(DISK, RAIDER.imports)
    for wanted in (folder, f"{folder}/../{tmp_path.name}"):
        paths = [f"{wanted}/{name}" for name in names]
        ahead.look_at(paths)
        ahead.read_ahead(paths)
        for name in names:
            one, other = ahead.target(f"{wanted}/{name}"), alone.target(f"{wanted}/{name}")
            assert (one.path, one.problem, one.text) == (other.path, other.problem, other.text)
    assert ahead.reads == alone.reads == 246
    (tmp_path / "8.md").unlink()
    (tmp_path / "3.md").write_text("new\n")
    ahead.start_round()
    paths = [f"{folder}/{name}" for name in names]
    ahead.look_at(paths)
    assert ahead.reads == 246
    ahead.read_ahead(paths)
    assert ahead.target(f"{folder}/8.md").problem == "missing"
    assert ahead.target(f"{folder}/3.md").text == "new\n"


def test_names_of_regular_files_are_bounded_and_never_an_error(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.md").write_text("x")
    (tmp_path / "link.md").symlink_to("1.md")
    (tmp_path / "folder").mkdir()
    folder = str(tmp_path)
    assert regular_names(folder, 7) == {f"{number}.md" for number in range(5)}
    assert regular_names(folder, 6) == frozenset()
    assert regular_names(f"{folder}/gone", 9) == frozenset()
    assert regular_names(f"{folder}/\0", 9) == frozenset()
