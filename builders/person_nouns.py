"""Derive src/evenhand/persons/data/{person_nouns,proper_nouns,compounds}.tsv from WordNet 3.0 (Debian: wordnet-base).

    python builders/person_nouns.py [/usr/share/wordnet]

A person noun is a single-token noun with at least one sense in the lexicographer file noun.person that is no instance
(not a particular person). `share` is the weight of those senses among all of the noun and the adjective of the same
spelling: SemCor counts of a sense plus 1 / its rank, so that the first sense leads where nothing was counted. The
licence notice goes to LICENSE.WordNet beside the tables.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

PERSON = 18  # lexicographer file noun.person
# a sign of the zodiac, a title, or a name whose person is one man: no members of a people
NO_PEOPLE = frozenset(
    "Aries Balkan CEO CPA Chopin Columbus France Gemini Kansas Lao Latin London Mam Monsieur Paris Pisces Sagittarius "
    "Sunday Tagalog VIP".split()
)
MADE = (6, 27)  # artifacts, substances
OTHERS = (5, 9, 10, 13, 17, 20)  # animals, cognition, communication, food, objects, plants
OUT = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "persons" / "data"
MALE, FEMALE = ("male", "male_person"), ("female", "female_person")
NOT_MAN = {"human", "roman", "german", "norman", "ottoman", "shaman", "talisman", "brahman"}


class Synset(NamedTuple):
    """A meaning: its file, its words as spelt, its hypernyms, whether it is one particular person or place."""

    file: int
    words: tuple[str, ...]
    parents: tuple[str, ...]
    instance: bool


def read_synsets(folder: Path) -> dict[str, Synset]:
    """data.noun by offset."""
    found = {}
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        size = int(fields[3], 16)
        words = tuple(fields[4 : 4 + 2 * size : 2])
        at = 4 + 2 * size
        pointers = [fields[at + 1 + 4 * k : at + 4 + 4 * k] for k in range(int(fields[at]))]
        up = tuple(offset for sign, offset, pos in pointers if sign in ("@", "@i") and pos == "n")
        found[fields[0]] = Synset(int(fields[1]), words, up, any(sign == "@i" for sign, _, _ in pointers))
    return found


def read_index(folder: Path, name: str = "index.noun") -> dict[str, list[str]]:
    """An index file: a lemma's synsets, the most frequent first."""
    found = {}
    for line in (folder / name).read_text(encoding="latin-1").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            found[fields[0]] = fields[-int(fields[2]) :]
    return found


def read_counts(folder: Path) -> dict[tuple[str, int], int]:
    """cntlist.rev: how often a noun's sense (by rank) was tagged in running text; rank 0 is the word as adjective."""
    counts: dict[tuple[str, int], int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text(encoding="latin-1").splitlines():
        key, rank, count = line.split()
        lemma, _, sense = key.partition("%")
        if sense.startswith("1:"):
            counts[lemma, int(rank)] += int(count)
        elif sense.startswith(("3:", "5:")):
            counts[lemma, 0] += int(count)
    return counts


def read_table(name: str) -> dict[str, str]:
    lines = [line for line in (OUT / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return dict(tuple(line.split("\t")) for line in lines[1:])  # type: ignore[misc]


def read_plurals(folder: Path) -> dict[str, str]:
    """noun.exc turned round: the irregular plural of a noun (the first one listed)."""
    found: dict[str, str] = {}
    for line in (folder / "noun.exc").read_text(encoding="latin-1").splitlines():
        plural, *singulars = line.split()
        for single in singulars:
            if "_" not in plural and plural != single:
                found.setdefault(single, plural)
    return found


def plural_of(noun: str, irregular: dict[str, str]) -> str:
    """Regular English plural unless an irregular one is listed, for the noun itself or its last part."""
    if noun in irregular:
        return irregular[noun]
    for ending, plural in (
        ("woman", "women"),
        ("man", "men"),
        ("child", "children"),
        ("wife", "wives"),
        ("hero", "heroes"),
    ):
        if noun.endswith(ending) and noun not in NOT_MAN:
            return noun[: -len(ending)] + plural
    if noun.endswith("-in-law"):
        return plural_of(noun[:-7], irregular) + "-in-law"
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def ancestors(offset: str, synsets: dict[str, Synset]) -> set[str]:
    seen: set[str] = set()
    waiting = [offset]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += synsets[here].parents
    return seen


def gender_of(noun: str, first: str, synsets: dict[str, Synset], own: dict[str, str]) -> str:
    """female, male or nothing: our list, then WordNet's hyponyms, then the ending -man, -woman."""
    if noun in own:
        return "" if own[noun] == "neutral" else own[noun]
    above = [synsets[o].words for o in ancestors(first, synsets) if synsets[o].file == PERSON] if first else []
    if FEMALE in above:
        return "female"
    if MALE in above:
        return "male"
    if noun.endswith(("woman", "lady", "girl")):
        return "female"
    if noun.endswith(("man", "boy")) and noun not in NOT_MAN:
        return "male"
    return ""


def person_nouns(folder: Path) -> list[str]:
    synsets, index, counts = read_synsets(folder), read_index(folder), read_counts(folder)
    adjectives = read_index(folder, "index.adj")
    irregular, own, overrides = read_plurals(folder), read_table("gendered.tsv"), read_table("overrides.tsv")
    lines = []
    for noun, offsets in index.items():
        if not noun.replace("-", "").isalpha():
            continue
        senses = [synsets[o] for o in offsets]
        person = [s.file == PERSON and not s.instance and noun in s.words for s in senses]
        if not any(person):
            continue
        weights = [counts[noun, k] + 1 / k for k in range(1, len(senses) + 1)]
        total = sum(weights) + counts[noun, 0] + (noun in adjectives)
        share = sum(w for w, p in zip(weights, person, strict=True) if p) / total
        share = float(overrides.get(noun, share))
        first = offsets[person.index(True)]
        gender = gender_of(noun, first, synsets, own)
        lines.append(f"{noun}\t{len(senses)}\t{sum(person)}\t{share:.2f}\t{gender}\t{plural_of(noun, irregular)}")
    known = {line.partition("\t")[0] for line in lines}
    for noun in overrides.keys() - known:  # words WordNet lacks, or keeps outside noun.person (person, human)
        if float(overrides[noun]) >= 0.5:
            gender = gender_of(noun, "", synsets, own)
            lines.append(f"{noun}\t0\t0\t{float(overrides[noun]):.2f}\t{gender}\t{plural_of(noun, irregular)}")
    return sorted(lines)


def proper_nouns(folder: Path) -> list[str]:
    """Capitalised single words none of whose senses is a person's name: places, months, languages, peoples."""
    synsets, index = read_synsets(folder), read_index(folder)
    found = set()
    for lemma, offsets in index.items():
        spelt = {w for o in offsets for w in synsets[o].words if w.lower() == lemma}
        named = synsets[offsets[0]].instance and synsets[offsets[0]].file == PERSON  # Paris is a town first
        if lemma.isalpha() and len(lemma) > 2 and not named and all(w[:1].isupper() for w in spelt):
            people = min(spelt) not in NO_PEOPLE and any(synsets[o].file == PERSON for o in offsets)
            found.add(f"{min(spelt)}\t{'people' if people else ''}")
    return sorted(found)


def _likely(folder: Path) -> set[str]:
    """Nouns that mean a person at least as often as anything else."""
    cells = [line.split("\t") for line in person_nouns(folder)]
    return {noun for noun, _, _, share, *_ in cells if float(share) >= 0.5}


def compounds(folder: Path) -> list[str]:
    """Person nouns with the words behind which they name no person (vacuum cleaner) and those behind which they do
    (bus driver), by the first sense of WordNet's compounds. The latter are kept for nouns of
    senses.tsv. An adjective counts only where it makes an artifact (electric shaver; not black widow)."""
    synsets, index, adjectives = read_synsets(folder), read_index(folder), read_index(folder, "index.adj")
    nouns, listed = _likely(folder), (OUT / "senses.tsv").read_text(encoding="utf-8").splitlines()
    doubtful = {line.partition("\t")[0] for line in listed}
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for lemma, offsets in index.items():
        before, _, noun = lemma.partition("_")
        senses = [synsets[o] for o in offsets]
        spelt = {word for sense in senses for word in sense.words}
        if noun not in nouns or lemma not in spelt or senses[0].instance:
            continue
        things = MADE if before in adjectives else {*MADE, *OTHERS}
        if senses[0].file in things:
            found[noun][0].add(before)
        elif noun in doubtful and {sense.file for sense in senses} == {PERSON}:
            found[noun][1].add(before)
    return sorted(f"{n}\t{' '.join(sorted(t))}\t{' '.join(sorted(p))}" for n, (t, p) in found.items())


def _write(name: str, what: str, head: str, lines: list[str]) -> None:
    made = "# source: derived from WordNet 3.0 by builders/person_nouns.py; licence in LICENSE.WordNet"
    (OUT / name).write_text("\n".join([f"# {what}", made, head, *lines]) + "\n", encoding="utf-8")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    notice = [
        line for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines() if line.startswith("  ")
    ]
    (OUT / "LICENSE.WordNet").write_text(
        "\n".join(line.strip().lstrip("0123456789").strip() for line in notice) + "\n", encoding="utf-8"
    )
    nouns, names = person_nouns(folder), proper_nouns(folder)
    what = "English nouns with a sense that is a person; share = weight of those senses; gender where the word tells it"
    _write("person_nouns.tsv", what, "noun\tsenses\tperson_senses\tshare\tgender\tplural", nouns)
    what = (
        "English capitalised words that are no person's name; kind people: a member of a people or a faith (Estonian)"
    )
    _write("proper_nouns.tsv", what, "word\tkind", names)
    what = "English person nouns, the words before them that make a thing of them, and those that make a person"
    _write("compounds.tsv", what, "noun\tthings\tpersons", compounds(folder))
    sys.stdout.write(f"{len(nouns)} person nouns, {len(names)} proper nouns that name no person\n")


if __name__ == "__main__":
    main()
