"""English words with their places, and the small repairs a substituted word needs: a or an, capitals."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"['’](?:s|re|ve|ll|d|m)\b"  # a clitic that stands alone, as in text that was tokenised before
    r"|(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Hon|Capt|Gen|Col|Lt|Sgt|Gov|Sen|Rep)\.(?=\s)"
    r"|[^\W\d_]+(?:[-'’][^\W\d_]+)*['’]?(?<=[^\W\d_])"
    r"|\d[\d.,:]*|\.\.\.|[^\w\s]|_"
)
_CLITIC = re.compile(r"(?<=.)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
# "an hour" but "a house"; "a union", "a one-off" but "an uncle", "an opera". We go by spelling.
_SILENT_H = re.compile(r"(?:hour|honou?r|honest|heir)", re.IGNORECASE)
_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us(?:[aeu]|ur)|ut[ei]|ub|ur[aeio]|eu|ew|one\b|once|oui|ufo|uk\b)", re.IGNORECASE
)
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")


class Piece(NamedTuple):
    """A word or sign of an English sentence; offsets are code points, the end exclusive. `low`: as it is looked up."""

    text: str
    start: int
    end: int
    low: str

    @staticmethod
    def of(text: str, start: int) -> Piece:
        low = text.lower() if text.isascii() else text.lower().replace("’", "'")
        return tuple.__new__(Piece, (text, start, start + len(text), low))  # three times as fast as the constructor


def tokens(text: str) -> list[Piece]:
    """Words and signs in order; clitics ('s, n't, 're) are tokens of their own, hyphenated words are one."""
    cut_up, of = [], Piece.of
    for match in _TOKEN.finditer(text):
        word, start = match[0], match.start()
        clitic = _CLITIC.search(word) if len(word) > 2 and ("'" in word or "’" in word) else None
        if clitic and clitic.start():
            cut = clitic.start()
            cut_up.append(of(word[:cut], start))
            cut_up.append(of(word[cut:], start + cut))
        else:
            cut_up.append(of(word, start))
    return cut_up


def starts_with_vowel_sound(word: str) -> bool:
    """True when "an" belongs before the word. Capitals read letter by letter (MP, FBI) go by their letter's name."""
    if not word:
        return False
    if re.match(r"[A-Z]-", word):
        return word[0] in _VOWEL_LETTERS
    if len(word) > 1 and word.isupper() and (len(word) <= 3 or not re.search("[AEIOU]", word)):
        return word[0] in _VOWEL_LETTERS
    if _SILENT_H.match(word):
        return True
    return word[0].lower() in "aeiouàáâäæèéêëìíîïòóôöœùúûü" and not _CONSONANT.match(word)


def agreeing_article(article: str, word: str) -> str:
    """The indefinite article in the form the next word wants, capitals kept; other words come back as they are."""
    if article.lower() not in {"a", "an"}:
        return article
    right = "an" if starts_with_vowel_sound(word) else "a"
    if article.isupper() and (len(article) > 1 or (len(word) > 1 and word.isupper())):
        return right.upper()
    return right.capitalize() if article[0].isupper() else right


def cased_like(word: str, model: str) -> str:
    """The word in the capitals of the one it replaces: Doctor -> Nurse, DOCTOR -> NURSE, doctor -> nurse."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


class Replaced(NamedTuple):
    """A sentence with another word in it, and where that word now stands."""

    text: str
    start: int
    end: int


def replace_word(text: str, start: int, end: int, word: str) -> Replaced:
    """Put `word` in the place text[start:end], with its capitals, and make an article right before it agree."""
    new = cased_like(word, text[start:end])
    before = text[:start]
    article = re.search(r"(?<![\w'’.-])(an?|AN?|An?)(\s+)$", before)
    if article:
        right = agreeing_article(article[1], new)
        before = before[: article.start(1)] + right + article[2]
    return Replaced(before + new + text[end:], len(before), len(before) + len(new))
