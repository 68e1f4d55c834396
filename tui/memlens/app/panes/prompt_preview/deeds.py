"""What a person does with the prompt beside reading it: touch, compare, save, ask why."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, Protocol

from textual.suggester import Suggester

from memlens.app.outside import copy
from memlens.app.screens.ask import Ask
from memlens.app.screens.choose import Choice, Choose
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.widgets.texts import DiffLines, WrappedLines
from memlens.engine.commands.files import CompletePath, SaveText
from memlens.engine.commands.looks import CompareTexts, CompareWithCommit
from memlens.engine.commands.why import AskWhy
from memlens.engine.commands.workspace import ResetTouches, TouchPath
from memlens.engine.events.files import PathCompleted, TextNotSaved, TextSaved
from memlens.engine.events.looks import TextsCompared
from memlens.engine.events.why import WhyAnswered
from memlens.engine.events.workspace import PathTouched, TouchesReset
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.bridge import Bridge
    from memlens.app.panes.base import Pane
    from memlens.engine.events.workspace import ContextLoaded
    from memlens.engine.plan import Plan

_SAME: Final = "Nothing differs."


class _Seen(Protocol):
    """What the deeds need to know of the pane."""

    @property
    def snapshot(self) -> ContextLoaded | None: ...
    @property
    def last_look(self) -> str: ...
    def go_to_line(self, number: int) -> None: ...


class PathSuggester(Suggester):
    """Completes paths by asking the engine, which reads the folder."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._bridge: Final = bridge
        self._waiting: asyncio.Future[Sequence[str]] | None = None
        self._request = 0
        self._subscription: Final = bridge.subscribe(PathCompleted, self._completed)

    def _completed(self, event: PathCompleted) -> None:
        if self._waiting is not None and event.request == self._request:
            self._waiting.set_result(event.paths)
            self._waiting = None

    async def get_suggestion(self, value: str) -> str | None:
        if self._waiting is not None:
            self._waiting.set_result(())
        self._waiting = asyncio.get_running_loop().create_future()
        waiting = self._waiting
        self._request = self._bridge.publish(CompletePath(typed=value))
        paths = await waiting
        return next((path for path in paths if path != value), None)

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.set_result(())
            self._waiting = None
        self._subscription.close()


class PromptDeeds:
    """Asks, has the engine do it, and shows the answer."""

    def __init__(self, pane: Pane, seen: _Seen) -> None:
        self._pane: Final = pane
        self._seen: Final = seen
        self._touching = 0
        self._comparing = 0
        pane.listen(PathTouched, self._touched)
        pane.listen(TouchesReset, self._reset)
        pane.listen(TextsCompared, self._compared)
        pane.listen(TextSaved, self._saved)
        pane.listen(TextNotSaved, self._not_saved)
        pane.listen(WhyAnswered, self._answered)

    def _show(self, title: str, lines: WrappedLines | DiffLines, legend: str = "") -> None:
        self._pane.app.push_screen(Show(title, lines, legend=legend))

    def _say(self, text: str, title: str, *, warn: bool = False) -> None:
        severity: Literal["warning", "information"] = "warning" if warn else "information"
        self._pane.app.notify(visible(text), title=title, severity=severity, markup=False)

    def touch(self, path: str = "") -> None:
        """Asks for a path and shows what the agent is given when it touches it."""
        suggester = PathSuggester(self._pane.bridge)

        def answer(path: str | None) -> None:
            suggester.close()
            if path:
                self._touching = self._pane.ask(TouchPath(path=path))

        self._pane.app.push_screen(
            Ask(
                "The agent touches this path (relative to the project, or absolute):", value=path,
                placeholder="src/…", suggester=suggester,
                check=lambda value: "" if value.strip() else "Type a path.",
            ),
            answer,
        )  # fmt: skip

    def _touched(self, event: PathTouched) -> None:
        if event.request != self._touching:
            return
        told: list[tuple[str, str, int]] = []
        snapshot = self._seen.snapshot
        if not event.text:
            told = [(f"Touching {event.path} adds nothing.", "strong", 0), ("", "", 0)]
            told.append((event.reason, "", 0))
        else:
            told = [("The agent is given this, once in a session:", "dim", 0), ("", "", 0)]
            for item in event.items:
                told.append((f"◌ {item.label}  ≈{item.tokens:,} tokens", "nested", 2))
                if snapshot is not None:
                    told += (("  └ " + snapshot.label_of(path), "dim", 4) for path in item.imports)
            for finding in event.findings:
                if finding.severity != "note":
                    told.append((f"✗ line {finding.line}: {finding.message}", "error", 2))
            told.append(("", "", 0))
        legend = "T in the preview begins a new session"
        lines = WrappedLines(told, event.text or None, "added")
        self._show(f"Touch {event.path}", lines, legend)

    def new_session(self) -> None:
        self._pane.ask(ResetTouches())

    def _reset(self, event: TouchesReset) -> None:
        self._say("Every nested file can be given again.", "New session")

    def compare(self) -> None:
        """Asks with what, and shows the difference."""
        same = self._seen.snapshot is None or self._seen.last_look == self._seen.snapshot.plan.text
        choices = [
            Choice("look", "The last look", "as it was when you opened memlens, or pressed m",
                   "Nothing has changed since the last look." if same else ""),
            Choice("commit", "The last commit", "what the checkout in git would make of it"),
        ]  # fmt: skip

        def answer(what: str | None) -> None:
            if what == "look" and self._seen.snapshot is not None:
                self._comparing = self._pane.ask(
                    CompareTexts(
                        title="From the last look to what is there now",
                        before=self._seen.last_look, after=self._seen.snapshot.plan.text,
                        prompts=True,
                    )
                )  # fmt: skip
            elif what == "commit":
                self._comparing = self._pane.ask(CompareWithCommit())

        self._pane.app.push_screen(
            Choose("Compare the prompt with", choices, current=1 if same else 0), answer
        )

    def _compared(self, event: TextsCompared) -> None:
        if event.request != self._comparing:
            return
        if not event.lines:
            self._say(_SAME, event.title)
            return
        added = sum(line.kind == "added" for line in event.lines)
        removed = sum(line.kind == "removed" for line in event.lines)
        legend = f"+{added} −{removed} lines"
        self._show(event.title, DiffLines(event.lines), legend)

    def copy_section(self, plan: Plan, number: int) -> None:
        """Copies what surrounds a line of the prompt: a memory file with its imports."""
        part = plan.part_at(number)
        if part is not None:
            text = "".join(span.text for span in plan.spans[part.first_span : part.end_span])
            item = plan.items[part.item].label if part.item >= 0 else "the durable index"
            copy(self._pane.app, text, f"The section of {item}")

    def save(self) -> None:
        """Asks for a file and saves the text to it."""
        suggester = PathSuggester(self._pane.bridge)

        def answer(path: str | None) -> None:
            suggester.close()
            if path and self._seen.snapshot is not None:
                self._pane.ask(SaveText(path=path, text=self._seen.snapshot.plan.text))

        def check(value: str) -> str:
            if not value.strip():
                return "Type a name."
            return "This is a folder." if value.endswith("/") else ""

        self._pane.app.push_screen(
            Ask(
                "Save the prompt to this file (relative to the project, absolute, or ~/…):",
                value="", placeholder="prompt.txt", suggester=suggester, check=check,
            ),
            answer,
        )  # fmt: skip

    def _saved(self, event: TextSaved) -> None:
        self._say(f"{event.path}: {event.bytes:,} bytes", "Saved")

    def _not_saved(self, event: TextNotSaved) -> None:
        if not event.replaceable:
            self._say(f"{event.path}: {event.reason}", "Not saved", warn=True)
            return

        def answer(replace: bool | None) -> None:
            if replace:
                self._pane.ask(SaveText(path=event.path, text=event.text, replace=True))

        question = f"{event.path}\n\nThere is a file already."
        self._pane.app.push_screen(
            Confirm(question, yes="Replace it", no="Leave it"), answer
        )  # fmt: skip

    def why(self) -> None:
        """Asks for a phrase and shows whether it reaches the prompt."""

        def answer(text: str | None) -> None:
            if text:
                self._pane.ask(AskWhy(text=text))

        self._pane.app.push_screen(
            Ask("Does this phrase reach the prompt?", placeholder="a few words"), answer
        )

    def _answered(self, event: WhyAnswered) -> None:
        if event.reached and event.line:
            self._seen.go_to_line(event.line)
        sign = ("✓ It reaches the prompt.", "ok") if event.reached else (
            "✗ It does not reach the prompt.", "error"
        )  # fmt: skip
        told = [("“" + event.text + "”", "strong", 0), ("", "", 0), (*sign, 0)]
        told += [(event.reason, "", 0), ("", "", 0)]
        snapshot = self._seen.snapshot
        for depth, (file, line) in enumerate(event.chain):
            label = snapshot.label_of(file) if snapshot is not None else file
            told.append((f"{'  ' * depth}{'└ ' if depth else ''}{label}:{line}", "dim", 4))
        self._show("Why", WrappedLines(told))
