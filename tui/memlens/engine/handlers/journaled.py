"""Writing a file so that it stands in the log of what was done, and can be taken back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memlens.engine.durable.results import OperationKind


class NotSavedError(Exception):
    """A file was not saved; the message says why, `hint` what to do."""

    def __init__(self, message: str, path: str, hint: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.hint = hint


class OvertakenError(Exception):
    """Another writer was quicker, between the question and the writing."""


def write_with_journal(
    path: str,
    data: bytes,
    label: str,
    known: bytes | None = None,
    beside: Mapping[str, str] | None = None,
) -> str:
    """Writes a file so that it can be undone; returns the id for that, empty where the bytes are
    there already. `beside`: what the undo must know of what is done beside it.

    Raises `OvertakenError` where there is a file with other bytes than `known`.
    """
    from memlens.engine.durable.errors import DurableError
    from memlens.engine.durable.journal import Change, perform
    from memlens.engine.durable.store import Changed, State, locked, state_of

    try:
        with locked():
            before = state_of(path)
            if before is not None and before.data == data:
                return ""
            if before is not None and known is not None and before.data != known:
                raise OvertakenError
            after = State(data, before.mode if before else 0o644)
            verb = "edited" if before else "wrote"
            change = Change(path, before, after, shared=True)
            kind: OperationKind = "edit" if before else "write"
            return perform(kind, f"{verb} {label}", [change], beside=beside)
    except Changed:
        raise OvertakenError from None
    except DurableError as error:
        raise NotSavedError(str(error), path) from error


def note_in_journal(path: str, title: str, beside: Mapping[str, str]) -> str:
    """Records what was done about a file that itself stays as it is; returns the id.

    Raises `NotSavedError`.
    """
    from memlens.engine.durable.errors import DurableError
    from memlens.engine.durable.journal import Change, note
    from memlens.engine.durable.store import locked

    try:
        with locked():
            return note("stage", title, [Change(path, None, None)], beside=beside)
    except DurableError as error:
        raise NotSavedError(str(error), path) from error
