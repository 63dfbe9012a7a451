"""German, French and Spanish: pronouns first, then what the copula says about the person.

These languages often drop the pronoun (es enfermera) or mark the person again in the predicate (elle est infirmière).
Order: a notation for both genders; pronouns; a gendered noun (esa mujer); the noun or adjective after the copula, read
with the target language's own grammar; no trace is neutral. Pronouns of both genders are several persons: unknown.
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from evenhand.detect.decide import before_noun, decide, gender_of
from evenhand.detect.pronouns.forms import Mention, read_forms, settled
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar import language as language_of
from evenhand.grammar.lexicon import Column
from evenhand.grammar.protocol import SINGULAR, Kind, Language, Token


class _Tongue(NamedTuple):
    """What differs between the languages besides their tables."""

    file: str
    both: re.Pattern[str]
    copulas: frozenset[str]
    agrees: bool = True  # an adjective after the copula shows a gender
    impersonal: re.Pattern[str] = re.compile(r"(?!)")


_TONGUES = {
    "de": _Tongue(
        "german",
        re.compile(r"\ber\s*(?:/|oder)\s*sie\b|\bsie\s*(?:/|oder)\s*er\b|\bsie\*er\b|\ber\*sie\b", re.IGNORECASE),
        frozenset("ist war wird wurde bleibt".split()),
        agrees=False,
    ),
    "fr": _Tongue(
        "french",
        re.compile(r"\bil\s*(?:/|ou)\s*elle\b|\belle\s*(?:/|ou)\s*il\b|\bil\(elle\)|\bil·elle\b", re.IGNORECASE),
        frozenset("est était fut sera devient reste".split()),
        impersonal=re.compile(
            r"\bil (?:y a|faut|pleut|neige|s'agit|semble que|est (?:\w+ )?(?:que|de|temps))\b", re.IGNORECASE
        ),
    ),
    "es": _Tongue(
        "spanish",
        re.compile(r"\bél\s*(?:/|o)\s*ella\b|\bella\s*(?:/|o)\s*él\b|\bél\(ella\)", re.IGNORECASE),
        frozenset("es era fue está estaba será sería".split()),
    ),
}
_AMBIGUOUS = {  # German forms that mean they or you beside such a verb
    "sie": "sind waren haben hatten werden wurden können konnten müssen mussten sollen wollen dürfen mögen tun gehen",
    "ihr": "seid habt wart werdet könnt",
}
_PERSONS = frozenset({Kind.SEXED, Kind.COMMON, Kind.FIXED})
REACH = 7  # tokens behind the copula that are looked at


def _judge(code: str, rendering: str, focus_opens: bool) -> Verdict:
    tongue = _TONGUES[code]
    if both := tongue.both.search(rendering):
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.97)
    language = language_of(code)
    tokens = language.tokens(rendering)
    told = _mentions(tongue, rendering, tokens)
    pronouns = [mention for mention in told if mention.form.is_pronoun]
    if pronouns and focus_opens and pronouns[0].start == tokens[0].start:
        pronouns = pronouns[:1]
    nouns = [mention for mention in told if not mention.form.is_pronoun]
    verdict = settled(pronouns, "pronoun", 0.97) or settled(nouns, "forms", 0.97)
    predicate = _predicate(language, tongue, tokens)
    if verdict is None:
        return predicate or Verdict(Gender.NEUTRAL, confidence=0.9, reason="no word gives a gender")
    clash = predicate is not None and {predicate.gender, verdict.gender} == {Gender.FEMALE, Gender.MALE}
    return verdict._replace(confidence=0.8, conflict=True) if clash else verdict


judge_german, judge_french, judge_spanish = (partial(_judge, code) for code in ("de", "fr", "es"))


def _mentions(tongue: _Tongue, rendering: str, tokens: list[Token]) -> list[Mention]:
    """Pronouns and gendered nouns, but for those of impersonal phrases and German ones that mean they or you."""
    forms = read_forms(tongue.file)
    skipped = {place for match in tongue.impersonal.finditer(rendering) for place in range(*match.span())}
    return [
        Mention(token.start, token.end, forms[token.low])
        for n, token in enumerate(tokens)
        if token.low in forms and token.start not in skipped and not _means_they(tongue, tokens, n)
    ]


def _means_they(tongue: _Tongue, tokens: list[Token], n: int) -> bool:
    verbs = _AMBIGUOUS.get(tokens[n].low, "").split() if tongue.file == "german" else []
    return any(token.low in verbs for token in tokens[max(0, n - 1) : n + 2])


def _predicate(language: Language, tongue: _Tongue, tokens: list[Token]) -> Verdict | None:
    """What is said of the person after a copula: a noun with its article, or an adjective; None where neither shows a
    gender."""
    at = next((n for n, token in enumerate(tokens) if token.low in tongue.copulas), len(tokens))
    determined, adjective = False, None
    for i in range(at + 1, min(at + REACH, len(tokens))):
        token = tokens[i]
        if not token.low[0].isalpha():
            break
        determined = determined or bool(language.determiner(token.low))
        if language.function_word(token.low) or language.adverb(token.low):
            if adjective and not determined:
                break  # "est douce avec les enfants"
        elif before_noun(language, tokens, i) or not (determined or _names_person(language, token)):
            adjective = adjective or (_adjective(language, token) if tongue.agrees else None)
        else:
            return _noun(language, tokens, i)
    return adjective


def _names_person(language: Language, token: Token) -> bool:
    capital = token.text[0].isupper() or not language.capitalises_nouns
    return capital and language.noun(token.text).kind in _PERSONS


def _adjective(language: Language, token: Token) -> Verdict | None:
    shown = gender_of(language.modifier(token.low) & SINGULAR)
    return Verdict(shown, token.start, token.end, "agreement", 0.9) if shown else None


def _noun(language: Language, tokens: list[Token], i: int) -> Verdict | None:
    found = decide(language, tokens, i, i + 1, Column.NONE, plural=False).gender
    return None if found is Gender.UNKNOWN else Verdict(found, tokens[i].start, tokens[i].end, "agreement", 0.9)
