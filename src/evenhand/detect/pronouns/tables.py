"""Languages whose rule is a table (mentions.tsv) and their grammar: pronouns first, then what the copula says. They
often drop the pronoun (es enfermera) or mark the person again in the predicate (elle est infirmière). Order: a notation
for both genders; pronouns; a gendered noun (esa mujer); the noun or adjective after the copula, read with the target
language's own grammar; no trace is neutral. Pronouns of both genders are several persons: unknown."""

from evenhand.detect.decide import before_noun, decide, gender_of
from evenhand.detect.pronouns.forms import Mention, forms_of, settled
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar import language as language_of
from evenhand.grammar.base import Language
from evenhand.grammar.lexicon import Column
from evenhand.grammar.protocol import SINGULAR, Kind, Token

_PERSONS = frozenset({Kind.SEXED, Kind.COMMON, Kind.FIXED})
REACH = 7  # tokens behind the copula that are looked at


def judge(code: str, rendering: str, focus_opens: bool) -> Verdict:
    """The verdict on one rendering in a language of such a table."""
    language = language_of(code)
    if both := forms_of(language.name).both.search(rendering):
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.97)
    tokens = language.tokens(rendering)
    mentions = _mentions(language, rendering, tokens)
    pronouns = [mention for mention in mentions if mention.form.is_pronoun]
    if pronouns and focus_opens and pronouns[0].start == tokens[0].start:
        pronouns = pronouns[:1]
    nouns = [mention for mention in mentions if not mention.form.is_pronoun]
    verdict = settled(pronouns, "pronoun", 0.97) or settled(nouns, "forms", 0.97)
    predicate = _predicate(language, tokens)
    if verdict is None:
        return predicate or Verdict(Gender.NEUTRAL, confidence=0.9, reason="no word gives a gender")
    clash = predicate is not None and {predicate.gender, verdict.gender} == {Gender.FEMALE, Gender.MALE}
    return verdict._replace(confidence=0.8, conflict=True) if clash else verdict


def _mentions(language: Language, rendering: str, tokens: list[Token]) -> list[Mention]:
    """Pronouns and gendered nouns, but for those of impersonal phrases and those that mean they or you."""
    forms = forms_of(language.name)
    skipped = {place for match in forms.impersonal.finditer(rendering) for place in range(*match.span())}
    mentions = []
    for n, token in enumerate(tokens):
        form = forms.persons.get(token.low)
        if form and token.start not in skipped and form.beside.isdisjoint(t.low for t in tokens[max(0, n - 1) : n + 2]):
            mentions.append(Mention(token.start, token.end, form))
    return mentions


def _predicate(language: Language, tokens: list[Token]) -> Verdict | None:
    """What is said of the person after a copula: a noun with its article, or an adjective; None where neither shows a
    gender."""
    copulas = forms_of(language.name).copulas
    at = next((n for n, token in enumerate(tokens) if token.low in copulas), len(tokens))
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
            shown = gender_of(language.modifier(token.low) & SINGULAR) if language.predicates_agree else None
            if shown and not adjective:
                adjective = Verdict(shown, token.start, token.end, "agreement", 0.9)
        else:
            noun = decide(language, tokens, i, i + 1, Column.NONE, plural=False).gender
            return None if noun is Gender.UNKNOWN else Verdict(noun, token.start, token.end, "agreement", 0.9)
    return adjective


def _names_person(language: Language, token: Token) -> bool:
    capital = token.text[0].isupper() or not language.capitalises_nouns
    return capital and language.noun(token.text).kind in _PERSONS
