"""Our named tuples against those of the standard library."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from memlens.engine import named


class Ours(named.NamedTuple):
    """A point."""

    x: int
    y: str = "d"
    z: tuple[int, ...] = ()

    @property
    def both(self) -> tuple[int, str]:
        return self.x, self.y


class Theirs(typing.NamedTuple):
    """A point."""

    x: int
    y: str = "d"
    z: tuple[int, ...] = ()

    @property
    def both(self) -> tuple[int, str]:
        return self.x, self.y


OURS: Any = Ours
THEIRS: Any = Theirs
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "b", (3,)), {}),
    ((), {"x": 1}),
    ((1,), {"z": (2,)}),
    ((), {"z": (2,), "x": 5, "y": ""}),
    ((), {}),
    ((1, 2, 3, 4), {}),
    ((1,), {"x": 1}),
    ((1,), {"q": 1}),
    ((), {"y": "", "z": ()}),
]


@pytest.mark.parametrize(("values", "by_name"), CALLS)
def test_they_are_made_as_the_others_are(values: tuple[Any, ...], by_name: dict[str, Any]) -> None:
    for _ in range(40):  # the first calls go another way than the later ones
        try:
            theirs = THEIRS(*values, **by_name)
        except TypeError:
            with pytest.raises(TypeError, match="argument"):
                OURS(*values, **by_name)
        else:
            ours = OURS(*values, **by_name)
            assert type(ours) is Ours
            assert ours == theirs
            assert (ours.x, ours.y, ours.z, ours.both) == (*theirs, theirs.both)
            assert repr(ours) == repr(theirs).replace("Theirs", "Ours")


def test_they_can_what_the_others_can() -> None:
    one = OURS(1, z=(2,))
    assert one._replace(y="e") == (1, "e", (2,))
    with pytest.raises(ValueError, match="unexpected"):
        one._replace(q=1)
    assert OURS._make([1, 2, 3]) == (1, 2, 3)
    with pytest.raises(TypeError):
        OURS._make([1])
    assert one._asdict() == {"x": 1, "y": "d", "z": (2,)}
    assert OURS._fields == THEIRS._fields
    assert OURS._field_defaults == THEIRS._field_defaults
    assert pickle.loads(pickle.dumps(one)) == one == copy.copy(one) == copy.deepcopy(one)
    assert hash(one) == hash((1, "d", (2,)))
    assert not hasattr(one, "__dict__")
    with pytest.raises(AttributeError):
        one.x = 2
    assert OURS.__match_args__ == THEIRS.__match_args__
    assert Ours.__doc__ == Theirs.__doc__
