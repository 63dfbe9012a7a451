"""The shape of a rendering beside its source: loops, one word for a sentence, markup, an end that is missing. A missing
full stop proves nothing: some systems write none. A last word or mark after which a sentence must go on proves that a
rendering breaks off, and so does a length far below what the pair of languages takes. A last word that only begins a
longer one, or a length somewhat below, is a hint: where a run has many of these, it cuts its answers."""

import html
import json
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from evenhand.detect.validity.tongues import FOLDER, table, tongue
from evenhand.tsv import rows

END = frozenset(".!?…。！？؟۔।|։።။།")
CLOSING = "\"'»”’“„«)]}>›」』*_ \t\r\n"
LOOP_WORDS = 8  # a repeated stretch is at most this long
LONG_WORD = 45
SENTENCE = 5  # source words from which one word cannot be its rendering ...
SENTENCE_DENSE = 10  # ... in a language that says much in a word
BRIEF = 3  # source words from which one or two letters cannot
STUMP = 0.2  # of the expected letters, whatever the end
DOTS = ("…", "...")
FAR_BELOW = 0.3  # of the expected letters, without an end
BELOW = 0.6  # the same, as a hint; with a suspension point the source does not have, as a proof
MIDDLING = 10  # expected letters from which a length without an end says something ...
LONG = 40  # ... and from which one with an end does
MARKS = "".join(END) + CLOSING + ",،:;"
GOES_ON = "-–—/&(«„¿¡"  # marks after which a sentence goes on
NOTE = re.compile(
    r"[\s(\[*_]+(?:translator'?s )?(?:note|notes|anmerkung|hinweis|nota|remarque|explanation|примечание)\s*:",
    re.IGNORECASE,
)
TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,400}>")
PAGE = re.compile(r"<!doctype|<html|<body|<head[ >]|<\?xml", re.IGNORECASE)
_INSIDE = re.compile(r"(?<=[^\W\d_])(?:@(?=s?\b)|\(([^\W\d_]{1,4})\)(?=[^\W\d_]))")
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


def suspicious(text: str, source: str) -> bool:
    """True for what may hold markup, breaks off in dots, or is a stump of its source."""
    return "<" in text or "{" in text or text.endswith(DOTS) or len(text) < STUMP * len(source)


def around(words: Sequence[str], source: Sequence[str]) -> list[str] | None:
    """The words around the source, where they hold it whole; else None."""
    first, n = source[0], len(source)
    for i in range(len(words) - n + 1):
        if words[i] == first and list(words[i : i + n]) == list(source):
            return [*words[:i], *words[i + n :]]
    return None


def spelt_out(text: str) -> str:
    """A text whose notations of both genders are words: todos for tod@s, Користувачки for Користувач(к)и."""
    return _INSIDE.sub(lambda mark: mark[1] or "o", text) if "@" in text or "(" in text else text


def letters(text: str) -> int:
    """How many letters a text has."""
    return sum(map(str.isalpha, text))


def degenerate(words: Sequence[str], source: Sequence[str], *, size: int, asked: int, dense: bool) -> str:
    """Why the words cannot be a rendering: a loop, or next to nothing for a sentence; "" where they can. `size` of the
    rendering and `asked` of the source are in words (half the letters where there are no blanks); a `dense` language
    needs fewer of them."""
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
            return Unwrapped(text, "it is an error message")
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


class Cut(NamedTuple):
    """Why a rendering seems to break off; a hint alone does not refuse it."""

    why: str
    hint: bool = False


def cut_off(rendering: str, source: str, *, languages: tuple[str, str]) -> Cut | None:
    """What shows that the rendering breaks off; None where nothing does. `languages`: the source's, the rendering's."""
    takes = [tongue(language).length for language in languages]
    asked = letters(source) * takes[1] / takes[0] if all(takes) else 0.0  # 0: we do not know what to expect
    share = letters(rendering) / asked if asked >= MIDDLING else 1.0
    below = f"{share:.0%} of the length expected"
    suspended = rendering.rstrip(CLOSING).endswith(DOTS) and not source.rstrip(CLOSING).endswith(DOTS)
    if ended(rendering) and not suspended:
        return Cut(below) if share < STUMP and asked >= LONG else None
    stops = ended(source)
    if share < (BELOW if suspended else FAR_BELOW) and (stops or asked >= LONG):
        return Cut(f"no end, and {below}")
    return _last_word(rendering, source, languages) or (Cut(below, hint=True) if share < BELOW else None)


def _last_word(rendering: str, source: str, languages: tuple[str, str]) -> Cut | None:
    """A mark or a word after which a sentence goes on; as a hint, the beginning of a longer word."""
    said, asked = rendering.rstrip(), source.rstrip()
    words, sources = (text.lower().split() for text in (rendering, source))
    if asked[-1:] in {*GOES_ON, *",،:;"} or len(sources) < 2:
        return None
    if said[-1] in GOES_ON:
        return Cut(f"nothing follows {said[-1]!r}")
    last, ends = words[-1].strip(MARKS), unfinished(languages[1])
    if len(words) == 1 and last in ends.subjects:
        return Cut(f"nothing follows {last!r}")
    label = not ended(source) and sources[-1] in unfinished(languages[0]).words  # "Log in to"
    if len(words) > 1 and last in ends.words and not label:
        return Cut(f"nothing follows {last!r}")
    if last in ends.seldom or (last not in sources and _begins(last, languages[1])):
        return Cut(f"{last!r} is the beginning of a word", hint=True)
    return None


@cache
def _begins(word: str, language: str) -> bool:
    """True for what is no frequent word but begins one."""
    return word not in table(language) and any(
        other.startswith(word) and len(other) > len(word) + 1 for other in table(language)
    )


class Ends(NamedTuple):
    """What a sentence of a language does not end with: `words` that never end one, words that `seldom` do; `subjects`:
    pronouns that open one."""

    words: frozenset[str] = frozenset()
    seldom: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()


@cache
def unfinished(language: str) -> Ends:
    """Of a language without a row nothing is known."""
    for row in rows(FOLDER / "unfinished.tsv"):
        if row["language"] == language:
            return Ends(*(frozenset(row[column].split()) for column in Ends._fields))
    return Ends()
