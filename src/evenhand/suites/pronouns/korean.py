"""Korean: the TGBI study's design (Cho et al. 2019), 걔는 (informal) and 그 사람은 (formal), each with an impolite end
and a polite one in -요. Ours follow the standard spelling (의사예요), the published corpus (의사에요) does not."""

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from evenhand.errors import BadInput

#: The study's seven overlapping sets as conditions on attributes; every sentence is in exactly three.
SET_LEVELS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {level: {"formality": level} for level in ("informal", "formal")}
    | {level: {"politeness": level} for level in ("impolite", "polite")}
    | {level: {"kind": level} for level in ("negative", "positive", "occupation")}
)
# Letters and digits whose Korean name ends in a consonant (엘, 엠, 엔, 알; 영, 일, 삼, 육, 칠, 팔).
_CLOSED_SYMBOLS = frozenset("LMNRlmnr013678")


def ends_closed(text: str) -> bool:
    """Whether the last syllable has a final consonant, signs after it apart; Latin letters and digits go by their
    Korean names. A text with nothing to pronounce is an error."""
    for character in reversed(text):
        if "가" <= character <= "힣":
            return (ord(character) - ord("가")) % 28 != 0
        if character.isascii() and character.isalnum():
            return character in _CLOSED_SYMBOLS
    raise BadInput(f"{text!r} has no last sound to choose a Korean ending by")


def with_copula(noun: str, *, polite: bool) -> str:
    """The noun with "is": 이야/야, polite 이에요/예요."""
    if ends_closed(noun):
        return noun + ("이에요" if polite else "이야")
    return noun + ("예요" if polite else "야")


def polite_predicate(impolite: str) -> str:
    """The polite form of an impolite sentence end: -요 is added, the copula changes (이야 after a consonant to 이에요,
    any other 야 to 예요). A noun in 이 looks like a copula: its polite form is stored."""
    if not impolite.endswith("야"):
        return impolite + "요"
    noun = impolite.removesuffix("야")
    after_consonant = noun.endswith("이") and len(noun) > 1 and ends_closed(noun[:-1])
    return noun + ("에요" if after_consonant else "예요")


def inflect(table: pl.DataFrame) -> pl.DataFrame:
    """With the impolite and the polite form of every word."""
    forms = [
        (with_copula(form, polite=False), with_copula(form, polite=True))
        if kind == "occupation"
        else (form, stored or polite_predicate(form))
        for kind, form, stored in table.select("kind", "form", "polite").iter_rows()
    ]
    return table.with_columns(pl.DataFrame(forms, schema=["impolite", "polite"], orient="row"))
