"""What a language must answer so that the mender can rewrite a rendering into it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.protocol import Token


class Task(NamedTuple):
    """One rendering to rewrite. `tokens` are its words without tags and placeholders; `heads` the indices of the nouns
    that name the person, the first of them the one that the detector saw, which ends before `last`; `plural` is the
    source's number; `confidence` the detector's, that this is the person's noun; `elsewhere`: the source's he or she
    may mean somebody whom it names; `explicit`: the gender may be said by a word of its own; `others`: the source names
    another person by a noun."""

    source: str
    rendering: str
    tokens: list[Token]
    heads: list[int]
    last: int
    before: Gender
    wanted: Gender
    plural: bool
    confidence: float
    elsewhere: bool = False
    explicit: bool = False
    others: bool = False


class Rewritten(NamedTuple):
    """The new sentence and the pairs of words changed, old and new; or an empty text and the reason."""

    text: str
    changed: tuple[tuple[str, str], ...] = ()
    reason: str | None = None


class Named(NamedTuple):
    """A pronoun of the rendering that alone names a person."""

    head: int
    gender: Gender
    plural: bool


class Rewriter(ABC):
    """One target language: changes every link of the person's chain, or declines and names the link."""

    neutral = False  # True where the tables have established words for a person of any gender

    @abstractmethod
    def rewrite(self, task: Task) -> Rewritten:
        """The sentence with every link changed, or the reason why not."""

    def explicit(self, task: Task) -> Rewritten:
        """Once more, with a word that says the gender, where the source says it; few languages have one."""
        return no_form(task.wanted, task.tokens[task.heads[0]].text)

    def named(self, focus: str, tokens: list[Token]) -> Named | None:
        """The pronoun that renders a focus which is a pronoun; None for a noun."""
        return None


def declined(reason: str) -> Rewritten:
    return Rewritten("", (), reason)


def no_form(wanted: Gender, word: str) -> Rewritten:
    return declined(f"no {wanted} form of {word!r} is known")


def replaced(rendering: str, pieces: list[tuple[int, int, str]]) -> Rewritten:
    """The sentence with rendering[start:end] replaced by each piece's text, all else byte by byte."""
    text, at, changed = "", 0, []
    for start, end, new in sorted(pieces):
        if rendering[start:end] == new:
            continue
        text += rendering[at:start] + new
        changed.append((rendering[start:end].strip(), new.strip()))
        at = end
    return Rewritten(text + rendering[at:], tuple(changed))


def cased(old: str, new: str) -> str:
    """With the capitals of the word it replaces; what both begin with stays as it is written (IIHF-Auditor)."""
    letters = [letter for letter in old if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return new.upper()
    same = next((i for i, (one, two) in enumerate(zip(old.lower(), new, strict=False)) if one != two), None)
    same = min(len(old), len(new)) if same is None else same
    kept = old[:same] + new[same:]
    if old[same : same + 1].isupper():
        return kept[:same] + kept[same : same + 1].upper() + kept[same + 1 :]
    return kept
