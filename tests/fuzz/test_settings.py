"""Any bytes as memlens' settings, and any text as a setting."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.cli.config import to_toml
from memlens.engine.record import fields
from memlens.engine.settings import Settings, load_settings, names, template
from memlens.engine.settings.keep import keep_setting
from tests.fuzz.noise import BYTES, PIECES, VALUES, damaged

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
WHOLE = template(to_toml).replace("# ", "").encode()


def line(pair: tuple[str, object]) -> bytes:
    name, value = pair
    return f"{name} = {to_toml(value)}\n".encode("utf-8", "surrogatepass")


PAIRS = st.lists(st.tuples(st.sampled_from(names()), VALUES).map(line), max_size=6).map(b"".join)


@settings(suppress_health_check=SLOW)
@given(BYTES | damaged(WHOLE) | PAIRS)
def test_any_file_gives_settings(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as box:
        path = Path(box, "config.toml")
        path.write_bytes(data)
        loaded = load_settings(str(path))
        for name in fields(Settings):
            getattr(loaded.values, name)
        for problem in loaded.problems:
            assert problem.message


@settings(suppress_health_check=SLOW)
@given(data=BYTES | damaged(WHOLE) | PAIRS, value=PIECES)
def test_a_kept_setting_is_read_back_or_refused(
    data: bytes, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as box:
        monkeypatch.setenv("MEMLENS_CONFIG_DIR", box)
        path = Path(box, "config.toml")
        path.write_bytes(data)
        try:
            before = tomllib.loads(data.decode())
        except ValueError:
            before = None
        try:
            keep_setting("agent", value)
        except ValueError:
            assert path.read_bytes() == data
            return
        if before is not None:
            after = tomllib.loads(path.read_text("utf-8"))
            assert after.pop("agent") == value
            before.pop("agent", None)
            assert after == before


@settings(suppress_health_check=SLOW)
@given(name=st.sampled_from(names()), value=PIECES.filter(lambda text: "\0" not in text))
def test_any_variable_gives_settings(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        monkeypatch.setenv(f"MEMLENS_{name.upper()}", value)
    except (UnicodeEncodeError, ValueError):
        return
    load_settings("/nowhere/config.toml")
