"""What each model is trained on, its size and its vocabulary."""

from __future__ import annotations

from pathlib import Path

from batches import Corpus
from model import Shape
from prepare import INTO_ENGLISH, OUT_OF_ENGLISH, read_pairs

HELPERS = ("de", "es", "fr")
FIRST = {"out": 4, "into": 3, "back": 0}  # how many languages of each the models knew from which training starts
GROWTH = {"out": 27_000, "back": 25_000, "into": 19_600}
TAGS = {
    "out": [*(f">>{language}<<" for language in OUT_OF_ENGLISH), "<syn>"],
    "back": [f">>{language}<<" for language in INTO_ENGLISH],
    "into": ["<bt>"],
}
# Copies of each pair in one round of the mix, early and late in training.
OUT = {
    "tatoeba": {
        "de": (1.0, 1.1), "es": (1.3, 1.4), "fr": (1.1, 1.2), "ru": (2.0, 2.0), "it": (2.6, 2.8), "pt": (2.8, 3.0),
        "nl": (2.8, 3.0), "pl": (2.0, 2.2), "cs": (2.8, 3.0), "uk": (2.8, 3.0), "ro": (3.0, 3.2),
    },
    "europarl": dict.fromkeys(("de", "es", "fr"), (1.5, 0.5)),
    "related": dict.fromkeys(("it", "pt"), (0.5, 0.15)),
    "dictionary": {
        "de": (0.4, 0.3), "es": (0.3, 0.2), "fr": (0.3, 0.2), "ru": (0.3, 0.2), "it": (0.6, 0.4), "pt": (0.6, 0.4),
        "nl": (0.6, 0.4), "pl": (0.6, 0.4), "cs": (0.4, 0.25), "uk": (0.8, 0.5), "ro": (0.8, 0.5),
    },
    "best": {
        "de": (0.15, 0.2), "es": (0.5, 0.6), "fr": (0.5, 0.6), "ru": (0.6, 0.7),
        **dict.fromkeys(("it", "pt", "nl", "pl", "cs", "uk", "ro"), (0.6, 0.6)),
    },
    "phrase": {
        "de": (0.2, 0.2), "es": (0.3, 0.4), "fr": (0.3, 0.4), "ru": (0.3, 0.3),
        **dict.fromkeys(("it", "pt", "pl", "cs", "uk"), (0.4, 0.4)),
    },
    "title": dict.fromkeys(OUT_OF_ENGLISH, (0.4, 0.4)),
    "person": dict.fromkeys(OUT_OF_ENGLISH, (1.5, 2.5)),
}  # fmt: skip
INTO = {
    "tatoeba": {
        "hu": (1.0, 1.0), "fi": (1.2, 1.2), "tr": (3.0, 3.0), "ja": (3.0, 3.0), "id": (3.5, 3.5), "fa": (4.5, 4.5),
        "et": (4.5, 4.5), **dict.fromkeys(HELPERS, (0.2, 0.05)),
    },
    "dictionary": {"hu": (0.2, 0.2), "fi": (0.35, 0.35), "tr": (0.3, 0.3), "ja": (0.4, 0.25), "id": (0.8, 0.6)},
    "back": dict.fromkeys(INTO_ENGLISH, (0.6, 0.3)),
    "title": dict.fromkeys(INTO_ENGLISH, (1.0, 1.0)),
}  # fmt: skip
VARY = {"dictionary": "", "best": "", "phrase": "phrase", "title": "phrase", "person": "phrase"}


def shape(recipe: str, vocabulary: int) -> Shape:
    if recipe == "into":
        return Shape(vocabulary, width=384, heads=6, hidden=1536, encoder=6, decoder=2, dropout=0.15)
    return Shape(vocabulary, width=512, heads=8, hidden=1536, encoder=6, decoder=3, dropout=0.15)


def new_languages(recipe: str) -> tuple[str, ...]:
    """The languages that the model from which training starts did not know."""
    return (OUT_OF_ENGLISH if recipe == "out" else INTO_ENGLISH)[FIRST[recipe] :]


def directions(recipe: str) -> list[tuple[str, bool, str]]:
    """(language, english is the source, tag) for each direction the recipe is judged on."""
    if recipe == "into":
        return [(language, False, "") for language in INTO_ENGLISH]
    return [(language, True, f">>{language}<<") for language in (OUT_OF_ENGLISH if recipe == "out" else INTO_ENGLISH)]


def corpora(recipe: str, data: Path, limit: int | None = None) -> list[Corpus]:
    """Every file of the recipe that is there. Pairs made by a machine carry a tag of their own on the source side."""
    found: list[Corpus] = []
    for kind, shares in (OUT if recipe == "out" else INTO).items():
        for language, share in shares.items():
            path = data / f"{kind}.{language}.tsv"
            if not path.exists() or (recipe == "back" and (kind == "back" or language in HELPERS)):
                continue
            english, other = read_pairs(path, limit)
            if not english:
                continue
            forward = recipe != "into"
            tags: tuple[str, ...] = (f">>{language}<<",) if forward else ()
            tags += ("<syn>",) if kind == "related" else ("<bt>",) if kind == "back" else ()
            source, target = (english, other) if forward else (other, english)
            vary = VARY.get(kind, "sentence")
            found.append(Corpus(f"{kind}.{language}", source, target, tags, share, vary=vary))
    return found
