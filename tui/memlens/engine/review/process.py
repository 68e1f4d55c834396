"""Running git: no prompt, no pager, bounded in time and in what it says."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import IO, Final, Literal

from memlens.engine.work import check

GitProblem = Literal[
    "no-git",
    "no-repository",
    "not-owned",
    "bare",
    "no-such-commit",
    "failed",
    "too-slow",
    "too-much",
]

TIMEOUT: Final = 60.0
"""Seconds that git may be silent at a stretch. Only a hung disk or network comes near it."""

OUTPUT_LIMIT: Final = 256 * 1024 * 1024
"""Bytes of one answer."""

_CHUNK: Final = 1 << 17
_GLANCE: Final = 0.1
"""Seconds between two looks at whether anybody still waits for git."""
_WORDS_LIMIT: Final = 4096


class GitError(Exception):
    """git could not answer: `kind` for programs, the message and `hint` for people."""

    def __init__(self, kind: GitProblem, message: str, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.kind: GitProblem = kind
        self.where = where
        """The folder in which git was asked."""
        self.hint = hint
        """What to do next."""


class Running:
    """One git process: pieces of its output within a time, and an orderly end."""

    def __init__(
        self, arguments: tuple[str, ...], folder: str, environment: Mapping[str, str], *, talk: bool
    ) -> None:
        self.arguments = arguments
        self.folder = folder
        self._rest = b""
        try:
            # A session of its own: without a terminal nothing below git can ask a question there.
            self._process = subprocess.Popen(
                ("git", *arguments),
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE if talk else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            if not os.path.isdir(folder):
                raise GitError(
                    "no-repository", "there is no such folder", folder, "give another folder"
                ) from None
            raise GitError(
                "no-git", f"git cannot be started: {error.strerror}", folder,
                "install git, or put it on the PATH",
            ) from None  # fmt: skip

    def say(self, data: bytes) -> None:
        """Writes to git's input: a request, whose answer is read before the next."""
        stream = _open(self._process.stdin)
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(stream.fileno(), view) :]
        except BrokenPipeError:
            raise self._failed() from None

    def told(self, data: bytes) -> bytes:
        """git's answer to an input that it reads to its end before it answers."""
        self.say(data)
        _open(self._process.stdin).close()
        return self.answer()

    def line(self) -> bytes:
        """The next line of the output without its LF."""
        while (end := self._rest.find(b"\n")) < 0:
            self._rest += self._piece()
        line, self._rest = self._rest[:end], self._rest[end + 1 :]
        return line

    def exactly(self, size: int) -> bytes:
        """The next `size` bytes of the output."""
        parts = [self._rest]
        missing = size - len(self._rest)
        while missing > 0:
            parts.append(self._piece())
            missing -= len(parts[-1])
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size]

    def skip(self, size: int) -> None:
        """Passes over the next `size` bytes of the output without holding them."""
        while size > 0:
            piece = self._rest or self._piece()
            self._rest = piece[size:]
            size -= len(piece)

    def answer(self, fine: tuple[int, ...] = (0,)) -> bytes:
        """All of the output, once git has ended with a code in `fine`."""
        output, words = self._collect()
        if self._process.returncode not in fine:
            raise error_of(self.arguments, self.folder, words, self._process.returncode)
        return output

    @property
    def code(self) -> int | None:
        """The exit code once git has ended."""
        return self._process.poll()

    def close(self) -> None:
        """Ends git if it still runs. May be called again."""
        process = self._process
        if process.poll() is None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                os.killpg(process.pid, signal.SIGKILL)  # with what it has started itself
            except ProcessLookupError:
                pass
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _piece(self) -> bytes:
        """Some output; fails when git ends or is silent for too long."""
        stream = _open(self._process.stdout)
        self._await(stream)
        piece = os.read(stream.fileno(), _CHUNK)
        if not piece:
            raise self._failed()
        return piece

    def _collect(self) -> tuple[bytes, bytes]:
        import selectors

        parts: dict[str, list[bytes]] = {"output": [], "words": []}
        total = 0
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(_open(self._process.stdout), selectors.EVENT_READ, "output")
                selector.register(_open(self._process.stderr), selectors.EVENT_READ, "words")
                deadline = time.monotonic() + TIMEOUT
                while selector.get_map():
                    check()
                    ready = selector.select(_GLANCE)
                    if ready:
                        deadline = time.monotonic() + TIMEOUT
                    elif time.monotonic() > deadline:
                        raise self._too_slow()
                    for key, _ in ready:
                        piece = os.read(key.fd, _CHUNK)
                        if not piece:
                            selector.unregister(key.fileobj)
                        total += len(piece)
                        parts[key.data].append(piece)
                    if total > OUTPUT_LIMIT:
                        raise GitError(
                            "too-much", f"git {self.arguments[0]} says more than memlens can hold",
                            self.folder, "review fewer commits at once",
                        )  # fmt: skip
            self._process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise self._too_slow() from None
        finally:
            self.close()
        return b"".join(parts["output"]), b"".join(parts["words"])

    def _await(self, stream: IO[bytes]) -> None:
        import select

        deadline = time.monotonic() + TIMEOUT
        poller = select.poll()
        poller.register(stream.fileno(), select.POLLIN)
        while not poller.poll(_GLANCE * 1000):
            check()
            if time.monotonic() > deadline:
                raise self._too_slow()

    def _too_slow(self) -> GitError:
        self.close()
        return GitError(
            "too-slow", f"git {self.arguments[0]} has not answered for {TIMEOUT:.0f} seconds",
            self.folder, "see whether the disk or a remote that git needs is out of reach",
        )  # fmt: skip

    def _failed(self) -> GitError:
        words = b""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stderr is not None:
            words = self._process.stderr.read(_WORDS_LIMIT)
        self.close()
        return error_of(self.arguments, self.folder, words, self._process.returncode)


def error_of(arguments: tuple[str, ...], folder: str, words: bytes, code: int | None) -> GitError:
    """What git's last words mean."""
    text = words[:_WORDS_LIMIT].decode("utf-8", "replace").strip()
    if "dubious ownership" in text:
        return GitError(
            "not-owned", "the repository belongs to another user", folder,
            "if you trust it, tell git so: git config --global --add safe.directory <folder>",
        )  # fmt: skip
    if "not a git repository" in text:
        return GitError(
            "no-repository", "it is in no git repository", folder,
            "run it in a repository, or give one with --root",
        )  # fmt: skip
    if "must be run in a work tree" in text:
        return GitError(
            "bare", "the repository has no working tree here", folder,
            "run it in a checkout of the repository",
        )  # fmt: skip
    last = text.splitlines()[-1] if text else f"it ended with code {code}"
    return GitError("failed", f"git {arguments[0]} failed: {last}", folder, "run it by hand to see")


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None or stream.closed:
        raise ValueError("git is closed")
    return stream
