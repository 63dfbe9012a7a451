"""Substitutes for one word of a sentence (Gonen & Webster 2020, "Perturbations"): of a masked language model's first
100 candidates the first 10 that name a person and pass the person filter again; or another adjective or verb around
it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple, get_args

from evenhand.articles import article
from evenhand.errors import Unknown
from evenhand.mining.masked_lms import MASK, MaskedLM
from evenhand.persons.finder import Finder, Outcome, Sighting
from evenhand.persons.tagging import ADJECTIVE, FULL_VERB, Tagger
from evenhand.persons.tokens import Piece, tokens

Kind = Literal["noun", "adjective", "verb"]


class Substitute(NamedTuple):
    """A sentence with another word in it. `rank` counts the model's candidates from 1; the focus is where it now is."""

    word: str
    rank: int
    score: float
    source: str
    focus_start: int
    focus_end: int


class Slot(NamedTuple):
    """The word to be masked, text[start:end], and its tag where that must stay the same."""

    start: int
    end: int
    tag: str = ""


@dataclass
class _Search:
    """The substitutes of one sentence: those accepted so far, and the candidates not looked at yet."""

    text: str
    person: Sighting
    slot: Slot
    accepted: list[Substitute] = field(default_factory=list)
    rest: Iterator[Substitute] = field(default_factory=lambda: iter(()))


class Perturber:
    """Proposes and accepts substitutes. Batched: all sentences go through the model together."""

    def __init__(self, lm: MaskedLM, finder: Finder, *, kind: Kind = "noun", top: int = 100, accept: int = 10) -> None:
        if kind not in get_args(Kind):
            raise Unknown("kind of perturbed word", kind, get_args(Kind))
        self._lm, self._finder, self._kind, self._top, self._accept = lm, finder, kind, top, accept
        self._tagger = None if kind == "noun" else Tagger()

    def substitutes(self, sentences: Sequence[str], sightings: Sequence[Sighting]) -> list[list[Substitute] | None]:
        """Accepted substitutes of each sentence, at most `accept`; None where no word of this kind is there."""
        places = [(*one, self._place(*one)) for one in zip(sentences, sightings, strict=True)]
        searches = [None if slot is None else _Search(text, person, slot) for text, person, slot in places]
        going = [search for search in searches if search is not None]
        masked = [one.text[: one.slot.start] + MASK + one.text[one.slot.end :] for one in going]
        for search, candidates in zip(going, self._lm.fill(masked, self._top), strict=True):
            search.rest = self._candidates(search, candidates)
        while going:
            going = self._round(going)
        return [None if search is None else search.accepted for search in searches]

    def _round(self, searches: Sequence[_Search]) -> list[_Search]:
        """Check as many candidates of every sentence as it still lacks, in the model's order; searches to continue."""
        asked: list[tuple[_Search, Substitute]] = []
        going = []
        for search in searches:
            missing = self._accept - len(search.accepted)
            wanted = list(islice(search.rest, missing))
            asked += [(search, candidate) for candidate in wanted]
            going += [search] if len(wanted) == missing else []
        passed = self._finder.only([candidate.source for _, candidate in asked])
        for (search, candidate), sighting in zip(asked, passed, strict=True):
            if self._fits(search, candidate, sighting):
                search.accepted.append(candidate)
        return [search for search in going if len(search.accepted) < self._accept]

    def _place(self, text: str, sighting: Sighting) -> Slot | None:
        if self._tagger is None:
            return Slot(sighting.start, sighting.end)
        words = tokens(text)
        tags = self._tagger.tag([word.text for word in words])
        at = next((i for i, word in enumerate(words) if word.start == sighting.start), None)
        if at is None:
            return None
        if self._kind == "verb":
            found = _verb_after(words, tags, at)
        else:
            found = at - 1 if at and tags[at - 1].startswith(ADJECTIVE) and words[at - 1].text.isalpha() else None
        return None if found is None else Slot(words[found].start, words[found].end, tags[found])

    def _candidates(self, search: _Search, candidates: list[tuple[str, float]]) -> Iterator[Substitute]:
        text, (start, end, _), noun = search.text, search.slot, self._kind == "noun"
        seen = {text[start:end].lower()}
        for rank, (word, score) in enumerate(candidates, 1):
            low = word.lower()
            if low in seen or not word.replace("-", "").isalpha() or len(word) < 2:
                continue
            seen.add(low)
            if noun and not self._finder.may_be_person(low):
                continue
            new, *place = replace_word(text, start, end, low)
            moved = len(new) - len(text) if start < search.person.start else 0
            focus = place if noun else [search.person.start + moved, search.person.end + moved]
            yield Substitute(new[slice(*place)], rank, score, new, *focus)

    def _fits(self, search: _Search, candidate: Substitute, sighting: Sighting) -> bool:
        """The person filter again: kept, the same place, the same number; another part of speech must keep its tag."""
        place = (candidate.focus_start, candidate.focus_end, search.person.plural)
        same = sighting.outcome is Outcome.KEPT and (sighting.start, sighting.end, sighting.plural) == place
        if not same or self._tagger is None:
            return same
        words = tokens(candidate.source)
        tags = self._tagger.tag([word.text for word in words])
        low = candidate.word.lower()
        return any(word.low == low and tag == search.slot.tag for word, tag in zip(words, tags, strict=True))


def _verb_after(words: Sequence[Piece], tags: Sequence[str], at: int) -> int | None:
    """The first full verb after a person, before any mark that is no apostrophe."""
    for i in range(at + 1, len(words)):
        if not words[i].text[0].isalnum() and not words[i].text.startswith(("'", "’")):
            return None
        if tags[i].startswith(FULL_VERB):
            return i
    return None


def cased_like(word: str, model: str) -> str:
    """The word in the capitals of the one it replaces: Doctor -> Nurse, DOCTOR -> NURSE, doctor -> nurse."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def replace_word(text: str, start: int, end: int, word: str) -> tuple[str, int, int]:
    """The text with `word` in the place text[start:end], in its capitals, after an article that agrees; and where the
    word now is."""
    new, before = cased_like(word, text[start:end]), text[:start]
    if old := re.search(r"(?<![\w'’.-])(an?|AN?|An?)(\s+)$", before):
        right = article(new)
        if old[1] == "AN" or (old[1] == "A" and len(new) > 1 and new.isupper()):
            right = right.upper()
        elif old[1][0].isupper():
            right = right.capitalize()
        before = before[: old.start(1)] + right + old[2]
    return before + new + text[end:], len(before), len(before) + len(new)
