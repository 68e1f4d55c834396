"""Where it was measured, as far as it matters to a reader of the numbers."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version


@dataclass(frozen=True, slots=True)
class Machine:
    """Cores, interpreter, system, and how busy it was with other things."""

    cores: int
    python: str
    system: str
    textual: str
    load: float
    """Processes that wanted a core in the last minute, on average; -1 where nobody counts."""

    @property
    def busy(self) -> bool:
        """Whether others had work to do: then the numbers are worse than they need be."""
        return self.load > 0.5

    def __str__(self) -> str:
        cores = f"{self.cores} core{'s' if self.cores != 1 else ''}"
        return f"{cores}, {self.python}, {self.system}, Textual {self.textual}"


def this_machine() -> Machine:
    """The one that this runs on, now."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    try:
        load = os.getloadavg()[0]
    except OSError:
        load = -1.0
    return Machine(
        cores=cores,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.system()} {platform.machine() or sys.platform}",
        textual=version("textual"),
        load=load,
    )
