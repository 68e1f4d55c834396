"""Where things live: memlens' own folders, and those of Claude Code.

The folders are those of `platformdirs` for the application `memlens`. Importing that library costs
as much as a whole hook may take, so on Linux the plain cases are computed here and all others are
handed to it; a test holds the two equal. Nothing is created here. Paths are absolute `str`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing typing would cost a hook more than all else here
if TYPE_CHECKING:
    from collections.abc import Mapping

APPLICATION = "memlens"

__all__ = ["APPLICATION", "claude_dir", "config_dir", "slugs", "state_dir"]


def state_dir() -> str:
    """The folder of journals, logs, recovery files and what the screen remembers.

    `MEMLENS_STATE_DIR` wins. Raises `RuntimeError` when no home folder can be determined.
    """
    return _own("MEMLENS_STATE_DIR", "XDG_STATE_HOME", ".local/state")


def config_dir() -> str:
    """The folder of `config.toml`.

    `MEMLENS_CONFIG_DIR` wins. Raises `RuntimeError` when no home folder can be determined.
    """
    return _own("MEMLENS_CONFIG_DIR", "XDG_CONFIG_HOME", ".config")


def claude_dir(home: str | None = None) -> str:
    """The configuration folder of Claude Code: `CLAUDE_CONFIG_DIR`, else `.claude` in `home`.

    `home` defaults to the person's. A `home` that is given wins over the variable, so that one
    can look at somebody else's. Raises `RuntimeError` when no home folder can be determined.
    """
    if home is not None:
        return os.path.join(os.path.abspath(home), ".claude")
    override = os.environ.get("CLAUDE_CONFIG_DIR")
    if override:
        return os.path.abspath(os.path.expanduser(override))
    folder = os.path.expanduser("~")
    if not os.path.isabs(folder):
        raise RuntimeError("no home folder: set HOME or CLAUDE_CONFIG_DIR")
    return os.path.join(folder, ".claude")


def slugs(folder: str) -> list[str]:
    """The names that Claude Code may give what belongs to `folder`, not yet cut (spec B).

    Every character that is no ASCII letter or digit is one `-`; one beyond the basic plane may
    count as two.
    """
    one = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in folder)
    two = "".join(
        sign if sign.isascii() and sign.isalnum() else "--" if ord(sign) > 0xFFFF else "-"
        for sign in folder
    )
    return [one] if one == two else [one, two]


def _own(override: str, variable: str, below_home: str) -> str:
    environment = os.environ
    chosen = environment.get(override)
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    if sys.platform == "linux" and not _is_android(environment):
        base = environment.get(variable, "")
        if base and base.isprintable() and base[0] == "/" and not base[-1].isspace():
            return os.path.join(base, APPLICATION)
        home = environment.get("HOME")
        if not base and (home is None or home[:1] == "/"):
            path = os.path.expanduser(f"~/{below_home}")  # asks the password database without HOME
            if path[0] == "/":
                return os.path.join(path, APPLICATION)
    return _platformdirs(variable)


def _is_android(environment: Mapping[str, str]) -> bool:
    return hasattr(sys, "getandroidapilevel") or "ANDROID_DATA" in environment


def _platformdirs(variable: str) -> str:
    import platformdirs

    if variable == "XDG_STATE_HOME":
        return platformdirs.user_state_dir(APPLICATION, appauthor=False)
    return platformdirs.user_config_dir(APPLICATION, appauthor=False)
