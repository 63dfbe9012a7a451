"""German endings: articles, words declined like them, adjectives. Cases are the letters n, g, d, a."""

from __future__ import annotations

from enum import Enum

from evenhand.gender import Gender

CASES = "ngda"
ARTICLE = {Gender.MALE: dict(zip(CASES, ("der", "des", "dem", "den"), strict=True)),
           Gender.FEMALE: dict(zip(CASES, ("die", "der", "der", "die"), strict=True))}  # fmt: skip
STRONG = {Gender.MALE: dict(zip(CASES, ("er", "es", "em", "en"), strict=True)),
          Gender.FEMALE: dict(zip(CASES, ("e", "er", "er", "e"), strict=True))}  # fmt: skip
DER_WORDS = ("dies", "jen", "jed", "welch", "manch", "jeglich", "solch")
EIN_WORDS = ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "eur", "irgendein")
CONTRACTED = {"zum": "zu", "beim": "bei", "vom": "von", "im": "in", "am": "an", "zur": "zu"}
JOINED = {("zu", "dem"): "zum", ("bei", "dem"): "beim", ("von", "dem"): "vom", ("in", "dem"): "im",
          ("an", "dem"): "am", ("zu", "der"): "zur"}  # fmt: skip


class Manner(Enum):
    """How an adjective is declined, by what stands before it."""

    WEAK = "after der, dieser"
    MIXED = "after ein, mein"
    STRONG = "after nothing"


def manner(low: str) -> Manner:
    """The declension that a determiner asks of the adjectives after it."""
    return Manner.MIXED if _ein_word(low) else Manner.WEAK


def determiner(low: str, wanted: Gender, case: str) -> str | None:
    """The determiner in the singular of the wanted gender; a contraction may become two words (bei der); None for a
    word that has no such forms."""
    if low in CONTRACTED:
        preposition = CONTRACTED[low]
        article = ARTICLE[wanted]["d"]
        return JOINED.get((preposition, article), f"{preposition} {article}")
    for article in ("der", "die", "dem", "den", "des"):
        rest = low.removeprefix(article)
        if low.startswith(article) and rest in {"jenige", "jenigen", "selbe", "selben"}:
            return ARTICLE[wanted][case] + adjective(rest.rstrip("n")[:-1], Manner.WEAK, wanted, case)
        if low == article:
            return ARTICLE[wanted][case]
    stem = _ein_word(low)
    if stem:
        ending = "" if wanted is Gender.MALE and case == "n" else STRONG[wanted][case]
        return "euer" if stem == "eur" and not ending else stem + ending
    stem = _der_word(low)
    return stem + STRONG[wanted][case] if stem else None


def ending(how: Manner, gender: Gender, case: str) -> str:
    """The ending of an adjective in the singular."""
    if how is Manner.STRONG:
        return "en" if gender is Gender.MALE and case == "g" else STRONG[gender][case]
    if gender is Gender.FEMALE:
        return "e" if case in "na" else "en"
    if case != "n":
        return "en"
    return "e" if how is Manner.WEAK else "er"


def adjective(stem: str, how: Manner, gender: Gender, case: str) -> str:
    return stem + ending(how, gender, case)


def _ein_word(low: str) -> str | None:
    if low == "euer":
        return "eur"
    return next((stem for stem in EIN_WORDS if low.removeprefix(stem) in {"", "e", "er", "es", "en", "em"}
                 and low.startswith(stem)), None)  # fmt: skip


def _der_word(low: str) -> str | None:
    return next((stem for stem in DER_WORDS if low.removeprefix(stem) in {"e", "er", "es", "en", "em"}
                 and low.startswith(stem)), None)  # fmt: skip
