"""The review: what a change in git does to what agents are told, accepted or rejected here."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Static

from memlens.app.actions import Action, Area
from memlens.app.hosting import ActionHost, MainScreen, bindings_of
from memlens.app.screens.review_parts import (
    DIFFERENCE,
    FILES,
    FINDINGS,
    PARTS,
    PROMPT,
    ReviewParts,
)
from memlens.app.screens.review_staging import Staging
from memlens.app.screens.review_words import (
    accept_question,
    counts,
    header,
    leave_question,
    nothing_to_review,
    refusal,
)
from memlens.app.screens.staged_editor import StagedEditor
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.header import Header
from memlens.app.widgets.line_view import LineView
from memlens.engine.commands.keeping import LoadKept
from memlens.engine.commands.review import (
    CompareFile,
    ComparePrompt,
    LoadReview,
)
from memlens.engine.events.base import Cancelled, Event, Failed
from memlens.engine.events.keeping import KeptLoaded
from memlens.engine.events.review import (
    FileCompared,
    PromptCompared,
    Restaged,
    RestageRefused,
    ReviewLoaded,
    ReviewRefused,
    StagedOpened,
)
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlens.app.app import MemlensApp
    from memlens.engine.bus import Subscription
    from memlens.engine.keeping import Draft

E = TypeVar("E", bound=Event)

WIDE: Final = 100
"""Columns from which the files stand beside the views; below, each has a tab."""
SMALLEST: Final = (60, 20)
"""Columns and lines below which the screen says that it is too small."""
NEAR: Final = 3
"""Equal lines around a change."""
WHOLE: Final = -1
_ALWAYS: Final = frozenset(["leave", "stop", "help", "palette", "reload", "reject"])
"""What can be done before anything is loaded. To reject is the safe way: nobody needs to have seen
what they reject, so it goes at once; to accept waits until there is something to be accepted."""
ACCEPTED, REJECTED, IMPOSSIBLE = 0, 1, 2
"""Exit codes."""


class ReviewScreen(MainScreen):
    """Shows a review. Alone it ends the app with a verdict, else it leaves with a word."""

    AREA = "review"
    BINDINGS: ClassVar = bindings_of("review")
    SHEETS = ("lines", "review")

    def __init__(
        self,
        command: LoadReview,
        *,
        alone: bool = False,
        in_hook: bool = False,
        loaded: ReviewLoaded | None = None,
        draft: Draft | None = None,
    ) -> None:
        """`loaded` is what the engine has answered to `command` already. `draft`: a staged text
        to go on with."""
        super().__init__()
        self._command = command
        self._at_first: Final = loaded
        self._draft = draft
        self._alone: Final = alone
        self._in_hook: Final = in_hook
        self.accepted = False
        """Whether a person has said so."""
        self._loaded: ReviewLoaded | None = None
        self._refused = False
        self._equal_lines = NEAR
        self._subscriptions: list[Subscription] = []

    def compose(self) -> ComposeResult:
        yield Header()
        yield ReviewParts()
        yield EmptyState(id="review-empty")
        yield Static(id="too-small")
        yield ActionBar()

    @property
    def memlens(self) -> MemlensApp:
        return cast("MemlensApp", self.app)

    @property
    def parts(self) -> ReviewParts:
        return self.query_one(ReviewParts)

    def on_mount(self) -> None:
        self.staging = Staging(self, self.parts, self._load)
        self._listen(ReviewLoaded, self._show_review)
        self._listen(ReviewRefused, self._show_refusal)
        self._listen(FileCompared, lambda event: self.parts.show_file(event.path, event.lines))
        self._listen(PromptCompared, lambda event: self.parts.show_prompt(event.lines))
        self._listen(StagedOpened, self.staging.opened)
        self._listen(Restaged, lambda event: self.staging.staged(event.path))
        self._listen(RestageRefused, self.staging.refused)
        self._listen(Failed, self._show_failure)
        self._listen(KeptLoaded, self._offer)
        self._say_header()
        self.parts.go(FILES)
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()
        if self.recovery is not None:
            self.recovery.close()

    def _listen(self, kind: type[E], handler: Callable[[E], None]) -> None:
        self._subscriptions.append(self.memlens.bridge.subscribe(kind, handler))

    def _begin(self) -> None:
        # Only now: the frame is painted before anything is read.
        if self._at_first is None:
            self._load()
        else:
            self._show_review(self._at_first)

    def _load(self) -> None:
        self._loaded, self._refused = None, False
        self.memlens.bridge.publish(self._command)
        self.parts.say_state("loading …")
        self._say_header()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.set_class(width < WIDE, "-tabs")
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(small, "-small")
        self.parts.share_room()
        self._say_header()
        if small:
            self.query_one("#too-small", Static).update(
                f"This terminal has {width} × {height} characters.\n"
                f"memlens needs {SMALLEST[0]} × {SMALLEST[1]}.\n\nq leaves."
            )

    def _say_header(self) -> None:
        folder = (self.memlens.folder_label, "$foreground")
        self.query_one(Header).say(folder, *header(self._command, self._loaded, self._refused))
        self.query_one(ActionBar).refresh()

    # What the engine says.

    def _show_review(self, event: ReviewLoaded) -> None:
        self._loaded = event
        self.parts.show_review(event.review, self.memlens.workspace.home)
        self._compare()
        self._say_header()
        self._recover()
        if self.parts.entries:
            self._show_empty("")
            self.staging.offer()
        else:
            self._show_empty(nothing_to_review(self._command))

    def _recover(self) -> None:
        """Has what is written here outlive a crash, and goes on with what has."""
        if self.recovery is not None:
            return
        from memlens.app.recovery import Recovery

        self.recovery = Recovery(self)
        if self._draft is not None:
            self.recovery.restore(self._draft)
        elif self.parts.entries and self._command.mode == "staged":
            self.memlens.bridge.publish(LoadKept())

    def _offer(self, event: KeptLoaded) -> None:
        if self.recovery is not None and self._draft is None and self.is_current:
            self.recovery.offer([one for one in event.drafts if one.kind == "staged"])

    @on(StagedEditor.Wanted)
    def _open_staged(self, event: StagedEditor.Wanted) -> None:
        self.staging.open(event.path)

    def _show_refusal(self, event: ReviewRefused) -> None:
        self._refuse(event.why, event.where, event.hint)

    def _show_failure(self, event: Failed) -> None:
        if self._loaded is None and event.what == "load review":
            why = "reading it was cancelled" if isinstance(event, Cancelled) else event.why
            self._refuse(why, event.where, event.hint)
        elif self._alone and not isinstance(event, Cancelled):  # else the workspace below says so
            lines = "\n".join(line for line in (event.why, event.where, event.hint) if line)
            self.app.notify(
                visible_text(lines), title=f"Could not {visible(event.what)}", severity="error",
                timeout=10, markup=False,
            )  # fmt: skip

    def _refuse(self, why: str, where: str, hint: str) -> None:
        self._loaded, self._refused = None, True
        self.parts.clear()
        self._show_empty(refusal(why, where, hint))
        self._say_header()

    def _show_empty(self, words: str) -> None:
        """Shows sentences instead of the parts; none: the parts."""
        was_empty = self.has_class("-empty")
        self.set_class(bool(words), "-empty")
        empty = self.query_one(EmptyState)
        empty.say(words)
        if words:
            empty.focus()
        elif was_empty:
            self.parts.go(FILES)

    def _compare(self, path: str = "") -> None:
        if path:
            self.memlens.bridge.publish(CompareFile(path=path, context=self._equal_lines))
        else:
            self.memlens.bridge.publish(ComparePrompt(context=self._equal_lines))

    @on(ReviewParts.Selected)
    def _selected(self, event: ReviewParts.Selected) -> None:
        self._compare(event.path)

    @on(StagedEditor.Saved)
    def _save(self, event: StagedEditor.Saved) -> None:
        self.staging.save(event)

    @on(StagedEditor.Closed)
    def _close_editor(self) -> None:
        self.staging.close()

    # The actions.

    @property
    def rests(self) -> bool:
        return self.has_class("-editing")

    @property
    def awaits(self) -> bool:
        if self._loaded is not None or self._refused or self.rests:
            return False
        return self.memlens.bridge.awaits(LoadReview)

    def reason_against(self, action: Action) -> str | None:
        verb = action.name.partition(".")[2]
        if verb in _ALWAYS:
            return None
        if verb == "scope":
            return self._reason_against_scope()
        if self._refused:
            return "There is no review; what is in the way is told above."
        if self._loaded is None:
            return "The review is still being loaded."
        if verb == "accept":
            return None
        if not self.parts.entries:
            return "Nothing that agents read has changed."
        if verb == "edit":
            return self.staging.reason_against_edit(self._command.mode)
        if verb == "outside" and not self.parts.place_here.file:
            return "This line comes from no file."
        return None

    def _reason_against_scope(self) -> str | None:
        if self._in_hook:
            return "The commit under way is what is staged."
        if self._command.mode == "range":
            return "These are commits; leave the review to see what is staged."
        return None

    def do_review_accept(self) -> None:
        self.staging.dropping(self._accept)

    def _accept(self) -> None:
        errors = counts(self._loaded)["error"]
        if errors:
            question = accept_question(errors, in_hook=self._in_hook)
            self.staging.ask(
                question, "Accept all the same", "Look again", lambda: self._end(ACCEPTED)
            )
        else:
            self._end(ACCEPTED)

    def do_review_reject(self) -> None:
        self.staging.dropping(lambda: self._end(IMPOSSIBLE if self._refused else REJECTED))

    def do_review_leave(self) -> None:
        self.staging.dropping(self._leave)

    def _leave(self) -> None:
        if self._refused:
            self._end(IMPOSSIBLE)
        elif not self._alone:
            self.keep()  # what was staged or dropped a moment ago must not be offered again
            self.dismiss(None)
        elif self._loaded is not None and not self.parts.entries:
            self._end(ACCEPTED)
        else:
            question = leave_question(in_hook=self._in_hook)
            self.staging.ask(question, "Leave", "Stay", lambda: self._end(REJECTED))

    def do_review_stop(self) -> None:
        if self._alone:
            self._end(IMPOSSIBLE if self._refused else REJECTED)
        else:
            self.do_review_leave()

    def leave(self) -> None:
        if self.is_current:
            self.do_review_leave()

    def _end(self, code: int) -> None:
        self.accepted = code == ACCEPTED
        self.keep()  # what was staged or dropped a moment ago must not be offered again
        if self._alone:
            self.app.exit(return_code=code)
            return
        if self._loaded is not None and self.parts.entries:
            words = "commit it when you like" if self.accepted else "it stays staged as it is"
            title = "Accepted" if self.accepted else "Rejected"
            self.app.notify(f"Nothing was changed: {words}.", title=title, markup=False)
        self.dismiss(None)

    def do_review_next(self) -> None:
        self.parts.step(1)

    def do_review_previous(self) -> None:
        self.parts.step(-1)

    def do_review_next_file(self) -> None:
        self.parts.step_file(1)

    def do_review_previous_file(self) -> None:
        self.parts.step_file(-1)

    def do_review_open(self) -> None:
        self.parts.open()

    def do_review_edit(self) -> None:
        self.staging.edit()

    def do_review_outside(self) -> None:
        mode = self._command.mode
        self.staging.dropping(lambda: self.staging.edit_outside(mode))

    def do_review_files(self) -> None:
        self.parts.go(FILES)

    def do_review_difference(self) -> None:
        self.parts.go(DIFFERENCE)

    def do_review_prompt(self) -> None:
        self.parts.go(PROMPT)

    def do_review_findings(self) -> None:
        self.parts.go(FINDINGS)

    def do_review_next_part(self) -> None:
        self.parts.go(PARTS[(PARTS.index(self.parts.part) + 1) % len(PARTS)])

    def do_review_previous_part(self) -> None:
        self.parts.go(PARTS[(PARTS.index(self.parts.part) - 1) % len(PARTS)])

    def do_review_context(self) -> None:
        self._equal_lines = NEAR if self._equal_lines == WHOLE else WHOLE
        if self.parts.entry is not None:
            self._compare(self.parts.entry.path)
        self._compare()

    def do_review_scope(self) -> None:
        def change() -> None:
            mode = self._command.mode
            self._command = LoadReview(mode="all" if mode == "staged" else "staged")
            self._load()

        self.staging.dropping(change)

    def do_review_reload(self) -> None:
        self._load()

    def do_review_help(self) -> None:
        from memlens.app.screens.help import Help

        if self.is_current:
            self.app.push_screen(Help("review"))

    def do_review_palette(self) -> None:
        self.app.action_command_palette()

    @on(LineView.Moved)
    def _moved(self) -> None:
        self.query_one(ActionBar).refresh()

    @on(LineView.MenuAsked)
    def _menu(self, event: LineView.MenuAsked) -> None:
        from memlens.app.screens.menu import open_menu

        event.stop()
        open_menu(self)

    def host_of(self, area: Area) -> ActionHost | None:
        if area == StagedEditor.AREA and self.parts.editing:
            return self.parts.editor
        return super().host_of(area)
