"""Putting the hooks into a settings file and taking them out leaves no trace."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine.reads.hook_settings import SettingsProblem, install, settings_text, uninstall

EVENTS = ["PreToolUse", "PostToolUse", "InstructionsLoaded", "SessionStart"]


def commands(data: bytes) -> dict[str, list[str]]:
    hooks = json.loads(data.decode("utf-8-sig"))["hooks"]
    return {
        event: [hook["command"] for group in groups for hook in group["hooks"]]
        for event, groups in hooks.items()
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_the_printed_entry_is_that_of_the_spec() -> None:
    found = json.loads(settings_text())["hooks"]
    assert list(found) == EVENTS
    assert found["PreToolUse"] == [
        {
            "matcher": "Write|Edit|MultiEdit|NotebookEdit",
            "hooks": [{"type": "command", "command": "memlens hook --guard", "timeout": 5}],
        }
    ]
    assert found["PostToolUse"][0]["matcher"] == "Read|Write|Edit|MultiEdit|NotebookEdit"


TEXTS = [
    "{}", "{ }", "{\n}", "{}\n", '{"a":1}', '{\n  "a": 1\n}\n', '{\n\t"a": [\n\t\t1\n\t]\n}',
    '{\r\n    "model": "x"\r\n}\r\n', '{"hooks": {}}', '{"hooks":{ }, "z": 1}',
    '{\n  "hooks": {\n  },\n  "z": null\n}\n', '{"hooks":{"PreToolUse":[]}}',
    '{\n  "hooks": {\n    "PreToolUse": [\n    ],\n    "Stop": [{"hooks": []}]\n  }\n}\n',
    '{\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": [\n        ]}\n    ]\n  },\n  "b": 1\n}',
    '{"hooks": {"PreToolUse": [{"hooks": [{"command": "memlensx hook"}]}]}}', '\ufeff{"a": "é"}',
    '{"hooks": 1, "hooks": {"SessionStart": []}, "x": {"hooks": 5}}', '{\r}', ' \n{ "a" : 1 } \n',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_in_and_out_restores_the_bytes(file: Path, text: str) -> None:
    before = text.encode()
    file.write_bytes(before)
    said = install(str(file))
    assert "touched" in said[-1]
    data = file.read_bytes()
    found = commands(data)
    for event in EVENTS:
        assert sum(command.startswith("memlens hook") for command in found[event]) == 1
    new, old = json.loads(data.decode("utf-8-sig")), json.loads(text.removeprefix("\ufeff"))
    assert {k: v for k, v in new.items() if k != "hooks"} == {
        k: v for k, v in old.items() if k != "hooks"
    }
    assert "Nothing to do" in install(str(file))[-1]
    assert file.read_bytes() == data
    uninstall(str(file))
    assert file.read_bytes() == before
    assert "Nothing to do" in uninstall(str(file))[-1]


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=5)}), max_size=2)},
        optional={"matcher": st.text(max_size=3)},
    ),
    max_size=2,
)
HOOKS = st.dictionaries(st.sampled_from([*EVENTS, "Stop", "Other"]), GROUPS)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    values=st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    hooks=st.none() | HOOKS,
    indent=st.sampled_from([None, 0, 2, 4, "\t"]),
    tight=st.booleans(),
    crlf=st.booleans(),
    end=st.sampled_from(["", "\n", "\n\n  "]),
)
def test_in_and_out_restores_any_settings(  # noqa: PLR0917 - one for each thing that varies
    file: Path,
    values: dict[str, Any],
    hooks: dict[str, Any] | None,
    indent: int | str | None,
    tight: bool,
    crlf: bool,
    end: str,
) -> None:
    values.pop("hooks", None)
    if hooks is not None:
        values["hooks"] = hooks
    text = json.dumps(values, indent=indent, separators=(",", ":") if tight else None) + end
    before = (text.replace("\n", "\r\n") if crlf else text).encode()
    file.write_bytes(before)
    install(str(file))
    assert set(EVENTS) <= set(commands(file.read_bytes()))
    uninstall(str(file))
    assert file.read_bytes() == before


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    assert "no" in uninstall(str(path))[0]
    assert install(str(path))[0].startswith("Made")
    assert path.read_text() == settings_text()
    uninstall(str(path))
    assert path.read_text() == "{}\n"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"1", b"{", b'{"a":1,}', b"// x\n{}", b"\xff", b'{"hooks": []}',
        b'{"hooks": {"SessionStart": {}}}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_settings_file_is_left_alone(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(SettingsProblem):
        install(str(file))
    assert file.read_bytes() == data


def test_a_folder_and_a_fifo_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name in ("", "fifo"):
        with pytest.raises(SettingsProblem):
            install(str(tmp_path / name))


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "settings.json"
    target.write_text("{}")
    target.chmod(0o640)
    link = tmp_path / "settings.json"
    link.symlink_to(target)
    assert "link" in install(str(link))[0]
    assert link.is_symlink()
    assert set(commands(target.read_bytes())) == set(EVENTS)
    assert target.stat().st_mode & 0o777 == 0o640


def test_only_ours_is_taken_out_of_a_group(file: Path) -> None:
    ours = {"type": "command", "command": "/usr/local/bin/memlens hook --guard", "timeout": 9}
    hooks = {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "a"}, ours, {"command": "b"}]}]}
    file.write_text(json.dumps({"hooks": hooks}, indent=2))
    said = install(str(file))
    assert "PreToolUse: memlens is there already." in said
    uninstall(str(file))
    assert json.loads(file.read_text())["hooks"] == {
        "PreToolUse": [{"matcher": "*", "hooks": [{"command": "a"}, {"command": "b"}]}]
    }
