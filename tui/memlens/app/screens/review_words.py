"""What the review says in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.app.screens.review_rows import SIGNS, Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.app.screens.review_rows import Entry
    from memlens.app.widgets.header import Part
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


def counts(loaded: ReviewLoaded | None) -> dict[str, int]:
    """How many findings of each severity there are."""
    found = dict.fromkeys(SIGNS, 0)
    for finding in loaded.review.findings if loaded else ():
        found[finding.severity] += 1
    return found


def header(command: LoadReview, loaded: ReviewLoaded | None, refused: bool) -> list[Part]:
    """What is reviewed, what was found, and how the prompt changes."""
    parts: list[Part] = [(what_is_reviewed(command, loaded), "dim")]
    if loaded is None:
        parts.append(("not reviewed" if refused else "loading …", "dim"))
        return parts
    found = counts(loaded)
    for severity, style in (("error", "$text-error"), ("warning", "$text-warning")):
        count = found[severity]
        if count:
            words = f"{count} {severity}{'s' if count > 1 else ''}"
            parts.append((f"{SIGNS[severity]} {words}", style, f"{SIGNS[severity]} {count}"))
    if not found["error"] and not found["warning"]:
        parts.append(("✓ nothing found", "$text-success", "✓"))
    old, new = loaded.review.before.tokens, loaded.review.after.tokens
    words = f"≈ {old:,} → {new:,} tokens ({new - old:+,})"
    parts.append((f"prompt {words}", "$foreground", f"≈ {old:,} → {new:,}"))
    return parts


def refusal(why: str, where: str, hint: str) -> str:
    """Why nothing can be reviewed, and what to do."""
    words = f"This cannot be reviewed: {why}."
    if where:
        words += f"\n{where}"
    if hint:
        words += f"\n\n{hint[:1].upper()}{hint[1:]}."
    return f"{words}\n\nF5 tries again, q leaves."


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
    if file.unstaged and not file.unmerged:
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
