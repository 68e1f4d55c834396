"""Plain command lines mean what argparse says they mean, and a script's end loses nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.cli import open_screen, prompt
from memlens.cli.parser import Parser
from memlens.cli.plain import UsageError, plain_options
from memlens.cli.run import PLAIN, add_common

WORDS = st.lists(
    st.sampled_from(
        [
            "--root", "--home", "--agent", "--touch", "--tou", "--root=x", "--help", "--", "-",
            "-x", "a", "b/c", "", "@x", "--json", " --root", "-1",
        ]
    ),
    max_size=6,
)  # fmt: skip


@given(WORDS)
def test_plain_words_mean_what_argparse_says(words: list[str]) -> None:
    options = plain_options((add_common, prompt.add_arguments), words)
    if options is None:
        return
    parser = Parser(prog="memlens prompt")
    add_common(parser)
    prompt.add_arguments(parser)
    assert vars(parser.parse_args(words)) == vars(options)


SCREEN_WORDS = st.lists(
    st.sampled_from(
        [
            "--root", "--home", "--agent", "--demo", "--read-only", "--serve", "--serve=1", "80",
            "--dem", "--root=x", "--", "-", "-x", "a", "b/c", "", "@x", " --root", "-1", "--read",
        ]
    ),
    max_size=5,
)  # fmt: skip


@given(SCREEN_WORDS)
def test_the_words_of_the_screen_mean_what_argparse_says(words: list[str]) -> None:
    options = plain_options((add_common, open_screen.add_arguments), words)
    if options is None:
        return
    parser = Parser(prog="memlens")
    add_common(parser)
    open_screen.add_arguments(parser)
    assert vars(parser.parse_args(words)) == vars(options)


@pytest.mark.parametrize("words", [[], ["--demo"], ["a"], ["--read-only", "--agent", "b", "a"]])
def test_the_screen_is_opened_without_argparse(words: list[str]) -> None:
    options = plain_options((add_common, open_screen.add_arguments), words)
    assert options is not None
    assert (options.demo, options.path) == ("--demo" in words, "a" if "a" in words else None)


def test_a_value_of_its_own_for_each_call() -> None:
    declare = (add_common, prompt.add_arguments)
    first = plain_options(declare, ["--touch", "a"])
    second = plain_options(declare, ["--touch", "b", "--touch", "c"])
    assert first is not None
    assert second is not None
    assert (first.touch, second.touch) == (["a"], ["b", "c"])


def test_every_plain_command_is_read_without_argparse() -> None:
    for name in PLAIN:
        module = __import__(f"memlens.cli.{name}", fromlist=["add_arguments"])
        assert plain_options((add_common, module.add_arguments), []) is not None


def test_mistakes_are_argparses_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    from memlens.cli import main

    assert main(["prompt", "--rot", "x"]) == 2
    assert "memlens prompt --help" in capsys.readouterr().err
    with pytest.raises(UsageError):
        Parser(prog="memlens").parse_args(["--no-such-option"])


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "memlens", *words], cwd=cwd, capture_output=True, check=False,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )  # fmt: skip


def test_a_script_gets_every_byte_and_the_exit_code(tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(60_000))
    (tmp_path / "CLAUDE.md").write_text(text)
    done = run("prompt", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.decode().endswith("line 59999")
    assert len(done.stdout) > len(text)
    assert run("prompt", "--agent", "nobody", cwd=tmp_path).returncode == 2
    assert run("why", "no such phrase", cwd=tmp_path).returncode == 1


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("x" * 3_000_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "memlens", "prompt"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
