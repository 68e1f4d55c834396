"""`memlens context`: what the agent gets, file by file, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlens.cli.common import add_folders, engine_of, print_json, print_text, table
from memlens.engine.commands.workspace import LoadContext, TouchPath
from memlens.engine.events.workspace import ContextLoaded, PathTouched

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from memlens.engine.context.model import FileReason, MemoryItem, NestedFile
    from memlens.engine.findings import Finding


_FEW = 10
"""Files left out below the folder that are named where nobody asks for all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--check", action="store_true", help="only the findings; exit 1 when one is an error"
    )
    parser.add_argument(
        "--verify", action="store_true",
        help="compare with what the newest session was told; exit 1 when that differs",
    )  # fmt: skip
    parser.add_argument("--notes", action="store_true", help="show notes, too")
    parser.add_argument(
        "--touch", metavar="PATH", action="append", default=[],
        help="also what the agent is given when it touches PATH; may be repeated",
    )  # fmt: skip
    add_folders(parser)


def run(options: argparse.Namespace) -> int:
    if options.verify:
        from memlens.cli.verifying import run as verify

        return verify(options)
    with engine_of(options) as engine:
        loaded = engine.ask(LoadContext(request=engine.next_request()), ContextLoaded)
        touched = [
            engine.ask(TouchPath(request=engine.next_request(), path=path), PathTouched)
            for path in options.touch
        ]
    found = dict.fromkeys([*loaded.findings, *(one for event in touched for one in event.findings)])
    failed = options.check and any(one.severity == "error" for one in found)
    if options.json:
        findings = [finding_json(finding) for finding in found]
        value = {"findings": findings}
        print_json(value if options.check else {**_json(loaded, touched), **value})
    else:
        shown = [one for one in found if options.notes or one.severity != "note"]
        parts = [] if options.check else [_overview(loaded, touched, notes=options.notes)]
        if shown and parts:
            parts.append("")
        parts += [finding_text(finding) for finding in shown]
        if parts:
            print_text("\n".join(parts))
    return 1 if failed else 0


def _json(loaded: ContextLoaded, touched: Sequence[PathTouched]) -> dict[str, Any]:
    value = {
        "root": loaded.root,
        "agent": loaded.agent,
        "tokens": loaded.plan.tokens,
        "items": [_item_json(item) for item in loaded.plan.items],
        "nested": [
            {"file": one.file, "touch": one.touch} for one in _not_loaded(loaded, touched)
        ],
    }  # fmt: skip
    if touched:
        value["touched"] = [
            {
                "path": event.path,
                "items": [_item_json(item) for item in event.items],
                "reason": event.reason or None,
            }
            for event in touched
        ]
    return value


def _not_loaded(loaded: ContextLoaded, touched: Sequence[PathTouched]) -> list[NestedFile]:
    given = {item.file for event in touched for item in event.items}
    return [one for one in loaded.nested.files if one.file not in given]


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


def _overview(loaded: ContextLoaded, touched: Sequence[PathTouched], *, notes: bool) -> str:
    plan = loaded.plan
    nested = _not_loaded(loaded, touched)
    lines = []
    if plan.text or touched or nested:
        lines += [table(_rows(loaded, touched, nested), right=frozenset({3, 4})), ""]
    if plan.text:
        size = f"≈ {plan.tokens:,} tokens ({plan.token_method}), {plan.bytes:,} bytes"
        lines.append(f"{size}; shares are with what the agent writes above each file")
    else:
        lines.append("The agent gets nothing here: there are no memory files and no facts.")
    if not loaded.nested.complete:
        lines.append("There are too many folders to look for memory files in all of them.")
    lines += [f"– {event.path}: {event.reason}" for event in touched if event.reason]
    reasons = [one for one in loaded.reasons if one.state == "out"]
    below = loaded.nested.out
    shown = below if notes else below[:_FEW]
    out = [_why_out(loaded, reason) for reason in (*reasons, *shown)]
    if len(shown) < len(below):
        out.append(f"– and {len(below) - len(shown):,} more below; --notes names them all")
    return "\n".join([*lines, "", *out] if out else lines)


def _why_out(loaded: ContextLoaded, reason: FileReason) -> str:
    about = reason.about
    return f"– {loaded.label_of(reason.path)} {about}" if about else f"– {reason.text}"


def _rows(
    loaded: ContextLoaded, touched: Sequence[PathTouched], nested: Sequence[NestedFile]
) -> list[tuple[str, ...]]:
    plan = loaded.plan
    rows: list[tuple[str, ...]] = [("", "file", "", "≈ tokens", "share")]
    parts = {part.item: part for part in plan.parts}
    for number, item in enumerate(plan.items):
        label = item.label if item.parent is None else f"  {item.label}"
        share = f"{parts[number].share:.0%}" if number in parts else ""
        rows.append((item.scope, label, item.kind, f"{item.tokens:,}", share))
        rows += _import_rows(loaded, item)
    if plan.index is not None and plan.index_bytes:
        count = len(plan.index.facts)
        facts = f"{count} fact{'s' if count != 1 else ''}"
        tokens = f"{plan.index_bytes // 4:,}"
        rows.append(("index", "durable memory", facts, tokens, f"{parts[-1].share:.0%}"))
    for event in touched:
        for item in event.items:
            rows.append(("nested", item.label, f"by {event.path}", f"{item.tokens:,}", ""))
            rows += _import_rows(loaded, item)
    rows += [
        ("nested", one.label, "on touch", f"{one.bytes // 4:,}", "") for one in nested
    ]  # fmt: skip
    return rows


def _import_rows(loaded: ContextLoaded, item: MemoryItem) -> Iterator[tuple[str, ...]]:
    if loaded.plan.profile.imports.placement == "own-entry":
        return  # each is an item with a line of its own
    for record in item.records:
        if record.outcome == "imported" and record.target is not None and item.imports:
            label = "  " * record.level + loaded.label_of(record.target)
            yield ("", label, "import", f"{record.tokens:,}", "")
