"""What memlens asks git, through git's own command line.

Only that honours the index, the folders and the configuration that git hands to a hook. Every
answer is asked for in its `-z` form, so `core.quotePath` and odd names change nothing. git is
never allowed to write on the way (`GIT_OPTIONAL_LOCKS=0`), nor to ask.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from memlens.engine.review.process import GitError, Running

_LOCAL: Final = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
    )
)
"""What binds a git process to one repository (`git rev-parse --local-env-vars`)."""

_UNWANTED: Final = ("GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_FLUSH", "GIT_EDITOR")

_QUIET: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GCM_INTERACTIVE": "never",
    "GIT_PAGER": "cat",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}

_EMPTY_TREES: Final = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

LINK: Final = "120000"
SUBMODULE: Final = "160000"

Operation = Literal["", "merge", "rebase", "cherry-pick", "revert", "bisect"]


class Entry(NamedTuple):
    """One file in a tree or an index."""

    mode: str
    """Octal, as git writes it: `100644`, `100755`, `120000` (link), `160000` (submodule)."""
    oid: str


class Change(NamedTuple):
    """One changed path between two trees."""

    status: str
    """git's letter: A, M, D, R, T (changed type), U (unmerged)."""
    path: str
    """Relative to the top; after the change where it is renamed."""
    old_path: str
    before: Entry | None
    after: Entry | None
    """An `oid` of zeros stands for a working file that git has not read."""


Listing = dict[str, Entry]
"""By path relative to the top, with `/`, surrogate escapes for bytes that are no UTF-8."""


class _Place(NamedTuple):
    top: str
    git_dir: str
    common_dir: str
    object_format: str


class Repository:
    """One checkout and what git says about it. Reads only; safe for one thread at a time."""

    def __init__(self, place: _Place, environment: dict[str, str]) -> None:
        self.top = place.top
        """The top folder of the checkout, an absolute real path."""
        self.git_dir = place.git_dir
        """The git folder of this checkout: of a linked worktree, its own."""
        self.common_dir = place.common_dir
        """The git folder that all worktrees share."""
        self.empty_tree = _EMPTY_TREES[place.object_format]
        self.environment = environment
        """What every git process here gets."""

    def start(self, *arguments: str, talk: bool = False) -> Running:
        """Starts git without waiting. The caller reads its answer or closes it."""
        return Running(arguments, self.top, self.environment, talk=talk)

    def ask(self, *arguments: str) -> bytes:
        """git's answer. Raises `GitError`."""
        return self.start(*arguments).answer()

    @property
    def index_file(self) -> str:
        """The index that counts: the one handed over by a hook, else the checkout's own."""
        handed = self.environment.get("GIT_INDEX_FILE")
        return handed or os.path.join(self.git_dir, "index")

    def operation(self) -> Operation:
        """What is under way in this checkout."""
        marks: tuple[tuple[str, Operation], ...] = (
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("MERGE_HEAD", "merge"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        )
        for mark, operation in marks:
            if os.path.lexists(os.path.join(self.git_dir, mark)):
                return operation
        return ""

    def commit(self, name: str) -> str:
        """The full id of a commit by any name git knows.

        Raises `GitError` (`no-such-commit`) where there is none.
        """
        answer: list[str] = []
        if name and not name.startswith("-"):
            running = self.start("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
            answer = running.answer(fine=(0, 1, 128)).decode("ascii", "replace").split()
        if len(answer) != 1:
            raise GitError(
                "no-such-commit", f"git knows no commit {name!r}", self.top,
                "look at git log; a shallow clone must first fetch it (git fetch --unshallow)",
            )  # fmt: skip
        return answer[0]

    def head(self) -> str | None:
        """The commit that HEAD stands for; None before the first one."""
        running = self.start("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        answer = running.answer(fine=(0, 1)).decode("ascii").strip()
        return answer if running.code == 0 else None

    def merge_base(self, left: str, right: str) -> str:
        """The commit where two commits parted. Raises `GitError` where they share none."""
        running = self.start("merge-base", left, right)
        answer = running.answer(fine=(0, 1)).decode("ascii").split()
        if not answer:
            raise GitError(
                "no-such-commit", f"{left} and {right} share no commit", self.top,
                "name the commits with two dots, or fetch more of the history",
            )  # fmt: skip
        return answer[0]


def open_repository(start: str, environment: Mapping[str, str] | None = None) -> Repository:
    """The repository whose checkout holds the folder `start`.

    The variables by which git binds a hook to a repository and its index (`GIT_DIR`,
    `GIT_INDEX_FILE`, ...) are honoured if they belong to that very checkout, and dropped if
    `start` lies in another one. Raises `GitError`.
    """
    given = dict(os.environ if environment is None else environment)
    for name in _UNWANTED:
        given.pop(name, None)
    given |= _QUIET
    clean = {name: value for name, value in given.items() if not _is_local(name)}
    start = os.path.abspath(start)
    handed = any(name in given for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"))
    if not handed:
        # Configuration given with `git -c` reaches a hook's children and counts there.
        return Repository(_place(start, given), given)
    try:
        hook = _place(os.getcwd(), given)
    except (GitError, OSError):  # also where the current folder is gone
        return Repository(_place(start, clean), clean)
    try:
        found = _place(start, clean)
    except GitError as error:
        # Some checkouts are found by their variables only (GIT_DIR=~/.dotfiles).
        if error.kind != "no-repository" or not _is_inside(os.path.realpath(start), hook.top):
            raise
    else:
        if found.git_dir != hook.git_dir:
            return Repository(found, clean)
    return Repository(hook, given | _absolute(given, hook))


def _is_local(name: str) -> bool:
    return name in _LOCAL or name.startswith(("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))


def _absolute(environment: Mapping[str, str], place: _Place) -> dict[str, str]:
    """The variables that name files, so that they hold in every folder."""
    paths = {"GIT_DIR": place.git_dir, "GIT_WORK_TREE": place.top}
    kept = {name: path for name, path in paths.items() if name in environment}
    if "GIT_INDEX_FILE" in environment:  # git takes it from the top
        kept["GIT_INDEX_FILE"] = os.path.join(place.top, environment["GIT_INDEX_FILE"])
    return kept


def _place(folder: str, environment: Mapping[str, str]) -> _Place:
    questions = (
        "--show-object-format",
        "--show-toplevel",
        "--absolute-git-dir",
        "--git-common-dir",
    )
    answer = _rev_parse(folder, environment, questions)
    parts = answer.split("\n")
    if len(parts) != len(questions):  # a folder with a line end in its name
        parts = [_rev_parse(folder, environment, (question,)) for question in questions]
    object_format, top, git_dir, common = parts
    return _Place(
        os.path.realpath(top),
        os.path.realpath(git_dir),
        os.path.realpath(os.path.join(folder, common)),
        object_format,
    )


def _rev_parse(folder: str, environment: Mapping[str, str], questions: tuple[str, ...]) -> str:
    running = Running(("rev-parse", *questions), folder, environment, talk=False)
    return running.answer().decode("utf-8", "surrogateescape").removesuffix("\n")


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
