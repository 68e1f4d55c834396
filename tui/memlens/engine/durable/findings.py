"""What is wrong with facts, where, and what to do about it."""

from __future__ import annotations

import os
import stat
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from memlens.engine.encodings import in_words, marked_encoding, way_out
from memlens.engine.findings import Finding
from memlens.engine.safety.texts import check_text
from memlens.engine.work import steps

from .header import read_simple, read_yaml, split
from .model import FACT_LIMIT, MemoryConfig, MemoryEntry, MemoryRoot, MemoryScope, MemorySnapshot
from .parse import decode
from .plain import common_scope, one_line, read_plain
from .scopes import PLACES, is_fact_name, memory_roots
from .snapshot import DEFAULT_CONFIG, load
from .store import as_text, check_folder, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memlens.engine.findings import Severity

    from .header import Parts
    from .plain import Reading

_SHOWN: Final = 60
"""Characters of a value that a message shows."""


def check(
    cwd: str | os.PathLike[str],
    config: MemoryConfig = DEFAULT_CONFIG,
    snapshot: MemorySnapshot | None = None,
    *,
    near_duplicates: bool = True,
) -> tuple[Finding, ...]:
    """All findings on the facts seen from `cwd`, by file and line; files are absolute.

    Every file is read whole. Near duplicates take longest and can be left out.
    """
    snapshot = snapshot or load(cwd, config)
    findings = list(_folders(memory_roots(cwd), snapshot))
    if snapshot is not None:
        for entry in steps(snapshot.entries, "checking facts"):
            findings += check_file(entry.path, entry.scope)
        findings += _index(snapshot, config)
        findings += _duplicates(cwd, config, snapshot, near=near_duplicates)
    for field in ("name", "column", "line", "file"):  # the last counts most; no keys are made
        findings.sort(key=attrgetter(field))
    return tuple(findings)


def check_file(path: str, scope: MemoryScope) -> list[Finding]:
    """The findings on one file of a scope's folder."""
    from .errors import NotWritable

    try:
        state = state_of(path)
    except NotWritable as problem:
        return [_finding("file-unreadable", "error", path, 0, 0, str(problem))]
    return [] if state is None else list(check_fact(path, scope, state.data))


def check_fact(
    path: str, scope: MemoryScope, data: bytes, *, in_text: bool = True
) -> Iterator[Finding]:
    """The findings on a fact's bytes, wherever they come from; `scope` is what its folder says.
    `in_text`: also what may be hostile in its text, or should not be in it."""
    if len(data) > FACT_LIMIT:
        yield _finding(
            "file-too-large", "warning", path, 0, 0,
            f"it has {len(data):,} bytes; only {FACT_LIMIT:,} are read for the index",
            "split it into several facts",
        )  # fmt: skip
    try:
        data.decode()
    except UnicodeDecodeError as error:
        yield _encoding(path, data, error)
    text = decode(data)
    if common_scope(text) not in ("", str(scope)):  # else there is nothing to say of the header
        parts = split(text)
        if parts.fenced:
            yield from _header(path, scope, parts)
    if in_text:
        yield from check_text(path, text)


def _finding(  # noqa: PLR0917
    name: str, severity: Severity, file: str, line: int, column: int, message: str, hint: str = ""
) -> Finding:
    return Finding(name, severity, file, line, column, message, hint)


def _encoding(path: str, data: bytes, error: UnicodeDecodeError) -> Finding:
    before = as_text(data[: error.start])
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    encoding = marked_encoding(data)
    told = f"{in_words(encoding)}; " if encoding else ""
    return _finding(
        "encoding", "warning", path, line, column,
        f"{told}the byte 0x{data[error.start]:02X} is no UTF-8; it is read as U+FFFD",
        way_out(encoding, path) if encoding else "save the file as UTF-8",
    )  # fmt: skip


def _header(path: str, scope: MemoryScope, parts: Parts) -> Iterator[Finding]:
    plain = read_plain(parts.header)
    reading = plain or read_yaml(parts.header)
    if reading.problem:
        yield _finding(
            "frontmatter-invalid", "error", path, reading.line, reading.column,
            f"the header is no YAML: {reading.problem}; name and description are read up to the "
            "end of their lines",
            "put values with special characters in double quotes",
        )  # fmt: skip
    elif plain is None or '"' in parts.header:
        yield from _two_readings(path, parts.header, reading)
    if not reading.name:
        line, column = _place(parts.header, "name")
        yield _finding(
            "name-missing", "warning", path, line, column,
            "the fact has no name of its own; it goes by its file's", "give it a name",
        )  # fmt: skip
    if reading.scope and reading.scope != str(scope):
        line, column = _place(parts.header, "scope")
        yield _finding(
            "scope-mismatch", "warning", path, line, column,
            f"it says scope {_shown(reading.scope)}, but its folder is {scope}: the folder counts",
            f"say scope: {scope}, or move the file",
        )  # fmt: skip


def _two_readings(path: str, header: str, reading: Reading) -> Iterator[Finding]:
    simple = read_simple(header)
    for key, value in (("name", reading.name), ("description", reading.description)):
        line, column = _place(header, key)
        if key in reading.odd:
            yield _finding(
                "frontmatter-ambiguous", "warning", path, line, column,
                f"for YAML the {key} is no text; it is read as {_shown(value)}",
                f"put the {key} in double quotes",
            )  # fmt: skip
        elif key in simple and one_line(simple[key]) != value:
            yield _finding(
                "frontmatter-ambiguous", "warning", path, line, column,
                f"YAML reads the {key} {_shown(value)}, a simple reader "
                f"{_shown(one_line(simple[key]))}",
                f"let the {key} end without a double quote" if value.endswith('"')
                else f"put the {key} on one line, in double quotes",
            )  # fmt: skip


def _shown(value: str) -> str:
    return f"“{value}”" if len(value) <= _SHOWN else f"“{value[:_SHOWN]}…”"


def _place(header: str, key: str) -> tuple[int, int]:
    """Line in the file and column of the last line with that key; the fence where there is none."""
    place = 1, 1
    for number, line in enumerate(header.split("\n"), 2):
        found, colon, _ = line.partition(":")
        if colon and found.strip().strip("\"'") == key:
            place = number, len(found) - len(found.lstrip()) + 1
    return place


def _folders(roots: Iterable[MemoryRoot], snapshot: MemorySnapshot | None) -> Iterator[Finding]:
    """What lies in a facts' folder and is not read, and folders that are not written to."""
    from .errors import DurableError

    for root in roots:
        known = snapshot.folders.get(root.path, {}) if snapshot else {}
        index_file = PLACES[root.scope].index_file
        try:
            with os.scandir(root.path) as listing:
                items = sorted(
                    [
                        (item.name, item.stat(follow_symlinks=False))
                        for item in listing
                        if item.name not in known
                        and item.name.endswith(".md")
                        and item.name != index_file
                    ]
                )
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            yield _finding(
                "file-unreadable", "error", root.path, 0, 0, f"no fact is read here: {reason}"
            )
            continue
        try:
            check_folder(root.path, root.scope)
        except DurableError as error:
            yield _finding(
                "link-as-text", "warning", root.path, 0, 0, str(error),
                "facts are read there, but nothing is written; make it a folder of the checkout",
            )  # fmt: skip
        for name, status in items:
            path = os.path.join(root.path, name)
            if not is_fact_name(name):
                yield _finding(
                    "misplaced-file", "warning", path, 0, 0,
                    "it has no name before .md, so it is not read as a fact", "give it a name",
                )  # fmt: skip
                continue
            if stat.S_ISREG(status.st_mode):
                yield _finding(
                    "file-unreadable", "error", path, 0, 0,
                    "it cannot be read, so the agent does not get it", "look at its permissions",
                )  # fmt: skip
                continue
            what = "a link" if stat.S_ISLNK(status.st_mode) else "no regular file"
            yield _finding(
                "misplaced-file", "warning", path, 0, 0,
                f"it is {what}, so it is not read as a fact", "put the file itself there",
            )  # fmt: skip


def _index(snapshot: MemorySnapshot, config: MemoryConfig) -> Iterator[Finding]:
    if not snapshot.truncated:
        return
    hidden = snapshot.fallen_out
    listed = [entry for entry in snapshot.entries if not PLACES[entry.scope].index_file]
    folder = os.path.dirname(listed[0].path)
    yield _finding(
        "index-overflow", "warning", folder, 0, 0,
        f"the index has {snapshot.index_bytes:,} bytes, the agent gets {config.index_cap_bytes:,}"
        f": {len(hidden):,} of {len(listed):,} facts are invisible to it",
        "shorten descriptions, merge or delete facts",
    )  # fmt: skip
    for entry in hidden:
        yield _finding(
            "index-cut", "warning", entry.path, 0, 0,
            "it lies behind the cut of the index: the agent does not see it",
            "shorten descriptions before it",
        )  # fmt: skip


def _duplicates(
    cwd: str | os.PathLike[str],
    config: MemoryConfig,
    snapshot: MemorySnapshot,
    *,
    near: bool,
) -> Iterator[Finding]:
    from .curate import duplicates, exact_duplicates

    find = duplicates if near else exact_duplicates
    reported: set[tuple[str, str]] = set()
    for pair in find(cwd, config, snapshot):
        reported.add((pair.first.path, pair.second.path))
        name = "duplicate-fact" if pair.exact else "near-duplicate"
        how = "the same" if pair.exact else f"nearly the same ({pair.score:.0f} of 100)"
        yield _finding(
            name, "warning" if pair.exact else "note", pair.second.path, 0, 0,
            f"it says {how} as {pair.first.path}", "merge the two, or delete one",
        )  # fmt: skip
    for first, second in _same_names(snapshot.entries):
        if (first.path, second.path) not in reported:
            yield _finding(
                "duplicate-fact", "warning", second.path, 0, 0,
                f"it has the name of {first.path}", "rename one, or merge the two",
            )  # fmt: skip


def _same_names(entries: Sequence[MemoryEntry]) -> Iterator[tuple[MemoryEntry, MemoryEntry]]:
    """Facts of one scope with one name: an agent that asks by name gets the first."""
    first: dict[tuple[MemoryScope, str], MemoryEntry] = {}
    for entry in entries:
        key = entry.scope, entry.name
        if key in first:
            yield first[key], entry
        else:
            first[key] = entry
