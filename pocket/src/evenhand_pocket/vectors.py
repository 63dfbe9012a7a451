"""Where the word vectors lie: English, Spanish, French and German in one space, with dictionaries."""

from __future__ import annotations

from pathlib import Path

from evenhand_pocket.models import FOLDER


def word_vectors() -> Path:
    """The folder with pocket.LANGUAGE.safetensors, .vocab and pocket.en-LANGUAGE.dictionary.txt."""
    return FOLDER / "vectors"
