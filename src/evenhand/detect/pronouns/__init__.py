"""Pronoun detection: the gender a rendering gives a person whom the source leaves open."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import polars as pl

from evenhand.detect.pronouns import cho2019, continental, english
from evenhand.detect.pronouns.verdict import Rule, Verdict, judged
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.remembered import remembered

VERSION = "1"
RULES: dict[tuple[str, str], Rule] = {
    ("en", "evenhand"): english.judge,
    ("en", "cho2019"): cho2019.judge,
    ("de", "evenhand"): continental.judge_german,
    ("fr", "evenhand"): continental.judge_french,
    ("es", "evenhand"): continental.judge_spanish,
}


class PronounDetector:
    """Verdicts on renderings by pronouns and gendered nouns; the same columns as the noun detector.

    Input columns: id, rendering; focus_start where the source names the person with a pronoun of its own.
    An empty rendering is unknown with a reason, never neutral: nothing was said about anybody.
    """

    def __init__(self, target_lang: str = "en", *, rule: str = "evenhand") -> None:
        known = {language for language, r in RULES if r == rule}
        if not known:
            raise Unknown("pronoun rule", rule, {r for _, r in RULES})
        language = primary(target_lang)
        if language not in known:
            raise Unknown(f"target language for the pronoun rule {rule}", target_lang, known)
        self._judge = remembered(RULES[language, rule], mebibytes=64, letter=2)
        self.fingerprint = f"pronouns-{language}-{rule}-{VERSION}-{_data_hash()}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        opens = pairs["focus_start"].eq(0).fill_null(value=False) if "focus_start" in pairs.columns else None
        renderings = pairs["rendering"].fill_null("").to_list()
        flags = opens.to_list() if opens is not None else [False] * len(renderings)
        verdicts = [self.judge(text, flag) for text, flag in zip(renderings, flags, strict=True)]
        return judged(pairs, renderings, verdicts)

    def judge(self, rendering: str, focus_opens: bool = False) -> Verdict:
        """The verdict on one rendering."""
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        return self._judge(rendering, focus_opens)


def _data_hash() -> str:
    digest = hashlib.sha256()
    folder = files("evenhand.detect.pronouns.forms")
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".tsv"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]
