"""Records behave as frozen, slotted, keyword-only dataclasses do."""

from __future__ import annotations

from typing import ClassVar

import pytest

from memlens.engine.record import Record, fields, replace


class Point(Record):
    """A point."""

    unit: ClassVar[str] = "cm"
    x: int
    y: int = 2


class Named(Point):
    name: str = ""

    def label(self) -> str:
        return f"{self.name}@{self.x},{self.y}{self.unit}"


def test_values_and_defaults_inherited_ones_too() -> None:
    point = Named(x=1, name="a")
    assert (point.x, point.y, point.name) == (1, 2, "a")
    assert point.label() == "a@1,2cm"
    assert fields(Named) == fields(point) == ("x", "y", "name")
    assert repr(Point(x=1)) == "Point(x=1, y=2)"


def test_equal_by_class_and_values() -> None:
    assert Point(x=1) == Point(x=1, y=2)
    assert Point(x=1) != Point(x=2)
    assert Named(x=1) != Point(x=1)
    assert len({Point(x=1), Point(x=1), Named(x=1)}) == 2


def test_nothing_can_be_changed_or_added() -> None:
    point = Point(x=1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        point.z = 2
    with pytest.raises(AttributeError):
        del point.x
    assert not hasattr(point, "__dict__")
    assert replace(point, y=5) == Point(x=1, y=5)


def test_wrong_words_are_refused() -> None:
    with pytest.raises(TypeError, match="needs x"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no z"):
        Point(x=1, z=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1)  # type: ignore[call-arg]
