"""Random words through the detectors: what is remembered between sentences stays within its size."""

from __future__ import annotations

import gc
import random

import polars as pl
import pytest

from evenhand import remembered as caches
from evenhand.detect import open_detector
from evenhand.remembered import ENTRY, LETTER, MIB, remembered


def kept() -> list[caches._Kept[object]]:
    return [thing for thing in gc.get_objects() if type(thing) is caches._Kept]


def held(cache: caches._Kept[object]) -> int:
    return sum(cache._weight(key) for key in cache)


def test_what_is_held_stays_within_the_size_whatever_the_words_are() -> None:
    dice, asked = random.Random(1), 0

    def give(word: str) -> int:
        nonlocal asked
        asked += 1
        return len(word)

    length = remembered(give, mebibytes=0.5)
    for n in range(20_000):
        word = f"{n}" * dice.randint(1, 40)
        assert length(word) == len(word)
        assert length(word) == len(word)
    [cache] = [c for c in kept() if c._give is give]
    assert asked == 20_000  # each once: the second time it was there
    assert held(cache) == cache._held <= MIB // 2
    assert len(cache) > 200


def test_one_text_that_would_fill_a_cache_is_not_kept() -> None:
    def give(word: str, more: bool) -> int:
        return len(word)

    word = "a word that no other cache of this process holds"
    length = remembered(give, mebibytes=0.1)
    assert length("x" * 10**6, True) == 10**6
    assert length(word, False) == len(word)
    [cache] = [c for c in kept() if (word, False) in c]
    assert list(cache) == [(word, False)]
    assert held(cache) == ENTRY + LETTER * len(word)


def test_what_is_none_is_remembered_too() -> None:
    asked = []

    def give(word: str) -> None:
        asked.append(word)

    nothing = remembered(give, mebibytes=0.01)
    for n in range(200):
        nothing(str(n))
        nothing(str(n))
    assert len(asked) == 200


LETTERS = {"ru": "абвгдежзиклмнопрстуфхцчшыэюя", "he": "אבגדהוזחטיכלמנסעפצקרשת", "el": "αβγδεζηθικλμνξοπρστυφχψω"}


@pytest.mark.parametrize("target", ["es", "de", "ru", "he"])
def test_a_detector_fed_with_random_words_holds_no_more_than_its_caches_may(target: str) -> None:
    dice = random.Random(target)

    def text(letters: str) -> str:
        return " ".join("".join(dice.choices(letters, k=dice.randint(3, 14))) for _ in range(12)) + "."

    detector = open_detector("nouns", source="en", target=target)
    own = LETTERS.get(target, "abcdefghijklmnopqrstuvwxyz")
    for _ in range(2):
        sources = [f"The {text('abcdefghijklmnopqrstuvwxyz')}" for _ in range(1_500)]
        detector.detect(
            pl.DataFrame(
                {
                    "id": [str(n) for n in range(1_500)],
                    "source": sources,
                    "rendering": [text(own) for _ in range(1_500)],
                    "focus_start": [4] * 1_500,
                    "focus_end": [4 + len(source.split()[1]) for source in sources],
                }
            )
        )
    every = kept()
    assert len(every) > 8
    assert all(held(cache) == cache._held <= cache._size for cache in every)
    assert max(cache._size for cache in every) <= 64 * MIB
