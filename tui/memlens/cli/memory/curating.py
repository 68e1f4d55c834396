"""`memlens memory duplicates|check`: what is worth a person's look."""

from __future__ import annotations

from memlens.cli.common import print_json, print_text, table
from memlens.cli.context import finding_json, finding_text
from memlens.cli.memory.facts import fact_json
from memlens.engine.commands.memory_curation import CheckMemories, FindDuplicates
from memlens.engine.events.memory_curation import DuplicatesFound, MemoriesChecked

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from memlens.engine.core import Engine


def _duplicates(engine: Engine, options: argparse.Namespace) -> int:
    pairs = engine.ask(FindDuplicates(request=engine.next_request()), DuplicatesFound).pairs
    if options.json:
        print_json(
            {
                "pairs": [
                    {
                        "score": round(pair.score, 1), "exact": pair.exact,
                        "first": fact_json(pair.first), "second": fact_json(pair.second),
                    }
                    for pair in pairs
                ]
            }
        )  # fmt: skip
    elif pairs:
        rows = [
            ("same" if pair.exact else f"{pair.score:.0f}", pair.first.path, pair.second.path)
            for pair in pairs
        ]
        print_text(table(rows, right=frozenset({0})))
    return 0


def _check(engine: Engine, options: argparse.Namespace) -> int:
    command = CheckMemories(request=engine.next_request(), near_duplicates=True)
    findings = engine.ask(command, MemoriesChecked).findings
    if options.json:
        print_json({"findings": [finding_json(finding) for finding in findings]})
    elif findings:
        print_text("\n".join(finding_text(finding) for finding in findings))
    return 1 if any(finding.severity == "error" for finding in findings) else 0


VERBS: Final = {"duplicates": _duplicates, "check": _check}
