"""a and an: the English indefinite article by the first sound of the next word, which we take from its spelling."""

import re

# "an hour" but "a house"; "a union", "a one-off" but "an uncle", "an opera"
_SILENT_H = re.compile(r"(?:hour|honou?r|honest|heir)", re.IGNORECASE)
_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us(?:[aeu]|ur)|ut[ei]|ub|ur[aeio]|eu|ew|one\b|once|oui|ufo|uk\b)", re.IGNORECASE
)
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")  # whose names begin with a vowel


def article(word: str) -> str:
    """The article before a word: "an" where it begins with a vowel sound. Capitals read letter by letter (MP, FBI) go
    by their letter's name."""
    spelt = len(word) > 1 and word.isupper() and (len(word) <= 3 or not re.search("[AEIOU]", word))
    if spelt or re.match(r"[A-Z]-", word):
        return "an" if word[0] in _VOWEL_LETTERS else "a"
    vowel = word[:1].lower() in tuple("aeiouàáâäæèéêëìíîïòóôöœùúûü") and not _CONSONANT.match(word)
    return "an" if vowel or _SILENT_H.match(word) else "a"
