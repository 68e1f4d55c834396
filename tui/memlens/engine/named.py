"""`NamedTuple` without `typing`, whose import alone costs half of starting Python.

    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from memlens.engine.named import NamedTuple

Type checkers see the real one; at run time classes are made from the same annotations and
defaults. Only for modules on the way of scripts and hooks.
"""

from __future__ import annotations

import collections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Type checkers only know it where all its arguments are written out.
_namedtuple = vars(collections)["namedtuple"]


class _Maker(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = list(body.get("__annotations__", {}))
        defaults = [body[field] for field in fields if field in body]
        made: type = _namedtuple(name, fields, defaults=defaults, module=body["__module__"])
        for key, value in body.items():
            if key not in fields and key not in ("__module__", "__qualname__"):
                setattr(made, key, value)
        return made


class NamedTuple(metaclass=_Maker):
    """Base of named tuples: fields are annotations, defaults are values."""
