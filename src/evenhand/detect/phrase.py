"""The noun phrase around a head: which determiners and modifiers belong to it and what they leave open."""

from __future__ import annotations

from evenhand.detect.languages.protocol import ANY, FEMININE, MASCULINE, NEUTER, Language, Phrase, Token

REACH = 4  # words between determiner and noun: "die sehr erfahrene junge Ärztin"

# After these a participle does not agree with its subject: "ha contratado asistentes".
HAVE = frozenset(
    "ha han he has hemos había habían habrá habría haya tem têm tinha tinham teve tenha ho hai abbiamo hanno aveva avevano "
    "a ont ai as avons avez avait avaient".split()
)


def told(cells: int) -> bool:
    """True when the cells show fewer than all genders."""
    return not (cells & FEMININE and cells & MASCULINE)


def noun_phrase(language: Language, tokens: list[Token], first: int, last: int, number: int) -> Phrase:
    """The phrase whose noun is tokens[first:last]; `number` are the cells the source's number allows (ANY if unknown).

    Leftwards: modifiers and up to four words that are no function words, as far as a determiner; several determiners in a
    row all count ("todas las", "la mia"). Without a determiner only the modifier next to the noun counts.
    Rightwards, where the language has it: modifiers that follow the noun directly.
    """
    cells, spoke = number, []
    start = first
    i = first - 1
    waiting: list[tuple[int, int]] = []
    steps = 0
    while i >= 0 and steps <= REACH:
        low = tokens[i].low
        answer = language.determiner(low)
        if answer:
            for at, mask in waiting:
                if cells & mask:
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
            steps = REACH  # only further determiners right before this one
            i -= 1
            continue
        if start < first or (language.function_word(low) and not language.modifier(low)) or not low[0].isalnum():
            break
        mask = language.modifier(low)
        waiting.append((i, mask or ANY))
        steps += 1
        i -= 1
    if start == first:
        # No determiner: "joven médica", "nombrada (como) oficial". Only the nearest word, only if it can agree.
        at = first - 2 if first > 1 and tokens[first - 1].low in {"como", "come", "comme", "com"} else first - 1
        mask = language.prenominal(tokens[at].low) if at >= 0 else 0
        perfect = at > 0 and tokens[at - 1].low in HAVE
        name = not language.nouns_capitalised and first > 0 and tokens[first].text[:1].isupper()
        if mask and told(mask) and cells & mask and not perfect and not name:
            cells &= mask
            spoke.append(at)
            start = at if at == first - 1 else first
    if told(cells) and not spoke and start < first:
        spoke.append(start)  # "der echte Bösewicht": open words that together leave one gender
    end = last
    if language.modifiers_follow:
        while end < len(tokens) and end - last < 3:
            if language.adverb(tokens[end].low) and end + 1 < len(tokens) and language.modifier(tokens[end + 1].low):
                end += 1
            mask = language.modifier(tokens[end].low)
            if not mask or not cells & mask:
                break
            if told(mask) and not told(cells):
                spoke.append(end)
            cells &= mask
            end += 1
    return Phrase(start, end, first, cells, tuple(spoke))


def neuter_only(cells: int) -> bool:
    """True when only neuter cells are left."""
    return bool(cells) and not cells & (FEMININE | MASCULINE) and bool(cells & NEUTER)
