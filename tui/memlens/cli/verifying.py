"""`memlens context --verify`: is the preview what the newest session was told?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from memlens.cli.common import engine_of, print_json, print_text
from memlens.engine.commands.verify import VerifyContext
from memlens.engine.events.verify import ContextVerified

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from memlens.engine.verify import Verified

_SIGNS = {"same": " ", "removed": "-", "added": "+"}


def run(options: argparse.Namespace) -> int:
    """Prints the verdict; 1 where the two differ."""
    with engine_of(options) as engine:
        answer = engine.ask(VerifyContext(request=engine.next_request()), ContextVerified)
    verified = answer.verified
    difference = "\n".join(_difference(answer))
    if options.json:
        print_json(
            {
                "session": verified.session if verified else None,
                "same": verified.same if verified else None,
                "difference": difference or None,
                "state": verified.state if verified else None,
                "agent": answer.agent,
                "files": [
                    {"path": one.path, "state": one.state}
                    for one in (verified.files if verified else ())
                ],
                "loaded": _loaded(answer),
            }
        )
    else:
        print_text("\n".join(_words(answer, difference)))
    return 1 if verified is not None and not verified.same else 0


def _difference(answer: ContextVerified) -> Iterator[str]:
    for line in answer.difference:
        sign = _SIGNS.get(line.kind)
        yield f"@@ {line.text} @@" if sign is None else f"{sign}{line.text}"


def _loaded(answer: ContextVerified) -> dict[str, object] | None:
    loading = answer.loading
    if loading is None:
        return None
    return {
        "session": loading.session,
        "files": [
            {"path": one.path, "kind": one.memory_type, "reason": one.reason}
            for one in loading.loaded
        ],
        "missing": list(loading.missing),
    }


def _words(answer: ContextVerified, difference: str) -> Iterator[str]:
    verified = answer.verified
    if verified is None:
        yield f"No session of {answer.agent} in this folder holds what it was told."
    else:
        yield _verdict(verified)
        yield from (f"  {one.state}: {one.path}" for one in verified.files if one.state != "same")
        if difference:
            yield "\n--- what the session was told\n+++ what the preview says now"
            yield difference
    if answer.loading is not None:
        yield f"\nSession {answer.loading.session} loaded, by its hook:"
        for one in answer.loading.loaded:
            yield f"  {one.path}  {one.memory_type} {one.reason}".rstrip()
        yield from (f"  not loaded: {path}" for path in answer.loading.missing)


def _verdict(verified: Verified) -> str:
    when = time.strftime(" of %Y-%m-%d %H:%M", time.localtime(verified.time))
    name = f"session {verified.session}{when if verified.time else ''}"
    words = {
        "same": f"The preview is what {name} was told, byte for byte.",
        "changed since": f"Files were changed since {name} was told; else the preview agrees.",
        "different": f"The preview is not what {name} was told.",
    }
    return words[verified.state]
