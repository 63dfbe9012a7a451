"""The vocabulary in which a language (`base.py`) answers: cells, tokens, nouns, phrases.

Grammar is answered in *cells*: an int whose bits are the combinations of gender, number and case that a word form can
express. "der" can be masculine nominative singular, feminine dative or genitive singular, or genitive plural;
"Angestellten" has its own set; the bits that both have in common are what "der Angestellten" can mean. So agreement is
`&`, and no rule is needed for each pair of words. A language without case uses `cells("f", "s")`, which sets all cases
at once. 0 means "cannot be this kind of word at all".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

GENDERS = "fmn"
NUMBERS = "sp"
CASES = "ngdailv"  # nominative genitive dative accusative instrumental locative(prepositional) vocative


def cells(genders: str = GENDERS, numbers: str = NUMBERS, cases: str = CASES) -> int:
    """The bits for every combination of the given letters: `cells("fm", "s", "n")` has two bits."""
    mask = 0
    for case in cases:
        for number in numbers:
            for gender in genders:
                both = CASES.index(case) * len(NUMBERS) + NUMBERS.index(number)
                mask |= 1 << both * len(GENDERS) + GENDERS.index(gender)
    return mask


def cells_of(row: Mapping[str, str]) -> int:
    """The cells of a table's row (columns genders, numbers, cases); where one is empty or missing, any value."""
    return cells(row.get("genders") or GENDERS, row.get("numbers") or NUMBERS, row.get("cases") or CASES)


FEMININE, MASCULINE, NEUTER = cells("f"), cells("m"), cells("n")
SINGULAR, PLURAL = cells(numbers="s"), cells(numbers="p")
ANY = cells()


def shows_one_gender(mask: int) -> bool:
    """True when exactly one of feminine and masculine is left."""
    return bool(mask & FEMININE) != bool(mask & MASCULINE)


def open_gender(mask: int) -> bool:
    """True when feminine and masculine are left."""
    return bool(mask & FEMININE and mask & MASCULINE)


class Token(NamedTuple):
    """A word of the rendering. `low` is what is looked up: lower case, straight apostrophe, NFC. Offsets are code
    points, end exclusive. An elided or contracted article is a token of its own (l' | avocate; dell' | avvocata);
    punctuation is a token too, so that a noun phrase does not run across a comma."""

    text: str
    low: str
    start: int
    end: int


class Kind(Enum):
    """What a noun form says about the person's gender, besides its cells."""

    SEXED = "sexed"  # the form tells: Lehrerin, maestra, учительница; the masculine ones yield to a feminine article
    COMMON = "common"  # one form for both: gerente, Angestellte, судья; determiner and agreement decide, else neutral
    FIXED = "fixed"  # a grammatical gender that tells nothing about the person: Person, víctima, Wache -> neutral
    THING = "thing"  # not a person: Motor, mesa -> unknown, adequate = false
    GUESS = "guess"  # not listed anywhere: the cells come from the ending; article and agreement are asked first


class Noun(NamedTuple):
    """Cells of the form (which genders, numbers, cases it can be) and what kind of noun it is."""

    cells: int
    kind: Kind


class Predicate(NamedTuple):
    """A word that agrees with the phrase as its subject (participle, predicate adjective, Slavic past tense)."""

    at: int  # token index
    cells: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """The noun phrase around `head`: tokens[first:last] (last exclusive), `head` is the noun's token index.
    `cells` is what determiners and modifiers leave open; `told_by` the indices of those that are not open."""

    first: int
    last: int
    head: int
    cells: int
    told_by: tuple[int, ...]
