"""What is marked since the last look, and how one goes through it."""

from __future__ import annotations

from memlens.app.panes.prompt_preview.last_look import LastLook, Marks


def test_the_first_prompt_counts_as_seen_and_no_later_one() -> None:
    look = LastLook()
    look.begin("a")
    look.begin("b")
    assert look.text == "a"
    assert look.renew("a") is None
    question = look.renew("b")
    assert question is not None
    assert (question.before, question.after) == ("a", "b")


def test_what_was_seen_is_marked_no_more() -> None:
    look = LastLook()
    look.marks = Marks(frozenset({1}))
    look.see("b")
    assert (look.text, look.marks) == ("b", Marks())
    look.marks = Marks(frozenset({1}))
    look.renew("c")
    assert look.marks == Marks()


def test_changes_are_gone_through_run_by_run_and_round() -> None:
    marks = Marks(frozenset({3, 4, 9}), frozenset({6, 10}))
    assert [marks.line_from(here, 1) for here in (1, 3, 4, 6, 9, 20)] == [3, 6, 6, 9, 3, 3]
    assert [marks.line_from(here, -1) for here in (20, 9, 6, 4, 3, 1)] == [9, 6, 3, 3, 9, 9]
