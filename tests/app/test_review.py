"""The review's screen by real keys, on real repositories."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.help import Help
from memlens.app.screens.palette import Palette
from memlens.app.screens.review import ReviewScreen
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.line_view import LineView
from memlens.engine.commands.review import LoadReview
from memlens.engine.handlers.review import ReviewHandler
from memlens.engine.workspace import open_workspace
from tests.app.pilot import driven, line_at_cursor, opened, screen_text, shown, until
from tests.engine.review.conftest import IDENTITY, Repo, make_repo

HOSTILE = "- \x1b]0;owned\x07 \x1b[31mred [bold]x[/bold]\n- \u202ebidi\u202c and hid\u200bden\n"
SIZES = [(120, 36), (80, 24), (60, 20)]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A memory file with an import, and a change of both that is staged."""
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    repo = make_repo(tmp_path / "repo")
    text = "".join(f"Line {number}.\n" for number in range(1, 41))
    repo.commit({"CLAUDE.md": f"See @style.md\n{text}", "style.md": "- old\n", "a.py": "1\n"})
    text = text.replace("Line 3.", "Line three.").replace("Line 30.", "See @missing.md")
    repo.add({"CLAUDE.md": f"See @style.md\n{text}", "style.md": HOSTILE, "a.py": "2\n"})
    return repo


@asynccontextmanager
async def reviewing(
    repo: Repo,
    size: tuple[int, int] = (120, 36),
    command: LoadReview | None = None,
    *,
    in_hook: bool = False,
) -> AsyncIterator[Pilot[Any]]:
    """The review alone, loaded."""
    screen = ReviewScreen(command or LoadReview(), alone=True, in_hook=in_hook)
    app = MemlensApp(open_workspace(repo.top), live=False, first=screen)
    app.animation_level = "none"
    async with driven(app, size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await until(pilot, lambda: "loading" not in screen_text(app))
        yield pilot


def view(pilot: Pilot[Any], name: str) -> LineView:
    found = pilot.app.screen.query_one(f"#review-{name}")
    assert isinstance(found, LineView)
    return found


def lines(pilot: Pilot[Any], name: str) -> str:
    return "\n".join(shown(view(pilot, name)))


def at_cursor(pilot: Pilot[Any], name: str) -> str:
    found = view(pilot, name)
    return line_at_cursor(found)


def text_of(pilot: Pilot[Any]) -> str:
    assert isinstance(pilot.app, MemlensApp)
    return screen_text(pilot.app)


async def select(pilot: Pilot[Any], name: str) -> None:
    """Selects a file by its key and waits for its difference."""
    while name not in at_cursor(pilot, "files"):
        await pilot.press("right_square_bracket")
    await until(
        pilot, lambda: getattr(view(pilot, "difference").lines, "what", "").endswith(name), name
    )


async def test_files_differences_prompt_and_findings_are_shown(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        files = shown(view(pilot, "files"))
        assert [line.split() for line in files] == [
            ["M", "CLAUDE.md", "memory", "✗1"],
            ["M", "style.md", "import", "✗2"],
        ]
        await select(pilot, "CLAUDE.md")
        difference = lines(pilot, "difference")
        for part in ("- Line 3.", "+ Line three.", "equal lines", "✗ broken-import: line 31"):
            assert part in difference
        assert "a.py" not in text_of(pilot)
        await pilot.press("3")
        await until(pilot, lambda: "tokens" in lines(pilot, "prompt"))
        prompt = lines(pilot, "prompt")
        assert "bytes / 4" in prompt
        assert "+ Line three." in prompt
        await pilot.press("4")
        await until(pilot, lambda: view(pilot, "findings").has_focus)
        findings = lines(pilot, "findings")
        for part in ("CLAUDE.md:31:5", "broken-import", "→ correct the path", "style.md:2:"):
            assert part in findings
        assert "3 errors" in text_of(pilot)


async def test_hostile_text_is_visible_and_harmless(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("2")
        await select(pilot, "style.md")
        await pilot.pause()
        for part in (
            "␛]0;owned␇ ␛[31mred [bold]x[/bold]",
            "‹U+202E›bidi‹U+202C›",
            "hid‹U+200B›den",
        ):
            assert part in text_of(pilot)
        for key in ("3", "4", "e"):
            await pilot.press(key)
            await pilot.pause()
            for character in "\x1b\x07\u202e\u202c\u200b":
                assert character not in text_of(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_every_part_can_be_seen_at_any_size(repo: Repo, size: tuple[int, int]) -> None:
    async with reviewing(repo, size) as pilot:
        for key, name in (("2", "difference"), ("3", "prompt"), ("4", "findings"), ("1", "files")):
            await pilot.press(key)
            await until(pilot, lambda: view(pilot, name).has_focus)  # noqa: B023
            assert view(pilot, name).region.height > 5
            assert view(pilot, name).is_on_screen
        await pilot.press("tab")
        assert view(pilot, "difference").has_focus
        await pilot.press("shift+tab")
        assert view(pilot, "files").has_focus
        await pilot.click("#review-tab-prompt")
        await until(pilot, lambda: view(pilot, "prompt").has_focus)
        bar = pilot.app.screen.query_one(ActionBar)
        await until(pilot, lambda: bar._places)
        assert "review.leave" in {action.name for _, _, _, action in bar._places}


async def test_a_terminal_too_small_says_so(repo: Repo) -> None:
    async with reviewing(repo, (50, 15)) as pilot:
        await until(pilot, lambda: "needs 60 × 20" in text_of(pilot))
        await pilot.resize_terminal(120, 36)
        await until(pilot, lambda: "Changed files" in text_of(pilot))


async def test_next_walks_through_the_changes_and_on_into_the_next_file(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: "- Line 3." in at_cursor(pilot, "difference"))
        await pilot.press("n")
        assert "- Line 30." in at_cursor(pilot, "difference")
        await pilot.press("n")
        await until(pilot, lambda: "- - old" in at_cursor(pilot, "difference"))
        assert "style.md" in at_cursor(pilot, "files")
        await pilot.press("n")
        await until(pilot, lambda: "This is the last file" in text_of(pilot))
        await pilot.press("p")
        await until(pilot, lambda: "- Line 30." in at_cursor(pilot, "difference"))
        await pilot.press("p")
        assert "- Line 3." in at_cursor(pilot, "difference")


async def test_next_walks_through_files_and_findings(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("n")
        assert "style.md" in at_cursor(pilot, "files")
        await pilot.press("p")
        assert "CLAUDE.md" in at_cursor(pilot, "files")
        await pilot.press("4")
        assert "CLAUDE.md:31" in at_cursor(pilot, "findings")
        await pilot.press("n", "n", "n")
        assert "style.md:2" in at_cursor(pilot, "findings")
        await pilot.press("enter")
        await until(pilot, lambda: view(pilot, "difference").has_focus)
        await until(pilot, lambda: "hid‹U+200B›den" in at_cursor(pilot, "difference"))


async def test_from_the_prompt_to_the_file(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "hid‹U+200B›den" in lines(pilot, "prompt"))
        found = view(pilot, "prompt")
        found.cursor = next(n for n, line in enumerate(shown(found)) if "hid‹" in line)
        await until(pilot, lambda: "style.md:2" in text_of(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "hid‹U+200B›den" in at_cursor(pilot, "difference"))


async def test_whole_texts_and_only_changes(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: "equal lines" in lines(pilot, "difference"))
        assert "Line 20." not in lines(pilot, "difference")
        await pilot.press("c")
        await until(pilot, lambda: "Line 20." in lines(pilot, "difference"))
        assert "- Line 3." in at_cursor(pilot, "difference")
        await pilot.press("c")
        await until(pilot, lambda: "Line 20." not in lines(pilot, "difference"))


async def test_accepting_errors_asks(repo: Repo) -> None:
    async with reviewing(repo, in_hook=True) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "3 errors were found" in text_of(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
    assert pilot.app.return_code == 0


@pytest.mark.parametrize(
    ("keys", "code"),
    [("x", 1), ("qy", 1), (["escape", "y"], 1), (["ctrl+c"], 1), (["ctrl+q", "y"], 1), ("ay", 0)],
)
async def test_the_exit_code_is_the_verdict(repo: Repo, keys: Any, code: int) -> None:
    async with reviewing(repo) as pilot:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
    assert pilot.app.return_code == code


async def test_a_clean_change_is_accepted_at_once(repo: Repo) -> None:
    repo.commit()
    repo.add({"style.md": "- new\n"})
    async with reviewing(repo) as pilot:
        assert "nothing found" in text_of(pilot)
        await pilot.press("a")
    assert pilot.app.return_code == 0


async def test_nothing_staged_teaches(repo: Repo) -> None:
    repo.git("reset", "-q")
    async with reviewing(repo) as pilot:
        assert "Nothing that agents read is staged" in text_of(pilot)
        assert "git add" in text_of(pilot)
        await pilot.press("e")
        await until(pilot, lambda: "Nothing that agents read has changed" in text_of(pilot))
        await pilot.press("s")
        await until(pilot, lambda: "working tree" in text_of(pilot))
        await until(pilot, lambda: view(pilot, "files").has_focus)
        assert "CLAUDE.md" in lines(pilot, "files")
        await pilot.press("e")
        await until(pilot, lambda: "Only what is staged" in text_of(pilot))
        await pilot.press("s")
        await until(pilot, lambda: "Nothing that agents read is staged" in text_of(pilot))
        await pilot.press("q")
    assert pilot.app.return_code == 0


async def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    async with reviewing(Repo(tmp_path / "plain")) as pilot:
        assert "no git repository" in text_of(pilot)
        await pilot.press("a")
        await until(pilot, lambda: "There is no review" in text_of(pilot))
        await pilot.press("q")
    assert pilot.app.return_code == 2


def editing(pilot: Pilot[Any]) -> bool:
    return any(text.has_focus for text in pilot.app.screen.query("#staged-text"))


async def test_editing_stages_again(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("4", "n", "n", "n", "e")
        await until(pilot, lambda: editing(pilot))
        editor = pilot.app.screen.query_one("#staged-text")
        assert editor.cursor_location == (1, 0)  # type: ignore[attr-defined]
        await pilot.press("ctrl+k", *"fine")
        await until(pilot, lambda: "changed, not staged yet" in text_of(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "not staged yet" in text_of(pilot))
        assert isinstance(pilot.app.screen, Confirm)
        await pilot.press("n")
        await until(pilot, lambda: editor.has_focus)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "style.md is staged" in text_of(pilot))
        await until(pilot, lambda: "2 errors" in text_of(pilot))
        assert "style.md" in at_cursor(pilot, "files")
    first = HOSTILE.split("\n", 1)[0]
    assert repo.git("show", ":style.md") == f"{first}\nfine\n"
    assert Path(repo.top, "style.md").read_text() == f"{first}\nfine\n"


async def test_while_a_line_is_edited_what_is_wrong_with_it_stays_in_sight(repo: Repo) -> None:
    repo.add({"style.md": "fine\nhid\u200bden\nfine\n"})
    async with reviewing(repo) as pilot:
        await until(pilot, lambda: "hidden-characters" in lines(pilot, "findings"))
        await pilot.press("4", "G", "e")
        await until(pilot, lambda: editing(pilot))
        await until(pilot, lambda: "line 2, column 1 " in text_of(pilot))
        assert "✗ hidden-characters: a hidden character: U+200B" in text_of(pilot)
        await pilot.press("up")
        await until(pilot, lambda: "line 1, column 1 " in text_of(pilot))
        assert "hidden-characters: " not in text_of(pilot)
        assert "found in line 2" in text_of(pilot)
        await pilot.press("down", "end", "ctrl+u", *"plain")  # mended
        await until(pilot, lambda: "line 2, column 6" in text_of(pilot))
        assert "hidden-characters: " not in text_of(pilot)


async def test_a_file_with_unstaged_changes_is_not_edited(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "something else\n"})
    before = repo.state()
    async with reviewing(repo) as pilot:
        await until(pilot, lambda: "working file has changes" in lines(pilot, "difference"))
        assert "M* " in at_cursor(pilot, "files")
        await pilot.press("e")
        await until(pilot, lambda: "swept along" in text_of(pilot))
    assert repo.state() == before


async def test_what_was_staged_meanwhile_is_not_overwritten(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot))
        repo.add({"CLAUDE.md": "staged by another\n"})
        await pilot.press(*"mine", "ctrl+s")
        await until(pilot, lambda: "has changed since" in text_of(pilot))
        assert "mine" in text_of(pilot)
    assert repo.git("show", ":CLAUDE.md") == "staged by another\n"


async def test_leaving_with_unstaged_text_asks(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: editing(pilot))
        await pilot.press("z", "ctrl+q")
        await until(pilot, lambda: "Drop it" in text_of(pilot))
        await pilot.press("y")
        await until(pilot, lambda: "Leaving rejects" in text_of(pilot))
        await pilot.press("y")
    assert pilot.app.return_code == 1


async def test_read_only_edits_nothing(repo: Repo) -> None:
    screen = ReviewScreen(LoadReview(), alone=True)
    app = MemlensApp(open_workspace(repo.top, read_only=True), live=False, first=screen)
    async with driven(app) as pilot:
        await until(pilot, lambda: "CLAUDE.md" in screen_text(app))
        await pilot.press("e")
        await until(pilot, lambda: "nothing can be written" in screen_text(app))


async def test_commits_are_reviewed(repo: Repo) -> None:
    repo.commit()
    command = LoadReview(mode="range", commits="HEAD~1..HEAD")
    async with reviewing(repo, command=command) as pilot:
        assert "HEAD~1 → HEAD" in text_of(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "These are commits" in text_of(pilot))


async def test_from_the_workspace_and_back(repo: Repo) -> None:
    async with opened(open_workspace(repo.top)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "✗ 3 errors" in text_of(pilot))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
        await until(pilot, lambda: "it stays staged" in text_of(pilot))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


async def test_the_mouse_selects_opens_and_has_a_menu(repo: Repo) -> None:
    async with reviewing(repo, (120, 60)) as pilot:
        await pilot.click("#review-files", offset=(4, 1))
        await until(pilot, lambda: "style.md" in at_cursor(pilot, "files"))
        await pilot.click("#review-files", offset=(4, 0), times=2)
        await until(pilot, lambda: view(pilot, "difference").has_focus)
        await pilot.click("#review-difference", button=3, offset=(4, 1))
        await until(pilot, lambda: "Accept the change" in text_of(pilot))


async def test_rejecting_waits_for_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = threading.Event()
    monkeypatch.setattr(ReviewHandler, "load", lambda *_: begin.wait())
    screen = ReviewScreen(LoadReview(), alone=True)
    app = MemlensApp(open_workspace(repo.top), live=False, first=screen)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36)) as pilot:
        try:
            await until(pilot, lambda: app.bridge.awaits(LoadReview) and screen.is_current)
            app.post_message(events.Key("x", "x"))
            await until(pilot, lambda: app.return_code is not None)
            assert app.return_code == 1
        finally:
            begin.set()


async def test_the_first_paint_comes_before_git_is_asked(repo: Repo) -> None:
    screen = ReviewScreen(LoadReview(), alone=True)
    app = MemlensApp(open_workspace(repo.top), live=False, first=screen)
    painted: list[str] = []
    publish = app.engine.bus.publish

    def watched(message: object) -> None:
        if isinstance(message, LoadReview):
            painted.append(screen_text(app))
        publish(message)

    app.engine.bus.publish = watched  # type: ignore[method-assign]
    async with driven(app) as pilot:
        await until(pilot, lambda: painted)
        assert "1 Changed files" in painted[0]
        assert "loading" in painted[0]
        await pilot.press("a")
        assert app.return_code is None


async def test_the_palette_offers_what_a_reviewer_can_do(repo: Repo) -> None:
    async with reviewing(repo) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
        assert isinstance(pilot.app.screen, Palette)
        offered = {one.title.split(None, 1)[-1] for one in pilot.app.screen.choices}
        assert {"Accept", "Reject", "Edit", "Staged or all"} <= offered
        assert not {"Fold", "Sort", "Save"} & offered  # of screens that a review does not open
        await pilot.press(*"findings")
        await until(pilot, lambda: "Show what is wrong" in text_of(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await until(pilot, lambda: view(pilot, "findings").has_focus)


def writing(monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]) -> None:
    """The person's editor writes a text of its own into each file."""

    def edit(app: object, path: str, line: int = 1) -> bool:
        Path(path).write_text(texts[Path(path).name])
        return True

    monkeypatch.setattr("memlens.app.screens.review_staging.edit_outside", edit)


async def test_what_is_changed_in_the_editor_outside_can_be_staged(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing(monkeypatch, {"CLAUDE.md": "Changed outside.\n"})
    async with reviewing(repo) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await until(pilot, lambda: "What you changed is not staged yet." in text_of(pilot))
        await pilot.press("y")
        await until(pilot, lambda: "Changed outside." in lines(pilot, "difference"))
    assert repo.git("show", ":CLAUDE.md") == "Changed outside.\n"


@pytest.mark.parametrize("size", SIZES)
async def test_a_merge_is_put_together_in_the_editor_outside(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    repo.commit()
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"CLAUDE.md": "Side.\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"CLAUDE.md": "Main.\n"})
    repo.git("merge", "-q", "side", fine=(1,))
    conflict = Path(repo.top, "CLAUDE.md").read_text()
    texts = {"CLAUDE.md": conflict}
    writing(monkeypatch, texts)
    async with reviewing(repo, size) as pilot:
        assert at_cursor(pilot, "files").startswith("U  CLAUDE.md")
        await pilot.press("e")
        await until(pilot, lambda: "Git has not merged it yet" in text_of(pilot))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: "both sides" in text_of(pilot))
        assert repo.git("ls-files", "-u")
        texts["CLAUDE.md"] = "Both.\n"
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await until(pilot, lambda: "Staging it" in text_of(pilot))
        await pilot.press("y")
        await until(pilot, lambda: "Both." in lines(pilot, "difference"))
        assert at_cursor(pilot, "files").startswith("M  CLAUDE.md")
    assert repo.git("ls-files", "-u") == ""


async def test_where_nothing_was_found_the_view_says_so(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "Plain.\n", "style.md": "- plain\n"})
    async with reviewing(repo) as pilot:
        await pilot.press("4")
        await until(pilot, lambda: lines(pilot, "findings") == "Nothing was found.")
        await pilot.press("n", "p", "enter", "2")
        await until(pilot, lambda: view(pilot, "difference").has_focus)


async def test_keys_wait_until_the_review_is_loaded(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = threading.Event()
    load = ReviewHandler.load

    def wait(self: ReviewHandler, command: LoadReview) -> None:
        begin.wait()
        load(self, command)

    monkeypatch.setattr(ReviewHandler, "load", wait)
    screen = ReviewScreen(LoadReview(), alone=True)
    app = MemlensApp(open_workspace(repo.top), live=False, first=screen)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        try:
            await until(pilot, lambda: app.bridge.awaits(LoadReview) and screen.is_current)
            for key, character in (("question_mark", "?"), ("escape", None)):
                app.post_message(events.Key(key, character))
            await until(pilot, lambda: app.screen is screen and app.bridge.typed._is_quiet())
            for key in "3n2e":
                app.post_message(events.Key(key, key))
            await until(pilot, lambda: app.bridge.typed._early is not None)
        finally:
            begin.set()
        await until(pilot, lambda: screen.parts.editing)
        assert "still being loaded" not in text_of(pilot)
