"""Choosing an agent, keeping the choice, and comparing two of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlens.engine import (
    AgentChosen,
    AgentsCompared,
    AgentsLoaded,
    ChooseAgent,
    CompareAgents,
    ContextLoaded,
    Engine,
    EngineError,
    KeepQuestion,
    LoadAgents,
    LoadContext,
    PathTouched,
    TouchPath,
    Workspace,
    open_workspace,
)
from memlens.engine.settings import Settings, load_settings
from memlens.engine.settings.keep import keep_setting


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "p"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "CLAUDE.md").write_text("one\n<!-- hidden -->\nSee @a.md now\n")
    (root / "a.md").write_text("imported\n")
    (root / "AGENTS.md").write_text("for others\n")
    (root / ".claude/rules").mkdir(parents=True)
    (root / ".claude/rules/r.md").write_text("a rule\n")
    (root / "sub/CLAUDE.md").write_text("sub\n")
    (home / ".claude").mkdir()
    return root


def workspace_at(root: Path, *, read_only: bool = False) -> Workspace:
    settings = Settings(managed_folder=str(root / "none"))
    return open_workspace(root, settings=settings, agent="raider", read_only=read_only)


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(workspace_at(root)) as engine:
        yield engine


def context(engine: Engine) -> ContextLoaded:
    return engine.ask(LoadContext(request=engine.next_request()), ContextLoaded, 10)


def choose(engine: Engine, name: str, *, keep: bool = False) -> AgentChosen:
    command = ChooseAgent(request=engine.next_request(), name=name, keep=keep)
    return engine.ask(command, AgentChosen, 10)


def test_the_agents_there_are(engine: Engine, home: Path) -> None:
    loaded = engine.ask(LoadAgents(request=engine.next_request()), AgentsLoaded, 10)
    assert [one.name for one in loaded.agents] == ["raider", "claude", "codex"]
    assert loaded.agents[1].config_folder == f"{home}/.claude"
    assert [one.is_here for one in loaded.agents] == [True, True, False]
    assert (loaded.current, loaded.configured) == ("raider", "")


def test_everything_follows_the_choice(engine: Engine) -> None:
    assert context(engine).agent == "raider"
    touch = TouchPath(request=engine.next_request(), path="sub/x")
    assert engine.ask(touch, PathTouched, 10).items[0].kind == "CLAUDE.md"
    chosen = choose(engine, "claude")
    assert (chosen.title, chosen.kept_in) == ("Claude Code", "")
    loaded = context(engine)
    assert loaded.agent == "claude"
    assert [item.kind for item in loaded.plan.items] == ["Project"] * 3
    touch = TouchPath(request=engine.next_request(), path="sub/x")
    assert engine.ask(touch, PathTouched, 10).items[0].kind == "Project"
    choose(engine, "raider")
    assert len(context(engine).plan.items) == 1


def test_an_unknown_agent_is_refused(engine: Engine) -> None:
    with pytest.raises(EngineError, match="known are: claude, codex, raider"):
        choose(engine, "nobody")


def test_the_choice_is_kept_in_the_settings(engine: Engine) -> None:
    chosen = choose(engine, "claude", keep=True)
    assert Path(chosen.kept_in).read_text() == 'agent = "claude"\n'
    assert load_settings().values.agent == "claude"


def test_read_only_keeps_nothing(root: Path) -> None:
    with Engine(workspace_at(root, read_only=True)) as engine:
        with pytest.raises(EngineError, match="nothing can be written"):
            choose(engine, "claude", keep=True)
        assert not Path(load_settings().file).exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'agent = "x"\n'),
        ('# agent = "raider"\nwrap = true\n', '# agent = "raider"\nagent = "x"\nwrap = true\n'),
        ('wrap = true\nagent = "y"  # mine\n', 'wrap = true\nagent = "x"\n'),
        ('[keys]\nagent = "q"\n', 'agent = "x"\n[keys]\nagent = "q"\n'),
    ],
)
def test_only_the_one_line_changes(tmp_path: Path, before: str, after: str) -> None:
    path = Path(load_settings().file)
    path.parent.mkdir(parents=True)
    real = tmp_path / "dotfiles.toml"
    real.write_text(before)
    path.symlink_to(real)
    keep_setting("agent", "x")
    assert real.read_text() == after
    assert path.is_symlink()


def test_the_question_is_kept(engine: Engine) -> None:
    engine.bus.publish(KeepQuestion())
    assert engine.drain(10)
    assert (Path(engine.workspace.state_dir) / "agent-asked").exists()


def test_two_agents_compared(engine: Engine, root: Path) -> None:
    command = CompareAgents(request=engine.next_request(), left="raider", right="claude")
    compared = engine.ask(command, AgentsCompared, 10)
    left = {line.text: line.only for line in compared.left.lines}
    right = {line.text: line.only for line in compared.right.lines}
    assert left["<!-- hidden -->"] == "here"
    assert left["See imported now"] == "both"
    assert right["See @a.md now"] == "both"
    assert right["imported"] == "both"
    assert right["a rule"] == "here"
    assert right["<system-reminder>"] == "around"
    assert compared.left.files == ((f"{root}/CLAUDE.md", 1),)
    assert compared.right.files == ((f"{root}/.claude/rules/r.md", 1),)
    assert (compared.left.alone, compared.right.alone) == (1, 1)
    assert (compared.left.agent, compared.right.title) == ("raider", "Claude Code")
