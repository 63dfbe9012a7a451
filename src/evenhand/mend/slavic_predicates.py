"""Who is said to be what in a Slavic sentence: the pronoun before a predicate noun, and the noun after a dash."""

from __future__ import annotations

from evenhand.mend.slavic_classes import DASHES, ENDS
from evenhand.mend.slavic_clauses import Clauses


def subject_pronoun(clauses: Clauses, first: int, head: int, pronoun: str, *, said: bool) -> int | None:
    """он of "он хороший учитель", "он — учитель" and, where it is `said` in the instrumental, "он стал учителем";
    None where there is none."""
    start = first
    while start > 0 and clauses.tokens[start - 1].low[0] not in ENDS - DASHES:
        start -= 1
    places = [at for at in range(start, first) if clauses.low(at) == pronoun]
    if len(places) != 1:
        return None
    between = range(places[0] + 1, first)
    verbs = [at for at in between if clauses.verbal(at) or clauses.infinitive(at)]
    if said:
        return places[0] if clauses.after_being(start, head) else None
    return places[0] if not verbs and not any(clauses.noun(at) for at in between) else None


def equated(clauses: Clauses, head: int) -> int | None:
    """швейцарка of "моя подруга — швейцарка": a noun for a person of this gender after a dash, and nothing else."""
    dash = next((at for at in range(head + 1, len(clauses.tokens)) if clauses.low(at)[0] in ENDS | DASHES), None)
    if dash is None or clauses.low(dash) not in DASHES or any(clauses.verbal(at) for at in range(head, dash)):
        return None
    for at in range(dash + 1, min(dash + 4, len(clauses.tokens))):
        nouns = clauses.words.parses(clauses.low(at))[:1]
        if any(one.tag.POS == "NOUN" for one in nouns):
            own = any(clauses.words.case(one) == "nomn" and clauses.words.gender(one) == clauses.tag for one in nouns)
            return at if own and "anim" in nouns[0].tag.grammemes else None
        if not clauses.adjective(at, {"nomn"}):
            return None
    return None
