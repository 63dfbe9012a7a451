"""Word pairs out of the parallel text: words that choose each other by how often they share a sentence pair.

They align the vectors and ship as their dictionary, so that no dictionary of another licence is needed. Left out are

- one word in ten of each language, by checksum, and with it its pairs: translation is measured on these;
- every word that Evenhand's audit measures (occupations, gender words, adjectives with two forms), so that no list
  decides to which form of a noun the English word is drawn.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np
from prepare import Pair
from scipy import sparse
from vectors_text import cut, is_word, recased

from evenhand.embeddings.wordlists import LANGUAGES, WordLists

LEAST_TOGETHER, LEAST_DICE, MOST_SHARE = 5, 0.15, 0.05


def kept_apart(word: str) -> bool:
    """One word in ten: never in a pair the alignment sees."""
    return zlib.crc32(word.lower().encode()) % 10 == 0


def measured_words(language: str, *, lower: bool = True) -> set[str]:
    """Words of the shipped lists, things aside; for English those beside every language."""
    found: set[str] = set()
    for listed in LANGUAGES if language == "en" else (language,):
        lists = WordLists.shipped(listed)
        if language == "en":
            found |= {pair.english for pair in (*lists.occupations, *lists.adjectives)}
            found |= {word for pair in lists.english_definitions for word in pair}
            found |= {*lists.english_male, *lists.english_female, *lists.specific}
        else:
            found |= {
                form for pair in (*lists.occupations, *lists.adjectives) for form in (pair.masculine, pair.feminine)
            }
            found |= {word for pair in lists.definitions for word in pair}
            found |= {*lists.male, *lists.female}
    return {word.lower() for word in found} if lower else found


def lexicon(pairs: Sequence[Pair], language: str) -> list[Pair]:
    """(english, other) words that are each other's best by Dice's coefficient, the surest first.

    Words in more than a twentieth of the sentences (articles, "and") are left out: they stand beside everything.
    """
    english = [cut(a, "en") for a, _ in pairs]
    other = [cut(b, language) for _, b in pairs]
    if language == "de":
        other = recased(other)
    left, left_words = _incidence(english, "en")
    right, right_words = _incidence(other, language)
    together = (left.T @ right).tocsr()
    alone_left, alone_right = left.sum(axis=0).A1, right.sum(axis=0).A1
    together.data[together.data < LEAST_TOGETHER] = 0
    together.eliminate_zeros()
    rows, columns = together.nonzero()
    dice = 2 * together.data / (alone_left[rows] + alone_right[columns])
    best_row, best_column = np.zeros(len(left_words)), np.zeros(len(right_words))
    np.maximum.at(best_row, rows, dice)
    np.maximum.at(best_column, columns, dice)
    chosen = np.flatnonzero((dice >= LEAST_DICE) & (dice == best_row[rows]) & (dice == best_column[columns]))
    chosen = chosen[np.argsort(-dice[chosen], kind="stable")]
    return [(left_words[rows[i]], right_words[columns[i]]) for i in chosen]


def for_alignment(pairs: Sequence[Pair], language: str) -> list[Pair]:
    """A lexicon without names (pairs spelled alike), the words kept apart and those the audit measures."""
    measured, other = measured_words("en"), measured_words(language)
    return [
        (a, b)
        for a, b in pairs
        if a.lower() != b.lower()
        and not (kept_apart(a) or kept_apart(b) or a.lower() in measured or b.lower() in other)
    ]


def _incidence(sentences: list[list[str]], language: str) -> tuple[sparse.csr_matrix, list[str]]:
    """Sentences x words, 1 where the word occurs, and the words."""
    counts = Counter(word for words in sentences for word in set(words))
    most = MOST_SHARE * len(sentences)
    known = [w for w, n in sorted(counts.items()) if LEAST_TOGETHER <= n <= most and is_word(w, language)]
    index = {word: i for i, word in enumerate(known)}
    rows, columns = [], []
    for number, words in enumerate(sentences):
        for word in {index[word] for word in words if word in index}:
            rows.append(number)
            columns.append(word)
    ones = np.ones(len(rows), dtype=np.int32)
    return sparse.csr_matrix((ones, (rows, columns)), shape=(len(sentences), len(known))), known
