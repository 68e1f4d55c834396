"""What is found quickly is never less than what the context library says."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine.agents import RAIDER, ImportRules
from memlens.engine.durable.model import MemoryConfig
from memlens.engine.review.facts import FactReader
from memlens.engine.review.git import LINK, Entry, Listing
from memlens.engine.review.told import Reader, Told
from memlens.engine.review.trees import GitTreeFiles
from tests.engine.review.test_trees import Made

PIECES = st.sampled_from(
    ["@a.md", "@b.md", "@./d/a.md", "@../a.md", "@d/../b.md", "@~/h.md", "@l/a.md", "`@b.md`",
     "\n```\n@a.md\n```\n", "@a\\ b", "@missing.md", "x@a.md", "@a.md.", "word", "@a.md#part",
     "@a.md\x1cx", "@a.md\u2003", "\n"],
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=6).map(" ".join)
TREES = st.fixed_dictionaries(
    {"CLAUDE.md": TEXTS, "a.md": TEXTS, "d/CLAUDE.md": TEXTS, "d/a.md": TEXTS, "b.md": TEXTS}
)
RULES = st.sampled_from(
    [ImportRules(), ImportRules(max_depth=1), ImportRules(escaped_space=True, cut_fragment=True)]
)


@given(TREES, RULES, st.booleans())
@settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nothing_that_is_brought_in_is_missed(
    tmp_path: Path, tree: dict[str, str], rules: ImportRules, linked: bool
) -> None:
    base = os.path.realpath(tmp_path)
    shutil.rmtree(f"{base}/home", ignore_errors=True)
    os.makedirs(f"{base}/home")
    Path(f"{base}/home/h.md").write_text("@a.md\n")
    os.makedirs(f"{base}/top", exist_ok=True)
    listing: Listing = {path: Entry("100644", text) for path, text in tree.items()}
    if linked:
        listing["l"] = Entry(LINK, "d")
    files = GitTreeFiles(f"{base}/top", listing, Made())
    reader = Reader(f"{base}/top", RAIDER._replace(imports=rules), home=f"{base}/home")
    facts = FactReader(reader.root, MemoryConfig(enabled=False))
    told = Told(files, ["CLAUDE.md", "d/CLAUDE.md"], reader, facts)
    for place in told.memory_files:
        exact = told.brought_in(place)
        quick = told.mentions(place)
        assert {os.path.normpath(path) for path in exact} - quick == set()
        prepared = Told(files, ["CLAUDE.md", "d/CLAUDE.md"], reader, facts)
        prepared.prepare()
        assert prepared.mentions(place) == quick
