"""What a person should know about memory files and imports, as findings (spec, part 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.meant import Judge, looks_like_a_path
from memlens.engine.context.model import FileReason, ImportRecord, MemoryItem, Outcome
from memlens.engine.context.source import Source
from memlens.engine.files import FileProblem, Files, kind_of
from memlens.engine.findings import Finding
from memlens.engine.silence import without_ignored

if TYPE_CHECKING:
    from memlens.engine.context.model import NestedSurvey
    from memlens.engine.findings import Severity


class Facts(NamedTuple):
    """What findings are made from."""

    files: Files
    items: Sequence[MemoryItem]
    reasons: Sequence[FileReason]
    sources: Mapping[str, Source]
    """Every file that is in, by real path."""
    path_of: Callable[[str, str], str | None]
    """The path that a token names: from the importer's folder, as written."""
    top: str
    """The uppermost folder of the walk: what lies below it belongs to the same checkout."""
    max_depth: int
    rules: ImportRules = ImportRules()
    approval: str = ""
    """Whether a person agreed to imports from outside, in words."""
    in_texts: bool = True
    """Whether texts are looked through for what may be hostile."""


def findings_of(facts: Facts, more: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """All findings that no comment switches off: files first, then `more`, then imports, in prompt
    order."""
    used = {reason.path for reason in facts.reasons if reason.state == "in"}
    found = [finding for reason in facts.reasons for finding in _of_reason(facts, reason, used)]
    found += more
    judge = Judge(facts.files, guesses_extension=facts.rules.guesses_extension)
    seen: set[str] = set()
    for item in facts.items:
        for path in (item.file, *item.imports):
            source = facts.sources.get(path)
            if source is not None and path not in seen:
                seen.add(path)
                found += _of_text(facts, source)
        for record in item.records:
            finding = _of_import(facts, item, record, judge)
            if finding is not None:
                found.append(finding)

    return _not_ignored(facts, found)


def _not_ignored(facts: Facts, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def text_of(path: str) -> str | None:
        source = facts.sources.get(path)
        return None if source is None else source.text

    return tuple(without_ignored(findings, text_of))


_BY_ITSELF: Final = frozenset(
    {"wrong-case", "folder", "special", "unreadable", "binary", "too-large", "absent"}
)
"""Why a file is out for what it is itself, and not for what else there is."""


def findings_below(facts: Facts, survey: NestedSurvey) -> tuple[Finding, ...]:
    """What is wrong with the files below the root that are out, and what a touch would not bring
    in whole. What is told of the root already, such as the file that keeps all others of a kind
    out, is not told again for each folder."""
    used = {item.found for item in facts.items} | {one.found for one in survey.files}
    found = [
        finding._replace(severity="note") if _is_one_of_many(facts, reason) else finding
        for reason in survey.out
        if reason.reason in _BY_ITSELF
        for finding in _of_reason(facts, reason, used)
    ]
    for path in dict.fromkeys(one.file for one in survey.files):
        source = facts.sources.get(path)
        if source is not None:
            found += _of_encoding(source)
    return _not_ignored(facts, found)


def _is_one_of_many(facts: Facts, reason: FileReason) -> bool:
    """Whether a file with almost the name of a memory file hardly was meant as one: it is a page
    among others, such as `claude.md` beside `gemini.md`."""
    if reason.reason != "wrong-case":
        return False
    folder = reason.path.rpartition("/")[0]
    proper = (reason.other or "").rpartition("/")[2].casefold()
    try:
        names = [name.casefold() for name in facts.files.names(folder)]
    except FileProblem:
        return False
    return any(name.endswith(".md") and name not in (proper, "readme.md") for name in names)


def _of_reason(facts: Facts, reason: FileReason, used: Set[str]) -> Iterable[Finding]:
    name = reason.path.rpartition("/")[2]

    def finding(kind: str, severity: Severity, message: str, hint: str) -> Finding:
        return Finding(kind, severity, reason.path, 0, 0, message, hint)

    if reason.reason == "shadowed":
        # Not louder: real projects keep both on purpose, one pointing to the other.
        lost = reason.other not in used
        private = any(item.found == reason.other and item.scope == "local" for item in facts.items)
        words = ", though nothing comes from it" if lost else ""
        if private:
            words = ", which is private and holds for this person alone"
        yield finding(
            "shadowed-agents-file",
            "warning" if lost or private else "note",
            reason.text + words,
            f"import it there with @{name}, or move what it says",
        )
    elif reason.reason == "blocked":
        yield finding(
            "import-blocked",
            "warning",
            f"{reason.text} ({facts.approval})",
            "start the agent here and agree when it asks, or put the file itself there",
        )
    elif reason.reason == "same-file":
        yield finding(
            "same-file", "note", reason.text, "nothing is lost: the text is in the prompt once"
        )
    elif reason.reason == "wrong-case":
        proper = (reason.other or "")[len(reason.folder.rstrip("/")) + 1 :]
        hint = (
            f"move what it says to {proper}" if reason.other in used else f"rename it to {proper}"
        )
        yield finding("wrong-case", "warning", reason.text, hint)
    elif reason.reason == "misplaced":
        local = name.endswith(".local.md")
        yield finding(
            "misplaced-file",
            "warning" if local else "note",
            reason.text,
            f"move it to {reason.other}",
        )
    elif reason.reason == "too-large":
        yield finding(
            "file-too-large", "error", reason.text, "split it, and import only what is needed"
        )
    elif reason.reason in ("folder", "special"):
        yield finding("file-unreadable", "warning", reason.text, "put a regular file there")
    elif reason.reason == "binary":
        source = facts.sources.get(facts.files.real_path(reason.path))
        hint = _way_out(source) if source is not None else ""
        yield finding("file-unreadable", "error", reason.text, hint or "save it as UTF-8 text")
    elif reason.reason == "unreadable":
        yield finding("file-unreadable", "error", reason.text, "see to its permissions and links")
    elif reason.reason == "absent" and reason.state == "out":
        yield finding("file-unreadable", "warning", reason.text, "correct the link or remove it")


def _encoded(source: Source) -> str:
    """That a file is in an encoding which no agent reads; empty where its mark tells of none."""
    if not source.encoding:
        return ""
    from memlens.engine.encodings import in_words

    return in_words(source.encoding)


def _way_out(source: Source) -> str:
    if not source.encoding:
        return ""
    from memlens.engine.encodings import way_out

    return way_out(source.encoding, source.path)


def _of_encoding(source: Source) -> Iterable[Finding]:
    if source.invalid_at >= 0:
        yield Finding(
            "encoding",
            "warning",
            source.path,
            source.line_of(source.invalid_at),
            source.column_of(source.invalid_at),
            f"{_encoded(source) or 'it is not UTF-8'}: the agent gets \ufffd for what cannot be "
            "decoded",
            _way_out(source) or "save it as UTF-8",
        )


def _of_text(facts: Facts, source: Source) -> Iterable[Finding]:
    yield from _of_encoding(source)
    for spot in source.spots if facts.in_texts else ():
        yield spot.in_file(source.path)
    text = source.text.strip()
    if 0 < len(text) < 1024 and "\n" not in text and not text.startswith(("@", "#", "/")):
        target = f"{source.folder.rstrip('/')}/{text}"
        if kind_of(facts.files, target) == "file" and (
            facts.files.real_path(target) != source.path
        ):
            yield Finding(
                "link-as-text",
                "warning",
                source.path,
                1,
                1,
                f"it holds nothing but the name of a file, {text}: a link checked out as text",
                f"write @{text} instead, or check it out as a link (git: core.symlinks)",
            )


_PLAIN: Final[dict[Outcome, tuple[str, Severity, str, str]]] = {
    "special": (
        "broken-import", "error", "is no regular file", "import a regular file",
    ),
    "unreadable": (
        "broken-import", "error", "cannot be read", "see to its permissions",
    ),
    "loop": (
        "broken-import", "error", "leads through links that form a loop", "correct the links",
    ),
    "binary": (
        "import-binary", "warning", "is binary, so the token stays as written",
        "import text; an agent opens other files when it needs them",
    ),
    "too-large": (
        "file-too-large", "error", "has more than 4 MiB", "split it",
    ),
    "expansion-too-large": (
        "file-too-large", "error", "would take this memory file over 16 MiB", "import less",
    ),
    "no-home": (
        "broken-import", "warning", "cannot be found: the home folder is not known", "set HOME",
    ),
    "not-approved": (
        "import-blocked", "warning", "is not loaded until it is approved", "approve it",
    ),
    "not-text": (
        "import-binary", "warning", "is no text by its extension, so it is not loaded",
        "import text; an agent opens other files when it needs them",
    ),
    "excluded": (
        "import-blocked", "note", "is not loaded: the settings exclude it",
        "take it out of the settings if it is wanted",
    ),
}  # fmt: skip


def _of_import(
    facts: Facts, item: MemoryItem, record: ImportRecord, judge: Judge
) -> Finding | None:
    token = f"@{record.written}"

    def finding(name: str, severity: Severity, message: str, hint: str) -> Finding:
        return Finding(name, severity, record.file, record.line, record.column, message, hint)

    outcome = record.outcome
    if outcome == "imported":
        return _external(facts, item, record) if record.external else None
    if outcome in _PLAIN:
        name, severity, words, hint = _PLAIN[outcome]
        if outcome == "not-approved":
            words += f": {facts.approval}"
            hint = "start the agent here and agree when it asks, or copy the file here"
        source = facts.sources.get(record.target or "") if outcome == "binary" else None
        if source is not None and source.encoding:
            words = f"stays as written: {_encoded(source)}"
            hint = _way_out(source)
        return finding(name, severity, f"{token} {words}", hint)
    if outcome == "too-deep":
        return finding(
            "import-too-deep",
            "warning",
            f"{token} stands {record.level} levels deep; the agent follows {facts.max_depth}",
            "import it from a file further up",
        )
    if outcome in ("already-shown", "reserved"):
        return finding("import-twice", "note", _shown_words(record), "nothing is lost: leave it")
    if outcome == "folder":
        return finding(
            "broken-import",
            "warning" if looks_like_a_path(record.written) else "note",
            f"{token} is a folder",
            "import a file in it",
        )
    return _missing(facts, record, judge, finding)


def _missing(
    facts: Facts,
    record: ImportRecord,
    judge: Judge,
    finding: Callable[[str, Severity, str, str], Finding],
) -> Finding:
    token = f"@{record.written}"
    folder = record.file.rpartition("/")[0] or "/"
    path = facts.path_of(folder, record.written)
    judged = judge.guess(folder, path, record.written) if path is not None else None
    if judged is not None and judged.path is not None:
        if judged.case:
            name = judged.path.rpartition("/")[2]
            return finding(
                "broken-import",
                "error",
                f"{token} is missing; in another letter case there is {judged.path}",
                f"write the name as it is: {name}",
            )
        if judged.extension:
            return finding(
                "broken-import", "error",
                f"{token} is missing; with an extension there is {judged.path}",
                f"write @{record.written}{judged.extension}, or put it in backticks",
            )  # fmt: skip
        right = record.written[: -len(judged.without)]
        if judged.without.startswith("#") or judged.without[1:2].isalnum():
            return finding(
                "broken-import",
                "error",
                f"{token} is missing; {right} exists without {judged.without}",
                "import the whole file: a part cannot be named",
            )
        ending = "the last character" if len(judged.without) == 1 else f"its end {judged.without}"
        return finding(
            "import-punctuation",
            "error",
            f"{token} is missing; {right} exists without {ending}",
            f"put a space behind @{right}",
        )
    if record.outcome == "name-too-long":
        message = f"{token[:80]}… is too long for a name"
    else:
        message = f"{token} is missing"
    if judged is None or not judged.meant:
        return finding(
            "broken-import", "note", f"{message}; it hardly was meant as an import", "leave it"
        )
    # `@/…` and `@~/…` name a module of the project in many languages, so they are less certain.
    alias = record.written.startswith(("/", "~/")) and "." not in record.written.rpartition("/")[2]
    return finding(
        "broken-import",
        "warning" if alias else "error",
        message,
        "correct the path, or put it in backticks if it is no import",
    )


def _shown_words(record: ImportRecord) -> str:
    place = record.shown_at
    if place is None:
        return f"@{record.written} is in already"
    if record.outcome == "reserved" or not place.line:
        return f"@{record.written} is in by itself: {place.file}"
    return f"@{record.written} is in already, through {place.file}:{place.line}"


def _external(facts: Facts, item: MemoryItem, record: ImportRecord) -> Finding:
    prefix = facts.top.rstrip("/") + "/"
    shared = item.scope in ("project", "ancestor", "nested")
    outside = record.target is not None and not record.target.startswith(prefix)
    return Finding(
        "external-import",
        "warning" if shared and outside else "note",
        record.file,
        record.line,
        record.column,
        f"@{record.written} lies outside the project: {record.target}",
        "a team mate does not have it: import it from CLAUDE.local.md, or copy it here"
        if shared
        else "it works on this machine only",
    )
