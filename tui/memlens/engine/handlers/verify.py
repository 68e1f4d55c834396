"""Commands about what real sessions were told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.engine.commands.verify import VerifyContext
from memlens.engine.events.verify import ContextVerified
from memlens.engine.handlers.resolving import fresh_resolver

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.review.model import DiffLine


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    from memlens.engine.verify import Transcripts

    transcripts = Transcripts()

    def verify(command: VerifyContext) -> None:
        from memlens.engine.handlers.reads_places import Places
        from memlens.engine.review.differences import prompt_difference
        from memlens.engine.verify import newest_loading
        from memlens.engine.verify import verify as compared

        memory = fresh_resolver(desk.workspace).resolve()
        profile = memory.profile
        verified = loading = None
        lines: tuple[DiffLine, ...] = ()
        if profile.keeps_sessions:
            places = Places(desk.workspace)
            sessions = places.sessions()
            found = transcripts.newest(sessions)
            if found is not None:
                verified = compared(memory.items, profile, found[0].id, found[1])
                if not verified.same:
                    lines = prompt_difference(verified.told, verified.preview)
            loading = newest_loading(sessions, memory.items, places.journals)
        desk.publish(
            ContextVerified(
                request=command.request, agent=profile.name, verified=verified, difference=lines,
                loading=loading, now=desk.now(),
            )
        )  # fmt: skip

    return {VerifyContext: verify}
