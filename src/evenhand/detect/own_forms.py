"""Where a user's own forms lie: what a person decided once (`evenhand review`), every later run knows."""

from __future__ import annotations

import os
from pathlib import Path

from evenhand.languages import primary


def forms_path(target_lang: str) -> Path:
    """The user's forms file of a language: in the folder EVENHAND_FORMS, or the user's configuration folder."""
    given = os.environ.get("EVENHAND_FORMS")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "evenhand" / "forms"
    return (Path(given) if given else config) / f"{primary(target_lang)}.tsv"


def own_forms(target_lang: str) -> Path | None:
    """That file if there is one. The detector's fingerprint holds its content, so a signature tells."""
    path = forms_path(target_lang)
    return path if path.is_file() else None
