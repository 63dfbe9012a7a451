"""Nouns for persons of languages that are read as sources only: grammar/{hungarian,turkish,finnish}.

    python builders/source_nouns.py --data ../shared/data [--sample 200]

occupations.tsv repeats the suites' forms (ours) by their English nouns, with what names a woman or a man beside them
(tanárnő, naislääkäri). lexicon.tsv has ESCO's titles of one word (CC BY 4.0), lexicon.cc-by-sa-4.0.tsv WordNet's
nouns for persons by way of the Hungarian Wiktionary, in a usual meaning. `--sample` prints rows to read.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from builders.lexicon import COLUMNS, english_persons
from builders.lexicon_sources import ESCO, WIKTIONARY, Sense, one_word, wordnet

from evenhand.grammar import source_grammar
from evenhand.languages import known
from evenhand.tsv import rows

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "evenhand"
SUITES = PACKAGE / "suites" / "lexicon"
USUAL = 0.75  # how usual a meaning must be in a source made automatically
MOSTLY = 0.7  # of the English noun's senses that are persons, in such a source
SHARES = {row["noun"]: float(row["share"]) for row in rows(PACKAGE / "persons" / "data" / "person_nouns.tsv")}
WOMEN = {"hu": "{}nő", "tr": "", "fi": "nais{}"}
MEN = {"hu": "", "tr": "", "fi": "mies{}"}
QUALITIES = frozenset(
    "beteg fiatal bolond bűnös család idegen szent horgász".split()
)  # adjectives, verbs, things first
OURS = "# source: written for Evenhand; the suites' forms of occupations, gathered by builders/source_nouns.py"


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


def titles(code: str) -> Iterator[tuple[str, ...]]:
    """ESCO's titles of one word whose English is an English noun for persons."""
    for row in rows(SUITES / "esco.tsv"):
        form = one_word(row.get(code, ""))
        if form and row["english"] in english_persons():
            yield "", "", form, row["english"], ESCO.key, "2"


def nouns(data: Path, code: str) -> Iterator[tuple[str, ...]]:
    """Nouns that the aligned wordnets call persons, with the English ones that they usually render."""
    english: dict[str, set[str]] = defaultdict(set)
    gendered: set[str] = set()
    for claim in wordnet(data / "lexica", code):
        if isinstance(claim, Sense) and claim.weight >= USUAL and claim.english in english_persons():
            if SHARES[claim.english] >= MOSTLY:
                english[claim.lemma].add(claim.english)
            if english_persons()[claim.english] or claim.lemma.endswith(WOMEN[code].removeprefix("{}") or " "):
                gendered.add(claim.lemma)
    for lemma, words in sorted(english.items()):
        if lemma not in gendered and lemma not in QUALITIES:
            yield "", "", lemma, "|".join(sorted(words)), WIKTIONARY.key, "1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    for code in (code for code, entry in known().items() if entry.source):
        folder = source_grammar(code).folder
        head = f"# source: derived by builders/source_nouns.py from {{}}\n# licence: {{}}\n{chr(9).join(COLUMNS)}"
        for name, top, table in (
            ("occupations", f"{OURS}\nconcept\tfemale\tmale\tneutral\tother", occupations(code)),
            ("lexicon", head.format(ESCO.words, "CC BY 4.0"), titles(code)),
            ("lexicon.cc-by-sa-4.0", head.format(WIKTIONARY.words, WIKTIONARY.licence), nouns(options.data, code)),
        ):
            lines = ["\t".join(row) for row in table]
            sys.stdout.write(f"{code} {name}: {len(lines)} rows\n")
            if lines:
                (folder / f"{name}.tsv").write_text("\n".join([top, *lines]) + "\n", encoding="utf-8")
            for line in random.Random(code).sample(lines, min(options.sample, len(lines))):
                sys.stdout.write(f"    {line}\n")


if __name__ == "__main__":
    main()
