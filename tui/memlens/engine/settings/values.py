"""The settings and what they mean. `About` is only looked at when somebody asks for a meaning."""

from __future__ import annotations

from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Annotated

    from memlens.engine.settings.declared import About, agents, finding_names


class Settings(Record):
    """The values in force."""

    agent: Annotated[
        str, About("Whose memory is shown: the name of an agent's profile.", known=agents)
    ] = "raider"
    walk: Annotated[
        str,
        About(
            "Where the walk for memory files begins: at the checkout's top, or everywhere below /.",
            choices=("checkout", "everything"),
        ),
    ] = "checkout"
    managed_folder: Annotated[
        str,
        About(
            "The folder of the organisation's own memory files; empty: the system's usual one.",
            folder=True,
        ),
    ] = ""
    framing: Annotated[
        str,
        About(
            "What stands around the memory files, where an agent has more than one way.",
            choices=("split", "classic"),
        ),
    ] = "split"
    memory_enabled: Annotated[bool, About("Whether the agent has durable memory.")] = True
    index_cap_bytes: Annotated[
        int, About("Bytes of the memory index that the agent is given.", between=(0, 10_000_000))
    ] = 8000
    description_limit: Annotated[
        int, About("Characters from which a description is called over-long.", between=(20, 10_000))
    ] = 200
    near_duplicate_threshold: Annotated[
        float,
        About("How alike two facts are, of 100, to be called near duplicates.", between=(50, 100)),
    ] = 88.0
    stale_days: Annotated[
        int,
        About("Days without a change from which a fact is called stale.", between=(1, 100_000)),
    ] = 180
    ignore: Annotated[
        tuple[str, ...], About("Names of findings that are switched off.", known=finding_names)
    ] = ()
    theme: Annotated[str, About("The colours; empty: memlens, or what was chosen last.")] = ""
    wrap: Annotated[bool, About("Whether long lines of the prompt are wrapped.")] = True
    mouse: Annotated[
        bool, About("Whether the mouse is used; else the terminal can select text.")
    ] = True
    keys: Annotated[
        Mapping[str, str],
        About(
            "Keys of your own: the name of an action (memlens config --keys), then its keys with "
            "commas between, as the help shows them."
        ),
    ] = {}  # frozen by use: nobody writes to a default
