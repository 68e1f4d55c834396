"""Reviews through the engine: commands in, snapshots out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from memlens.engine import (
    ChangeHook,
    Command,
    CompareFile,
    ComparePrompt,
    ContextLoaded,
    Engine,
    EngineError,
    Event,
    FileCompared,
    HistoryLoaded,
    HookChanged,
    LoadContext,
    LoadHistory,
    LoadReview,
    MemoryUndone,
    OpenStaged,
    PeekStep,
    PromptCompared,
    Restage,
    Restaged,
    RestageRefused,
    ReviewAnswer,
    ReviewLoaded,
    ReviewRefused,
    StagedOpened,
    StageWorking,
    StepPeeked,
    UndoMemory,
    open_workspace,
)
from memlens.engine.durable.errors import WriteFailed
from memlens.engine.record import replace
from tests.engine.review.conftest import IDENTITY, Repo, make_repo

E = TypeVar("E", bound=Event)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    repo = make_repo(tmp_path / "repo")
    repo.commit({"CLAUDE.md": "one\n", "a.py": "1\n"})
    repo.add({"CLAUDE.md": "two\n", "a.py": "2\n"})
    return repo


@pytest.fixture
def engine(repo: Repo) -> Iterator[Engine]:
    with Engine(open_workspace(repo.top)) as engine:
        yield engine


def ask(engine: Engine, command: Command, kind: type[E]) -> E:
    return engine.ask(replace(command, request=engine.next_request()), kind, 20)


def loaded(engine: Engine, command: LoadReview) -> ReviewLoaded:
    answer = ask(engine, command, ReviewAnswer)
    assert isinstance(answer, ReviewLoaded)
    return answer


def test_a_review_and_its_differences(engine: Engine, repo: Repo) -> None:
    review = loaded(engine, LoadReview()).review
    assert [file.path for file in review.files] == ["CLAUDE.md"]
    file = ask(engine, CompareFile(path="CLAUDE.md"), FileCompared)
    assert [(line.kind, line.text) for line in file.lines] == [("removed", "one"), ("added", "two")]
    prompt = ask(engine, ComparePrompt(context=0), PromptCompared)
    assert ("added", "two") in [(line.kind, line.text) for line in prompt.lines]
    assert ask(engine, CompareFile(path="a.py"), FileCompared).lines == ()


def test_the_sides(engine: Engine, repo: Repo) -> None:
    repo.write({"pkg/AGENTS.md": "untracked\n"})
    everything = loaded(engine, LoadReview(mode="all")).review
    assert [file.path for file in everything.files] == ["CLAUDE.md", "pkg/AGENTS.md"]
    repo.git("commit", "-qm", "c")
    assert loaded(engine, LoadReview()).review.files == ()
    assert loaded(engine, LoadReview(base="HEAD~1")).review.files
    commits = loaded(engine, LoadReview(mode="range", commits="HEAD~1..HEAD")).review
    assert commits.before_name == "HEAD~1"


def test_what_is_under_way(engine: Engine, repo: Repo) -> None:
    assert loaded(engine, LoadReview()).operation == ""
    Path(repo.git_dir, "MERGE_HEAD").write_text(repo.git("rev-parse", "HEAD"))
    assert loaded(engine, LoadReview()).operation == "merge"


def test_what_git_refuses_is_an_answer(engine: Engine, tmp_path: Path) -> None:
    answer = ask(engine, LoadReview(mode="range", commits="nope"), ReviewAnswer)
    assert isinstance(answer, ReviewRefused)
    assert "nope" in answer.why
    assert answer.hint
    (tmp_path / "plain").mkdir()
    with Engine(open_workspace(tmp_path / "plain")) as elsewhere:
        refused = ask(elsewhere, LoadReview(), ReviewAnswer)
    assert isinstance(refused, ReviewRefused)
    assert refused.where == str(tmp_path / "plain")


def test_names_that_the_settings_switch_off(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.add({"CLAUDE.md": "hid\u200bden\n"})
    monkeypatch.setenv("MEMLENS_IGNORE", "hidden-characters")
    with Engine(open_workspace(repo.top)) as engine:
        assert loaded(engine, LoadReview()).review.findings == ()


def test_a_text_is_opened_and_staged_again(engine: Engine, repo: Repo) -> None:
    repo.add({"CLAUDE.md": b"two\r\n\xe9\n"})
    opened = ask(engine, OpenStaged(path="CLAUDE.md"), StagedOpened)
    assert opened.text == "two\r\n\udce9\n"
    text = opened.text.replace("two", "three")
    ask(engine, Restage(path="CLAUDE.md", text=text, opened=opened.text), Restaged)
    assert Path(repo.top, "CLAUDE.md").read_bytes() == b"three\r\n\xe9\n"
    assert "three" in loaded(engine, LoadReview()).review.after.text
    refused = ask(engine, Restage(path="CLAUDE.md", text="x", opened=opened.text), RestageRefused)
    assert "has changed since" in refused.why


def test_what_is_not_staged_alone_is_not_opened(engine: Engine, repo: Repo) -> None:
    repo.write({"CLAUDE.md": "three\n"})
    refused = ask(engine, OpenStaged(path="CLAUDE.md"), RestageRefused)
    assert "swept along" in refused.why
    assert refused.hint
    ask(engine, StageWorking(path="CLAUDE.md"), Restaged)
    assert repo.git("show", ":CLAUDE.md") == "three\n"
    assert ask(engine, OpenStaged(path="CLAUDE.md"), StagedOpened).text == "three\n"


def test_read_only_writes_nothing(repo: Repo) -> None:
    before = repo.state()
    commands: tuple[tuple[Command, type[Event]], ...] = (
        (OpenStaged(path="CLAUDE.md"), StagedOpened),
        (Restage(path="CLAUDE.md", text="x", opened="two\n"), Restaged),
        (StageWorking(path="CLAUDE.md"), Restaged),
        (ChangeHook(install=True), HookChanged),
    )
    with Engine(open_workspace(repo.top, read_only=True)) as engine:
        for command, kind in commands:
            with pytest.raises(EngineError, match="nothing can be written"):
                ask(engine, command, kind)
    assert repo.state() == before


def test_the_hook(
    engine: Engine, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "memlens"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(program)])
    done = ask(engine, ChangeHook(install=True), ReviewAnswer)
    assert isinstance(done, HookChanged)
    assert str(program) in Path(done.path).read_text()
    gone = ask(engine, ChangeHook(install=False), ReviewAnswer)
    assert isinstance(gone, HookChanged)
    assert gone.changed
    Path(done.path).write_text("#!/bin/sh\n")
    refused = ask(engine, ChangeHook(install=False), ReviewAnswer)
    assert isinstance(refused, ReviewRefused)


def test_a_review_goes_by_the_settings(repo: Repo, tmp_path: Path) -> None:
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "CLAUDE.md").write_text("ours\n")
    texts = {}
    for framing in ("split", "classic"):
        workspace = open_workspace(repo.top, home=tmp_path, agent="claude")
        settings = replace(
            workspace.settings, framing=framing, managed_folder=str(managed)
        )  # fmt: skip
        with Engine(replace(workspace, settings=settings)) as engine:
            engine.start()
            plan = engine.ask(
                LoadContext(request=engine.next_request()), ContextLoaded, 20
            ).plan  # fmt: skip
            texts[framing] = loaded(engine, LoadReview()).review.after.text
        assert texts[framing] == plan.text
        assert "ours" in texts[framing]
    assert texts["split"] != texts["classic"]


def test_what_is_staged_anew_is_logged_and_can_be_taken_back(engine: Engine, repo: Repo) -> None:
    ask(engine, Restage(path="CLAUDE.md", text="three\n", opened="two\n"), Restaged)
    done = ask(engine, LoadHistory(), HistoryLoaded).operations
    assert [one.title for one in done] == ["edited CLAUDE.md and staged it"]
    undone = ask(engine, UndoMemory(undo_id=done[0].undo_id), MemoryUndone)
    assert Path(repo.top, "CLAUDE.md").read_text() == "two\n"
    assert repo.git("cat-file", "blob", ":CLAUDE.md") == "two\n"
    assert undone.left == ""


def test_taking_back_says_where_the_index_stays(engine: Engine, repo: Repo) -> None:
    ask(engine, Restage(path="CLAUDE.md", text="three\n", opened="two\n"), Restaged)
    repo.git("commit", "-qm", "c")
    undone = ask(engine, UndoMemory(), MemoryUndone)
    assert Path(repo.top, "CLAUDE.md").read_text() == "two\n"
    assert repo.git("cat-file", "blob", ":CLAUDE.md") == "three\n"
    assert undone.left == "git's index stays as it is: it has been committed"
    ask(engine, Restage(path="CLAUDE.md", text="four\n", opened="three\n"), RestageRefused)
    repo.git("checkout", "-q", "CLAUDE.md")
    ask(engine, Restage(path="CLAUDE.md", text="four\n", opened="three\n"), Restaged)
    shutil.rmtree(repo.git_dir)
    undone = ask(engine, UndoMemory(), MemoryUndone)
    assert Path(repo.top, "CLAUDE.md").read_text() == "three\n"
    assert undone.left.startswith("git's index stays as it is: ")


def test_what_is_staged_of_a_working_file_is_logged_and_can_be_taken_back(
    engine: Engine, repo: Repo
) -> None:
    place = Path(repo.top, "CLAUDE.md")
    place.write_text("three\n")
    ask(engine, StageWorking(path="CLAUDE.md"), Restaged)
    assert repo.git("cat-file", "blob", ":CLAUDE.md") == "three\n"
    (done,) = ask(engine, LoadHistory(), HistoryLoaded).operations
    assert done.title == "staged CLAUDE.md"
    (file,) = ask(engine, PeekStep(undo_id=done.undo_id), StepPeeked).files
    assert (file.path, file.state) == (str(place), "untouched")
    place.write_text("three and more\n")  # which the step has nothing to do with
    undone = ask(engine, UndoMemory(), MemoryUndone)
    assert (undone.restored, undone.removed, undone.left) == ((), (), "")
    assert repo.git("cat-file", "blob", ":CLAUDE.md") == "two\n"
    assert place.read_text() == "three and more\n"
    with pytest.raises(EngineError, match="nothing to undo"):
        ask(engine, UndoMemory(), MemoryUndone)


def test_a_working_file_is_not_staged_where_that_could_not_be_taken_back(
    engine: Engine, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(*_: object, **__: object) -> str:
        raise WriteFailed("there is no room", "/trash")

    monkeypatch.setattr("memlens.engine.durable.journal.note", note)
    Path(repo.top, "CLAUDE.md").write_text("three\n")
    with pytest.raises(EngineError, match="no room"):
        ask(engine, StageWorking(path="CLAUDE.md"), Restaged)
    assert repo.git("cat-file", "blob", ":CLAUDE.md") == "two\n"
