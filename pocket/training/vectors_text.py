"""The text the word vectors are trained on: one language's sentences, cut into words.

English, Spanish and French are lower-cased. German keeps its capitals, because they tell nouns from verbs and the
polite Sie from sie; only the first word of a sentence is put into the form it mostly has further on.
"""

from __future__ import annotations

import lzma
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from prepare import CODES, SEED, Pair, read, tidy

LANGUAGES = ("en", "fr", "es", "de")
NUMBER = "0"  # stands for any number in the context of words; it gets no vector
LETTERS = r"[^\W\d_]+"
ELISION = r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'"
WORD = {
    "en": re.compile(rf"'s\b|{LETTERS}(?:'(?!s\b){LETTERS}|-{LETTERS})*|\d[\d.,]*"),
    "fr": re.compile(rf"\b{ELISION}(?={LETTERS})|(?:aujourd'hui|{LETTERS})(?:-{LETTERS})*|\d[\d.,]*", re.IGNORECASE),
}
PLAIN = re.compile(rf"{LETTERS}(?:-{LETTERS})*|\d[\d.,]*")
ONE_LETTER = {"en": {"a", "i"}, "es": {"a", "e", "o", "u", "y"}, "fr": {"a", "à", "y", "ô"}, "de": set()}
# a-t-il, dit-elle, celui-là are several words; rendez-vous is one
INVERTED = re.compile(
    r"(?<!rendez)-(?:t-)?(je|tu|il|elle|on|nous|vous|ils|elles|ce|le|la|les|moi|toi|lui|leur|en|y|là|ci)\b",
    re.IGNORECASE,
)


def cut(text: str, language: str) -> list[str]:
    """The words of a sentence, numbers as one sign, punctuation left out."""
    if language == "fr":
        text = INVERTED.sub(r" \1", text)
    if language != "de":
        text = text.lower()
    return [NUMBER if word[0].isdigit() else word for word in WORD.get(language, PLAIN).findall(text)]


def is_word(word: str, language: str) -> bool:
    """Whether a token may have a vector: a number, a lone letter and an ending ('s) may not."""
    return word != NUMBER and not word.startswith("'") and (len(word) > 1 or word.lower() in ONE_LETTER[language])


def pairs(data: Path, language: str) -> list[Pair]:
    """(english, other) sentences of Tatoeba and Europarl, all of them."""
    folder = data / "parallel"
    return [
        *read(folder / f"tatoeba.eng-{CODES[language]}.train.tsv.xz"),
        *read(folder / f"europarl.en-{language}.250k.tsv.xz"),
    ]


def sources(data: Path, language: str) -> dict[str, list[str]]:
    """Sentences of one language by corpus, each sentence once."""
    folder = data / "parallel"
    found: dict[str, list[str]] = defaultdict(list)
    side = 0 if language == "en" else 1
    for corpus, pattern in (("tatoeba", "tatoeba.eng-*.train.tsv.xz"), ("europarl", "europarl.en-*.250k.tsv.xz")):
        mine = {f"eng-{CODES[language]}", f"en-{language}"} if side else None
        for path in sorted(folder.glob(pattern)):
            if mine is None or path.name.split(".")[1] in mine:
                found[corpus] += [pair[side] for pair in read(path)]
    if language == "en":
        text = lzma.decompress((data / "mono" / "common-voice.en.txt.xz").read_bytes()).decode("utf-8")
        found["common voice"] = [clean for line in text.split("\n") if (clean := tidy(line))]
    seen: set[str] = set()
    for corpus, texts in found.items():
        found[corpus] = [text for text in dict.fromkeys(texts) if text not in seen]
        seen.update(texts)
    return dict(found)


def own_language(sentences: list[list[str]]) -> list[list[str]]:
    """Without the speeches Europarl left untranslated: sentences hardly made of the corpus's frequent words."""
    counts = Counter(word for words in sentences for word in words)
    frequent = {word for word, _ in counts.most_common(3_000)}
    return [w for w in sentences if len(w) < 6 or sum(word in frequent for word in w) >= 0.45 * len(w)]


def recased(sentences: list[list[str]]) -> list[list[str]]:
    """The first word of each sentence in the form it mostly has inside sentences."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for words in sentences:
        for word in words[1:]:
            forms[word.lower()][word] += 1
    usual = {low: counts.most_common(1)[0][0] for low, counts in forms.items()}
    return [[usual.get(words[0].lower(), words[0]), *words[1:]] for words in sentences]


def sentences(data: Path, language: str) -> tuple[list[list[str]], dict[str, tuple[int, int]]]:
    """Everything there is of a language in a seeded order, and (sentences, words) by corpus."""
    found: list[list[str]] = []
    sizes: dict[str, tuple[int, int]] = {}
    for corpus, texts in sources(data, language).items():
        words = [tokens for text in texts if len(tokens := cut(text, language)) > 1]
        words = own_language(words) if corpus == "europarl" else words
        sizes[corpus] = len(words), sum(map(len, words))
        found += words
    if language == "de":
        found = recased(found)
    random.Random(SEED).shuffle(found)
    return found, sizes
