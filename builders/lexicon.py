"""Derive grammar/<language>/lexicon*.tsv: nouns for persons from open dictionaries, besides those we wrote ourselves.

    python -m builders.lexicon [--data ../shared/data/lexica] [--only pl cs] [--sample 200]

`builders/lexicon_sources.py` reads the dictionaries; this module decides what enters. A noun needs a source that says
it names persons, and a gender: its partner in a list, the ending that pairs of the language have, or one form for
both. A translation needs an English noun whose senses are mostly persons, in its usual meaning. Our own tables win:
forms they have keep their columns, and forms they list as something else stay out. Every licence other than
attribution has a file of its own (`lexicon.cc-by-sa-4.0.tsv`); lexicon.tsv is under CC BY 4.0.

`--sample N` prints N rows per source to read, drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import polars as pl
from builders.lexicon_sources import (
    READERS,
    Alone,
    Claim,
    Pair,
    Sense,
    Source,
    german_adjectives,
    german_genders,
    german_places,
    german_plurals,
)
from wordfreq import available_languages, get_frequency_dict

from evenhand.grammar import language
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.protocol import Kind
from evenhand.tsv import rows, words

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "lexica"
PACKAGE = ROOT / "src" / "evenhand"
CODES = ("de", "es", "fr", "it", "pt", "ca", "ru", "pl", "cs", "uk", "nl", "el", "ro", "gl", "bg", "hr", "sk", "sl")
PERSON = Column.FEMALE | Column.MALE
SHARE = 0.5  # of an English noun's senses that are persons
LINKED = 0.02  # score in the translation table from which text translates it so
USUAL = 0.5  # cover of a synset among the English noun's from which it is a usual meaning
OFTEN, REGULAR = 4, 0.85  # pairs that a change of ending needs, and how often it must hold
MOST = 8  # nouns per English noun and source
DEVICE = 0.4  # a feminine that is so much more frequent (zipf) than its masculine is a thing: lavadora, física


@dataclass
class Entry:
    """A pair, a noun of one gender, or a noun for both, with what says so."""

    male: str = ""
    female: str = ""
    common: str = ""
    sure: int = 1
    sources: dict[str, Source] = field(default_factory=dict)
    english: dict[str, Source] = field(default_factory=dict)

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(form for form in (self.female, self.male, self.common) if form)


@cache
def english_persons() -> dict[str, str]:
    """English nouns that mostly name persons, with the gender they state."""
    table = rows(PACKAGE / "persons" / "data" / "person_nouns.tsv")
    return {row["noun"]: row["gender"] for row in table if float(row["share"]) >= SHARE}


class Endings:
    """Changes of ending between masculine and feminine, and endings of nouns for both, learnt from sure nouns."""

    def __init__(self, pairs: Iterable[tuple[str, str]], common: Iterable[str]) -> None:
        sure, common = list(pairs), list(common)
        made: Counter[tuple[str, str]] = Counter()
        for male, female in sure:
            same = len(_shared(male, female))
            made.update((male[start:], female[start:]) for start in range(max(1, same - 4), same + 1))
        seen = Counter(end for word in (*common, *(male for male, _ in sure)) for end in _ends(word))
        back = Counter(end for _, female in sure for end in _ends(female))
        self.female = {m: f for (m, f), n in made.items() if n >= OFTEN and n >= REGULAR * seen[m]}
        self.male = {f: m for (m, f), n in made.items() if n >= OFTEN and n >= REGULAR * back[f]}
        ends = Counter(lemma[-size:] for lemma in common for size in (3, 4, 5) if len(lemma) > size + 1)
        self.common = {end for end, n in ends.items() if n >= OFTEN and n >= 0.9 * seen[end]}

    @staticmethod
    def _changed(word: str, table: dict[str, str]) -> str:
        for start in range(2, len(word) + 1):
            if word[start:] in table:
                return word[:start] + table[word[start:]]
        return ""

    def woman(self, male: str) -> str:
        return self._changed(male, self.female)

    def man(self, female: str) -> str:
        return self._changed(female, self.male)

    def both(self, lemma: str) -> bool:
        return any(lemma[-size:] in self.common for size in (3, 4, 5) if len(lemma) > size + 1)


class Builder:
    """Everything about one language. `stem`: of the tables that are written; those of other stems count as ours."""

    maker, stem = "builders/lexicon.py", "lexicon"
    stale = "lexicon*.tsv"  # what was derived before must not count as ours

    def __init__(self, data: Path, code: str) -> None:
        self.data, self.code, self.language = data, code, language(code)
        self.folder = PACKAGE / "grammar" / self.language.name
        for path in self.folder.glob(self.stale):
            path.unlink()
        self.own = Forms(self.language)
        self.claims: list[Claim] = list(self.read())
        self.pairs: dict[tuple[str, str], list[Pair]] = defaultdict(list)
        for claim in self.claims:
            if isinstance(claim, Pair):
                self.pairs[claim.male, claim.female].append(claim)
        listed = [pair for pair, by in self.pairs.items() if any(claim.listed for claim in by)]
        own = list(self._own_pairs())
        common = [form for form, columns in self.own.known.items() if columns & PERSON == PERSON]
        self.endings = Endings([*own, *listed], common)
        self.entries: dict[tuple[str, ...], Entry] = {}
        self.by_form: dict[str, list[Entry]] = defaultdict(list)

    def read(self) -> Iterator[Claim]:
        """What the dictionaries say."""
        return (claim for read in READERS for claim in read(self.data, self.code))

    def attested(self, form: str) -> bool:
        """Whether running text has a form."""
        return self.zipf(form) > 0

    def _own_pairs(self) -> Iterator[tuple[str, str]]:
        for concept in self.own.concepts.values():
            women = [form for form, columns in concept.single.items() if columns & PERSON == Column.FEMALE]
            for male, columns in concept.single.items():
                close = [f for f in women if f[:3] == male[:3]] if columns & PERSON == Column.MALE else []
                if close:
                    yield male, max(close, key=lambda f: len(_shared(f, male)))

    @cached_property
    def linked(self) -> dict[tuple[str, str], float]:
        path = self.folder / "priors.parquet"
        return {(s, t): score for s, t, score in pl.read_parquet(path).iter_rows()} if path.exists() else {}

    @cached_property
    def links(self) -> dict[str, float]:
        """Target word -> its best score with an English noun for a person."""
        best: dict[str, float] = defaultdict(float)
        persons = english_persons()
        for (source, target), score in self.linked.items():
            if source in persons:
                best[target] = max(best[target], score)
        return best

    @cached_property
    def genders(self) -> dict[str, str]:
        """Genders that a dictionary gives, by lemma."""
        if self.code == "de":
            return german_genders(self.data)
        return {claim.lemma: claim.gender for claim in self.claims if isinstance(claim, Alone) and claim.gender}

    @cached_property
    def frequencies(self) -> dict[str, float]:
        return get_frequency_dict(self.code, wordlist="best") if self.code in available_languages("best") else {}

    def zipf(self, word: str) -> float:
        """How frequent a word is in running text: log10 of its count per thousand million words; 0 for none."""
        share = self.frequencies.get(word, 0.0)
        return math.log10(share) + 9 if share else 0.0

    def fits(self, form: str) -> bool:
        """True for a form that may enter: no function word, no thing, nothing we listed as something else."""
        if form in self.own.known:
            return True
        if form in self.own.others or form in self._things or self.language.function_word(form) or len(form) < 3:
            return False
        if (form in self.plurals and not form.endswith(("innen", "er"))) or self.of_place(form):
            return False
        if self.code == "de" and len(form) < 5:
            return False  # Oman: compounds are read by their last part, and a Roman is none
        text = form.capitalize() if self.language.capitalises_nouns else form
        return self.language.noun(text).kind not in (Kind.THING, Kind.FIXED)

    def of_place(self, form: str) -> bool:
        """True for a German inhabitant in -er: before a noun it is an adjective (der Kölner Arzt)."""
        stem = form.removesuffix("in")
        return stem.endswith("er") and any(stem[:-cut] in self._places for cut in (1, 2, 3, 4))

    @cached_property
    def _things(self) -> frozenset[str]:
        return frozenset().union(*(words(path) for path in self.language.things))

    @cached_property
    def _places(self) -> frozenset[str]:
        places = german_places(self.data) if self.code == "de" else ()
        return frozenset(place[: len(place) - cut] for place in places for cut in (0, 1, 2) if len(place) - cut > 3)

    @cached_property
    def plurals(self) -> dict[str, str]:
        """German plural -> the singular of a thing: Romane of Roman."""
        if self.code != "de":
            return {}
        return {p: s for s, p in german_plurals(self.data).items() if p != s}

    @cached_property
    def named(self) -> set[str]:
        """Nouns that a source with meanings calls persons: wordnets and ESCO."""
        return {c.lemma for c in self.claims if isinstance(c, Alone) and c.source.key in MEANINGS}

    def agentive(self, male: str) -> bool:
        """True for an ending that at least OFTEN nouns of our own for men have, longer than three letters."""
        return any(self._male_ends[male[-size:]] >= 3 * OFTEN for size in (4, 3) if len(male) > size + 2)

    @cached_property
    def _male_ends(self) -> Counter[str]:
        men = {form for form, columns in self.own.known.items() if columns & Column.MALE}
        men |= {male for (male, _), by in self.pairs.items() for c in by if c.listed and c.source.key in SHAPING}
        return Counter(man[-size:] for man in men for size in (3, 4) if len(man) > size + 1)

    def accepted(self, male: str, female: str, by: list[Pair]) -> bool:
        """Whether a listed pair is one of persons: a meaning says so, or endings that persons have."""
        if not self._written(male, female):
            return False
        meant = bool({male, female} & self.named) and not self.quality(male)
        sure = any(claim.source.key == "esco" and claim.listed for claim in by)
        if (self.adjective(male) and not meant) or (self.device(male, female) and not sure):
            return False
        if (self.declined(male) and not female.endswith("e")) or self.doubted(male, female, by):
            return False
        if not any(claim.listed for claim in by) and self._unlisted(male, female):
            return False
        return sure or meant or self.shaped(male)

    def _written(self, male: str, female: str) -> bool:
        """Whether nothing in our tables or in the spelling speaks against the two forms."""
        if not self.fits(male) or not self.fits(female) or not self.own.known.get(female, 1) & Column.FEMALE:
            return False
        if self.language.family == "slavic" and male in self.language.lookups(female):
            return False  # друга, a case of друг
        usual = self.endings.woman(male)
        if self.endings.woman(female) == male or (usual not in ("", female) and not self.zipf(female)):
            return female in self.own.known  # the wrong way round, or misspelt
        return female in self.own.known or not female.endswith(WRONG)

    def _unlisted(self, male: str, female: str) -> bool:
        """Against a pair that a source only derives: another feminine is usual, or the noun is a woman's (мама)."""
        return self.endings.woman(male) not in ("", female) or "f" in self.genders.get(male, "")

    def device(self, male: str, female: str) -> bool:
        """True where the feminine is so much more frequent that it must be a thing."""
        return self.zipf(female) > max(self.zipf(male), 2.5) + DEVICE and female not in self.own.known

    def doubted(self, male: str, female: str, by: list[Pair]) -> bool:
        """True for a pair of a list that has other words too, where nothing besides the list speaks for persons."""
        if {male, female} & self.named or male in self.own.known:
            return False
        keys = {claim.source.key for claim in by}
        if keys == {"hunspell"}:
            return not self._core(male)
        if keys == {"unimorph"} and self.code == "cs":
            return male.endswith(("ník", "ač", "nec", "tor", "ák")) and not self.zipf(female)
        if keys == {"unimorph"} and self.code == "pl":
            return male.endswith("a") and not male.endswith(("ista", "ysta", "ca", "ita", "yta", "ata", "ota", "peuta"))
        return self.code == "pl" and male.endswith("cy")

    def _core(self, male: str) -> bool:
        """True for a French noun whose ending or last part is a person's: codirecteur, ostréiculteur."""
        core = re.sub(r"^(?:co|sous|vice|ex|auto|non|sur|micro|télé|bio|multi)-?", "", male)
        things = ("moteur", "porteur", "vecteur")
        return male.endswith("culteur") or (core in self.own.known and not male.endswith(things))

    def declined(self, male: str) -> bool:
        """True for an adjective as a noun (Erwachsener), which has no feminine in -in."""
        return self.code == "de" and male.endswith("er") and any(male.endswith(end) for end in self._declined)

    @cached_property
    def _declined(self) -> tuple[str, ...]:
        return tuple(lemma for lemma in german_adjectives(self.data) if len(lemma) > 5)

    def shaped(self, male: str) -> bool:
        return self.agentive(male) or self.links.get(male, 0.0) > 0.1

    def adjective(self, male: str) -> bool:
        """True for what is an adjective first of all; such a noun needs a meaning that says person."""
        if male in self.own.known or self.language.capitalises_nouns:
            return False
        if self.language.family == "slavic":
            return male.endswith(SLAVIC_ADJECTIVES)
        return bool(self.language.modifier(male))

    def quality(self, lemma: str) -> bool:
        """True for a frequent adjective, which is no noun whatever a wordnet says: grand, oude."""
        inflected = self.code == "nl" and lemma.endswith("e") and lemma not in self.own.known
        if self.code == "pl" and lemma.endswith("a"):
            inflected = self.zipf(f"{lemma[:-1]}y") > FREQUENT  # Polish stara
        return (self.adjective(lemma) or inflected) and self.zipf(lemma) > FREQUENT

    def add(self, entry: Entry, source: Source) -> None:
        if entry.forms not in self.entries:
            self.entries[entry.forms] = entry
            for form in entry.forms:
                self.by_form[form].append(entry)
        kept = self.entries[entry.forms]
        kept.sources[source.key] = source
        kept.sure = max(kept.sure, entry.sure, 3 if len(kept.sources) > 1 else 0)

    def gather(self) -> None:
        """Entries, then their English meanings."""
        for (male, female), by in self.pairs.items():
            if self.accepted(male, female, by):
                for claim in by:
                    self.add(Entry(male=male, female=female, sure=2 if claim.listed else 1), claim.source)
        for alone in self.claims:
            if isinstance(alone, Alone):
                self._alone(alone)
        self._senses()
        for key, entry in list(self.entries.items()):  # a wordnet's lemma that renders no noun for a person is a thing
            lists = set(entry.sources) - {"wordnet", "wiktionary"}
            if self.code == "el" and entry.male.endswith(("ος", "ός", "ό", "ων", "η")) and not entry.english:
                lists = set()  # labels begin with adjectives
            if not entry.english and (not lists or (lists == {"hunspell"} and not self._core(entry.male))):
                del self.entries[key]

    def _alone(self, claim: Alone) -> None:
        lemma, source = claim.lemma, claim.source
        if lemma in self.by_form:
            for entry in self.by_form[lemma]:
                self.add(entry, source)
            return
        meant = lemma in self.named
        if not self.fits(lemma) or not (meant or self.shaped(lemma)) or self._stray(lemma):
            return
        if lemma in english_persons() and lemma not in self.own.known and self.zipf(lemma) < 3:
            return  # left untranslated: barrister
        if self.quality(lemma):
            return
        made = self._entry(lemma, meant=meant)
        if made and (meant or self._found(made)):
            self.add(made, source)

    def _stray(self, lemma: str) -> bool:
        """True for a noun of one wordnet alone that neither ending nor text makes a person: crevette for a runt."""
        if lemma in self.own.known or self.agentive(lemma):
            return False
        if self.code == "fr" and (self.zipf(lemma) > FREQUENT or self.adjective(lemma)):
            return True  # WOLF, made automatically: milieu, pur
        if self.shaped(lemma) or self.endings.both(lemma):
            return False
        return self._sources[lemma] < 2 and self.links.get(lemma, 0.0) < LINKED

    @cached_property
    def _sources(self) -> Counter[str]:
        """How many dictionaries have a noun."""
        named = {(c.lemma, c.source.words) for c in self.claims if isinstance(c, Alone)}
        named |= {(form, c.source.words) for c in self.claims if isinstance(c, Pair) for form in (c.male, c.female)}
        return Counter(form for form, _ in named)

    def _found(self, entry: Entry) -> bool:
        """Of a noun that only its ending makes a person: running text has it, in both genders."""
        if entry.common:
            return entry.common.endswith(ISTS) and self.zipf(entry.common) > 0
        if self.language.family == "romance":
            return False  # carguero, gotero: half of them are things
        return bool(entry.male and entry.female) and min(self.zipf(entry.male), self.zipf(entry.female)) >= SEEN

    def _entry(self, lemma: str, *, meant: bool) -> Entry | None:
        """The noun with its partner by its ending, or as one form for both, or of the gender a dictionary gives."""
        columns, gender = self.own.known.get(lemma, 0) & PERSON, self.genders.get(lemma, "")
        if self.code == "nl" and lemma.endswith("e") and not columns:
            return None  # bekende, zieke: adjectives, too
        open_ended = self.endings.both(lemma) and not lemma.endswith(NOT_COMMON)
        if columns == PERSON or gender == "mf" or (not columns and open_ended):
            return Entry(common=lemma, sure=2)
        sex = {Column.FEMALE: "f", Column.MALE: "m"}.get(columns, gender)
        pair = (self._with_woman(lemma) if sex != "f" else None) or (self._with_man(lemma) if sex != "m" else None)
        if pair or columns:
            return pair or (Entry(male=lemma) if sex == "m" else Entry(female=lemma))
        if self.code == "nl" and meant and self._open(lemma):
            return Entry(common=lemma)  # Dutch names a woman seldom: a noun without a listed partner serves both
        known = self.agentive(lemma) or self.links.get(lemma, 0.0) >= LINKED  # no papagei for an imitator
        return Entry(male=lemma) if gender == "m" and meant and known else None

    def _open(self, lemma: str) -> bool:
        """True for a noun for persons that nothing gives a gender: no golfleraar beside leraar."""
        parts = (lemma[cut:] for cut in range(1, len(lemma) - 3))
        sexed = any(self.own.known.get(part, PERSON) & PERSON in (Column.FEMALE, Column.MALE) for part in parts)
        return self.agentive(lemma) and not sexed and lemma not in self.stating and not lemma.endswith(MEN)

    def _with_woman(self, lemma: str) -> Entry | None:
        woman = self.endings.woman(lemma)
        if not woman or not self.pairs_up(lemma, woman):
            return None
        if woman in self.own.known or (self.attested(woman) and self.person(lemma)):
            return Entry(male=lemma, female=woman, sure=2)
        derived = (
            self.agentive(lemma) and not self.declined(lemma) and "-" not in lemma and self.code not in ("ru", "el")
        )
        return Entry(male=lemma, female=woman) if derived and not woman.endswith(WRONG) else None

    def person(self, lemma: str) -> bool:
        """Whether a noun that a wordnet lists is a person by more than that: not bratka, topolina, pilastra."""
        if self.agentive(lemma) or self.links.get(lemma, 0.0) >= LINKED:
            return True
        return self.language.family != "slavic" and self._sources[lemma] > 1

    def _with_man(self, lemma: str) -> Entry | None:
        man = self.endings.man(lemma)
        return Entry(male=man, female=lemma, sure=2) if self._masculine(man) and self.pairs_up(man, lemma) else None

    def _masculine(self, man: str) -> bool:
        """True for a masculine that is a person by itself, not only by its feminine's ending (wróg beside wróżka)."""
        return bool(man) and (man in self.named or bool(self.own.known.get(man, 0) & Column.MALE))

    def pairs_up(self, male: str, female: str) -> bool:
        if not self.fits(male) or not self.fits(female) or self.own.known.get(female, 1) & PERSON != Column.FEMALE:
            return False
        return not self.device(male, female) and self._written(male, female)

    def _senses(self) -> None:
        persons = english_persons()
        ranked = sorted((c for c in self.claims if isinstance(c, Sense)), key=self._rank, reverse=True)
        count: Counter[tuple[str, str]] = Counter()
        for claim in ranked:
            gender = persons.get(claim.english)
            if gender is None or not self.translated(claim):
                continue
            if gender and claim.lemma not in self.by_form:
                if self.relative(claim, gender):
                    self._one_gender(claim, gender)
                continue
            count[claim.english, claim.source.key] += 1
            if count[claim.english, claim.source.key] > MOST:
                continue
            for entry in self.by_form[claim.lemma]:
                if not gender:
                    entry.english.setdefault(claim.english, claim.source)
                elif self._states(entry, claim, gender):
                    self._one_gender(claim, gender)

    def _states(self, entry: Entry, claim: Sense, gender: str) -> bool:
        """Whether an entry's noun may render an English one that names a woman or a man."""
        if claim.english in LOOSE or claim.lemma in self.contested:
            return False
        return bool(entry.common) or claim.lemma == (entry.female if gender == "female" else entry.male)

    @cached_property
    def stating(self) -> set[str]:
        """Nouns that render an English one that names a woman or a man."""
        return {c.lemma for c in self.claims if isinstance(c, Sense) and english_persons().get(c.english)}

    @cached_property
    def contested(self) -> set[str]:
        """Nouns that render English ones of either gender: barones, for the baron too."""
        persons = english_persons()
        said = {(c.lemma, persons.get(c.english, "")) for c in self.claims if isinstance(c, Sense)}
        return {lemma for lemma, gender in said if gender == "female" and (lemma, "male") in said}

    def relative(self, claim: Sense, gender: str) -> bool:
        """Whether a noun whose gender no list has takes that of the English one, which names a woman or a man: ciocia,
        aunt; not what may serve both, nor what a dictionary gives the other gender."""
        lemma, column = claim.lemma, Column.FEMALE if gender == "female" else Column.MALE
        if claim.weight < 1 or claim.english.endswith(("man", "men")) or claim.english in LOOSE:
            return False
        if lemma in self.contested or not self.fits(lemma) or self.adjective(lemma) or self.quality(lemma):
            return False
        if self.language.family == "slavic" and gender == "female" and not lemma.endswith(("a", "á", "а", "я", "ь")):
            return lemma in self.own.known  # slavec, a nightingale for a songstress
        if self.own.known.get(lemma, column) & PERSON != column or self.endings.both(lemma):
            return False
        return self.genders.get(lemma, gender[0]) == gender[0]

    def _one_gender(self, claim: Sense, gender: str) -> None:
        """actress: actriz, in a row without actor."""
        woman = gender == "female"
        entry = Entry(female=claim.lemma if woman else "", male="" if woman else claim.lemma, sure=2)
        kept = self.entries.setdefault(("", gender, claim.lemma), entry)
        kept.sources[claim.source.key] = claim.source
        kept.english.setdefault(claim.english, claim.source)

    def _rank(self, claim: Sense) -> tuple[float, float]:
        return self.linked.get((claim.english, claim.lemma), 0.0), self.zipf(claim.lemma)

    def translated(self, claim: Sense) -> bool:
        """Whether the meaning is usual enough to enter."""
        if self.linked.get((claim.english, claim.lemma), 0.0) >= LINKED:
            return True
        automatic = claim.source.key == "wiktionary" or self.code in ("fr", "sk", "sl")
        return claim.weight >= (0.75 if automatic and claim.source.key != "esco" else USUAL)

    def lines(self) -> dict[str, list[tuple[str, ...]]]:
        """Rows by licence: female, male, common (as the language looks a word up), english, source, sure."""
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for entry in self.entries.values():
            free = [source for source in entry.sources.values() if not source.licence]
            base = "" if free else min(source.licence for source in entry.sources.values())
            by_licence: dict[str, dict[str, str]] = defaultdict(dict)
            for word, source in entry.english.items():
                by_licence[source.licence or base][word] = source.key
            if not self._ours(entry) or not by_licence:
                by_licence[base] = by_licence[base]
            for licence, english in by_licence.items():
                keys = {k for k, s in entry.sources.items() if s.licence in ("", licence)} | set(english.values())
                words = "|".join(sorted(english))
                if words or (licence == base and not self._ours(entry)):
                    forms = map(self.language.plain, (entry.female, entry.male, entry.common))
                    found[licence].append((*forms, words, "|".join(sorted(keys)), str(entry.sure)))
        return {licence: sorted(set(table)) for licence, table in found.items()}

    def _ours(self, entry: Entry) -> bool:
        """True where our own tables have every form already."""
        return all(form in self.own.known for form in entry.forms)

    def write(self) -> dict[str, list[tuple[str, ...]]]:
        made = self.lines()
        used = {s.key: s for entry in self.entries.values() for s in (*entry.sources.values(), *entry.english.values())}
        for licence, table in made.items():
            keys = sorted({key for row in table for key in row[4].split("|")})
            head = f"# source: derived by {self.maker} from {'; '.join(used[key].words for key in keys)}"
            name = f"{self.stem}.{licence.lower().replace(' ', '-')}.tsv" if licence else f"{self.stem}.tsv"
            text = [head, f"# licence: {licence or 'CC BY 4.0'}", "\t".join(COLUMNS)]
            path = self.folder / name
            path.write_text("\n".join([*text, *("\t".join(row) for row in table)]) + "\n", encoding="utf-8")
        return made


NOT_COMMON = ("esse", "euse", "ice", "essa", "isa")
# derisrice, personificaziona; several women; a field; a man's kin
WRONG = ("progamu", "srice", "ziona", "iona", "ici", "istika", "bruderin", "männin")
MEN = (
    "baar",
    "man",
    "jongen",
    "broer",
    "broeder",
    "frater",
    "pater",
    "vader",
    "zoon",
    "heer",
    "meid",
    "vrouw",
    "meisje",
    "moeder",
    "dochter",
    "ster",
    "in",
)
LOOSE = ("wizard", "fellow", "brother", "baron", "king")  # men by their origin; their renderings may be any person
MEANINGS = ("wordnet", "wiktionary", "esco", "wikdict", "pairs")
ISTS = ("ista", "iste", "ist", "ист", "іст")
SHAPING = ("esco", "unimorph")  # sources whose pairs are persons, so that their endings are persons'
SLAVIC_ADJECTIVES = tuple("y i ý í ého ího eho ий ый ой ій".split())
FREQUENT = 4.0  # zipf from which an adjective is no noun, whatever a wordnet says
SEEN = 1.0  # zipf from which running text has a word
COLUMNS = ("female", "male", "common", "english", "source", "sure")


def _ends(word: str) -> Iterator[str]:
    return (word[start:] for start in range(1, len(word) + 1))


def _shared(one: str, other: str) -> str:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return one[:same]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    for code in options.only or CODES:
        builder = Builder(options.data, code)
        builder.gather()
        report(builder, [row for part in builder.write().values() for row in part], options.sample)


def report(builder: Builder, table: list[tuple[str, ...]], sample: int) -> None:
    """Counts, and rows per source to read."""
    both = {row[:3] for row in table if row[2] or (row[0] and row[1])}
    new = {row for row in both if any(form and form not in builder.own.known for form in row)}
    senses = sum(len(row[3].split("|")) for row in table if row[3])
    counts = f"{len(table)} rows, {len(both)} pairs or epicenes ({len(new)} new), {senses} senses"
    sys.stdout.write(f"{builder.code}: {counts}\n")
    by: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for row in table:
        for key in row[4].split("|"):
            by[key].append(row)
    for key, mine in sorted(by.items()):
        sys.stdout.write(f"  {key}: {len(mine)}\n")
        for row in random.Random(f"{builder.code}{key}").sample(mine, min(sample, len(mine))):
            sys.stdout.write(f"    {' '.join(part or '-' for part in row[:3])} = {row[3]} [{row[5]}]\n")


if __name__ == "__main__":
    main()
