"""Scripts that only want the index wait for nothing else."""

from __future__ import annotations

import subprocess
import sys

from memlens.engine import durable

HEAVY = {
    "yaml", "frontmatter", "rapidfuzz", "platformdirs", "hashlib", "json", "dataclasses",
    "inspect", "datetime", "tempfile", "subprocess", "logging", "memlens.engine.bus",
}  # fmt: skip


def test_loading_the_index_imports_nothing_heavy(tmp_path: object) -> None:
    code = (
        "import os, sys; cwd = sys.argv[1]; os.environ['HOME'] = cwd;"
        "folder = cwd + '/.local/share/mermaid/memory'; os.makedirs(folder);"
        "file = open(folder + '/a.md', 'w');"
        "file.write('---\\nname: a\\ndescription: d\\n---\\n\\nx\\n'); file.close();"
        "from memlens.engine.durable import load; assert load(cwd).entries;"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not HEAVY & set(done.stdout.split())


def test_every_public_name_resolves() -> None:
    assert set(durable.__all__) == set(durable._HOME_OF)
    for name in durable.__all__:
        assert getattr(durable, name) is not None
    assert not hasattr(durable, "no such name")
