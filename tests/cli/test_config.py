"""`memlens config`: what is in force, and where it comes from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMLENS_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    return tmp_path / "config" / "config.toml"


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memlens", "config", *words],
        env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def test_values_and_where_they_come_from(config: Path) -> None:
    write(config, "stale_days = 30\n")
    value = json.loads(run("--json", MEMLENS_WRAP="no").stdout)
    assert value["schema"] == 1
    assert value["settings"]["stale_days"] == {"value": 30, "origin": str(config)}
    assert value["settings"]["wrap"] == {"value": False, "origin": "MEMLENS_WRAP"}
    assert value["settings"]["agent"]["origin"] == "default"
    text = run().stdout
    assert "stale_days" in text
    assert str(config) in text


def test_check_names_line_and_file_and_fails(config: Path) -> None:
    write(config, "wrap = true\nstale_dais = 30\n")
    result = run("--check")
    assert result.returncode == 1
    assert result.stdout.startswith(f"{config}:2: there is no setting named stale_dais.")
    assert "Did you mean stale_days?" in result.stdout
    write(config, "wrap = true\n")
    assert run("--check").returncode == 0


def test_a_bad_setting_stops_no_command(config: Path, tmp_path: Path) -> None:
    write(config, "stale_days = 'x'\n")
    result = subprocess.run(
        [sys.executable, "-m", "memlens", "prompt"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert result.returncode == 0
    assert f"{config}:1" in result.stderr


def test_edit_makes_a_file_to_begin_with(config: Path, tmp_path: Path) -> None:
    nothing = run("--edit")
    assert nothing.returncode == 2
    assert "VISUAL" in nothing.stderr
    assert not config.exists()
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^# stale_days = .*/stale_days = 7/' \"$1\"\n")
    editor.chmod(0o755)
    assert run("--edit", EDITOR=str(editor)).returncode == 0
    assert tomllib.loads(config.read_text()) == {"stale_days": 7}
    assert run("--edit", EDITOR="false").returncode == 2


def test_help_describes_each_setting(config: Path) -> None:
    from memlens.engine.settings import meaning, names

    text = " ".join(run("--help").stdout.split())  # folded at the width of a terminal
    for name in names():
        assert name in text
        assert meaning(name) in text
    assert run("--path").stdout.strip() == str(config)


def test_check_knows_the_themes_and_the_actions_of_the_screen(config: Path) -> None:
    write(config, 'theme = "drakula"\n\n[keys]\n"tree.edit" = "f4"\n"tree.edt" = "f4"\n')
    result = run("--check")
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        f"{config}:1: theme: there is none named drakula. Did you mean dracula?",
        f"{config}:5: keys: there is no action named tree.edt. Did you mean tree.edit?",
    ]
    write(config, 'theme = "memlens-light"\n[keys]\n"tree.edit" = "f4"\n')
    assert run("--check").returncode == 0
    named = run("--check", MEMLENS_THEME="nothing like it")
    assert named.stdout.startswith("MEMLENS_THEME: theme: there is none named nothing like it.")


def test_a_misspelt_variable_is_named_and_stops_nothing(config: Path, tmp_path: Path) -> None:
    told = "MEMLENS_WRAPP: memlens knows no such variable. Did you mean MEMLENS_WRAP?\n"
    checked = run("--check", MEMLENS_WRAPP="no")
    assert (checked.returncode, checked.stdout) == (1, told)
    shown = run(MEMLENS_WRAPP="no")
    assert (shown.returncode, shown.stderr) == (0, told)
    assert "MEMLENS_WRAPP" in json.loads(run("--json", MEMLENS_WRAPP="no").stdout)["findings"][0][
        "file"
    ]  # fmt: skip
    environment = {**os.environ, "MEMLENS_WRAPP": "no", "HOME": str(tmp_path)}
    write(config, "wrap = 1\n")  # neither is what is wrong with the file
    for words, status in ((["hook"], ""), (["reads", "check", "x"], ""), (["prompt"], "WRAPP")):
        result = subprocess.run(
            [sys.executable, "-m", "memlens", *words], cwd=tmp_path, env=environment,
            input="{}", capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert result.returncode == 0
        assert result.stdout == ""
        assert status in result.stderr
        assert bool(status) == bool(result.stderr)


def test_help_describes_each_variable(config: Path) -> None:
    from memlens.engine.settings import VARIABLES

    text = " ".join(run("--help").stdout.split())
    for name, meaning in VARIABLES.items():
        assert f"{name} {meaning}" in text


def test_check_knows_which_keys_there_are(config: Path) -> None:
    write(
        config,
        '[keys]\n"app.quit" = "ctrl+x, ctl+q"\n"app.help" = ""\n"app.zoom" = "hyperr"\n'
        '"app.log" = "F6,^L"\n',
    )
    assert run("--check").stdout.splitlines() == [
        f"{config}:{line}: keys: {name}: there is no key named {key}. "
        "memlens config --keys shows how keys are written."
        for line, name, key in ((2, "app.quit", "'ctl+q'"), (3, "app.help", "''"),
                                (4, "app.zoom", "'hyperr'"))
    ]  # fmt: skip
    write(config, "")
    every = json.loads(run("--keys", "--json").stdout)["actions"]
    lines = [f'"{one["name"]}" = "{",".join(one["keys"])}"\n' for one in every if one["keys"]]
    write(config, "[keys]\n" + "".join(lines))
    assert run("--check").stdout == ""


def test_the_names_of_all_actions_can_be_looked_up(config: Path) -> None:
    write(config, '[keys]\n"tree.edit" = "f4,e"\n')
    lines = run("--keys").stdout.splitlines()
    assert any(line.split()[:2] == ["tree.edit", "f4,e"] for line in lines)
    actions = {one["name"]: one for one in json.loads(run("--keys", "--json").stdout)["actions"]}
    assert actions["tree.edit"]["keys"] == ["f4", "e"]
    assert actions["app.help"]["keys"] == ["question_mark"]


def test_check_names_keys_that_get_in_one_anothers_way(config: Path) -> None:
    write(
        config,
        'wrap = true\n[keys]\n"tree.edit" = "n"\n"app.log" = "y,f7"\n"tree.told" = "?"\n'
        '"memories.tag" = "ctrl+s"\n',
    )
    result = run("--check")
    assert result.returncode == 1
    others = "tree.copy_path, preview.copy, memories.copy_line, reads.copy"
    hint = "Give one of them another key; memlens config --keys lists them all."
    assert result.stdout.splitlines() == [
        f"{config}:3: keys: tree.edit takes n from tree.notes. {hint}",
        f"{config}:4: keys: y does not do app.log where it does {others}. {hint}",
        f"{config}:5: keys: tree.told takes ? from app.help. {hint}",
    ]
    write(config, 'keys = { "tree.edit" = "n", "tree.notes" = "e" }\n')
    assert run("--check").returncode == 0
    write(config, '\nkeys = { "tree.edit" = "f7", "tree.notes" = "f7" }\n')
    assert run("--check").stdout.startswith(
        f"{config}:2: keys: F7 does not do tree.notes where it does tree.edit."
    )
