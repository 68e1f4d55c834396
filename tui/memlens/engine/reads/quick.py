"""JSON and SHA-256 without the imports of their modules.

`json` brings `re` along, `hashlib` brings OpenSSL: together they cost as much as starting Python,
and a hook has to do with three times that. Both modules are thin covers of something written in
C; where that is not to be had, or is not as expected, the modules themselves are used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OPENSSL_PAYS = 512 * 1024
"""Bytes from which loading OpenSSL is made up for by its speed."""


class _Options:
    """What `json.loads` without options asks of the scanner."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def loads(data: bytes) -> object:
    """As `json.loads`, for UTF-8. Raises `ValueError` or `RecursionError`."""
    text = data.decode("utf-8", "surrogatepass").removeprefix("\ufeff").strip(" \t\r\n")
    scan = _scanner()
    if scan is None:
        import json

        return json.loads(text)
    try:
        value, end = scan(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError(f"something behind the JSON, at {end}")
    return value


def dumps(value: object) -> str:
    """As `json.dumps` with the closest separators."""
    try:
        from _json import encode_basestring_ascii, make_encoder

        encode = make_encoder(
            None, _refuse, encode_basestring_ascii, None, ":", ",", False, False, True
        )
        return "".join(encode(value, 0))
    except (ImportError, TypeError):
        import json

        return json.dumps(value, separators=(",", ":"))


def sha256(size: int) -> Any:
    """A new SHA-256 object for about `size` bytes."""
    if size < _OPENSSL_PAYS:
        for name in ("_sha2", "_sha256"):
            try:
                return __import__(name).sha256()
            except (ImportError, AttributeError):
                continue
    import hashlib

    return hashlib.sha256()


def _scanner() -> Callable[[str, int], tuple[object, int]] | None:
    try:
        from _json import make_scanner

        options: Any = _Options
        scan: Callable[[str, int], tuple[object, int]] = make_scanner(options)
        return scan
    except (ImportError, TypeError, AttributeError):
        return None


def _refuse(value: object) -> object:
    raise TypeError(f"no JSON: {type(value).__name__}")
