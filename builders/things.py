"""Derive src/evenhand/grammar/<language>/things_derived.tsv: target words that render English nouns for things.

    python -m builders.things [/usr/share/wordnet]

Needs WordNet 3.0 (Debian: wordnet-base) and our own translation tables (grammar/*/priors.parquet). An English noun is
a thing when none of its senses is a person or an animal, or when such senses are less than a tenth of its weight
(`person_nouns`), and when it is met as a noun more often than as an adjective or a verb (SemCor counts). A target word
is a thing when
such nouns hold three quarters of the weight of its five best sources and the best of all, and when no table of forms
knows it as a person. The licence of WordNet lies beside the tables of mining.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

import polars as pl
from builders.person_nouns import read_index, read_synsets

from evenhand.grammar import language
from evenhand.grammar.english import singular
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import Kind
from evenhand.tsv import rows

ROOM = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "grammar"
PERSONS = ROOM.parent / "persons" / "data" / "person_nouns.tsv"
CODES = ("de", "es", "fr", "ru")  # the languages that have a translation table of their own
ANIMAL, PERSON = 5, 18  # lexicographer files
SLIGHT = 0.1  # share of a noun's senses that may be persons
LEAST, SURELY = 0.15, 0.3  # score of the best source, and where the ending looks like a person's (Computer, lector)
WEIGHT = 0.75
SHORTEST = 4
FEMININE = re.compile(r"a(s?)$")


def english_things(folder: Path) -> frozenset[str]:
    """Nouns without a person among their usual senses, met as nouns at least as often as otherwise."""
    synsets = read_synsets(folder)
    met: dict[tuple[str, str], int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text(encoding="latin-1").splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        met[lemma, "noun" if sense.startswith("1:") else "other"] += int(count)
    shares = {row["noun"]: float(row["share"]) for row in rows(PERSONS)}
    others = {*read_index(folder, "index.adj"), *read_index(folder, "index.verb")}
    found = set()
    for lemma, senses in read_index(folder).items():
        files = {synsets[sense].file for sense in senses}
        if ANIMAL in files or all(synsets[sense].instance for sense in senses):
            continue
        if PERSON in files and shares.get(lemma, 1.0) > SLIGHT:
            continue
        if lemma not in others or met[lemma, "noun"] > met[lemma, "other"]:
            found.add(lemma)
    return frozenset(found)


def target_things(code: str, things: frozenset[str]) -> list[str]:
    """The words of one language that render them and no person."""
    target = language(code)
    persons = Forms(target).known
    sources: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for source, word, score in pl.read_parquet(ROOM / target.name / "priors.parquet").iter_rows():
        sources[word].append((score, source))
    found = []
    for word, known in sources.items():
        best = sorted(known, reverse=True)[:5]
        if len(word) < SHORTEST or not word.isalpha() or best[0][0] < LEAST:
            continue
        forms = [*target.lookups(word), *target.lookups(FEMININE.sub(r"o\1", word))]  # cartera: the wallet, a postwoman
        if any(form in persons or target.listed(form) for form in forms):
            continue
        if best[0][0] < SURELY and target.noun(word).kind in {Kind.SEXED, Kind.COMMON}:
            continue
        if _renders_things(best, things):
            found.append(word)
    return sorted(found)


def _renders_things(best: list[tuple[float, str]], things: frozenset[str]) -> bool:
    """The best source is a thing, and things hold most of the weight."""
    held = [(score, source in things or singular(source) in things) for score, source in best]
    return held[0][1] and sum(s for s, thing in held if thing) >= WEIGHT * sum(s for s, _ in held)


def main() -> None:
    things = english_things(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"))
    for path in ROOM.glob("*/things_derived.tsv"):
        path.unlink()  # the languages below must not know what is to be derived
    for code in CODES:
        name = language(code).name
        head = "# source: words that render English nouns for things (WordNet 3.0), by priors; builders/things.py"
        words = target_things(code, things)
        lines = [" ".join(words[i : i + 20]) for i in range(0, len(words), 20)]
        (ROOM / name / "things_derived.tsv").write_text("\n".join([head, "word", *lines]) + "\n", encoding="utf-8")
        sys.stdout.write(f"{name}: {len(words)} words\n")


if __name__ == "__main__":
    main()
