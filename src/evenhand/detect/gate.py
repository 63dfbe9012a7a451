"""The gate: does the word found in the rendering name the person of the focus at all?

Locating proposes a word and reading gives it a gender; the gate accepts or refuses. It weighs a table of signals, each
a small question about language or evidence with an answer from 0 to 1. `builders/gate.py` learns the weights in
gate.tsv from labelled rows. Most signals doubt a word found by alignment; a form that the table of forms lists for the
focus is asked only those that look at its place.
"""

import math
from collections.abc import Callable, Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Literal, NamedTuple

from evenhand.detect.decide import Decision
from evenhand.detect.locate import PERSON, SLIGHT, Locator, Place
from evenhand.detect.strength import NOTHING, likeness
from evenhand.gender import Gender
from evenhand.grammar.english import AUXILIARIES, Focus, singular
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Noun, Token
from evenhand.tsv import rows

WEIGHTS = Path(__file__).parent / "gate.tsv"
STRONG = 0.3  # strength of a link that a translation table gives to usual renderings
SHORT = 5  # letters of initials at most
UNLIKE = 0.7  # likeness below which two words are not the same initials
ROOTED = 0.25  # strength from which a word may render what the focus is derived from
AGENTS = ("er", "r", "or", "ian", "ist")  # endings of English agents, before which their root stands
DONE = 0.25  # strength from which a noun may render the verb (сплетник, jugador: gossips, gambles)
BLIND = frozenset({"open", "fixed", "neuter"})  # kinds of evidence that show no gender
CONTRADICTED = frozenset({"guess article alone", "guess agreement alone"})


class Candidate:
    """A word proposed for the focus: its place, the gender read there, and the words around it."""

    def __init__(self, locator: Locator, focus: Focus, tokens: list[Token], place: Place, decision: Decision) -> None:
        self.locator, self.language, self.aligner = locator, locator.language, locator.aligner
        self.focus, self.tokens, self.place, self.decision = focus, tokens, place, decision
        self.token: Token = tokens[place.first]
        self.low: str = self.token.low
        self.strength: float = place.strength
        self.own = place.listed and bool(place.columns) and place.strength > NOTHING
        self.noun: Noun = self.language.noun(self.token.text)
        self.before: str = tokens[place.first - 1].low if place.first else "."
        self.further: str = tokens[place.first - 2].low if place.first > 1 else "."
        self.number = PLURAL if focus.plural else SINGULAR

    @property
    def refusable(self) -> bool:
        """True for what the gate decides: no form that a user labelled, no listed pronoun, and nothing that names no
        person or both genders."""
        sure = self.place.own or self.place.pronoun
        return not sure and self.decision.gender not in {Gender.UNKNOWN, Gender.BOTH}

    @property
    def unlinked(self) -> bool:
        return self.strength <= SLIGHT

    @property
    def expected(self) -> bool:
        """True where our table of forms knows what the focus is called."""
        concept = self.locator.concept_of(self.focus.head.low)
        return concept is not None and concept.written

    @property
    def behind_content(self) -> bool:
        """True right behind a word that is no function word or sure adjective."""
        low, language = self.before, self.language
        return low[0].isalpha() and not language.function_word(low) and not language.prenominal(low)

    @property
    def opens(self) -> bool:
        """True at the beginning of the rendering, behind one word at most."""
        return self.place.first < 2


class Signal(NamedTuple):
    """One reason for or against this word as the rendering of that person."""

    name: str
    speaks: Literal[1, -1]  # for or against: the sign of its weight
    read: Callable[[Candidate], float]  # 0 to 1, about language or evidence, never about one text
    words: str  # how --explain says it
    of_listed: bool = False  # asked of listed forms of the focus, too


# The link between the two words


def _root(c: Candidate) -> bool:
    """limpia for the cleaner (clean), eléctrico for the electrician (electric)."""
    head, aligner = c.focus.head.low, c.aligner
    roots = [head.removesuffix(suffix) for suffix in AGENTS if head.endswith(suffix)]
    least = max(c.strength, ROOTED)
    return any(aligner.translates(root) and aligner.strength(root, c.token.text) > least for root in roots)


def _deed(c: Candidate) -> bool:
    """jugador for the mover who gambles: it may render the word right after the focus, its verb, as a noun."""
    verb = c.focus.next_word
    base = singular(verb)
    agent = f"{base}r" if base.endswith("e") else f"{base}er"
    names = (verb, agent) if len(verb) > 3 and verb.endswith(("s", "ed")) else ()
    return any(c.aligner.strength(name, c.token.text) >= DONE for name in names)


# The word itself


def _unlisted(c: Candidate) -> bool:
    """Where predicates agree and no dictionary is installed, a verb looks like a person: druži for the friend."""
    bare = c.noun.kind is Kind.GUESS and c.language.predicate_overrides and not c.locator.dictionary
    return bare and c.expected and c.strength < STRONG and not c.language.agentive(c.low, opens=c.opens)


def _initials(c: Candidate) -> bool:
    """ФК for the CEO."""
    short = all(text.isupper() and len(text) <= SHORT for text in (c.focus.text, c.token.text))
    return short and likeness(c.low, c.focus.head.low) < UNLIKE


def _anybody(c: Candidate) -> bool:
    return not c.locator.forms.indefinite.isdisjoint(c.language.lookups(c.token.text))


# Its place


def _dependent(c: Candidate) -> bool:
    """El jugador de pintores: the focus opens the source, the word depends on the noun that opens the rendering."""
    language, tokens, i = c.language, c.tokens, c.place.first - 1
    if i < 1 or not c.focus.opens:
        return False
    contracted = language.adjectives_follow  # there an article that opens its phrase holds a preposition: del, du
    while i and language.determiner(tokens[i].low) and not (contracted and language.begins(tokens[i].low)):
        i -= 1
    if not language.function_word(tokens[i].low):
        return False
    head = list(dropwhile(lambda token: language.determiner(token.low), tokens[:i]))
    return 0 < len(head) < 3 and not any(language.function_word(token.low) for token in head)


def _second_noun(c: Candidate) -> bool:
    """Los juegos especialistas: the second of two nouns that open the rendering, where the focus opens the source."""
    if c.place.first != 2 or not c.focus.opens or not c.behind_content:
        return False
    return bool(c.language.determiner(c.further)) and not c.language.modifier(c.before)


def _possessor(c: Candidate) -> bool:
    """La reseña crítica for the critic's review: a possessor has a preposition or a case, an adjective has neither."""
    if not c.focus.possessive or c.language.has_case or c.language.function_word(c.before):
        return False
    return bool(c.language.modifier(c.low))


def _behind_noun(c: Candidate) -> bool:
    """La danza especializada: right behind a noun with an article."""
    if c.place.first < 2 or not c.language.adjectives_follow or not c.behind_content:
        return False
    return bool(c.language.determiner(c.further))


def _behind_thing(c: Candidate) -> bool:
    if not c.language.adjectives_follow or not c.behind_content:
        return False
    return c.language.noun(c.tokens[c.place.first - 1].text).kind is Kind.THING


def _neuter_article(c: Candidate) -> bool:
    """Das Wetter."""
    mask = c.language.determiner(c.before)
    return bool(mask) and not mask & (FEMININE | MASCULINE) and c.noun.kind is Kind.SEXED


SIGNALS: tuple[Signal, ...] = (
    Signal("own form", 1, lambda c: c.own, "it is a listed form of the focus", of_listed=True),
    Signal("link", 1, lambda c: c.strength, "word translations link the two"),
    Signal("strong link", 1, lambda c: c.strength >= STRONG, "word translations link the two strongly"),
    Signal("claimed", -1, lambda c: c.place.taken, "another source word claims it"),
    Signal("claimed, no link", -1, lambda c: c.place.taken and c.strength <= NOTHING,
           "another source word claims it and nothing links it"),
    Signal("unsure", -1, lambda c: 1.0 - c.place.certainty, "other words fit as well"),
    Signal("table knows better", -1, lambda c: c.unlinked and c.aligner.translates(c.focus.head.low),
           "the translation table has other words for the focus"),
    Signal("forms know better", -1, lambda c: c.expected, "the table of forms has other words for the focus"),
    Signal("root", -1, _root, "it renders the word from which the focus is derived"),
    Signal("deed", -1, _deed, "it renders the person's activity"),
    Signal("person", 1, lambda c: bool(c.locator.person(c.token) & PERSON), "it is listed for a person"),
    Signal("agentive", 1, lambda c: c.language.agentive(c.low, opens=c.opens), "its ending makes nouns for persons"),
    Signal("guess", -1, lambda c: c.noun.kind is Kind.GUESS and c.locator.dictionary and not c.place.relative,
           "no dictionary lists it"),
    Signal("guess, forms known", -1, _unlisted,
           "only its ending is known, the focus is known by other words, and the link is weak"),
    Signal("lower case", -1, lambda c: c.language.capitalises_nouns and c.token.text[0].islower(),
           "nouns have a capital letter in this language, and it has none", of_listed=True),
    Signal("number, no link", -1, lambda c: c.unlinked and not c.noun.cells & c.number,
           "it has the other number and no link"),
    Signal("initials", -1, _initials, "its initials are not those of the focus"),
    Signal("anybody", 1, _anybody, "it is the word for any person"),
    Signal("neuter article", -1, _neuter_article, "its article is no person's"),
    Signal("dependent", -1, _dependent, "it depends on another noun, and the focus does not", of_listed=True),
    Signal("dependent deed", -1, lambda c: c.focus.acts and c.focus.next_word not in AUXILIARIES and _dependent(c),
           "it depends on another noun, and the focus acts", of_listed=True),
    Signal("second noun", -1, _second_noun, "it is the second of two nouns, but the source has one", of_listed=True),
    Signal("possessor", -1, _possessor, "it follows a noun as an adjective does, not as its owner", of_listed=True),
    Signal("behind noun", -1, _behind_noun, "it is right behind a noun"),
    Signal("behind thing", -1, _behind_thing, "it is right behind a word for a thing", of_listed=True),
    Signal("contradicted", -1, lambda c: c.decision.basis in CONTRADICTED, "article and ending contradict each other"),
    Signal("agreement", 1, lambda c: c.decision.how == "agreement", "a verb or adjective agrees with it"),
    Signal("blind", -1, lambda c: c.decision.basis in BLIND, "it shows no gender"),
)  # fmt: skip


def values(candidate: Candidate) -> list[float]:
    """Every signal's value."""
    return [float(signal.read(candidate)) if signal.of_listed or not candidate.own else 0.0 for signal in SIGNALS]


class Opinion(NamedTuple):
    """The probability that the word names the person, and what spoke for and against it, strongest first."""

    probability: float
    speaking_for: tuple[str, ...]
    speaking_against: tuple[str, ...]


class Gate:
    """The signals with their learnt weights; a word passes where its probability is one half or more."""

    file: Path = WEIGHTS

    def __init__(self) -> None:
        weights = {row["signal"]: float(row["weight"]) for row in rows(self.file)}
        self._bias = weights["bias"]
        self._signals = [(signal, weights[signal.name]) for signal in SIGNALS if signal.name in weights]

    def accepts(self, candidate: Candidate) -> bool:
        return self._bias + sum(weight for weight, _ in self._parts(candidate)) >= 0

    def opinion(self, candidate: Candidate) -> Opinion:
        """The same with its reasons."""
        parts = sorted(self._parts(candidate), key=lambda part: -abs(part[0]))
        total = self._bias + sum(weight for weight, _ in parts)
        pro, contra = (tuple(words for weight, words in parts if sign * weight > 0) for sign in (1, -1))
        return Opinion(1 / (1 + math.exp(-total)), pro, contra)

    def _parts(self, candidate: Candidate) -> Iterator[tuple[float, str]]:
        for signal, weight in self._signals:
            if signal.of_listed or not candidate.own:
                yield weight * signal.read(candidate), signal.words
