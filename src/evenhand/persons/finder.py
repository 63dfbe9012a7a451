"""Finds the persons of English texts: by our lexicon and tagger, or by a model of the user's (`models`).

A lexicon word counts when it is tagged a noun, or stands right after a determiner (the tagger errs). As the first part
of a compound, in the singular, it is attributive ("customer service"). Names are capitalised words inside a sentence
that are known first names, follow a title, or are neither in a list of places and times nor known as common words;
members of a people (Estonians, an Estonian) are persons and names at once.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple, cast, get_args

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.grammar.english import HE_OR_SHE
from evenhand.persons.lexicon import DATA, PersonLexicon, PersonNoun
from evenhand.persons.senses import Domain, Senses
from evenhand.persons.stated import PRONOUNS, Marked, Reading, Says, Stating, says_he_or_she
from evenhand.persons.tagging import ADJECTIVE, NAME, NOUN, OPENING, Tagger
from evenhand.persons.tokens import Expressions, Piece, tokens
from evenhand.remembered import remembered
from evenhand.tsv import rows, tables_hash

Kind = Literal["noun", "attributive", "pronoun"]
DOMAINS: tuple[Domain, ...] = get_args(Domain)
KINDS: tuple[Kind, ...] = get_args(Kind)
NOUNS: tuple[Kind, ...] = ("noun",)
NAMED: tuple[Kind, ...] = (*NOUNS, "pronoun")
FEW = 64  # texts below which columns are no quicker than single texts
DETERMINERS = frozenset("a an the my your our their this that each every another any some no one".split())
ONE = frozenset("a an another every each".split())
WHEN_AND_WHERE = frozenset("home today yesterday tomorrow tonight".split())  # tagged nouns, but no heads of a compound
_PIECES = r"\p{L}+"
_SAID = re.compile(rf"\b(?:{'|'.join(filter(str.isalpha, PRONOUNS))})\b", re.IGNORECASE)
_TITLE_CASE = re.compile(r"(?<=\s)[A-Z](?=[a-z])")
_SMALL = frozenset("a an and as at by for from in into of on or per the to via with your".split())


class Person(NamedTuple):
    """A person that a text names: where (offsets, end exclusive), what the text says of the gender, and by which word.
    `kind`: a noun, a noun before another one ("patient name"), or an indefinite pronoun. `gendered`: the noun itself
    states the gender (mother). `thing`: the word may name a program or a company here, and nothing shows a person;
    verbs do not judge it. `sure`: how likely it is a person."""

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


class Finder(ABC):
    """What all finders share once a text's words are marked: who is a person, and what the text says of them. `persons`
    and `things` are the user's own words for either, lower case."""

    name: str

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
        self.lexicon = _lexicon(threshold=threshold)
        self._senses = Senses(self.lexicon, self.is_common, domain=domain, persons=persons, things=things)
        self._entry = remembered(self.lexicon.look_up)
        self._indefinites = _indefinites(domain)

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @abstractmethod
    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        """The marked words of each text; None where no word can name a person. Without `spoken`, a text that says he
        or she may be left unmarked."""

    def is_common(self, low: str) -> bool:
        """True for a word known, written small, as something else than a name."""
        return low.islower()

    def may_be_person(self, word: str) -> bool:
        """Cheap and without context: False when the word can never be accepted."""
        return self.lexicon.may_be_person(word)

    def find(self, text: str) -> list[Person]:
        """Every person of one text, of every kind."""
        return self.find_all([text], kinds=KINDS)[0]

    def find_all(self, texts: Sequence[str], *, kinds: Collection[Kind] = NAMED) -> list[list[Person]]:
        """The persons of each text in order. Texts are read together, which is much faster than one by one."""
        if self.domain == "interface":
            texts = [decapitalised(text) for text in texts]
        persons = self._indefinites.find_all(texts) if "pronoun" in kinds else [[] for _ in texts]
        for place, reading, phrases in self._readings(self.read(texts)):
            persons[place] += self._persons(reading, phrases)
            if "attributive" in kinds:
                persons[place] += self._attributive(reading, phrases)
        return list(map(sorted, persons))

    def only(self, sentences: Sequence[str]) -> list[Sighting]:
        """The study's first filter (Gonen & Webster 2020): one human entity, no gendered term, no name, a noun."""
        sightings = [Sighting(Outcome.NO_PERSON)] * len(sentences)
        pronouns = self._indefinites.find_all(sentences)
        for place, reading, phrases in self._readings(self.read(sentences, spoken=False)):
            sightings[place] = self._only(reading, phrases, pronouns[place])
        return sightings

    def _readings(self, readings: list[Reading | None]) -> Iterator[tuple[int, Reading, list[tuple[int, int]]]]:
        """The texts that may name a person: their places, their marked words, and their expressions for no one."""
        marked = [(place, reading) for place, reading in enumerate(readings) if reading]
        phrases = self._senses.phrases([reading.text for _, reading in marked]) if marked else []
        return ((place, reading, spans) for (place, reading), spans in zip(marked, phrases, strict=True))

    def stated(self, text: str, start: int) -> Says:
        """What the text says of the person named at `start`, whether or not the word is known as one."""
        reading = self.read([text])[0] or Reading(text, tokens(text), [])
        named = {m.at: m for m in reading.marks if m.names_person}
        at = next((n for n, word in enumerate(reading.words) if word.start <= start < word.end), None)
        if at is None:
            return "open"
        here = named.setdefault(at, Marked(at, reading.words[at], person=True))
        return Stating(reading, list(named.values()), self.lexicon).of(here)[0]

    def _persons(self, reading: Reading, phrases: Sequence[tuple[int, int]]) -> Iterator[Person]:
        named = [mark for mark in reading.marks if mark.names_person and not self._senses.is_thing(reading, mark)]
        stating = Stating(reading, named, self.lexicon)
        for mark in named:
            start, end = mark.word.start, mark.word.end
            if any(first <= start < last for first, last in phrases):
                continue
            if mark.gendered and any(other.word.start - end == 1 for other in named):
                continue  # a woman pilot is one person
            says, by = stating.of(mark)
            doubt = self._senses.doubt(reading.text, mark, says)
            if doubt != "no one":
                share = mark.share / 2 if doubt == "thing" else mark.share
                yield Person(start, end, mark.plural, says, by, "noun", mark.gendered, doubt == "thing", share)

    def _attributive(self, reading: Reading, phrases: Sequence[tuple[int, int]]) -> Iterator[Person]:
        for mark in reading.marks:
            phrase = any(first <= mark.word.start < last for first, last in phrases)
            if mark.attributive and not phrase and not self._senses.is_thing(reading, mark):
                says, by = Stating(reading, [mark], self.lexicon).of(mark) if mark.gendered else ("open", "")
                place = (mark.word.start, mark.word.end)
                thing = self._senses.doubt(reading.text, mark, says) == "thing"
                yield Person(*place, False, says, by, "attributive", mark.gendered, thing, mark.share)

    def _only(self, reading: Reading, phrases: Sequence[tuple[int, int]], pronouns: Sequence[Person]) -> Sighting:
        marks = reading.marks
        if says_he_or_she(reading.words):
            return Sighting(Outcome.GENDERED)
        persons = list(self._persons(reading, phrases))
        gendered = any(m.gendered and not m.attributive for m in marks)
        if all(person.thing for person in persons) and not any(m.person and m.name for m in marks):
            return Sighting(Outcome.GENDERED if gendered else Outcome.NO_PERSON)
        if any(m.name for m in marks):
            return Sighting(Outcome.NAME)
        if gendered:
            return Sighting(Outcome.GENDERED)
        if len(persons) + sum(not pronoun.thing for pronoun in pronouns) > 1:
            return Sighting(Outcome.SEVERAL)
        return Sighting(Outcome.KEPT, persons[0].start, persons[0].end, persons[0].plural)


class LexiconFinder(Finder):
    """The lexicon of person nouns together with our tagger's tags; needs no download."""

    name = "lexicon"

    @property
    def fingerprint(self) -> str:
        return f"lexicon-{self.lexicon.fingerprint}-{self.tagger.fingerprint}-{data_hash()}"

    @cached_property
    def tagger(self) -> Tagger:
        return _tagger()

    def is_common(self, low: str) -> bool:
        return self.tagger.is_common(low)

    def read(self, texts: Sequence[str], *, spoken: bool = True) -> list[Reading | None]:
        readings: list[Reading | None] = [None] * len(texts)
        waiting = []
        for place in _may_name(texts, self.lexicon):
            words = tokens(texts[place])
            if self._names_someone(words):
                reading = readings[place] = Reading(texts[place], words, [])
                if spoken or not says_he_or_she(words):
                    waiting.append(reading)
        tagged = self.tagger.tag_all([self._all_plain(reading.words) for reading in waiting])
        for reading, tags in zip(waiting, tagged, strict=True):
            reading.marks.extend(self._marks(reading.words, tags))
        return readings

    def _marks(self, words: list[Piece], tags: list[str]) -> list[Marked]:
        entry, gendered = self._entry, self.lexicon.gendered
        may_be = (
            i for i, w in enumerate(words) if w.text[0].isupper() or entry(w.low) or w.low.rstrip(".") in gendered
        )
        return [mark for i in may_be if (mark := self._mark(words, tags, i))]

    def _names_someone(self, words: list[Piece]) -> bool:
        look_up, gendered = self._entry, self.lexicon.gendered
        peoples = self.lexicon.peoples
        return any(
            look_up(low := word.low) or low in gendered or word.text in peoples or f"{word.text}s" in peoples
            for word in words
        )

    def _mark(self, words: list[Piece], tags: list[str], i: int) -> Marked | None:
        low = words[i].low
        named = tags[i] in NOUN or tags[i] == NAME or self._is_label(words, i)
        if named and low.rstrip(".") in self.lexicon.gendered:
            return self._mark_gendered(words, tags, i)
        entry = self._entry(low)
        if entry is not None:
            named = named or (i > 0 and words[i - 1].low in DETERMINERS)
            return self._mark_noun(words, tags, i, entry, named=named)
        several = words[i].text in self.lexicon.peoples
        people = several or self._is_member(words, tags, i)
        if not people and not self._is_name(words, tags, i):
            return None
        return Marked(i, words[i], person=people, plural=several, name=True, people=people)

    def _is_member(self, words: list[Piece], tags: list[str], i: int) -> bool:
        """One of a people or a faith: a Hungarian, every Buddhist; not "a Hungarian city" nor "a German and ..."."""
        if i == 0 or words[i - 1].low not in ONE or f"{words[i].text}s" not in self.lexicon.peoples:
            return False
        follows = i + 1 < len(words) and (tags[i + 1].startswith(ADJECTIVE) or words[i + 1].low in ("and", "or"))
        return not follows and not self._noun_follows(words, tags, i)

    def _is_label(self, words: list[Piece], i: int) -> bool:
        """The only word of a string of an interface, which is no verb there: a tagger has nothing to go by."""
        return self.domain == "interface" and not any(w.text[0].isalpha() for w in words if w is not words[i])

    def _mark_gendered(self, words: list[Piece], tags: list[str], i: int) -> Marked | None:
        word, titled = words[i], self._before_capital(words, i)
        if titled:
            return Marked(i, word, gendered=True, name=True) if titled == "name" else None
        before = words[i - 1].text if i else ""
        if _is_capitalised(word.text) and (before in self.lexicon.names or before.lower() in self.lexicon.titles):
            return Marked(i, word, name=True)  # Stephen King
        several = word.low in self.lexicon.plurals or word.low.endswith("men")
        if not several and self._before_thing(words, tags, i):
            return Marked(i, word, gendered=True, attributive=True)  # mother tongue
        name = self._is_name(words, tags, i) and not self._is_label(words, i)
        return Marked(i, word, gendered=True, name=name, plural=several)

    def _mark_noun(
        self, words: list[Piece], tags: list[str], i: int, entry: tuple[PersonNoun, bool], *, named: bool
    ) -> Marked | None:
        word, (noun, plural) = words[i], entry
        if not plural and self._noun_follows(words, tags, i):
            sure = named and not self._entry(words[i + 1].low)  # a student nurse is one person
            return Marked(i, word, attributive=True, share=noun.share if sure else noun.share / 2)
        if not named:
            return None
        if self._is_title(words, i):
            return Marked(i, word, person=True, name=True)
        return Marked(i, word, person=True, plural=plural, share=noun.share, behind=self._behind(words, tags, i))

    def _behind(self, words: list[Piece], tags: list[str], i: int) -> str:
        """The noun right before that names no person: overlay manager; at the beginning its capital may look a name."""
        if not i or words[i].start - words[i - 1].end != 1 or self._entry(words[i - 1].low):
            return ""
        before, label = words[i - 1].low, self.domain == "interface"  # Advanced Inventory Manager
        product = any(letter.isupper() for letter in words[i - 1].text[1:])  # the KGpg Assistant
        named = tags[i - 1] == NAME and (i == 1 or (label and (product or self.is_common(before))))
        return before if tags[i - 1] in NOUN or named else ""

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
        """A noun right before one that names no person."""
        if i + 1 == len(words) or words[i + 1].start - words[i].end != 1:
            return False
        after = words[i + 1].low
        person = self._entry(after) is not None or after in self.lexicon.gendered
        return not person and (tags[i + 1] in NOUN or _is_abbreviation(words, i + 1))

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
        if not _is_capitalised(words[i].text) or self._opens(words, i) or words[i].text in self.lexicon.peoples:
            return False
        office = _is_capitalised(before) and self._is_office(words, i)
        if not office and before.lower() not in DETERMINERS and words[i].low not in self.lexicon.titles:
            return self.domain != "interface" or _is_capitalised(after)  # "said Harper"; not "This is User #1"
        return _is_capitalised(after) or (_is_capitalised(before) and not office)

    def _is_office(self, words: list[Piece], i: int) -> bool:
        """The Prime Minister, your Site Administrator: capitals behind a determiner; in prose they are common words."""
        at, label = i - 1, self.domain == "interface"
        while at >= 0 and _is_capitalised(words[at].text) and (label or self.tagger.is_common(words[at].low)):
            if words[at].low in DETERMINERS or self._opens(words, at):
                return True
            at -= 1
        return at >= 0 and words[at].low in DETERMINERS

    def _is_name(self, words: list[Piece], tags: list[str], i: int) -> bool:
        text, lexicon = words[i].text, self.lexicon
        if text.endswith(".") and text[:1].isupper() and words[i].low.rstrip(".") in lexicon.titles:
            return True
        if not _is_capitalised(text):
            return False
        opens, tagged = self._opens(words, i), tags[i] == NAME
        if text in lexicon.peoples or (text in lexicon.names and (tagged or not opens)):
            return True
        if not tagged:
            return False
        return text.partition("-")[0] not in lexicon.not_persons and not self._names_thing(words, tags, i)

    def _noun_follows(self, words: list[Piece], tags: list[str], i: int) -> bool:
        """A noun, an abbreviation (user ID), or a common word whose capital belongs to a title ("Member States")."""
        if i + 1 == len(tags) or words[i + 1].low in WHEN_AND_WHERE:
            return False
        common = tags[i + 1] == NAME and self.tagger.is_common(words[i + 1].low)
        return tags[i + 1] in NOUN or common or _is_abbreviation(words, i + 1)

    def _names_thing(self, words: list[Piece], tags: list[str], i: int) -> bool:
        """Names of persons have no determiner ("a Rolex"; but "the Munchkins") and end in no common word (River Road).
        What counts is the whole run of words with a capital."""
        first = last = i
        while first > 0 and words[first].low not in DETERMINERS and _is_capitalised(words[first].text):
            first -= 1
        while last + 1 < len(words) and _is_capitalised(words[last + 1].text):
            last += 1
        several = words[i].text.endswith("s") and not self._noun_follows(words, tags, i)
        return self.tagger.is_common(words[last].low) or (words[first].low in DETERMINERS and not several)


@lru_cache(maxsize=4)
def _person_words(lexicon: PersonLexicon) -> tuple[pl.Series, list[str]]:
    """Every word that can name a person, alone, and those with a mark inside: ma'am, passer-by."""
    nouns = [noun for noun in lexicon.nouns.values() if noun.share >= lexicon.threshold]
    words = {*(noun.noun for noun in nouns), *(noun.plural for noun in nouns), "people", *lexicon.gendered}
    words.update(form for people in lexicon.peoples for form in (people.lower(), people[:-1].lower()))
    single = pl.Series(sorted(word for word in words if word.isalpha()), dtype=pl.String).implode()
    return single, sorted(word for word in words if not word.isalpha())


def _may_name(texts: Sequence[str], lexicon: PersonLexicon) -> Sequence[int]:
    """The places of texts that can name a person, found in columns: most name none and need neither words nor tags."""
    if len(texts) < FEW:
        return range(len(texts))
    single, joined = _person_words(lexicon)
    low = pl.Series(texts, dtype=pl.String).str.to_lowercase().str.replace_all("’", "'", literal=True)
    lines = pl.DataFrame({"line": pl.int_range(len(low), eager=True), "piece": low.str.extract_all(_PIECES)})
    named = lines.explode("piece").filter(pl.col("piece").is_in(single))["line"].unique()
    return (low.str.contains_any(joined) | lines["line"].is_in(named.implode())).arg_true().to_list()


class _Indefinites:
    """Pronouns that mean persons without naming them; those that may mean things too are `thing`."""

    def __init__(self, domain: Domain) -> None:
        listed = list(rows(DATA / "indefinites.tsv"))
        self._expressions = Expressions(rf"\b(?:{row['pattern']})\b" for row in listed)
        self._kinds = [(row["number"] == "many", float(row[domain])) for row in listed]

    def find_all(self, texts: Sequence[str]) -> list[list[Person]]:
        return [list(self._persons(*pair)) for pair in zip(texts, self._expressions.find_all(texts), strict=True)]

    def _persons(self, text: str, matches: list[re.Match[str]]) -> Iterator[Person]:
        said = _SAID.search(HE_OR_SHE.sub("", text)) if matches else None  # of this person, or of another
        says, by = ("unclear", said[0]) if said else ("open", "")
        for match in matches:
            plural, sure = self._kinds[(match.lastindex or 1) - 1]
            yield Person(*match.span(), plural, cast("Says", says), by, "pronoun", thing=sure <= 0.5, sure=sure)


def decapitalised(text: str) -> str:
    """A headline or label in Title Case with small letters ("Delete This User"); other texts as they are. Of the same
    length. Capitals inside a sentence otherwise mean names."""
    words = text.split()
    if len(words) < 2 or not all(
        word[:1].isupper() or word.lower() in _SMALL or not word[0].isalpha() for word in words
    ):
        return text
    return _TITLE_CASE.sub(lambda letter: letter[0].lower(), text)


def data_hash() -> str:
    """Of the tables that say who counts besides the lexicon, for signatures."""
    names = ("bodies", "compounds", "indefinites", "modifiers", "phrases", "senses")
    return tables_hash(tables=(DATA / f"{name}.tsv" for name in names))[:8]


def _is_abbreviation(words: list[Piece], i: int) -> bool:
    """Capitals after a word that is not written in capitals itself (user ID)."""
    text = words[i].text
    return len(text) > 1 and text.isupper() and text.isalpha() and not words[i - 1].text.isupper()


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
        raise BadInput(f"the person finder {kind} takes an argument: spacy:PIPELINE or hf:NAME_OR_DIR")
    from evenhand.persons import models

    return models.SpacyFinder(argument) if kind == "spacy" else models.TokenClassFinder(argument)


# read once: a folder of files is checked by many finders
_lexicon, _tagger, _indefinites = cache(PersonLexicon), cache(Tagger), cache(_Indefinites)
