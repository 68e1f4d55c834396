"""Code by CommonMark, against cases of our own and against another implementation."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memlens.engine.context.code import code_regions, inside
from memlens.engine.context.inline import code_spans
from memlens.engine.context.source import import_places


def code(text: str) -> list[str]:
    return [text[begin:end] for begin, end in code_regions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", []),
        ("`a` b `c`", ["`a`", "`c`"]),
        ("`` a ` b `` c", ["`` a ` b ``"]),
        ("` never closed", []),
        ("a ` b\n\nc ` d", []),
        ("a ` b\nc ` d", ["` b\nc `"]),
        ("a \\` b ` c", []),
        ("a \\`` b ` c", ["` b `"]),
        ("- a ` b\n- c ` d", []),
        ("# a ` b\nc ` d", []),
        ("a ` b\n===\nc ` d", []),
        ("a ` b\n***\nc ` d", []),
        ("> a ` b\nlazy ` c", ["` b\nlazy `"]),
        ("> `a\n> b` c", ["`a\n> b`"]),
        ("```\na\n```\nb", ["```\na\n```"]),
        ("```\na", ["```\na"]),
        ("~~~ x`y\na\n~~~~\nb", ["~~~ x`y\na\n~~~~"]),
        ("```x`y\na ` b", ["`y\na `"]),
        ("````\n```\n````\n", ["````\n```\n````"]),
        ("    ```\n    a\n", []),
        ("- x\n\n      ```\n      a\n", []),
        ("- x\n\n    ```\n    a\n    ```\n", ["```\n    a\n    ```"]),
        ("- ```\n  a\n\nb", ["```\n  a\n\n"]),
        ("> ```\n> a\nb", ["```\n> a\n"]),
        ("> > ```\n> a", ["```\n"]),
        ("1. ```\n   a\n2. b", ["```\n   a\n"]),
        ("[x](a`b) `c`", ["`c`"]),
        ("[x`](a`b) c", ["`](a`"]),
        ("<a title='`'> `b`", ["`b`"]),
        ("<http://a`b> `c`", ["`c`"]),
        ("<!-- ` --> `a`", []),
        ("x <!-- ` --> `a`", ["`a`"]),
        ("<div>\n`a`\n</div>\n\n`b`", ["`b`"]),
        ("<pre>\n\n```\na\n```\n</pre>\n`b`", ["`b`"]),
        ("<!--\n\n```\n\n-->\n`b`", ["`b`"]),
        ("```\r\na\r\n```\r\nb", ["```\r\na\r\n```"]),
        ("- a\n\n  `b\n\n  c` d", []),
        ("a\n2. ` b\n` c", ["` b\n`"]),
        ("- - \n\n\n  ~~~\n  a\n", ["~~~\n  a\n"]),
        ("-\n\n\n  ~~~\n  a\n", ["~~~\n  a\n"]),
        ("[x]: a`b\nc ` d ` e", ["` d `"]),
        ("[x]: <a`b> 't`\nu'\n[y]:\n/z`\nc ` d", []),
        ("- [x]: a`b\n  c ` d", []),
        ("> [x]: a`b\n> c ` d", []),
        ("[x]: a`b c\nd ` e", ["`b c\nd `"]),
        ("[x]: a\n'`' b `", ["`' b `"]),
        ("[ ]: a`b\nd ` e", ["`b\nd `"]),
        ("# [x]: a`b `", ["`b `"]),
        ("c\n[x]: a`b\nd ` e", ["`b\nd `"]),
    ],
)
def test_code(text: str, expected: list[str]) -> None:
    assert [part.rstrip("\r\n") for part in code(text)] == [
        part.rstrip("\r\n") for part in expected
    ]


def test_an_indented_line_keeps_its_spans_and_is_no_code_itself() -> None:
    assert code("    a `b` c") == ["`b`"]
    assert code("    ```\n    a\n    ```") == []
    assert code("- x\n\n      a `b\n      c` d") == []


PARTS = st.sampled_from(
    [
        "`", "``", "```", "````", "~~~", "~~~~", "word", "@", " ", "  ", "    ", "\t", "> ", ">",
        "- ", "-", "* ", "+ ", "1. ", "10) ", "2. ", "# ", "###", "===", "---", "***", "\\", "\\`",
        "<b>", "</b>", "<!--", "-->", "<div>", "</div>", "<pre>", "</pre>", "<a href='", "'>",
        "<http://x>", "[", "](", ")", "![", "js", "x", "<", ">",
    ]
)  # fmt: skip
LINES = st.lists(PARTS, max_size=7).map("".join)
BEGINNINGS = st.lists(
    st.sampled_from(["", "> ", "- ", "  ", "    ", "\t", "1. ", " ", "   ", ">", "- - "]),
    max_size=3,
).map("".join)
WORDS = st.lists(st.tuples(BEGINNINGS, LINES).map("".join), min_size=1, max_size=12)


THEIR_FAULTS = re.compile(
    r"(?: {4}|\t)[ \t]*>"  # a quote goes on though its mark is indented like code
    r"|>.*>.*\n(?: {4}| {0,3}\t)"  # a lazy line that is indented like code ends a quote in a quote
)


def _marked(lines: list[str]) -> str:
    """The text with a number behind each `@`, so that each is found again."""
    counter = iter(range(10_000))
    return re.sub("@", lambda _: f" @q{next(counter)}q ", "\n".join(lines))


def _place(tokens: list[Token], found: dict[str, str]) -> None:
    for token in tokens:
        kind = token.type
        for word in re.findall(r"@q\d+q", (token.info or "") if kind == "fence" else ""):
            found[word] = "code"
        if token.children is not None:
            _place(token.children, found)
        elif kind in ("fence", "code_inline"):
            found |= dict.fromkeys(re.findall(r"@q\d+q", token.content), "code")
        elif kind in ("text", "html_inline", "html_block"):
            found |= dict.fromkeys(re.findall(r"@q\d+q", token.content), "text")


@settings(max_examples=200, deadline=None)
@given(WORDS)
def test_code_is_what_another_implementation_calls_code(lines: list[str]) -> None:
    text = _marked(lines)
    assume(not THEIR_FAULTS.search(text))
    theirs: dict[str, str] = {}
    _place(MarkdownIt("commonmark").parse(text), theirs)
    regions = code_regions(text)
    ours = {word: "code" if inside(regions, text.index(word)) else "text" for word in theirs}
    assert ours == theirs


PLAIN_LINES = st.lists(
    st.sampled_from(
        ["`a`", "`b c`", "``d``", "`", "`e` @", "@", "w", " ", "[f](g)", "\\`", "<h", "<b>"]
    ),
    max_size=6,
).map("".join)  # fmt: skip
FEW = st.sampled_from(
    ["", "", "", "", "- ", "> ", "# ", "```", "~~~", "  ", "<div>", "<!-- ", "-->"]
)
PLAIN = st.lists(st.tuples(FEW, PLAIN_LINES).map("".join), min_size=1, max_size=16)
"""Lines as most files have them: most of what decides stands in the first column, and on one
line."""


@settings(max_examples=300, deadline=None)
@given(st.one_of(WORDS, PLAIN), st.sampled_from(["\n", "\n\n", "\r\n"]))
def test_looking_only_where_needed_changes_nothing(lines: list[str], gap: str) -> None:
    text = _marked(lines).replace("\n", gap)
    places = [match.start() for match in re.finditer("@", text)]
    whole, needed = code_regions(text), code_regions(text, places)
    assert [inside(whole, place) for place in places] == [inside(needed, place) for place in places]
    for place in places:
        assert inside(code_regions(text, [place]), place) == inside(whole, place)


LINKS = st.lists(
    st.sampled_from(
        ["`", "`", "[", "](", ")", "](a)", "](a_(b))", "](a(b)c)", "](a \"t\")", "](a \"t` \")",
         " ", "\"", "(", "<b>", "</b>", "<a b=\"", "\">", "<!--", "-->", "<", ">",
         "\\", "\\`", "x", "\n", "``", "<a b='`'>", "]: "]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(LINKS)
def test_what_is_plain_needs_no_look_at_each_mark(text: str) -> None:
    quick = code_spans(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memlens.engine.context.inline.is_plain", lambda _: False)
        assert code_spans(text) == quick


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.sampled_from(list("@@a\\ \n\t\x1c\x1f\u2028\x85\u00e9")), max_size=40)
    | st.lists(st.sampled_from(["@" + "a" * 79, "b" * 81, "\\ ", " @", "\x1c"])).map("".join)
)
def test_imports_stand_where_a_pattern_finds_them(text: str) -> None:
    for escaped, pattern in (
        (False, r"@(?<![\S\x1c-\x1f]@)[\S\x1c-\x1f]+"),
        (True, r"@(?<![\S\x1c-\x1f]@)(?:\\ |[\S\x1c-\x1f])+"),
    ):
        assert import_places(text, escaped_space=escaped) == [
            (match.start(), match.group()[1:]) for match in re.finditer(pattern, text)
        ]


@settings(max_examples=120, deadline=None)
@given(st.text(st.sampled_from(list("`~@\n\r \t>-*+1.)#<!=/\\[]('\"aé\u2028")), max_size=200))
def test_any_text_gives_regions_in_order_that_do_not_overlap(text: str) -> None:
    end = 0
    for begin, stop in code_regions(text):
        assert end <= begin < stop <= len(text)
        end = stop


@pytest.mark.parametrize(
    "text",
    [
        "`" * 200_000,
        "".join("`" * (number % 700) + " " for number in range(3000)),
        "[](" * 60_000 + "`",
        "![" * 60_000 + "[a](b)" * 20_000 + "`",
        "<!--" * 100_000 + "`",
        "x <!--" * 100_000 + "`",
        "x <?" * 100_000 + "`",
        "x <a " + " " * 200_000 + "`",
        "x " + "<a b='" * 60_000 + "`",
        "> " * 100_000 + "`",
        "- " * 100_000 + "`",
        "* " * 100_000 + "`x",
        "x `@a\n" * 30_000,
        "```\n" * 60_001 + "@a",
        "<pre>" * 60_000 + "@a`",
        "a `@b\n" * 30_000 + "> `@c\n",
        ("word " * 40 + "`x` @a\n") * 1_000 + "> @b",
        "x `" * 99 + "[a](b" * 30_000 + "@c",
        "".join("  " * depth + "- `a @b\n" for depth in range(1000)),
        "".join("  " * depth + "- `a\n" for depth in range(100)) + " " * 500_000 + "`@b",
    ],
    ids=range(20),
)
def test_hostile_text_takes_no_longer_than_its_size(text: str) -> None:
    places = [match.start() for match in re.finditer("@", text)]
    begin = time.process_time()
    code_regions(text, [*places, len(text) - 1])
    code_regions(text)
    assert time.process_time() - begin < 5
