"""Where things live, held against the library that defines it."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys

import platformdirs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine import places

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the rules of Linux")

VALUES = st.sampled_from(
    [None, "", "/", "//", "/x", "/x/", "/x//y/", "rel", "~", "~/x", " /x", "/x ", "/ä ö", "/x\n"]
)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in list(os.environ):
        if name.startswith(("XDG_", "MEMLENS_", "ANDROID_", "CLAUDE_")):
            monkeypatch.delenv(name)
    return monkeypatch


def answer(function: object) -> str:
    try:
        assert callable(function)
        return str(function())
    except RuntimeError:
        return "no home"


@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(state=VALUES, config=VALUES, home=VALUES)
def test_the_same_as_platformdirs(
    bare: pytest.MonkeyPatch, state: str | None, config: str | None, home: str | None
) -> None:
    for name, value in {"XDG_STATE_HOME": state, "XDG_CONFIG_HOME": config, "HOME": home}.items():
        if value is None:
            bare.delenv(name, raising=False)
        else:
            bare.setenv(name, value)
    assert answer(places.state_dir) == answer(
        lambda: platformdirs.user_state_dir("memlens", appauthor=False)
    )
    assert answer(places.config_dir) == answer(
        lambda: platformdirs.user_config_dir("memlens", appauthor=False)
    )


def test_without_home_the_password_database_is_asked(bare: pytest.MonkeyPatch) -> None:
    bare.delenv("HOME", raising=False)
    home = pwd.getpwuid(os.getuid()).pw_dir
    assert places.state_dir() == os.path.join(home, ".local/state/memlens")
    assert places.config_dir() == os.path.join(home, ".config/memlens")
    assert places.claude_dir() == os.path.join(home, ".claude")


def test_without_any_home_it_says_so(bare: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> None:
        raise KeyError(number)

    bare.delenv("HOME", raising=False)
    bare.setattr(pwd, "getpwuid", unknown)
    for function in (places.state_dir, places.config_dir, places.claude_dir):
        with pytest.raises(RuntimeError, match="home"):
            function()


def test_overrides_win(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("HOME", "/h")
    bare.setenv("XDG_STATE_HOME", "/x")
    bare.setenv("MEMLENS_STATE_DIR", "/mine/state/")
    bare.setenv("MEMLENS_CONFIG_DIR", "~/mine")
    bare.setenv("CLAUDE_CONFIG_DIR", "/c")
    assert places.state_dir() == "/mine/state"
    assert places.config_dir() == "/h/mine"
    assert places.claude_dir() == "/c"
    assert places.claude_dir("/other") == "/other/.claude"
    bare.setenv("MEMLENS_STATE_DIR", "")
    assert places.state_dir() == "/x/memlens"


def test_the_common_case_imports_nothing() -> None:
    code = (
        "import sys, os; before = set(sys.modules)\n"
        "from memlens.engine import places; places.state_dir(); places.config_dir()\n"
        "print(sorted(set(sys.modules) - before))"
    )
    environment = {"HOME": "/h", "PATH": os.environ["PATH"]}
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "platformdirs" not in out
    assert "typing" not in out
