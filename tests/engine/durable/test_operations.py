"""Writing, editing, moving and deleting."""

from __future__ import annotations

import errno
import os
import resource
import stat
import threading
from pathlib import Path

import pytest

from memlens.engine.durable import (
    FACT_LIMIT,
    DeleteResult,
    FactAmbiguous,
    FactChanged,
    FactMissing,
    InvalidFact,
    MemoryScope,
    NameTaken,
    NotWritable,
    ScopeUnavailable,
    StoreBusy,
    WriteFailed,
    delete_entries,
    delete_memory,
    edit,
    edit_many,
    find,
    find_all,
    find_one,
    history,
    load,
    merge,
    operations,
    read_fact,
    restore,
    store,
    trash,
    undo,
    write_memory,
    write_to_dir,
)
from memlens.engine.files import replace_file

from .conftest import Place

GLOBAL = MemoryScope.GLOBAL
SHARED = MemoryScope.PROJECT_SHARED


def write(place: Place, name: str, body: str = "body", scope: MemoryScope = GLOBAL) -> str:
    return str(write_memory(place.cwd, scope, name, "about " + name, ["t"], body))


def test_a_new_fact_is_private(place: Place) -> None:
    path = write(place, "a")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    for folder in (place.data, place.facts, place.data / "trash"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_shared_fact_is_for_all(place: Place) -> None:
    umask = os.umask(0o022)
    try:
        path = write(place, "a", scope=SHARED)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o644
    assert stat.S_IMODE(place.shared.stat().st_mode) == 0o755


def test_a_replaced_file_keeps_its_mode(place: Place) -> None:
    path = write(place, "a")
    os.chmod(path, 0o640)
    result = write_memory(place.cwd, GLOBAL, "a", "new", [], "new")
    assert result.replaced
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640


def test_the_result_says_what_was_redacted(place: Place) -> None:
    result = write_memory(
        place.cwd, GLOBAL, "a token: abc123def", "password=x1", ["secret=y"], "one\ntoken: zzzz"
    )
    assert [(one.field, one.kind, one.line) for one in result.redacted] == [
        ("name", "token", 1),
        ("description", "password", 1),
        ("tags", "secret", 1),
        ("body", "token", 2),
    ]
    assert os.fspath(result).endswith("/a-token-redacted.md")
    assert "zzzz" not in Path(result).read_text()


def test_a_file_is_never_written_through_a_link(place: Place, tmp_path: Path) -> None:
    place.facts.mkdir(parents=True)
    target = tmp_path / "precious.md"
    target.write_text("precious")
    (place.facts / "build.md").symlink_to(target)
    assert write(place, "build") == str(place.facts / "build-2.md")
    assert target.read_text() == "precious"
    with pytest.raises(NotWritable, match="link"):
        store.state_of(str(place.facts / "build.md"))


@pytest.mark.parametrize("linked", [".mermaid", ".mermaid/memory"])
@pytest.mark.parametrize("elsewhere", ["plain", "another checkout"])
def test_a_shared_folder_behind_a_link_is_read_but_not_written(
    place: Place, tmp_path: Path, linked: str, elsewhere: str
) -> None:
    outside = tmp_path / "outside"
    (outside / "memory").mkdir(parents=True)
    if elsewhere == "another checkout":
        (outside / ".git").touch()
        (outside / "memory" / ".git").touch()
    folder = outside if linked.endswith("memory") else outside / "memory"
    (folder / "a.md").write_text("---\nname: a\n---\n\nx\n")
    link = place.cwd / linked
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    entry = find_one(place.cwd, "a")
    with pytest.raises(ScopeUnavailable, match="out of the checkout"):
        write(place, "b", scope=SHARED)
    with pytest.raises(ScopeUnavailable):
        edit(place.cwd, entry, body="new")
    with pytest.raises(ScopeUnavailable):
        delete_memory(place.cwd, "a")
    names = {"a.md", "memory", ".git"} if folder == outside else {"a.md", ".git"}
    assert "a.md" in os.listdir(folder)
    assert set(os.listdir(folder)) <= names


def test_undoing_does_not_follow_a_link_that_a_shared_folder_has_become(
    place: Place, tmp_path: Path
) -> None:
    write(place, "a", scope=SHARED)
    write(place, "a", "new", scope=SHARED)
    write(place, "b", scope=SHARED)
    delete_memory(place.cwd, "b")
    outside, link = tmp_path / "outside", place.cwd / ".mermaid"
    link.rename(outside)
    link.symlink_to(outside)
    before = {path: path.read_bytes() for path in (outside / "memory").iterdir()}
    with pytest.raises(ScopeUnavailable):
        undo(place.cwd)
    with pytest.raises(ScopeUnavailable):
        undo(place.cwd, history(place.cwd)[-2].undo_id)
    with pytest.raises(ScopeUnavailable):
        restore(trash(place.cwd)[0], SHARED)
    assert {path: path.read_bytes() for path in (outside / "memory").iterdir()} == before


def test_a_link_inside_the_checkout_is_fine(place: Place) -> None:
    (place.cwd / "docs").mkdir()
    (place.cwd / ".mermaid").mkdir()
    (place.cwd / ".mermaid" / "memory").symlink_to(place.cwd / "docs")
    write(place, "a", scope=SHARED)
    assert os.listdir(place.cwd / "docs") == ["a.md"]


def test_no_scope_and_no_name_are_clear_errors(place: Place, tmp_path: Path) -> None:
    with pytest.raises(ScopeUnavailable, match="git checkout"):
        write_memory(tmp_path, SHARED, "a", "d", [], "b")
    for name in ("", "  \n "):
        with pytest.raises(InvalidFact, match="name"):
            write(place, name)
    with pytest.raises(InvalidFact, match="64,000"):
        write(place, "long", "x" * FACT_LIMIT)
    assert load(place.cwd) is None


def test_a_folder_in_the_way_stays(place: Place) -> None:
    (place.facts / "c.md").mkdir(parents=True)
    assert write(place, "C") == str(place.facts / "c-2.md")


def test_an_edit_changes_only_what_was_edited(place: Place) -> None:
    path = place.put("a.md", "---\nname: a\nowner: me # x\ntags: [t]\n---\n\nbody\n")
    fact = read_fact(find_one(place.cwd, "a"))
    result = edit(place.cwd, fact, name="a", tags=["t"], body="body", description="new")
    assert path.read_text() == (
        "---\nname: a\ndescription: new\nowner: me # x\ntags: [t]\n---\n\nbody\n"
    )
    again = edit(place.cwd, read_fact(find_one(place.cwd, "a")), description="new")
    assert result.undo_id
    assert not again.undo_id


def test_a_rename_moves_the_file(place: Place) -> None:
    old = write(place, "Old Name")
    os.chmod(old, 0o640)
    result = edit(place.cwd, read_fact(find_one(place.cwd, "Old Name")), name="New: Name")
    assert os.fspath(result) == str(place.facts / "new-name.md")
    assert result.moved_from == old
    assert os.listdir(place.facts) == ["new-name.md"]
    assert stat.S_IMODE(os.stat(result).st_mode) == 0o640
    undo(place.cwd)
    assert os.listdir(place.facts) == ["old-name.md"]


def test_a_rename_onto_a_taken_name_or_file(place: Place) -> None:
    write(place, "C++")
    write(place, "other")
    entry = find_one(place.cwd, "other")
    with pytest.raises(NameTaken, match=r"“C\+\+”") as taken:
        edit(place.cwd, entry, name="C++")
    assert taken.value.path.endswith("/c.md")
    assert os.fspath(edit(place.cwd, entry, name="C#")).endswith("/c-2.md")
    # The name changes, the slug does not: the file stays.
    assert os.fspath(edit(place.cwd, find_one(place.cwd, "C#"), name="C")).endswith("/c-2.md")


def test_a_move_between_scopes(place: Place) -> None:
    old = write(place, "a")
    result = edit(place.cwd, find_one(place.cwd, "a"), scope=SHARED, body="moved")
    assert os.fspath(result) == str(place.shared / "a.md")
    assert not os.path.exists(old)
    entry = find_one(place.cwd, "a")
    assert entry.scope is SHARED
    assert "scope: project-shared\n" in Path(result).read_text()
    write(place, "a")
    with pytest.raises(NameTaken):
        edit(place.cwd, entry, scope=GLOBAL)


def test_a_file_without_header_stays_without(place: Place) -> None:
    path = place.put("bare.md", "just text")
    edit(place.cwd, find_one(place.cwd, "bare"), body="other text")
    assert path.read_text() == "other text\n"
    edit(place.cwd, find_one(place.cwd, "bare"), name="Bare note")
    assert (place.facts / "bare-note.md").read_text() == "---\nname: Bare note\n---\n\nother text\n"


def test_the_later_one_is_told(place: Place) -> None:
    path = Path(write(place, "a", "base"))
    entry = find_one(place.cwd, "a")
    mine = read_fact(entry)
    edit(place.cwd, read_fact(entry), body="theirs")
    with pytest.raises(FactChanged) as caught:
        edit(place.cwd, mine, body="mine")
    problem = caught.value
    assert problem.base == mine.text
    assert "mine" in problem.mine
    assert problem.theirs == path.read_text()
    assert "theirs" in path.read_text()
    with pytest.raises(FactChanged):
        edit(place.cwd, entry, body="mine")
    with pytest.raises(FactChanged):
        delete_entries([entry])
    path.unlink()
    with pytest.raises(FactChanged, match="deleted") as caught:
        edit(place.cwd, mine, body="mine")
    assert caught.value.theirs is None


def test_an_editor_that_saves_in_the_last_moment_wins(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(write(place, "a", "base"))
    real = replace_file

    def late(target: str, data: bytes, **options: object) -> None:
        if target == str(path):
            path.write_text("from the editor")
        real(target, data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "replace_file", late)
    with pytest.raises(FactChanged) as caught:
        edit(place.cwd, find_one(place.cwd, "a"), body="mine")
    assert caught.value.theirs == "from the editor"
    assert path.read_text() == "from the editor"
    assert sorted(os.listdir(place.facts)) == ["a.md"]


def test_two_creators_of_one_slug_both_survive(place: Place) -> None:
    names = [f"C{'+' * count}" for count in range(1, 9)]
    threads = [threading.Thread(target=write, args=(place, name)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    snapshot = load(place.cwd)
    assert snapshot is not None
    assert sorted(entry.name for entry in snapshot.entries) == sorted(names)


def test_a_stranger_takes_the_name_between_look_and_creation(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlens.engine.durable import planning

    place.facts.mkdir(parents=True)
    real = planning.free_path
    taken: list[str] = []

    def slow(folder: str, slug: str) -> str:
        path = real(folder, slug)
        if not taken:
            taken.append(path)
            Path(path).write_text("of a stranger")
        return path

    monkeypatch.setattr(planning, "free_path", slow)
    assert write(place, "a") == str(place.facts / "a-2.md")
    assert (place.facts / "a.md").read_text() == "of a stranger"


def test_a_full_disk_leaves_the_old_file(place: Place) -> None:
    path = Path(write(place, "a", "old"))
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        for body in ("x" * 1990, "x" * 5000):
            with pytest.raises(WriteFailed, match="larger than is allowed"):
                write(place, "a", body)
            with pytest.raises(WriteFailed):
                write(place, "b", body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert os.listdir(place.facts) == ["a.md"]
    assert "disk is full" in str(store.write_failed("x", OSError(errno.ENOSPC, "")))
    write(place, "b")


def test_a_failure_in_the_middle_takes_all_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        write(place, name)
    entries = [find_one(place.cwd, name) for name in "abc"]
    before = {path.name: path.read_bytes() for path in place.facts.iterdir()}
    real = os.unlink

    def fail(path: str) -> None:
        if str(path).endswith("memory/b.md"):
            raise PermissionError(errno.EACCES, "no")
        real(path)

    monkeypatch.setattr(os, "unlink", fail)
    with pytest.raises(WriteFailed):
        delete_entries(entries)
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in place.facts.iterdir()} == before


def test_nothing_is_guessed(place: Place) -> None:
    write(place, "a")
    write(place, "a", scope=SHARED)
    with pytest.raises(FactAmbiguous, match="2 facts") as caught:
        find_one(place.cwd, "a")
    assert len(caught.value.paths) == 2
    assert find_one(place.cwd, "a", SHARED).scope is SHARED
    first = find(place.cwd, "a")
    assert first is not None
    assert first.scope is GLOBAL
    assert len(find_all(place.cwd, "a")) == 2
    assert find_one(place.cwd, first.path) == first
    with pytest.raises(FactMissing):
        find_one(place.cwd, "b")


def test_tags_of_many(place: Place) -> None:
    for name in "abc":
        write(place, name)
    entries = [find_one(place.cwd, name) for name in "abc"]
    results = edit_many(entries, add_tags=["x", "t", "x"], remove_tags=["t"])
    assert [find_one(place.cwd, name).tags for name in "abc"] == [("x", "t")] * 3
    assert len({result.undo_id for result in results}) == 1
    undo(place.cwd)
    assert find_one(place.cwd, "b").tags == ("t",)


def test_merging_is_one_step(place: Place) -> None:
    for name in "abc":
        write(place, name)
    keep, *rest = [find_one(place.cwd, name) for name in "abc"]
    merge(keep, rest, body="all")
    assert os.listdir(place.facts) == ["a.md"]
    undo(place.cwd)
    assert sorted(os.listdir(place.facts)) == ["a.md", "b.md", "c.md"]
    assert "all" not in (place.facts / "a.md").read_text()


def test_deleting_passes_for_the_path(place: Place) -> None:
    path = write(place, "a")
    result = delete_memory(place.cwd, "a")
    assert isinstance(result, DeleteResult)
    assert os.fspath(result) == str(result) == path
    assert Path(result.trashed).read_bytes()
    assert delete_memory(place.cwd, "a") is None
    with pytest.raises(FactMissing):
        delete_entries([])


def test_names_with_escape_sequences(place: Place) -> None:
    name = "\x1b]0;owned\x07 \u202e x"
    path = write(place, name)
    assert "\x1b" not in os.path.basename(path)
    assert find_one(place.cwd, name).path == path
    assert "\x1b" not in Path(path).read_text()


def test_a_given_folder_is_made(tmp_path: Path, place: Place) -> None:
    result = write_to_dir(tmp_path / "x" / "y", "a", "d", GLOBAL, [], "b")
    assert os.fspath(result) == str(tmp_path / "x" / "y" / "a.md")


def test_litter_of_killed_writers_goes(place: Place) -> None:
    place.facts.mkdir(parents=True)
    litter = place.facts / ".a.md.0123456789ab.tmp"
    litter.write_text("half")
    mine = place.facts / ".notes.tmp"
    mine.write_text("mine")
    write(place, "a")
    assert litter.exists()
    os.utime(litter, (1, 1))
    write(place, "b")
    assert not litter.exists()
    assert mine.exists()


def test_a_long_file_is_not_cut_by_an_edit(place: Place) -> None:
    path = place.put("a.md", "---\nname: a\n---\n" + "x" * FACT_LIMIT)
    with pytest.raises(NotWritable, match="64,000"):
        edit(place.cwd, find_one(place.cwd, "a"), name="b")
    assert path.stat().st_size > FACT_LIMIT
    assert delete_memory(place.cwd, "a") is not None


def test_a_writer_that_hangs_is_reported(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.02)
    with store.locked(), pytest.raises(StoreBusy):
        write(place, "a")
    write(place, "a")
    assert operations.folder_of(place.cwd, GLOBAL) == str(place.facts)


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "Make room on the disk"), (errno.EDQUOT, "Make room on the disk"),
        (errno.EROFS, "Make the disk writable"), (errno.EACCES, "Give yourself the right"),
        (errno.EIO, ""),
    ],
)  # fmt: skip
def test_what_to_do_fits_why_nothing_can_be_written(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: int, hint: str
) -> None:
    fact = read_fact(write_memory(place.cwd, GLOBAL, "a", "d", [], "b").path, GLOBAL)
    really = os.open

    def refuse(path: str, *rest: int, **more: int) -> int:
        if str(path).endswith(".lock"):
            raise OSError(number, os.strerror(number), path)
        return really(path, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(WriteFailed) as caught:
        edit(place.cwd, fact, body="other")
    assert caught.value.hint.startswith(hint)
    assert bool(caught.value.hint) == bool(hint)
    assert f"{place.data} cannot be written to" in str(caught.value)
    assert ".lock" not in str(caught.value)
