"""What each open dictionary in shared/data/lexica says about nouns for persons: one reader per source.

A reader yields claims: this masculine noun has this feminine; this noun has one form for both; this noun translates
that English one. Nothing is judged here; `builders.lexicon` weighs, filters and writes.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evenhand.grammar.english import singular


class Source(NamedTuple):
    """A dictionary: the short name in the tables, what the tables' head says, and the licence of what is derived."""

    key: str
    words: str
    licence: str


CC_BY_SA = "CC BY-SA 4.0"
ESCO = Source("esco", "ESCO v1.0.3 and later (European Commission, CC BY 4.0; esco_README of shared/data)", "")
COMMIT = "omwn/omw-data f75be19"
WORDNETS = {
    "it": Source("wordnet", f"MultiWordNet and ItalWordNet ({COMMIT}, CC BY 3.0, ODC-BY 1.0)", ""),
    "ca": Source("wordnet", f"Multilingual Central Repository, Catalan ({COMMIT}, CC BY 3.0)", ""),
    "gl": Source("wordnet", f"Multilingual Central Repository, Galician ({COMMIT}, CC BY 3.0)", ""),
    "pt": Source("wordnet", f"OpenWN-PT ({COMMIT}, CC BY-SA)", CC_BY_SA),
    "fr": Source("wordnet", f"WOLF ({COMMIT}, CeCILL-C)", "CeCILL-C"),
    "pl": Source("wordnet", f"plWordNet ({COMMIT}, its own permissive licence)", ""),
    "el": Source("wordnet", f"Greek Wordnet ({COMMIT}, Apache-2.0)", ""),
    "bg": Source("wordnet", f"BulTreeBank Wordnet ({COMMIT}, CC BY 3.0)", ""),
    "hr": Source("wordnet", f"Croatian Wordnet ({COMMIT}, CC BY 3.0)", ""),
    "sk": Source("wordnet", f"Slovak WordNet ({COMMIT}, CC BY-SA 3.0)", CC_BY_SA),
    "sl": Source("wordnet", f"sloWNet ({COMMIT}, CC BY-SA 3.0)", CC_BY_SA),
    "sv": Source("wordnet", f"Swedish Wordnet (WordNet-SALDO; {COMMIT}, CC BY 3.0)", ""),
    "da": Source("wordnet", f"DanNet ({COMMIT}, its own permissive licence)", ""),
    "nl": Source("wordnet", f"Open Dutch WordNet ({COMMIT}, CC BY-SA 4.0)", CC_BY_SA),
}
WIKTIONARY = Source("wiktionary", f"Wiktionary by way of the Open Multilingual Wordnet ({COMMIT}, CC BY-SA)", CC_BY_SA)
UNIMORPH = Source("unimorph", "UniMorph derivations (Wiktionary; commits in shared/data, CC BY-SA 3.0)", CC_BY_SA)
SOFTCATALA = Source("softcatala", "Softcatalà catalan-dict-tools 2376694 (LGPL-2.1 or later)", "LGPL-2.1-or-later")
HUNSPELL = Source("hunspell", "Dicollecte French dictionary (hunspell-fr-revised, MPL-2.0)", "MPL-2.0")
GERMAN_NOUNS = Source("german-nouns", "german-nouns 1.2.5 (German Wiktionary, CC BY-SA 4.0)", CC_BY_SA)
OPENCORPORA = Source("opencorpora", "OpenCorpora, revision 417150, as in pymorphy3-dicts-ru (CC BY-SA 3.0)", CC_BY_SA)
AGENTS = {  # UniMorph: suffixes that make nouns for persons, by language
    "es": ("spa", ("-ista",)),
    "pt": ("por", ("-ista",)),
    "fr": ("fra", ("-iste",)),
    "de": ("deu", ("-er", "-ist", "-ler", "-ner", "-iker", "-ant", "-ent", "-eur")),
    "ru": ("rus", ("-ист", "-тель", "-щик", "-чик", "-ник", "-ец", "-арь", "-ант", "-ер", "-ёр")),
}  # fmt: skip


WOMEN = {"de": ("-in",), "ru": ("-ка", "-ница", "-ша")}  # and suffixes that make nouns for women of men's


class Pair(NamedTuple):
    """A masculine noun and its feminine; `listed` where the source names both, not only their shape."""

    male: str
    female: str
    source: Source
    listed: bool = True


class Alone(NamedTuple):
    """A noun for a person whose gender the source does not give, or gives without a partner ("m", "f", "mf")."""

    lemma: str
    gender: str
    source: Source


class Sense(NamedTuple):
    """A noun and an English one that it renders; weight: how usual that meaning is, 0 to 1."""

    lemma: str
    english: str
    weight: float
    source: Source


Claim = Pair | Alone | Sense


def opened(path: Path) -> Iterator[list[str]]:
    """Rows of a tab-separated file, compressed or not; an absent file has none."""
    if not path.exists():
        return
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def one_word(text: str) -> str:
    """The text in lower case where it is one word, else nothing."""
    low = text.strip().lower()
    return low if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", low) and len(low) > 2 else ""


def esco(data: Path, code: str) -> Iterator[Claim]:
    """Head words in both genders, and English head words that go with them over many occupations."""
    pairs: dict[str, str] = {}
    for row in opened(data / "esco" / "pairs" / f"esco_{code}.clean.tsv.xz"):
        male, female = one_word(row[0]), one_word(row[1])
        if male and female and male != female and row[3] in ("slash", "alt"):
            pairs.setdefault(male, female)
            yield Pair(male, female, ESCO, row[3] == "slash")
    yield from _esco_whole(data, code)
    yield from _esco_heads(data, code, frozenset(pairs))


def _esco_whole(data: Path, code: str) -> Iterator[Claim]:
    """Labels of one word in both languages: brewmaster, Braumeister."""
    theirs = esco_labels(data, code)
    for uri, labels in esco_labels(data, "en").items():
        alone = sorted({one_word(label) for label in labels} - {""})
        for lemma in sorted({one_word(label) for label in theirs.get(uri, [])[:2]} - {""}):
            yield Alone(lemma, "", ESCO)
            for word in alone:
                yield Sense(lemma, word, 0.9 if len(alone) == 1 or word in labels[:1] else 0.0, ESCO)


def _esco_heads(data: Path, code: str, listed: frozenset[str]) -> Iterator[Sense]:
    """Head words that go together over many occupations."""
    theirs = esco_labels(data, code)
    together: Counter[tuple[str, str]] = Counter()
    of_english: Counter[str] = Counter()
    of_other: Counter[str] = Counter()
    for uri, labels in esco_labels(data, "en").items():
        ours = {one_word(esco_head(label, english=True)) for label in labels[:1]} - {""}
        heads = listed & {esco_head(label, english=False) for label in theirs.get(uri, [])[:2]}
        of_english.update(ours)
        of_other.update(heads)
        together.update((a, b) for a in ours for b in heads)
    for (concept, form), count in sorted(together.items()):
        likeness = 2 * count / (of_english[concept] + of_other[form])
        if count > 1 and likeness >= 0.35:
            yield Sense(form, concept, likeness, ESCO)


BREAK = re.compile(r"[,;(]| - ")
BEHIND = frozenset({"of", "in", "for", "and", "at", "to"})


def esco_head(label: str, *, english: bool) -> str:
    """The head of a label: in English the last word before a preposition, elsewhere the first."""
    words = BREAK.split(label)[0].lower().split()
    if not words:
        return ""
    if not english:
        return words[0]
    stop = next((i for i, word in enumerate(words) if i and word in BEHIND), len(words))
    return singular(words[stop - 1])


def esco_labels(data: Path, code: str) -> dict[str, list[str]]:
    """The labels of each occupation, preferred first, slashes between the genders opened."""
    table: dict[str, list[str]] = {}
    for path in sorted((data / "esco").glob(f"v*_occupations_{code}*.tsv.xz")):
        for row in opened(path):
            if row[0].startswith("http"):
                both = [row[2], *(row[3].split("|") if len(row) > 3 and row[3] else [])]
                table.setdefault(row[0], [part for label in both for part in _genders(label)])
    return table


def _genders(label: str) -> list[str]:
    """Both forms of a label; what follows the second belongs to the first too: izrađivač/izrađivačica nakita."""
    parts = [part.split() for part in label.split("/") if part.strip()]
    longest = max(parts, key=len, default=[])
    return [" ".join(part + longest[len(part) :]) for part in parts]


def wordnet(data: Path, code: str) -> Iterator[Claim]:
    """Lemmas of WordNet's noun.person synsets. A meaning that more languages' wordnets cover is the more usual one."""
    covered = synset_cover(data)
    if code in WORDNETS:
        yield from _synsets(data / "omw-person" / f"person_{code}.tsv.xz", WORDNETS[code], covered)
    if code not in ("it", "fr", "pt"):  # above 3 % wrong beside a wordnet of the language's own
        yield from _synsets(data / "omw-person" / f"person_wikt-{code}.tsv.xz", WIKTIONARY, covered)


def _synsets(path: Path, source: Source, covered: dict[tuple[str, str], float]) -> Iterator[Claim]:
    for row in opened(path):
        lemma = one_word(row[1]) if len(row) > 2 else ""
        if lemma and (row[1][:1].islower() or "wikt-de" in path.name):
            yield Alone(lemma, "", source)
            for english in row[2].split("|"):
                if one_word(english):
                    yield Sense(lemma, english.lower(), covered.get((row[0], english.lower()), 0.0), source)


def synset_cover(data: Path) -> dict[tuple[str, str], float]:
    """(synset, English noun) -> how many wordnets have the synset, as a share of the noun's best synset."""
    languages: dict[str, set[str]] = defaultdict(set)
    nouns: dict[str, set[str]] = defaultdict(set)
    for path in sorted((data / "omw-person").glob("person_*.tsv.xz")):
        for row in opened(path):
            if len(row) > 2:
                languages[row[0]].add(path.name)
                nouns[row[0]].update(english.lower() for english in row[2].split("|"))
    best: Counter[str] = Counter()
    for synset, words in nouns.items():
        for word in words:
            best[word] = max(best[word], len(languages[synset]))
    return {(s, word): len(languages[s]) / best[word] for s, words in nouns.items() for word in words}


def unimorph(data: Path, code: str) -> Iterator[Claim]:
    for row in opened(data / "unimorph-derivations" / f"um_{code}_agentive.tsv"):
        male, female = one_word(row[0]), one_word(row[1])
        if male and female and not row[0][:1].isupper():
            yield Pair(male, female, UNIMORPH)
    name, suffixes = AGENTS.get(code, ("", ()))
    women = WOMEN.get(code, ())
    for row in opened(data / "unimorph-derivations" / f"{name}.derivations.xz"):
        derived = one_word(row[1]) if len(row) > 3 and row[2] in ("V:N", "N:N") else ""
        if derived and row[3] in suffixes:
            yield Alone(derived, "", UNIMORPH)
        elif derived and row[3] in women and row[2] == "N:N" and (male := one_word(row[0])):
            yield Pair(male, derived, UNIMORPH, listed=False)


def softcatala(data: Path, code: str) -> Iterator[Claim]:
    if code == "ca":
        yield from _two_columns(data / "softcatala-ca" / "softcatala_ca_noun_pairs.tsv", SOFTCATALA)


def hunspell(data: Path, code: str) -> Iterator[Claim]:
    if code == "fr":
        yield from _two_columns(data / "hunspell-fr" / "hunspell_fr_noun_pairs.tsv", HUNSPELL)


def german_nouns(data: Path, code: str) -> Iterator[Claim]:
    if code != "de":
        return
    yield from _two_columns(data / "german-nouns" / "german_nouns_pairs.tsv", GERMAN_NOUNS)


def german_plurals(data: Path) -> dict[str, str]:
    """Lemma -> nominative plural, where they differ."""
    table = opened(data / "german-nouns" / "lemma_pos_genus_gen_pl.tsv.xz")
    return {row[0].lower(): row[4].lower() for row in table if row[4] and row[4] != row[0] and " " not in row[4]}


def german_genders(data: Path) -> dict[str, str]:
    """Lemma -> genders, as letters."""
    table = opened(data / "german-nouns" / "lemma_pos_genus_gen_pl.tsv.xz")
    return {row[0].lower(): row[2].replace("/", "") for row in table if row[2] and "Nachname" not in row[1]}


def german_adjectives(data: Path) -> frozenset[str]:
    """Nouns declined like adjectives, masculine: erwachsener; and the endings of participles."""
    table = opened(data / "german-nouns" / "lemma_pos_genus_gen_pl.tsv.xz")
    listed = (row[0].lower() for row in table if "adjektivische Deklination" in row[1] and " " not in row[0])
    return frozenset(
        {*(f"{word.rstrip('rsn').rstrip('e')}er" for word in listed), "ierter", "jähriger", "orener", "iedener"}
    )


def german_places(data: Path) -> Iterator[str]:
    """Names of places: they make nouns for their inhabitants."""
    table = opened(data / "german-nouns" / "lemma_pos_genus_gen_pl.tsv.xz")
    return (row[0].lower() for row in table if "Toponym" in row[1] and " " not in row[0])


def opencorpora(data: Path, code: str) -> Iterator[Claim]:
    if code != "ru":
        return
    yield from _two_columns(data / "opencorpora-ru" / "opencorpora_ru_pairs.tsv", OPENCORPORA)
    for row in opened(data / "opencorpora-ru" / "opencorpora_ru_anim.tsv"):
        lemma = one_word(row[0])
        if lemma:
            yield Alone(lemma, {"masc": "m", "femn": "f", "ms-f": "mf"}.get(row[1], ""), OPENCORPORA)


def _two_columns(path: Path, source: Source) -> Iterator[Pair]:
    for row in opened(path):
        male, female = one_word(row[0]), one_word(row[1])
        if male and female and male != female:
            yield Pair(male, female, source)


READERS = (esco, wordnet, unimorph, softcatala, hunspell, german_nouns, opencorpora)
