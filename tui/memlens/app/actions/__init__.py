"""The one registry of actions: keys, footer, help, palette and the README's table come from it.

An action is done by a method `do_<name>` of the widget that hosts its area, with the dot in the
name as an underscore. Whether it can run now, and if not why, the host's `reason_against` says.
"""

from __future__ import annotations

from typing import Final

from memlens.app.actions import (
    compare,
    editor,
    lists,
    memories,
    preview,
    reads,
    review,
    texts,
    tree,
    work,
    workspace,
)
from memlens.app.actions.action import Action, Area
from memlens.app.actions.keys import key_sign

__all__ = ["ACTIONS", "AREAS", "BY_NAME", "OPENERS", "Action", "Area", "actions_of", "key_sign"]

AREAS: Final[dict[Area, str]] = {
    "app": "All panes",
    "work": "Everywhere",
    "tree": "Memory tree",
    "preview": "Prompt preview",
    "memories": "Durable memory",
    "form": "Form of a fact",
    "clash": "Changed on disk",
    "trash": "Deleted facts",
    "history": "What was done to facts",
    "twins": "Duplicates",
    "stale": "Facts out of use",
    "editor": "Editor of a file",
    "reads": "Read state",
    "review": "Review",
    "staged": "Editor of a staged text",
    "compare": "Comparison of agents",
    "show": "Text or difference",
    "lists": "In every list",
}
"""The areas and their titles, in the order of the help."""

ACTIONS: Final[tuple[Action, ...]] = (
    *workspace.ACTIONS,
    *work.ACTIONS,
    *tree.ACTIONS,
    *preview.ACTIONS,
    *editor.ACTIONS,
    *memories.ACTIONS,
    *reads.ACTIONS,
    *review.ACTIONS,
    *compare.ACTIONS,
    *texts.ACTIONS,
    *lists.ACTIONS,
)

BY_NAME: Final[dict[str, Action]] = {action.name: action for action in ACTIONS}


OPENERS: Final[dict[Area, str]] = {
    "form": "memories.edit",
    "trash": "memories.trash",
    "history": "app.log",
    "twins": "memories.twins",
    "stale": "memories.stale",
    "editor": "tree.edit",
    "review": "app.review",
    "staged": "review.edit",
    "compare": "app.compare",
}
"""The action that opens an area which is not always there; a clash opens by itself."""


def actions_of(area: Area) -> tuple[Action, ...]:
    """The actions of one area, in the order of the registry."""
    return tuple(action for action in ACTIONS if action.area == area)
