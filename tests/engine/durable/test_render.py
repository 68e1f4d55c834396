"""Writing facts: exact for any text, and an edit touches nothing but its field."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.durable.header import read_simple, split
from memlens.engine.durable.parse import decode, parse
from memlens.engine.durable.render import (
    CannotEdit,
    change,
    clean,
    clean_body,
    clean_tags,
    render,
    scalar,
)

from .test_header import TRICKY

ANY = st.one_of(st.text(max_size=20), TRICKY)


def written(name: str, description: str, tags: list[str], body: str) -> str:
    return render(
        name=clean(name),
        description=clean(description),
        scope="global",
        created="2026-01-02T03:04:05+00:00",
        tags=clean_tags(tags),
        body=body,
    )


@settings(max_examples=400, deadline=None)
@given(ANY, ANY, st.lists(ANY, max_size=3), ANY)
def test_what_is_written_is_read(name: str, description: str, tags: list[str], body: str) -> None:
    text = written("n" + name, "d" + description, tags, body)
    fact = parse(decode(text.encode()), "stem")
    assert fact.name == clean("n" + name)
    assert fact.description == clean("d" + description)
    assert fact.tags == clean_tags(tags)
    assert fact.body == clean_body(body).strip()
    assert fact.created == "2026-01-02T03:04:05+00:00"
    front = yaml.safe_load(split(text).header)
    assert front["name"] == fact.name
    assert front["description"] == fact.description
    assert tuple(front["tags"]) == fact.tags
    assert front["scope"] == "global"


@settings(max_examples=200, deadline=None)
@given(ANY)
def test_the_simple_reader_reads_the_same_wherever_it_can(value: str) -> None:
    value = clean(value)
    shown = scalar(value)
    if "\\" not in shown and not value.endswith('"'):
        assert read_simple(f"k: {shown}\n")["k"] == value


HEADERS = st.sampled_from(
    [
        "name: a\ndescription: b\nscope: global\ncreated: 2020-01-01\ntags: [x]\n",
        "# first\nname: a  # why\nowner: me\ndescription: 'it''s'   # because\ntags:\n- x\n- y\n",
        'description: >-\n  one\n  two\n\n# note\nname: "q\\"q"\ntags: [x,\n  y]\nz: {a: 1}\n',
        "name: Use: pnpm\ndescription: plain\nx: [1\n",
        "name: 123\ndescription: |\n  kept\n  as is\ntags:\n  # inner\n  - x\nlast: 1\n",
        "owner: me\n",
        "",
        "\"name\": a\n'description': b c\n  d\n",
        "name: &n a\nother: *n\ndescription: b\n",
        "name:\ndescription:   \ntags:\n",
        "name: é🙂 x # ü\ndescription: \u00fcber\n",
    ]
)
BODIES = st.sampled_from(["", "\n", "\nbody\n", "body", "\n\n  code\n\n---\nx: y\n---\n\n\n"])
NEWLINES = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=500, deadline=None)
@given(
    HEADERS, BODIES, NEWLINES, st.sampled_from(["name", "description", "tags"]), ANY,
    st.sampled_from(["", "\ufeff"]),
)  # fmt: skip
def test_an_edit_of_a_field_touches_nothing_else(  # noqa: PLR0917
    header: str, body: str, newline: str, key: str, value: str, bom: str
) -> None:
    text = bom + f"---\n{header}---\n{body}".replace("\n", newline)
    before = parse(decode(text.encode()), "stem")
    new = clean("v" + value)
    fields: dict[str, str | tuple[str, ...]] = {key: (new,) if key == "tags" else new}
    try:
        changed = change(text, fields)
    except CannotEdit:  # neither reader could read the value in a header that stays broken
        assert "x: [1" in header
        return
    after = parse(decode(changed.encode()), "stem")
    assert getattr(after, key) == fields[key]
    for other in {"name", "description", "tags", "created", "body"} - {key}:
        if not before.reading.problem and not (other == "description" and not before.reading[1]):
            assert getattr(after, other) == getattr(before, other), other
    old, now = split(text), split(changed)
    assert (now.opening, now.closing, now.rest) == (old.opening, old.closing, old.rest)
    kept = _other_lines(old.header, key)
    assert _is_subsequence(kept, now.header.splitlines(keepends=True)) or before.reading.problem
    assert changed.count("#") - new.count("#") >= 0


def _other_lines(header: str, key: str) -> list[str]:
    """The lines of a header that do not belong to `key`."""
    kept, inside = [], False
    for line in header.splitlines(keepends=True):
        start = line[:1]
        if start not in (" ", "-", "\r", "\n", "#"):
            inside = line.split(":")[0].strip("\"'") == key
        elif start == "#":
            inside = False
        if not inside:
            kept.append(line)
    return kept


def _is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(any(line == other for other in rest) for line in part)


@settings(max_examples=200, deadline=None)
@given(HEADERS, BODIES, NEWLINES, ANY)
def test_an_edit_of_the_body_leaves_the_header(
    header: str, body: str, newline: str, new: str
) -> None:
    text = f"---\n{header}---\n{body}".replace("\n", newline)
    changed = change(text, {}, new)
    old, now = split(text), split(changed)
    assert (now.opening, now.header, now.closing) == (old.opening, old.header, old.closing)
    assert parse(changed, "s").body == clean_body(new).strip()
    assert changed.endswith("\n")
    if newline == "\r\n":
        assert "\n" not in changed.replace("\r\n", "")


@pytest.mark.parametrize("text", ["plain body\n", "", "---\nname: not closed\n", "\n\nx"])
def test_a_file_without_header_stays_without_until_a_field_is_set(text: str) -> None:
    assert change(text, {}, "new").rstrip().endswith("new")
    assert not parse(change(text, {}, "new"), "s").fenced
    changed = change(text, {"description": "d: e", "tags": ("t",)})
    assert changed == f'---\ndescription: "d: e"\ntags: [t]\n---\n{_gap(text)}{text}'
    assert parse(changed, "s").body == text.strip()


def _gap(text: str) -> str:
    return "" if text.startswith("\n") else "\n"


def test_comments_order_and_unknown_keys_stay() -> None:
    text = (
        "---\n# top\nzeta: 1\ntags: [old]  # mine\nname: a # n\n\nreview: {by: 2031}\n"
        "description: b\n# end\n---\nbody\n"
    )
    assert change(text, {"name": "A: b", "tags": ("x", "y z"), "description": "c"}) == (
        '---\n# top\nzeta: 1\ntags: [x, y z]  # mine\nname: "A: b" # n\n\nreview: {by: 2031}\n'
        "description: c\n# end\n---\nbody\n"
    )


def test_a_new_field_stands_where_the_format_has_it() -> None:
    text = "---\nname: a\ntags: [t]\nmine: 1\n---\n"
    assert change(text, {"description": "d"}) == (
        "---\nname: a\ndescription: d\ntags: [t]\nmine: 1\n---\n"
    )


def test_invalid_bytes_outside_the_field_stay() -> None:
    data = b"---\nname: a\nx: caf\xe9 \xe2\x82 y\ndescription: b # \xff\n---\n\xfe body\n"
    text = data.decode("utf-8", "surrogateescape")
    changed = change(text, {"description": "new"}).encode("utf-8", "surrogateescape")
    assert changed == data.replace(b"description: b", b"description: new")


def test_a_broken_header_is_mended_only_when_it_must_be() -> None:
    text = "---\nname: Use: pnpm\ndescription: d\n---\n"
    assert change(text, {"description": "new words"}) == text.replace(
        "description: d", "description: new words"
    )
    mended = change(text, {"description": 'say "x": \\y'})
    assert yaml.safe_load(split(mended).header) == {
        "name": "Use: pnpm",
        "description": 'say "x": \\y',
    }


def test_what_line_edits_cannot_do_is_refused() -> None:
    with pytest.raises(CannotEdit):
        change("---\n{name: a, x: 1}\n---\n", {"description": "b"})


def test_long_values_stay_on_their_line() -> None:
    text = written("n", "many words " * 300, [], "")
    assert len(text.splitlines()) == 9


def test_a_name_with_bytes_that_are_no_text_is_the_same_name_when_it_is_quoted() -> None:
    data = b"---\nname:\xe0\xa0\n---"
    before = parse(decode(data), "stem")
    changed = change(data.decode("utf-8", "surrogateescape"), {"description": "\0"})
    after = parse(decode(changed.encode("utf-8", "surrogateescape")), "stem")
    assert (after.name, after.description) == (before.name, "\0")
