"""The table of secrets: what is redacted, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.safety.secrets import find_secrets, redact

LONG = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"


def key(*parts: str) -> str:
    """A made-up secret, in parts, so that no scanner takes this file for a leak."""
    return "".join(parts)


REDACTED = [
    ("password=abcdef", "password=[REDACTED]"),
    ("x-api-key: zzzz", "x-api-key: [REDACTED]"),
    ('CI_TOKEN = "a b" # c', 'CI_TOKEN = "[REDACTED]" # c'),
    ('{"user": "app", "db_password": "hunter2"}', '{"user": "app", "db_password": "[REDACTED]"}'),
    ("**Token:** abc123secret9\nthen **go**", "**Token:** [REDACTED]\nthen **go**"),
    ("password: correct horse battery", "password: [REDACTED]"),
    ("- Database password: correct horse", "- Database password: [REDACTED]"),
    ("my secret = correct horse", "my secret = [REDACTED]"),
    ("The password: hunter2, then go", "The password: [REDACTED], then go"),
    ("host=x password=abc dbname=y", "host=x password=[REDACTED] dbname=y"),
    ("{password: abc, user: b}", "{password: [REDACTED], user: b}"),
    (
        '"{\\"password\\": \\"abc\\", \\"x\\": 1}"',
        '"{\\"password\\": \\"[REDACTED]\\", \\"x\\": 1}"',
    ),
    ('{"db_password": {"value": "hunter2"}}', '{"db_password": [REDACTED]}}'),
    ("({ password: {SSHA}W6ph5Mm5Pz8GgiULb, a: 1 })", "({ password: [REDACTED], a: 1 })"),
    ("f({ password: abc(def, user: b })", "f({ password: [REDACTED], user: b })"),
    ("f({ password: { value: hunter2, x: 1 } })", "f({ password: [REDACTED], x: 1 } })"),
    ("password: correct(horse", "password: [REDACTED]"),
    ("password: hunter2(", "password: [REDACTED]"),
    ("password: secret", "password: [REDACTED]"),
    ("write-token: writers", "write-token: [REDACTED]"),
    ("password: write", "password: [REDACTED]"),
    ("dbPassword: 'abc def'", "dbPassword: '[REDACTED]'"),
    ("`password: abc def` is it", "`password: [REDACTED]` is it"),
    ('config["password"] = "hunter"', 'config["password"] = "[REDACTED]"'),
    ("export DB_PASS=hunter2", "export DB_PASS=[REDACTED]"),
    ("AWS_SECRET_ACCESS_KEY=wJalr/K7MD+EY", "AWS_SECRET_ACCESS_KEY=[REDACTED]"),
    ("run --password hunter2x now", "run --password [REDACTED] now"),
    ('curl -H "x-api-key: abc123" x', 'curl -H "x-api-key: [REDACTED]" x'),
    ("password: 'it''s'", "password: '[REDACTED]''s'"),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED]"),
    ("curl -H 'Authorization: Bearer abc'", "curl -H 'Authorization: Bearer [REDACTED]'"),
    ("Authorization: 0123456789abcdef", "Authorization: [REDACTED]"),
    (
        'Authorization: Digest username="alice", response="abcdef"',
        "Authorization: Digest [REDACTED]",
    ),
    (
        'curl -H \'Authorization: OAuth oauth_token="abc", oauth_nonce="d"\' x',
        "curl -H 'Authorization: OAuth [REDACTED]' x",
    ),
    (
        '{"Authorization": "Digest username=\\"al\\", response=\\"zz\\"", "a": 1}',
        '{"Authorization": "Digest [REDACTED]", "a": 1}',
    ),
    (
        "authorization: none, authorization: Basic abc",
        "authorization: none, authorization: Basic [REDACTED]",
    ),
    ("Proxy-Authorization: opaque ", "Proxy-Authorization: [REDACTED] "),
    ("Proxy-Authorization: Custom an opaque word", "Proxy-Authorization: Custom [REDACTED]"),
    ("Bearer abcdefghijklmnopqrstuvwx", "Bearer [REDACTED]"),
    (key("sk", "-abcdefghijklmnop"), "[REDACTED]"),
    (key("AIza", "SyAbcdefghijklmnopqrs"), "[REDACTED]"),
    (key("ya29", ".abcdefghijkl"), "[REDACTED]"),
    (key("sk", "-abcdefghijklmnopqrstuvwx"), "[REDACTED]"),
    (key("sk", "-proj-abc_DEF-123456789012abcd"), "[REDACTED]"),
    (key("sk", "-ant-api03-abcdefghijklmnop"), "[REDACTED]"),
    (key("AKIA", "IOSFODNN7EXAMPLE") + ".", "[REDACTED]."),
    (key("ASIA", "IOSFODNN7EXAMPLE"), "[REDACTED]"),
    (key("ghp", "_", LONG), "[REDACTED]"),
    (key("github", "_pat_", LONG), "[REDACTED]"),
    (key("glpat", "-AbCdEfGhIjKlMnOpQrSt"), "[REDACTED]"),
    (key("hf", "_", LONG), "[REDACTED]"),
    (key("npm", "_", LONG), "[REDACTED]"),
    (key("xoxb", "-123456789012-abcdefghijkl"), "[REDACTED]"),
    (key("AIza", "SyA", LONG), "[REDACTED]"),
    (key("gsk", "_", LONG), "[REDACTED]"),
    (key("sk", "_live_abcdefghijklmnopqrst"), "[REDACTED]"),
    (key("ya29", ".a0AfH6SMBx-abcdefghijk"), "[REDACTED]"),
    (key("eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxIn0.dozjgNryP4J3") + " x", "[REDACTED] x"),
    ("https://alice:hunter2@x.test/y#z", "https://alice:[REDACTED]@x.test/y#z"),
    ("postgres://u:p@ss@host:5432/db?a=b", "postgres://u:[REDACTED]@host:5432/db?a=b"),
    ("redis://:secretpw@h/0", "redis://:[REDACTED]@h/0"),
    ("https://x.test/a?token=abc&x=%20#f", "https://x.test/a?token=[REDACTED]&x=%20#f"),
    (
        "(https://x.test/a?x=1&access_token=ab-1).",
        "(https://x.test/a?x=1&access_token=[REDACTED]).",
    ),
    ("https://x.test/?X-Amz-Signature=00ff#a", "https://x.test/?X-Amz-Signature=[REDACTED]#a"),
]

LEFT_ALONE = [
    "token_count = 42",
    "tokens: 5",
    "monkey: 5",
    "secret:",
    "secret:   ",
    "The token: use env var",
    "Secret:\n\n- item one\n- item two",
    "secret:\n  nested: x",
    "the bearer of news",
    "Bearer of bad news",
    "Authorization is required",
    "Authorization: OAuth is used here",
    'let password = prompt("Password:");',
    'ask("Password: ", mask=True)',
    "self.token = token",
    "token = parser.token;",
    "password: config.db.password",
    "Authorization: Basic auth over TLS",
    "Authorization: Bearer token",
    "the Proxy-Authorization header",
    "Proxy-Authorization: Bearer $TOKEN",
    "a sk-learn-compatible estimator",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "550e8400-e29b-41d4-a716-446655440000",
    "src/module/file.py:12",
    "passwordless login = on",
    "primary_key: id",
    "Token-based auth is documented elsewhere",
    "the secretary keeps the minutes",
    "password=$PASSWORD",
    "password: ${DB_PASSWORD}",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "token = get_token()",
    'password = os.environ["X"]',
    "password: <your password>",
    "def login(token: str) -> None",
    "if token == other:",
    "std::token::x",
    "max_tokens: 4096",
    "- pwd: prints the folder",
    "http://example.com/a?b=c&d=e#f.",
    "mailto:me@example.com, git@github.com:me/repo.git",
    "http://localhost:8080/path;x=1?page=2",
    "http://localhost:8080/user@example.com",
    "https://docs.rs/regex#syntax",
    "token: [REDACTED]",
    'password: "[REDACTED]"',
    "Token: https://github.com/settings/tokens",
    "Authorization: Bearer $TOKEN",
    "postgres://user:${PASS}@host/db",
    "authPlugin({ emailAndPassword: { enabled: true } }),",
    "new Schema({ password: { type: String, required: true, min: 8 }, name: String })",
    "f({ password: hash(value, 10), user })",
    "f({ password: await bcrypt.hash(value, 10) })",
    "password: password({",
    "  token: z.object({",
    "the workflow's `id-token: write` permission mints a credential",
    "permissions:\n  id-token: write\n  contents: read",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
]


@pytest.mark.parametrize(("text", "expected"), REDACTED)
def test_redacted(text: str, expected: str) -> None:
    assert redact(text).text == expected
    around = f"before\n{text}\nafter"
    assert redact(around).text == f"before\n{expected}\nafter"
    assert redact(expected).text == expected


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_left_alone(text: str) -> None:
    assert redact(text).text == text
    assert find_secrets(f"before\n{text}\nafter") == ()


def test_private_keys_with_and_without_an_end() -> None:
    begin, end = (
        key("-----BEGIN ", "RSA PRIVATE KEY-----"),
        key("-----END ", "RSA PRIVATE KEY-----"),
    )
    whole = f"before\n\n{begin}\nMIIE+/=\nq83v\n{end}\n\nafter"
    assert redact(whole).text == "before\n\n[REDACTED]\n\nafter"
    assert redact(f"before\n{begin}\nMHcCAQ").text == "before\n[REDACTED]"
    assert redact(f"{begin}\nProc-Type: 4\n\nMHcC\nx/=\n\nthen prose\n").text == (
        "[REDACTED]\n\nthen prose\n"
    )
    assert redact(whole.lower()).text == "before\n\n[REDACTED]\n\nafter"
    assert redact(f'"{begin}\\nMII\\n{end}\\n", x').text == '"[REDACTED]\\n", x'


def test_line_column_and_kind() -> None:
    secrets = find_secrets("one\n  é password: hunter2\nAKIA" + "IOSFODNN7EXAMPLE\n")
    assert [(one.kind, one.line, one.column) for one in secrets] == [
        ("password", 2, 15),
        ("aws-access-key", 3, 1),
    ]


@given(st.text(max_size=60), st.sampled_from([text for text, _ in REDACTED]), st.text(max_size=20))
def test_redacting_twice_is_redacting_once(before: str, secret: str, after: str) -> None:
    once = redact(f"{before}\n{secret}\n{after}").text
    assert redact(once).text == once


@given(
    st.text(alphabet=st.sampled_from("abk:=@/?&.-_'\"`{}[](),;#% \n\\*01"), max_size=200),
    st.sampled_from(["token", "password", "sk-", "://", "eyJ", "Bearer ", "api_key"]),
)
def test_places_are_in_order_and_inside(text: str, hint: str) -> None:
    text = text.replace("k", hint)
    end = 0
    for secret in find_secrets(text):
        assert end <= secret.start < secret.end <= len(text)
        assert secret.line == text.count("\n", 0, secret.start) + 1
        end = secret.end


@pytest.mark.parametrize(
    "piece",
    ["token: ", "a token:", "_token", "'token ", "token: x() ", "sk-a-", "a://b", "https://x?a=b&",
     "-----BEGIN PRIVATE " + "KEY-----\n", "eyJ", "password", ".token=", 'token="',
     "authorization: ", "'proxy-authorization: a ", "authorization: x a="],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    import time

    text = piece * (64_000 // len(piece))
    start = time.process_time()
    find_secrets(text)
    assert time.process_time() - start < 2
