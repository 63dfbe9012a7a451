"""Train src/evenhand/persons/data/tagger.tsv from text that builders/tagged_text.py tagged.

    python builders/tagger.py any.tsv persons.tsv

A structured averaged perceptron (Collins 2002) on the features of evenhand.persons.tagging; every fiftieth sentence is
kept out and tells how often the small tagger says what its teacher says. Every sixth sentence is also seen in small
letters, as transcripts write. Rare features and small weights are cut. The table holds words, endings and weights, no
sentences.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.tagging import BESIDE, EDGE, START, Tagger, features, features_beside, opens_sentence

OUT = Path(__file__).resolve().parents[1] / "src" / "evenhand" / "persons" / "data" / "tagger.tsv"
HEAD = """\
# Weights of the English tagger: one feature a row, with its weight for each tag (others are 0).
# source: made for Evenhand by builders/tagger.py. Text: Mozilla Common Voice (CC0), Tatoeba (CC BY 2.0 FR), European
# Parliament; tagged by Flair's "pos-fast" (Akbik, Blythe & Vollgraf 2018; MIT licence).
feature\tweights
"""
MERGED = {
    "NNPS": "NNP", "PDT": "DT", "EX": "PRP", "WP": "W", "WDT": "W", "WRB": "W", "WP$": "W", "RBR": "RB", "RBS": "RB",
    "RP": "RB", "FW": "UH", "XX": "UH", "AFX": "UH", "ADD": "UH", "NFP": "UH", "LS": "UH", "SYM": "UH", "$": ".",
    ",": ".", ":": ".", "HYPH": ".", "-LRB-": ".", "-RRB-": ".", "``": ".", "''": ".", "O": "UH", "<unk>": "UH",
}  # fmt: skip
AUXILIARIES = frozenset(
    "be am is are was were been being 's 're 'm have has had having 've 'd do does did done doing ai ca".split()
)
DAYS = frozenset("today tonight tomorrow yesterday".split())  # nouns to the Penn Treebank; "a customer today" is none
RARE = {"w": 3, "h": 8, "s": 5, "p": 20, "-1w": 12, "1w": 12, "-2w": 40, "2w": 40, "-1s": 20, "1s": 20}
WELL_KNOWN, STRAY = 3, 0.01  # a word seen so often has only its tags; a tag this rare among them is an error
SMALL = 40  # of weights that reach some thousands
LEXICON = PersonLexicon()
Sentence = tuple[list[str], list[str]]
Weights = NDArray[np.float32]


def read(path: Path) -> Iterator[Sentence]:
    """Words with the tags we use."""
    for line in path.read_text(encoding="utf-8").splitlines():
        words, tags = (part.split(" ") for part in line.split("\t"))
        if len(words) == len(tags):
            yield words, [_ours(word, tag) for word, tag in zip(words, tags, strict=True)]


def _ours(word: str, tag: str) -> str:
    low = word.lower().replace("’", "'")
    if tag.startswith("VB") and low in AUXILIARIES:
        return "VA"
    return "RB" if low in DAYS else MERGED.get(tag, tag)


def names(words: list[str], at: int) -> Iterator[str]:
    yield from features(words[at], LEXICON, opens=opens_sentence(words, at))
    for step in BESIDE:
        yield from features_beside(words[at + step] if 0 <= at + step < len(words) else EDGE, step)


def dictionary(sentences: list[Sentence]) -> dict[str, list[str]]:
    """The tags of well-known words that are written small; one that can be a person can always be a noun."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            if word.islower() and tag != "NNP":
                counts[word][tag] += 1
    known: dict[str, list[str]] = {}
    for word, seen in sorted(counts.items()):
        if seen.total() >= WELL_KNOWN:
            usual = {tag for tag, n in seen.items() if n > STRAY * seen.total()}
            person = {tag for tag, forms in (("NN", LEXICON.nouns), ("NNS", LEXICON.plurals)) if word in forms}
            known[word] = sorted(usual | person)
    return known


class Perceptron:
    """Weights while they are learnt. The average over all steps is kept by the usual trick of weighted updates."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.tags = sorted({tag for _, tags in sentences for tag in tags})
        counts: Counter[str] = Counter(
            name for words, _ in sentences for at in range(len(words)) for name in names(words, at)
        )
        kept = [name for name, count in counts.items() if count >= RARE.get(name.partition("=")[0], 3)]
        self.row = {name: n for n, name in enumerate(kept)}
        self.weights: Weights = np.zeros((len(kept), len(self.tags)), dtype=np.float32)
        self.moves: Weights = np.zeros((len(self.tags) + 1, len(self.tags)), dtype=np.float32)  # from (last: start), to
        self.late = [np.zeros(w.shape, dtype=np.float64) for w in (self.weights, self.moves)]
        self.step = 1

    def rows(self, words: list[str]) -> list[NDArray[np.int64]]:
        return [
            np.array([r for name in names(words, at) if (r := self.row.get(name)) is not None])
            for at in range(len(words))
        ]

    def best(self, rows: list[NDArray[np.int64]]) -> list[int]:
        score = self.weights[rows[0]].sum(axis=0) + self.moves[-1]
        arrivals = []
        for row in rows[1:]:
            ways = self.moves[:-1] + score[:, None]
            arrivals.append(ways.argmax(axis=0))
            score = self.weights[row].sum(axis=0) + ways.max(axis=0)
        path = [int(score.argmax())]
        for arrival in reversed(arrivals):
            path.append(int(arrival[path[-1]]))
        return path[::-1]

    def learn(self, rows: list[NDArray[np.int64]], right: list[int]) -> None:
        said = self.best(rows)
        self.step += 1
        if said == right:
            return
        for at, row in enumerate(rows):
            if said[at] != right[at]:
                self._add(0, row, right[at], 1)
                self._add(0, row, said[at], -1)
            before = (right[at - 1], said[at - 1]) if at else (-1, -1)
            if (before[0], right[at]) != (before[1], said[at]):
                self._add(1, before[0], right[at], 1)
                self._add(1, before[1], said[at], -1)

    def _add(self, table: int, row: NDArray[np.int64] | int, tag: int, amount: int) -> None:
        (self.weights, self.moves)[table][row, tag] += amount
        self.late[table][row, tag] += amount * self.step

    def averaged(self) -> Iterator[tuple[str, NDArray[np.float64]]]:
        """Every feature with the mean of its weights over all steps."""
        mean = [w - late / self.step for w, late in zip((self.weights, self.moves), self.late, strict=True)]
        yield from ((name, mean[0][row]) for name, row in self.row.items())
        yield from ((f"t={tag}", mean[1][n]) for n, tag in enumerate(self.tags))
        yield START, mean[1][-1]


def table(
    rows: Iterable[tuple[str, NDArray[np.float64]]], tags: list[str], known: dict[str, list[str]], *, scale: int = 100
) -> str:
    lines = [f"d={word}\t{' '.join(f'{tag}:1' for tag in seen)}\n" for word, seen in known.items()]
    for name, weights in rows:
        whole = {tag: round(float(w) * scale) for tag, w in zip(tags, weights, strict=True)}
        told = [f"{tag}:{w}" for tag, w in whole.items() if abs(w) >= (SMALL if not name.startswith("t=") else 1)]
        if told:
            lines.append(f"{name}\t{' '.join(told)}\n")
    return HEAD + "".join(sorted(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tagged", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    sentences = [sentence for path in options.tagged for sentence in read(path)]
    kept_out, seen = sentences[::50], [s for n, s in enumerate(sentences) if n % 50]
    known = dictionary(seen)
    seen += [([word.lower() for word in words], tags) for words, tags in seen[::6]]
    model = Perceptron(seen)
    number = {tag: n for n, tag in enumerate(model.tags)}
    learnt = [(model.rows(words), [number[tag] for tag in tags]) for words, tags in seen]
    for turn in range(options.rounds):
        random.Random(turn).shuffle(learnt)
        for rows, right in learnt:
            model.learn(rows, right)
    content = table(model.averaged(), model.tags, known)
    options.out.write_text(content, encoding="utf-8", newline="\n")
    tagger = Tagger(options.out)
    pairs = [pair for words, tags in kept_out for pair in zip(tags, tagger.tag(words), strict=True)]
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    size = f"{len(seen):,} sentences, {len(content):,} bytes"
    sys.stdout.write(f"{size}; kept out: {len(pairs):,} words, {agreed:.4f} as the teacher\n")


if __name__ == "__main__":
    main()
