"""Where memory files are looked for: home, configuration folder and the folders of the walk."""

from __future__ import annotations

import os

from memlens.engine.agents.model import AgentProfile
from memlens.engine.agents.raider import RAIDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

StrPath = str | os.PathLike[str]


def default_home() -> str | None:
    """`$HOME`, else what the password database says, else None."""
    home = os.environ.get("HOME")
    if home:
        return os.path.abspath(home)
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir or None
    except (ImportError, KeyError, AttributeError):
        return os.environ.get("USERPROFILE") or None


def default_config_folder(
    home: str | None,
    profile: AgentProfile = RAIDER,
    environment: Mapping[str, str] | None = None,
) -> str | None:
    """The agent's configuration folder: its variable when set and not empty, else below home."""
    variables = os.environ if environment is None else environment
    given = variables.get(profile.config_variable)
    if given:
        return os.path.abspath(given)
    return None if home is None else os.path.join(home, profile.config_folder)


def walk_dirs_for(root: StrPath, whole: bool = False, profile: AgentProfile = RAIDER) -> list[str]:
    """The folders of the walk, top down and ending at `root`.

    They begin where the agent's walk begins: at the top of the enclosing git checkout, the first
    folder from `root` upwards with a `.git` file or folder, without one at `root` itself; or at
    `/`, as with `whole`; or below it.
    """
    below_top = profile.walk == "below-top"
    real = os.path.realpath(root)
    way = [real]
    while (parent := os.path.dirname(way[-1])) != way[-1]:
        way.append(parent)
    if below_top and len(way) > 1:
        del way[-1]
    elif not whole and profile.walk == "checkout":
        top = next(
            (at for at, folder in enumerate(way) if os.path.exists(os.path.join(folder, ".git"))),
            0,
        )
        del way[top + 1 :]
    way.reverse()
    return way


def absolute(path: StrPath) -> str:
    """An absolute path without a slash at its end; dots and links stay."""
    text = os.fspath(path)
    if not text.startswith("/"):
        text = os.path.join(os.getcwd(), text)
    return text.rstrip("/") or "/"


def below(path: str, folder: str) -> str | None:
    """The part of `path` below `folder`, compared by components; None when it is outside."""
    prefix = folder if folder.endswith("/") else folder + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None
