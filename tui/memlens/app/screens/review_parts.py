"""The parts of the review's screen: the files, three views of them, and how to walk through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.app.screens.review_rows import (
    DifferenceLines,
    Entry,
    FileLines,
    FindingLines,
    Remark,
    Sources,
    entries_of,
)
from memlens.app.screens.review_words import file_remarks, prompt_remarks
from memlens.app.screens.staged_editor import StagedEditor
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView, NoLines
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlens.engine.findings import Finding
    from memlens.engine.review.model import DiffLine, Review


class Part(NamedTuple):
    """The files, or one of the views."""

    name: str
    number: int
    title: str


FILES, DIFFERENCE, PROMPT, FINDINGS = PARTS = (
    Part("files", 1, "Changed files"),
    Part("difference", 2, "Difference"),
    Part("prompt", 3, "Prompt"),
    Part("findings", 4, "Findings"),
)


class Place(NamedTuple):
    """What a person looks at."""

    file: str
    """Absolute; empty for what comes from no file."""
    line: int
    """From 1."""


class PartTab(Static):
    """A part's name, to be clicked."""

    class Picked(Message):
        def __init__(self, part: Part) -> None:
            super().__init__()
            self.part: Final = part

    def __init__(self, part: Part) -> None:
        super().__init__(classes="tab", id=f"review-tab-{part.name}")
        self.part: Final = part
        self.say("")

    def say(self, more: str) -> None:
        """Puts something behind the name."""
        self.update(Content(f" {self.part.number} {self.part.title}{more} "))

    def on_click(self) -> None:
        self.post_message(self.Picked(self.part))


class ReviewParts(Container):
    """Shows a review; who owns it says what, and is told which file is looked at."""

    class Selected(Message):
        """Another file is selected; its difference is wanted."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path: Final = path

    def __init__(self) -> None:
        super().__init__(id="review-body")
        self.part = FILES
        self.entries: tuple[Entry, ...] = ()
        self._view = DIFFERENCE
        self._review: Review | None = None
        self._home: str | None = None
        self._path = ""
        self._when_compared: Callable[[DifferenceLines], None] | None = None
        self._state = "loading …"

    def compose(self) -> ComposeResult:
        with Horizontal(id="review-tabs"):
            yield Static(id="review-tabs-room")
            yield from (PartTab(part) for part in PARTS)
        with Horizontal(id="review-parts"):
            with Frame(id="review-part-files", classes="review-part") as files:
                files.border_title = f"{FILES.number} {FILES.title}"
                yield LineView(id="review-files")
            with Frame(id="review-part-view", classes="review-part"):
                for part in PARTS[1:]:
                    yield LineView(id=f"review-{part.name}", classes="review-view")
                yield StagedEditor()

    def on_mount(self) -> None:
        self.view_of(FILES).mark_always = True
        self.share_room()

    def view_of(self, part: Part) -> LineView:
        return self.query_one(f"#review-{part.name}", LineView)

    @property
    def editor(self) -> StagedEditor:
        return self.query_one(StagedEditor)

    @property
    def editing(self) -> bool:
        """Whether the editor stands in the place of the views."""
        return self.screen.has_class("-editing")

    @property
    def _tabbed(self) -> bool:
        return self.screen.has_class("-tabs")

    def go(self, part: Part) -> None:
        """Makes a part the current one, and gives it the focus."""
        self.part = part
        if part is not FILES:
            self._view = part
        self.share_room()
        (self.editor.area if self.editing and part is not FILES else self.view_of(part)).focus()

    def share_room(self) -> None:
        """Shows what has room, and says what it is."""
        tabbed = self._tabbed
        self.query_one("#review-part-files").set_class(tabbed and self.part is not FILES, "-away")
        self.query_one("#review-part-view").set_class(tabbed and self.part is FILES, "-away")
        for part in PARTS[1:]:
            self.view_of(part).set_class(part is self._view, "-current")
        for tab in self.query(PartTab):
            tab.set_class(tab.part is (self.part if tabbed else self._view), "-current")
        self._say_titles()

    @on(PartTab.Picked)
    def _picked(self, event: PartTab.Picked) -> None:
        self.go(event.part)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        part = next((one for one in PARTS if event.widget.id == f"review-{one.name}"), None)
        if part is not None and part is not self.part:
            self.go(part)

    def label_of(self, file: str) -> str:
        """A file as a person would name it: relative to the repository, or to home."""
        top = self._review.top if self._review is not None else None
        for folder, sign in ((top, ""), (self._home, "~/")):
            if folder and file.startswith(folder.rstrip("/") + "/"):
                return sign + file[len(folder.rstrip("/")) + 1 :]
        return file

    def _say_titles(self) -> None:
        view = self.query_one("#review-part-view")
        files = self.query_one("#review-part-files")
        title = f"{self._view.number} {self._view.title}"
        subtitle, place = self._state, self._state
        if self._review is not None and not self._state:
            review = self._review
            place = f"{self.view_of(FILES).cursor + 1}/{len(self.entries)}" if self.entries else ""
            if self.editing:
                title = f"Staged text of {self.label_of(self.editor.path)}"
            elif self._view is DIFFERENCE and self._path:
                title += f" of {self.label_of(self._path)}"
            elif self._view is PROMPT:
                folder = "" if review.root == review.top else self.label_of(review.root)
                title += f" in {folder}" if folder else " at the top"
                place_here = self._place_in_prompt(review)
                if place_here.file:
                    subtitle = f"{self.label_of(place_here.file)}:{place_here.line}"
            elif self._view is FINDINGS and review.silenced:
                subtitle = f"{review.silenced} switched off by comments"
        view.border_title, view.border_subtitle = (
            Content(visible(title)),
            Content(visible(subtitle)),
        )
        files.border_subtitle = Content(place)

    # What there is to show.

    def say_state(self, state: str) -> None:
        """Says what keeps the parts from showing anything; empty: nothing."""
        self._state = state
        self._say_titles()

    def clear(self) -> None:
        """Shows nothing."""
        self._review, self.entries, self._path = None, (), ""
        for part in PARTS:
            self.view_of(part).show(NoLines())

    def show_review(self, review: Review, home: str | None) -> None:
        """Shows a review; the file that was selected stays so, where it is still there."""
        self._review, self._home, self._path = review, home, ""
        self._state = ""
        self.entries = entries_of(review)
        self.view_of(FINDINGS).show(
            FindingLines(review.findings, self.label_of)
            if review.findings
            else DifferenceLines("", (), heads=[Remark("Nothing was found.")])
        )
        self.view_of(FILES).show(FileLines(self.entries, self.label_of))
        delta = review.after.tokens - review.before.tokens
        loud = sum(finding.severity != "note" for finding in review.findings)
        self.query_one(f"#review-tab-{PROMPT.name}", PartTab).say(f" {delta:+,}" if delta else "")
        self.query_one(f"#review-tab-{FINDINGS.name}", PartTab).say(f" {loud}" if loud else "")
        if not self.entries:
            self.view_of(DIFFERENCE).show(NoLines())
        self._select()

    def show_file(self, path: str, lines: tuple[DiffLine, ...]) -> None:
        """Shows the difference of a file, if it is still the selected one."""
        entry = self.entry
        if entry is None or path != entry.path:
            return
        view = self.view_of(DIFFERENCE)
        fresh = not isinstance(view.lines, DifferenceLines) or view.lines.what != path
        shown = DifferenceLines(
            path, lines, heads=file_remarks(entry, lines), findings=entry.findings
        )
        view.show(shown)
        then, self._when_compared = self._when_compared, None
        if fresh:
            view.go_to(0, quietly=True)
            (then or self._to_first_change)(shown)
        elif then is not None:
            then(shown)

    def show_prompt(self, lines: tuple[DiffLine, ...]) -> None:
        """Shows the difference of the prompt."""
        if self._review is None:
            return
        before = Sources(self._review.before.sources, self.label_of)
        after = Sources(self._review.after.sources, self.label_of)

        def place_of(line: DiffLine) -> str:
            if line.kind in ("gap", "note"):
                return ""
            return after.label(line.after) if line.after else before.label(line.before)

        heads = prompt_remarks(self._review)
        self.view_of(PROMPT).show(DifferenceLines("", lines, heads=heads, place_of=place_of))

    @on(LineView.Moved, "#review-prompt")
    def _moved_in_prompt(self) -> None:
        self._say_titles()

    @on(LineView.Moved, "#review-files")
    def _select(self) -> None:
        entry = self.entry
        self._say_titles()
        if entry is None or self._review is None or entry.path == self._path:
            return
        self._path = entry.path
        view = self.view_of(DIFFERENCE)
        if isinstance(view.lines, DifferenceLines) and view.lines.what != entry.path:
            view.show(NoLines())
        findings = self.view_of(FINDINGS)
        if entry.findings and isinstance(findings.lines, FindingLines) and not findings.has_focus:
            number = self._review.findings.index(entry.findings[0])
            findings.go_to(self._row_of(findings, number), quietly=True)
        self._say_titles()
        self.post_message(self.Selected(entry.path))

    # Where a person looks.

    @property
    def entry(self) -> Entry | None:
        """The selected file."""
        cursor = self.view_of(FILES).cursor
        return self.entries[cursor] if 0 <= cursor < len(self.entries) else None

    @property
    def finding(self) -> Finding | None:
        """The selected finding, where findings are looked at."""
        view = self.view_of(FINDINGS)
        if self.part is not FINDINGS or not isinstance(view.lines, FindingLines):
            return None
        return view.lines.findings[view.lines.number(view.cursor)] if view.lines.findings else None

    @property
    def entry_here(self) -> Entry | None:
        """The file that the selected finding is about, or else the selected one."""
        finding = self.finding
        return self.entry if finding is None else self.entry_of(finding.file)

    def entry_of(self, file: str) -> Entry | None:
        """The row of a file, whose path is absolute or relative to the top."""
        top = self._review.top if self._review is not None else ""
        return next((one for one in self.entries if file in (one.path, f"{top}/{one.path}")), None)

    @property
    def line_here(self) -> int:
        """The line of the file that is looked at, from 1."""
        view = self.view_of(DIFFERENCE)
        finding = self.finding
        if finding is not None:
            return max(1, finding.line)
        if self.part is DIFFERENCE and isinstance(view.lines, DifferenceLines):
            return view.lines.place_at(view.cursor)
        entry = self.entry
        return max(1, entry.findings[0].line) if entry is not None and entry.findings else 1

    @property
    def place_here(self) -> Place:
        """The place in the file on the disk."""
        if self._review is None:
            return Place("", 1)
        if self.part is PROMPT:
            return self._place_in_prompt(self._review)
        finding, entry = self.finding, self.entry
        path = finding.file if finding is not None else entry.path if entry is not None else ""
        if path and not path.startswith("/"):
            path = f"{self._review.top}/{path}"
        return Place(path, self.line_here)

    def _place_in_prompt(self, review: Review) -> Place:
        view = self.view_of(PROMPT)
        line = view.lines.line_at(view.cursor) if isinstance(view.lines, DifferenceLines) else None
        if line is None:
            return Place("", 1)
        prompt = review.after if line.after else review.before
        file, number = Sources(prompt.sources, self.label_of).place(line.after or line.before)
        return Place(file, max(1, number))

    # Walking through.

    def step(self, step: int) -> None:
        """Goes to the next (1) or previous (-1) file, change or finding."""
        view = self.view_of(self.part)
        lines = view.lines
        if self.part is FILES:
            self.step_file(step)
        elif isinstance(lines, FindingLines):
            number = lines.number(view.cursor) + step
            if 0 <= number < len(lines.findings):
                view.go_to(lines.row_of(number))
        elif isinstance(lines, DifferenceLines):
            row = lines.change_from(view.cursor, step)
            if row is not None:
                view.go_to(row)
            elif self.part is DIFFERENCE and self.step_file(step):
                self._when_compared = self._to_first_change if step > 0 else self._to_last_change

    def step_file(self, step: int) -> bool:
        """Selects the next or previous file; returns whether there is one."""
        files = self.view_of(FILES)
        target = files.cursor + step
        if not 0 <= target < len(self.entries):
            which = "last" if step > 0 else "first"
            self.app.notify(f"This is the {which} file.", timeout=2, markup=False)
            return False
        self._when_compared = None
        files.go_to(target)
        return True

    def select(self, path: str) -> None:
        """Selects a file by its path."""
        entry = self.entry_of(path)
        if entry is not None:
            self.view_of(FILES).go_to(self.entries.index(entry))

    def open(self) -> None:
        """Goes to the difference of what is selected, at its line."""
        if self.part in (FILES, DIFFERENCE):
            self.go(DIFFERENCE)
            return
        place = self.place_here
        entry = self.entry_of(place.file) if place.file else None
        if entry is None:
            return
        view = self.view_of(DIFFERENCE)

        def go_to_line(lines: DifferenceLines) -> None:
            self._to(lines.row_at(place.line))

        self.go(DIFFERENCE)
        if isinstance(view.lines, DifferenceLines) and view.lines.what == entry.path:
            go_to_line(view.lines)
        else:
            self._when_compared = go_to_line
            self.select(entry.path)

    @on(LineView.Chosen)
    def _chosen(self) -> None:
        self.open()

    def _to_first_change(self, lines: DifferenceLines) -> None:
        self._to(lines.change_from(0, 1) if not lines.is_change(0) else 0)

    def _to_last_change(self, lines: DifferenceLines) -> None:
        self._to(lines.change_from(lines.last_row, -1))

    def _to(self, row: int | None) -> None:
        if row is not None:
            self.view_of(DIFFERENCE).go_to(row, quietly=True)

    def _row_of(self, view: LineView, number: int) -> int:
        lines = view.lines
        if not isinstance(lines, FindingLines):
            return 0
        lines.count(max(1, view.scrollable_content_region.width))
        return lines.row_of(number)
