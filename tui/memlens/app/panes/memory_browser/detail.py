"""The selected fact below the list: what it says, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from memlens.app.panes.memory_browser.lines import SIGNS
from memlens.app.words import shortened
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.engine.durable.results import Fact
    from memlens.engine.findings import Finding

_SHOWN: Final = 2000
"""Characters of a body; more never fits below the list."""
_LINE: Final = 160
"""Characters of a description, and of what is wrong with it: what is below stays in sight."""
_FINDINGS: Final = 2
_COLOURS: Final = {"error": "$text-error", "warning": "$text-warning", "note": "$secondary"}


def about_unread(finding: Finding) -> Content:
    """A file that would be a fact and is none: which, why, and what to do."""
    sign, style = SIGNS[finding.severity][0], _COLOURS[finding.severity]
    parts: list[str | tuple[str, str]] = [
        (visible(finding.file), "bold"), "\n", (f"{sign} {visible(finding.message)}", style),
    ]  # fmt: skip
    if finding.hint:
        parts += ["\n", (f"→ {visible(finding.hint)}", "dim")]
    return Content.assemble(*parts)


def detail(fact: Fact, findings: Sequence[Finding], *, cut: bool) -> Content:
    """A fact in short."""
    tags = "  ".join(f"#{tag}" for tag in fact.tags)
    description = fact.description
    if len(description) > _LINE:
        description = f"{description[: _LINE - 1].rstrip()}…"
    parts: list[str | tuple[str, str]] = [
        (visible(description), "bold"), "\n",
        (visible(f"{fact.created[:10]}  {tags}".strip()), "dim"), "\n",
    ]  # fmt: skip
    if cut:
        parts += [("◌ behind the cut of the index: the agent does not see it", "dim"), "\n"]
    for finding in findings[:_FINDINGS]:
        sign = SIGNS[finding.severity][0]
        place = f" (line {finding.line})" if finding.line else ""
        text = f"{sign} {shortened(finding.message, _LINE)}{place}"
        parts += [(visible(text), _COLOURS[finding.severity]), "\n"]
        if finding.hint:
            parts += [(f"→ {visible(finding.hint)}", "dim"), "\n"]
    if len(findings) > _FINDINGS:
        parts += [(f"and {len(findings) - _FINDINGS} more", "dim"), "\n"]
    parts.append(visible_text(fact.body[:_SHOWN]))
    return Content.assemble(*parts)
