"""Questions about what real sessions were told."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class VerifyContext(Command):
    """Compare the preview with what the newest session was told. Answer: `ContextVerified`."""

    part: ClassVar[str] = "verify"
    lane: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing with what sessions were told"
