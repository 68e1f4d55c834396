"""In a browser: served to this machine and to its own page only."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

_STYLE = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


@pytest.fixture
def server(tmp_path: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "CLAUDE.md").write_text("Served rules.\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "memlens", str(tmp_path), "--serve", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while True:
        assert process.poll() is None
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert time.monotonic() < deadline
    yield process
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(30)
    assert process.stderr is not None
    process.stderr.close()


async def shows(page_socket: aiohttp.ClientWebSocketResponse, part: bytes) -> None:
    """Waits until the page was sent that text."""
    seen = b""
    while part not in _STYLE.sub(b"", seen):
        message = await page_socket.receive(timeout=30)
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT)
        seen += message.data if isinstance(message.data, bytes) else message.data.encode()


async def test_the_page_and_nobody_else(server: subprocess.Popen[bytes], port: int) -> None:
    own = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession() as session:
        async with session.get(own) as page:
            assert page.status == 200
        async with session.get(own, headers={"Host": "evil.example"}) as page:
            assert page.status == 403
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"{own}/ws", origin="http://evil.example")
        address = f"{own}/ws?width=120&height=36"
        async with session.ws_connect(address, origin=own) as page_socket:
            await shows(page_socket, b"Served rules")


async def test_the_page_asks_nobody_else(server: subprocess.Popen[bytes], port: int) -> None:
    own = f"http://localhost:{port}"
    async with aiohttp.ClientSession() as session:
        async with session.get(own) as page:
            text = await page.text()
            policy = page.headers["Content-Security-Policy"]
        named = re.findall(r'(?:href|src)="([^"]*)"|url\("([^"]*)"\)', text)
        addresses = {one for pair in named for one in pair if one}
        assert addresses
        for address in addresses:
            if not address.startswith("data:"):
                async with session.get(f"{own}/{address}") as part:
                    assert part.status == 200, address
        assert "default-src 'none'" in policy
        assert re.findall(r"https?://[^' ]*|wss?://[^' ]*", policy) == [f"ws://localhost:{port}"]
        nonce = re.findall(r'nonce="([^"]+)"', text)
        assert len(nonce) == 1
        assert f"'nonce-{nonce[0]}'" in policy
        async with session.get(own) as page:
            assert nonce[0] not in await page.text()


async def test_what_needs_a_terminal_says_so(server: subprocess.Popen[bytes], port: int) -> None:
    own = f"http://127.0.0.1:{port}"
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{own}/ws?width=120&height=36", origin=own) as page_socket,
    ):
        await shows(page_socket, b"Served rules")
        await page_socket.send_json(["stdin", "\x1a"])
        await shows(page_socket, b"There is no shell to go back to")
        await page_socket.send_json(["stdin", "E"])
        await shows(page_socket, b"an editor needs a terminal")


def test_without_the_extra_it_says_so(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['textual_serve'] = None\n"
        "from memlens.cli import main; sys.exit(main(['--serve', '8000']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"memlens[serve]" in done.stderr
