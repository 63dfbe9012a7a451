"""The gender that a rendering gives to "I" (the speaker) or to "you" (the listener). The grammar finds what agrees with
the person (`said_of`); here several such words become one verdict. A rendering that shows nothing is neutral. Words
between quotation marks belong to whoever is quoted, unless the source's person is between them too."""

import re
from collections.abc import Sequence
from typing import Literal

import polars as pl

from evenhand.detect.verdict import Verdict, judge_rows
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.grammar import language
from evenhand.grammar.participants import TABLE
from evenhand.grammar.protocol import FEMININE, Token
from evenhand.grammar.sentence import Said
from evenhand.languages import primary, with_table
from evenhand.remembered import remembered
from evenhand.tsv import tables_hash

VERSION = "3"  # of the rules; the tables are hashed
Whom = Literal["speaker", "listener"]
PERSON = {"speaker": 1, "listener": 2}
ENGLISH = {1: re.compile(r"\b(?:I|me|my|mine|myself)\b"), 2: re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)}
# How sure each kind of verdict is; docs/speaker.md has the labelled sample behind the figures.
NEUTRAL, BOTH = 0.95, 0.97
# Stretches between quotation marks, marks included; one that is never closed runs to the end.
QUOTED = re.compile('[«“„‟‹「『"]([^»”‟›」』"]*)(?:[»”‟›」』"]|(?<=.)$)', re.DOTALL)
# byl(a), устал(а), cansado/a, zrobiłem/am, fatigué·e: an ending of the other gender in a bracket or after a slash
ENDING = re.compile(
    r"(?!l·l)\w(?:\(-?|/-?|[·•*:]|/a/)(?:а|ла|ась|лась|ая|ой|a|ą|am|em|łam|łem|la|na|á|o|e|ne|se|ve|rice|ra|as|os)\)?(?!\w)"
)
FIRST = re.compile(r"[^\W\d_]+")


class SpeakerDetector:
    """Verdicts on renderings of first-person (or second-person) sentences; the same columns as the noun detector. Input
    columns: id, source, rendering; focus_start where the person's own word is marked in the source. A verdict depends
    on its row alone."""

    def __init__(self, target_lang: str, *, whom: Whom = "speaker") -> None:
        code = primary(target_lang)
        if code not in with_table(TABLE):
            raise Unknown(f"target language for the gender of the {whom}", target_lang, with_table(TABLE))
        self._person = PERSON[whom]
        self.language = language(code)
        self.language.said_of(self.language.analyse(""), self._person)  # reads the tables now
        self._judge = remembered(self._verdict, mebibytes=64, letter=2)
        dictionary = getattr(self.language, "source", "")
        tables = sorted(self.language.folder.glob("*.tsv"))
        digest = tables_hash(whom, VERSION, code, dictionary, tables=tables)[:12]
        self.fingerprint = f"{whom}-{code}-{VERSION}-{digest}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict per row, in the order of `pairs`."""
        return judge_rows(pairs, self.judge, "source", "rendering", "focus_start")

    def judge(self, source: str, rendering: str, focus: int | None = None) -> Verdict:
        """The verdict on one pair; `focus` is where the person's word begins in the source, if it is marked."""
        return self._judge(rendering, self._inside(source, focus))

    def _inside(self, source: str, focus: int | None) -> bool:
        """True where the person of the source is between quotation marks, and nowhere else."""
        spans = [match.span() for match in QUOTED.finditer(source)]
        places = [focus] if focus is not None else [m.start() for m in ENGLISH[self._person].finditer(source)]
        return bool(spans and places) and all(any(start < place < end for start, end in spans) for place in places)

    def _verdict(self, rendering: str, inside: bool) -> Verdict:
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        sentence = self.language.analyse(rendering)
        tokens = [undoubled(t) for t in _chosen(sentence.tokens, rendering, inside=inside)]
        ranked, conflict = decide(self.language.said_of(sentence.narrowed(tokens), self._person))
        if not ranked:
            return Verdict(Gender.NEUTRAL, confidence=NEUTRAL, reason="no word gives a gender")
        said, how = ranked[0], "forms" if ranked[0].kind == "apposition" else "agreement"
        token = tokens[said.at]
        if len({bool(one.cells & FEMININE) for one in ranked}) > 1:
            why = "its words give the person both genders, one after the other"
            return Verdict(Gender.UNKNOWN, token.start, token.end, how, 0.5, why, True)
        if names_both(rendering, token.end):
            return Verdict(Gender.BOTH, token.start, token.end, how, BOTH)
        gender = Gender.FEMALE if said.cells & FEMININE else Gender.MALE
        return Verdict(gender, token.start, token.end, how, said.sure, None, conflict)


def decide(said: Sequence[Said]) -> tuple[list[Said], bool]:
    """The words that decide, and whether any other contradicts them: verbs and adjectives go before nouns, what is said
    of the person outright before what is carried over, the surest first."""
    for noun in (False, True):
        kept = [one for one in said if (one.kind == "apposition") is noun]
        ranked = [one for one in kept if one.sure == max(other.sure for other in kept)]
        if ranked:
            return ranked, len({bool(one.cells & FEMININE) for one in said}) > 1
    return [], False


def undoubled(token: Token) -> Token:
    """The first form of a word that names both genders ("byl/a", "fatigué(e)", "byłem/byłam"), else the token."""
    match = None if token.text.isalpha() else FIRST.match(token.text)
    if not match or not names_both(token.text, match.end()):
        return token
    return Token(match.group(), token.low[: match.end()], token.start, token.start + match.end())


def names_both(text: str, end: int) -> bool:
    """True where a form that ends at `end` is followed by its other gender."""
    if ENDING.match(text, max(end - 1, 0)):
        return True
    other = FIRST.match(text, end + 1) if text[end : end + 1] == "/" else None
    first = text[:end].rpartition(" ")[2]
    return bool(other) and len(first) > 3 and text[end + 1 : end + 4].lower() == first[:3].lower()


def _chosen(tokens: list[Token], rendering: str, *, inside: bool) -> list[Token]:
    """The tokens to judge: those between quotation marks where the source's person is there, else the others.
    Where nothing would be left (a whole sentence in quotation marks), all of them."""
    spans = [match.span() for match in QUOTED.finditer(rendering)]
    if not spans:
        return tokens
    chosen = [t for t in tokens if any(start <= t.start < end for start, end in spans) is inside]
    words = sum(token.low[0].isalnum() for token in chosen)
    return chosen if words > 1 else tokens
