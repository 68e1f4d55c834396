"""The outline of the tree: what is folded away is not seen, and is unfolded to be gone to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memlens.app.panes.memory_tree.nodes import NOT_LOADED, Node
from memlens.app.panes.memory_tree.outline import Outline


def node(key: str, depth: int = 0, *, problem: bool = False, quiet: bool = False) -> Node:
    return Node(
        key=key, depth=depth, glyph="", glyph_style="", label=key, style="", scope="",
        foldable=True, problem=problem, quiet=quiet,
    )  # fmt: skip


def outline(*nodes: Node) -> Outline:
    made = Outline()
    made.nodes = nodes
    return made


def seen(made: Outline) -> list[object]:
    return [one.key for one in made.seen()]


def test_what_is_folded_hides_what_stands_below_it() -> None:
    made = outline(node("a"), node("b", 1), node("c", 2), node("d"))
    made.toggle(made.nodes[1])
    assert seen(made) == ["a", "b", "d"]
    made.fold_all()
    assert seen(made) == ["a", "d"]
    made.fold_all()
    assert seen(made) == ["a", "b", "c", "d"]


def test_notes_are_not_seen_until_asked_for_and_what_is_left_out_with_them() -> None:
    made = outline(node("a", quiet=True), node(NOT_LOADED), node("b", 1))
    assert seen(made) == [NOT_LOADED]
    made.toggle_notes()
    assert seen(made) == ["a", NOT_LOADED, "b"]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1),
    st.integers(0, 50),
    st.sampled_from([1, -1]),
)
def test_each_problem_is_come_to_in_turn_and_seen(
    shape: list[tuple[int, bool]], start: int, step: int
) -> None:
    nodes = [node(str(at), depth, problem=problem) for at, (depth, problem) in enumerate(shape)]
    made = outline(*nodes, node("last", problem=True))
    made.fold_all()
    here = made.nodes[start % len(made.nodes)]
    met = []
    for _ in made.problems:
        here = made.problem_from(here, step)
        made.unfold_to(here)
        assert here in made.seen()
        assert not made.unfold_to(here)
        met.append(here)
    assert sorted(one.label for one in met) == sorted(one.label for one in made.problems)
