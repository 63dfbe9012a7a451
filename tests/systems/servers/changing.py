"""A service that changes without a word."""

from __future__ import annotations

from tests.systems.servers.formats import LibreTranslateServer


class ChangingServer(LibreTranslateServer):
    """Says He of everybody, until it is changed."""

    pronoun = "He"

    def translated(self, text: str) -> str:
        return f"{self.pronoun} is here, number {text.rsplit(maxsplit=1)[-1].rstrip('.')}."
