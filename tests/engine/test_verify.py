"""The preview against what real sessions were told."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlens.engine import (
    ContextLoaded,
    ContextVerified,
    Engine,
    LoadContext,
    VerifyContext,
    open_workspace,
)
from memlens.engine.reads.instructions import told_by
from memlens.engine.settings import Settings

SECRET = "someone@example.org"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMLENS_MANAGED_FOLDER", str(tmp_path / "none"))
    root = tmp_path / "p"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("one @a.md\n")
    (root / "a.md").write_text("imported\n")
    os.utime(root / "CLAUDE.md", (1000, 1000))
    os.utime(root / "a.md", (1000, 1000))
    return root


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    settings = Settings(managed_folder=str(root / "none"))
    with Engine(open_workspace(root, agent="claude", settings=settings)) as engine:
        yield engine


def preview(engine: Engine) -> str:
    return engine.ask(LoadContext(request=engine.next_request()), ContextLoaded, 10).plan.text


def verified(engine: Engine) -> ContextVerified:
    return engine.ask(VerifyContext(request=engine.next_request()), ContextVerified, 10)


@pytest.fixture
def session(root: Path, home: Path) -> Any:
    """Writes a transcript of the folder with the given attachments."""
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(root))
    place = home / ".claude/projects" / slug

    def write(*attachments: dict[str, Any], name: str = "s1", when: float = 2000.0) -> Path:
        place.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(when))
        common = {"cwd": str(root), "sessionId": name, "timestamp": stamp}
        lines = [{**common, "type": "user", "message": {"content": 'says "instructions"'}}]
        lines += [{**common, "type": "attachment", "attachment": {"type": "session_context",
                                                                  "email": SECRET}}]  # fmt: skip
        lines += [{**common, "type": "attachment", **one} for one in attachments]
        path = place / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"type": "instr')
        return path

    return write


def told(root: Path, *rendered: object, **files: str) -> dict[str, Any]:
    listed = [{"path": str(root / f"{name}.md"), "type": "Project", "content": content}
              for name, content in files.items()]  # fmt: skip
    return {"attachment": {"type": "instructions", "files": listed, "rendered": list(rendered)}}


def test_without_a_session_there_is_no_answer(engine: Engine) -> None:
    assert verified(engine).verified is None


def test_the_same_text(engine: Engine, session: Any, root: Path) -> None:
    session(told(root, preview(engine)))
    answer = verified(engine)
    assert answer.verified is not None
    assert (answer.verified.session, answer.verified.state) == ("s1", "same")
    assert answer.difference == ()


@pytest.mark.parametrize("form", ["apart", "dicts", "bare", "files"])
def test_other_forms_of_the_same(engine: Engine, session: Any, root: Path, form: str) -> None:
    text = preview(engine)
    head, _, rest = text.partition("\n\n")
    bare = text.removeprefix("<system-reminder>\n").removesuffix("\n</system-reminder>")
    files = {"CLAUDE": "one @a.md\n", "a": "imported"}
    session(
        {
            "apart": told(root, head, rest),
            "dicts": told(root, {"role": "user", "content": [{"type": "text", "text": text}]}),
            "bare": told(root, bare),
            "files": told(root, **files),
        }[form]
    )
    answer = verified(engine).verified
    assert answer is not None
    assert answer.same, answer


@pytest.mark.parametrize(("mtime", "state"), [(3000, "changed since"), (1000, "different")])
def test_a_file_that_differs(
    engine: Engine, session: Any, root: Path, mtime: int, state: str
) -> None:
    session(told(root, preview(engine), CLAUDE="one @a.md", a="imported"))
    (root / "a.md").write_text("other\n")
    os.utime(root / "a.md", (mtime, mtime))
    answer = verified(engine)
    assert answer.verified is not None
    assert answer.verified.state == state
    assert {one.path: one.state for one in answer.verified.files} == {
        str(root / "CLAUDE.md"): "same", str(root / "a.md"): state,
    }  # fmt: skip
    kinds = [(line.kind, line.text) for line in answer.difference if line.kind != "same"]
    assert ("removed", "imported") in kinds
    assert ("added", "other") in kinds


def test_files_that_only_one_of_them_has(engine: Engine, session: Any, root: Path) -> None:
    text = preview(engine).replace("imported", "gone").replace("/a.md", "/gone.md")
    session(told(root, text, CLAUDE="one @a.md", gone="gone"))
    os.utime(root / "a.md", (1000, 1000))
    (root / "gone.md").write_text("x")
    os.utime(root / "gone.md", (1000, 1000))
    answer = verified(engine).verified
    assert answer is not None
    assert answer.state == "different"
    assert [one.state for one in answer.files] == ["same", "not here", "not told"]


def test_headers_tell_of_files_that_the_list_leaves_out(
    engine: Engine, session: Any, root: Path
) -> None:
    told = preview(engine).replace("imported", "older") + "\n"
    listed = [{"path": f"{root}/CLAUDE.md", "content": "one @a.md\n"}]
    session({"attachment": {"type": "instructions", "files": listed, "rendered": [told]}})
    found = verified(engine)
    assert found.verified is not None
    states = {os.path.basename(one.path): one.state for one in found.verified.files}
    assert states == {"CLAUDE.md": "same", "a.md": "different"}
    changed = [(line.kind, line.text) for line in found.difference if line.kind != "same"]
    assert changed[1:] == [("removed", "older"), ("added", "imported")]


def test_the_last_of_the_main_agent_counts(session: Any, root: Path) -> None:
    path = session(
        told(root, "first"),
        told(root, "second"),
        {**told(root, "of a subagent"), "isSidechain": True},
        told(root),
        {"attachment": {"type": "other", "instructions": "x"}},
        {"attachment": {"type": "instructions", "files": [1, {"path": 2}], "rendered": 7}},
    )
    found = told_by(str(path))
    assert found is not None
    assert (found.rendered, found.time) == (("second",), 2000.0)


def test_what_hooks_have_journalled(engine: Engine, root: Path) -> None:
    from memlens.engine.places import state_dir

    place = Path(state_dir()) / "reads"
    place.mkdir(parents=True)
    entry = {"time": 5.0, "session": "j1", "action": "load", "path": str(root / "CLAUDE.md"),
             "memory_type": "Project", "reason": "session_start", "cwd": str(root)}  # fmt: skip
    (place / "j1.jsonl").write_text(json.dumps(entry) + "\n")
    loading = verified(engine).loading
    assert loading is not None
    assert [(one.path, one.reason) for one in loading.loaded] == [
        (str(root / "CLAUDE.md"), "session_start")
    ]
    assert loading.missing == (str(root / "a.md"),)


@pytest.mark.parametrize("as_json", [True, False])
def test_the_command(
    engine: Engine,
    session: Any,
    root: Path,
    as_json: bool,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    from memlens.cli import main

    words = ["context", "--verify", "--agent", "claude", "--root", str(root)]
    words += ["--json"] if as_json else []
    assert main(words) == 0
    none = capfdbinary.readouterr().out.decode()
    if as_json:
        assert json.loads(none)["session"] is None
    session(told(root, preview(engine)))
    assert main(words) == 0
    (root / "CLAUDE.md").write_text("two\n")
    capfdbinary.readouterr()
    assert main(words) == 1
    out = capfdbinary.readouterr().out.decode()
    assert SECRET not in out
    if as_json:
        value = json.loads(out)
        assert (value["schema"], value["session"], value["same"]) == (1, "s1", False)
        assert "-one @a.md" in value["difference"]
        assert "+two" in value["difference"]
    else:
        assert "-one @a.md\n" in out
