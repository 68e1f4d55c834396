"""Commands about reviews: what a change in git does to what agents are told."""

from __future__ import annotations

from memlens.engine.commands.review import (
    ChangeHook,
    CompareFile,
    ComparePrompt,
    LoadReview,
    OpenStaged,
    Restage,
    StageWorking,
)
from memlens.engine.events.review import (
    FileCompared,
    HookChanged,
    PromptCompared,
    Restaged,
    RestageRefused,
    ReviewLoaded,
    ReviewRefused,
    StagedOpened,
)
from memlens.engine.work import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.review import (
        GitError,
        HookRefusedError,
        Reader,
        Repository,
        Review,
        Sides,
        Staging,
    )


class ReviewHandler:
    """Keeps the review that was loaded last, and asks git on behalf of whoever reviews."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._review: Review | None = None

    def load(self, command: LoadReview) -> None:
        from memlens.engine.review import GitError, make_review

        off = frozenset(self._desk.workspace.settings.ignore)
        self._review = None
        try:
            repository = self._repository()
            with _sides(repository, command) as sides:
                self._review = make_review(sides, self._reader(repository), off)
            operation = repository.operation() if command.mode == "staged" else ""
        except GitError as error:
            self._refuse(command.request, error)
            return
        self._desk.publish(
            ReviewLoaded(request=command.request, review=self._review, operation=operation)
        )

    def compare_file(self, command: CompareFile) -> None:
        if self._review is None:
            return
        file = next((one for one in self._review.files if one.path == command.path), None)
        lines = file.difference(command.context) if file is not None else ()
        self._desk.publish(FileCompared(request=command.request, path=command.path, lines=lines))

    def compare_prompt(self, command: ComparePrompt) -> None:
        if self._review is None:
            return
        lines = self._review.prompt_difference(command.context)
        self._desk.publish(PromptCompared(request=command.request, lines=lines))

    def open_staged(self, command: OpenStaged) -> None:
        from memlens.engine.review import RestageRefusedError, check_restage, staged_bytes

        self._desk.must_write()
        try:
            repository = self._repository()
            check_restage(repository, command.path)
            text = staged_bytes(repository, command.path).decode("utf-8", "surrogateescape")
        except RestageRefusedError as refusal:
            self._refuse_restage(command.request, command.path, refusal)
            return
        self._desk.publish(StagedOpened(request=command.request, path=command.path, text=text))

    def restage(self, command: Restage) -> None:
        from memlens.engine.handlers.journaled import OvertakenError, write_with_journal
        from memlens.engine.handlers.staged_back import beside
        from memlens.engine.review import RestageRefusedError, restage

        def write(place: str, data: bytes, staging: Staging) -> None:
            label = f"{command.path} and staged it"
            try:
                write_with_journal(place, data, label, beside=beside(staging))
            except OvertakenError:
                raise RestageRefusedError(
                    "the working file changed at this very moment", "look at the review again"
                ) from None

        self._desk.must_write()
        text, opened = (
            one.encode("utf-8", "surrogateescape") for one in (command.text, command.opened)
        )
        try:
            with whole():
                restage(self._repository(), command.path, text, opened, write)
        except RestageRefusedError as refusal:
            self._refuse_restage(command.request, command.path, refusal)
            return
        self._desk.publish(Restaged(request=command.request, path=command.path))

    def stage_working(self, command: StageWorking) -> None:
        from memlens.engine.handlers.journaled import NotSavedError, note_in_journal
        from memlens.engine.handlers.staged_back import beside
        from memlens.engine.review import RestageRefusedError, put_back, stage_working

        self._desk.must_write()
        try:
            repository = self._repository()
            with whole():
                staging = stage_working(repository, command.path)
                place = f"{repository.top}/{command.path}"
                try:
                    note_in_journal(place, f"staged {command.path}", beside(staging))
                except NotSavedError:  # what could not be taken back later is so now
                    put_back(repository, staging)
                    raise
        except RestageRefusedError as refusal:
            self._refuse_restage(command.request, command.path, refusal)
            return
        self._desk.publish(Restaged(request=command.request, path=command.path))

    def change_hook(self, command: ChangeHook) -> None:
        from memlens.engine.review import (
            GitError,
            HookRefusedError,
            install_hook,
            own_program,
            uninstall_hook,
        )

        self._desk.must_write()
        try:
            repository = self._repository()
            with whole():
                if command.install:
                    done = install_hook(repository, own_program())
                else:
                    done = uninstall_hook(repository)
        except (GitError, HookRefusedError) as error:
            self._refuse(command.request, error)
            return
        self._desk.publish(
            HookChanged(
                request=command.request, path=done.path, message=done.message, changed=done.changed
            )
        )

    def _repository(self) -> Repository:
        from memlens.engine.review import open_repository

        return open_repository(self._desk.workspace.root)

    def _reader(self, repository: Repository) -> Reader:
        from memlens.engine.handlers.resolving import reader_in_git
        from memlens.engine.review import root_in

        return reader_in_git(self._desk, root_in(repository, self._desk.workspace.root))

    def _refuse(self, request: int, error: GitError | HookRefusedError) -> None:
        where = getattr(error, "where", "")
        self._desk.publish(
            ReviewRefused(request=request, why=str(error), where=where, hint=error.hint)
        )

    def _refuse_restage(self, request: int, path: str, refusal: Any) -> None:
        self._desk.publish(
            RestageRefused(request=request, path=path, why=str(refusal), hint=refusal.hint)
        )


def _sides(repository: Repository, command: LoadReview) -> Sides:
    from memlens.engine.review import between, everything, staged

    if command.mode == "all":
        return everything(repository)
    if command.mode == "range":
        return between(repository, command.commits)
    return staged(repository, command.base or None)


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = ReviewHandler(desk)
    return {
        LoadReview: part.load,
        CompareFile: part.compare_file,
        ComparePrompt: part.compare_prompt,
        OpenStaged: part.open_staged,
        Restage: part.restage,
        StageWorking: part.stage_working,
        ChangeHook: part.change_hook,
    }
