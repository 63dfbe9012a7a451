"""An end that is missing: a rendering that breaks off.

A missing full stop proves nothing: some systems write none. A last word or mark after which a sentence must go on
proves it, and so does a length far below what the pair of languages takes. A last word that only begins a longer one,
or a length somewhat below, is a hint: where a run has many of these, it cuts its answers.
"""

from functools import cache
from typing import NamedTuple

from evenhand.detect.validity.shape import CLOSING, DOTS, END, STUMP, ended, letters
from evenhand.detect.validity.tongues import FOLDER, table, tongue
from evenhand.tsv import rows

FAR_BELOW = 0.3  # of the expected letters, without an end
BELOW = 0.6  # the same, as a hint; with a suspension point the source does not have, as a proof
MIDDLING = 10  # expected letters from which a length without an end says something ...
LONG = 40  # ... and from which one with an end does
MARKS = "".join(END) + CLOSING + ",،:;"
GOES_ON = "-–—/&(«„¿¡"  # marks after which a sentence goes on


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
