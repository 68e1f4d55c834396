"""A made-up home with all that Claude Code reads, opened in the app."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memlens.app.screens.show import Show
from memlens.app.widgets.line_view import LineView
from memlens.cli.open_screen import _agent_is_open
from memlens.engine import ContextLoaded, Engine, LoadContext
from memlens.engine.settings import Settings
from memlens.engine.workspace import Workspace, open_workspace

from .pilot import opened, screen_text, shown, until

FILES = {
    "etc/CLAUDE.md": "Company policy: no secrets in code.\n",
    "home/.claude/CLAUDE.md": "Be brief. See @~/notes/mine.md\n",
    "home/notes/mine.md": "I like ripgrep.\n",
    "home/.claude/rules/python.md": '---\npaths: "**/*.py"\n---\nUse type hints.\n',
    "home/code/CLAUDE.md": "Shared by all my projects.\n",
    "home/code/shop/CLAUDE.md": (
        "# Shop\n\n<!-- for maintainers only -->\n\nStyle: @docs/style.md\nOld: @docs/old.md.\n"
        "Team: @../team.md and @docs/logo.png\n"
    ),
    "home/code/shop/docs/style.md": "Two spaces. @more.md\n",
    "home/code/shop/docs/more.md": "Never commit to main.\n",
    "home/code/shop/docs/logo.png": "x",
    "home/code/team.md": "team",
    "home/code/shop/.claude/rules/api.md": "---\npaths: **/*.ts\n---\nAPI rules.\n",
    "home/code/shop/.claude/rules/db.md": '---\npaths: ["db/**"]\n---\nDB rules.\n',
    "home/code/shop/.claude/settings.json": json.dumps({"claudeMdExcludes": ["other/CLAUDE.md"]}),
    "home/code/shop/AGENTS.md": "For other agents.\n",
    "home/code/shop/CLAUDE.local.md": "My sandbox is at :8080.\n",
    "home/code/shop/api/CLAUDE.md": "API notes\n",
    "MEMORY.md": "- [Migrations](db-migrations.md) — with the tool\n- [Gone](gone.md)\n",
    "db-migrations.md": (
        "---\nname: db-migrations\ndescription: run with the tool\n"
        "metadata:\n  type: project\n---\nRun it. [[feedback]]\n"
    ),
    "feedback.md": "---\nname: feedback\ndescription: be brief\ntype: feedback\n---\nBe brief.\n",
}
SECRET = "someone@example.org"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The project `shop`, with a session that was told something else."""
    root = tmp_path / "home/code/shop"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(root))
    project = tmp_path / "home/.claude/projects" / slug
    for name, text in FILES.items():
        path = tmp_path / name if "/" in name else project / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / ".git").mkdir()
    settings = Settings(managed_folder=str(tmp_path / "etc"))
    workspace = open_workspace(root, agent="claude", settings=settings)
    with Engine(workspace) as engine:
        command = LoadContext(request=engine.next_request())
        text = engine.ask(command, ContextLoaded, 30).plan.text
    later = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 1000))
    told = {"type": "instructions", "files": [], "rendered": [text.replace("Two", "Four")]}
    common = {"cwd": str(root), "sessionId": "s1", "timestamp": later, "type": "attachment"}
    lines = [{**common, "attachment": {"type": "session_context", "email": SECRET}},
             {**common, "attachment": told}]  # fmt: skip
    (project / "s1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return workspace


def tree(pilot: Pilot[Any]) -> list[str]:
    return shown(pilot.app.screen.query_one("#tree-lines", LineView))


async def test_everything_is_there_and_reads_well(shop: Workspace) -> None:
    async with opened(shop, (140, 50)) as pilot:
        await until(pilot, lambda: any("was told something else" in one for one in tree(pilot)))
        words = [" ".join(line.split()) for line in tree(pilot)]
        for start in (
            "● managed", "▾● user ~/.claude/CLAUDE.md", "└ ~/notes/mine.md",
            "● ancestor ~/code/CLAUDE.md", "▾● project CLAUDE.md", "✗ @docs/old.md. missing",
            "▲ @../team.md not approved", "▲ @docs/logo.png no text", "▾└ docs/style.md",
            "└ docs/more.md", "▾● project .claude/rules/api.md", "● local CLAUDE.local.md",
            "● auto", "◌ nested …/rules/python.md",
            "◌ nested .claude/rules/db.md", "◌ nested api/CLAUDE.md",
            "▾≠ session s1 was told something else", "≠ docs/style.md told differently",
        ):  # fmt: skip
            assert any(one.startswith(start) for one in words), "\n".join([start, *words])
        text = screen_text(pilot.app)
        assert "agent claude" in text
        assert "≠ as told" in text
        assert "db-migrations" in text
        assert SECRET not in text


async def test_the_difference_to_what_was_told(shop: Workspace) -> None:
    async with opened(shop, (140, 50)) as pilot:
        await until(pilot, lambda: any("was told something else" in one for one in tree(pilot)))
        await pilot.press("1", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        lines = shown(pilot.app.screen.query_one("#show-lines", LineView))
        assert any("Four spaces." in line for line in lines)
        assert any("Two spaces." in line for line in lines)


async def test_it_fits_a_small_terminal(shop: Workspace) -> None:
    async with opened(shop, (60, 20)) as pilot:
        await until(pilot, lambda: any("was told something else" in one for one in tree(pilot)))
        await pilot.press("p")
        await pilot.pause()
        assert "Claude Code (claude)" in screen_text(pilot.app)


def test_when_the_first_start_asks(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    raider = open_workspace(shop.root)
    assert _agent_is_open(raider)
    mark = Path(raider.state_dir) / "agent-asked"
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    assert not _agent_is_open(raider)
    mark.unlink()
    monkeypatch.setenv("MEMLENS_AGENT", "raider")
    assert not _agent_is_open(raider)
