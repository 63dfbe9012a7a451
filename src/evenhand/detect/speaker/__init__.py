"""The gender that a rendering gives to "I" (the speaker) or to "you" (the listener).

Neither has a noun: verbs, adjectives and participles that agree with the person tell ("byla jsem", "я устал", "estoy
cansada"), then nouns said of the person ("soy profesora"). A rendering that shows nothing is neutral. Words between
quotation marks belong to whoever is quoted, unless the source's person stands between them too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Literal

import polars as pl

from evenhand.detect.speaker.czech import Czech
from evenhand.detect.speaker.east_slavic import EastSlavic
from evenhand.detect.speaker.polish import Polish
from evenhand.detect.speaker.romance import RomanceSpeaker
from evenhand.detect.speaker.signs import Persons, Reader, Words, decide, names_both, quoted, undoubled
from evenhand.detect.verdict import Verdict, judged
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.grammar import language
from evenhand.grammar.protocol import Language, Token
from evenhand.languages import primary
from evenhand.remembered import remembered

VERSION = "1"  # of the rules; the tables are hashed
Whom = Literal["speaker", "listener"]
PERSON = {"speaker": 1, "listener": 2}
READERS: dict[str, Callable[[Language, Words, Persons, int], Reader]] = {
    "ru": EastSlavic,
    "uk": EastSlavic,
    "pl": Polish,
    "cs": Czech,
    **dict.fromkeys(("es", "fr", "it", "pt", "ca"), RomanceSpeaker),
}
ENGLISH = {1: re.compile(r"\b(?:I|me|my|mine|myself)\b"), 2: re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)}
# How sure each kind of verdict is; docs/speaker.md has the labelled sample behind the figures.
CONFIDENCE = {"agreement": 0.99, "carried": 0.95, "forms": 0.85, "neutral": 0.95, "both": 0.97}


class SpeakerDetector:
    """Verdicts on renderings of first-person (or second-person) sentences; the same columns as the noun detector.

    Input columns: id, source, rendering; focus_start where the person's own word is marked in the source. A verdict
    depends on its row alone.
    """

    def __init__(self, target_lang: str, *, whom: Whom = "speaker") -> None:
        code = primary(target_lang)
        if code not in READERS:
            raise Unknown(f"target language for the gender of the {whom}", target_lang, READERS)
        self._person = PERSON[whom]
        self.language = language(code)
        words = Words(self.language.name, self._person)
        persons = Persons(self.language, words)
        self._reader: Reader = READERS[code](self.language, words, persons, self._person)
        self._judge = remembered(self._verdict, mebibytes=64, letter=2)
        self.fingerprint = self._fingerprint(whom, words, persons)

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict a row, in the order of `pairs`."""
        renderings = pairs["rendering"].fill_null("").to_list()
        sources = pairs["source"].fill_null("").to_list() if "source" in pairs.columns else [""] * len(renderings)
        starts = pairs["focus_start"].to_list() if "focus_start" in pairs.columns else [None] * len(renderings)
        rows = zip(sources, renderings, starts, strict=True)
        verdicts = [self.judge(source, rendering, start) for source, rendering, start in rows]
        return judged(pairs, renderings, verdicts)

    def judge(self, source: str, rendering: str, focus: int | None = None) -> Verdict:
        """The verdict on one pair; `focus` is where the person's word begins in the source, if it is marked."""
        return self._judge(rendering, self._inside(source, focus))

    def _inside(self, source: str, focus: int | None) -> bool:
        """True where the person of the source stands between quotation marks, and nowhere else."""
        spans = quoted(source) if '"' in source or "“" in source or "«" in source else []
        if not spans:
            return False
        places = [focus] if focus is not None else [m.start() for m in ENGLISH[self._person].finditer(source)]
        return bool(places) and all(any(start < place < end for start, end in spans) for place in places)

    def _verdict(self, rendering: str, inside: bool) -> Verdict:
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        tokens = [undoubled(t) for t in _told(self.language.tokens(rendering), rendering, inside=inside)]
        signs = self._reader.signs(tokens)
        gender, sign, conflict = decide(signs)
        if sign is None:
            return Verdict(Gender.NEUTRAL, confidence=CONFIDENCE["neutral"], reason="no word gives a gender")
        token = tokens[sign.at]
        if gender in {Gender.FEMALE, Gender.MALE} and names_both(rendering, token.end):
            gender, conflict = Gender.BOTH, False
        if gender is Gender.UNKNOWN:
            why = "its words give the person both genders, one after the other"
            return Verdict(gender, token.start, token.end, sign.how, 0.5, why, True)
        kind = "both" if gender is Gender.BOTH else sign.how if sign.explicit or sign.how == "forms" else "carried"
        return Verdict(gender, token.start, token.end, sign.how, CONFIDENCE[kind], None, conflict)

    def _fingerprint(self, whom: Whom, words: Words, persons: Persons) -> str:
        dictionary = getattr(self.language, "source", "")
        digest = hashlib.sha256(f"{whom} {VERSION} {self.language.code} {dictionary}".encode())
        folder = words.path.parents[2] / "languages" / self.language.name
        for path in (words.path, *persons.forms.files, *self.language.things, *sorted(folder.glob("*.tsv"))):
            if path.exists():
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return f"{whom}-{self.language.code}-{VERSION}-{digest.hexdigest()[:12]}"


def _told(tokens: list[Token], rendering: str, *, inside: bool) -> list[Token]:
    """The tokens to judge: those between quotation marks where the source's person stands there, else the others.
    Where nothing would be left (a whole sentence in quotation marks), all of them."""
    spans = quoted(rendering)
    if not spans:
        return tokens
    chosen = [t for t in tokens if any(start <= t.start < end for start, end in spans) is inside]
    words = sum(token.low[0].isalnum() for token in chosen)
    return chosen if words > 1 else tokens


__all__ = ["READERS", "SpeakerDetector", "Whom"]
