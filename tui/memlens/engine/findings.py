"""Findings: what is wrong, where, and what to do, in one form for every part and report."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    Severity = Literal["error", "warning", "note"]
else:
    from memlens.engine.named import NamedTuple

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""From loud to quiet."""


class Finding(NamedTuple):
    """One thing a person should know about a file."""

    name: str
    """Stable, such as `broken-import`; people silence findings by it."""
    severity: Severity
    file: str
    """Absolute path; the review makes it relative to the repository in its reports."""
    line: int
    """From 1; 0 where the finding is about the file as a whole."""
    column: int
    """From 1, in characters; 0 where there is none."""
    message: str
    """What is so, in one sentence. May hold text from disks: show it through `visible`."""
    hint: str = ""
    """What to do about it."""
