"""The report for programs: `schema` 1, keys are only ever added."""

from __future__ import annotations

import json
import os

from memlens.engine.review.model import Review
from memlens.engine.review.reports import public_findings

SCHEMA = 1


def as_json(review: Review) -> str:
    """`files`, `tokens` (estimated as bytes / 4) and `findings`.

    Only ASCII; a byte of a path that is no UTF-8 is a single low surrogate, as in Python.
    """
    data = {
        "schema": SCHEMA,
        "root": os.path.relpath(review.root, review.top),
        "mode": review.mode,
        "before": review.before_name,
        "after": review.after_name,
        "files": [
            {
                "path": file.path,
                "status": file.status,
                "role": file.role,
                **({"old_path": file.old_path} if file.old_path != file.path else {}),
                **({"problem": file.problem} if file.problem else {}),
            }
            for file in review.files
        ],
        "tokens": {"before": review.before.tokens, "after": review.after.tokens},
        "findings": [
            {
                "name": finding.name,
                "severity": finding.severity,
                "file": finding.file,
                "line": finding.line,
                "column": finding.column,
                "message": finding.message,
                "hint": finding.hint,
            }
            for finding in public_findings(review)
        ],
        "silenced": review.silenced,
    }
    return json.dumps(data, indent=2) + "\n"
