"""Everything a writer needs is loaded once, so that its processes need not do it."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import frontmatter  # noqa: F401 - loaded for the processes
import pytest

import memlens.cli
import memlens.engine


@pytest.fixture(scope="session", autouse=True)
def _loaded() -> None:
    for package in (memlens.engine, memlens.cli):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if "open_screen" not in module.name and "serve" not in module.name:
                importlib.import_module(module.name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)
