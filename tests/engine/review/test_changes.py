"""What a review says: the right files, the prompt on both sides, and what the change is to blame
for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlens.engine.review.changes import make_review, root_in
from memlens.engine.review.git import open_repository
from memlens.engine.review.model import Review
from memlens.engine.review.process import GitError
from memlens.engine.review.sides import Sides, between, everything, staged
from memlens.engine.review.told import Reader
from memlens.engine.safety.spots import Spot
from memlens.engine.safety.texts import text_spots
from tests.engine.review.conftest import Repo, make_repo


def look(sides: Sides, folder: str = "", off: frozenset[str] = frozenset()) -> Review:
    with sides:
        root = root_in(sides.repository, os.path.join(sides.repository.top, folder))
        return make_review(sides, Reader(root), off)


def review(repo: Repo, folder: str = "", off: frozenset[str] = frozenset()) -> Review:
    return look(staged(open_repository(repo.top)), folder, off)


def files(found: Review) -> list[tuple[str, str, str]]:
    return [(file.path, file.status, file.role) for file in found.files]


def findings(found: Review) -> list[tuple[str, str, int, int]]:
    return [(f.name, f.file, f.line, f.column) for f in found.findings]


def test_the_staged_prompt_is_compared_not_the_working_tree(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "one @docs/style.md\n", "docs/style.md": "two spaces\n"})
    repo.add({"docs/style.md": "four spaces\n"})
    repo.write({"docs/style.md": "tabs\n", "CLAUDE.md": "not staged\n"})
    found = review(repo)
    assert files(found) == [("docs/style.md", "modified", "import")]
    assert (found.files[0].before, found.files[0].after) == ("two spaces\n", "four spaces\n")
    assert found.files[0].unstaged
    header = f"Contents of {repo.top}/CLAUDE.md (project instructions, checked into the codebase):"
    assert found.before.text == f"{header}\n\none two spaces"
    assert found.after.text == f"{header}\n\none four spaces"
    assert found.after.tokens == len(found.after.text) // 4
    assert [(line.kind, line.text) for line in found.prompt_difference(0)[1:]] == [
        ("removed", "one two spaces"),
        ("added", "one four spaces"),
    ]
    assert found.findings == ()


def test_every_file_that_agents_read_is_there(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "@docs/a.md\n", "docs/a.md": "@b.md\n", "docs/b.md": "b\n"})
    repo.add({
        "CLAUDE.md": "@docs/a.md changed\n",
        "docs/b.md": "b changed\n",
        "docs/unread.md": "x\n",
        "api/CLAUDE.md": "see @../docs/api.md\n",
        "docs/api.md": "api\n",
        "web/AGENTS.md": "agents\n",
        ".mermaid/memory/fact.md": "---\nname: f\ndescription: d\nscope: project-shared\n"
        "created: 2026-01-01T00:00:00+00:00\ntags: []\n---\n\nbody\n",
        ".mermaid/memory/readme.txt": "x\n",
        ".claude/rules/deep/x.md": "rule\n",
        ".claude/settings.json": "{}\n",
        "sub/.claude/CLAUDE.md": "sub\n",
        "src/code.py": "x = 1\n",
    })  # fmt: skip
    found = review(repo)
    assert files(found) == [
        (".claude/rules/deep/x.md", "added", "rule"),
        (".claude/settings.json", "added", "settings"),
        (".mermaid/memory/fact.md", "added", "fact"),
        ("CLAUDE.md", "modified", "memory"),
        ("api/CLAUDE.md", "added", "nested"),
        ("docs/api.md", "added", "import"),
        ("docs/b.md", "modified", "import"),
        ("sub/.claude/CLAUDE.md", "added", "nested"),
        ("web/AGENTS.md", "added", "nested"),
    ]
    assert f"- [f] d — {repo.top}/.mermaid/memory/fact.md" in found.after.text
    assert "# Memory" not in found.before.text


def test_facts_of_this_machine_stand_on_both_sides(repo: Repo, home: Path) -> None:
    (home / "data" / "memory").mkdir(parents=True)
    (home / "data" / "memory" / "g.md").write_text("---\nname: g\ndescription: mine\n---\n\nb\n")
    repo.commit({".mermaid/memory/old.md": "old\n"})
    repo.git("rm", "-q", ".mermaid/memory/old.md")
    repo.add({"README": "x\n"})
    found = review(repo)
    assert "- [g] mine" in found.before.text
    assert "- [old] old" in found.before.text
    assert "- [g] mine" in found.after.text
    assert "- [old]" not in found.after.text
    public = {
        line
        for source, line in zip(
            [source for source in found.before.sources for _ in range(source.lines)],
            found.before.text.split("\n"),
            strict=False,
        )
        if source.public
    }
    assert any("[old]" in line for line in public)
    assert not any("[g]" in line for line in public)


def test_memory_outside_changes_nothing_by_itself(repo: Repo, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "CLAUDE.md").write_text("mine, @~/notes.md\n")
    (home / "notes.md").write_text("notes\n")
    repo.commit({"CLAUDE.md": "project\n", ".gitignore": "CLAUDE.local.md\n"})
    repo.write({"CLAUDE.local.md": "local\n"})
    repo.add({"src.py": "x\n"})
    found = review(repo)
    assert found.before == found.after
    assert "mine, notes" in found.after.text
    assert "local" in found.after.text
    assert files(found) == []
    assert found.prompt_difference() == ()


def test_a_first_commit(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "@a.md\n", "a.md": "a\n"})
    found = review(repo)
    assert found.before.text == ""
    assert found.before.tokens == 0
    assert found.before_name == "nothing yet"
    assert files(found) == [("CLAUDE.md", "added", "memory"), ("a.md", "added", "import")]


def test_a_partly_staged_file_is_reviewed_as_far_as_it_is_staged(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "".join(f"{number}\n" for number in range(20))})
    text = Path(repo.top, "CLAUDE.md").read_text()
    repo.write({"CLAUDE.md": text.replace("2\n", "two\n", 1).replace("18\n", "eighteen\n")})
    repo.git("add", "-p", "CLAUDE.md", say="y\nn\n")
    found = review(repo)
    assert "two\n" in found.after.text
    assert "eighteen" not in found.after.text


def test_an_amended_commit_shows_what_is_added_to_it(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "1\n"})
    repo.commit({"CLAUDE.md": "2\n"})
    repo.add({"CLAUDE.md": "3\n"})
    assert review(repo).files[0].before == "2\n"
    repository = open_repository(repo.top)
    assert look(staged(repository, "HEAD^")).files[0].before == "1\n"


def test_a_rename_is_one_change(repo: Repo) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repo.commit({"CLAUDE.md": "@old.md\n", "old.md": body})
    repo.git("mv", "old.md", "new.md")
    repo.add({"CLAUDE.md": "@new.md\n", "new.md": body + "more\n"})
    found = review(repo)
    assert [(f.path, f.old_path, f.status) for f in found.files] == [
        ("CLAUDE.md", "CLAUDE.md", "modified"),
        ("new.md", "old.md", "renamed"),
    ]
    assert [line.text for line in found.files[1].difference(0) if line.kind == "added"] == ["more"]
    assert found.findings == ()


def test_a_file_taken_away_breaks_who_imports_it(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "a\nsee @docs/a.md\n", "docs/a.md": "a\n", "api/CLAUDE.md": "x\n"})
    repo.git("rm", "-q", "docs/a.md")
    found = review(repo)
    assert files(found) == [("docs/a.md", "deleted", "import")]
    assert findings(found) == [("broken-import", "CLAUDE.md", 2, 5)]


def test_a_break_in_a_nested_file_is_found(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "x\n", "api/CLAUDE.md": "see\n@../docs/a.md\n", "docs/a.md": "a\n"})
    repo.git("rm", "-q", "docs/a.md")
    assert findings(review(repo)) == [("broken-import", "api/CLAUDE.md", 2, 1)]


def test_what_was_wrong_before_is_told_only_in_changed_files(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "@./missing.md\n@b.md\n", "b.md": "b\n"})
    repo.add({"b.md": "changed\n"})
    assert findings(review(repo)) == []
    repo.add({"CLAUDE.md": "a new line\n@./missing.md\n@b.md\n"})
    assert findings(review(repo)) == [("broken-import", "CLAUDE.md", 2, 1)]
    repo.commit()
    repo.add({"b.md": "@./also-missing.md\n"})
    assert findings(review(repo)) == [("broken-import", "b.md", 1, 1)]


def test_a_package_name_is_no_finding(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "use @scope/name\n"})
    repo.add({"CLAUDE.md": "use @scope/name and say so\n"})
    assert [f for f in review(repo).findings if f.severity != "note"] == []


def test_what_is_hidden_in_a_changed_file_is_found(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "a\nb\u200bc\n", "src.py": "x\u200b\n"})
    found = review(repo)
    assert findings(found) == [("hidden-characters", "CLAUDE.md", 2, 2)]
    assert findings(review(repo, off=frozenset({"hidden-characters"}))) == []
    repo.add({"CLAUDE.md": "a\nb\u200bc <!-- memlens: ignore hidden-characters -->\n"})
    found = review(repo)
    assert findings(found) == []
    assert found.silenced == 1


def test_a_file_that_is_read_from_now_on_is_looked_through(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "x\n", "docs/old.md": "lurking\n\u202eevil\n"})
    repo.add({"CLAUDE.md": "@docs/old.md\n"})
    found = review(repo)
    assert files(found) == [("CLAUDE.md", "modified", "memory")]
    assert findings(found) == [("hidden-characters", "docs/old.md", 2, 1)]


def test_a_private_file_is_not_committed_unseen(repo: Repo) -> None:
    repo.add({"CLAUDE.local.md": "mine\n", "api/.claude/settings.local.json": "{}\n"})
    found = review(repo)
    assert findings(found) == [
        ("private-file-staged", "CLAUDE.local.md", 0, 0),
        ("private-file-staged", "api/.claude/settings.local.json", 0, 0),
    ]
    repo.commit()
    repo.git("rm", "-q", "--cached", "CLAUDE.local.md")
    assert findings(review(repo)) == []


def test_a_name_that_only_looks_like_one_is_found(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "x\n"})
    repo.add({"СLАUDE.md": "evil\n", "docs/привет.md": "x\n", "ÄGENTS.md": "x\n"})
    found = review(repo)
    assert files(found) == [("СLАUDE.md", "added", "look-alike")]
    assert findings(found) == [("hidden-characters", "СLАUDE.md", 0, 0)]


def test_a_changed_link_changes_what_is_read(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "@docs/a.md\n", "one/a.md": "one\n", "two/a.md": "two\n"})
    os.symlink("one", f"{repo.top}/docs")
    repo.commit()
    os.unlink(f"{repo.top}/docs")
    os.symlink("two", f"{repo.top}/docs")
    repo.add()
    found = review(repo)
    assert files(found) == [("docs", "modified", "import")]
    assert (found.files[0].before, found.files[0].after) == ("one", "two")
    assert "it is a link" in found.files[0].problem
    assert "one" in found.before.text
    assert "two" in found.after.text


IN_UTF_16 = "it is UTF-16 by its byte order mark, and agents read UTF-8"


def test_what_is_in_another_encoding_is_told_as_elsewhere(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "See @a.md", "a.md": "A"})
    repo.add({"a.md": "é".encode("utf-16")})
    [finding] = review(repo).findings
    assert (finding.name, finding.file) == ("import-binary", "CLAUDE.md")
    assert finding.message == f"@a.md stays as written: {IN_UTF_16}"
    assert "iconv -f UTF-16 -t UTF-8 a.md >" in finding.hint


def test_texts_that_cannot_be_shown_say_why(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": b"x\0y", "AGENTS.md": "a"})
    repo.add({"CLAUDE.md": b"z\0y", "AGENTS.md": b"x" * (4 * 1024 * 1024 + 1)})
    found = {file.path: file for file in review(repo).files}
    assert found["CLAUDE.md"].problem == "it is binary"
    assert found["CLAUDE.md"].after is None
    repo.add({"CLAUDE.md": "z".encode("utf-16")})
    found = {file.path: file for file in review(repo).files}
    assert found["CLAUDE.md"].problem == IN_UTF_16
    assert "4,194,305 bytes" in found["AGENTS.md"].problem
    assert found["AGENTS.md"].before == "a"


def test_other_encodings_are_shown_as_they_are(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": b"caf\xe9\n"})
    repo.add({"CLAUDE.md": b"caf\xe8\n"})
    found = review(repo)
    assert found.files[0].after == "caf\udce8\n"
    assert "hidden-characters" not in {f.name for f in found.findings}
    assert "encoding" in {f.name for f in found.findings}


def test_line_ends_are_no_change(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.commit({"CLAUDE.md": "1\r\n2\r\n"})
    repo.write({"CLAUDE.md": "1\r\n2\r\n3\r\n"})
    repo.git("add", "CLAUDE.md")
    found = review(repo)
    assert found.files[0].after == "1\n2\n3\n"
    assert [line.text for line in found.files[0].difference(0) if line.kind == "added"] == ["3"]
    assert not found.files[0].unstaged


def test_each_folder_has_its_own_prompt(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "top\n", "api/CLAUDE.md": "api\n", "web/CLAUDE.md": "web\n"})
    repo.add({"api/CLAUDE.md": "api changed\n"})
    top = review(repo)
    assert files(top) == [("api/CLAUDE.md", "modified", "nested")]
    assert top.before.text == top.after.text
    api = review(repo, "api")
    assert files(api) == [("api/CLAUDE.md", "modified", "memory")]
    assert api.before.text.endswith("\n\napi")
    assert api.after.text.endswith("\n\napi changed")
    assert "top" in api.after.text
    assert files(review(repo, "web")) == [("api/CLAUDE.md", "modified", "nested")]


def test_a_merge_and_what_is_left_of_it(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "1\n", "AGENTS.md": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"CLAUDE.md": "side\n", "api/CLAUDE.md": "api\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"CLAUDE.md": "main\n"})
    repo.git("merge", "-q", "side", fine=(1,))
    assert findings(review(repo)) == [("conflict-markers", "CLAUDE.md", 0, 0)]
    repo.git("add", "CLAUDE.md")
    found = review(repo)
    assert files(found) == [
        ("CLAUDE.md", "modified", "memory"),
        ("api/CLAUDE.md", "added", "nested"),
    ]
    assert findings(found) == [("conflict-markers", "CLAUDE.md", 1, 1)]


def test_everything_and_commits_are_reviewed_as_well(repo: Repo) -> None:
    first = repo.commit({"CLAUDE.md": "1\n"})
    repo.commit({"CLAUDE.md": "2\n"})
    repo.write({"CLAUDE.md": "3\n", "api/CLAUDE.md": "new\n"})
    before = repo.state()
    repository = open_repository(repo.top)
    whole = look(everything(repository))
    assert whole.mode == "all"
    assert files(whole) == [
        ("CLAUDE.md", "modified", "memory"),
        ("api/CLAUDE.md", "added", "nested"),
    ]
    assert (whole.files[0].before, whole.files[0].after) == ("2\n", "3\n")
    commits = look(between(repository, f"{first}..HEAD"))
    assert (commits.files[0].before, commits.files[0].after) == ("1\n", "2\n")
    assert files(commits) == [("CLAUDE.md", "modified", "memory")]
    assert repo.state() == before


def test_in_a_submodule_and_for_one(repo: Repo, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner")
    inner.commit({"CLAUDE.md": "1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.top, "sub")
    repo.commit({"CLAUDE.md": "@sub/CLAUDE.md\n"})
    sub = Repo(Path(repo.top) / "sub")
    sub.add({"CLAUDE.md": "2\n"})
    assert files(review(sub)) == [("CLAUDE.md", "modified", "memory")]
    sub.git("commit", "-q", "-m", "c")
    repo.add()
    found = review(repo)
    assert files(found) == [("sub", "modified", "submodule")]
    assert found.files[0].problem.endswith("does not look into its commits: review them there")
    assert "2" in found.after.text.rpartition("\n")[2]


def test_a_submodule_in_which_agents_read_nothing(repo: Repo, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner")
    inner.commit({"lib.c": "1\n", "doc/a.md": "a\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.top, "sub")
    assert files(review(repo)) == []
    repo.add({"CLAUDE.md": "@sub/doc/a.md\n"})  # now they do
    roles = [("CLAUDE.md", "added", "memory"), ("sub", "added", "submodule")]
    assert files(review(repo)) == roles


def test_the_root_must_be_in_the_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = open_repository(repo.top)
    with pytest.raises(GitError):
        root_in(repository, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert root_in(repository) == repo.top
    os.mkdir(f"{repo.top}/sub")
    monkeypatch.chdir(f"{repo.top}/sub")
    assert root_in(repository) == f"{repo.top}/sub"


def fact(name: str, body: str, scope: str = "project-shared", description: str = "d") -> str:
    return (
        f"---\nname: {name}\ndescription: {description}\nscope: {scope}\n"
        f"created: 2026-01-01T00:00:00+00:00\ntags: []\n---\n\n{body}\n"
    )


def test_shared_facts_are_checked(repo: Repo) -> None:
    folder = ".mermaid/memory"
    repo.commit({f"{folder}/a.md": fact("a", "one"), f"{folder}/old.md": fact("o", "x", "global")})
    repo.add({
        f"{folder}/bad.md": fact("b", "two", description="a: b: c"),
        f"{folder}/moved.md": fact("m", "three", "global"),
        f"{folder}/same.md": fact("s", "one"),
        f"{folder}/twin.md": fact("a", "four"),
        f"{folder}/leak.md": fact("l", "use ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"),
    })  # fmt: skip
    assert findings(review(repo)) == [
        ("frontmatter-invalid", f"{folder}/bad.md", 3, 15),
        ("secret", f"{folder}/leak.md", 9, 5),
        ("scope-mismatch", f"{folder}/moved.md", 4, 1),
        ("duplicate-fact", f"{folder}/same.md", 0, 0),
        ("duplicate-fact", f"{folder}/twin.md", 0, 0),
    ]


def test_facts_that_fall_out_of_the_index_are_told(repo: Repo) -> None:
    folder = ".mermaid/memory"
    repo.commit({f"{folder}/z.md": fact("z", "last"), f"{folder}/y.md": fact("y", "more")})
    repo.add({f"{folder}/a.md": fact("a", "first", description="long " * 1600)})
    found = review(repo)
    assert findings(found) == [
        ("index-overflow", folder, 0, 0),
        ("index-cut", f"{folder}/a.md", 0, 0),
        ("index-cut", f"{folder}/y.md", 0, 0),
        ("index-cut", f"{folder}/z.md", 0, 0),
    ]
    assert found.private == frozenset()
    assert "[Memory index truncated" in found.after.text
    repo.commit()
    repo.add({"README": "x\n"})
    assert findings(review(repo)) == []


def test_only_texts_that_differ_are_looked_through_for_what_is_hostile(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []

    def spy(text: str) -> list[Spot]:
        looked_at.append(text)
        return text_spots(text)

    monkeypatch.setattr("memlens.engine.safety.texts.text_spots", spy)
    hidden = "hid\u200bden "
    repo.commit({
        "CLAUDE.md": f"{hidden}root\nSee @a.md", "a.md": f"{hidden}import",
        "sub/CLAUDE.md": f"{hidden}nested\nSee @b.md", "sub/b.md": "old",
        "same/CLAUDE.md": "same",
    })  # fmt: skip
    repo.add({"CLAUDE.md": f"{hidden}root\nSee @a.md\n@gone.md", "sub/b.md": f"{hidden}new"})
    found = [(one.name, one.file) for one in review(repo).findings]
    assert found == [
        ("hidden-characters", "CLAUDE.md"), ("broken-import", "CLAUDE.md"),
        ("hidden-characters", "sub/b.md"),
    ]  # fmt: skip
    assert sorted(looked_at) == [f"{hidden}new", f"{hidden}root\nSee @a.md\n@gone.md"]
