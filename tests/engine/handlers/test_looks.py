"""What has changed in the prompt: since another text, and since the last commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine import (
    AskWhy,
    ChangesFound,
    CompareTexts,
    CompareWithCommit,
    Engine,
    EngineError,
    FindChanges,
    PathTouched,
    TextsCompared,
    TouchPath,
    WhyAnswered,
    open_workspace,
)


def found(engine: Engine, before: str, after: str) -> tuple[set[int], set[int]]:
    event = engine.ask(
        FindChanges(request=engine.next_request(), before=before, after=after), ChangesFound
    )
    assert event.after == after
    return set(event.new), set(event.gone)


def test_new_and_gone_lines_are_told(tmp_path: Path) -> None:
    with Engine(open_workspace(tmp_path)) as engine:
        assert found(engine, "a\nb\nc", "a\nb\nc") == (set(), set())
        assert found(engine, "a\nb\nc", "a\nB\nc\nd") == ({2, 4}, set())
        assert found(engine, "a\nb\nc", "a\nc") == (set(), {2})
        assert found(engine, "a\nb", "a") == (set(), {2})


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_what_is_not_new_was_there(before: list[str], after: list[str]) -> None:
    with Engine(open_workspace("/")) as engine:
        fresh, _ = found(engine, "\n".join(before), "\n".join(after))
    kept = [line for number, line in enumerate(after, 1) if number not in fresh]
    rest = iter(before)
    assert all(line in rest for line in kept)


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def compared(engine: Engine) -> list[tuple[str, str]]:
    event = engine.ask(CompareWithCommit(request=engine.next_request()), TextsCompared)
    return [(line.kind, line.text) for line in event.lines if line.kind in ("added", "removed")]


def test_the_prompt_against_the_last_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "CLAUDE.md").write_text("See @a.md here\n")
    (tmp_path / "a.md").write_text("old\n")
    with Engine(open_workspace(tmp_path)) as engine:
        assert ("added", "See old here") in compared(engine)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", "x")
        assert compared(engine) == []
        (tmp_path / "a.md").write_text("new\n")
        assert compared(engine) == [("removed", "See old here"), ("added", "See new here")]


def test_without_a_repository_it_is_said(tmp_path: Path) -> None:
    with Engine(open_workspace(tmp_path)) as engine, pytest.raises(EngineError, match="repository"):
        compared(engine)


def test_two_texts_are_compared(tmp_path: Path) -> None:
    with Engine(open_workspace(tmp_path)) as engine:
        command = CompareTexts(request=engine.next_request(), title="t", before="a\n", after="b\n")
        event = engine.ask(command, TextsCompared)
    assert [line.kind for line in event.lines] == ["removed", "added"]
    assert event.title == "t"


def test_why_a_phrase_is_in_or_not(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Rules.\nSee @a.md here\n")
    (tmp_path / "a.md").write_text("first\nthe phrase\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "CLAUDE.md").write_text("on touch only\n")

    def why(text: str, *touched: str) -> WhyAnswered:
        command = AskWhy(request=engine.next_request(), text=text, touched=touched)
        return engine.ask(command, WhyAnswered)

    with Engine(open_workspace(tmp_path)) as engine:
        answer = why("the phrase")
        assert answer.reached
        assert answer.chain == ((f"{tmp_path}/CLAUDE.md", 2), (f"{tmp_path}/a.md", 2))
        assert not why("on touch only").reached
        assert why("on touch only", "sub/x.py").reached
        assert not why("nowhere").reached


def test_a_touch_tells_what_is_wrong_with_what_it_adds(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("@missing.md\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "CLAUDE.md").write_text("@./gone.md\n")
    with Engine(open_workspace(tmp_path)) as engine:
        command = TouchPath(request=engine.next_request(), path="sub/x.py")
        event = engine.ask(command, PathTouched)
        assert [one.file for one in event.findings] == [f"{tmp_path}/sub/CLAUDE.md"]
        command = TouchPath(request=engine.next_request(), path="sub/y.py")
        again = engine.ask(command, PathTouched)
        assert (again.text, again.findings) == ("", ())
        assert "earlier touch" in again.reason
