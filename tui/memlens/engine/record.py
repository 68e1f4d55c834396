"""Frozen, slotted, keyword-only records: what crosses the borders between threads and floors.

They are frozen dataclasses to a type checker and to whoever uses them. They are made here because
importing `dataclasses` and building its classes costs a script more than starting Python does.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would cost a script too much
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    R = TypeVar("R", bound="Record")
else:

    def dataclass_transform(**_):
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=True)
class RecordType(type):
    """Makes slots of a class's annotations; its values are the defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordType:
        own = [
            field
            for field, kind in namespace.get("__annotations__", {}).items()
            if not kind.startswith("ClassVar")
        ]
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        namespace["__slots__"] = own
        made = super().__new__(cls, name, bases, namespace)
        base = next((one for one in bases if isinstance(one, RecordType)), None)
        made._fields = (*(base._fields if base else ()), *own)
        made._defaults = {**(base._defaults if base else {}), **defaults}  # noqa: SLF001
        return made


class Record(metaclass=RecordType):
    """The base of all records. Annotations must be texts (`from __future__ import annotations`)."""

    def __init__(self, **values: Any) -> None:
        cls = type(self)
        put = object.__setattr__
        defaults = cls._defaults
        for field in cls._fields:
            if field in values:
                put(self, field, values.pop(field))
            elif field in defaults:
                put(self, field, defaults[field])
            else:
                raise TypeError(f"{cls.__name__} needs {field}")
        if values:
            raise TypeError(f"{cls.__name__} has no {', '.join(values)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self)._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in type(self)._fields)))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self)._fields)
        return f"{type(self).__name__}({values})"


def fields(kind: RecordType | Record) -> tuple[str, ...]:
    """The names of a record's fields, inherited ones first."""
    return (kind if isinstance(kind, RecordType) else type(kind))._fields


def replace(record: R, **changes: Any) -> R:
    """A copy of `record` with other values in some fields."""
    values = {name: getattr(record, name) for name in type(record)._fields}
    return type(record)(**{**values, **changes})
