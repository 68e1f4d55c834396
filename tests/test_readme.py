"""The README's tables come from the code, and its pictures are there.

`pytest --update-screenshots` writes the tables anew, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memlens.app.actions import AREAS, Area, actions_of, key_sign
from memlens.cli.run import COMMANDS
from memlens.engine.settings import VARIABLES, default, meaning, names
from tests.faults.tried import table as tried_table

HOUSE = Path(__file__).parent.parent
README = HOUSE / "README.md"


OPEN: tuple[Area, ...] = ("app", "work", "lists")
"""The areas whose keys work in many places; those of one place are folded away."""


def keys_table() -> str:
    parts = [f"**{AREAS[area]}**\n\n{keys_of(area)}" for area in OPEN]
    parts += [
        f"<details>\n<summary>{title}</summary>\n\n{keys_of(area)}\n\n</details>"
        for area, title in AREAS.items()
        if area not in OPEN and actions_of(area)
    ]
    return "\n\n".join(parts)


def keys_of(area: Area) -> str:
    lines = ["| keys | action | what it does |", "| --- | --- | --- |"]
    for action in actions_of(area):
        keys = " ".join(f"`{key_sign(key)}`" for key in action.keys).replace("`|`", "`\\|`")
        lines.append(f"| {keys} | {action.title} | {action.sentence} |")
    return "\n".join(lines)


def settings_table() -> str:
    from memlens.cli.config import to_toml

    lines = ["| setting | default | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | `{to_toml(default(name))}` | {meaning(name)} |" for name in names()]
    return "\n".join(lines)


def variables_table() -> str:
    lines = ["| variable | meaning |", "| --- | --- |"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in VARIABLES.items()]
    return "\n".join(lines)


def commands_table() -> str:
    lines = ["| command | what it does |", "| --- | --- |"]
    lines.append("| `memlens [PATH]` | Open the screen on a folder. |")
    lines.append("| `memlens --demo` | Open the screen on a sample workspace. |")
    lines.append("| `memlens --read-only` | Open it so that nothing can be written. |")
    lines.append("| `memlens --serve [PORT]` | Show it in a browser of this machine. |")
    lines += [f"| `memlens {name}` | {text}. |" for name, text in COMMANDS.items()]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("keys", keys_table),
        ("settings", settings_table),
        ("variables", variables_table),
        ("commands", commands_table),
        ("tried", tried_table),
    ],
)
def test_table_is_current(
    name: str, table: Callable[[], str], request: pytest.FixtureRequest
) -> None:
    text = README.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    wanted = f"{begin}{table()}\n{end}"
    if request.config.getoption("--update-screenshots"):
        head, _, rest = text.partition(begin)
        text = head + wanted + rest.partition(end)[2]
        README.write_text(text, encoding="utf-8")
    assert wanted in text, "run pytest --update-screenshots"


def test_pictures_and_sections_are_there() -> None:
    text = README.read_text(encoding="utf-8")
    for path in re.findall(r"\]\((screenshots/[^)]+)\)", text):
        assert (HOUSE / path).is_file(), path
    for command in ("pip install . && memlens --demo", "pip install -e '.[dev]' && pytest"):
        assert command in text
