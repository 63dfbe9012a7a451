"""Nouns for persons that show no gender: of languages read as sources only (Hungarian, Turkish, Finnish) and of the
Scandinavian ones.

    python -m builders.common_nouns --data ../shared/data [--only sv] [--sample 200]

occupations.tsv of the sources repeats the suites' forms (ours) by their English nouns, with what names a woman or a
man beside them (tanárnő, naislääkäri). lexicon.tsv has ESCO's titles of one word (CC BY 4.0) and the nouns of free
wordnets, lexicon.cc-by-sa-4.0.tsv those of the Hungarian Wiktionary, each in a usual meaning. `--sample` prints rows
to read.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from builders.lexicon import COLUMNS, english_persons
from builders.lexicon_sources import ESCO, Sense, esco_labels, one_word, wordnet
from wordfreq import zipf_frequency

from evenhand.grammar import source_grammar
from evenhand.grammar.lexicon import shipped_forms
from evenhand.grammar.protocol import Kind
from evenhand.languages import known
from evenhand.tsv import rows

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "evenhand"
SUITES = PACKAGE / "suites" / "lexicon"
USUAL = 0.75  # how usual a meaning must be in a source made automatically
MOSTLY = 0.7  # of the English noun's senses that are persons, in such a source
SHARES = {row["noun"]: float(row["share"]) for row in rows(PACKAGE / "persons" / "data" / "person_nouns.tsv")}
WOMEN = {"hu": "{}nő", "tr": "", "fi": "nais{}"}
MEN = {"hu": "", "tr": "", "fi": "mies{}"}
GENDERED = {  # endings of nouns for women or men, which are no one else's
    "hu": ("nő",),
    "sv": ("inna", "erska", "man", "kvinna", "karl", "ös", "flicka", "pojke", "dotter", "son", "fru"),
    "da": ("inde", "erske", "mand", "kvinde", "pige", "dreng", "datter", "kone"),
    "no": ("inne", "erske", "mann", "kvinne", "jente", "gutt", "datter", "kone"),
}
# adjectives, verbs and things first of all
QUALITIES = frozenset(
    "beteg fiatal bolond bűnös család idegen szent horgász kezdő neger".split()
)  # adjectives, verbs first
FREQUENT = 4.0  # zipf of an English noun from which a wordnet's meaning is trusted: not hjärna, a brainiac
SHAPED = 3  # titles with an ending of three letters from which it is one of persons
OURS = "# source: written for Evenhand; the suites' forms of occupations, gathered by builders/common_nouns.py"
Row = tuple[str, str, str]  # a noun, its English ones, the source


def occupations(code: str) -> Iterator[tuple[str, ...]]:
    """English nouns, and their forms for a woman, a man and anyone."""
    english = {row["concept"]: row["english"].lower() for row in rows(SUITES / "occupations.tsv")}
    forms: dict[str, list[str]] = defaultdict(list)
    for row in rows(SUITES / "forms" / f"{code}.tsv"):
        if row["concept"] in english:
            forms[english[row["concept"]]].append(row["form"])
    for name, several in sorted(forms.items()):
        alone = [form for form in several if one_word(form)]
        woman, man = ("|".join(shape.format(f) for f in alone if shape) for shape in (WOMEN[code], MEN[code]))
        yield name, woman, man, "|".join(several), ""


def nouns(data: Path, code: str) -> dict[str, list[Row]]:
    """Nouns by licence: ESCO's titles of one word, and those that a wordnet calls persons."""
    english: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    theirs, language = esco_labels(data, code), source_grammar(code)
    for uri, labels in esco_labels(data, "en").items():
        for form in {one_word(label) for label in theirs.get(uri, [])[:1]} - {""}:
            english[form, ESCO.key, ""] |= {labels[0].lower()} & english_persons().keys()
    gendered = {form for form, _, _ in english if form.endswith(GENDERED.get(code, ()))} | QUALITIES
    for claim in wordnet(data, code):
        if isinstance(claim, Sense) and claim.weight >= USUAL and claim.english in english_persons():
            if SHARES[claim.english] >= MOSTLY:
                english[claim.lemma, claim.source.key, claim.source.licence].add(claim.english)
            if english_persons()[claim.english] or claim.lemma.endswith(GENDERED.get(code, ())):
                gendered.add(claim.lemma)
    found: dict[str, list[Row]] = defaultdict(list)
    own = shipped_forms(language)
    shapes = Counter(form[-3:] for form in {form for form, key, _ in english if key == ESCO.key} | own.known.keys())
    for (form, source, licence), words in sorted(english.items()):
        listed = form in own.others or language.noun(form).kind in (Kind.THING, Kind.FIXED, Kind.SEXED)
        meant = source == ESCO.key or any(zipf_frequency(word, "en") >= FREQUENT for word in words)
        person = words and form not in gendered and not language.function_word(form) and not listed
        if person and (meant or shapes[form[-3:]] >= SHAPED):
            found[licence].append((form, "|".join(sorted(words)), source))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    codes = [code for code, entry in known().items() if entry.source] + ["sv", "da", "no"]
    for code in options.only or codes:
        folder = source_grammar(code).folder
        if known()[code].source:
            made = ["\t".join(row) for row in occupations(code)]
            text = "\n".join([OURS, "concept\tfemale\tmale\tneutral\tother", *made])
            (folder / "occupations.tsv").write_text(text + "\n", encoding="utf-8")
        for path in folder.glob("lexicon*.tsv"):
            path.unlink()  # our own tables must not be what was derived before
        sources = {claim.source.key: claim.source.words for claim in wordnet(options.data / "lexica", code)}
        sources["esco"] = ESCO.words
        for licence, table in nouns(options.data / "lexica", code).items():
            used = "; ".join(sources[key] for key in sorted({row[2] for row in table}))
            head = f"# source: derived by builders/common_nouns.py from {used}\n# licence: {licence or 'CC BY 4.0'}"
            lines = [f"\t\t{form}\t{words}\t{source}\t2" for form, words, source in table]
            name = f"lexicon.{licence.lower().replace(' ', '-')}.tsv" if licence else "lexicon.tsv"
            (folder / name).write_text("\n".join([head, "\t".join(COLUMNS), *lines]) + "\n", encoding="utf-8")
            sys.stdout.write(f"{code} {name}: {len(lines)} rows\n")
            for key in sorted({row[2] for row in table}):
                mine = [f"{form}={words}" for form, words, source in table if source == key]
                shown = random.Random(code).sample(mine, min(options.sample, len(mine)))
                sys.stdout.write(f"  {key} {len(mine)}: {'; '.join(shown)}\n")


if __name__ == "__main__":
    main()
