"""German, French and Spanish: pronouns first, then what the copula says about the person.

These languages often drop the pronoun (es enfermera) or mark the person again in the predicate (elle est infirmière).
Order: a notation for both genders; pronouns; a gendered noun (esa mujer); the noun or adjective after the copula, read
with the target language's own grammar; no trace is neutral. Pronouns of both genders are several persons: unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evenhand.detect.pronouns.forms import Form, read_forms
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar import language as language_of
from evenhand.grammar.protocol import ANY, FEMININE, MASCULINE, SINGULAR, Kind, Language, Token


@dataclass(frozen=True)
class _Tongue:
    """What differs between the languages besides their tables."""

    file: str
    both: re.Pattern[str]
    copulas: frozenset[str]
    impersonal: re.Pattern[str] | None = None


_TONGUES = {
    "de": _Tongue(
        "german",
        re.compile(r"\ber\s*(?:/|oder)\s*sie\b|\bsie\s*(?:/|oder)\s*er\b|\bsie\*er\b|\ber\*sie\b", re.IGNORECASE),
        frozenset("ist war wird wurde bleibt".split()),
    ),
    "fr": _Tongue(
        "french",
        re.compile(r"\bil\s*(?:/|ou)\s*elle\b|\belle\s*(?:/|ou)\s*il\b|\bil\(elle\)|\bil·elle\b", re.IGNORECASE),
        frozenset("est était fut sera devient reste".split()),
        re.compile(r"\bil (?:y a|faut|pleut|neige|s'agit|semble que|est (?:\w+ )?(?:que|de|temps))\b", re.IGNORECASE),
    ),
    "es": _Tongue(
        "spanish",
        re.compile(r"\bél\s*(?:/|o)\s*ella\b|\bella\s*(?:/|o)\s*él\b|\bél\(ella\)", re.IGNORECASE),
        frozenset("es era fue está estaba será sería".split()),
    ),
}
_GERMAN_PLURAL = frozenset(
    "sind waren haben hatten werden wurden können konnten müssen mussten sollen wollen dürfen mögen tun gehen".split()
)


def judge_german(rendering: str, focus_opens: bool) -> Verdict:
    return _judge("de", rendering, focus_opens)


def judge_french(rendering: str, focus_opens: bool) -> Verdict:
    return _judge("fr", rendering, focus_opens)


def judge_spanish(rendering: str, focus_opens: bool) -> Verdict:
    return _judge("es", rendering, focus_opens)


@cache
def _forms(code: str) -> dict[str, Form]:
    return {form.text: form for form in read_forms(_TONGUES[code].file)}


def _judge(code: str, rendering: str, focus_opens: bool) -> Verdict:
    tongue = _TONGUES[code]
    if both := tongue.both.search(rendering):
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.97)
    language = language_of(code)
    tokens = language.tokens(rendering)
    skipped = [m.span() for m in tongue.impersonal.finditer(rendering)] if tongue.impersonal else []
    found = [
        (token, form)
        for n, token in enumerate(tokens)
        if (form := _forms(code).get(token.low)) is not None
        and not any(start <= token.start < end for start, end in skipped)
        and not (form.role == "ambiguous" and _means_they(tokens, n))
    ]
    pronouns = [(t, f) for t, f in found if f.is_pronoun]
    if pronouns and focus_opens and pronouns[0][0].start == tokens[0].start:
        pronouns = pronouns[:1]
    predicate = _predicate(language, tongue, tokens)
    for hits, how in ((pronouns, "pronoun"), ([(t, f) for t, f in found if not f.is_pronoun], "forms")):
        gendered = [(t, f) for t, f in hits if f.gender is not Gender.NEUTRAL]
        if len({f.gender for _, f in gendered}) > 1:
            return Verdict(Gender.UNKNOWN, reason="several persons of different gender", confidence=0.5)
        if hits:
            token, form = (gendered or hits)[0]
            clash = predicate is not None and {predicate.gender, form.gender} == {Gender.FEMALE, Gender.MALE}
            return Verdict(form.gender, token.start, token.end, how, 0.8 if clash else 0.97, None, clash)
    return predicate or Verdict(Gender.NEUTRAL, confidence=0.9, reason="no word gives a gender")


def _means_they(tokens: list[Token], n: int) -> bool:
    """German sie with a plural verb beside it means they (or the polite you); ihr with a verb in -t means you."""
    around = [tokens[k].low for k in (n - 1, n + 1) if 0 <= k < len(tokens)]
    if tokens[n].low == "sie":
        return any(word in _GERMAN_PLURAL for word in around)
    return tokens[n].low == "ihr" and any(word in ("seid", "habt", "wart", "werdet", "könnt") for word in around)


def _predicate(language: Language, tongue: _Tongue, tokens: list[Token]) -> Verdict | None:
    """The gender of the first noun phrase or adjective after a copula, None where nothing there tells."""
    at = next((n for n, token in enumerate(tokens) if token.low in tongue.copulas), None)
    if at is None:
        return None
    told, last = ANY & SINGULAR, None
    for token in tokens[at + 1 : at + 7]:
        if not token.low[:1].isalpha():
            break
        if language.both(token.text):
            return Verdict(Gender.BOTH, token.start, token.end, "agreement", 0.95)
        determiner = language.determiner(token.low)
        noun = language.noun(token.text)
        listed = noun.kind is not Kind.GUESS
        cells = determiner or (noun.cells if listed and noun.kind is not Kind.THING else language.modifier(token.low))
        if not cells:
            if language.function_word(token.low):
                continue
            cells = noun.cells
        open_noun = noun.kind is Kind.FIXED or (noun.kind is Kind.COMMON and not _one_gender(told))
        if not determiner and open_noun:  # persona, Fachkraft; periodista without an article that tells
            return Verdict(Gender.NEUTRAL, token.start, token.end, "agreement", 0.85)
        if told & cells:
            told &= cells
            last = token
        if not determiner and listed:
            break
    gender = _one_gender(told)
    if gender is None or last is None:
        return None
    return Verdict(gender, last.start, last.end, "agreement", 0.9)


def _one_gender(cells: int) -> Gender | None:
    if cells & FEMININE and not cells & MASCULINE:
        return Gender.FEMALE
    if cells & MASCULINE and not cells & FEMININE:
        return Gender.MALE
    return None
