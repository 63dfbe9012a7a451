"""The study's first filter: sentences with exactly one person, named by a noun that leaves the gender open.

Gonen & Webster 2020, "Filtering source sentences": one human entity, not a gendered term (mother), not a name, a noun.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from evenhand.errors import BadInput, Unknown
from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.tagging import OPENING, Tagger, is_name, is_noun
from evenhand.persons.tokens import Token, tokens
from evenhand.remembered import remembered

PRONOUNS = frozenset("he she him her his hers himself herself he's she's".split())
DETERMINERS = frozenset("a an the my your our their this that each every another any some no one".split())
WHEN_AND_WHERE = frozenset("home today yesterday tomorrow tonight".split())  # tagged nouns, but no heads of a compound


class Outcome(StrEnum):
    """What became of a sentence; all but `kept` are rows of the funnel."""

    KEPT = "kept"
    NO_PERSON = "no person noun"
    SEVERAL = "more than one person"
    GENDERED = "a gendered noun, title or pronoun"
    NAME = "a name or a title before a name"


class Sighting(NamedTuple):
    """The one person noun of a sentence (offsets, end exclusive, its number), or why there is none."""

    outcome: Outcome
    start: int = -1
    end: int = -1
    plural: bool = False


class PersonFinder(Protocol):
    """Finds the one person noun. Pure: a sighting depends on its own sentence and the finder's data."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def find(self, sentences: Sequence[str]) -> list[Sighting]:
        """One sighting a sentence, in order."""

    def may_be_person(self, word: str) -> bool:
        """Cheap and without context: False when the word can never be accepted. True when that cannot be said."""


class Marked(NamedTuple):
    """A token with what a finder knows about it."""

    token: Token
    person: bool = False
    gendered: bool = False
    name: bool = False
    plural: bool = False


def settle(marked: Sequence[Marked]) -> Sighting:
    """The rule that all finders share, once they have marked the tokens."""
    if any(m.token.low in PRONOUNS for m in marked):
        return Sighting(Outcome.GENDERED)
    persons = [m for m in marked if m.person or m.gendered]
    if not any(m.person for m in persons):
        return Sighting(Outcome.GENDERED if persons else Outcome.NO_PERSON)
    if any(m.name for m in marked):
        return Sighting(Outcome.NAME)
    if any(m.gendered for m in persons):
        return Sighting(Outcome.GENDERED)
    if len(persons) > 1:
        return Sighting(Outcome.SEVERAL)
    only = persons[0]
    return Sighting(Outcome.KEPT, only.token.start, only.token.end, only.plural)


class LexiconFinder:
    """The lexicon of person nouns together with our tagger's tags; needs no download.

    A lexicon word counts when it is tagged a noun, or stands right after a determiner (the tagger errs). It does not
    count as the first part of a compound, which is singular ("customer service", "student nurse": only the nurse).
    Names are capitalised words inside a sentence that are known first names, follow a title, or are neither in a list
    of places and times nor known as common words; members of a people (Estonians) count as names too, because no
    substitute fits them.
    """

    def __init__(self, *, threshold: float = 0.5) -> None:
        self.lexicon = PersonLexicon(threshold=threshold)
        self.tagger = Tagger()
        self._entry = remembered(self.lexicon.look_up)
        self.name = "lexicon"
        self.fingerprint = f"lexicon-{self.lexicon.fingerprint}-{self.tagger.fingerprint}"

    def may_be_person(self, word: str) -> bool:
        return self.lexicon.may_be_person(word)

    def find(self, sentences: Sequence[str]) -> list[Sighting]:
        cut = [tokens(sentence) for sentence in sentences]
        sighted = [self._untagged(words) for words in cut]
        open_ = [n for n, sighting in enumerate(sighted) if sighting is None]
        tagged = self.tagger.tag_all([self._all_plain(cut[n]) for n in open_])
        settled = {
            n: settle([self._mark(cut[n], tags, i) for i in range(len(tags))])
            for n, tags in zip(open_, tagged, strict=True)
        }
        return [sighting or settled[n] for n, sighting in enumerate(sighted)]

    def persons(self, sentence: str) -> list[Sighting]:
        """Every noun for a person that leaves the gender open, in order; not names, nor titles before names."""
        marked = self.marks(sentence)
        return [Sighting(Outcome.KEPT, m.token.start, m.token.end, m.plural) for m in marked if m.person and not m.name]

    def marks(self, sentence: str) -> list[Marked]:
        """Every token with what is known about it; nothing for a sentence that can name no person by a noun."""
        return self.marks_all([sentence])[0]

    def marks_all(self, sentences: Sequence[str]) -> list[list[Marked]]:
        """The same of many sentences, which are tagged together."""
        marked: list[list[Marked]] = [[] for _ in sentences]
        cut = [(place, words) for place, text in enumerate(sentences) if self._names_someone(words := tokens(text))]
        tagged = self.tagger.tag_all([self._all_plain(words) for _, words in cut])
        entry, gendered, make = self._entry, self.lexicon.gendered, tuple.__new__
        for (place, words), tags in zip(cut, tagged, strict=True):
            marked[place] = [
                make(Marked, (word, False, False, False, False))  # most words; three times as fast as the constructor
                if not word.text[0].isupper() and entry(low := word.low) is None and low.rstrip(".") not in gendered
                else self._mark(words, tags, i)
                for i, word in enumerate(words)
            ]
        return marked

    def _names_someone(self, words: list[Token]) -> bool:
        look_up, gendered = self._entry, self.lexicon.gendered
        return any(look_up(low := word.low) or low in gendered for word in words)

    def _untagged(self, words: list[Token]) -> Sighting | None:
        """What is plain without tags: most sentences name nobody, and need none. None where tags must tell."""
        if not any(self.lexicon.look_up(w.low) for w in words):
            gendered = any(w.low in self.lexicon.gendered for w in words)
            return Sighting(Outcome.GENDERED if gendered else Outcome.NO_PERSON)
        return Sighting(Outcome.GENDERED) if any(w.low in PRONOUNS for w in words) else None

    def _mark(self, words: list[Token], tags: list[str], i: int) -> Marked:
        word, low = words[i], words[i].low
        entry, told = self._entry(low), low.rstrip(".") in self.lexicon.gendered
        if entry is None and not told and not word.text[0].isupper():
            return Marked(word)  # most words
        gendered = told and (is_noun(tags[i]) or is_name(tags[i]))
        if gendered and (titled := self._before_capital(words, i)):
            return Marked(word, gendered=titled == "name", name=titled == "name")
        if gendered and self._before_thing(words, tags, i):
            return Marked(word)  # mother tongue
        if entry is None or gendered:
            return Marked(word, gendered=gendered, name=self._is_name(words, tags, i))
        before = words[i - 1].low if i else ""
        compound = not entry[1] and self._noun_follows(words, tags, i)
        if compound or not (is_noun(tags[i]) or is_name(tags[i]) or before in DETERMINERS):
            return Marked(word)
        if self._is_title(words, i):
            return Marked(word, person=True, name=True)
        return Marked(word, person=True, plural=entry[1])

    def _before_capital(self, words: list[Token], i: int) -> str:
        """What follows a gendered title: a "name" (Mrs Hughes), an "office" (Mr President), or neither ("")."""
        after = words[i + 1] if i + 1 < len(words) else None
        titled = words[i].low.rstrip(".") in self.lexicon.titles and words[i].text[:1].isupper()
        if not titled or after is None or not after.text[:1].isupper():
            return ""
        entry = self._entry(after.low)
        office = entry is not None and not entry[0].gender and after.low.rpartition("-")[2] in self.lexicon.titles
        return "office" if office else "name"

    def _before_thing(self, words: list[Token], tags: list[str], i: int) -> bool:
        """A gendered noun in the singular right before a noun that names no person."""
        if i + 1 == len(words) or not is_noun(tags[i + 1]) or words[i + 1].start - words[i].end != 1:
            return False
        after, low = words[i + 1].low, words[i].low
        person = self._entry(after) is not None or after in self.lexicon.gendered
        return not person and low not in self.lexicon.plurals and not low.endswith("men")

    def _all_plain(self, words: list[Token]) -> list[str]:
        return [word.text if word.text == word.low else self._plain(words, i) for i, word in enumerate(words)]

    def _plain(self, words: list[Token], i: int) -> str:
        """The word as the tagger should see it: a common word's capital may only open a sentence or a quotation."""
        text = words[i].text
        small = self._opens(words, i) and text not in self.lexicon.names and self.tagger.is_common(words[i].low)
        return text.lower() if small else text

    def _opens(self, words: list[Token], i: int) -> bool:
        return i == 0 or words[i - 1].text in OPENING

    def _is_title(self, words: list[Token], i: int) -> bool:
        """President Lincoln, Comrade Adair, the Tin Woodman; but not "Yes, Doctor" nor "the boss of Paramount"."""
        before, after = (words[k].text if 0 <= k < len(words) else "" for k in (i - 1, i + 1))
        if words[i].low in self.lexicon.titles and _is_capitalised(after):
            return True
        if not _is_capitalised(words[i].text) or self._opens(words, i):
            return False
        if before.lower() not in DETERMINERS and words[i].low not in self.lexicon.titles:
            return True  # "said Harper"
        return _is_capitalised(after) or (_is_capitalised(before) and not self._opens(words, i - 1))

    def _is_name(self, words: list[Token], tags: list[str], i: int) -> bool:
        text = words[i].text
        if words[i].low.rstrip(".") in self.lexicon.titles and text[:1].isupper() and text.endswith("."):
            return True
        if not _is_capitalised(text):
            return False
        listed, opens = text in self.lexicon.names, self._opens(words, i)
        if text in self.lexicon.peoples or (listed and (is_name(tags[i]) or not opens)):
            return True
        called = i > 0 and words[i - 1].text == "," and (i + 1 == len(words) or words[i + 1].text in ".!?")  # "Bart?"
        if not is_name(tags[i]) and (opens or not called):
            return False
        return text.partition("-")[0] not in self.lexicon.not_persons and not self._is_thing(words, tags, i)

    def _noun_follows(self, words: list[Token], tags: list[str], i: int) -> bool:
        """A noun, or a common word that has a capital because it belongs to a title ("Member States")."""
        if i + 1 == len(tags) or words[i + 1].low in WHEN_AND_WHERE:
            return False
        return is_noun(tags[i + 1]) or (is_name(tags[i + 1]) and self.tagger.is_common(words[i + 1].low))

    def _is_thing(self, words: list[Token], tags: list[str], i: int) -> bool:
        """Names of persons have no determiner ("a Rolex"; but "the Munchkins") and end in no common word (River Road).

        What counts is the whole run of words with a capital.
        """
        first = last = i
        while first > 0 and words[first].low not in DETERMINERS and _is_capitalised(words[first].text):
            first -= 1
        while last + 1 < len(words) and _is_capitalised(words[last + 1].text):
            last += 1
        several = words[i].text.endswith("s") and not self._noun_follows(words, tags, i)
        return self.tagger.is_common(words[last].low) or (words[first].low in DETERMINERS and not several)


def _is_capitalised(text: str) -> bool:
    """Abbot, but neither CEO nor I."""
    return len(text) > 1 and text[0].isupper() and text[1:].islower()


def open_finder(spec: str, *, threshold: float = 0.5) -> PersonFinder:
    """`lexicon` (the default), `spacy:PIPELINE` or `hf:NAME_OR_DIR` (a token-classification model)."""
    kind, _, argument = spec.partition(":")
    if kind == "lexicon":
        return LexiconFinder(threshold=threshold)
    if kind not in ("spacy", "hf"):
        raise Unknown("person finder", kind, ("lexicon", "spacy", "hf"))
    if not argument:
        raise BadInput(
            f"the person finder {kind} takes an argument: {kind}:{'PIPELINE' if kind == 'spacy' else 'NAME_OR_DIR'}"
        )
    from evenhand.persons import models as finders

    return finders.SpacyFinder(argument) if kind == "spacy" else finders.TokenClassFinder(argument)
