"""What the review says in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.app.screens.review_rows import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.app.screens.review_rows import Entry
    from memlens.engine.commands.review import LoadReview
    from memlens.engine.events.review import ReviewLoaded
    from memlens.engine.review.model import DiffLine, Review


def what_is_reviewed(command: LoadReview, loaded: ReviewLoaded | None) -> str:
    """The change in a few words."""
    if loaded is None:
        return {"staged": "what is staged", "all": "everything changed"}.get(
            command.mode, command.commits
        )
    review = loaded.review
    words = f"{review.before_name} → {review.after_name}"
    return f"{words}, in a {loaded.operation}" if loaded.operation else words


def nothing_to_review(command: LoadReview) -> str:
    """What to do where nothing is in the review."""
    if command.mode == "range":
        return (
            f"In {command.commits} nothing changes that agents read: no memory file, nothing that "
            "one imports, no shared fact."
        )
    if command.mode == "all":
        return (
            "Nothing that agents read has changed since the last commit.\n\n"
            "Edit a memory file, something that one imports, or a shared fact, and press F5."
        )
    return (
        "Nothing that agents read is staged.\n\n"
        "git add CLAUDE.md, or whatever you have changed, and press F5.\n"
        "s shows everything changed, staged or not.\n\n"
        "memlens review --install-hook opens this before each commit that changes what agents "
        "are told."
    )


def accept_question(errors: int, *, in_hook: bool) -> str:
    """Asked before errors are accepted."""
    found = f"{errors} error{'s were' if errors > 1 else ' was'} found."
    then = "Accepting lets the commit through with them." if in_hook else "Accept it with them?"
    return f"{found}\n\n{then if errors > 1 else then.replace('them', 'it')}"


def leave_question(*, in_hook: bool) -> str:
    """Asked before the review is left without a verdict."""
    if in_hook:
        return "Leaving rejects the change: the commit is stopped, and everything stays staged."
    return "Leaving rejects the change (exit code 1). Nothing is altered by it."


def file_remarks(entry: Entry, lines: Sequence[DiffLine]) -> list[Remark]:
    """What stands above a file's difference."""
    file = entry.file
    if file is None:
        return [Remark("This file does not change; what the change does to it:", "dim")]
    remarks = []
    if file.old_path != file.path:
        remarks.append(Remark(f"It was {file.old_path}.", "changed"))
    if file.status == "deleted":
        remarks.append(Remark("The file is deleted.", "removed"))
    if file.unstaged:
        words = "The working file has changes that are not staged; they are no part of this."
        remarks.append(Remark(words, "warning"))
    if file.problem:
        remarks.append(Remark(f"{file.problem[:1].upper()}{file.problem[1:]}.", "warning"))
    elif not lines and file.status != "deleted":
        remarks.append(Remark("No line of it differs.", "dim"))
    return remarks


def prompt_remarks(review: Review) -> list[Remark]:
    """What stands above the prompt's difference: how large it was and will be."""
    old, new = review.before.tokens, review.after.tokens
    remarks = [
        Remark(f"≈ {old:,} → ≈ {new:,} tokens ({new - old:+,}; bytes / 4)", "heading"),
    ]
    if review.before.text == review.after.text:
        remarks.append(Remark("What the agent is told at the start here does not change.", ""))
        if any(file.role == "nested" for file in review.files):
            remarks.append(
                Remark("Nested memory files are handed out when the agent touches their folder.")
            )
    return remarks
