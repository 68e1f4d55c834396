"""Reports: right for their readers, safe to print, and silent about private text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import memlens.engine.review as public
from memlens.engine.findings import Finding
from memlens.engine.review.changes import make_review, root_in
from memlens.engine.review.git import open_repository
from memlens.engine.review.model import ChangedFile, Prompt, Review
from memlens.engine.review.reports import FORMATS, exit_code, report
from memlens.engine.review.sides import staged
from memlens.engine.review.told import Reader
from tests.engine.review.conftest import Repo

if TYPE_CHECKING:
    from memlens.engine.findings import Severity

NOTHING = Prompt("", 0, ())
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def finding(
    name: str = "secret",
    severity: Severity = "error",
    *,
    file: str = "CLAUDE.md",
    place: tuple[int, int] = (1, 2),
    message: str = "m",
) -> Finding:
    return Finding(name, severity, file, *place, message, "h")


def made(*findings: Finding, files: tuple[ChangedFile, ...] = ()) -> Review:
    return Review(
        "/r", "/r", "staged", "HEAD", "index", files, NOTHING, NOTHING, findings, 0, frozenset()
    )


def review(repo: Repo) -> Review:
    with staged(open_repository(repo.top)) as sides:
        return make_review(sides, Reader(root_in(sides.repository, repo.top)))


def test_the_report_for_people(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "one\ntwo\n", "old.md": "x\n"})
    repo.add({"CLAUDE.md": "one\ntw\u200bo\n", "docs/CLAUDE.md": "new\n"})
    text = report(review(repo))
    expected = f"""\
memlens review: HEAD → index

  M CLAUDE.md (memory)
  A docs/CLAUDE.md (nested)

Prompt at the top: ≈ NN → ≈ NN tokens (+0; bytes / 4)
    Contents of {repo.top}/CLAUDE.md (project instructions, checked into the codebase):

    one
  - two
  + tw‹U+200B›o

CLAUDE.md:2:3: error: a hidden character: U+200B (zero width space) [hidden-characters]
    remove it, or write what it stands for

1 error.
"""
    text = re.sub(r"≈ \d+", "≈ NN", text).replace("(+1;", "(+0;")
    assert [line.rstrip() for line in text.splitlines()] == expected.splitlines()


def test_nothing_is_a_short_report(repo: Repo) -> None:
    repo.add({"src.py": "x\n"})
    assert report(review(repo)) == (
        "memlens review: nothing yet → index\nNothing that agents read has changed.\n"
    )


def test_the_report_for_programs(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "one\n", "old.md": "".join(f"{n}\n" for n in range(30))})
    repo.git("mv", "old.md", "new.md")
    repo.add({"CLAUDE.md": "@new.md\n@./gone.md\n"})
    data = json.loads(report(review(repo), "json"))
    assert data["schema"] == 1
    assert data["files"] == [
        {"path": "CLAUDE.md", "status": "modified", "role": "memory"},
        {"path": "new.md", "status": "renamed", "role": "import", "old_path": "old.md"},
    ]
    assert data["tokens"]["after"] > data["tokens"]["before"] > 0
    assert [
        {key: found[key] for key in ("name", "severity", "file", "line", "column")}
        for found in data["findings"]
    ] == [
        {
            "name": "broken-import",
            "severity": "error",
            "file": "CLAUDE.md",
            "line": 2,
            "column": 1,
        }
    ]
    assert set(data["findings"][0]) == {
        "name", "severity", "file", "line", "column", "message", "hint",
    }  # fmt: skip
    assert repo.top not in json.dumps(data["findings"])


def test_github_commands_are_escaped() -> None:
    text = report(
        made(
            finding(file="a,b:c%.md", message="100%\nof\r it\x1b[31m"),
            finding(severity="warning", place=(0, 0)),
            finding(severity="note"),
            finding(file="/home/me/.claude/CLAUDE.md"),
        ),
        "github",
    )
    assert text.splitlines() == [
        "::error title=memlens%3A secret,file=a%2Cb%3Ac%25.md,line=1,col=2::100%25␊of␍ it␛[31m – h",
        "::warning title=memlens%3A secret,file=CLAUDE.md::m – h",
        "::error title=memlens%3A secret::m – h",
        "memlens: 0 files that agents read, prompt ≈ 0 → ≈ 0 tokens",
    ]


def sarif(found: Review) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(report(found, "sarif"))
    assert data["version"] == "2.1.0"
    assert data["$schema"].startswith("https://")
    assert set(data) == {"$schema", "version", "runs"}
    (run,) = data["runs"]
    assert set(run) == {"tool", "columnKind", "originalUriBaseIds", "results"}
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["shortDescription"]["text"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        for location in result.get("locations", ()):
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
            region = place.get("region", {"startLine": 1})
            assert min(region.values()) >= 1
    return data


def test_sarif_points_to_the_place() -> None:
    data = sarif(
        made(
            finding(file="docs/a b#1%.md"),
            finding("broken-import", "warning", file="日本/c\udce9:d.md", place=(3, 0)),
            finding("secret", "note", place=(0, 0)),
            finding(file="/home/me/CLAUDE.md"),
        )
    )
    results = data["runs"][0]["results"]
    places = [result.get("locations", [{}])[0].get("physicalLocation") for result in results]
    assert [place and place["artifactLocation"]["uri"] for place in places] == [
        "docs/a%20b%231%25.md",
        "%E6%97%A5%E6%9C%AC/c%E9%3Ad.md",
        "CLAUDE.md",
        None,
    ]
    assert [place and place.get("region") for place in places] == [
        {"startLine": 1, "startColumn": 2},
        {"startLine": 3},
        None,
        None,
    ]
    assert [result["level"] for result in results] == ["error", "warning", "note", "error"]
    assert sarif(made())["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("severities", "plain", "strict"),
    [
        ((), 0, 0),
        (("note",), 0, 0),
        (("warning", "note"), 0, 1),
        (("warning", "error"), 1, 1),
    ],
)
def test_exit_codes(severities: tuple[Severity, ...], plain: int, strict: int) -> None:
    found = made(*(finding(severity=severity) for severity in severities))
    assert exit_code(found) == plain
    assert exit_code(found, strict=True) == strict


def test_no_report_tells_private_text(repo: Repo, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "CLAUDE.md").write_text(f"USERTEXT\n@{repo.top}/docs/a.USERTOKEN\n")
    (home / "more.md").write_text("HOMETEXT\nHOMETEXT\n")
    (home / "data" / "memory").mkdir(parents=True)
    (home / "data" / "memory" / "g.md").write_text("---\nname: g\ndescription: FACTTEXT\n---\n")
    repo.commit({
        "CLAUDE.md": "public\n",
        ".gitignore": "/CLAUDE.local.md\n",
        "docs/a.USERTOKEN": "a\n",
    })  # fmt: skip
    repo.write({"CLAUDE.local.md": "LOCALTEXT\n@docs/b.md\n"})
    repo.git("rm", "-q", "docs/a.USERTOKEN")
    repo.add({
        "CLAUDE.md": "public\nnow with @~/more.md in it\nand more\n",
        ".mermaid/memory/s.md": "shared fact\n",
        "api/CLAUDE.local.md": f"STAGEDTEXT {TOKEN}\n",
    })  # fmt: skip
    found = review(repo)
    assert "HOMETEXT" in found.after.text
    assert "LOCALTEXT" in found.after.text
    assert any(line.text.startswith("now with HOMETEXT") for line in found.prompt_difference())
    assert {f.name for f in found.findings} >= {"broken-import", "external-import"}
    for form in FORMATS:
        text = report(found, form)
        for word in ("USERTEXT", "HOMETEXT", "FACTTEXT", "LOCALTEXT", "STAGEDTEXT", TOKEN):
            assert word not in text, form
    words = report(found)
    assert "+ and more" in words
    assert "+ (2 lines of private files)" in words
    private = [f for f in found.findings if f.file in found.private and f.file.startswith("/")]
    assert [f.name for f in private] == ["broken-import"]
    assert "USERTOKEN" in private[0].message
    for form in FORMATS:
        assert f"@{repo.top}/docs/a.USERTOKEN" not in report(found, form)
        assert "@docs/a.USERTOKEN" not in report(found, form)


def test_no_report_tells_a_secret(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "x\n"})
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefgh\nMIIEijklmnop\n-----END RSA PRIVATE KEY-----"
    )
    fact = f"---\nname: f\ndescription: [use {TOKEN}]\n---\n\nb\n"
    repo.add({"CLAUDE.md": f"x\nuse {TOKEN} here\n{key}\nend\n", ".mermaid/memory/f.md": fact})
    found = review(repo)
    assert any(f.name == "frontmatter-ambiguous" and TOKEN in f.message for f in found.findings)
    for form in FORMATS:
        text = report(found, form)
        assert TOKEN not in text
        assert "MIIE" not in text
    assert "+ use [REDACTED] here" in report(found)
    assert "+ end" in report(found)


def test_a_report_can_be_printed_whatever_is_in_it(repo: Repo) -> None:
    repo.add({
        "CLAUDE.md": "a\x1b]0;title\x07\u202e\nlong " + "x" * 1000 + "\n" + "y\n" * 500,
        "evil\x1b[31m/CLAUDE.md": "x\n",
        "caf\udce9/CLAUDE.md": "x\n",
    })  # fmt: skip
    found = review(repo)
    for form in FORMATS:
        text = report(found, form)
        text.encode()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text), form
    assert "caf‹0xE9›/CLAUDE.md" in report(found)
    assert max(map(len, report(found).splitlines())) < 300
    assert report(found).count("\n") < 120


def test_notes_are_only_counted_for_people() -> None:
    file = ChangedFile("CLAUDE.md", "CLAUDE.md", "added", "memory", None, "x\n")
    text = report(replace(made(finding(severity="note"), files=(file,)), silenced=2))
    assert "[secret]" not in text
    assert text.endswith("1 note; 2 switched off by comments.\n")


def test_all_public_names_are_there() -> None:
    for name in public.__all__:
        assert getattr(public, name) is not None


LOADED = """
import sys
import memlens.engine.review as review
for name in review.__all__:
    getattr(review, name)
unwanted = {"textual", "rich", "memlens.engine.bus", "memlens.engine.events"}
print(sorted(unwanted & set(sys.modules)))
"""


def test_the_check_loads_no_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_no_module_takes_the_place_of_a_public_name() -> None:
    """A module that is imported becomes an attribute of its package."""
    rooms = {path.stem for path in Path(str(public.__file__)).parent.glob("*.py")}
    assert not rooms.intersection(public.__all__)
