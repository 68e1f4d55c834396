"""Memory files with imports: the whole tree, and one change in it."""

from __future__ import annotations

import gc
import os
import time
from typing import Final

from memlens.engine.agents import RAIDER
from memlens.engine.context import ContextMemory, ContextResolver
from memlens.engine.plan import Plan
from tests.bench.bench import Bench, Row
from tests.bench.making.memory_files import CONTENT, MemoryFiles
from tests.bench.measure import Cost, Result, race, timed


def resolved(tree: MemoryFiles) -> ContextMemory:
    """All of it with its text, by a resolver that knows nothing yet."""
    memory = ContextResolver(tree.root, [tree.root], home=tree.root.parent).resolve()
    assert len(memory.items[0].imports) == tree.count
    assert memory.items[0].text
    return memory


def _data(tree: MemoryFiles) -> str:
    return f"{tree.count:,} imports, {tree.bytes / 1e6:.1f} MB: {CONTENT}"


def resolving(bench: Bench) -> Result:
    tree = bench.memory_files
    return race(
        lambda: timed(tree.read_all),
        lambda: timed(lambda: resolved(tree)),
        bench.rounds(15, 7),
        _data(tree),
    )


def changing(bench: Bench) -> Result:
    """As the screen does it: told which file changed, as the watch of the disk tells."""
    tree = bench.memory_files
    resolver = ContextResolver(tree.root, [tree.root], home=tree.root.parent)
    resolver.resolve()
    path = tree.paths[len(tree.paths) // 2]
    text = path.read_text()
    number = 0

    def change() -> Cost:
        nonlocal number
        number += 1
        path.write_text(f"Change {number}.\n\n{text}")
        os.utime(path, ns=(number * 10**9, number * 10**9))
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        plan = Plan(resolver.resolve({str(path)}).items, RAIDER)
        _ = plan.spans  # all of the plan, as the screen wants it
        shown = plan.text
        cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
        assert f"Change {number}." in shown
        return cost

    return race(
        lambda: timed(lambda: resolved(tree)),
        change,
        bench.rounds(15, 7),
        "one of the same files is written and named; the plan and its text are made anew",
    )


ROWS: Final = (
    Row(
        "resolve", "resolve a tree of 500 imports, 2 MB", "reading the same bytes", 3, "×",
        resolving,
    ),
    Row(
        "change", "change one file of it, to new plan", "the whole resolve", 0.2, "×", changing
    ),
)  # fmt: skip
