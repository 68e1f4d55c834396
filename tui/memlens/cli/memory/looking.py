"""`memlens memory list|show|search|index`."""

from __future__ import annotations

from memlens.cli.common import print_json, print_text, table, write_exactly
from memlens.cli.memory.facts import fact_json, find_one, in_scope, load
from memlens.engine.commands.memories import OpenMemory, SearchMemories
from memlens.engine.events.memories import MemoriesFound, MemoryOpened

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from memlens.engine.core import Engine


def _list(engine: Engine, options: argparse.Namespace) -> int:
    entries = in_scope(load(engine), options.scope)
    if options.json:
        print_json({"facts": [fact_json(entry) for entry in entries]})
    elif entries:
        print_text(table([(entry.scope.value, entry.name, entry.description) for entry in entries]))
    return 0


def _show(engine: Engine, options: argparse.Namespace) -> int:
    entry = find_one(load(engine), options.id, options.scope)
    fact = engine.ask(OpenMemory(request=engine.next_request(), path=entry.path), MemoryOpened).fact
    if options.json:
        print_json({**fact_json(entry), "body": fact.body})
        return 0
    tags = f"\ntags: {', '.join(entry.tags)}" if entry.tags else ""
    print_text(
        f"{entry.name}\n{entry.description}\n\nscope: {entry.scope.value}\npath: {entry.path}\n"
        f"created: {entry.created or 'not said'}{tags}\n\n{fact.body}"
    )
    return 0


def _search(engine: Engine, options: argparse.Namespace) -> int:
    found = engine.ask(
        SearchMemories(request=engine.next_request(), query=options.query, fuzzy=not options.exact),
        MemoriesFound,
    )
    hits = [hit for hit in found.hits if options.scope in (None, hit.entry.scope.value)]
    if not options.query.strip():
        hits = []
    if options.json:
        print_json(
            {
                "hits": [
                    {
                        "name": hit.entry.name,
                        "scope": hit.entry.scope.value,
                        "path": hit.entry.path,
                        "snippet": hit.snippet or hit.entry.description,
                        "score": round(hit.score, 1),
                    }
                    for hit in hits
                ]
            }
        )
    elif hits:
        print_text(
            table(
                [
                    (hit.entry.scope.value, hit.entry.name, hit.snippet or hit.entry.description)
                    for hit in hits
                ]
            )
        )
    return 0 if hits else 1


def _index(engine: Engine, options: argparse.Namespace) -> int:
    write_exactly(load(engine).index)
    return 0


VERBS: Final = {"list": _list, "show": _show, "search": _search, "index": _index}
