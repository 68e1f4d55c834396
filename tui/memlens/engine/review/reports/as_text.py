"""The report for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from memlens.engine.findings import SEVERITIES, Finding
from memlens.engine.review.model import ChangedFile, DiffLine, Prompt, Review
from memlens.engine.review.reports import public_findings
from memlens.engine.visible import visible

_PROMPT_LINES: Final = 60
"""Lines of the prompt's difference that are printed at most."""

_LINE_WIDTH: Final = 200
"""Characters of such a line."""

_MARKS: Final = {"added": "A", "modified": "M", "deleted": "D", "renamed": "R"}
_SIGNS: Final = {"same": "  ", "removed": "- ", "added": "+ ", "gap": "… ", "note": "\\ "}


def as_text(review: Review) -> str:
    """What changes, what the agent is told differently, and what is wrong. Safe to print.

    Notes are only counted.
    """
    lines = [f"memlens review: {visible(review.before_name)} → {visible(review.after_name)}"]
    if not review.files and not review.findings:
        lines.append("Nothing that agents read has changed.")
        return "\n".join(lines) + "\n"
    lines += ["", *map(_file, review.files)]
    lines += ["", *_prompt(review)]
    loud = [finding for finding in public_findings(review) if finding.severity != "note"]
    if loud:
        lines += ["", *(line for finding in loud for line in _finding(finding))]
    lines += ["", _summary(review)]
    return "\n".join(lines) + "\n"


def _file(file: ChangedFile) -> str:
    name = visible(file.path)
    if file.old_path != file.path:
        name = f"{visible(file.old_path)} → {name}"
    problem = f": {visible(file.problem)}" if file.problem else ""
    return f"  {_MARKS[file.status]} {name} ({file.role}){problem}"


def _finding(finding: Finding) -> Iterator[str]:
    place = visible(finding.file)
    if finding.line:
        place += f":{finding.line}"
        if finding.column:
            place += f":{finding.column}"
    yield f"{place}: {finding.severity}: {visible(finding.message)} [{finding.name}]"
    if finding.hint:
        yield f"    {visible(finding.hint)}"


def _summary(review: Review) -> str:
    counts = dict.fromkeys(SEVERITIES, 0)
    for finding in review.findings:
        counts[finding.severity] += 1
    told = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count]
    text = ", ".join(told) if told else "Nothing found"
    if review.silenced:
        text += f"; {review.silenced} switched off by comments"
    return text + "."


def _prompt(review: Review) -> Iterator[str]:
    folder = os.path.relpath(review.root, review.top)
    where = "at the top" if folder == "." else f"in {visible(folder)}"
    old, new = review.before.tokens, review.after.tokens
    yield f"Prompt {where}: ≈ {old:,} → ≈ {new:,} tokens ({new - old:+,}; bytes / 4)"
    if review.before.text == review.after.text:
        yield "  It stays as it is."
        return
    for shown, line in enumerate(_private_folded(review)):
        if shown == _PROMPT_LINES:
            yield "  … and more: see memlens review"
            return
        yield f"  {line}"


def _private_folded(review: Review) -> Iterator[str]:
    """The prompt's difference; lines of private files only as their number."""
    public = {"before": _Shown(review.before), "after": _Shown(review.after)}
    hidden_kind, hidden = "", 0
    for line in review.prompt_difference():
        side, number = ("after", line.after) if line.after else ("before", line.before)
        if line.kind != "gap" and not public[side].line(number):
            if hidden and hidden_kind != line.kind:
                yield _hidden(hidden_kind, hidden)
                hidden = 0
            hidden_kind = line.kind
            hidden += line.kind != "note"
            continue
        if hidden:
            yield _hidden(hidden_kind, hidden)
            hidden = 0
        yield _line(line, public[side].text(number) if line.kind != "gap" else None)
    if hidden:
        yield _hidden(hidden_kind, hidden)


def _hidden(kind: str, count: int) -> str:
    return f"{_SIGNS[kind]}({count} line{'s' if count > 1 else ''} of private files)"


def _line(line: DiffLine, text: str | None) -> str:
    words = line.text if text is None or line.kind == "note" else text
    if len(words) > _LINE_WIDTH:
        words = words[:_LINE_WIDTH] + "…"
    return (_SIGNS[line.kind] + visible(words)).rstrip()


class _Shown:
    """The lines of one side that a report may show, without secrets."""

    def __init__(self, prompt: Prompt) -> None:
        from memlens.engine.safety.secrets import REDACTED, find_secrets

        self._lines = prompt.text.split("\n")
        self._private: set[int] = set()
        number = 1
        for source in prompt.sources:
            if not source.public:
                self._private.update(range(number, number + source.lines))
            number += source.lines
        for secret in reversed(find_secrets(prompt.text)):
            first = secret.line - 1
            rows = prompt.text.count("\n", secret.start, secret.end)
            if rows:
                self._lines[first : first + rows + 1] = [REDACTED] * (rows + 1)
                continue
            start, length = secret.column - 1, secret.end - secret.start
            row = self._lines[first]
            self._lines[first] = row[:start] + REDACTED + row[start + length :]

    def line(self, number: int) -> bool:
        return number not in self._private

    def text(self, number: int) -> str:
        return self._lines[number - 1]
