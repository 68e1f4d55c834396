"""`memlens context`: what the agent gets, file by file, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlens.cli.common import engine_of, print_json, print_text, table
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    import argparse

    from memlens.engine.context.model import MemoryItem
    from memlens.engine.findings import Finding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--check", action="store_true", help="only the findings; exit 1 when one is an error"
    )
    parser.add_argument("--notes", action="store_true", help="show notes, too")


def run(options: argparse.Namespace) -> int:
    with engine_of(options) as engine:
        loaded = engine.ask(LoadContext(request=engine.next_request()), ContextLoaded)
    failed = options.check and any(one.severity == "error" for one in loaded.findings)
    if options.json:
        findings = [finding_json(finding) for finding in loaded.findings]
        print_json({"findings": findings} if options.check else _json(loaded, findings))
    else:
        shown = [one for one in loaded.findings if options.notes or one.severity != "note"]
        parts = [] if options.check else [_overview(loaded)]
        parts += [finding_text(finding) for finding in shown]
        text = "\n".join(part for part in parts if part)
        if text:
            print_text(text)
    return 1 if failed else 0


def _json(loaded: ContextLoaded, findings: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "root": loaded.root,
        "agent": loaded.agent,
        "tokens": loaded.plan.tokens,
        "items": [_item_json(item) for item in loaded.plan.items],
        "nested": [{"file": one.file, "touch": one.touch} for one in loaded.nested.files],
        "findings": findings,
    }


def _item_json(item: MemoryItem) -> dict[str, Any]:
    value = {
        "file": item.file,
        "label": item.label,
        "scope": item.scope,
        "kind": item.kind,
        "bytes": item.bytes,
        "lines": item.lines,
        "tokens": item.tokens,
        "imports": list(item.imports),
    }
    if item.parent is not None:
        value["parent"] = item.parent
    return value


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding in the documented shape."""
    return {
        "name": finding.name,
        "severity": finding.severity,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
    }


def finding_text(finding: Finding) -> str:
    """A finding in the form that editors and people can follow."""
    place = finding.file
    if finding.line:
        place += f":{finding.line}"
        if finding.column:
            place += f":{finding.column}"
    hint = f"\n    {finding.hint}" if finding.hint else ""
    return f"{place}: {finding.severity}: {finding.message} [{finding.name}]{hint}"


def _overview(loaded: ContextLoaded) -> str:
    plan = loaded.plan
    if not plan.text:
        return "The agent gets nothing here: there are no memory files and no facts."
    rows = [("", "file", "", "≈ tokens", "share")]
    shares = {part.item: part.share for part in plan.parts}
    for number, item in enumerate(plan.items):
        label = item.label if item.parent is None else f"  {item.label}"
        rows.append(
            (item.scope, label, item.kind, f"{item.tokens:,}", f"{shares.get(number, 0):.0%}")
        )
        rows += [("", f"  {loaded.label_of(path)}", "import", "", "") for path in item.imports]
    if plan.index is not None and plan.index_bytes:
        facts = f"{len(plan.index.facts)} facts"
        share = f"{shares.get(-1, 0):.0%}"
        rows.append(("index", "durable memory", facts, f"{plan.index_bytes // 4:,}", share))
    rows += [
        ("nested", nested.label, "on touch", f"{nested.bytes // 4:,}", "")
        for nested in loaded.nested.files
    ]
    lines = [table(rows, right=frozenset({3, 4})), ""]
    lines.append(f"≈ {plan.tokens:,} tokens ({plan.token_method}), {plan.bytes:,} bytes")
    out = [f"– {reason.text}" for reason in loaded.reasons if reason.state == "out"]
    if out:
        lines += ["", *out]
    loud = [one for one in loaded.findings if one.severity != "note"]
    if loud:
        lines += [""]
    return "\n".join(lines)
