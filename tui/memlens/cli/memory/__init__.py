"""`memlens memory`: durable facts without the screen."""

from __future__ import annotations

from importlib import import_module

from memlens.cli.common import engine_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

SCOPES: Final = ("global", "project-private", "project-shared", "auto")
_SHORT: Final = {"private": "project-private", "shared": "project-shared"}
_HOMES: Final = {
    "looking": ("list", "show", "search", "index"),
    "changing": ("add", "edit", "forget", "undo"),
    "curating": ("duplicates", "check"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "ID is a fact's name, its file's name without .md, or its path."
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name: str, help_text: str, epilog: str = "") -> argparse.ArgumentParser:
        one = verbs.add_parser(
            name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}.",
            epilog=epilog or None,
        )  # fmt: skip
        _add_common_again(one)
        return one

    listing = verb("list", "all facts, or those of one scope")
    _add_scope(listing)

    show = verb("show", "one fact with its body")
    _add_id(show)
    _add_scope(show)

    search = verb("search", "facts that match, best first", "Exit code 1: none does.")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--exact", action="store_true", help="substrings only, in scope order")
    _add_scope(search)

    add = verb(
        "add", "make a new fact",
        "Without - the body is written in $VISUAL or $EDITOR where there is a terminal.",
    )  # fmt: skip
    add.add_argument("name", metavar="NAME")
    _add_stdin(add)
    _add_fields(add)
    add.add_argument(
        "--scope", type=_scope, default="project-private", metavar="SCOPE",
        help="global, private (default) or shared",
    )  # fmt: skip
    add.add_argument(
        "--replace",
        action="store_true",
        help="give the fact of that name, if there is one, what is given here; its rest stays",
    )

    edit = verb(
        "edit", "change a fact",
        "Without any change it opens the file in $VISUAL or $EDITOR.",
    )  # fmt: skip
    _add_id(edit)
    _add_stdin(edit)
    edit.add_argument("--name", help="another name; the file follows")
    _add_fields(edit)
    edit.add_argument("--scope", type=_scope, metavar="SCOPE", help="move it to this scope")
    edit.add_argument(
        "--in", dest="within", type=_scope, metavar="SCOPE", help="which one, where two have the ID"
    )

    forget = verb("forget", "delete facts; they go to the trash")
    forget.add_argument("ids", metavar="ID", nargs="+")
    _add_scope(forget)

    undo = verb("undo", "take back the last change, or a given one")
    undo.add_argument("id", metavar="CHANGE", nargs="?", default="", help="as --list names it")
    undo.add_argument("--list", action="store_true", help="what was done, the newest first")

    verb("index", "print the index as the agent gets it, and nothing else")
    verb("duplicates", "facts that say the same, or nearly")
    verb("check", "what is wrong with facts; exit code 1 when one is an error")

    for name, one in verbs.choices.items():
        if name != "index":
            one.add_argument("--json", action="store_true", help="for programs")


def _add_id(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("id", metavar="ID", help="a fact's name, or its file's")


def _add_scope(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--scope", type=_scope, metavar="SCOPE",
        help="only this one: global, private, shared, or auto, what the agent notes by itself",
    )  # fmt: skip


def _add_stdin(verb: argparse.ArgumentParser) -> None:
    # An option, because an optional positional is not found behind options.
    verb.add_argument("-", dest="stdin", action="store_true", help="body from standard input")


def _add_fields(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--description", help="one line, for the index")
    verb.add_argument("--tags", help="with commas between them; empty: none")


def _scope(text: str) -> str:
    name = _SHORT.get(text, text)
    if name not in SCOPES:
        import argparse

        raise argparse.ArgumentTypeError(f"{text!r} is no scope; there are {', '.join(SCOPES)}")
    return name


def _add_common_again(verb: argparse.ArgumentParser) -> None:
    """The common options may stand behind the verb, too."""
    import argparse

    for option in ("--root", "--home", "--agent"):
        verb.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    home = next(home for home, verbs in _HOMES.items() if options.verb in verbs)
    verbs = import_module(f"memlens.cli.memory.{home}").VERBS
    with engine_of(options) as engine:
        return int(verbs[options.verb](engine, options))
