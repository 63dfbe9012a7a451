"""Reasons to leave a person's words as they are: a word may belong to the noun that no rule reached, or more than the
noun would have to change."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain
from evenhand.grammar.families.romance_words import STOPS, told
from evenhand.grammar.french.chain import FrenchChain
from evenhand.grammar.protocol import Kind

NOBODY = frozenset("c' ce cela ça".split())  # c'est faux: said of nobody


def doubt(chain: Chain) -> int | None:
    """A word left as it is that may yet be said of the noun: an adjective or participle of its gender and number
    after a linking verb, a comma or a changed word, with no other noun of that kind to belong to."""
    if chain.unclear is not None:
        return chain.unclear
    begin = chain.first if chain.governed(chain.first) else 0  # what a preposition governs is no subject of before
    return next((at for at in range(begin, len(chain.tokens)) if _doubtful(chain, at, begin)), None)


def _doubtful(chain: Chain, at: int, begin: int) -> bool:
    if _resumes(chain, at) or _all(chain, at):
        return True
    if at in chain.marked or chain.determiner(at) or not chain.told(at) or chain.adverbial(at):
        return False
    if chain.when(at) or chain.acting(at):
        return False
    if chain.has(at, "together"):
        return True
    before = at - 1
    while before >= 0 and chain.adverbial(before):
        before -= 1
    return before >= 0 and _may_be_said(chain, before, at) and _no_host(chain, before, at, begin)


def _may_be_said(chain: Chain, before: int, at: int) -> bool:
    """The word before allows that the one at `at` is said of the noun."""
    linked = chain.links(before)
    if chain.perfect(before) or (linked and (chain.low(before - 1) in NOBODY or _impersonal(chain, before - 1, at))):
        return False
    if before in chain.marked:
        return not chain.has(at, "verb_too")
    return linked or chain.low(before) == "," or chain.has(before, "became")


def _no_host(chain: Chain, before: int, at: int, begin: int) -> bool:
    """No other noun of this kind is there to which the word could belong."""
    between = range(chain.head + 1, before) if at > chain.head else range(before + 1)
    if begin and chain.links(before):
        between = range(before)  # el despatx de l'advocat és tancat
    if at > chain.head and chain.language.drops_subjects and chain.is_object() and chain.rivals():
        return False  # ha svegliato il vicino e si è seduto
    hosts = (chain.determiner(i) & chain.cells & chain.number for i in between if i not in chain.marked)
    return not any(hosts)


def _all(chain: Chain, at: int) -> bool:
    """les délégués des villes, qui m'ont tous écrit: in French, where no speaker precedes it."""
    if at <= chain.head or at in chain.marked or not chain.floating(at):
        return False
    return not any(chain.has(i, "speaker") for i in range(at - 3, at))


def _impersonal(chain: Chain, subject: int, at: int) -> bool:
    """il est excellent que: said of nobody."""
    return chain.low(subject) == "il" and chain.low(at + 1) in {"que", "qu'", "de", "d'"}


def _resumes(chain: Chain, at: int) -> bool:
    """il quale, molti di loro, alcuni perché: a word without a noun that may mean ours, where the language's table
    lists such words."""
    if at <= chain.head or at in chain.marked or not chain.told(at):
        return False
    if chain.has(at + 1, "resuming_after"):
        return True
    alone = chain.partitive(at + 1) or not chain.low(at + 1)[0].isalnum() or chain.links(at + 1)
    return chain.has(at, "resuming") and (alone or chain.has(at + 1, "relative"))


def refusal(chain: Chain) -> str | None:
    """Why the noun stays as it is, for the user: it names no person, or more than its own words would have to change;
    None where it may change."""
    word = chain.tokens[chain.head].text
    said_of = f"{word!r} is said of somebody whose words would have to change too"
    if isinstance(chain, FrenchChain):
        return said_of if chain.said_of() else None
    if _no_person(chain):
        return f"{word!r} is not known as a word for a person"
    if _predicate(chain):
        return said_of
    if _apposed(chain) or _titled_after(chain):
        return f"{word!r} is beside another word for the same person"
    return None


def _no_person(chain: Chain) -> bool:
    """se había presentado; campanhas publicitárias; promovido a músico, where a is no article"""
    head, named = chain.head, chain.names(chain.head)
    if head - 1 >= chain.first and _other_noun(chain, head - 1):
        return True  # mulheres jornalistas, la persona asesorada
    if named:
        article = chain.low(head - 1) == "a" and chain.determiner(head - 1)  # Portuguese
        return bool(article) and not named & chain.column
    if chain.kind(head) is Kind.THING:
        return True
    if not chain.adjective(head) or not head or chain.determiner(head - 1):
        return False
    return chain.perfect(head - 1) or chain.kind(head - 1) is Kind.THING


def _other_noun(chain: Chain, at: int) -> bool:
    if chain.adjective(at) or chain.determiner(at) or chain.has(at, "title"):
        return False
    return bool(chain.names(at)) or chain.kind(at) is Kind.FIXED


def _predicate(chain: Chain) -> bool:
    """Ellos son más que amigos; los Estados no son contribuyentes; mantener informados a los vecinos"""
    first = chain.first
    at = first - (not chain.low(first).startswith("al"))
    if chain.low(at) in {"a", "al", "als"} and at > 1 and chain.told(at - 1) and chain.has(at - 2, "linking"):
        return at - 1 not in chain.marked
    at = first - 1
    while at >= 0 and (chain.adverbial(at) or (chain.low(at) == "que" and chain.adverbial(at - 1))):  # más que amigos
        at -= 1
    copula = chain.has(at, "copula", "auxiliary")
    if at < 1 or not (copula or chain.compares(at)):
        return False
    if _by_pronoun(chain, at):
        return True
    return copula and bool(chain.names(chain.head)) and _said_of_host(chain, at)


def _said_of_host(chain: Chain, at: int) -> bool:
    """A determiner of the noun's gender opens the subject of the copula at this place."""
    bare = chain.first == chain.head and not chain.has(at, "auxiliary")
    hosts = {i for i in chain.hosts() if bare or any(map(chain.names, range(i + 1, i + 3)))}
    for i in range(at - 1, -1, -1):
        if chain.low(i) == "," or chain.low(i)[0] in STOPS or chain.joins(i) or chain.has(i, "relative"):
            return False
        if i in hosts:
            return True
    return False


def _by_pronoun(chain: Chain, at: int) -> bool:
    """Ela foi professora; ele trabalhou como editor: he or she before what is said of them, and nobody else."""
    cells = [chain.language.pronoun(chain.low(i)) for i in range(at) if i not in chain.marked]
    return any(told(c) and c & chain.cells for c in cells if c) and not chain.rivals()


def _apposed(chain: Chain) -> bool:
    """a sua tia, uma pastora: the noun adds to another person's."""
    at = chain.first - 2
    return chain.low(at + 1) == "," and at > 0 and at not in chain.marked and chain.person(at)


def _titled_after(chain: Chain) -> bool:
    """la ponente, el Sr. Mulder"""
    for at in range(chain.head + 1, min(chain.head + 6, len(chain.tokens) - 2)):
        if chain.low(at) == "," and chain.determiner(at + 1):
            return chain.has(at + 2, "title") and at + 2 not in chain.marked
    return False
