"""Reasons to leave a person's words as they are: a word may belong to the noun that no rule reached, or more than the
noun would have to change."""

from evenhand.grammar.families.romance_chain import Chain
from evenhand.grammar.french import FrenchChain
from evenhand.grammar.protocol import Kind, shows_one_gender

NOBODY = frozenset("c' ce cela ça".split())  # c'est faux: said of nobody


def doubt(chain: Chain) -> int | None:
    """A word left as it is that may yet be said of the noun: an adjective or participle of its gender and number
    after a linking verb, a comma or a changed word, with no other noun of that kind to belong to."""
    if chain.unclear is not None:
        return chain.unclear
    left = _left(chain)
    if left is not None:
        return left
    begin = chain.first if chain.governed(chain.first) else 0  # what a preposition governs is no subject of before
    return next((at for at in range(begin, len(chain.tokens)) if _doubtful(chain, at, begin)), None)


def _doubtful(chain: Chain, at: int, begin: int) -> bool:
    if at in chain.marked or not chain.agrees(at) or (chain.shared and at > chain.head):
        return False
    if at > chain.head and (chain.has(at, "together") or chain.floating(at) or _resumes(chain, at)):
        return True
    if chain.determiner(at) or chain.adverbial(at) or (chain.has(at, "ordinal") and chain.has(at + 1, "time")):
        return False
    before = at - 1
    while chain.adverbial(before):
        before -= 1
    return _may_be_said(chain, before, at) and _no_host(chain, before, at, begin)


def _left(chain: Chain) -> int | None:
    """lorsqu'ils veulent, d'entre eux: where every clause has a subject, a plural pronoun that may mean the noun and
    no other person."""
    if chain.language.drops_subjects or not chain.plural:
        return None
    own = {"ils", "eux"} if chain.masculine else {"elles"}
    for at in range(chain.head + 1, len(chain.tokens)):
        if chain.low(at) in own and at not in chain.marked:
            return None if chain.rivals() else at
    return None


def _may_be_said(chain: Chain, before: int, at: int) -> bool:
    """The word before allows that the one at `at` is said of the noun."""
    if before in chain.marked:
        return not chain.has(at, "verb_too") and not chain.perfect(before)
    participle = chain.low(at).endswith(chain.language.participle_endings) and not chain.determiner(at + 1)
    acting = chain.language.verb(chain.low(before)) and not chain.low(before).endswith("ndo")
    if participle and acting and not chain.perfect(before) and not chain.governed(chain.first):
        return True  # duermen hacinados
    if chain.links(before):
        nobody = chain.low(before - 1) == "il" and chain.low(at + 1) in {"que", "qu'", "de", "d'"}
        return chain.low(before - 1) not in NOBODY and not nobody
    return chain.low(before) == ","


def _no_host(chain: Chain, before: int, at: int, begin: int) -> bool:
    """No other noun of this kind is there to which the word could belong."""
    between = range(chain.head + 1, before) if at > chain.head else range(before + 1)
    if begin and chain.links(before):
        between = range(before)  # el despatx de l'advocat és tancat
    if chain.language.drops_subjects and chain.is_object() and chain.rivals():
        return False  # ha svegliato il vicino e si è seduto
    return not any(chain.determiner(i) & chain.cells & chain.number for i in between if i not in chain.marked)


def _resumes(chain: Chain, at: int) -> bool:
    """il quale, molti di loro, alcuni perché: a word without a noun that may mean ours, where the language's table
    lists such words."""
    alone = not chain.low(at + 1)[0].isalnum() or chain.links(at + 1) or chain.has(at + 1, "partitive", "relative")
    return chain.has(at + 1, "resuming_after") or (chain.has(at, "resuming") and alone)


def refusal(chain: Chain) -> str | None:
    """Why the noun stays as it is, for the user: it names no person, or more than its own words would have to change;
    None where it may change."""
    word = chain.tokens[chain.head].text
    said_of = f"{word!r} describes another person whose words would have to change too"
    if isinstance(chain, FrenchChain):
        if chain.kind(chain.head) is Kind.THING and not chain.names(chain.head):
            return f"{word!r} is not known as a word for a person"
        return said_of if chain.said_of() or _as_by_pronoun(chain) else None
    if _no_person(chain):
        return f"{word!r} is not known as a word for a person"
    if _predicate(chain):
        return said_of
    if _apposed(chain):
        return f"{word!r} is next to another word for the same person"
    return None


def _as_by_pronoun(chain: Chain) -> bool:
    """Il est considéré comme le suspect: the pronoun would have to change."""
    own = {"il", "ils", "celui", "ceux"} if chain.masculine else {"elle", "elles", "celle", "celles"}
    before = range(max(0, chain.first - 6), chain.first - 1)
    return chain.has(chain.first - 1, "as") and any(chain.low(i) in own and i not in chain.marked for i in before)


def _no_person(chain: Chain) -> bool:
    """mulheres jornalistas, a noun beside it; promovido a músico, where a is no article; a thing"""
    head, named = chain.head, chain.names(chain.head)
    before = head - 1
    closed = chain.adjective(before) or chain.determiner(before) or chain.has(before, "title")
    if before >= chain.first and chain.names(before) and not closed:
        return True
    if named:
        return chain.low(before) == "a" and bool(chain.determiner(before)) and not named & chain.column
    return chain.kind(head) is Kind.THING


def _predicate(chain: Chain) -> bool:
    """Ellos son más que amigos; los Estados no son contribuyentes; mantener informados a los vecinos"""
    at = chain.first - (not chain.low(chain.first).startswith("al"))
    if chain.low(at) in {"a", "al", "als"} and chain.agrees(at - 1) and chain.has(at - 2, "linking"):
        return at - 1 not in chain.marked
    at = chain.first - 1
    while chain.adverbial(at) or (chain.low(at) == "que" and chain.adverbial(at - 1)):  # más que amigos
        at -= 1
    if not chain.has(at, "copula", "auxiliary", "as"):
        return False
    if _by_pronoun(chain, at):
        return True
    return chain.has(at, "copula") and bool(chain.names(chain.head)) and _said_of_host(chain, at)


def _by_pronoun(chain: Chain, at: int) -> bool:
    """Ela foi professora; ele trabalhou como editor; not: atrás dele estão dois soldados"""
    subjects = {chain.low(chain.back(at - 1)), chain.low(chain.back(at - 2))}
    cells = [chain.language.pronoun(low) for low in subjects if low[0] not in "dn"]
    return any(shows_one_gender(c) and c & chain.cells for c in cells) and not chain.rivals()


def _said_of_host(chain: Chain, at: int) -> bool:
    """A determiner of the noun's gender opens the subject of the copula at this place, a person's where the noun has an
    article."""
    bare = chain.first == chain.head and not chain.has(at, "auxiliary")
    for i in range(at - 1, -1, -1):
        if chain.closes(i) or chain.has(i, "joins", "relative"):
            return False
        if i not in chain.marked and chain.subject(i) and not chain.determiner(i - 1):
            one = chain.has(i + 1, "ordinal")  # o primeiro a repeti-lo era um idiota
            return bare or one or any(chain.names(j) and j not in chain.heads for j in range(i + 1, i + 4))
    return False


def _apposed(chain: Chain) -> bool:
    """a sua tia, uma pastora: the noun adds to another person's; la ponente, el Sr. Mulder."""
    at = chain.first - 2
    if chain.low(at + 1) == "," and at > 0 and at not in chain.marked and chain.person(at):
        return True
    comma = next((i for i in range(chain.head + 1, chain.head + 6) if chain.low(i) == ","), None)
    return comma is not None and bool(chain.determiner(comma + 1)) and chain.has(comma + 2, "title")
