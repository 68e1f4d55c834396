"""Settings: one declaration each, file and environment, and nothing wrong stops the start."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.settings import (
    VARIABLES,
    Settings,
    check_text,
    load_settings,
    meaning,
    names,
    settings_file,
)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMLENS_CONFIG_DIR", str(tmp_path))
    return tmp_path / "config.toml"


def test_without_a_file_the_defaults_stand(config: Path) -> None:
    loaded = load_settings()
    assert loaded.values == Settings()
    assert loaded.file == settings_file() == str(config)
    assert set(loaded.origins.values()) == {"default"}
    assert loaded.problems == ()


def test_a_file_sets_what_it_names(config: Path) -> None:
    config.write_text(
        '\ufeff# mine\nagent = "claude"\nindex_cap_bytes = 9000\nignore = ["secret", "encoding"]\n'
        'near_duplicate_threshold = 90\n[keys]\n"app.quit" = "ctrl+x"\n'
    )
    loaded = load_settings()
    assert loaded.problems == ()
    assert loaded.values.agent == "claude"
    assert loaded.values.index_cap_bytes == 9000
    assert loaded.values.near_duplicate_threshold == 90.0
    assert loaded.values.ignore == ("secret", "encoding")
    assert loaded.values.keys == {"app.quit": "ctrl+x"}
    assert loaded.origins["agent"] == str(config)
    assert loaded.origins["theme"] == "default"


def test_the_environment_wins(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('agent = "claude"\n')
    monkeypatch.setenv("MEMLENS_AGENT", "codex")
    monkeypatch.setenv("MEMLENS_WRAP", "off")
    monkeypatch.setenv("MEMLENS_IGNORE", "secret, encoding")
    monkeypatch.setenv("MEMLENS_KEYS", "app.quit=ctrl+x; app.zoom=f8")
    monkeypatch.setenv("MEMLENS_STALE_DAYS", "soon")
    loaded = load_settings()
    assert loaded.values.agent == "codex"
    assert loaded.values.wrap is False
    assert loaded.values.ignore == ("secret", "encoding")
    assert loaded.values.keys == {"app.quit": "ctrl+x", "app.zoom": "f8"}
    assert loaded.origins["agent"] == "MEMLENS_AGENT"
    assert [problem.message for problem in loaded.problems] == [
        "stale_days: a number is wanted, not 'soon'"
    ]
    assert loaded.problems[0].file == "MEMLENS_STALE_DAYS"


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("agnet = 'x'\n", 1, "no setting named agnet"),
        ("# c\n\nwrap = 1\n", 3, "wrap: true or false is wanted, not 1"),
        ("wrap = true\nstale_days = 1.5\n", 2, "stale_days: a whole number"),
        ("stale_days = 0\n", 1, "from 1 to 100,000"),
        ("stale_days = true\n", 1, "a number is wanted"),
        ("walk = 'sideways'\n", 1, "one of checkout, everything"),
        ("ignore = 'secret'\n", 1, "a list of texts"),
        ("agent = 'clade'\n", 1, "agent: nothing is called 'clade' (Did you mean claude?)"),
        ("agent = 'x'\n", 1, "(known: claude, codex, raider)"),
        ("wrap = true\nignore = ['secret', 'secrets']\n", 2, "'secrets' (Did you mean secret?)"),
        ("theme = 3\n", 1, "a text is wanted"),
        ("wrap = true\n[keys]\nx = 1\n", 3, "keys: x: a text is wanted, not 1"),
        ("wrap = true\nkeys = 1\n", 2, "a table of texts"),
        ("a = [\n", 0, "not TOML"),
        ("wrap = true\nwrap = false\n", 2, "not TOML"),
        (f"\nstale_days = {'9' * 400}\n", 2, "from 1 to 100,000 is wanted, not 999"),
        (f"wrap = true\nstale_days = {'9' * 5_000}\n", 2, "too many digits"),
        (f"wrap = true\nstale_days = 0x{'f' * 5_000}\n", 2, "is wanted, not one of so many digits"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    config: Path, text: str, line: int, part: str
) -> None:
    config.write_text(text)
    loaded = load_settings()
    assert len(loaded.problems) == 1
    problem = loaded.problems[0]
    assert part in problem.message
    assert problem.file == str(config)
    if line:
        assert problem.line == line


def test_the_rest_of_a_list_is_used(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("ignore = ['secrets', 'encoding', 'no such']\n")
    loaded = load_settings()
    assert loaded.values.ignore == ("encoding",)
    assert [problem.hint for problem in loaded.problems] == ["The others are used."] * 2
    monkeypatch.setenv("MEMLENS_AGENT", "nobody")
    loaded = load_settings()
    assert (loaded.values.agent, loaded.origins["agent"]) == ("raider", "default")
    assert "known: claude, codex, raider" in loaded.problems[-1].message


def test_a_wrong_entry_takes_none_beside_it(config: Path) -> None:
    config.write_text(
        'ignore = [\n  "secret",\n  3,\n  "no such",\n  ["encoding"],\n  "encoding",\n]\n'
        'stale_days = "x"\nwrap = false\n\n[keys]\n"app.quit" = "ctrl+x"\n"app.zoom" = 8\n'
        '"tree.edit" = ["f4"]\napp.help = "f1"\n'
    )
    loaded = load_settings()
    assert loaded.values.ignore == ("secret", "encoding")
    assert loaded.values.wrap is False
    assert loaded.values.keys == {"app.quit": "ctrl+x", "app.help": "f1"}
    assert [(one.line, one.message) for one in loaded.problems] == [
        (3, "ignore: a text is wanted, not 3"),
        (1, "ignore: a text is wanted, not ['encoding']"),
        (4, "ignore: nothing is called 'no such'"),
        (8, "stale_days: a number is wanted, not 'x'"),
        (13, "keys: app.zoom: a text is wanted, not 8"),
        (14, "keys: tree.edit: a text is wanted, not ['f4']"),
    ]


@pytest.mark.parametrize(
    ("wrong", "lines"),
    [
        ("theme = memlens-light", [2]),
        ("wrap = false", [2]),  # for the second time
        ("ignore = [", [2]),
        ('ignore = [\n  "secret",\n  encoding,\n]', [2]),
        ("theme = 'a\nagent = 'claude", [2]),
        ("no value\nnor this", [2]),
        (f"stale_days = {'9' * 5_000}", [2]),
        ("theme = '\udcff'", [2]),
        ("[keys\n'app.quit' = 'x'", [2]),
    ],
)
def test_what_is_no_toml_takes_nothing_beside_it(
    config: Path, wrong: str, lines: list[int]
) -> None:
    text = f"wrap = false\n{wrong}\nmouse = false\n[keys]\n'app.zoom' = 'f7'\n"
    config.write_bytes(text.encode("utf-8", "surrogateescape"))
    loaded = load_settings()
    assert [one.line for one in loaded.problems] == lines
    assert "left out" in loaded.problems[0].hint
    assert loaded.values.wrap is False
    assert loaded.values.keys == {"app.zoom": "f7"}
    assert loaded.values.mouse is wrong.startswith("[keys")  # it would be one of the keys
    assert loaded.origins["keys"] == str(config)


def test_forgotten_quotation_marks_are_told(config: Path) -> None:
    config.write_text("theme = memlens-light\n")
    (told,) = load_settings().problems
    assert told.hint == 'A text stands in quotation marks: "…". Line 1 is left out.'


def test_what_is_no_settings_file_at_all_is_told_once(config: Path) -> None:
    config.write_text('[[\n"\n' * 5_000 + "wrap = false\n")
    loaded = load_settings()
    assert loaded.values == Settings()
    assert len(loaded.problems) == 1
    config.write_bytes(b"wrap = true\n" + b"\xff\n" * 200)
    loaded = load_settings()
    assert loaded.values == Settings()
    assert len(loaded.problems) == 1


def test_what_stays_in_force_is_told(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('agent = "claude"\n')
    monkeypatch.setenv("MEMLENS_AGENT", "nobody")
    monkeypatch.setenv("MEMLENS_STALE_DAYS", "soon")
    loaded = load_settings()
    assert loaded.values.agent == "claude"
    assert [one.hint for one in loaded.problems] == [
        "What the file says is used.", "The default is used.",
    ]  # fmt: skip


def test_a_variable_that_nothing_goes_by_is_named(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.setenv(name, str(config.parent))
    for name in ("TIMES", "FAULTS", "HYPOTHESIS"):  # of the project's own tests
        monkeypatch.setenv(f"MEMLENS_{name}", "long")
    monkeypatch.setenv("MEMLENS_STALE_DAYS", "7")
    monkeypatch.setenv("MEMLENS_EMPTY", "")
    assert load_settings().problems == ()
    monkeypatch.setenv("MEMLENS_AGNET", "claude")
    monkeypatch.setenv("MEMLENS_STATEDIR", "/x")
    monkeypatch.setenv("MEMLENS_QQ", "1")
    loaded = load_settings()
    assert loaded.values.agent == "raider"
    assert [(one.file, one.line, one.hint) for one in loaded.problems] == [
        ("MEMLENS_AGNET", 0, "Did you mean MEMLENS_AGENT?"),
        ("MEMLENS_QQ", 0, "memlens config --help lists them all."),
        ("MEMLENS_STATEDIR", 0, "Did you mean MEMLENS_STATE_DIR?"),
    ]
    assert {one.message for one in loaded.problems} == {"memlens knows no such variable"}


def test_a_folder_may_be_below_home_and_is_missed_when_it_is_not_there(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org").mkdir()
    config.write_text("managed_folder = '~/org'\n")
    loaded = load_settings()
    assert (loaded.values.managed_folder, loaded.problems) == (str(tmp_path / "org"), ())
    config.write_text("managed_folder = 'org'\n")
    loaded = load_settings()
    assert loaded.values.managed_folder == ""
    assert loaded.problems[0].message == (
        "managed_folder: a whole path, or one that begins with ~/, is wanted, not 'org'"
    )
    config.write_text("wrap = true\nmanaged_folder = '~/orgs'\n")
    loaded = load_settings()
    assert loaded.values.managed_folder == str(tmp_path / "orgs")
    assert [(one.line, one.message) for one in loaded.problems] == [
        (2, f"managed_folder: there is no folder {tmp_path}/orgs")
    ]
    monkeypatch.setenv("MEMLENS_MANAGED_FOLDER", "org")  # of this shell, in this folder
    loaded = load_settings()
    assert loaded.values.managed_folder == str(tmp_path / "org")


def test_a_misspelt_name_gets_a_suggestion(config: Path) -> None:
    config.write_text("index_cap_byte = 1\n")
    assert load_settings().problems[0].hint == "Did you mean index_cap_bytes?"


def test_files_that_cannot_be_read_stop_nothing(config: Path) -> None:
    config.write_bytes(b"\nagent = '\xff'\n")
    assert "not UTF-8" in load_settings().problems[0].message
    assert load_settings().problems[0].line == 2
    config.unlink()
    os.mkfifo(config)
    assert "no regular file" in load_settings().problems[0].message
    config.unlink()
    config.mkdir()
    assert "folder" in load_settings().problems[0].message


def test_each_setting_says_what_it_means() -> None:
    for name in names():
        assert meaning(name).endswith(".")


@given(st.text())
def test_no_text_raises(text: str) -> None:
    values, _ = check_text(text, "/c")
    Settings(**values)


def test_a_line_of_a_longer_text_is_not_taken_for_a_setting(config: Path) -> None:
    from memlens.engine.settings.keep import NotKeptError, keep_setting

    config.write_text('theme = """\nagent = "mine"\n"""\n')
    with pytest.raises(NotKeptError):
        keep_setting("agent", "claude")
    assert config.read_text() == 'theme = """\nagent = "mine"\n"""\n'


@pytest.mark.parametrize("value", ["a\rb", "\0", "\x7f", 'q"\\', "é\u2028"])
def test_a_kept_text_reads_back(config: Path, value: str) -> None:
    from memlens.engine.settings.keep import keep_setting

    config.write_text("stale_days = 9\n")
    keep_setting("agent", value)
    assert tomllib.loads(config.read_text("utf-8")) == {"agent": value, "stale_days": 9}
