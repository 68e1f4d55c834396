"""The settings: each declared once, with its meaning, and read from file and environment.

The file is `config.toml` in the configuration folder, UTF-8. A variable `MEMLENS_<NAME>` wins over
it, and an option of the command line over both. What is wrong is reported, with file and line, and
the default stands in its place: a bad setting never keeps memlens from starting.
"""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.settings.declared import About, default, meaning, names, template
    from memlens.engine.settings.load import VARIABLES, LoadedSettings, load_settings, settings_file
    from memlens.engine.settings.parse import check_text
    from memlens.engine.settings.values import Settings

__all__ = [
    "VARIABLES",
    "About",
    "LoadedSettings",
    "Settings",
    "check_text",
    "default",
    "load_settings",
    "meaning",
    "names",
    "settings_file",
    "template",
]

__getattr__ = resolver(
    __name__,
    {
        **dict.fromkeys(("About", "default", "meaning", "names", "template"), ".declared"),
        **dict.fromkeys(("VARIABLES", "LoadedSettings", "load_settings", "settings_file"), ".load"),
        "check_text": ".parse",
        "Settings": ".values",
    },
)
