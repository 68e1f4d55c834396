"""The editor of one file, in the place of the preview. What nobody edits stays, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.outside import edit_outside
from memlens.app.screens.clash import Answer, Clash
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.widgets.line_view import fit_path
from memlens.app.widgets.safe_text import SafeTextArea
from memlens.app.widgets.texts import DiffLines
from memlens.engine.commands.files import OpenFile, SaveFile
from memlens.engine.commands.looks import CompareTexts
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.editor import NoEditorError
from memlens.engine.events.files import FileClashed, FileOpened, FileRefused, FileSaved
from memlens.engine.events.looks import TextsCompared
from memlens.engine.events.memory_changes import MARKERS
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.app.recovery import Restoring
    from memlens.engine.bus import Subscription
    from memlens.engine.keeping import Draft


class FileEditor(Vertical, ActionHost):
    """Opens a file through the engine and saves it through the read state, or not at all."""

    AREA = "editor"
    BINDINGS = bindings_of("editor")

    class Opened(Message):
        """The editor has a file; it wants the room."""

    class Closed(Message):
        """The editor is done with; `area` is where the person came from."""

        def __init__(self, area: str) -> None:
            super().__init__()
            self.area: Final = area

    def __init__(self) -> None:
        super().__init__(id="file-editor")
        self._file: FileOpened | None = None
        self._saved = ""
        self._origin = ""
        self._request = 0
        self._comparing = 0
        self._restoring: Restoring | None = None
        self._instead: str | None = None
        """What the next file that is opened shall become, as an edit that is not saved."""
        self._subscriptions: list[Subscription] = []

    def _build(self) -> None:
        """Makes the parts when the first file is opened; at a start nobody waits for them."""
        if not self.children:
            self.mount(
                Static(id="editor-place"),
                SafeTextArea(
                    id="editor-text", compact=True, show_line_numbers=True, soft_wrap=True,
                    highlight_cursor_line=True,
                ),
            )  # fmt: skip

    def on_mount(self) -> None:
        self._subscriptions = [
            self.bridge.subscribe(FileOpened, self._opened),
            self.bridge.subscribe(FileRefused, self._refused),
            self.bridge.subscribe(FileSaved, self._stored),
            self.bridge.subscribe(FileClashed, self._clashed),
            self.bridge.subscribe(TextsCompared, self._compared),
        ]

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    @property
    def bridge(self) -> Bridge:
        return cast("MemlensApp", self.app).bridge

    @property
    def area(self) -> SafeTextArea:
        return self.query_one(SafeTextArea)

    @property
    def active(self) -> bool:
        """Whether a file is open."""
        return self._file is not None

    @property
    def dirty(self) -> bool:
        """Whether something would be lost by closing."""
        return self._file is not None and self.area.text != self._saved

    def edit(self, path: str, line: int, origin: str) -> None:
        """Opens a file at a line; asks first where that would lose something."""
        if self._file is not None and self._file.path == path:
            self._go_to(line)
            self.post_message(self.Opened())
            return
        if self.dirty:
            self._ask_before(lambda: self._open(path, line, origin))
        else:
            self._open(path, line, origin)

    def _open(self, path: str, line: int, origin: str) -> None:
        self._origin = origin
        self._request = self.bridge.publish(OpenFile(path=path, line=line))

    def _opened(self, event: FileOpened) -> None:
        if event.request != self._request:
            return
        self._build()
        self._file = event
        self._saved = event.text
        area = self.area
        area.load_text(event.text)
        area.read_only = bool(event.read_only)
        restoring = self._restoring
        if restoring is not None and restoring.draft.path == event.path:
            area.replace(restoring.draft.fields.get("text", ""), (0, 0), area.document.end)
            self._restoring = None
            restoring.done()
        if self._instead is not None:
            area.replace(self._instead, (0, 0), area.document.end)
            self._instead = None
        self._go_to(self._first_conflict() or event.line)
        self._say_place()
        self.post_message(self.Opened())

    def _go_to(self, line: int) -> None:
        area = self.area
        row = max(0, min(line - 1, area.document.line_count - 1))
        area.move_cursor((row, 0))
        self.call_after_refresh(area.scroll_cursor_visible, center=True)

    def _first_conflict(self) -> int:
        """The line where two texts of one place begin, from 1; 0 where there is none."""
        lines = self.area.text.split("\n")
        return lines.index(MARKERS[0]) + 1 if MARKERS[0] in lines else 0

    def _refused(self, event: FileRefused) -> None:
        if event.request != self._request:
            return

        def answer(outside: bool | None) -> None:
            if outside:
                self.open_outside(event.path, event.line)

        question = f"{event.path}\n\n{event.reason}\nOpen it in your own editor?"
        self.app.push_screen(Confirm(question, yes="Open it", no="Leave it"), answer)

    def open_outside(self, path: str, line: int) -> None:
        """Opens the person's own editor and looks at the disk again afterwards."""
        app = cast("MemlensApp", self.app)
        if app.workspace.read_only:
            app.notify(
                "memlens was opened with --read-only.", title="Your editor", severity="warning"
            )
            return
        try:
            edit_outside(app, path, line)
        except NoEditorError as error:
            app.notify(str(error), title="Your editor", severity="warning", markup=False)
            return
        self.bridge.publish(DiskChanged())

    @on(TextArea.Changed)
    def _say_place(self) -> None:
        file = self._file
        if file is None:
            return
        if file.read_only:
            mark = ("read only  ", "$text-warning")
        elif self.dirty:
            mark = ("● not saved  ", "$text-warning")
        else:
            mark = ("new  " if file.new else "", "$text-success")
        notes = []
        if file.bom:
            notes.append("BOM")
        if "\r" in file.text:
            notes.append("CR LF" if self.area.document.newline == "\r\n" else "mixed line ends")
        if any("\udc80" <= sign <= "\udcff" for sign in file.text):
            notes.append("not UTF-8")
        about = f"  {', '.join(notes)}" if notes else ""
        room = max(10, self.size.width - len(mark[0]) - len(about))
        place = fit_path(file.path, min(room, len(visible(file.path))))
        self.query_one("#editor-place", Static).update(
            Content.assemble(mark, (place, "bold"), (about, "dim"))
        )

    def on_resize(self) -> None:
        self._say_place()

    def reason_against(self, action: Action) -> str | None:
        file = self._file
        if file is None:
            return "No file is open."
        if action.name == "editor.save":
            if file.read_only:
                return file.read_only
            if not self.dirty and not file.new:
                return "Nothing has changed."
            if self._first_conflict():
                line = self._first_conflict()
                return f"Two texts of one place are still there, from line {line}: choose first."
        if action.name == "editor.changes" and not self.dirty:
            return "Nothing has changed."
        if action.name == "editor.undo" and not self.area.history.undo_stack:
            return "There is nothing to take back."
        if action.name == "editor.redo" and not self.area.history.redo_stack:
            return "Nothing was taken back."
        return None

    def do_editor_undo(self) -> None:
        self.area.undo()

    def do_editor_redo(self) -> None:
        self.area.redo()

    def do_editor_save(self) -> None:
        self._save()

    def _save(self, *, keep_mine: bool = False) -> None:
        if self._file is not None:
            self._request = self.bridge.publish(
                SaveFile(path=self._file.path, text=self.area.text, keep_mine=keep_mine)
            )

    def _stored(self, event: FileSaved) -> None:
        if event.request != self._request or self._file is None:
            return
        self._saved = event.text
        file = self._file
        self._file = FileOpened(path=file.path, text=event.text, line=file.line, bom=file.bom)
        self._say_place()
        self.app.notify(
            f"{visible(event.path)}\n{event.bytes:,} bytes", title="Saved", markup=False
        )
        self.bridge.publish(DiskChanged())

    def _clashed(self, event: FileClashed) -> None:
        if event.request != self._request:
            return

        def answer(choice: Answer) -> None:
            if choice == "mine":
                self._save(keep_mine=True)
            elif choice is not None and self._file is not None:
                self._instead = event.merged if choice == "merge" else None
                self._open(event.path, self.area.cursor_location[0] + 1, self._origin)

        unread = event.theirs is None
        self.app.push_screen(
            Clash(
                event.path, event.problem, event.difference,
                gone="What is there now cannot be read. Your text stays in the editor: make room "
                "for it, then save again."
                if unread else "",
                against_theirs="What is there now cannot be read." if unread else "",
                against_merge="There is nothing to merge with." if event.merged is None else "",
            ),
            answer,
        )  # fmt: skip

    def do_editor_changes(self) -> None:
        self._comparing = self.bridge.publish(
            CompareTexts(title="What saving would change", before=self._saved, after=self.area.text)
        )

    def _compared(self, event: TextsCompared) -> None:
        if event.request == self._comparing:
            self._comparing = 0
            self.app.push_screen(Show(event.title, DiffLines(event.lines)))

    def do_editor_outside(self) -> None:
        if self._file is None:
            return
        path, line = self._file.path, self.area.cursor_location[0] + 1

        def leave() -> None:
            self._close()
            self.open_outside(path, line)

        if self.dirty:
            self._ask_before(leave)
        else:
            leave()

    def do_editor_close(self) -> None:
        if self.dirty:
            self._ask_before(self._close)
        else:
            self._close()

    def _ask_before(self, then: object) -> None:
        assert callable(then)
        path = self._file.path if self._file is not None else ""

        def answer(discard: bool | None) -> None:
            if discard:
                then()

        question = f"{path}\n\nThis file has changes that are not saved."
        self.app.push_screen(Confirm(question, yes="Discard", no="Go on editing"), answer)

    def _close(self) -> None:
        self._file = None
        self._saved = ""
        self.area.load_text("")
        self.post_message(self.Closed(self._origin))

    def unsaved(self) -> Draft | None:
        """What would be lost now, for the recovery."""
        if self._file is None or not self.dirty:
            return None
        from memlens.engine.keeping import Draft

        return Draft("file", self._file.path, {"text": self.area.text})

    def restore(self, restoring: Restoring) -> bool:
        """Opens the file of a draft, with the draft's text as an edit that is not saved."""
        draft = restoring.draft
        if draft.kind != "file":
            return False
        self._restoring = restoring
        self._open(draft.path, 1, "preview")
        return True
