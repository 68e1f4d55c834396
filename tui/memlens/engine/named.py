"""`NamedTuple` without `typing`, whose import alone costs half of starting Python.

    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from memlens.engine.named import NamedTuple

Type checkers see the real one; at run time classes are made from the same annotations and
defaults, and behave as those of `collections.namedtuple`. That compiles a constructor for each
class when it is made, which for the dozens of classes on the way of a script takes as long as its
work does; here a class gets one when it has been called often. Only for modules on the way of
scripts and hooks.
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_OFTEN = 16  # calls from which on a constructor of its own pays for a class
_calls: dict[type, int] = {}


class _Named(tuple):  # type: ignore[type-arg]
    """What all of them can do."""

    __slots__ = ()

    _fields: tuple[str, ...] = ()
    _field_defaults: dict[str, Any] = {}

    def __new__(cls, *values: Any, **named: Any) -> Any:
        calls = _calls[cls] = _calls.get(cls, 0) + 1
        rest = cls._fields[len(values) :]
        defaults = cls._field_defaults
        if (
            calls < _OFTEN
            and len(values) <= len(cls._fields)
            and named.keys() <= set(rest)
            and all(field in named or field in defaults for field in rest)
        ):
            behind = [named[field] if field in named else defaults[field] for field in rest]
            return tuple.__new__(cls, (*values, *behind))
        return _give_constructor(cls)(cls, *values, **named)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Any:
        made = tuple.__new__(cls, iterable)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **named: Any) -> Any:
        made = self._make(map(named.pop, self._fields, self))
        if named:
            raise ValueError(f"Got unexpected field names: {list(named)!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        values = ", ".join(
            f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)
        )
        return f"{type(self).__name__}({values})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


def _give_constructor(cls: type[_Named]) -> Callable[..., Any]:
    """Gives the class that declares the fields of `cls` a constructor of its own; returns it."""
    owner: Any = next(one for one in cls.__mro__ if "_fields" in vars(one))
    fields = owner._fields
    arguments = ", ".join(fields)
    # The names are those of a class body: Python took them for names already.
    made: Callable[..., Any] = eval(
        f"lambda _cls, {arguments}: _new(_cls, ({arguments}{',' if fields else ''}))",
        {"_new": tuple.__new__, "__builtins__": {}},
    )
    made.__name__, made.__qualname__ = "__new__", f"{owner.__qualname__}.__new__"
    made.__defaults__ = tuple(owner._field_defaults.values())
    owner.__new__ = made
    return made


class _Maker(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = tuple(body.get("__annotations__", ()))
        made = dict(body)
        made.update(
            __slots__=(),
            __match_args__=fields,
            _fields=fields,
            _field_defaults={field: body[field] for field in fields if field in body},
        )
        for index, field in enumerate(fields):
            made[field] = _tuplegetter(index, f"Alias for field number {index}")
        return type(name, (_Named,), made)


class NamedTuple(metaclass=_Maker):
    """Base of named tuples: fields are annotations, defaults are values."""
