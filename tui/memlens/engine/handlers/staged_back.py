"""A text that was staged anew, in the log of what was done: git's index is taken back with it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memlens.engine.review import Staging


def beside(staging: Staging) -> Mapping[str, str]:
    """What the log has to keep."""
    return {f"git.{name}": value for name, value in staging._asdict().items()}


def index_back(kept: Mapping[str, str]) -> str:
    """Puts git's index back as the log tells, once the file has its former text again. Returns why
    it stays as it is; empty where it does not, or where the log tells of none."""
    from memlens.engine.review import GitError, Staging, open_repository, put_back

    try:
        staging = Staging(**{name: kept[f"git.{name}"] for name in Staging._fields})
    except KeyError:
        return ""
    try:
        return put_back(open_repository(staging.top), staging)
    except GitError as error:
        return str(error)
