"""What the handlers share: the workspace, the bus, and the facts, which two parts need."""

from __future__ import annotations

import threading
import time

from memlens.engine.work import Stopped, current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, TypeVar

    from memlens.engine.bus import EventBus, Subscription
    from memlens.engine.commands.base import Command
    from memlens.engine.durable.model import MemoryConfig, MemorySnapshot
    from memlens.engine.events.base import Event
    from memlens.engine.workspace import Workspace

    E = TypeVar("E", bound=Event)


class ReadOnlyError(Exception):
    """memlens was opened so that nothing can be written."""

    hint = "Open it without --read-only."

    def __init__(self) -> None:
        super().__init__("memlens was opened so that nothing can be written")


class Desk:
    """What is here may be used from every lane of the engine."""

    def __init__(
        self,
        workspace: Workspace,
        bus: EventBus,
        watch: Callable[[str, frozenset[str]], None],
        *,
        live: bool,
        newest_work: Callable[[], int],
    ) -> None:
        self.workspace = workspace
        """Replaced as a whole when another agent is chosen."""
        self._bus: Final = bus
        self.watch: Final = watch
        """Says which folders a part depends on, so that changes there are followed."""
        self.live: Final = live
        """Whether anybody follows changes; else there is no need to find out what to watch."""
        self._newest_work: Final = newest_work
        """The number of what was asked for last."""
        self.closing = False
        """Whether the engine is about to end; what takes long gives up then."""
        self.facts: MemorySnapshot | None = None
        """The facts as they were when last looked at; `None`: there are none."""
        self.fact_problems: Mapping[str, frozenset[str]] = {}
        """Names of findings by the fact's file, as they were last looked for."""
        self._facts_loaded = False
        self._given_up = 0
        """The work that was the last to be asked for when loading the facts was stopped."""
        self._attached_for = ""
        """The agent whose notes are facts, too."""
        self._looking: Final = threading.Lock()
        """Held while the facts are looked at: each lane gets a whole answer."""

    def now(self) -> float:
        """Seconds since 1970; what ages in snapshots are counted from."""
        return time.time()

    def must_write(self) -> None:
        """Raises `ReadOnlyError` where nothing may be written."""
        if self.workspace.read_only:
            raise ReadOnlyError

    @property
    def memory_config(self) -> MemoryConfig:
        """The settings, as the durable library wants them."""
        from memlens.engine.durable import MemoryConfig

        settings = self.workspace.settings
        return MemoryConfig(
            enabled=settings.memory_enabled,
            index_cap_bytes=settings.index_cap_bytes,
            near_duplicate_threshold=settings.near_duplicate_threshold,
            stale_days=settings.stale_days,
            description_limit=settings.description_limit,
        )

    def publish(self, event: Event) -> None:
        """Publishes what has happened."""
        self._bus.publish(event)

    def ask(self, command: Command) -> None:
        """Has the engine do something further, in the command's own lane."""
        self._bus.publish(command)

    def subscribe(self, kind: type[E], handler: Callable[[E], None]) -> Subscription:
        """Has one part follow what another publishes, on the engine's thread."""
        return self._bus.subscribe(kind, handler)

    def loaded_facts(self) -> MemorySnapshot | None:
        """The facts, loaded when nobody has asked for them yet."""
        if not self._facts_loaded:
            self.refresh_facts()
        return self.facts

    def attach_notes(self) -> None:
        """Has the notes that the agent keeps by itself be facts, too, or no more."""
        workspace = self.workspace
        if workspace.agent == self._attached_for:
            return
        from memlens.engine.agents import PROFILES

        keeps_notes = PROFILES[workspace.agent].configuration is not None
        if not keeps_notes and not self._attached_for:
            return  # and no script pays for what its agent does not have
        from memlens.engine.durable import attach_notes
        from memlens.engine.handlers.notes import notes_folder

        attach_notes(workspace.root, notes_folder(workspace))
        self._attached_for = workspace.agent

    def refresh_facts(self) -> bool:
        """Looks at the facts again; returns whether they changed."""
        from memlens.engine.durable import any_folder
        from memlens.engine.work import ahead

        self.attach_notes()
        with self._looking, ahead():
            work = current()
            if work is not None and work.number <= self._given_up:
                raise Stopped  # else whoever waits for facts would begin to load them once more
            before = self._facts_loaded
            if self.facts is None and not any_folder(self.workspace.root):
                self._facts_loaded = True
                return not before
            from memlens.engine.durable import MemoryReloadOutcome, refresh

            try:
                self.facts, outcome = refresh(self.facts, self.workspace.root, self.memory_config)
            except Stopped:
                self._given_up = self._newest_work()
                raise
            self._facts_loaded = True
        return outcome is not MemoryReloadOutcome.UNCHANGED or not before
