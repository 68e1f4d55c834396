"""`memlens --serve`: the screen in a browser of this machine, through textual-serve."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any, Final

from memlens.cli.common import CommandError

if TYPE_CHECKING:
    import argparse

HOST: Final = "127.0.0.1"
"""Loopback only: whoever reaches the page can do what the person can."""


def serve(options: argparse.Namespace, port: int) -> int:
    """Serves until Ctrl+C. Raises `CommandError` without the extra, or when the port is taken."""
    try:
        from textual_serve.server import Server
    except ImportError:
        raise CommandError(
            "--serve needs the extra: pip install 'memlens[serve]' (or pip install textual-serve)"
        ) from None
    from aiohttp import web

    own = {f"{HOST}:{port}", f"localhost:{port}"}

    class OwnPagesOnly(Server):  # type: ignore[misc, unused-ignore]
        """Refuses pages of other sites, which any browser would let connect here."""

        async def handle_index(self, request: web.Request) -> Any:
            if request.headers.get("Host") not in own:
                raise web.HTTPForbidden(text="memlens is served to this machine only")
            return await super().handle_index(request)

        async def handle_websocket(self, request: web.Request) -> Any:
            origin = request.headers.get("Origin", "").partition("://")[2]
            if request.headers.get("Host") not in own or origin not in own:
                raise web.HTTPForbidden(text="memlens is served to its own page only")
            return await super().handle_websocket(request)

    print(f"memlens is at http://{HOST}:{port} until Ctrl+C", file=sys.stderr)
    try:
        OwnPagesOnly(_command(options), host=HOST, port=port, title="memlens").serve()
    except OSError as error:
        raise CommandError(f"port {port} cannot be used: {error.strerror}") from None
    return 0


def _command(options: argparse.Namespace) -> str:
    """The command that the page runs."""
    words = [sys.executable, "-m", "memlens"]
    for name in ("root", "home", "agent"):
        if getattr(options, name):
            words += [f"--{name}", getattr(options, name)]
    for name in ("demo", "read_only"):
        if getattr(options, name):
            words.append("--" + name.replace("_", "-"))
    if options.path:
        words.append(options.path)
    return shlex.join(words)
