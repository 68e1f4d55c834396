"""What is told for a moment, at the side."""

from __future__ import annotations

from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, until


async def test_what_is_told_already_is_not_told_again(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        app = pilot.app
        app.clear_notifications()
        for _ in range(20):
            app.notify("There is no more.", title="Next", timeout=60)
        app.notify("There is no more.", title="Previous", timeout=60)
        app.notify("The end.", timeout=60)
        await until(pilot, lambda: any(told.message == "The end." for told in app._notifications))
        assert [(told.title, told.message) for told in app._notifications] == [
            ("Next", "There is no more."), ("Previous", "There is no more."), ("", "The end."),
        ]  # fmt: skip


async def test_what_is_about_to_vanish_is_told_again(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        app = pilot.app
        app.clear_notifications()
        app.notify("There is no more.", timeout=60)
        await until(pilot, lambda: app._notifications)
        (told,) = app._notifications
        told.raised_at -= 40
        app.notify("There is no more.", timeout=60)
        await until(pilot, lambda: len(app._notifications) == 2)


async def test_a_long_name_fills_no_screen(demo: Workspace) -> None:
    """The end stays, which says what can be done about it."""
    async with opened(demo) as pilot:
        app = pilot.app
        app.clear_notifications()
        words = f"deleted {'long name ' * 30}. u takes it back.\nThe rest stays."
        app.notify(words, timeout=60, markup=False)
        await until(pilot, lambda: app._notifications)
        (told,) = app._notifications
        first, second = told.message.splitlines()
        assert len(first) <= 160
        assert first.startswith("deleted long name long")
        assert "…" in first
        assert first.endswith(". u takes it back.")
        assert second == "The rest stays."
