"""Reading headers: the quick ways must read what YAML reads, and nothing is ever lost."""

from __future__ import annotations

import frontmatter
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlens.engine.durable import MemoryScope
from memlens.engine.durable.findings import _header as header_findings
from memlens.engine.durable.header import read_header, read_simple, read_yaml, split
from memlens.engine.durable.parse import decode, parse, parse_for_index
from memlens.engine.durable.plain import (
    common_scope,
    is_plain,
    one_line,
    read_blocks,
    read_common,
    read_plain,
)

# Text that is likely to trip a reader: YAML's marks, blanks of all kinds, line ends, letters.
TRICKY = st.text(
    alphabet=st.one_of(
        st.sampled_from("abYn0159:#-?,[]{}&*!|>'\"%@`~=<.\\/ \t_"),
        st.sampled_from("é日🙂\u00a0\u2028\u0085\ufeff\u200b\u3000\x7f\r"),
    ),
    max_size=12,
)
KEYS = st.sampled_from(["name", "description", "tags", "created", "scope", "owner", "x-y"])
LINES = st.lists(
    st.one_of(
        st.builds("{}: {}".format, KEYS, TRICKY),
        st.builds("{}:{}".format, KEYS, TRICKY),
        st.builds('{}: "{}"'.format, KEYS, TRICKY),
        st.builds("{}: [{}]".format, KEYS, TRICKY),
        st.builds("  {}".format, TRICKY),
        st.sampled_from(["tags: [a, b c]", "tags: []", "created: 2026-01-02T03:04:05+00:00"]),
        st.sampled_from(["name: yes", "name: 12", "description: a b", "- x", "# note", ""]),
    ),
    max_size=5,
)


@settings(max_examples=600, deadline=None)
@example(["created: 0", "created: []"], "\n")
@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_the_plain_reader_reads_what_yaml_reads(lines: list[str], newline: str) -> None:
    header = "".join(line.replace("\n", " ") + newline for line in lines)
    plain = read_plain(header)
    if plain is not None:
        assert plain == read_yaml(header)
        simple = read_simple(header)
        # Where a value ends with a double quote, the agent drops it.
        assert plain.name.strip('"').strip() == simple.get("name", "").strip()
        assert plain.description.strip('"').strip() == simple.get("description", "").strip()


# Values of several lines, and what may look like one.
NEARLY = st.one_of(
    st.sampled_from(["a", "b c", "12", "yes", "x: y", "it's", "#", "a #b", "-", "- a", "'", '"']),
    TRICKY,
)
INDENT = st.sampled_from(["", " ", "  ", "    "])
ITEMS = st.one_of(NEARLY, st.builds('"{}"'.format, NEARLY), st.builds("'{}'".format, NEARLY))
BLOCKS = st.lists(
    st.one_of(
        st.builds("{}: '{}'".format, KEYS, NEARLY),
        st.builds("{}: {}".format, KEYS, st.sampled_from([">", ">-", "|", "|+", ">2", "|-"])),
        st.builds("{}{}".format, INDENT, NEARLY),
        st.builds("{}- {}".format, INDENT, ITEMS),
        st.builds("{}{}: {}".format, INDENT, KEYS, ITEMS),
        st.builds("{}:".format, KEYS),
        st.builds("{}: [{}, {}]".format, KEYS, ITEMS, ITEMS),
        st.builds("#{}".format, NEARLY),
        st.sampled_from(["", "  ", "description: >-", "tags:", "metadata:", "name: a", "- x"]),
    ),
    max_size=7,
)


@settings(max_examples=1200, deadline=None)
@example(["description: >-", "  one", "  two", "# c", "tags:", "- a", "- 'b c'"], "\n")
@example(["metadata:", "  type: user", "  id: 0f-1", "name: a"], "\r\n")
@example(["name: |", "  one  ", "  two"], "\n")
@example(["name:", "tags:", "  name: a"], "\n")
@given(BLOCKS, st.sampled_from(["\n", "\r\n"]))
def test_values_of_several_lines_are_read_as_yaml_reads_them(
    lines: list[str], newline: str
) -> None:
    header = "".join(line.replace("\n", " ") + newline for line in lines)
    quick = read_blocks(header)
    if quick is not None:
        assert quick == read_yaml(header)


@pytest.mark.parametrize(
    "header",
    [
        "# by hand\nname: a\n\ndescription: b c\n",
        "name: 'a: b'\ndescription: >-\n  one two\n  three\ntags:\n  - a\n  - b\n",
        "name: a\nmetadata:\n  node_type: memory\n  type: user\n  id: 0f3a-11\n",
        "tags: ['a b', \"c\", d]\n",
        "name: a\r\ndescription: |\r\n  b\r\n",
    ],
)
def test_what_people_write_needs_no_yaml(header: str) -> None:
    assert read_blocks(header) == read_yaml(header)


@settings(max_examples=300, deadline=None)
@given(TRICKY, TRICKY)
def test_the_quick_reader_takes_quotes(name: str, description: str) -> None:
    text = f'---\nname: "{name}"\ndescription: "{description}"\n---\n'
    quick = read_common(text)
    if quick is not None:
        read = read_yaml(split(text).header)
        assert quick == (read.name, read.description, read.tags, read.created)


@settings(max_examples=400, deadline=None)
@given(TRICKY, TRICKY, st.sampled_from(["", "a", "a, b-c", "a,b", "1, yes"]))
def test_the_quick_reader_reads_what_yaml_reads(name: str, description: str, tags: str) -> None:
    text = (
        f"---\nname: x{name}\ndescription: y{description}\nscope: global\n"
        f"created: 2026-01-02T03:04:05+00:00\ntags: [{tags}]\n---\n\nbody\n"
    )
    quick = read_common(text)
    if quick is not None:
        read = read_yaml(split(text).header)
        assert quick == (read.name, read.description, read.tags, read.created)


@settings(max_examples=400, deadline=None)
@example("a b c d e", 'f g "h"', "plain")
@given(TRICKY, TRICKY, st.sampled_from(["plain", "quoted"]))
def test_there_is_nothing_to_say_of_a_usual_header(name: str, about: str, form: str) -> None:
    quote = '"' if form == "quoted" else ""
    text = f"---\nname: {quote}x{name}{quote}\ndescription: {quote}y{about}{quote}\n---\n\nz\n"
    if common_scope(text) == "":
        assert list(header_findings("/a.md", MemoryScope.GLOBAL, split(text))) == []


@settings(max_examples=300, deadline=None)
@given(TRICKY)
def test_what_is_plain_reads_back_with_yaml(value: str) -> None:
    if is_plain(value):
        assert yaml.safe_load(f"k: {value}\nl: m\n") == {"k": value, "l": "m"}


@settings(max_examples=300, deadline=None)
@given(LINES, TRICKY)
def test_a_text_is_taken_apart_without_losing_a_character(lines: list[str], body: str) -> None:
    for end in ("---\n", "---", "----\n", "--- \n", ""):
        text = "---\n" + "".join(f"{line}\n" for line in lines) + end + body
        parts = split(text)
        assert "".join(parts) == text
        read_header(parts.header)


def test_text_values_agree_with_python_frontmatter() -> None:
    text = "---\nname: 'it''s'\ndescription: >\n  one\n  two\ntags:\n  - a\n  - b c\n---\n\nx\n"
    metadata, _ = frontmatter.parse(text)
    fact = parse(text, "stem")
    assert fact.name == metadata["name"]
    assert fact.description == str(metadata["description"]).strip()
    assert list(fact.tags) == metadata["tags"]


@pytest.mark.parametrize(
    ("header", "name", "description"),
    [
        ("name: Use: pnpm\ndescription: not npm: never\n", "Use: pnpm", "not npm: never"),
        ("name: 012\ndescription: 1:30\n", "012", "1:30"),
        ("name: no\ndescription: 2024-01-01\n", "no", "2024-01-01"),
        ('name: "open\ndescription: "a" b: c""\n', "open", 'a" b: c'),
        ("name: [a, b]\n", "[a, b]", ""),
        ("name: a\ndescription: issue #12\n", "a", "issue"),
        ("name: a\ndescription: |\n  one\n  two\n", "a", "one two"),
        ("name: a\nname: b\n", "b", ""),
        ("name: 2024-13-45\n", "2024-13-45", ""),
        ("name: \x00\n", "\x00", ""),
        ("name: *missing\n", "*missing", ""),
        ("- a\n- b\n", "", ""),
    ],
)
def test_name_and_description_are_text(header: str, name: str, description: str) -> None:
    reading = read_header(header)
    assert (reading.name, reading.description) == (name, description)


def test_deep_nesting_is_no_crash() -> None:
    assert read_yaml("name: a\nx: " + "[" * 5000 + "\n").name == "a"


def test_the_place_of_a_problem_is_that_in_the_file() -> None:
    reading = read_yaml("name: a\ndescription: b: c\n")
    assert (reading.line, reading.column) == (3, 15)


@pytest.mark.parametrize("tags", ["[a, 1, yes]", "\n  - a\n  - 1\n  - yes", "a, 1, yes"])
def test_tags_are_text(tags: str) -> None:
    assert read_header(f"tags: {tags}\n").tags == ("a", "1", "yes")


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: foo\n",
        "---",
        "---\n",
        "----\nname: a\n----\n",
        "--- a\nname: a\n---\n",
        "---\nname: a\n--- a\n",
        "---\nname: a\n...\n",
        "\n---\nname: a\n---\n",
        "x\n---\n",
    ],
)
def test_no_header_without_both_fences(text: str) -> None:
    fact = parse(text, "stem")
    assert not fact.fenced
    assert fact.name == "stem"
    assert fact.body == text.strip()


def test_a_fence_may_be_the_end_of_the_file() -> None:
    assert parse("---\nname: a\n---", "s").name == "a"
    assert parse("---\n---", "s") == parse("---\n---\n", "s")


@pytest.mark.parametrize("opening", ["---", "--- ", "---\t", "  ---"])
@pytest.mark.parametrize("closing", ["---", "---  ", "---\t", " --- "])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_blanks_around_a_fence_do_not_matter_to_the_agent(
    opening: str, closing: str, newline: str
) -> None:
    text = newline.join([opening, "name: a", closing, "body", "- --", ""])
    assert parse(text, "s")[:1] == ("a",)
    assert parse(text, "s").body == "body\n- --"
    assert parse_for_index(text, "s")[0] == "a"
    assert "".join(split(text)) == text


def test_an_indented_fence_may_be_part_of_a_value() -> None:
    fact = parse("---\nname: a\ndescription: |\n  one\n  ---\n  two\n---\nbody\n", "s")
    assert (fact.description, fact.body) == ("one --- two", "body")


def test_bytes_and_byte_order_mark() -> None:
    assert decode(b"\xef\xbb\xbf---\n") == "---\n"
    assert decode(b"caf\xe9") == "caf\ufffd"
    assert parse(decode(b"\xef\xbb\xbf---\nname: \xe9x\n---\n"), "s").name == "\ufffdx"


def test_line_ends_become_spaces() -> None:
    assert one_line(" a\r\nb\u2028c\n") == "a b c"
