"""English sentences about one person, "she is a ...": whether what is said of the person is said to its end."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from evenhand.detect.validity.tongues import table
from evenhand.suites.pronouns.lexicon import expressions, occupations
from evenhand.tsv import rows

PERSONS = (
    Path(__file__).parents[2] / "grammar" / "german" / "persons.tsv"
)  # its first column: English nouns for persons
IS = re.compile(r"(?:he|she)(?:'s| is| was) (?P<article>an? )?(?:[\w-]+\s){0,3}(?P<last>[\w-]+)\W*$")
BEGUN = re.compile(r"(?:he|she) .*?(?P<last>\w+)\W*$")
PREDICATES = frozenset(  # stand before the last word of an occupation, but can be said of a person themselves
    "beauty child chinese criminal deputy english executive family help human member private professional student "
    "person talent western youth".split()
)
OPEN = frozenset("always often never very quite rather really such".split())  # what is said of the person follows
LEADING = frozenset("cannot no self to worth".split())  # the same in any sentence about him or her
BRIEF = frozenset(
    "apt bad big coy dry fat fit fun hip hot icy ill lax mad off old odd out raw sad shy sly tan up wry".split()
)
WORDLY = 4  # letters from which a frequent word is taken for a word of its own
SHORTEST = 3  # letters of the shortest occupation


def incomplete(rendering: str) -> str:
    """Why what is said of him or her is not said to its end; "" where it is, and where only the length could tell."""
    low = rendering.lower()
    begun = BEGUN.match(low)
    if begun and begun["last"] in LEADING:
        return f"nothing follows {begun['last']!r}"
    match = IS.match(low)
    if match is None:
        return ""
    last = match["last"].rsplit("-", 1)[-1]
    if last in OPEN or not last:
        return f"nothing follows {last!r}"
    if match["article"]:
        return f"no person follows {last!r}" if _headless(last) else ""
    return f"{last!r} is the beginning of a word" if _begins(last) else ""


def judged(rendering: str) -> bool:
    """True for a sentence that `incomplete` judges, so that its length tells nothing more."""
    return IS.match(rendering.lower()) is not None


@cache
def _begins(word: str) -> bool:
    """True for the beginning of what can be said of a person (irre, pes, in) that is nothing to be said itself."""
    known = said()
    own = word in known or word in BRIEF or (len(word) >= WORDLY and word in table("en"))
    missing = 2 if word in table("en") else 1  # letters that the longer word has more
    return not own and any(other.startswith(word) and len(other) >= len(word) + missing for other in known)


@cache
def _headless(word: str) -> bool:
    """True for an English word that stands before the last one in names of occupations (coast guard) and is never the
    last one itself, for the beginning of such a word (foot, wall), and for what is too short to be one."""
    names = [name.lower().replace("-", " ").split() for name in occupations()["english"]]
    if word in PREDICATES or word in _persons() or any(word in {name[-1], "".join(name)} for name in names):
        return False
    parts = {part for name in names for part in name}
    missing = 2 if word in table("en") else 1  # letters that the longer word has more
    longer = any(part.startswith(word) and len(part) >= len(word) + missing for part in parts)
    return len(word) < SHORTEST or word in parts or longer or (word not in table("en") and _begins(word))


@cache
def said() -> frozenset[str]:
    """The words of our expressions about persons."""
    return frozenset(part for text in expressions()["english"] for part in re.findall(r"[a-z]+", text.lower()))


@cache
def _persons() -> frozenset[str]:
    return frozenset(row["concept"] for row in rows(PERSONS))
