"""What each model is trained on, and its size."""

from __future__ import annotations

from pathlib import Path

from batches import Corpus, read_pairs
from model import Shape

OUT_OF_ENGLISH, INTO_ENGLISH, HELPERS = ("de", "es", "fr", "ru"), ("hu", "fi", "tr"), ("de", "es", "fr")
# Copies of each pair in one round of the mix, early and late in training.
TATOEBA = {"de": 1.0, "es": 1.2, "fr": 1.0, "ru": 2.5, "hu": 1.0, "fi": 1.2, "tr": 3.0}
DICTIONARY = {"de": 0.25, "es": 0.8, "fr": 0.8, "ru": 0.7, "hu": 0.2, "fi": 0.35, "tr": 0.3}
# The same for the widened vocabulary of the `out` recipe (widen.py).
OUT = {
    "tatoeba": {"de": (1.0, 1.0), "es": (1.3, 1.4), "fr": (1.1, 1.1), "ru": (2.2, 2.0)},
    "europarl": {"de": (0.6, 0.1), "es": (0.6, 0.1), "fr": (0.6, 0.1)},
    "dictionary": {"de": (0.25, 0.2), "es": (0.4, 0.25), "fr": (0.4, 0.25), "ru": (0.4, 0.25)},
    "best": {"de": (0.2, 0.25), "es": (0.9, 1.1), "fr": (0.9, 1.1), "ru": (0.7, 0.8)},
    "phrase": {"de": (0.25, 0.3), "es": (0.5, 0.6), "fr": (0.5, 0.6), "ru": (0.2, 0.25)},
    "swap": {"de": (0.25, 0.2), "es": (0.4, 0.3), "fr": (0.4, 0.3)},
}
VARY = {"dictionary": "", "best": "", "phrase": "phrase"}


def shape(recipe: str, vocabulary: int) -> Shape:
    if recipe == "out":
        return Shape(vocabulary, width=512, heads=8, hidden=1536, encoder=6, decoder=3, dropout=0.18)
    return Shape(vocabulary, width=384, heads=6, hidden=1536, encoder=6, decoder=2, dropout=0.15)


def pieces(recipe: str) -> str:
    return "out.model" if recipe == "out" else "into.model"


def directions(recipe: str) -> list[tuple[str, bool, str]]:
    """(language, english is the source, tag) for each direction the recipe is judged on."""
    if recipe == "into":
        return [(language, False, "") for language in INTO_ENGLISH]
    return [(language, True, f">>{language}<<") for language in (OUT_OF_ENGLISH if recipe == "out" else INTO_ENGLISH)]


def corpora(recipe: str, data: Path, limit: int | None = None) -> list[Corpus]:
    found: list[Corpus] = []

    def add(kind: str, language: str, share: tuple[float, float], tag: str, *, english_first: bool) -> None:
        path = data / f"{kind}.{language}.tsv"
        if path.exists():
            english, other = read_pairs(path, limit)
            source, target = (english, other) if english_first else (other, english)
            found.append(Corpus(f"{kind}.{language}", source, target, tag, share, vary=VARY.get(kind, "sentence")))

    for language, english_first, tag in directions(recipe):
        if recipe == "out":
            for kind, shares in OUT.items():
                if language in shares:
                    add(kind, language, shares[language], tag, english_first=True)
            continue
        add("tatoeba", language, (TATOEBA[language],) * 2, tag, english_first=english_first)
        add("europarl", language, (0.6, 0.15), tag, english_first=english_first)
        add("dictionary", language, (DICTIONARY[language],) * 2, tag, english_first=english_first)
        if recipe == "into":
            add("back", language, (0.5, 0.25), "<bt>", english_first=False)
    if recipe == "into":
        for language in HELPERS:
            add("tatoeba", language, (0.35, 0.1), "", english_first=False)
    return found
