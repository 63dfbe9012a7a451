"""Korean: the TGBI study's design (Cho et al. 2019), two pronouns times two politeness levels.

걔는 (informal, said of someone no older than the speaker) and 그 사람은 (formal, "that person"), each with an impolite
sentence end and a polite one in -요. No full stop, as in the study.

Our own sentences follow the standard spelling: 의사야, 의사예요; 경찰관이야, 경찰관이에요. The published corpus
writes 에요 after a vowel; `sentences_from_lexicon(..., style="cho2019")` rebuilds it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.readers.opening import UserFile
from evenhand.suites.pronouns.frames import frames

SUITE = "pronouns-korean"
Style = Literal["standard", "cho2019"]

#: The study's seven overlapping sets as conditions on attributes; every sentence is in exactly three.
SET_LEVELS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "informal": {"formality": "informal"},
        "formal": {"formality": "formal"},
        "impolite": {"politeness": "impolite"},
        "polite": {"politeness": "polite"},
        "negative": {"kind": "negative"},
        "positive": {"kind": "positive"},
        "occupation": {"kind": "occupation"},
    }
)
#: The same seven sets as filters.
SETS: Mapping[str, pl.Expr] = MappingProxyType(
    {name: pl.all_horizontal([pl.col(c) == v for c, v in level.items()]) for name, level in SET_LEVELS.items()}
)

# Letters and digits whose Korean name ends in a consonant (엘, 엠, 엔, 알; 영, 일, 삼, 육, 칠, 팔).
_CLOSED_SYMBOLS = frozenset("LMNRlmnr013678")
_PRONOUN = re.compile(r"^(?:[걔개]는|그 사람은) ")  # 개는 is a misprint for 걔는 in one published line


def ends_closed(text: str) -> bool:
    """Whether the last syllable has a final consonant; brackets and other signs after it do not count.

    Latin letters and digits go by their Korean names. A text with nothing to pronounce is an error.
    """
    for character in reversed(text):
        if "가" <= character <= "힣":
            return (ord(character) - ord("가")) % 28 != 0
        if character.isascii() and character.isalnum():
            return character in _CLOSED_SYMBOLS
    raise BadInput(f"{text!r} has no last sound to choose a Korean ending by")


def with_copula(noun: str, *, polite: bool, style: Style = "standard") -> str:
    """The noun with "is": 이야/야, polite 이에요/예요 (style cho2019: 이에요/에요)."""
    if ends_closed(noun):
        return noun + ("이에요" if polite else "이야")
    return noun + (("에요" if style == "cho2019" else "예요") if polite else "야")


def polite_predicate(impolite: str, *, style: Style = "standard") -> str:
    """The polite form of an impolite sentence end: -요 is added, the copula changes.

    Standard: 이야 after a final consonant becomes 이에요, any other 야 becomes 예요. A noun that itself ends in 이
    after a consonant (거짓말쟁이야) looks like a copula: its polite form is stored. Style cho2019: any final 야
    becomes 에요.
    """
    if not impolite.endswith("야"):
        return impolite + "요"
    noun = impolite.removesuffix("야")
    if style == "cho2019":
        return noun + "에요"
    if noun.endswith("이") and len(noun) > 1 and ends_closed(noun[:-1]):
        return noun + "에요"
    return noun + "예요"


def inflect(table: pl.DataFrame) -> pl.DataFrame:
    """With the impolite and the polite form of every word."""
    impolite, polite = [], []
    for kind, form, stored in table.select("kind", "form", "polite").iter_rows():
        if kind == "occupation":
            impolite.append(with_copula(form, polite=False))
            polite.append(with_copula(form, polite=True))
        else:
            impolite.append(form)
            polite.append(stored or polite_predicate(form))
    return table.with_columns(pl.Series("impolite", impolite), pl.Series("polite", polite))


def sentences_from_lexicon(lexicon_dir: Path, *, style: Style = "cho2019") -> pl.DataFrame:
    """Sentences from a lexicon in the study's layout: job.txt (nouns), neg.txt and pos.txt (impolite sentences).

    Columns kind, formality, politeness, item (line number from 1), source; ordered as the published sets are, so that a
    filter from `SETS` gives one of them line by line. Style cho2019 keeps what the lines hold, a blank at the end
    included; style standard trims it and uses the standard endings.
    """
    if style not in ("standard", "cho2019"):
        raise Unknown("style", style, ("standard", "cho2019"))
    rows = []
    for name, kind in (("job", "occupation"), ("neg", "negative"), ("pos", "positive")):
        lexicon = _lexicon_lines(lexicon_dir / f"{name}.txt")
        for frame in frames(SUITE, "ko"):
            for item, line in lexicon:
                text = line if style == "cho2019" else line.strip()
                polite = frame["politeness"] == "polite"
                if kind == "occupation":
                    predicate = with_copula(text, polite=polite, style=style)
                else:
                    bare = _PRONOUN.sub("", text)
                    predicate = polite_predicate(bare, style=style) if polite else bare
                source = (frame["template"] or "").format(impolite=predicate, polite=predicate)
                rows.append((kind, frame["formality"], frame["politeness"], item, source))
    return pl.DataFrame(rows, schema=["kind", "formality", "politeness", "item", "source"], orient="row")


def _lexicon_lines(path: Path) -> list[tuple[int, str]]:
    if not path.is_file():
        raise BadInput(f"{path}: no such file; a lexicon folder holds job.txt, neg.txt and pos.txt")
    return [(number, line) for number, line in UserFile(path).lines() if line.strip()]
