"""`memlens --serve`: the screen in a browser of this machine, through textual-serve."""

from __future__ import annotations

import logging
import secrets
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memlens.cli.common import CommandError

if TYPE_CHECKING:
    import argparse

HOST: Final = "127.0.0.1"
"""Loopback only: whoever reaches the page can do what the person can."""

_PAGE: Final = Path(__file__).parent / "page" / "index.html"


def _policy(nonce: str, host: str) -> str:
    """What a browser lets the page ask for: nothing but what we serve."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        f"script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
        f"font-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws://{host}"
    )


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
        """Refuses pages of other sites, which any browser would let connect here. Its own page
        asks nobody else for anything."""

        def initialize_logging(self) -> None:
            # The usual log shows the values of variables, and so what stands in files.
            logging.basicConfig(level=logging.WARNING, format="memlens: %(message)s")

        async def on_startup(self, app: web.Application) -> None:
            print(f"memlens is at http://{HOST}:{port} until Ctrl+C", file=sys.stderr)

        async def handle_index(self, request: web.Request) -> Any:
            if request.headers.get("Host") not in own:
                raise web.HTTPForbidden(text="memlens is served to this machine only")
            nonce = secrets.token_urlsafe()
            return web.Response(
                text=_PAGE.read_text("utf-8").replace("{{nonce}}", nonce),
                content_type="text/html",
                headers={"Content-Security-Policy": _policy(nonce, request.host)},
            )

        async def handle_websocket(self, request: web.Request) -> Any:
            origin = request.headers.get("Origin", "").partition("://")[2]
            if request.headers.get("Host") not in own or origin not in own:
                raise web.HTTPForbidden(text="memlens is served to its own page only")
            return await super().handle_websocket(request)

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
