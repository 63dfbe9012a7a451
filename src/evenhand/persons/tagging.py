"""Parts of speech of English words: a small tagger of our own, its weights a plain table (data/tagger.tsv). A linear
model of the words and of which tag follows which, decoded exactly (Viterbi); trained as a structured averaged
perceptron (Collins 2002) by builders/tagger.py, which says on what. The tags are those of the Penn Treebank, fewer: NN
NNS nouns, NNP names, JJ JJR JJS adjectives, VB VBD VBG VBN VBP VBZ full verbs, VA forms of be, have and do."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from importlib.resources.abc import Traversable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.persons.lexicon import DATA, PersonLexicon
from evenhand.tsv import rows, tables_hash

NOUN, NAME, ADJECTIVE, FULL_VERB = ("NN", "NNS"), "NNP", "JJ", "VB"  # the last two are how their tags begin
START = "t=^"
EDGE = "^"  # stands for the words before the first and after the last
BESIDE = (-2, -1, 1, 2)
NEVER = np.float32(1e6)
REMEMBERED = 50_000  # words whose scores are kept: words repeat
TOGETHER = 64  # sentences of one length that are tagged at once
OPENING = frozenset(('"', "“", "”", "'", "‘", ".", "!", "?", ":", "-", "—", "(", "*"))
Scores = NDArray[np.float32]
K = TypeVar("K", bound=Hashable)


class Tagger:
    """Tags words. Pure: a tag depends on the words of its sentence and on the table, whose hash is the fingerprint."""

    def __init__(self, table: Traversable = DATA / "tagger.tsv") -> None:
        self._lexicon = PersonLexicon()
        self.fingerprint = f"tagger-{tables_hash(tables=[table])[:16]}-{self._lexicon.fingerprint}"
        weights = {row["feature"]: row["weights"] for row in rows(table)}
        # all pairs of tag and weight at once: split one by one they take most of a small file's time
        pairs = " ".join(weights.values()).replace(":", " ").split(" ")
        self.tags = sorted(set(pairs[::2]))
        column = {tag: n for n, tag in enumerate(self.tags)}
        self._row = {feature: n for n, feature in enumerate(weights)}
        self._weights: Scores = np.zeros((len(weights), len(self.tags)), dtype=np.float32)
        of_row = np.repeat(np.arange(len(weights)), [text.count(":") for text in weights.values()])
        self._weights[of_row, [column[tag] for tag in pairs[::2]]] = np.array(pairs[1::2], dtype=np.float64)
        self._start = self._sum([START])
        self._moves = np.stack([self._sum([f"t={tag}"]) for tag in self.tags], axis=1)  # to, from
        self._alone = _Rows(self._by_itself)
        self._beside = _Rows(self._for_neighbours)

    def _sum(self, names: Iterable[str]) -> Scores:
        known = [row for name in names if (row := self._row.get(name)) is not None]
        rows = self._weights[known[0]] if len(known) == 1 else self._weights[known].sum(axis=0)
        return np.asarray(rows, dtype=np.float32)

    def _by_itself(self, key: tuple[str, bool]) -> Scores:
        """Scores of a word (and whether it opens a sentence) without its neighbours. A well-known word, written small,
        has only the tags it was seen with: no place in a sentence makes an adjective of "went"."""
        word, opens = key
        scores = self._sum(features(word, self._lexicon, opens=opens))
        seen = self._row.get(f"d={word}")
        return scores if seen is None else np.where(self._weights[seen] > 0, scores, scores - NEVER)

    def _for_neighbours(self, word: str) -> Scores:
        """What a word adds to the scores of those around it, one row for each place of BESIDE."""
        return np.stack([self._sum(features_beside(word, step)) for step in BESIDE])

    def tag(self, words: Sequence[str]) -> list[str]:
        """One tag a word: those of the best sequence."""
        return self.tag_all([words])[0]

    def tag_all(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of many sentences. Those of one length are worked out together: tags are the same, time is not."""
        by_length: dict[int, list[int]] = {}
        for place, words in enumerate(sentences):
            by_length.setdefault(len(words), []).append(place)
        tags: list[list[str]] = [[] for _ in sentences]
        for length, places in by_length.items():
            for start in range(0, len(places) if length else 0, TOGETHER):
                some = places[start : start + TOGETHER]
                for place, path in zip(some, self._paths([sentences[n] for n in some]), strict=True):
                    tags[place] = [self.tags[n] for n in path]
        return tags

    def _paths(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        """The best sequence of each of several sentences of one length (Viterbi)."""
        scores = self._scores(sentences)
        bests = [scores[0] + self._start[:, None]]  # words x (tags, sentences): the sentences lie side by side
        for score in scores[1:]:
            bests.append(score + (self._moves[:, :, None] + bests[-1]).max(axis=1))
        tag = bests[-1].argmax(axis=0)
        path = [tag]
        for best in reversed(bests[:-1]):
            tag = (self._moves[tag].T + best).argmax(axis=0)
            path.append(tag)
        back: list[list[int]] = np.stack(path[::-1], axis=1).tolist()
        return back

    def is_common(self, low: str) -> bool:
        """True for a word the table knows, written small, as something else than a name."""
        return f"d={low}" in self._row

    def _scores(self, sentences: Sequence[Sequence[str]]) -> Scores:
        """Scores without the order of tags: words x tags x sentences."""
        length, edges = len(sentences[0]), (EDGE, EDGE)
        alone = [(word, opens_sentence(words, at)) for words in sentences for at, word in enumerate(words)]
        beside = [word for words in sentences for word in (*edges, *words, *edges)]
        own = self._alone.of(alone).reshape(len(sentences), length, -1)
        near = self._beside.of(beside).reshape(len(sentences), length + 4, len(BESIDE), -1)
        added = sum(near[:, 2 + step : 2 + step + length, row] for row, step in enumerate(BESIDE))
        return np.ascontiguousarray((own + added).transpose(1, 2, 0))


class _Rows(Generic[K]):
    """Scores by key, kept in one matrix, so that those of many words are taken out at once: words repeat."""

    def __init__(self, give: Callable[[K], Scores]) -> None:
        self._give, self._places = give, dict[K, int]()
        self._kept: Scores | None = None

    def of(self, keys: Sequence[K]) -> Scores:
        """One row a key, in their order (at least one key)."""
        if len(self._places) > REMEMBERED:
            self._places.clear()
        for key in dict.fromkeys(keys):
            if key not in self._places:
                self._keep(key)
        places = self._places
        assert self._kept is not None  # there was a key
        return self._kept[[places[key] for key in keys]]

    def _keep(self, key: K) -> None:
        row, place = self._give(key), len(self._places)
        if self._kept is None:
            self._kept = np.empty((256, *row.shape), dtype=np.float32)
        if place == len(self._kept):
            self._kept = np.concatenate([self._kept, np.empty_like(self._kept)])
        self._kept[place] = row
        self._places[key] = place


def features(word: str, lexicon: PersonLexicon, *, opens: bool) -> Iterator[str]:
    """What is known of a word by itself: spelling, endings, beginning and capitals, whether it can be a person."""
    low = _low(word)
    yield f"w={low}"
    yield f"c={_shape(word)}{'^' if opens else ''}"
    if low in lexicon.nouns:
        yield "n=one"
    if low in lexicon.plurals:
        yield "n=many"
    if low[:1].isalpha():
        for length in range(1, min(5, len(low))):
            yield f"s={low[-length:]}"
        if len(low) > 3:
            yield f"p={low[:2]}"
        if "-" in low:
            yield f"h={low.rpartition('-')[2]}"


def features_beside(word: str, at: int) -> Iterator[str]:
    """What a word tells about the one it stands `at` places after (before: negative)."""
    low = _low(word)
    yield f"{at}w={low}"
    if abs(at) == 1:
        yield f"{at}s={low[-3:]}"
        yield f"{at}c={_shape(word)}"


def opens_sentence(words: Sequence[str], at: int) -> bool:
    """True for a word whose capital can be that of a sentence or a quotation."""
    return at == 0 or words[at - 1] in OPENING


def _low(word: str) -> str:
    return word.lower().replace("’", "'")


def _shape(word: str) -> str:
    """Digits, a sign, capitals only, a capital first, capitals inside, or small letters."""
    if not word[:1].isalpha():
        return "9" if word[:1].isdigit() else "."
    if word.islower():
        return "a"
    if len(word) > 1 and word.isupper():
        return "AA"
    return "Aa" if word[1:].islower() or len(word) == 1 else "aA"
