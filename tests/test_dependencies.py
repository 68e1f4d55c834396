"""Every library is declared, with the oldest and the newest version that will do."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text())
DECLARED: dict[str, list[str]] = {
    "project": PROJECT["project"]["dependencies"],
    "build": PROJECT["build-system"]["requires"],
    **PROJECT["project"]["optional-dependencies"],
}
ALL = sorted({(group, one) for group, several in DECLARED.items() for one in several})


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return re.sub(r"[._-]+", "-", match.group()).lower()


@pytest.mark.parametrize(("group", "requirement"), ALL, ids=str)
def test_bounds_below_and_above(group: str, requirement: str) -> None:
    bounds = requirement.partition(";")[0]
    exact = "==" in bounds and "*" not in bounds
    compatible = "~=" in bounds
    assert exact or compatible or (">" in bounds and "<" in bounds), f"{group}: {requirement}"


def imported_by(folder: Path) -> dict[str, Path]:
    """The top-level names that the code imports, also where only types are meant."""
    found: dict[str, Path] = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if called in ("import_module", "__import__") and node.args:
                    first = node.args[0]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        names = [first.value]
            for name in names:
                found.setdefault(name.partition(".")[0], path)
    return found


@pytest.mark.parametrize(
    ("folder", "groups"),
    [("tui", ("project", "serve")), ("tests", ("project", "serve", "dev"))],
)
def test_what_is_imported_is_declared(folder: str, groups: tuple[str, ...]) -> None:
    declared = {name_of(one) for group in groups for one in DECLARED[group]}
    providers = metadata.packages_distributions()
    beside = {path.stem for path in (HOUSE / folder).rglob("*.py")}
    ours = {"memlens", "tests", *beside, *sys.stdlib_module_names}
    foreign = {name: path for name, path in imported_by(HOUSE / folder).items() if name not in ours}
    assert foreign
    for name, path in foreign.items():
        makers = {name_of(maker) for maker in providers.get(name, [])}
        assert makers & declared, f"{path} imports {name}, which is not declared"


def test_what_is_declared_is_imported() -> None:
    providers = metadata.packages_distributions()
    used = {
        name_of(maker) for name in imported_by(HOUSE / "tui") for maker in providers.get(name, [])
    }
    for one in DECLARED["project"] + DECLARED["serve"]:
        assert name_of(one) in used, f"{one} is not needed"


def test_what_is_installed_fits() -> None:
    """What `pip check` says of memlens, without the network."""
    from packaging.requirements import Requirement

    for one in DECLARED["project"]:
        requirement = Requirement(one)
        assert metadata.version(requirement.name) in requirement.specifier, one
