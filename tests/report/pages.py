"""What the tests of the web pages share: the address the app answers to, and a page's tags."""

from __future__ import annotations

from html.parser import HTMLParser

HOME = "http://127.0.0.1:8765"
ORIGIN = {"origin": HOME}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
