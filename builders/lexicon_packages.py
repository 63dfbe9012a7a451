"""Derive grammar/<language>/lexicon_more*.tsv: nouns for persons that the first dictionaries lack.

    python -m builders.lexicon_packages PACKAGES [--only pl nl] [--sample 200]

PACKAGES is usr/share of the unpacked Debian packages: the dictionaries dict-freedict-* of the source package
freedict-wikdict 2024.11.01-2, and hunspell-cs, -uk, -pl, -el, -es, -ru, -pt-br (7.5.0) and -fr-comprehensive (7.0).
Two sources are read besides what `builders/lexicon.py` has written, which stays and wins:

- WikDict's bilingual dictionaries of Wiktionary. A noun is a person's where its own Wiktionary defines it as one, or
  where most of its translations are nouns for persons that our tables have. Its English meaning is one that it is
  translated by, or that two other languages' translations share.
- Running text (wordfreq), for regular derivations (`lexicon_endings.tsv`): the forms are in text and in a spelling
  dictionary; Slavic masculines are animate by another dictionary; of Romance nouns only endings that persons have.

Rows that were read and are wrong are in `lexicon_refused.tsv`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import morfeusz2  # type: ignore[import-untyped]
import pymorphy3  # type: ignore[import-untyped]
from builders import lexicon
from builders.lexicon import DATA, Builder, Entry, english_persons, report
from builders.lexicon_sources import CC_BY_SA, Alone, Claim, Pair, Sense, Source, one_word
from builders.wikdict import LANGUAGES, entries, of_native, of_person
from builders.wikdict import Entry as Meaning
from wordfreq import get_frequency_dict

from evenhand.grammar import language
from evenhand.grammar.lexicon import PERSON, Column, Forms
from evenhand.tsv import rows

WIKDICT = Source(
    "wikdict",
    "WikDict 2024.10 (Wiktionary by way of DBnary; Debian freedict-wikdict 2024.11.01-2, CC BY-SA 3.0)",
    CC_BY_SA,
)
CODES = ("es", "fr", "pt", "ru", "pl", "nl", "el", "cs", "uk")
SPELLING = {
    "cs": "cs_CZ", "uk": "uk_UA", "pl": "pl_PL", "el": "el_GR", "es": "es_ES", "pt": "pt_BR", "fr": "fr", "ru": "ru_RU",
    "nl": "nl",
}  # fmt: skip
MOSTLY = 0.6  # of a noun's translations that are persons
PIVOTS = 2  # languages that must share an English meaning
SEVERAL = 3  # English meanings at most that translations in between may give
ALIGNED = 0.3  # score from which text joins two nouns


@dataclass
class Evidence:
    """What the dictionaries say about a noun: how many translations are persons', of which gender, and which."""

    persons: int = 0
    others: int = 0
    female: int = 0
    male: int = 0
    defined: int = 0
    native: int = 0
    own: int = 0  # definitions of its own Wiktionary, of so many senses
    senses: int = 0
    genders: Counter[str] = field(default_factory=Counter)
    english: Counter[str] = field(default_factory=Counter)
    through: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def person(self) -> bool:
        share = self.persons / max(1, self.persons + self.others)
        defined = self.native > 0 or (self.defined > 0 and share >= 0.2) or 2 * self.own >= self.senses > 0
        return defined or (self.persons >= PIVOTS and share >= MOSTLY)

    def gender(self) -> str:
        """The dictionary's own letter, else that of the translations, where all agree."""
        if self.genders:
            return self.genders.most_common(1)[0][0] if len(self.genders) == 1 else "mf"
        return "f" if self.female > 0 and not self.male else ""


class First(Forms):
    """A language's nouns without what this builder adds, which is no evidence for another language."""

    def _derive(self, paths: list[Path]) -> None:
        super()._derive([path for path in paths if not path.name.startswith(Further.stem)])


class Partner:
    """What our tables know of a language's nouns: the gender of a person's, and the English nouns that it renders."""

    def __init__(self, code: str) -> None:
        self.language = language(code)
        self.forms = First(self.language)
        self.concepts: dict[str, set[str]] = defaultdict(set)
        for name, concept in self.forms.concepts.items():
            if name in english_persons():
                for form in concept.single:
                    self.concepts[form].add(name)

    def gender(self, word: str) -> str:
        columns = self.forms.known.get(self.language.plain(word), 0) & PERSON
        return {Column.FEMALE: "f", Column.MALE: "m", PERSON: "c"}.get(columns, "")


@cache
def partners() -> dict[str, Partner]:
    return {code: Partner(code) for code in LANGUAGES if code != "en"}


@cache
def evidence(folder: Path, code: str) -> tuple[dict[str, Evidence], list[tuple[str, ...]]]:
    """By noun, and the lists of translations into the language, each of one sense."""
    gathered: dict[str, Evidence] = defaultdict(Evidence)
    lists: list[tuple[str, ...]] = []
    for other in LANGUAGES:
        if other == code or code not in LANGUAGES:
            continue
        for entry in entries(folder, f"{LANGUAGES[code]}-{LANGUAGES[other]}"):
            defined = of_person(code, entry.definition)
            gathered[entry.word].own += defined
            gathered[entry.word].senses += 1
            _note(gathered[entry.word], other, entry.translations, defined=defined, entry=entry)
        for entry in entries(folder, f"{LANGUAGES[other]}-{LANGUAGES[code]}"):
            defined = of_person(other, entry.definition)
            lists.append(entry.translations)
            for word in entry.translations:
                _note(gathered[word], other, (entry.word,), defined=defined, entry=entry._replace(gender=""))
    return gathered, lists


def _note(said: Evidence, other: str, words: Iterable[str], *, defined: bool, entry: Meaning) -> None:
    """What one sense adds; English nouns count as persons only where they mostly are, as meanings in first senses."""
    said.defined += defined
    said.native += of_native(entry.definition)
    said.genders.update(entry.gender)
    for word in words:
        low = word.lower()
        if other == "en":
            sexes = english_persons()
            shown = {"female": "f", "male": "m"}.get(sexes[low], "c") if low in sexes else ""
            said.english.update([low] if shown and entry.first else [])
        else:
            shown = partners()[other].gender(word)
            for name in partners()[other].concepts.get(partners()[other].language.plain(word), ()):
                said.through[name].add(other)
        said.persons += bool(shown)
        said.others += not shown
        said.female += shown == "f"
        said.male += shown == "m"


class Further(Builder):
    """One language, on top of what its tables have."""

    maker, stem = "builders/lexicon_packages.py", "lexicon_more"
    stale = "lexicon_more*.tsv"

    def __init__(self, data: Path, code: str, packages: Path) -> None:
        self.packages = packages
        super().__init__(data, code)

    @cached_property
    def said(self) -> dict[str, Evidence]:
        """What the dictionaries say of each noun of one word, in lower case."""
        plain, table = self.language.plain, evidence(self.packages / "dictd", self.code)[0]
        kept = {plain(word): said for word, said in table.items() if one_word(word) and word[:1].islower()}
        accented = {unaccented(word) for word in kept if word != unaccented(word)} if self.code == "es" else set()
        return {word: said for word, said in kept.items() if word not in accented}  # cínico, so no cinico

    def read(self) -> Iterator[Claim]:
        yield from self._translated()
        for words in evidence(self.packages / "dictd", self.code)[1]:
            nouns = [self.language.plain(word) for word in words if one_word(word) and word[:1].islower()]
            yield from (Pair(m, f, WIKDICT) for m in nouns for f in nouns if m != f and self._learnt.woman(m) == f)
        if self.code in ANIMATE:
            yield from self._in_text()

    def _translated(self) -> Iterator[Claim]:
        for word, said in self.said.items():
            if not (said.person() and self._seen(word, said)):
                continue
            yield Alone(word, said.gender(), WIKDICT)
            yield from (Sense(word, name, 1.0, WIKDICT) for name in said.english)
            agreed = {name: len(codes) for name, codes in said.through.items() if len(codes) >= PIVOTS}
            most = [name for name, count in agreed.items() if count == max(agreed.values())]
            if not said.english and len(most) <= SEVERAL:
                yield from (Sense(word, name, 0.8, WIKDICT) for name in most)

    def _in_text(self) -> Iterator[Claim]:
        """Regular pairs that are spelt so, of an animate masculine and the most frequent of its feminines."""
        asked = [*self.frequencies, *(sorted(self._listed) if self.code in ("uk", "nl") else ())]
        made = [(male, female) for male in dict.fromkeys(asked) if one_word(male) for female in self.women(male)]
        right = self.spelt([form for pair in made for form in pair])
        made = [pair for pair in made if right.issuperset(pair) and not self._thing(pair[1])]
        animate = ANIMATE[self.code](self, made)
        if self.code not in ("el", "nl"):
            both = [word for word in self.frequencies if one_word(word) and self._of_persons(word)]
            yield from (Alone(word, "mf", PAIRS[self.code]) for word in sorted(self.spelt(both)))
        for male, female in dict(sorted(animate, key=lambda pair: self.zipf(pair[1]))).items():
            if self.zipf(female) < self.zipf(male) or not female.endswith(TOOLS):
                yield Pair(male, female, PAIRS[self.code])
                yield from (Sense(male, name, 1.0, PAIRS[self.code]) for name in self._linked_persons.get(male, ()))

    @cached_property
    def _linked_persons(self) -> dict[str, list[str]]:
        """Nouns that alignments of text join with an English noun for a person."""
        found: dict[str, list[str]] = defaultdict(list)
        for (english, word), score in self.linked.items():
            if english_persons().get(english) == "" and score >= ALIGNED:
                found[word].append(english)
        return found

    @cached_property
    def _refused(self) -> frozenset[str]:
        table = rows(Path(__file__).with_name("lexicon_refused.tsv"))
        return frozenset(word for row in table if row["language"] == self.code for word in row["words"].split())

    def fits(self, form: str) -> bool:
        return form not in self._refused and super().fits(form)

    def _seen(self, word: str, said: Evidence) -> bool:
        """Whether a noun is no misspelling: text has it, or several translations, or it names who lives somewhere."""
        return self.attested_in_text(word) or said.native > 0 or said.persons + said.others > PIVOTS

    def lines(self) -> dict[str, list[tuple[str, ...]]]:
        for entry in self.entries.values():
            entry.english = {name: by for name, by in entry.english.items() if self._adds(name, entry)}
        return super().lines()

    def _adds(self, english: str, entry: Entry) -> bool:
        """Not where a form is joined, nor where our tables have both nouns apart: maestro, a degree's master."""
        concept = self.own.concepts.get(english)
        if concept is None:
            return True
        apart = concept.written and not self.own.known.keys().isdisjoint(entry.forms)
        return not apart and concept.single.keys().isdisjoint(entry.forms)

    def pairs_up(self, male: str, female: str) -> bool:
        """Not with a masculine of ours that has no such feminine (marido, marida), unless a dictionary has it."""
        ours = male in self.own.known and female not in self.own.known and female not in self.said
        return not ours and not female.endswith(WRONG_WOMEN) and super().pairs_up(male, female)

    def accepted(self, male: str, female: str, by: list[Pair]) -> bool:
        checked = any(claim.source.key == "pairs" for claim in by)
        return self._written(male, female) if checked else super().accepted(male, female, by)

    def _thing(self, female: str) -> bool:
        """Whether the dictionaries render a noun by things: wspinaczka, climbing."""
        said = self.said.get(female)
        return said is not None and not said.person() and said.others > said.persons

    def _of_persons(self, word: str) -> bool:
        """Whether a noun for both has an ending that only persons' have, and no dictionary makes it a thing."""
        return len(word) > SHORT and self._serves_both(word) and not self._thing(word) and word not in self.own.known

    def women(self, male: str) -> Iterator[str]:
        """What the table of endings makes of a masculine."""
        for end, woman in self._endings:
            if woman and male.endswith(end) and len(male) > len(end) + 2:
                yield male.removesuffix(end) + woman

    @cached_property
    def _endings(self) -> list[tuple[str, str]]:
        table = rows(Path(__file__).with_name("lexicon_endings.tsv"))
        return [(row["male"], row["female"]) for row in table if row["language"] == self.code]

    @cached_property
    def _learnt(self) -> lexicon.Endings:
        return lexicon.Endings(self._own_pairs(), ())

    def _own_pairs(self) -> Iterator[tuple[str, str]]:
        yield from super()._own_pairs()
        for path in sorted(self.folder.glob("lexicon.*")):
            yield from ((row["male"], row["female"]) for row in rows(path) if row["male"] and row["female"])

    @cached_property
    def frequencies(self) -> dict[str, float]:
        table = get_frequency_dict(self.code, wordlist="best")
        return {self.language.plain(word): share for word, share in sorted(table.items(), key=lambda item: item[1])}

    def attested_in_text(self, form: str) -> bool:
        """Whether running text has a form, or the list of a spelling dictionary."""
        return self.zipf(form) > 0 or form in self._listed

    def attested(self, form: str) -> bool:
        return form in self.said or self.attested_in_text(form)

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The words of a spelling dictionary that lists forms (Greek) or feminines beside masculines (Ukrainian)."""
        encoding = {"el": "iso8859-7", "uk": "utf-8", "nl": "utf-8"}.get(self.code)
        path = self.packages / "hunspell" / f"{SPELLING.get(self.code)}.dic"
        lines = path.read_text(encoding).splitlines() if encoding else ()
        listed = (line.partition("/")[0].replace("ĳ", "ij") for line in lines)
        return frozenset(self.language.plain(word) for word in listed if word[:1].islower())

    def spelt(self, forms: Iterable[str]) -> set[str]:
        """The forms that a spelling dictionary accepts."""
        if self.code == "nl":
            return set(forms) & self._listed  # its spelling dictionary would accept any compound
        path = self.packages / "hunspell" / SPELLING[self.code]
        asked = sorted(set(forms))
        command = ["hunspell", "-d", str(path), "-i", "UTF-8", "-l"]
        answer = subprocess.run(command, input="\n".join(asked), capture_output=True, text=True, check=True)
        return set(asked) - set(answer.stdout.split())

    def _stray(self, lemma: str) -> bool:
        return False  # a definition or two dictionaries stand behind every noun here

    def _entry(self, lemma: str, *, meant: bool) -> Entry | None:
        if self.endings.both(lemma) and lemma.endswith(lexicon.ISTS):
            return Entry(common=lemma, sure=2)
        entry = super()._entry(lemma, meant=meant)
        if entry and self.code == "fr" and entry.sure == 1 and not self.attested(entry.female or lemma):
            entry = Entry(male=entry.male)  # empereuse
        if entry and self.code != "el" and (entry.common or (entry.male and entry.female)):
            return entry
        known = self.own.known.get(lemma, 0) & PERSON
        if entry and entry.common and not known and self.code == "el" and not self._serves_both(lemma):
            return None  # γαμιάς
        sex = {Column.FEMALE: "f", Column.MALE: "m"}.get(known) or self.genders.get(lemma, "")
        if sex != "f" and (pair := self._with_woman_of(lemma)):
            return pair
        if sex != "m":
            for end, woman in self._endings:
                man = lemma.removesuffix(woman) + end
                if woman and lemma.endswith(woman) and self._masculine(man) and self.pairs_up(man, lemma):
                    return Entry(male=man, female=lemma, sure=2)
        both = self._serves_both(lemma) and (self.code != "nl" or self._open(lemma))
        return entry if sex or known or not both else Entry(common=lemma, sure=2)

    def _with_woman_of(self, lemma: str) -> Entry | None:
        """The pair by the table of endings, where the feminine is attested."""
        for woman in () if self._serves_both(lemma) else self.women(lemma):
            regular = self.code == "el" and woman.endswith("ιστρια")  # every Greek -ιστής has one
            if (regular or self.attested(woman)) and not self._thing(woman) and self.pairs_up(lemma, woman):
                return Entry(male=lemma, female=woman, sure=2)
        return None

    def _serves_both(self, lemma: str) -> bool:
        """Whether the longest ending of the table that a noun has is one of nouns for both."""
        ends = [(len(end), not woman) for end, woman in self._endings if lemma.endswith(end)]
        return max(ends, default=(0, False))[1]


def unaccented(word: str) -> str:
    return word.translate(str.maketrans("áéíóú", "aeiou"))


Couples = list[tuple[str, str]]


def _morfeusz(builder: Further, made: Couples) -> Couples:
    """Polish masculine nouns for persons (m1) in the nominative, with a feminine noun."""
    tool = morfeusz2.Morfeusz(generate=False)

    @cache
    def genders(form: str) -> set[str]:
        readings = ((r[1].partition(":")[0], r[2].split(":")) for _, _, r in tool.analyse(form))
        nouns = (tag for lemma, tag in readings if lemma == form and tag[0] == "subst" and "nom" in tag[2])
        return {gender for tag in nouns for gender in tag[3].split(".")}

    return [(male, female) for male, female in made if "m1" in genders(male) and "f" in genders(female)]


def _pymorphy(builder: Further, made: Couples) -> Couples:
    """Russian and Ukrainian animate nouns in the nominative, but for names."""
    tool = pymorphy3.MorphAnalyzer(lang=builder.code)

    @cache
    def genders(form: str) -> set[str]:
        readings = [p.tag.grammemes for p in tool.parse(form) if p.normal_form == form]
        named = any(tags & NAMES for tags in readings)
        animate = (tags for tags in readings if tags >= ANIMATE_TAGS)
        return set().union(*animate) if tool.word_is_known(form) and not named else set()

    return [(male, female) for male, female in made if "masc" in genders(male) and "femn" in genders(female)]


def _any(builder: Further, made: Couples) -> Couples:
    """Pairs whose ending only persons have; Romance feminines are in text, too."""
    return [(male, female) for male, female in made if builder.code == "nl" or builder.zipf(female) > 0]


def _dative(builder: Further, made: Couples) -> Couples:
    """Czech animates: their dative ends in -ovi (lékařovi, soudcovi); a genitive in -ce has a nominative in -ec."""
    dative = {male: re.sub("(?:a|(?<=c)e)$", "", re.sub("ec$", "c", male)) + "ovi" for male, _ in made}
    right = builder.spelt([*dative.values(), *(f"{male[:-2]}ec" for male in dative)])
    genitives = {male for male in dative if male.endswith("ce") and f"{male[:-2]}ec" in right}
    return [(male, female) for male, female in made if dative[male] in right and male not in genitives]


ANIMATE = {
    "pl": _morfeusz,
    "ru": _pymorphy,
    "uk": _pymorphy,
    "cs": _dative,
    "es": _any,
    "pt": _any,
    "fr": _any,
    "nl": _any,
}
ANIMATE_TAGS = frozenset({"NOUN", "anim", "nomn"})
NAMES = frozenset({"Surn", "Name", "Patr"})
TOOLS = ("nice", "ačka", "ička", "ниця", "ачка", "nica", "czka", "ница")  # as often a thing's as a woman's
MPL = "MPL-1.1"
SHORT = 6  # letters that a noun for both must exceed (lista, pista)
WRONG_WOMEN = ("ista", "adas", "anas")


def _pairs(checked: str, licence: str = CC_BY_SA) -> Source:
    return Source("pairs", f"regular pairs in text (wordfreq 3, CC BY-SA 4.0), checked with {checked}", licence)


PAIRS = {
    "cs": _pairs("hunspell-cs 7.5.0"),
    "nl": Source("pairs", "regular pairs in the list of hunspell-nl 2.20.19 (OpenTaal, BSD or CC BY 3.0)", ""),
    "pl": _pairs("hunspell-pl 7.5.0 and morfeusz2 (SGJP)"),
    "ru": _pairs("hunspell-ru 7.5.0 and pymorphy3"),
    "es": _pairs("hunspell-es 7.5.0"),
    "fr": _pairs("hunspell-fr 7.0"),
    "pt": _pairs("hunspell-pt-br 7.5.0"),
    "uk": _pairs("pymorphy3, and in the list of hunspell-uk 7.5.0 (MPL-1.1)", MPL),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    for code in options.only or CODES:
        builder = Further(options.data, code, options.packages)
        builder.gather()
        report(builder, [row for part in builder.write().values() for row in part], options.sample)


if __name__ == "__main__":
    main()
