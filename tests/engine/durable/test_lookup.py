"""Finding facts, and a piece of their text."""

from __future__ import annotations

from memlens.engine.durable import (
    Draft,
    check_draft,
    delete_memory,
    edit,
    entries_with_bodies,
    find,
    find_one,
    load,
    read_fact,
    search,
)

from .conftest import Place


def test_without_a_header_the_whole_text_is_the_body(place: Place) -> None:
    place.put("bare.md", "\n  text\r\n\nmore \n")
    place.put("fenced.md", "---\nname: fenced\n---\n\n\n text \n\n")
    bodies = {entry.name: body for entry, body in entries_with_bodies(place.cwd)}
    assert bodies == {"bare": "\n  text\n\nmore \n", "fenced": "text"}
    assert [hit.snippet for hit in search(place.cwd, "text")] == ["text", "text"]


def test_a_description_of_the_body_is_its_line_as_it_stands(place: Place) -> None:
    path = place.put("bare.md", "\n \n  text\t \nmore\n")
    place.put("fenced.md", "---\nname: fenced\n---\n\n \n  text \nmore\n")
    place.put("blank.md", " \n \n")
    snapshot = load(place.cwd)
    assert snapshot is not None
    found = {entry.name: entry.description for entry in snapshot.entries}
    assert found == {"bare": "  text\t ", "blank": "", "fenced": "text "}
    assert f"- [bare]   text\t  — {path}\n" in snapshot.index
    fact = read_fact(find_one(place.cwd, "bare"))
    edit(place.cwd, fact, description=fact.description, body="new\n")  # said again, not changed
    assert path.read_text() == "\n \nnew\n"
    check = check_draft(place.cwd, Draft("n", body="\n  text \nmore"), snapshot)
    assert check.index_line.startswith("- [n] text  — ")


def test_a_final_sigma_is_a_sigma(place: Place) -> None:
    place.put("n.md", "---\nname: n\ndescription: d\n---\n\nοι σοφοσα\n")
    assert [hit.entry.name for hit in search(place.cwd, "ΣΟΦΟΣ")] == ["n"]


def test_no_fact_answers_to_an_empty_id(place: Place) -> None:
    place.put(".md", "text")
    place.put("a.md", "text")
    assert find(place.cwd, "") is None
    assert delete_memory(place.cwd, "") is None
    assert (place.facts / ".md").exists()
