"""What an agent's own settings, and the checkout around a folder, say about its memory files.

Stands below the libraries: it reads settings, never memory files.
"""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.configured.checkout import Checkout, checkout_of
    from memlens.engine.configured.notes_folder import AutoFolder, auto_folder
    from memlens.engine.configured.read import Approved, Configured, Exclude
    from memlens.engine.configured.transcript_folders import project_folders

__all__ = [
    "Approved",
    "AutoFolder",
    "Checkout",
    "Configured",
    "Exclude",
    "auto_folder",
    "checkout_of",
    "project_folders",
]

_ROOMS = {
    "AutoFolder": "notes_folder",
    "auto_folder": "notes_folder",
    "Checkout": "checkout",
    "checkout_of": "checkout",
    "project_folders": "transcript_folders",
}

__getattr__ = resolver(
    __name__, {name: f"{__name__}.{_ROOMS.get(name, 'read')}" for name in __all__}
)
