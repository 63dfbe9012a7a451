"""Pronoun detection: the gender a rendering gives a person whom the source leaves open."""

import re
from functools import cache, partial
from pathlib import Path

import polars as pl

from evenhand.detect.pronouns import english, tables
from evenhand.detect.pronouns.forms import FOLDER, SOMEBODY_ELSE, TABLE, THING, forms_of
from evenhand.detect.validity.tongues import table
from evenhand.detect.verdict import Rule, Verdict, judge_rows
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.languages import known, primary, with_table
from evenhand.remembered import remembered
from evenhand.tsv import rows, tables_hash

VERSION = "3"  # 2: a pronoun left as it stood in the source is not neutral; 3: nor is "you" or "it" in its place
AS_IT_IS = "the source's pronoun was left as it is"
LOSSES = (AS_IT_IS, SOMEBODY_ELSE, THING)
"""Why a rendering without a gender is unknown rather than neutral: it does not keep the person."""
ONE_WORD = Path(__file__).parent / "one_word.tsv"
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]*)?")
_APOSTROPHES = str.maketrans({"\u02bc": "'", "\uff07": "'"})  # letters to Unicode: "Heʼs" is one word with them


@cache
def rules() -> dict[tuple[str, str], Rule]:
    """By target language and name: English has two of its own, every other language the rule of its table."""
    by_table: dict[tuple[str, str], Rule] = {
        (code, "evenhand"): partial(tables.judge, code) for code in with_table(TABLE)
    }
    return by_table | {("en", "evenhand"): english.judge, ("en", "cho2019"): english.judge_cho2019}


@cache
def _one_word() -> frozenset[str]:
    """She and he in languages that have one word for both; a noun in their place may be the same in both languages."""
    return frozenset(word for row in rows(ONE_WORD) for word in row["words"].split("|"))


class PronounDetector:
    """Verdicts on renderings by pronouns and gendered nouns; the same columns as the noun detector.

    Input columns: id, rendering; focus_start where the source names the person with a pronoun of its own; source and
    focus_end, or focus, to know that pronoun. An empty rendering is unknown with a reason, never neutral: nothing was
    said about anybody. So is one that gives no gender because the source's own pronoun is still in it ("Ő is a
    doctor"), or because it opens with somebody or something else in that pronoun's place ("You are a doctor", "It's a
    bargain"): it does not keep the person open, it lost the person. Published rules do not look and say neutral.
    """

    def __init__(self, target_lang: str = "en", *, rule: str = "evenhand") -> None:
        languages = {language for language, r in rules() if r == rule}
        if not languages:
            raise Unknown("pronoun rule", rule, {r for _, r in rules()})
        code = primary(target_lang)
        if code not in languages:
            raise Unknown(f"target language for the pronoun rule {rule}", target_lang, languages)
        self._judge = remembered(rules()[code, rule], mebibytes=64, letter=2)
        self._own_words, self._published = table(code), rule != "evenhand"
        folder = known()[code].nouns or "english"
        self._openings = forms_of(folder).openings
        digest = tables_hash(tables=(FOLDER / folder / TABLE, ONE_WORD))[:8]
        self.fingerprint = f"pronouns-{code}-{rule}-{VERSION}-{digest}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        return judge_rows(pairs, self._row, "rendering", "source", "focus", "focus_start", "focus_end")

    def _row(self, rendering: str, source: str, focus: str | None, start: int | None, end: int | None) -> Verdict:
        verdict = self.judge(rendering, start == 0)
        pronoun = source[start:end] if focus is None and start is not None and end is not None else focus or ""
        return verdict if self._published else self._kept(verdict, rendering, pronoun.casefold())

    def _kept(self, verdict: Verdict, rendering: str, pronoun: str) -> Verdict:
        """The verdict, where the rendering keeps the person whom the source's pronoun means; else unknown."""
        if pronoun not in _one_word() or verdict.gender is not Gender.NEUTRAL or verdict.how == "pronoun":
            return verdict
        if self._left(rendering.casefold(), pronoun):
            return Verdict(Gender.UNKNOWN, reason=AS_IT_IS)
        first = _FIRST.search(rendering.translate(_APOSTROPHES)) if verdict.how is None else None
        instead = self._openings.get(first[0].casefold().replace("’", "'")) if first else None
        return Verdict(Gender.UNKNOWN, reason=instead) if instead else verdict

    def _left(self, text: str, pronoun: str) -> bool:
        """True where the source's pronoun is in the rendering: as its first word, or anywhere where the target language
        has no such word."""
        if not pronoun.isascii() and not pronoun.islower():  # a script without capitals: particles may follow
            return pronoun in text
        words, parts = _WORD.findall(text), pronoun.split()
        return words[: len(parts)] == parts or (pronoun in words and pronoun not in self._own_words)

    def judge(self, rendering: str, focus_opens: bool = False) -> Verdict:
        """The verdict on one rendering."""
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        return self._judge(rendering if self._published else rendering.translate(_APOSTROPHES), focus_opens)
