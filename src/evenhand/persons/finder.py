"""Finds the persons of English texts: by our lexicon and tagger, or by a model of the user's (`models`).

A lexicon word counts when it is tagged a noun, or stands right after a determiner (the tagger errs). As the first part
of a compound, in the singular, it is attributive ("customer service"). Names are capitalised words inside a sentence
that are known first names, follow a title, or are neither in a list of places and times nor known as common words;
members of a people (Estonians) count as names too.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple, Protocol, get_args

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.persons.lexicon import DATA, PersonLexicon
from evenhand.persons.senses import Domain, Senses
from evenhand.persons.stated import PRONOUNS, Marked, Reading, Says, stated
from evenhand.persons.tagging import OPENING, Tagger, is_name, is_noun
from evenhand.persons.tokens import Piece, tokens
from evenhand.remembered import remembered
from evenhand.tsv import rows

Kind = Literal["noun", "attributive", "pronoun"]
DOMAINS: tuple[Domain, ...] = get_args(Domain)
KINDS: tuple[Kind, ...] = get_args(Kind)
NOUNS: tuple[Kind, ...] = ("noun",)
FEW = 64  # texts below which columns are no quicker than single texts
DETERMINERS = frozenset("a an the my your our their this that each every another any some no one".split())
WHEN_AND_WHERE = frozenset("home today yesterday tomorrow tonight".split())  # tagged nouns, but no heads of a compound
_PIECES = r"\p{L}+"
_TITLE_CASE = re.compile(r"(?<=\s)[A-Z](?=[a-z])")
_SMALL = frozenset("a an and as at by for from in into of on or per the to via with your".split())


class Person(NamedTuple):
    """A person that a text names: where (offsets, end exclusive), what the text says of the gender, and by which word.

    `kind`: a noun, a noun before another one ("patient name"), or an indefinite pronoun. `gendered`: the noun itself
    states the gender (mother). `thing`: the word may name a
    program or a company here, and nothing shows a person; verbs do not judge it. `sure`: how likely it is a person.
    """

    start: int
    end: int
    plural: bool = False
    says: Says = "open"
    by: str = ""
    kind: Kind = "noun"
    gendered: bool = False
    thing: bool = False
    sure: float = 1.0


class Outcome(StrEnum):
    """What became of a sentence that should name exactly one person; all but `kept` are rows of a funnel."""

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
    """Finds persons. Pure: an answer depends on its own text and the finder's data."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def only(self, sentences: Sequence[str]) -> list[Sighting]:
        """One sighting per sentence, in order."""

    def may_be_person(self, word: str) -> bool:
        """Cheap and without context: False when the word can never be accepted. True when that cannot be said."""


class Finder(ABC):
    """What all finders share once a text's words are marked: who is a person, and what the text says of them.

    `persons` and `things` are the user's own words for either, lower case.
    """

    name: str
    fingerprint: str

    def __init__(
        self,
        *,
        domain: Domain = "prose",
        threshold: float = 0.5,
        persons: Iterable[str] = (),
        things: Iterable[str] = (),
    ) -> None:
        if domain not in DOMAINS:
            raise Unknown("kind of text", domain, DOMAINS)
        self.domain: Domain = domain
        self.lexicon = PersonLexicon(threshold=threshold)
        self._senses = Senses(self.lexicon, self.is_common, domain=domain, persons=persons, things=things)
        self._entry = remembered(self.lexicon.look_up)

    @abstractmethod
    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        """The marked words of each text; None where no word can name a person. Without `spoken`, a text that says he
        or she may be left unmarked."""

    def is_common(self, low: str) -> bool:
        """True for a word known, written small, as something else than a name."""
        return low.islower()

    def may_be_person(self, word: str) -> bool:
        return self.lexicon.may_be_person(word)

    def find(self, text: str) -> list[Person]:
        """Every person of one text, of every kind."""
        return self.find_all([text], kinds=KINDS)[0]

    def find_all(self, texts: Sequence[str], *, kinds: Collection[Kind] = NOUNS) -> list[list[Person]]:
        """The persons of each text in order. Texts are read together, which is much faster than one by one."""
        if self.domain == "interface":
            texts = [decapitalised(text) for text in texts]
        found: list[list[Person]] = [[] for _ in texts]
        readings = [(place, reading) for place, reading in enumerate(self.read(texts)) if reading]
        phrases = self._senses.phrases([reading.text for _, reading in readings]) if readings else []
        for (place, reading), said in zip(readings, phrases, strict=True):
            found[place] = list(self._persons(reading, said, kinds))
        if kinds != NOUNS:
            indefinite = _indefinite if "pronoun" in kinds else lambda _: ()
            found = [sorted((*some, *indefinite(text))) for some, text in zip(found, texts, strict=True)]
        return found

    def only(self, sentences: Sequence[str]) -> list[Sighting]:
        """The study's first filter (Gonen & Webster 2020): one human entity, no gendered term, no name, a noun."""
        readings = self.read(sentences, spoken=False)
        texts = [reading.text for reading in readings if reading]
        phrases = iter(self._senses.phrases(texts) if texts else [])
        return [self._only(reading, next(phrases)) if reading else Sighting(Outcome.NO_PERSON) for reading in readings]

    def stated(self, text: str, start: int) -> Says:
        """What the text says of the person named at `start`, whether or not the word is known as one."""
        reading = self.read([text])[0] or Reading(text, tokens(text), [])
        named = [m for m in reading.marks if (m.person or m.gendered) and not m.name]
        at = next((n for n, word in enumerate(reading.words) if word.start <= start < word.end), None)
        if at is None:
            return "open"
        here = next((m for m in named if m.at == at), None)
        if here is None:
            here = Marked(at, reading.words[at], person=True)
            named.append(here)
        return stated(reading, named, self.lexicon)[named.index(here)][0]

    def _singular(self, low: str) -> str:
        entry = self._entry(low)
        return (entry[0].noun if entry else low.removesuffix("s")).rpartition("-")[2]

    def _persons(
        self, reading: Reading, phrases: Sequence[tuple[int, int]], kinds: Collection[Kind] = NOUNS
    ) -> Iterator[Person]:
        senses, named = self._senses, []
        for mark in reading.marks:
            if mark.attributive and "attributive" in kinds:
                says, by = stated(reading, [mark], self.lexicon)[0] if mark.gendered else ("open", "")
                start, end = mark.word.start, mark.word.end
                yield Person(start, end, False, says, by, "attributive", mark.gendered, False, mark.share)
            if not (mark.person or mark.gendered) or mark.name or mark.attributive:
                continue
            noun = self._singular(mark.word.low)
            if not senses.is_thing(reading, mark, noun):
                named.append((mark, noun))
        if not named:
            return
        marks = [mark for mark, _ in named]
        for (mark, noun), (says, by) in zip(named, stated(reading, marks, self.lexicon), strict=True):
            start, end = mark.word.start, mark.word.end
            if mark.gendered and any(other.word.start - end == 1 for other in marks):
                continue  # a woman pilot is one person
            if any(first <= start < last for first, last in phrases):
                continue
            place = senses.place(reading.text, mark, noun, says)
            if not senses.names_no_one(place):
                thing = senses.may_be_thing(place._replace(says="open") if mark.gendered else place)
                sure = mark.share / 2 if thing else mark.share
                yield Person(start, end, mark.plural, says, by, "noun", mark.gendered, thing, sure)

    def _only(self, reading: Reading, phrases: Sequence[tuple[int, int]]) -> Sighting:
        marks = reading.marks
        if any(word.low in PRONOUNS for word in reading.words):
            return Sighting(Outcome.GENDERED)
        persons = list(self._persons(reading, phrases))
        gendered = any(m.gendered and not m.attributive for m in marks)
        if all(person.thing for person in persons) and not any(m.person and m.name for m in marks):
            return Sighting(Outcome.GENDERED if gendered else Outcome.NO_PERSON)
        if any(m.name for m in marks):
            return Sighting(Outcome.NAME)
        if gendered:
            return Sighting(Outcome.GENDERED)
        if len(persons) > 1:
            return Sighting(Outcome.SEVERAL)
        return Sighting(Outcome.KEPT, persons[0].start, persons[0].end, persons[0].plural)


class LexiconFinder(Finder):
    """The lexicon of person nouns together with our tagger's tags; needs no download."""

    name = "lexicon"

    def __init__(
        self,
        *,
        domain: Domain = "prose",
        threshold: float = 0.5,
        persons: Iterable[str] = (),
        things: Iterable[str] = (),
    ) -> None:
        self.tagger = Tagger()
        super().__init__(domain=domain, threshold=threshold, persons=persons, things=things)
        self._may_name = _Words(self.lexicon)
        self.fingerprint = f"lexicon-{self.lexicon.fingerprint}-{self.tagger.fingerprint}-{data_hash()}"

    def is_common(self, low: str) -> bool:
        return self.tagger.is_common(low)

    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        maybe = self._may_name(texts)
        cut = [(place, tokens(texts[place])) for place in maybe]
        cut = [(place, words) for place, words in cut if self._names_someone(words)]
        readings: list[Reading | None] = [None] * len(texts)
        if not spoken:
            for place, words in cut:
                readings[place] = Reading(texts[place], words, [])
            cut = [(place, words) for place, words in cut if not any(word.low in PRONOUNS for word in words)]
        tagged = self.tagger.tag_all([self._all_plain(words) for _, words in cut])
        entry, gendered = self._entry, self.lexicon.gendered
        for (place, words), tags in zip(cut, tagged, strict=True):
            marks = [
                mark
                for i, word in enumerate(words)
                if (word.text[0].isupper() or entry(low := word.low) or low.rstrip(".") in gendered)
                and (mark := self._mark(words, tags, i))
            ]
            readings[place] = Reading(texts[place], words, marks)
        return readings

    def _names_someone(self, words: list[Piece]) -> bool:
        look_up, gendered = self._entry, self.lexicon.gendered
        return any(look_up(low := word.low) or low in gendered for word in words)

    def _mark(self, words: list[Piece], tags: list[str], i: int) -> Marked | None:
        word, low = words[i], words[i].low
        entry = self._entry(low)
        gendered = low.rstrip(".") in self.lexicon.gendered and (is_noun(tags[i]) or is_name(tags[i]))
        if gendered and (titled := self._before_capital(words, i)):
            return Marked(i, word, gendered=True, name=True) if titled == "name" else None
        if gendered and self._before_thing(words, tags, i):
            return Marked(i, word, gendered=True, attributive=True)  # mother tongue
        if entry is None or gendered:
            name = self._is_name(words, tags, i)
            plural = gendered and (low in self.lexicon.plurals or low.endswith("men"))
            return Marked(i, word, gendered=gendered, name=name, plural=plural) if gendered or name else None
        before = words[i - 1].low if i else ""
        if not (is_noun(tags[i]) or is_name(tags[i]) or before in DETERMINERS):
            return None
        if not entry[1] and self._noun_follows(words, tags, i):
            share = entry[0].share / (2 if self._entry(words[i + 1].low) else 1)  # a student nurse is one person
            return Marked(i, word, attributive=True, share=share)
        if self._is_title(words, i):
            return Marked(i, word, person=True, name=True)
        return Marked(i, word, person=True, plural=entry[1], share=entry[0].share)

    def _before_capital(self, words: list[Piece], i: int) -> str:
        """What follows a gendered title: a "name" (Mrs Hughes), an "office" (Mr President), or neither ("")."""
        after = words[i + 1] if i + 1 < len(words) else None
        titled = words[i].low.rstrip(".") in self.lexicon.titles and words[i].text[:1].isupper()
        if not titled or after is None or not after.text[:1].isupper():
            return ""
        entry = self._entry(after.low)
        office = entry is not None and not entry[0].gender and after.low.rpartition("-")[2] in self.lexicon.titles
        return "office" if office else "name"

    def _before_thing(self, words: list[Piece], tags: list[str], i: int) -> bool:
        """A gendered noun in the singular right before a noun that names no person."""
        if i + 1 == len(words) or not is_noun(tags[i + 1]) or words[i + 1].start - words[i].end != 1:
            return False
        after, low = words[i + 1].low, words[i].low
        person = self._entry(after) is not None or after in self.lexicon.gendered
        return not person and low not in self.lexicon.plurals and not low.endswith("men")

    def _all_plain(self, words: list[Piece]) -> list[str]:
        return [word.text if word.text == word.low else self._plain(words, i) for i, word in enumerate(words)]

    def _plain(self, words: list[Piece], i: int) -> str:
        """The word as the tagger should see it: a common word's capital may only open a sentence or a quotation."""
        text = words[i].text
        small = self._opens(words, i) and text not in self.lexicon.names and self.tagger.is_common(words[i].low)
        return text.lower() if small else text

    def _opens(self, words: list[Piece], i: int) -> bool:
        return i == 0 or words[i - 1].text in OPENING

    def _is_title(self, words: list[Piece], i: int) -> bool:
        """President Lincoln, Comrade Adair, the Tin Woodman; but not "Yes, Doctor" nor "the boss of Paramount"."""
        before, after = (words[k].text if 0 <= k < len(words) else "" for k in (i - 1, i + 1))
        if words[i].low in self.lexicon.titles and _is_capitalised(after):
            return True
        if not _is_capitalised(words[i].text) or self._opens(words, i):
            return False
        if before.lower() not in DETERMINERS and words[i].low not in self.lexicon.titles:
            return True  # "said Harper"
        return _is_capitalised(after) or (_is_capitalised(before) and not self._opens(words, i - 1))

    def _is_name(self, words: list[Piece], tags: list[str], i: int) -> bool:
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
        return text.partition("-")[0] not in self.lexicon.not_persons and not self._names_thing(words, tags, i)

    def _noun_follows(self, words: list[Piece], tags: list[str], i: int) -> bool:
        """A noun, or a common word that has a capital because it belongs to a title ("Member States")."""
        if i + 1 == len(tags) or words[i + 1].low in WHEN_AND_WHERE:
            return False
        return is_noun(tags[i + 1]) or (is_name(tags[i + 1]) and self.tagger.is_common(words[i + 1].low))

    def _names_thing(self, words: list[Piece], tags: list[str], i: int) -> bool:
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


class _Words:
    """Which of many texts can name a person, found in columns: most name none and need neither words nor tags."""

    def __init__(self, lexicon: PersonLexicon) -> None:
        nouns = [noun for noun in lexicon.nouns.values() if noun.share >= lexicon.threshold]
        words = {*(noun.noun for noun in nouns), *(noun.plural for noun in nouns), "people", *lexicon.gendered}
        self._single = pl.Series(sorted(word for word in words if word.isalpha()), dtype=pl.String)
        self._joined = sorted(word for word in words if not word.isalpha())  # ma'am, passer-by

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Their places, and those of a few more."""
        if len(texts) < FEW:
            return list(range(len(texts)))
        low = pl.Series(texts, dtype=pl.String).str.to_lowercase().str.replace_all("’", "'", literal=True)
        lines = pl.DataFrame({"line": pl.int_range(len(low), eager=True), "piece": low.str.extract_all(_PIECES)})
        named = lines.explode("piece").filter(pl.col("piece").is_in(self._single.implode()))["line"].unique()
        return (low.str.contains_any(self._joined) | lines["line"].is_in(named.implode())).arg_true().to_list()


def decapitalised(text: str) -> str:
    """A headline or label in Title Case with small letters ("Delete This User"); other texts as they are.

    Of the same length. Capitals inside a sentence otherwise mean names.
    """
    words = text.split()
    if len(words) < 2 or not all(
        word[:1].isupper() or word.lower() in _SMALL or not word[0].isalpha() for word in words
    ):
        return text
    return _TITLE_CASE.sub(lambda letter: letter[0].lower(), text)


def data_hash() -> str:
    """Of the tables that say who counts besides the lexicon, for signatures."""
    names = ("bodies", "compounds", "indefinites", "modifiers", "phrases", "senses")
    return hashlib.sha256(b"\0".join((DATA / f"{name}.tsv").read_bytes() for name in names)).hexdigest()[:8]


def _indefinite(text: str) -> Iterator[Person]:
    """Pronouns that mean persons without naming them; those that may mean things too are `thing`."""
    for pattern, plural, sure in _indefinites():
        for match in pattern.finditer(text):
            yield Person(*match.span(), plural, kind="pronoun", thing=sure <= 0.5, sure=sure)


@cache
def _indefinites() -> list[tuple[re.Pattern[str], bool, float]]:
    return [
        (re.compile(rf"\b(?:{row['pattern']})\b", re.IGNORECASE), row["number"] == "many", float(row["sure"]))
        for row in rows(DATA / "indefinites.tsv")
    ]


def _is_capitalised(text: str) -> bool:
    """Abbot, but neither CEO nor I."""
    return len(text) > 1 and text[0].isupper() and text[1:].islower()


def open_finder(spec: str, *, threshold: float = 0.5) -> Finder:
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
    from evenhand.persons import models

    return models.SpacyFinder(argument) if kind == "spacy" else models.TokenClassFinder(argument)
