"""What every test stands on: no file of the person who runs them is ever read or written."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=40)
settings.register_profile("long", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("MEMLENS_HYPOTHESIS", "quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-screenshots", action="store_true", help="make the README's pictures anew"
    )


@pytest.fixture(autouse=True)
def _own_surroundings(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home, data, state and configuration of the test's own; git without a person's settings."""
    place = tmp_path_factory.mktemp("surroundings")
    home = place / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("XDG_", "GIT_", "MEMLENS_"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("MERMAID_DATA_DIR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.fixture
def home() -> Path:
    """The home folder of the test."""
    return Path(os.environ["HOME"])
