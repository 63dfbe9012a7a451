"""The half of a contrastive pair that a scorer prefers, as a verdict: its gender, and the words that show it."""

import math
import re

import polars as pl

from evenhand.detect.verdict import Verdict, judged
from evenhand.errors import Unknown
from evenhand.gender import Gender

LENGTHS = ("sum", "token", "character")
"""How log-probabilities are made comparable: not at all (the probability of the whole rendering), per token, per
character. Metrics have no such choice."""
SCORED: dict[str, pl.DataType] = {"score_feminine": pl.Float64(), "score_masculine": pl.Float64()}
"""What each pair's verdict has besides: both scores, after normalisation, higher for better."""
HOW = "score"
FEW, MOST = 3, 0.5  # words, and share of a half's words, that are new in it: with more it is another wording
_GENDERS = {"feminine": Gender.FEMALE, "masculine": Gender.MALE}
_WORDS = re.compile(r"\w+")


def normalised(score: float, tokens: int, text: str, length: str) -> float:
    """A score divided as `length` says."""
    return score / {"token": max(tokens, 1), "character": max(len(text), 1)}.get(length, 1)


class PreferenceDetector:
    """The gender of the half with the higher score; unknown where both are equal. Both halves of a pair are rows of
    `pairs` with the columns form, score and tokens. `confidence` is the probability of the preferred half among the two
    (of log-probabilities), `evidence` its first word that the other half lacks."""

    def __init__(self, length: str = LENGTHS[0]) -> None:
        if length not in LENGTHS:
            raise Unknown("length normalisation", length, LENGTHS)
        self._length = length
        self.fingerprint = f"preference-1-{length}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        halves: dict[str, dict[str, tuple[float, str]]] = {}
        columns = pairs.select("id", "form", "score", "tokens", "rendering")
        for name, form, score, tokens, text in columns.iter_rows():
            halves.setdefault(name, {})[form] = (normalised(score, tokens, text, self._length), text)
        verdicts = {name: _verdict(half) for name, half in halves.items()}
        scores = {f"score_{form}": [halves[name][form][0] for name in pairs["id"]] for form in _GENDERS}
        table = judged(pairs, pairs["rendering"].to_list(), [verdicts[name] for name in pairs["id"]])
        return table.with_columns(pl.DataFrame(scores, schema=SCORED), valid=pl.lit(value=True))


def _verdict(half: dict[str, tuple[float, str]]) -> Verdict:
    (feminine, _), (masculine, _) = (half[form] for form in _GENDERS)
    if feminine == masculine:
        return Verdict(Gender.UNKNOWN, how=HOW, reason="both halves have the same score")
    form, other = ("feminine", "masculine") if feminine > masculine else ("masculine", "feminine")
    known = set(_WORDS.findall(half[other][1]))
    own = list(_WORDS.finditer(half[form][1]))
    changed = [word for word in own if word[0] not in known]
    word = changed[0] if changed and len(changed) <= max(FEW, MOST * len(own)) else None
    sure = 1 / (1 + math.exp(-min(abs(feminine - masculine), 700.0)))
    if word is None:
        return Verdict(_GENDERS[form], how=HOW, confidence=sure)
    return Verdict(_GENDERS[form], *word.span(), HOW, sure, evidence=word[0])
