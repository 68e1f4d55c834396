"""memlens' own settings and what it keeps between two starts."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

from memlens.engine.keeping import Draft, Keeper
from memlens.engine.settings.keep import keep_setting
from tests.faults.kinds.base import Kind, Step
from tests.faults.place import body, number_of

FILE = """\
# mine
stale_days = 90  # a comment
agent = "a0"

[keys]
"app.quit" = "x"
"""


class ChosenAgent(Kind):
    title = "the settings, another agent kept"

    @property
    def file(self) -> Path:
        return self.place.config / "config.toml"

    def prepare(self) -> None:
        self.file.write_text(FILE)

    def begin(self) -> Step:
        return lambda n: keep_setting("agent", f"a{n}")

    def check(self, done: int, begun: int) -> int:
        text = self.file.read_text()
        now = int(tomllib.loads(text)["agent"][1:])
        assert text == FILE.replace('"a0"', f'"a{now}"')
        assert done <= now <= begun
        return now

    def targets(self) -> list[Path]:
        return [self.file]


class SettingsTemplate(Kind):
    title = "the settings, the first file"
    pace = 0.1

    @property
    def file(self) -> Path:
        return self.place.config / "config.toml"

    def begin(self) -> Step:
        from memlens.cli.config import make_file, to_toml
        from memlens.engine.settings import template

        self.whole = template(to_toml)

        def step(_: int) -> None:
            self.file.unlink(missing_ok=True)
            make_file(str(self.file))

        return step

    def check(self, done: int, begun: int) -> int:
        from memlens.cli.config import to_toml
        from memlens.engine.settings import template

        if self.file.exists():
            assert self.file.read_text() == template(to_toml)
        else:
            assert done < begun or done == 0
        return done


class OfKeeping(Kind):
    @property
    def keeper(self) -> Keeper:
        return Keeper(str(self.place.state), str(self.place.root))

    def kept(self, beginning: str) -> list[Path]:
        return list((self.place.state / "folders").glob(f"*/{beginning}*.json"))


class KeptDraft(OfKeeping):
    title = "unsaved text"

    def begin(self) -> Step:
        keeper = self.keeper
        return lambda n: keeper.keep_draft(Draft("file", "/x.md", {"text": body(n)}))

    def check(self, done: int, begun: int) -> int:
        newest = 0
        for file in self.kept("draft-"):  # one a process
            values = json.loads(file.read_text())
            newest = max(newest, number_of(values["fields"]["text"]))
        offered = [number_of(draft.fields["text"]) for draft in self.keeper.drafts()]
        assert newest in offered or newest == 0 or done == begun
        assert done <= newest <= begun
        return newest

    def targets(self) -> list[Path]:
        for file in self.kept("draft-"):
            if file.stem.endswith(f"-{os.getpid()}"):
                return [file]
        return []


class KeptView(OfKeeping):
    title = "how a folder was looked at"

    def begin(self) -> Step:
        keeper = self.keeper
        return lambda n: keeper.keep_view({"number": n, "text": body(n)})

    def check(self, done: int, begun: int) -> int:
        view = self.keeper.view()
        if not view:
            assert done == 0
            return 0
        assert number_of(view["text"]) == view["number"]
        assert done <= view["number"] <= begun
        return int(view["number"])

    def targets(self) -> list[Path]:
        return self.kept("view")
