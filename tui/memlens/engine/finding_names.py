"""The names of all findings, and what each is about, in a sentence."""

from __future__ import annotations

from typing import Final

DESCRIPTIONS: Final = {
    "broken-import": "An import names a file that cannot be read.",
    "import-punctuation": "The punctuation behind an import became part of its path.",
    "import-too-deep": "An import lies deeper than the agent follows.",
    "import-twice": "A file is imported a second time, so it stays as written.",
    "import-binary": "An import names a file that is no text.",
    "external-import": "An import leaves the project: it works here, not for a team mate.",
    "import-blocked": "The agent does not load an import until a person approves it.",
    "wrong-case": "A name differs in letter case from what the agent looks for.",
    "misplaced-file": "A memory file lies where the agent does not look.",
    "same-file": "One file is found under two names and read once.",
    "link-as-text": "A link was checked out as a text that holds its target.",
    "shadowed-agents-file": "An AGENTS.md is not read because of a CLAUDE.md beside it.",
    "file-too-large": "A file is larger than the agent reads.",
    "file-unreadable": "A file cannot be read.",
    "encoding": "A file is not valid UTF-8.",
    "config-folder-leak": "A configuration folder is read as a project's.",
    "exclude-matches-nothing": "An exclusion pattern can match no path.",
    "rule-unconditional": "A rule's paths cannot be read, so it always holds.",
    "frontmatter-invalid": "A fact's header cannot be read.",
    "frontmatter-ambiguous": "Two readers take different values from a fact's header.",
    "scope-mismatch": "A fact's scope is not that of its folder.",
    "name-missing": "A fact has no name of its own.",
    "duplicate-fact": "Two facts say the same.",
    "near-duplicate": "Two facts say nearly the same.",
    "index-overflow": "The index is larger than the agent is given.",
    "index-cut": "Facts lie behind the end of what the agent is given.",
    "orphan": "A topic file is not in the index.",
    "dead-link": "The index names a file that is not there.",
    "index-prose": "The index holds paragraphs instead of links.",
    "shared-key": "Two projects share one folder of memory.",
    "secret": "A text holds what looks like a secret.",
    "hidden-characters": "A text or path holds characters that a reader does not see.",
    "control-characters": "A text or path holds characters that a terminal obeys.",
    "conflict-markers": "A text holds both sides of a merge.",
    "private-file-staged": "A file for one person is about to be committed for everyone.",
}
