"""`memlens memory`: durable facts without the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlens.cli.common import CommandError, engine_of, print_json, print_text, table
from memlens.engine.commands.memories import LoadMemories, OpenMemory, SearchMemories
from memlens.engine.events.memories import MemoriesFound, MemoriesLoaded, MemoryOpened

if TYPE_CHECKING:
    import argparse

    from memlens.engine.core import Engine
    from memlens.engine.durable.model import MemoryEntry

SCOPES = ("global", "project-private", "project-shared")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, help_text in (
        ("list", "all facts, or those of one scope"),
        ("show", "one fact with its body"),
        ("search", "facts that match, best first"),
    ):
        verb = verbs.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
        if name == "show":
            verb.add_argument("id", metavar="ID", help="a fact's name or its file's stem")
        if name == "search":
            verb.add_argument("query", metavar="QUERY")
            verb.add_argument(
                "--exact", action="store_true", help="substrings only, in scope order"
            )
        verb.add_argument("--scope", choices=SCOPES, help="only this scope")
        verb.add_argument("--json", action="store_true", help="for programs")
        add_common_again(verb)


def add_common_again(verb: argparse.ArgumentParser) -> None:
    """The common options may stand behind the verb, too."""
    import argparse

    for option in ("--root", "--home", "--agent"):
        verb.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    with engine_of(options) as engine:
        verbs = {"list": _list, "show": _show, "search": _search}
        return verbs[options.verb](engine, options)


def _entries(engine: Engine, scope: str | None) -> list[MemoryEntry]:
    loaded = engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded)
    return [entry for entry in loaded.entries if scope in (None, entry.scope.value)]


def _list(engine: Engine, options: argparse.Namespace) -> int:
    entries = _entries(engine, options.scope)
    if options.json:
        print_json({"facts": [fact_json(entry) for entry in entries]})
    elif entries:
        print_text(table([(entry.scope.value, entry.name, entry.description) for entry in entries]))
    return 0


def fact_json(entry: MemoryEntry) -> dict[str, Any]:
    """A fact in the documented shape."""
    return {
        "name": entry.name,
        "description": entry.description,
        "scope": entry.scope.value,
        "path": entry.path,
        "tags": list(entry.tags),
        "created": entry.created,
    }


def find_one(engine: Engine, wanted: str, scope: str | None) -> MemoryEntry:
    """The one fact with this name or file stem; more than one is an error that names them."""
    found = [entry for entry in _entries(engine, scope) if wanted in (entry.name, entry.stem)]
    if not found:
        raise CommandError(f"there is no fact named {wanted!r}; memlens memory list shows all")
    if len(found) > 1:
        candidates = "\n".join(f"  {entry.scope.value:16} {entry.path}" for entry in found)
        raise CommandError(
            f"{wanted!r} names {len(found)} facts:\n{candidates}\nSay which: --scope"
        )
    return found[0]


def _show(engine: Engine, options: argparse.Namespace) -> int:
    entry = find_one(engine, options.id, options.scope)
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
