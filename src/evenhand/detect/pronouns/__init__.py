"""Pronoun detection: the gender a rendering gives a person whom the source leaves open."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

import polars as pl

from evenhand.detect.pronouns import cho2019, continental, english
from evenhand.detect.validity.tongues import table
from evenhand.detect.verdict import Rule, Verdict, judged
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.remembered import remembered
from evenhand.tsv import rows

VERSION = "3"  # 2: a pronoun left as it stood in the source is not neutral; 3: nor is "you" or "it" in its place
AS_IT_IS = "the source's pronoun was left as it is"
SOMEBODY_ELSE = "it speaks of you, me or us, not of the person"
THING = "the person became it"
LOSSES = (AS_IT_IS, SOMEBODY_ELSE, THING)
"""Why a rendering without a gender is unknown rather than neutral: it does not keep the person."""
ONE_WORD = frozenset(
    ["ő", "hän", "ta", "tema", "o", "او", "dia", "beliau", "hura", "pertsona hura", "걔", "그 사람", "あの人"]
)
"""She and he in languages that have one word for both; a noun in their place may be the same in both languages."""
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]*)?")
_APOSTROPHES = str.maketrans({"\u02bc": "'", "\uff07": "'"})  # letters to Unicode: "Heʼs" is one word with them
RULES: dict[tuple[str, str], Rule] = {
    ("en", "evenhand"): english.judge,
    ("en", "cho2019"): cho2019.judge,
    ("de", "evenhand"): continental.judge_german,
    ("fr", "evenhand"): continental.judge_french,
    ("es", "evenhand"): continental.judge_spanish,
}


class PronounDetector:
    """Verdicts on renderings by pronouns and gendered nouns; the same columns as the noun detector.

    Input columns: id, rendering; focus_start where the source names the person with a pronoun of its own; source and
    focus_end, or focus, to know that pronoun. An empty rendering is unknown with a reason, never neutral: nothing was
    said about anybody. So is one that gives no gender because the source's own pronoun still stands in it ("Ő is a
    doctor"), or because it opens with somebody or something else in that pronoun's place ("You are a doctor", "It's a
    bargain"): it does not keep the person open, it lost the person. Published rules do not look and say neutral.
    """

    def __init__(self, target_lang: str = "en", *, rule: str = "evenhand") -> None:
        known = {language for language, r in RULES if r == rule}
        if not known:
            raise Unknown("pronoun rule", rule, {r for _, r in RULES})
        language = primary(target_lang)
        if language not in known:
            raise Unknown(f"target language for the pronoun rule {rule}", target_lang, known)
        self._judge = remembered(RULES[language, rule], mebibytes=64, letter=2)
        self._own_words = table(language) if rule == "evenhand" else None
        self._subjects = _subjects(language)
        self._published = rule != "evenhand"
        self.fingerprint = f"pronouns-{language}-{rule}-{VERSION}-{_data_hash()}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        opens = pairs["focus_start"].eq(0).fill_null(value=False) if "focus_start" in pairs.columns else None
        renderings = pairs["rendering"].fill_null("").to_list()
        flags = opens.to_list() if opens is not None else [False] * len(renderings)
        verdicts = [self.judge(text, flag) for text, flag in zip(renderings, flags, strict=True)]
        if self._own_words is not None:
            judged_rows = zip(verdicts, renderings, _pronouns(pairs), strict=True)
            verdicts = [self._kept(*row) for row in judged_rows]
        return judged(pairs, renderings, verdicts)

    def _kept(self, verdict: Verdict, rendering: str, pronoun: str) -> Verdict:
        """The verdict, where the rendering keeps the person whom the source's pronoun means; else unknown."""
        if self._left(verdict, rendering, pronoun):
            return Verdict(Gender.UNKNOWN, reason=AS_IT_IS)
        if pronoun in ONE_WORD and verdict.gender is Gender.NEUTRAL and verdict.how is None:
            first = _FIRST.search(rendering.translate(_APOSTROPHES))
            instead = self._subjects.get(first[0].casefold().replace("’", "'"), "") if first else ""
            if first and instead:
                return Verdict(Gender.UNKNOWN, reason=instead)
        return verdict

    def _left(self, verdict: Verdict, rendering: str, pronoun: str) -> bool:
        """Whether nothing tells a gender and the source's pronoun stands in the rendering: as its first word, or
        anywhere where the target language has no such word."""
        if pronoun not in ONE_WORD or verdict.gender is not Gender.NEUTRAL or verdict.how == "pronoun":
            return False
        said, asked = rendering.casefold(), pronoun.split()
        if not pronoun.isascii() and not pronoun.islower():  # a script without capitals: particles may follow
            return pronoun in said
        words = _WORD.findall(said)
        return words[: len(asked)] == asked or (pronoun in words and pronoun not in (self._own_words or {}))

    def judge(self, rendering: str, focus_opens: bool = False) -> Verdict:
        """The verdict on one rendering."""
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        return self._judge(rendering if self._published else rendering.translate(_APOSTROPHES), focus_opens)


def _subjects(language: str) -> dict[str, str]:
    """Words that open a sentence about somebody or something else, each with the reason for the reader."""
    reasons = {"somebody_else": SOMEBODY_ELSE, "thing": THING}
    listed = [row for row in rows(files(__name__) / "subjects.tsv") if row["language"] == language]
    return {word: reason for row in listed for column, reason in reasons.items() for word in row[column].split()}


def _pronouns(pairs: pl.DataFrame) -> list[str]:
    """The source's own pronoun for the person, in small letters; "" where it has none or it is not known."""
    if "focus" in pairs.columns:
        return [str(text or "").casefold() for text in pairs["focus"]]
    if not {"source", "focus_start", "focus_end"} <= set(pairs.columns):
        return [""] * pairs.height
    places = pairs.select("source", "focus_start", "focus_end").iter_rows()
    return ["" if start is None else (source or "")[start:end].casefold() for source, start, end in places]


def _data_hash() -> str:
    digest = hashlib.sha256()
    folder = files("evenhand.detect.pronouns.forms")
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".tsv"):
            digest.update(file.read_bytes())
    digest.update((files(__name__) / "subjects.tsv").read_bytes())
    return digest.hexdigest()[:8]
