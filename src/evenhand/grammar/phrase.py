"""The noun phrase around a head: which determiners and modifiers belong to it and what they leave open."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.grammar.protocol import ANY, FEMININE, MASCULINE, Kind, Phrase, Token, open_gender
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.grammar.base import Language

REACH = 4  # words between determiner and noun: "la muy joven y famosa médica"
TITLES = Path(__file__).parent / "titles.tsv"
COLUMNS = {"female": FEMININE, "male": MASCULINE}
AS = frozenset({"como", "come", "comme", "com"})


@cache
def titles(code: str) -> dict[str, int]:
    """Titles of a language with the cells they leave open."""
    listed = [row for row in rows(TITLES) if row["language"] == code]
    return {word: cells for row in listed for name, cells in COLUMNS.items() for word in row[name].split()}


def noun_phrase(language: Language, tokens: list[Token], first: int, last: int, number: int) -> Phrase:
    """The phrase whose noun is tokens[first:last]; `number` are the cells the source's number allows (ANY: unknown).

    Leftwards: modifiers and up to four words that are no function words, as far as a determiner; several determiners
    in a row all count ("todas las", "la mia"). Without a determiner only the word next to the noun counts.
    Rightwards, where the language has it: modifiers that follow the noun directly.
    """
    own = language.own_phrase(tokens, first, last, number)
    if own:
        return own
    determiners, modifiers = _before(language, tokens, first)
    if determiners and language.preposition(tokens, determiners[0], first):
        determiners = []
    if determiners:
        start = determiners[-1]
        cells, spoke = left_open(language, tokens, determiners, modifiers, number)
    else:
        start, cells, spoke = _bare(language, tokens, first, number)
    end = last
    while language.adjectives_follow and end < len(tokens) and end - last < 3:
        at = end + (language.adverb(tokens[end].low) and end + 1 < len(tokens))
        mask = language.modifier(tokens[at].low)
        if not cells & mask or not _follows(language, tokens, at) or (not start and language.main_verb(tokens, at)):
            break
        spoke += [at] * (not open_gender(mask) and open_gender(cells))
        cells &= mask
        end = at + 1
    return Phrase(start, end, first, cells, tuple(spoke))


def left_open(
    language: Language, tokens: list[Token], determiners: list[int], modifiers: list[int], cells: int
) -> tuple[int, list[int]]:
    """What the words before a noun leave of the cells, and which of them show a gender."""
    spoke: list[int] = []
    near = language.determiner(tokens[determiners[0]].low) if determiners else ANY
    for at in modifiers:
        mask = language.modifier(tokens[at].low)
        if cells & mask and mask & near:  # "le capitaine Gronow": -aine is no feminine after "le"
            cells &= mask
            spoke += [at] * (not open_gender(mask))
    for at in determiners:
        mask = language.determiner(tokens[at].low)
        if cells & mask:
            cells &= mask
            spoke += [at] * (not open_gender(mask))
        elif not spoke:
            cells, spoke = mask, [at]  # the source's number was misleading: trust the determiner
    if not open_gender(cells) and not spoke:  # "der echte Bösewicht": open words that together leave one gender
        spoke.append(min([*determiners, *modifiers]))
    return cells, spoke


def _before(language: Language, tokens: list[Token], first: int) -> tuple[list[int], list[int]]:
    """Determiners and modifiers before a noun, the nearest first; none where no determiner begins the phrase."""
    at, determiners, modifiers = first - 1, list[int](), list[int]()
    while at >= 0 and not language.determiner(tokens[at].low):
        if first - at > REACH or not (_between(language, tokens[at]) or _one_name(tokens[at], tokens[first])):
            return [], []
        modifiers.append(at)
        at -= 1
    while at >= 0 and language.determiner(tokens[at].low):
        determiners.append(at)
        if language.begins(tokens[at].low):
            break
        at -= 1
    return determiners, modifiers if determiners else []


def _between(language: Language, token: Token) -> bool:
    """A word that may stand between a determiner and its noun: "au plus intégriste"; not "Esta semana médicos", nor
    "la password utente", where an unlisted word is rather the noun itself."""
    low = token.low
    if not low[0].isalnum():
        return False
    if low[0].isdigit() or language.modifier(low) or language.adverb(low):
        return True
    noun = language.adjectives_follow and language.noun(token.text).kind in {Kind.THING, Kind.GUESS}
    return not noun and not language.function_word(low) and not language.verb(low)


def _one_name(token: Token, noun: Token) -> bool:
    """Capitals of one name: "o Brandon Wheat Kings"."""
    return token.text[:1].isupper() and noun.text[:1].isupper()


def _follows(language: Language, tokens: list[Token], at: int) -> bool:
    """True for an adjective after its noun; not for a verb ("l'architecte évolue le moteur"), nor for a determiner
    that opens another phrase ("personas inocentes todos los días")."""
    low, after = tokens[at].low, tokens[at + 1].low if at + 1 < len(tokens) else "."
    determined = bool(language.determiner(after))
    opens = determined and bool(language.determiner(low))
    return not language.verb(low) and not opens and not (determined and not language.begins(after))


def _bare(language: Language, tokens: list[Token], first: int, cells: int) -> tuple[int, int, list[int]]:
    """A noun without a determiner: "joven médica", "nombrada (como) oficial". Only the nearest word, if it agrees."""
    before = tokens[first - 1].low if first else ""
    title = titles(language.code).get(before, 0)
    if title & cells:
        return first - 1, cells & title, [first - 1]  # Señor Presidente
    compared = before in AS
    at = first - 1 - compared
    earlier = tokens[at - 1].low if at > 0 else "."
    other = compared and bool(language.determiner(earlier))  # "en la orquesta como pianista"
    if at < 0 or other or language.perfect(earlier) or tokens[first].text[:1].isupper():
        return first, cells, []
    if compared and _after_copula(language, tokens, at):  # é muito ativa como artista
        mask = language.modifier(tokens[at].low)
    else:
        mask = language.prenominal(tokens[at].low, inside=earlier[0].isalnum() and not language.begins(earlier))
    if not cells & mask or open_gender(mask):
        return first, cells, []
    return (first if compared else at), cells & mask, [at]


def _after_copula(language: Language, tokens: list[Token], at: int) -> bool:
    """True for a word that a form of to be says of its subject, adverbs between them."""
    before = at - 1
    while before >= 0 and language.adverb(tokens[before].low):
        before -= 1
    return before >= 0 and language.copula(tokens[before].low)
