"""Whose memory is looked at: choosing an agent, keeping the choice, comparing two."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memlens.app.actions import BY_NAME
from memlens.app.hosting import sign_of
from memlens.app.words import at_home
from memlens.engine.commands.agents import ChooseAgent, KeepQuestion, LoadAgents
from memlens.engine.commands.memories import LoadMemories
from memlens.engine.commands.workspace import LoadContext, ResetTouches
from memlens.engine.events.agents import AgentChosen, AgentsLoaded, KnownAgent
from memlens.engine.record import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.screen import Screen

    from memlens.app.app import MemlensApp


class Agents:
    """Asks which agent, and has everything on the screen follow the answer."""

    def __init__(self, screen: Screen[None], changed: Callable[[], None]) -> None:
        """`changed` is called when another agent is looked at."""
        self._screen = screen
        self._changed = changed
        self._then: Callable[[AgentsLoaded], None] | None = None
        self.known: AgentsLoaded | None = None
        bridge = self._app.bridge
        bridge.subscribe(AgentsLoaded, self._loaded)
        bridge.subscribe(AgentChosen, self._chosen)

    @property
    def _app(self) -> MemlensApp:
        return cast("MemlensApp", self._screen.app)

    def choose(self) -> None:
        """Offers the agents; the choice holds for now."""

        def offer(known: AgentsLoaded) -> None:
            self._offer(known, "Whose memory?", self._take, known.agents, first=known.current)

        self._ask_engine(offer)

    def compare(self) -> None:
        """Offers whom to compare the current agent with."""
        self._ask_engine(self._offer_comparison)

    def ask_first(self) -> None:
        """Asks a person once, at the first start, which agent is theirs."""
        self._ask_engine(self._ask_once)

    def keep(self) -> None:
        """Writes the current agent to the settings."""
        self._app.bridge.publish(ChooseAgent(name=self._app.workspace.agent, keep=True))

    def _ask_engine(self, then: Callable[[AgentsLoaded], None]) -> None:
        self._then = then
        self._app.bridge.publish(LoadAgents())

    def _loaded(self, event: AgentsLoaded) -> None:
        self.known = event
        then, self._then = self._then, None
        if then is not None and self._screen.is_current:
            then(event)

    def _offer(
        self,
        known: AgentsLoaded,
        title: str,
        take: Callable[[str | None], None],
        agents: Sequence[KnownAgent],
        *,
        first: str = "",
        about: str = "",
    ) -> None:
        from memlens.app.screens.choose import Choice, Choose

        choices = [
            Choice(agent.name, f"{agent.title} ({agent.name})", self._about(agent, known.current))
            for agent in agents
        ]
        names = [agent.name for agent in agents]
        current = names.index(first) if first in names else 0
        self._app.push_screen(Choose(title, choices, current=current, about=about), take)

    def _about(self, agent: KnownAgent, current: str) -> str:
        """What tells a person which agent is theirs."""
        words = ["looked at now"] if agent.name == current else []
        if agent.is_here:
            words.append(f"{at_home(agent.config_folder, self._app.workspace.home)} is here")
        return ", ".join(words)

    def _offer_comparison(self, known: AgentsLoaded) -> None:
        def take(name: str | None) -> None:
            if name is not None:
                from memlens.app.screens.compare import CompareScreen

                self._app.push_screen(CompareScreen(known.current, name))

        others = [agent for agent in known.agents if agent.name != known.current]
        self._offer(known, f"Compare {known.current} with", take, others)

    def _ask_once(self, known: AgentsLoaded) -> None:
        self._app.bridge.publish(KeepQuestion())
        where = known.settings_file

        def take(name: str | None) -> None:
            if name is None:
                return
            keep = bool(where) and not self._app.workspace.read_only
            self._app.bridge.publish(ChooseAgent(name=name, keep=keep))

        kept = f"Kept in {at_home(where, self._app.workspace.home)}" if where else ""
        # Likelier than the default: nobody has a folder of an agent that they do not use.
        likely = [one.name for one in known.agents if one.is_here and one.name != known.current]
        first = likely[0] if likely else known.current
        self._offer(known, "Which agent do you use?", take, known.agents, first=first, about=kept)

    def _take(self, name: str | None) -> None:
        if name is not None and name != self._app.workspace.agent:
            self._app.bridge.publish(ChooseAgent(name=name))

    def _chosen(self, event: AgentChosen) -> None:
        app = self._app
        if event.kept_in:
            app.notify(f"It is kept in {event.kept_in}", title=event.title, markup=False)
        if event.name == app.workspace.agent:
            return
        app.workspace = replace(app.workspace, agent=event.name)
        if not event.kept_in and not app.workspace.read_only:
            keep = BY_NAME["app.keep_agent"]
            words = f"For now; {sign_of(self._app, keep)} keeps it ({keep.title})."
            app.notify(words, title=event.title, markup=False)
        self._changed()
        for command in (ResetTouches(), LoadContext(), LoadMemories()):
            app.bridge.publish(command)
