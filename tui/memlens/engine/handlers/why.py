"""Commands about whether a phrase reaches the prompt."""

from __future__ import annotations

from memlens.engine.commands.why import AskWhy
from memlens.engine.events.why import WhyAnswered
from memlens.engine.handlers.resolving import durable_index, fresh_resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""

    def answer(command: AskWhy) -> None:
        from memlens.engine.plan import Plan
        from memlens.engine.why import why

        memory = fresh_resolver(desk.workspace).resolve()
        for path in command.touched:
            memory.nested_for(path)
        index = durable_index(desk.loaded_facts()) if memory.profile.has_durable_index else None
        plan = Plan(memory.items, memory.profile, index, desk.workspace.settings.framing)
        found = why(command.text, plan, memory)
        desk.publish(
            WhyAnswered(
                request=command.request, text=command.text, reached=found.reached,
                chain=found.chain, reason=found.reason, line=found.line,
            )
        )  # fmt: skip

    return {AskWhy: answer}
