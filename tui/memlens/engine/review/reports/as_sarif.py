"""The report as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote

import memlens
from memlens.engine.finding_names import DESCRIPTIONS
from memlens.engine.findings import Finding
from memlens.engine.review.model import Review
from memlens.engine.review.reports import public_findings
from memlens.engine.visible import visible

_BASE: Final = "%SRCROOT%"


def as_sarif(review: Review) -> str:
    """One result for each finding; columns count characters."""
    findings = public_findings(review)
    names = sorted({finding.name for finding in findings})
    places = {name: index for index, name in enumerate(names)}
    run = {
        "tool": {
            "driver": {
                "name": "memlens",
                "version": memlens.__version__,
                "semanticVersion": memlens.__version__,
                "rules": [_rule(name) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _BASE: {"description": {"text": "The top folder of the repository."}}
        },
        "results": [_result(finding, places[finding.name]) for finding in findings],
    }
    data = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(data, indent=2) + "\n"


def _rule(name: str) -> dict[str, Any]:
    words = "".join(part.capitalize() for part in name.split("-"))
    return {
        "id": name,
        "name": words,
        "shortDescription": {"text": DESCRIPTIONS.get(name, name.replace("-", " "))},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    words = visible(finding.message)
    if finding.hint:
        words += f". {visible(finding.hint)}"
    result: dict[str, Any] = {
        "ruleId": finding.name,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": words},
    }
    if not finding.file.startswith("/"):
        place: dict[str, Any] = {
            "artifactLocation": {"uri": _uri(finding.file), "uriBaseId": _BASE}
        }
        if finding.line:
            place["region"] = {"startLine": finding.line}
            if finding.column:
                place["region"]["startColumn"] = finding.column
        result["locations"] = [{"physicalLocation": place}]
    return result


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")
