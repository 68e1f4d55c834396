"""`memlens hook`: journals what Claude Code's tools do, and guards writes when asked to.

One hook call comes as JSON on standard input (spec, part D). Whatever goes wrong here, the agent
goes on: the exit code is 0, nothing is printed, and a line in `<state dir>/memlens.log` says why.
The agent waits for each call, so nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import os
import sys

from memlens.engine.reads.journal import MAIN_LANE, PATH_LIMIT, ReadJournal
from memlens.engine.reads.known import real_path
from memlens.engine.reads.quick import dumps, loads
from memlens.engine.reads.texts import NEVER_READ
from memlens.engine.reads.values import TOOLS, WRITERS, as_count, as_dict, as_text, path_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from memlens.engine.reads.shapes import Page

AGENT = "claude"
_FILE_LIMIT = 64 * 1024 * 1024
"""Bytes up to which a file's text is compared with what the agent was shown."""


def main(arguments: list[str]) -> int:
    """Runs `memlens hook` with the words behind it. Returns the exit code."""
    guard, agent = arguments == ["--guard"], AGENT
    if arguments and not guard:
        from memlens.engine.reads import hook_options

        asked = hook_options.ask(arguments)
        if isinstance(asked, int):
            return asked
        guard, agent = asked
    if _is_terminal():
        print("memlens hook: waits for a hook call on standard input; see --help", file=sys.stderr)
        return 2
    try:
        data = sys.stdin.buffer.read()
    except (AttributeError, OSError, ValueError) as error:
        log(f"standard input: {error}")
        return 0
    return run(data, sys.stdout, guard=guard, agent=agent)


def run(data: bytes, out: TextIO, *, guard: bool = False, agent: str = AGENT) -> int:
    """Handles one hook call: `data` is its JSON, an answer goes to `out`. Always returns 0."""
    try:
        call = loads(data)
        if not isinstance(call, dict):
            log("the hook call is no JSON object")
            return 0
        refusal = _Call(call, agent).handle(guard=guard)
        if refusal is not None:
            answer = {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": refusal,
            }
            out.write(dumps({"hookSpecificOutput": answer}) + "\n")
            out.flush()
    except Exception as error:  # noqa: BLE001 - a hook that fails must never stop the agent
        log(f"{type(error).__name__}: {str(error)[:300]}")
    return 0


def log(message: str) -> None:
    """Leaves a line in the log file. Never raises."""
    from memlens.engine.log import log as write

    write(message)


class _Call:
    """One hook call."""

    def __init__(self, call: dict[str, object], agent: str) -> None:
        self._call = call
        self._event = as_text(call.get("hook_event_name"))
        self._tool = as_text(call.get("tool_name"))
        self._asked = as_dict(call.get("tool_input"))
        self._cwd = as_text(call.get("cwd"))
        self._lane = as_text(call.get("agent_id")).removeprefix("agent-") or MAIN_LANE
        session = as_text(call.get("session_id"))
        if not session:
            raise ValueError("the hook call names no session")
        self._journal = ReadJournal(session, agent=agent)

    def handle(self, *, guard: bool) -> str | None:
        """Journals the call. Returns the text that refuses a write, or None."""
        if self._event == "PreToolUse":
            return self._before() if guard and self._tool in WRITERS else None
        if self._event == "PostToolUse":
            if self._tool in TOOLS:
                self._after()
        elif self._event == "SessionStart":
            self._start()
        elif self._event == "InstructionsLoaded":
            self._loaded()
        return None

    def _before(self) -> str | None:
        path = self._path()
        problem, _ = self._journal.write_problem(path, lane=self._lane)
        if problem == NEVER_READ:  # a mention, for one, raises no hook
            problem = self._problem_by_transcript(path)
        if problem is not None:
            try:
                self._journal.refuse(path, problem, lane=self._lane)
            except OSError as error:
                # No read can be journalled either, so the agent would be refused for ever.
                log(f"not guarded, for the journal cannot be written: {error}")
                return None
        return problem

    def _problem_by_transcript(self, path: str) -> str | None:
        transcript = as_text(self._call.get("transcript_path"))
        if not transcript:
            return NEVER_READ
        from memlens.engine.reads.log import LogFollower
        from memlens.engine.reads.model import Session

        name = os.path.expanduser(transcript)
        if not os.path.isfile(name):
            return NEVER_READ
        follower = LogFollower(Session("", "transcript", "", name, 0.0, 0.0, -1, AGENT))
        follower.advance()
        return follower.check(path, self._lane).problem

    def _after(self) -> None:
        from memlens.engine.reads.shapes import page_of, written_text

        path = self._path()
        answer = as_dict(self._call.get("tool_response"))
        more: dict[str, object] = {"cwd": self._cwd or None}
        if self._tool in WRITERS:
            action = "write" if self._tool == "Write" else "edit"
            content, sure = _same_text(path, written_text(answer, self._asked), exact=True)
        else:
            page = page_of(answer)
            if page is not None and page.unchanged:
                return  # the context has it, or has lost it: nothing is new
            if self._saw_all(page):
                action = "read"
                content, sure = _same_text(path, page.text if page else None, exact=False)
            else:
                action, content, sure = "partial", None, True
                if page is not None and page.count:
                    more["ranges"] = [[page.first, page.first + page.count - 1]]
                    more["total_lines"] = page.total
        self._journal.record(path, action, content=content, sure=sure, lane=self._lane, **more)

    def _saw_all(self, page: Page | None) -> bool:
        limit = as_count(self._asked.get("limit"))
        if page is not None and page.count is not None and page.total is not None:
            from memlens.engine.reads.coverage import is_whole

            return is_whole(page.first, page.count, page.total, limit)
        return all(self._asked.get(key) is None for key in ("offset", "limit", "pages"))

    def _start(self) -> None:
        source = as_text(self._call.get("source"))
        if source in ("startup", "clear"):
            self._journal.append("start", source=source, cwd=self._cwd or None)
        elif source == "compact":
            self._journal.append("compact", lane=self._lane, cwd=self._cwd or None)

    def _loaded(self) -> None:
        call = self._call
        self._journal.append(
            "load",
            path=self._path(call),
            lane=self._lane,
            memory_type=as_text(call.get("memory_type")),
            reason=as_text(call.get("load_reason")),
            parent=as_text(call.get("parent_file_path"))[:PATH_LIMIT] or None,
            trigger=as_text(call.get("trigger_file_path"))[:PATH_LIMIT] or None,
            globs=call.get("globs") if isinstance(call.get("globs"), list) else None,
            cwd=self._cwd or None,
        )

    def _path(self, values: dict[str, object] | None = None) -> str:
        path = path_in(self._asked if values is None else values)
        if not path:
            raise ValueError(f"{self._event} of {self._tool or 'no tool'} names no file")
        if len(path) > PATH_LIMIT:
            raise ValueError(f"{self._event} of {self._tool}: a path of {len(path):,} characters")
        if not os.path.isabs(path):
            if not os.path.isabs(self._cwd):
                raise ValueError(f"{self._event} of {self._tool}: a relative path without a cwd")
            path = os.path.join(self._cwd, path)
        return real_path(path)


def _same_text(path: str, text: str | None, *, exact: bool) -> tuple[bytes | None, bool]:
    """The bytes of the file, and whether they are what the agent saw.

    Between the tool and this hook the file may have changed, by a formatter for one. Without a
    text to compare, or for a very large file, the bytes are left to be hashed in pieces.
    """
    if text is None:
        return None, True
    from memlens.engine.reads.lines import open_regular
    from memlens.engine.reads.texts_of import decoded, normalised

    try:
        if os.path.getsize(path) > _FILE_LIMIT:
            return None, True
        with open_regular(path) as file:
            data = file.read(_FILE_LIMIT + 1)
        if len(data) > _FILE_LIMIT:  # it has been growing
            return None, True
    except OSError:
        return None, True
    seen, now = normalised(text), normalised(decoded(data))
    return data, now == seen or (not exact and now == seen + "\n")


def _is_terminal() -> bool:
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except (OSError, ValueError):
        return False
