"""The noun phrase around a head: which determiners and modifiers belong to it and what they leave open."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from evenhand.grammar.protocol import ANY, FEMININE, MASCULINE, Kind, Language, Phrase, Token
from evenhand.tsv import rows

REACH = 4  # words between determiner and noun: "die sehr erfahrene junge Ärztin"
TITLES = Path(__file__).parent / "titles.tsv"
COLUMNS = {"female": FEMININE, "male": MASCULINE}
AS = frozenset({"como", "come", "comme", "com"})


@cache
def titles(code: str) -> dict[str, int]:
    """Titles of a language with the cells they leave open."""
    listed = [row for row in rows(TITLES) if row["language"] == code]
    return {word: cells for row in listed for name, cells in COLUMNS.items() for word in row[name].split()}


def told(cells: int) -> bool:
    """True when the cells show fewer than all genders."""
    return not (cells & FEMININE and cells & MASCULINE)


def noun_phrase(language: Language, tokens: list[Token], first: int, last: int, number: int) -> Phrase:
    """The phrase whose noun is tokens[first:last]; `number` are the cells the source's number allows (ANY: unknown).

    Leftwards: modifiers and up to four words that are no function words, as far as a determiner; several determiners
    in a row all count ("todas las", "la mia"). Without a determiner only the word next to the noun counts.
    Rightwards, where the language has it: modifiers that follow the noun directly.
    """
    own = language.own_phrase(tokens, first, last, number)
    if own:
        return own
    start, cells, spoke = _leftwards(language, tokens, first, number)
    if start == first:
        start, cells, spoke = _bare(language, tokens, first, cells)
    if told(cells) and not spoke and start < first:
        spoke.append(start)  # "der echte Bösewicht": open words that together leave one gender
    end = last
    while language.adjectives_follow and end < len(tokens) and end - last < 3:
        if language.adverb(tokens[end].low) and end + 1 < len(tokens) and language.modifier(tokens[end + 1].low):
            end += 1
        mask = language.modifier(tokens[end].low)
        opens = (
            language.determiner(tokens[end].low) and end + 1 < len(tokens) and language.determiner(tokens[end + 1].low)
        )
        if not mask or not cells & mask or opens or language.verb(tokens[end].low):
            break  # "personas inocentes todos los días" ends before todos
        if _has_object(language, tokens, end) or (not start and language.main_verb(tokens, end)):
            break
        if told(mask) and not told(cells):
            spoke.append(end)
        cells &= mask
        end += 1
    return Phrase(start, end, first, cells, tuple(spoke))


def _has_object(language: Language, tokens: list[Token], at: int) -> bool:
    """True for a word before an article: "l'architecte évolue le moteur" is a verb, whatever its ending says."""
    after = tokens[at + 1].low if at + 1 < len(tokens) else "."
    return bool(language.determiner(after)) and not language.begins(after)


def _leftwards(language: Language, tokens: list[Token], first: int, cells: int) -> tuple[int, int, list[int]]:
    """Start of the phrase, what is left open, and the tokens that tell; start is `first` without a determiner."""
    spoke: list[int] = []
    waiting: list[tuple[int, int]] = []
    start, steps = first, 0
    for i in range(first - 1, -1, -1):
        low = tokens[i].low
        answer = language.determiner(low)
        if answer:
            for at, mask in waiting:
                if cells & mask and mask & answer:  # "le capitaine Gronow": -aine is no feminine after "le"
                    cells &= mask
                    if told(mask):
                        spoke.append(at)
            waiting = []
            if cells & answer:
                cells &= answer
                if told(answer):
                    spoke.append(i)
            elif not spoke:
                # The source's number was misleading (a plural for a singular): trust the determiner.
                cells = answer
                spoke.append(i)
            start = i
            if language.begins(low):
                break
            continue
        if start < first or steps == REACH or not low[0].isalnum():
            break
        mask = language.modifier(low)
        if not mask and language.adverb(low):
            steps += 1
            continue  # "au plus intégriste"
        if not mask and (language.function_word(low) or language.verb(low)):
            break
        if language.adjectives_follow and not mask and language.noun(tokens[i].text).kind is Kind.THING:
            break  # "Esta semana médicos y enfermeras": another noun's determiner
        capital = language.capitalises_nouns and tokens[i].text[0].isupper()
        if capital and language.noun(tokens[i].text).kind is not Kind.GUESS:
            break  # "Der Prüfer traf jemanden": another noun's determiner. "das Olympische Komitee" goes on.
        waiting.append((i, mask or ANY))
        steps += 1
    return start, cells, spoke


def _bare(language: Language, tokens: list[Token], first: int, cells: int) -> tuple[int, int, list[int]]:
    """A noun without a determiner: "joven médica", "nombrada (como) oficial". Only the nearest word, if it agrees."""
    title = titles(language.code).get(tokens[first - 1].low, 0) if first else 0
    if title & cells:
        return first - 1, cells & title, [first - 1]  # Señor Presidente
    at = first - 2 if first > 1 and tokens[first - 1].low in AS else first - 1
    mask = language.prenominal(tokens[at].low) if at >= 0 else 0
    if at == first - 2 and at and language.determiner(tokens[at - 1].low):
        return first, cells, []  # "en la orquesta como pianista"
    if not mask or not told(mask) or not cells & mask or (at and language.perfect(tokens[at - 1].low)):
        return first, cells, []
    if not language.capitalises_nouns and tokens[first].text[:1].isupper():
        return first, cells, []  # a name
    return (at if at == first - 1 else first), cells & mask, [at]
