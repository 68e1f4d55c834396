"""A review as text for people and machines. Nothing of a private file's text stands in any."""

from __future__ import annotations

from typing import Final, Literal

from memlens.engine.findings import Finding
from memlens.engine.review.model import Review

Format = Literal["text", "json", "github", "sarif"]
FORMATS: Final[tuple[Format, ...]] = ("text", "json", "github", "sarif")

_PRIVATE: Final = "this private file needs a look (its text is not told)"

ACCEPTED: Final = 0
REJECTED: Final = 1
FAILED: Final = 2
"""What a command returns that could not review at all."""


def exit_code(review: Review, *, strict: bool = False) -> int:
    """What the check returns: `REJECTED` on errors, with `strict` also on warnings."""
    bad = ("error", "warning") if strict else ("error",)
    return REJECTED if any(f.severity in bad for f in review.findings) else ACCEPTED


def public_findings(review: Review) -> tuple[Finding, ...]:
    """The findings without a word that may come from a private file, and without secrets."""
    from memlens.engine.safety.secrets import redact

    told = []
    for finding in review.findings:
        if finding.file in review.private and finding.name != "private-file-staged":
            told.append(finding._replace(message=_PRIVATE, hint=""))
        else:
            told.append(
                finding._replace(
                    message=redact(finding.message).text, hint=redact(finding.hint).text
                )
            )
    return tuple(told)


def report(review: Review, form: Format = "text") -> str:
    """The report, with a line end at its end."""
    if form == "json":
        from memlens.engine.review.reports.as_json import as_json

        return as_json(review)
    if form == "github":
        from memlens.engine.review.reports.as_github import as_github

        return as_github(review)
    if form == "sarif":
        from memlens.engine.review.reports.as_sarif import as_sarif

        return as_sarif(review)
    from memlens.engine.review.reports.as_text import as_text

    return as_text(review)
