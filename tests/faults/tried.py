"""The register of what is tried: the README's table is made of it, and of what a long run found."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, NamedTuple

LONG: Final = os.environ.get("MEMLENS_FAULTS") == "long"
"""Whether this is a long run. Asked at the import, before the tests take the variables away."""
RESULTS: Final = Path(__file__).with_name("results.json")
"""Written by a long run: how often each trial was made, and how often all was well."""


class Trial(NamedTuple):
    """One kind of fault on one kind of write."""

    fault: str
    subject: str
    quick: int
    """How often it is tried in a normal run."""
    long: int

    @property
    def key(self) -> str:
        return f"{self.fault}: {self.subject}"

    @property
    def times(self) -> int:
        return self.long if LONG else self.quick


def note(trial: Trial, well: int) -> None:
    """Notes how often a trial went well, in a long run."""
    if not LONG:
        return
    results = read()
    results[trial.key] = {"tried": trial.times, "well": well}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


def read() -> dict[str, dict[str, int]]:
    if not RESULTS.exists():
        return {}
    found: dict[str, dict[str, int]] = json.loads(RESULTS.read_text())
    return found
