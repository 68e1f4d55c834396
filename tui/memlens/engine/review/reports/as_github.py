"""The report as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from memlens.engine.findings import Finding
from memlens.engine.review.model import Review
from memlens.engine.review.reports import public_findings
from memlens.engine.visible import visible


def as_github(review: Review) -> str:
    """One command for each finding but notes, then a line for the log."""
    lines = [_command(found) for found in public_findings(review) if found.severity != "note"]
    number = len(review.files)
    lines.append(
        f"memlens: {number} file{'s' if number != 1 else ''} that agents read, "
        f"prompt ≈ {review.before.tokens:,} → ≈ {review.after.tokens:,} tokens"
    )
    return "\n".join(lines) + "\n"


def _command(finding: Finding) -> str:
    properties = {"title": f"memlens: {finding.name}"}
    if not finding.file.startswith("/"):  # nothing outside of the repository can be pointed at
        properties["file"] = visible(finding.file)
        if finding.line:
            properties["line"] = str(finding.line)
        if finding.column:
            properties["col"] = str(finding.column)
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    words = visible(finding.message)
    if finding.hint:
        words += f" – {visible(finding.hint)}"
    return f"::{finding.severity} {told}::{_data(words)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
