"""Text that cannot do anything where it is shown: invisible characters become names. What users, systems and files
say may hold control characters, direction marks, or a hundred megabytes."""

import unicodedata

# Joiners are ordinary letters' companions in Persian and Indic scripts; everything else of category Cf is named.
_KEPT = frozenset("\u200c\u200d")
_NAMED = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def visible(text: str, *, kept: str = "") -> str:
    """The text with control, direction, private and forbidden characters written as ⟨U+XXXX⟩; a line break becomes ⏎.
    `kept` are characters left as they are."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in kept else _shown(c) for c in text)


def nameless(text: str) -> bool:
    """Whether there is a character in it that `visible` would write by its number."""
    return visible(text) != text


def shortened(text: str, most: int) -> str:
    """The text, or of a longer one its two ends with how much was left out between them."""
    if len(text) <= most:
        return text
    head = most * 3 // 4
    return f"{text[:head]} … ({len(text) - most:,} characters left out) … {text[len(text) - (most - head) :]}"


def _shown(character: str) -> str:
    if character in "\n\r":
        return "⏎"
    if character == "\t":
        return "⇥"
    if character in _KEPT or not (unicodedata.category(character) in _NAMED or _noncharacter(ord(character))):
        return character
    return f"⟨U+{ord(character):04X}⟩"


def _noncharacter(number: int) -> bool:
    """Numbers that Unicode will never give to a character; XML, and with it every chart, has no place for some."""
    return number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF
