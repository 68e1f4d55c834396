"""What a change does to the durable memory as a whole: repeated facts, and a full index."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memlens.engine.findings import Finding
from memlens.engine.review.facts import FactSide


def fact_findings(
    before: FactSide, after: FactSide, changed: Collection[str], cap: int
) -> Iterator[Finding]:
    """The findings that a change brings. `changed` are shared facts, absolute paths; `cap` is
    what the agent is given of the index, in bytes."""
    yield from _repeated(after, changed)
    shown_before = {entry.path for entry in before.entries} - before.hidden
    lost = [
        path for path in after.bodies
        if path in after.hidden and (path in shown_before or path in changed)
    ]  # fmt: skip
    if not lost:
        return
    folder = lost[0].rpartition("/")[0]
    yield Finding(
        "index-overflow", "warning", folder, 0, 0,
        f"the index has {after.bytes:,} bytes, the agent gets {cap:,}: with this change "
        f"{len(lost):,} shared facts fall out of it",
        "shorten descriptions, merge or delete facts",
    )  # fmt: skip
    for path in lost:
        yield Finding(
            "index-cut", "warning", path, 0, 0,
            "it lies behind the cut of the index: the agent does not see it",
            "shorten descriptions before it",
        )  # fmt: skip


def _repeated(after: FactSide, changed: Collection[str]) -> Iterator[Finding]:
    """Changed facts that say what another shared fact says, or have its name."""
    names: dict[str, list[str]] = {}
    bodies: dict[str, list[str]] = {}
    for entry in after.entries:
        body = after.bodies.get(entry.path)
        if body is not None:
            names.setdefault(entry.name, []).append(entry.path)
            bodies.setdefault(" ".join(body.split()), []).append(entry.path)
    for entry in after.entries:
        path = entry.path
        if path not in changed or path not in after.bodies:
            continue
        body = " ".join(after.bodies[path].split())
        same = next((other for other in bodies[body] if other != path), None) if body else None
        how = "it says the same as"
        if same is None:
            same = next((other for other in names[entry.name] if other != path), None)
            how = "it has the name of"
        if same is not None and not (same in changed and same > path):
            yield Finding(
                "duplicate-fact", "warning", path, 0, 0, f"{how} {same}",
                "merge the two, or delete one",
            )  # fmt: skip
