"""The floors of the house: arrows go down only, and a script never pays for the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
NEVER = ("textual", "rich", "asyncio", "watchfiles", "rapidfuzz", "markdown_it", "wcmatch")
"""What no command without a screen may load."""


def loaded_by(arguments: list[str], folder: Path, stdin: bytes = b"") -> set[str]:
    """The top-level modules that a run of memlens has loaded when it ends."""
    program = (
        "import sys, json\n"
        "from memlens.cli import main\n"
        f"code = main({arguments!r})\n"
        "names = sorted({name.partition('.')[0] for name in sys.modules})\n"
        "print(json.dumps([code, names]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, input=stdin, capture_output=True, check=True
    )
    code, names = json.loads(done.stderr.decode().splitlines()[-1])
    assert code == 0, done.stderr
    return set(names)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text("See @docs/a.md\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("`code` and text\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["prompt"],
        ["context"],
        ["context", "--json"],
        ["memory", "list"],
        ["reads"],
    ],
    ids=" ".join,
)
def test_commands_without_a_screen_load_none(words: list[str], project: Path) -> None:
    assert not loaded_by(words, project).intersection(NEVER)


@pytest.mark.parametrize("words", [["--check"], ["--json"], ["--hook"]], ids=" ".join)
def test_the_check_of_a_review_loads_no_screen(words: list[str], project: Path) -> None:
    for command in (["init", "-q"], ["add", "CLAUDE.md", "docs"]):
        subprocess.run(["git", *command], cwd=project, check=True)
    assert not loaded_by(["review", *words], project).intersection(NEVER)


def test_the_prompt_loads_nothing_that_costs(project: Path) -> None:
    costly = {"yaml", "frontmatter", "platformdirs", "tempfile", "subprocess", "logging", "json"}
    names = loaded_by(["prompt"], project) - {"json"}  # the test's own
    assert not names.intersection(costly)


def test_the_prompt_of_usual_files_compiles_no_pattern(project: Path) -> None:
    (project / "CLAUDE.md").write_text(
        "# Title\n\n- `a` and `b`, see [c](d.md): @docs/a.md\n- `List<T>`, x < y: @gone.md `y`\n\n"
        "```sh\n@echo off\n```\n\n~~~\n@docs/a.md\n~~~\n\n`once @e` and @docs/a.md\n"
    )
    program = (
        "import sys\n"
        "from memlens.cli import main\n"
        "main(['prompt'])\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=project, capture_output=True, check=True,
        env={**os.environ, "PYTHONPATH": str(HOUSE / "tui")},
    )  # fmt: skip
    assert b"`code` and text" in done.stdout
    names = set(done.stderr.decode().split())
    assert not names & {"re", "typing", "argparse", "memlens.engine.context.markdown"}


def test_the_hook_loads_next_to_nothing(project: Path) -> None:
    names = loaded_by(["hook"], project, stdin=b"{}")
    assert not names.intersection({*NEVER, "argparse", "dataclasses", "inspect", "yaml", "typing"})


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=HOUSE, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_public_names_are_there() -> None:
    import memlens.engine
    import memlens.engine.context
    import memlens.engine.durable
    import memlens.engine.reads

    for package in (
        memlens.engine, memlens.engine.context, memlens.engine.durable, memlens.engine.reads
    ):  # fmt: skip
        for name in package.__all__:
            assert getattr(package, name) is not None
        with pytest.raises(AttributeError):
            package.no_such_name  # noqa: B018


def test_no_module_has_the_name_of_something_public_beside_it() -> None:
    """Once loaded, it would stand in the package for what is meant."""
    import importlib
    import pkgutil

    import memlens

    packages = [memlens.__name__]
    packages += [
        one.name for one in pkgutil.walk_packages(memlens.__path__, "memlens.") if one.ispkg
    ]
    for name in packages:
        package = importlib.import_module(name)
        modules = {one.name for one in pkgutil.iter_modules(package.__path__)}
        assert not modules & set(getattr(package, "__all__", ())), name
