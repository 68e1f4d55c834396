"""SipHash-1-3, which the Mermaid agent keys its project folders with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF


def siphash13(data: bytes) -> int:
    """The 64-bit SipHash-1-3 of `data`, both keys zero: one round a block, three at the end."""
    state = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    whole = len(data) & ~7
    for begin in range(0, whole, 8):
        state = _absorb(state, int.from_bytes(data[begin : begin + 8], "little"))
    last = (len(data) & 0xFF) << 56 | int.from_bytes(data[whole:], "little")
    v0, v1, v2, v3 = _absorb(state, last)
    v2 ^= 0xFF
    for _ in range(3):
        v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


def _absorb(state: tuple[int, int, int, int], block: int) -> tuple[int, int, int, int]:
    v0, v1, v2, v3 = state
    v0, v1, v2, v3 = _round(v0, v1, v2, v3 ^ block)
    return v0 ^ block, v1, v2, v3


def _round(v0: int, v1: int, v2: int, v3: int) -> tuple[int, int, int, int]:
    v0 = (v0 + v1) & _MASK
    v1 = _rotate(v1, 13) ^ v0
    v0 = _rotate(v0, 32)
    v2 = (v2 + v3) & _MASK
    v3 = _rotate(v3, 16) ^ v2
    v0 = (v0 + v3) & _MASK
    v3 = _rotate(v3, 21) ^ v0
    v2 = (v2 + v1) & _MASK
    v1 = _rotate(v1, 17) ^ v2
    v2 = _rotate(v2, 32)
    return v0, v1, v2, v3


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _MASK
