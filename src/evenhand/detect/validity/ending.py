"""An end that is missing: a rendering that breaks off.

A full stop alone proves nothing: some systems write none. What proves it is a last word or mark after which a sentence
must go on, a year of the source that has not come, a clause of the source that is not joined to anything; with less of
that, a length far below what the pair of languages takes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from evenhand.detect.validity.predicate import incomplete, judged, said
from evenhand.detect.validity.shape import CLOSING, DOTS, STUMP, ended, letters
from evenhand.detect.validity.tongues import FOLDER, WORD, length, table
from evenhand.suites.pronouns.lexicon import occupations
from evenhand.tsv import rows

SHORT = 0.61  # of the expected letters, where the end is missing that the source has ...
SHORT_LONG = 0.66  # ... where much is expected: long sentences vary less ...
SHORT_APART = 0.82  # ... and what joins its clauses too
SHORT_UNKNOWN = 0.72  # ... in a language of which we do not know what joins clauses
SHORT_PLAIN = 0.6  # ... where capitals are missing too: a text without punctuation
SHORT_BEGUN = 0.45  # where neither has an end, but it begins with its subject, he or she, as a whole sentence does
NEARLY = 0.9  # where the last word asks for another one, but may be the last
INSIDE = 0.8  # where it seldom is the last ...
FRAGMENT = 0.7  # ... and where it looks like the beginning of another
SHORTER = 0.35  # of the expected letters, where neither has an end
MIDDLING = 10  # expected letters from which length tells without an end
LONG = 40  # expected letters from which it tells with one ...
MUCH = 70  # ... and from which a sentence is long
OPENING = "\"'«“„¿¡([*_- "
GOES_ON = "-–—/&(«„¿¡"  # marks after which a sentence goes on
MAY_END = frozenset({"un", "une", "uno", "una", "um", "uma", "sehr", "perché"})  # seldom, but: "precisava de um"
YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)(?!00)\d\d(?![\d%]|[.,]\d)")
ARTICLE = re.compile(r"(?:^|\s)(?:an?|the|eine?[mnrs]?|de[mnrs]|d[ia][es])(?:\s(?:very|sehr))?$")
MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f"  # vowel signs are no \\w
LAST = re.compile(rf"(?:^|\s)([\w{MARKS}]+)[^\w{MARKS}]*$")


def cut_off(rendering: str, source: str, *, languages: tuple[str, str]) -> str:
    """Why the rendering seems to break off; "" where it does not. `languages` are the source's and the rendering's.

    Without a full stop: after a word or mark that asks for more, after the subject alone, inside a word, without a year
    of the source, or too short (see `_enough`). A suspension point the source does not have counts as none. With a full
    stop: when next to nothing of a long source is left.
    """
    takes = [length(language) for language in languages]
    asked = letters(source) * takes[1] / takes[0] if all(takes) else 0.0  # 0: we do not know what to expect
    share = letters(rendering) / asked if asked else 1.0
    suspended = rendering.rstrip(CLOSING).endswith(DOTS) and not source.rstrip(CLOSING).endswith(DOTS)
    if ended(rendering) and not suspended:
        return f"{share:.0%} of the length expected" if share < STUMP and asked >= LONG else ""
    stops = ended(source) or suspended
    words = rendering.lower().split()
    begun = words[0].strip(OPENING) in unfinished(languages[1]).subjects
    if begun and len(words) == 1 and len(source.split()) > 1 and (stops or share < SHORTER):
        return f"nothing follows {words[0]!r}"
    broken = _open_end(rendering, source, stops=stops, share=share) or _broken(
        rendering, source, languages[1], stops=stops or begun, share=share
    )
    if broken and not source.rstrip().endswith(":"):
        return broken
    if begun and languages[1] == "en" and judged(rendering):
        return ""
    label = not stops and len(words) > 1 and share < SHORTER and asked >= LONG
    enough = _enough(rendering, source, languages, asked) if stops else SHORT_BEGUN if begun else 0.0
    if label or (share < enough and asked >= MIDDLING):
        return f"no end, and {share:.0%} of the length expected"
    return ""


def _open_end(rendering: str, source: str, *, stops: bool, share: float) -> str:
    """A mark after which a sentence goes on, or a year of the source that has not come. A comma may stand at the end of
    a whole sentence (speech translators write some)."""
    said, asked = rendering.rstrip(), source.rstrip()
    goes_on = said[-1] in GOES_ON or (said[-1] in ",،" and share < FRAGMENT)
    if goes_on and asked[-1:] not in {*GOES_ON, *",،:;"}:
        return f"nothing follows {said[-1]!r}"
    years = YEAR.findall(asked) if stops else []
    digits = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in said)
    return f"{years[-1]} is not in it" if years and not any(year in digits for year in years) else ""


def _enough(rendering: str, source: str, languages: tuple[str, str], expected: float) -> float:
    """The share of the expected letters below which a rendering without the source's full stop is taken for a part."""
    if rendering.lstrip(OPENING)[:1].islower():
        return SHORT_PLAIN
    asked, said = (joined(text, language) for text, language in zip((source, rendering), languages, strict=True))
    if asked is None or said is None:
        return SHORT_UNKNOWN
    if asked and not said:
        return SHORT_APART
    return SHORT_LONG if expected >= MUCH else SHORT


def joined(text: str, language: str) -> bool | None:
    """True for a text of several clauses, by the words that join them or by a comma inside; None: we cannot tell."""
    known = connectors(language)
    if not known:
        return None
    inside = [word.lower() for word in WORD.findall(text)][2:-1]
    return "," in text.rstrip(" ,") or "،" in text or any(known.joins(word) for word in inside)


@cache
def connectors(language: str) -> Connectors | None:
    """What joins clauses in a language; None where we do not know."""
    for row in rows(FOLDER / "connectors.tsv"):
        if row["language"] == language:
            return Connectors(frozenset(row["words"].split()), tuple(row["prefixes"].split()))
    return None


class Connectors(NamedTuple):
    """Words and prefixes that join clauses."""

    words: frozenset[str]
    prefixes: tuple[str, ...]

    def joins(self, word: str) -> bool:
        """True for such a word, in lower case, or one with such a prefix."""
        return word in self.words or (len(word) > 2 and word.startswith(self.prefixes))


def _broken(rendering: str, source: str, language: str, *, stops: bool, share: float) -> str:
    """Whether the last word cannot be the last. What ends a label, where the source has no full stop, need not."""
    predicate = incomplete(rendering) if language == "en" else ""
    last = LAST.search(rendering.lower())
    if predicate or last is None or not last.start():
        return predicate
    ends = unfinished(language)
    n = len(rendering.split())
    never = last[1] in ends.words and (share < INSIDE or last[1] not in MAY_END)
    if never or (last[1] in ends.verbs and (n < 3 or (stops and share < INSIDE))):
        return f"nothing follows {last[1]!r}"
    if last[1] in ends.attributes and ARTICLE.search(rendering[: last.start()].lower()):
        return f"no noun follows {last[1]!r}"
    if ends.stumps and share < NEARLY and ended(source) and last[1].endswith(ends.stumps):
        return f"no verb follows {last[1]!r}"
    sentence = stops or rendering.lstrip(OPENING)[:1].isupper()
    inside = sentence and fragment(last[1], language) and last[1] not in source.lower().split()
    begun = rendering.lower().split()[0] in ends.subjects
    return f"{last[1]!r} is the beginning of a word" if inside and (begun or (n > 2 and share < FRAGMENT)) else ""


def fragment(word: str, language: str) -> bool:
    """True for what is no frequent word but begins one, or an occupation, that goes on for two letters or more; also
    for a single letter that is no word."""
    ends = unfinished(language)
    if len(word) == 1:
        return word.isalpha() and bool(ends.words) and word not in ends.letters
    if word in ends.pieces:
        return True
    return word not in table(language) and word in _beginnings(language) and word not in _lexicon(language)


@cache
def _beginnings(language: str) -> frozenset[str]:
    words = table(language).keys() | _lexicon(language)
    return frozenset(word[:n] for word in words for n in range(2, len(word) - 1))


@cache
def _lexicon(language: str) -> frozenset[str]:
    """The English words of our occupations and expressions; none for other languages."""
    if language != "en":
        return frozenset()
    return frozenset(word for name in occupations()["english"] for word in name.lower().split()) | said()


class Ends(NamedTuple):
    """What a sentence of a language cannot end with: words that never do and verbs that seldom do; the `subjects` with
    which it begins; the single `letters` that are words of their own; `attributes` that need a noun after an article;
    `pieces` that contractions leave; `stumps`, last letters of
    words after which a noun or verb follows."""

    words: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()
    stumps: tuple[str, ...] = ()


@cache
def unfinished(language: str) -> Ends:
    """Of a language without a row nothing is known."""
    for row in rows(FOLDER / "unfinished.tsv"):
        if row["language"] == language:
            sets = {column: frozenset(row[column].split()) for column in Ends._fields if column != "stumps"}
            return Ends(**sets, stumps=tuple(row["stumps"].split()))
    return Ends()
