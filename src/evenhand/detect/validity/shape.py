"""The shape of a rendering beside its source: loops, one word for a sentence, an end that is missing, markup."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from evenhand.detect.validity.tongues import FOLDER, length, table
from evenhand.suites.pronouns.lexicon import occupations
from evenhand.tsv import rows

END = frozenset(".!?…。！？؟۔।|։።။།")
CLOSING = "\"'»”’“„«)]}>›」』*_ \t\r\n"
LOOP_WORDS = 8  # a repeated stretch is at most this long
LONG_WORD = 45
SENTENCE = 5  # source words from which one word cannot be its rendering ...
SENTENCE_DENSE = 10  # ... in a language that says much in a word
BRIEF = 3  # source words from which one or two letters cannot
SHORT = 0.72  # of the expected letters, where the end is missing that the source has ...
SHORT_PLAIN = 0.6  # ... and capitals too: a text without punctuation
SHORT_BEGUN = 0.45  # where neither has an end, but it begins with its subject, he or she, as a whole sentence does
SHORTER = 0.35  # of the expected letters, where neither has an end
STUMP = 0.2  # of the expected letters, whatever the end
MIDDLING = 10  # expected letters from which length tells without an end
LONG = 40  # expected letters from which it tells with one
OPENING = "\"'«“„¿¡([*_- "
DOTS = ("…", "...")
NOTE = re.compile(
    r"[\s(\[*_]+(?:translator'?s )?(?:note|notes|anmerkung|hinweis|nota|remarque|explanation|примечание)\s*:",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"(?:^|\s)(?:an?|the|eine?[mnrs]?|de[mnrs]|d[ia][es])(?:\s(?:very|sehr))?$")
COPULA = re.compile(r"(?:he|she)(?:'s| is| was) an? (?:[\w-]+\s){0,3}[\w-]+\W*$")
MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f"  # vowel signs are no \\w
PREDICATES = frozenset(  # stand before the last word of an occupation, but can be said of a person themselves
    "beauty child chinese criminal deputy english executive family help human member private professional student "
    "talent western youth".split()
)
LAST = re.compile(rf"(?:^|\s)([\w{MARKS}]+)[^\w{MARKS}]*$")
TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,400}>")
PAGE = re.compile(r"<!doctype|<html|<body|<head[ >]|<\?xml", re.IGNORECASE)
FAULTS = frozenset({"error", "errors", "message", "code", "status", "detail", "statuscode", "fault"})


def loops(words: Sequence[str]) -> bool:
    """True when a stretch of one to LOOP_WORDS words, said four times on end or more, fills most of the text."""
    n = len(words)
    for size in range(1, min(LOOP_WORDS, n // 4) + 1):
        run = 0
        for i in range(size, n):
            run = run + 1 if words[i] == words[i - size] else 0
            if run >= 3 * size and run + size > n / 2:
                return True
    return False


def stutters(word: str) -> bool:
    """True for a very long "word" made of few letters: aaaaaaaa…, hahahaha…"""
    return len(word) > LONG_WORD and len(set(word)) < 10


def ended(text: str) -> bool:
    """True for a text that ends as a sentence does."""
    stripped = text.rstrip(CLOSING)
    return stripped[-1:] in END


def cut_off(rendering: str, source: str, *, languages: tuple[str, str]) -> str:
    """Why the rendering seems to break off; "" where it does not. `languages` are the source's and the rendering's.

    Without a full stop: after a word that asks for another one, after the subject alone, inside a word, or far too
    short. A suspension point the source does not have counts as none. With a full stop: when next to nothing of a long
    source is left.
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
    broken = _broken(rendering, source, languages[1], stops=stops or begun, share=share)
    if broken and not source.rstrip().endswith(":"):
        return broken
    plain = rendering.lstrip(OPENING)[:1].islower()
    enough = (SHORT_PLAIN if plain else SHORT) if stops else SHORT_BEGUN if begun else 0.0
    label = not stops and len(words) > 1 and share < SHORTER and asked >= LONG
    if label or (share < enough and asked >= MIDDLING):
        return f"no end, and {share:.0%} of the length expected"
    return ""


def _broken(rendering: str, source: str, language: str, *, stops: bool, share: float) -> str:
    """Whether the last word cannot be the last. What ends a label, where the source has no full stop, need not."""
    last = LAST.search(rendering.lower())
    if last is None or not last.start():
        return ""
    ends = unfinished(language)
    n = len(rendering.split())
    if last[1] in ends.words or (last[1] in ends.verbs and (stops or n < 3)):
        return f"nothing follows {last[1]!r}"
    if last[1] in ends.attributes and ARTICLE.search(rendering[: last.start()].lower()):
        return f"no noun follows {last[1]!r}"
    if language == "en" and COPULA.match(rendering.lower()) and _headless(last[1]):
        return f"no person follows {last[1]!r}"
    sentence = stops or rendering.lstrip(OPENING)[:1].isupper()
    inside = sentence and n > 2 and share < 1 and fragment(last[1], language) and last[1] not in source.lower().split()
    return f"{last[1]!r} is the beginning of a word" if inside else ""


def fragment(word: str, language: str) -> bool:
    """True for what is no frequent word but begins one, or an occupation, that goes on for two letters or more; also
    for a single letter that is no word."""
    ends = unfinished(language)
    if len(word) == 1:
        return word.isalpha() and bool(ends.words) and word not in ends.letters
    if word in ends.pieces:
        return True
    return word not in table(language) and word in _beginnings(language) and word not in _occupations(language)


@cache
def _beginnings(language: str) -> frozenset[str]:
    words = table(language).keys() | _occupations(language)
    return frozenset(word[:n] for word in words for n in range(2, len(word) - 1))


@cache
def _occupations(language: str) -> frozenset[str]:
    """The words of English names of occupations; none for other languages."""
    if language != "en":
        return frozenset()
    return frozenset(word for name in occupations()["english"] for word in name.lower().split())


@cache
def _headless(word: str) -> bool:
    """True for an English word that stands before the last one in names of occupations (coast guard) and is never the
    last one itself, for the beginning of such a word, and for what is too short to be one."""
    heads = PREDICATES | {name.lower().split()[-1] for name in occupations()["english"]}
    words = _occupations("en")
    known = word in words or word in table("en")
    if word in heads:
        return False
    return len(word) < 3 or (word in words if known else any(w.startswith(word) for w in words))


def around(words: Sequence[str], source: Sequence[str]) -> list[str] | None:
    """The words around the source, where they hold it whole; else None."""
    first, n = source[0], len(source)
    for i in range(len(words) - n + 1):
        if words[i] == first and list(words[i : i + n]) == list(source):
            return [*words[:i], *words[i + n :]]
    return None


def letters(text: str) -> int:
    """How many letters a text has."""
    return sum(map(str.isalpha, text))


class Ends(NamedTuple):
    """What a sentence of a language cannot end with: words that never do and verbs that seldom do; the `subjects` with
    which it begins; the single `letters` that are words of their own; `attributes` that need a noun after an article;
    `pieces` that contractions leave."""

    words: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()


@cache
def unfinished(language: str) -> Ends:
    """Of a language without a row nothing is known."""
    for row in rows(FOLDER / "unfinished.tsv"):
        if row["language"] == language:
            return Ends(*(frozenset(row[column].split()) for column in Ends._fields))
    return Ends()


def degenerate(words: Sequence[str], source: Sequence[str], *, size: int, asked: int, dense: bool) -> str:
    """Why the words cannot be a rendering: a loop, or next to nothing for a sentence; "" where they can.

    `size` of the rendering and `asked` of the source are in words (half the letters where there are no blanks); a
    `dense` language needs fewer of them.
    """
    if size <= 1:
        said = sum(map(len, words)) * (2 if dense else 1)
        many = asked >= (SENTENCE_DENSE if dense else SENTENCE)
        if many or (asked >= BRIEF and said < 3) or (asked > 1 and said < 2):
            return f"{words[0]!r} stands for {asked} words"
    if any(stutters(word) for word in words) or (loops(words) and not loops(source)):
        return "it repeats the same words over and over"
    return ""


def parts(text: str) -> list[str]:
    """The lines of a text and what stands before a note: of an answer that explains itself one may be a rendering."""
    note = NOTE.search(text)
    lines = [*([text[: note.start()]] if note else []), *text.splitlines()]
    return [line for line in lines if line.strip() and line != text]


class Unwrapped(NamedTuple):
    """The text inside markup, or the fault that the markup shows."""

    text: str
    fault: str = ""


def markup(text: str) -> Unwrapped:
    """A text without tags; of a JSON object its strings. A web page or an object with an error is a fault."""
    if PAGE.search(text):
        return Unwrapped(text, "it is a web page")
    value = _structured(text)
    if value is not None:
        if isinstance(value, dict) and not FAULTS.isdisjoint(str(key).lower().replace("_", "") for key in value):
            return Unwrapped(text, "it is an object that tells of an error")
        return Unwrapped("\n".join(_texts(value)))
    return Unwrapped(html.unescape(TAG.sub(" ", text)).strip() if "<" in text else text)


def _structured(text: str) -> dict[str, object] | list[object] | None:
    """The object or list a JSON text holds, else None."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _texts(value: object) -> list[str]:
    """All strings among the values of a JSON object."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]
