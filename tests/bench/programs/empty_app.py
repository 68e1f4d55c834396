"""An app of the framework with one line of text: the floor of the screen."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class EmptyApp(App[None]):
    """Shows a line."""

    def compose(self) -> ComposeResult:
        yield Static("Nothing yet")


if __name__ == "__main__":
    EmptyApp().run()
