"""Derive grammar/<language>/open.tsv: nouns for persons from open dictionaries, beside those we wrote ourselves.

    python -m builders.open_words --data ../shared/data/lexica [--only pl cs] [--sample 200]

Sources, read in place: ESCO v1.0.3 (European Commission, CC BY 4.0), the Open Multilingual Wordnet's noun.person lemmas
(licence per language), UniMorph's derivations (CC BY-SA 3.0). A row says which target nouns render an English noun for
a person, and in which gender. A word enters with evidence only:

- the English noun is one whose senses are mostly persons (persons/data/person_nouns.tsv), and leaves the gender open;
- the target noun stands beside it in a wordnet synset, or is the head of the same ESCO occupations' labels;
- the target noun has a partner of the other gender in a list, or ends as such nouns do, or text translates it so.

Where our own tables know a form, their gender holds. `--sample` prints rows to read.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.grammar import language
from evenhand.grammar.english import singular
from evenhand.grammar.lexicon import Column, Forms
from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "lexica"
PACKAGE = ROOT / "src" / "evenhand"
OMW = {
    "pl": ("person_pl", "plWordNet (wordnet licence)"),
    "cs": ("person_wikt-cs", "Wiktionary via OMW (CC BY-SA)"),
}
ESCO = ("cs", "pl", "ro")
UNIMORPH = {"cs": "um_cs_agentive", "pl": "um_pl_agentive"}
# Endings that speak against a man's noun where only the ending speaks: adjectives, and women's nouns in -a.
AGAINST = {"pl": ("y", "i", "eta", "ka"), "cs": ("ý", "í", "ka")}
FIELDS = ("istika", "ika")  # bodybuilding is no woman: kulturistika
LEAST_SHARE = 0.5  # of an English noun's senses that are persons
LINKED = 0.08  # score of a pair of words in the translation table from which text translates it so
SUFFIX, OFTEN = 4, 3  # letters of an ending that makes persons, and in how many listed men's nouns it must be seen
HEADS = 0.35  # association of an English and a target head word over ESCO's occupations, and their least count
TOGETHER = 2


class Entry(NamedTuple):
    """An English noun with one target noun: which columns it belongs to, and what says so."""

    concept: str
    form: str
    columns: int
    source: str


def opened(path: Path) -> Iterator[list[str]]:
    """Rows of a tab-separated file, compressed or not, without comments."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def english_persons() -> frozenset[str]:
    """English nouns that mostly name persons and leave the gender open."""
    table = rows(PACKAGE / "persons" / "data" / "person_nouns.tsv")
    return frozenset(row["noun"] for row in table if float(row["share"]) >= LEAST_SHARE and not row["gender"])


class Source:
    """All that the dictionaries say about one language."""

    def __init__(self, data: Path, code: str) -> None:
        self.code, self.language = code, language(code)
        self.own = Forms(self.language)
        self.female_of: dict[str, str] = {}
        for male, female in self._pairs(data):
            self.female_of.setdefault(male, female)
        self.females = frozenset(self.female_of.values())
        ends = Counter(male[-SUFFIX:] for male in self.female_of if len(male) > SUFFIX)
        self.endings = frozenset(end for end, count in ends.items() if count >= OFTEN)
        table = self.language_folder / "priors.parquet"
        self.linked: dict[tuple[str, str], float] = {}
        if table.exists():
            self.linked = {(s, t): score for s, t, score in pl.read_parquet(table).iter_rows() if score >= LINKED}

    @property
    def language_folder(self) -> Path:
        return PACKAGE / "grammar" / self.language.name

    def _pairs(self, data: Path) -> Iterator[tuple[str, str]]:
        path = data / "esco" / "pairs" / f"esco_{self.code}.clean.tsv.xz"
        for row in opened(path) if path.exists() else ():
            if row[3] == "slash" and " " not in row[0] and row[0] != row[1] and not self._adjective(row[0]):
                yield row[0].lower(), row[1].lower()
        for male, female in (
            opened(data / "unimorph-derivations" / f"{UNIMORPH[self.code]}.tsv") if self.code in UNIMORPH else ()
        ):
            if not female.endswith(FIELDS):
                yield male.lower(), female.lower()

    def _adjective(self, low: str) -> bool:
        return low.endswith(tuple(end for end in AGAINST.get(self.code, ()) if len(end) == 1))

    def columns(self, form: str) -> int:
        """female, male, both, or 0 where no list and no ending tells."""
        known = self.own.known.get(form, 0) & (Column.FEMALE | Column.MALE | Column.NEUTRAL)
        if known:
            return known
        if form in self.own.others:
            return 0
        if form in self.female_of:
            return Column.MALE
        if form in self.females:
            return Column.FEMALE
        if form.endswith(AGAINST.get(self.code, ())):
            return 0
        return Column.MALE if form[-SUFFIX:] in self.endings else 0

    def evident(self, concept: str, form: str) -> bool:
        """True where something besides the synset says that the target noun names a person."""
        if form in self.female_of or form in self.females or form[-SUFFIX:] in self.endings:
            return True
        return (concept, form) in self.linked or bool(self.own.known.get(form, 0) & ~Column.OTHER)


def from_wordnet(data: Path, source: Source, persons: frozenset[str]) -> Iterator[Entry]:
    if source.code not in OMW:
        return
    for row in opened(data / "omw-person" / f"{OMW[source.code][0]}.tsv.xz"):
        form = row[1].strip().lower()
        if len(row) < 3 or not form.isalpha() or row[1][:1].isupper():
            continue
        for concept in row[2].split("|"):
            columns = source.columns(form)
            if concept in persons and columns and source.evident(concept, form):
                yield Entry(concept, form, columns, "wordnet")


LABEL = re.compile(r"[,;(]| - ")


def heads(label: str, *, english: bool) -> str:
    """The head of a label: in English the last word before a preposition, elsewhere the first."""
    words = LABEL.split(label)[0].lower().split()
    if not words:
        return ""
    if not english:
        return words[0]
    stop = next((i for i, word in enumerate(words) if i and word in {"of", "in", "for", "and", "at", "to"}), len(words))
    return singular(words[stop - 1])


def labels(data: Path, code: str) -> dict[str, list[str]]:
    """ESCO's labels of each occupation, slashes between the genders opened."""
    table = {}
    for row in opened(data / "esco" / f"v1.0.3_occupations_{code}.tsv.xz"):
        if row[0].startswith("http"):
            both = [row[2], *(row[3].split("|") if len(row) > 3 and row[3] else [])]
            table[row[0]] = [part.strip() for label in both for part in label.split("/") if part.strip()]
    return table


def from_esco(data: Path, source: Source, persons: frozenset[str]) -> Iterator[Entry]:
    """Head words that go together over many occupations."""
    if source.code not in ESCO:
        return
    english, other = labels(data, "en"), labels(data, source.code)
    together: Counter[tuple[str, str]] = Counter()
    of_english: Counter[str] = Counter()
    of_other: Counter[str] = Counter()
    for uri, mine in english.items():
        ours = {heads(label, english=True) for label in mine[:1]} & persons
        theirs = {heads(label, english=False) for label in other.get(uri, [])[:2]}
        theirs = {word for word in theirs if word in source.female_of}
        of_english.update(ours)
        of_other.update(theirs)
        together.update((a, b) for a in ours for b in theirs)
    for (concept, form), count in together.items():
        likeness = 2 * count / (of_english[concept] + of_other[form])
        if count >= TOGETHER and likeness >= HEADS:
            yield Entry(concept, form, source.columns(form), "esco")


def table(entries: list[Entry], source: Source) -> list[tuple[str, str, str, str]]:
    """Rows concept, female, male, neutral; forms that our own tables have under the concept are left out."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for entry in entries:
        concept = source.own.concept(entry.concept)
        if concept is None or entry.form not in concept.single:
            found[entry.concept][entry.form] = entry.columns
            partner = source.female_of.get(entry.form)
            if partner and entry.columns == Column.MALE and (concept is None or partner not in concept.single):
                found[entry.concept].setdefault(partner, source.columns(partner) or Column.FEMALE)

    def cell(forms: dict[str, int], flag: int) -> str:
        return "|".join(sorted(form for form, columns in forms.items() if columns & flag))

    return [
        (name, cell(forms, Column.FEMALE), cell(forms, Column.MALE), cell(forms, Column.NEUTRAL))
        for name, forms in sorted(found.items())
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    persons = english_persons()
    for code in options.only or sorted({*OMW, *ESCO}):
        path = PACKAGE / "grammar" / language(code).name / "open.tsv"
        path.unlink(missing_ok=True)  # our own tables must not be what was derived before
        source = Source(options.data, code)
        entries = [*from_wordnet(options.data, source, persons), *from_esco(options.data, source, persons)]
        lines = table(entries, source)
        by = Counter(entry.source for entry in entries)
        sys.stdout.write(f"{code}: {len(lines)} concepts, {len({e.form for e in entries})} nouns, {dict(by)}\n")
        names = ["ESCO v1.0.3 (European Commission, CC BY 4.0)"] if code in ESCO else []
        names += [OMW[code][1]] if code in OMW else []
        names += ["UniMorph derivations (CC BY-SA 3.0)"] if code in UNIMORPH else []
        head = [f"# source: derived by builders/open_words.py from {', '.join(names)}", "# licence: CC BY-SA 4.0"]
        body = ["\t".join(("concept", "female", "male", "neutral", "other")), *("\t".join((*row, "")) for row in lines)]
        path.write_text("\n".join([*head, *body]) + "\n", encoding="utf-8")
        for row in random.Random(code).sample(lines, min(options.sample, len(lines))):
            sys.stdout.write(f"   {' | '.join(row)}\n")


if __name__ == "__main__":
    main()
