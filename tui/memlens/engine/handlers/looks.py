"""Commands about what has changed in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.engine.commands.looks import CompareTexts, CompareWithCommit, FindChanges
from memlens.engine.events.looks import ChangesFound, TextsCompared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk


class LooksHandler:
    """Compares texts of the prompt; keeps none of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def find(self, command: FindChanges) -> None:
        from memlens.engine.review.differences import matches

        old, new = command.before.split("\n"), command.after.split("\n")
        fresh: set[int] = set()
        gone: set[int] = set()
        left = right = 0
        for low, start, count in (*matches(old, new), (len(old), len(new), 0)):
            fresh.update(range(right + 1, start + 1))
            if low > left and start == right:
                gone.add(start + 1)
            left, right = low + count, start + count
        self._desk.publish(
            ChangesFound(
                request=command.request, after=command.after, new=frozenset(fresh),
                gone=frozenset(gone),
            )
        )  # fmt: skip

    def compare(self, command: CompareTexts) -> None:
        from memlens.engine.review import difference, prompt_difference

        compare = prompt_difference if command.prompts else difference
        lines = compare(command.before, command.after)
        self._desk.publish(TextsCompared(request=command.request, title=command.title, lines=lines))

    def compare_with_commit(self, command: CompareWithCommit) -> None:
        from memlens.engine.handlers.resolving import reader_in_git
        from memlens.engine.review import everything, open_repository, prompt_difference
        from memlens.engine.review.facts import FactReader
        from memlens.engine.review.told import Told

        workspace = self._desk.workspace
        reader = reader_in_git(self._desk, workspace.root)
        with everything(open_repository(workspace.root)) as sides:
            facts = FactReader(workspace.root, reader.facts)
            # Both sides as git keeps them, so that line ends make no difference.
            before = Told(sides.files_before(), (), reader, facts).plan.text
            after = Told(sides.files_after(), (), reader, facts).plan.text
            name = "the last commit" if sides.before_name == "HEAD" else sides.before_name
        lines = prompt_difference(before, after)
        self._desk.publish(
            TextsCompared(
                request=command.request, title=f"From {name} to what is there now", lines=lines
            )
        )


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = LooksHandler(desk)
    return {
        FindChanges: part.find,
        CompareTexts: part.compare,
        CompareWithCommit: part.compare_with_commit,
    }
