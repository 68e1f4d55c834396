"""Secrets known by their shape alone: issued tokens, keys, credentials in addresses."""

from __future__ import annotations

import re
from typing import Final

Span = tuple[str, int, int]
"""Kind, start, end."""

_FREE: Final = r"(?<![A-Za-z0-9_-])"
# Kind, the texts one of which every such token holds, and the token itself.
TOKENS: Final = tuple(
    (kind, hints, re.compile(f"{_FREE}(?:{pattern})"))
    for kind, hints, pattern in (
        # One long run, or one that is no word: `sk-learn-compatible` is neither.
        ("openai-key", ("sk-",),
         (r"sk-(?:[A-Za-z0-9_]{16,}|(?:[A-Za-z0-9_]+-){0,4}?(?:[A-Za-z0-9_]{20,}"
         r"|(?=[A-Za-z_]*[0-9])[A-Za-z0-9_]{12,}))[A-Za-z0-9_-]*")),
        ("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{8,}"),
        ("aws-access-key", ("AKIA", "ASIA"), r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
         r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"),
        ("gitlab-token", ("gl",),
         r"gl(?:pat|ptt|dt|rt|cbt|oas|ft|soat|imt|agent)-[A-Za-z0-9_.-]{16,}"),
        ("hugging-face-token", ("hf_",), r"hf_[A-Za-z0-9]{20,}"),
        ("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{20,}"),
        ("pypi-token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{32,}"),
        ("slack-token", ("xox", "xapp-"),
         r"(?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9-]{10,}"),
        ("google-key", ("AIza",), r"AIza[A-Za-z0-9_-]{20,}"),
        ("google-token", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{10,}"),
        ("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{20,}"),
        ("stripe-key", ("k_live_", "k_test_", "whsec_"),
         r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}"),
        ("sendgrid-key", ("SG.",), r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("digitalocean-token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{40,}"),
        ("shopify-token", ("shp",), r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}"),
        ("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
        ("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){1,3}"),
    )
)  # fmt: skip
SHORTEST: Final = 15
"""Characters that a token of any kind has at least, none of them blank."""
_PEM_BEGIN: Final = re.compile(r"(?i)-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_PEM_END: Final = re.compile(r"(?i)-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
# What an unterminated key goes on with: the rest of its line, then lines of key material.
_PEM_REST: Final = re.compile(
    r"[^\n]*(?:\n[ \t>\"']*(?:[A-Za-z0-9+/=\\]+|[A-Za-z0-9-]+: [^\n]*)?[ \t\"',\r]*(?=\n|\Z))*"
)
_AUTHORIZATION: Final = re.compile(
    r"(?i)\b(?P<proxy>proxy-)?authorization\b(?P<close>[\"'`*\\]*)[ \t]*[:=][ \t]*"
    r"(?P<open>[*\"'`\\]*)[ \t]*(?=[^\n])"
)
_HEADER: Final = 8192
"""Characters of a header that are looked at; servers take no more."""
# One word behind a scheme that is known, or parameters behind any: `Digest username="a", …`.
_SCHEME: Final = re.compile(
    r"(?i)(?:(?P<scheme>basic|bearer|token|digest|negotiate|ntlm|apikey|bot|key)[ \t]+)?"
    r"(?P<word>[^\s\"'`,;\\<>${}\[\]()]+)"
)
_SCHEME_TALK: Final = frozenset([
    "auth", "authentication", "authorization", "access", "credentials", "header", "headers",
    "scheme", "token", "tokens", "is", "and", "or", "with", "for", "in",
])  # fmt: skip
"""Words behind a scheme that only talk about it: `Authorization: Basic auth over TLS`."""
_PARAMETERS: Final = re.compile(r"[A-Za-z][\w-]*[ \t]+(?=[\w-]+[ \t]*=)")
_ANY_SCHEME: Final = re.compile(r"(?:[A-Za-z][\w.~+/-]*[ \t]+(?=\S))?")
_BEARER: Final = re.compile(r"(?i)\bbearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)")
_USERINFO: Final = re.compile(
    r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://([^\s/?#\"'<>`@]{0,500})(?:@[^\s/?#\"'<>`@]{0,500}){0,4}@"
)
_QUERY: Final = re.compile(r"(?i)[?&;]([a-z0-9_.-]+)=([^\s&#\"'<>`]+)")
_ADDRESS_WORD: Final = re.compile(r"[^\s\"'<>`]+")
_QUERY_NAMES: Final = re.compile(
    r"(?i)(?:.*[_.-])?(?:sig|signature|hmac|token|secret|password|passwd|pwd|credential|jwt"
    r"|api[_-]?key|apikey|access[_-]?key|auth|security[_-]token|session[_-]?(?:id|key))"
)


def find(text: str) -> list[Span]:
    """All secrets of known shape; spans may overlap."""
    spans: list[Span] = []
    # Few texts have a word as long as a token: most are done here.
    words = " ".join([word for word in text.split() if len(word) >= SHORTEST])
    for kind, hints, pattern in TOKENS if words else ():
        if any(hint in words for hint in hints):
            spans += [(kind, *match.span()) for match in pattern.finditer(text)]
    lower = text.lower()
    if "-----begin " in lower:
        spans += _private_keys(text)
    if "authorization" in lower:
        spans += _authorizations(text)
    if "bearer" in lower:
        for match in _BEARER.finditer(text):
            if is_token(match.group(1)):
                spans.append(("bearer-token", *match.span(1)))
    if "://" in text:
        spans += _addresses(text)
    return spans


def is_token(word: str) -> bool:
    """Whether a long word looks made by a machine: it has digits, or is one run of letters."""
    return bool(re.search("[0-9]", word)) or (len(word) >= 16 and word.isalnum())


def _private_keys(text: str) -> list[Span]:
    spans: list[Span] = []
    position = 0
    while begin := _PEM_BEGIN.search(text, position):
        end = _PEM_END.search(text, begin.end())
        following = _PEM_BEGIN.search(text, begin.end())
        if end and not (following and following.start() < end.start()):
            stop = end.end()
        else:
            rest = _PEM_REST.match(text, begin.end())
            stop = rest.end() if rest else begin.end()
            stop = begin.start() + len(text[begin.start() : stop].rstrip())
        spans.append(("private-key", begin.start(), stop))
        position = stop
    return spans


def _authorizations(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _AUTHORIZATION.finditer(text):
        start, end = match.end(), _header_end(text, match)
        scheme = _PARAMETERS.match(text, start, end)
        if match["proxy"] and scheme is None:
            scheme = _ANY_SCHEME.match(text, start, end)
        if scheme is not None:
            value = text[scheme.end() : end].strip()
            if not is_reference(value):
                spans.append(("authorization", scheme.end(), scheme.end() + len(value)))
            continue
        simple = _SCHEME.match(text, start, end)
        if simple is None or simple["word"].lower() in _SCHEME_TALK:
            continue
        if simple["scheme"] or (len(simple["word"]) >= 8 and is_token(simple["word"])):
            spans.append(("authorization", *simple.span("word")))
    return spans


def _header_end(text: str, match: re.Match[str]) -> int:
    """The end of a header's value: the quote that closes it, or the end of its line."""
    opened = match["open"].strip("*\\")[-1:]
    if not opened and not match["close"].strip("*\\"):
        before = text[match.start() - 1 : match.start()]
        opened = before if before in ("'", '"', "`") else ""
    at, end = match.end(), min(len(text), match.end() + _HEADER)
    line_end = text.find("\n", at, end)
    end = line_end if line_end >= 0 else end
    while opened and (at := text.find(opened, at, end)) >= 0:
        if text[at - 1] != "\\":
            return at
        at += 1
    return end


def _addresses(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _USERINFO.finditer(text):
        start = match.start(1)
        end = match.end() - 1  # before the last `@`
        user, colon, password = text[start:end].partition(":")
        if colon and not is_reference(password):
            spans.append(("url-password", start + len(user) + 1, end))
        elif not colon and len(user) >= 20 and re.search("[0-9]", user):
            spans.append(("url-token", start, end))
    for word in _ADDRESS_WORD.finditer(text):
        scheme = text.find("://", word.start(), word.end())
        query = text.find("?", max(scheme, word.start()), word.end())
        if scheme < 0 or query < 0:
            continue
        for part in _QUERY.finditer(text, query, word.end()):
            name, value = part.groups()
            if is_reference(value):
                continue
            long_key = name.lower() == "key" and len(value) >= 16 and is_token(value)
            if long_key or _QUERY_NAMES.fullmatch(name):
                end = part.end(2)
                while end > part.start(2) and text[end - 1] in ").,;!]":
                    end -= 1
                spans.append(("url-token", part.start(2), end))
    return spans


_REFERENCE: Final = re.compile(
    r"\$\{?\{?[^}]*\}?\}?|\$[A-Z_][A-Z0-9_]*|\$\(.*\)|%[A-Za-z_]+%|<[^>]*>|\{\{?[^}]*\}?\}|\[REDACTED\]"
    r"|[*•x.…_-]+|(?i:(?:os\.environ|os\.getenv|process\.env|import\.meta\.env|env|secrets|vars|self"
    r"|config|settings|args|options|request|ctx|this)[.\[(].*)|[A-Za-z_][\w.]*\([^\n]*\)[;,]?"
    r"|(?i:await |new |async |lambda)[^\n]*"
)


def is_reference(value: str) -> bool:
    """Whether a value only says where the secret comes from: a variable, a call, a gap to fill."""
    if value.startswith("$") and not re.match(r"\$(?:\{|\(|[A-Z_][A-Z0-9_]*\Z)", value):
        return False
    return _REFERENCE.fullmatch(value) is not None
