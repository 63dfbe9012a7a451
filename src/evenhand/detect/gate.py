"""The gate: does the word found in the rendering name the person of the focus at all?

Locating proposes a word and reading gives it a gender; the gate accepts or refuses. It weighs a table of signals, each
a small question about language or evidence with an answer from 0 to 1. `builders/gate.py` learns the weights in
gate.tsv from labelled rows. Most signals doubt a word found by alignment; a form that the table of forms lists for the
focus is asked only those that look at its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Literal, NamedTuple

from evenhand.detect.align import Aligner
from evenhand.detect.decide import Decision
from evenhand.detect.locate import PERSON, SLIGHT, Locator, Place
from evenhand.detect.strength import NOTHING, likeness
from evenhand.gender import Gender
from evenhand.grammar.english import AUXILIARIES, Focus
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Language, Noun, Token, cells
from evenhand.tsv import rows

WEIGHTS = Path(__file__).parent / "gate.tsv"
STRONG = 0.3  # strength of a link that a translation table gives to usual renderings
ROOTED = 0.25  # strength from which a word may render what the focus is derived from
AGENTS = ("er", "r", "or", "ian", "ist")  # endings of English agents, before which their root stands
LONGER = 4  # letters by which a compound outgrows its first part
SHORT = 5  # letters of a stump or of initials at most
UNLIKE = 0.7  # likeness below which two words are not the same initials
NOMINATIVE = cells(cases="n")
BLIND = frozenset({"open", "fixed", "neuter", "unmarked"})  # kinds of evidence that show no gender
CONTRADICTED = frozenset({"guess article alone", "guess agreement alone"})


class Knowledge(NamedTuple):
    """What signals may ask: the target language and whether it has a dictionary, its forms, its alignments."""

    language: Language
    dictionary: bool
    forms: Forms
    aligner: Aligner
    locator: Locator

    @classmethod
    def of(cls, locator: Locator) -> Knowledge:
        """What a locator knows."""
        dictionary = any(path.exists() for path in locator.language.things)
        return cls(locator.language, dictionary, locator.forms, locator.aligner, locator)


class Candidate:
    """A word proposed for the focus: its place, the gender read there, and the words around it."""

    __slots__ = (
        "after", "before", "decision", "focus", "further", "knows", "language", "low", "name", "noun", "number", "own",
        "place", "strength", "token", "tokens",
    )  # fmt: skip

    def __init__(
        self, knows: Knowledge, focus: Focus, tokens: list[Token], place: Place, decision: Decision, *, name: bool
    ) -> None:
        self.knows, self.language = knows, knows.language
        self.focus, self.tokens, self.place, self.decision, self.name = focus, tokens, place, decision, name
        self.token: Token = tokens[place.first]
        self.low: str = self.token.low
        self.strength: float = place.strength
        self.own = place.listed and bool(place.columns) and place.strength > NOTHING
        self.noun: Noun = self.language.noun(self.token.text)
        self.before: str = tokens[place.first - 1].low if place.first else "."
        self.further: str = tokens[place.first - 2].low if place.first > 1 else "."
        self.after: str = tokens[place.last].low if place.last < len(tokens) else "."
        self.number = PLURAL if focus.plural else SINGULAR

    @property
    def refusable(self) -> bool:
        """True for what the gate decides: not a form that a user labelled, nor what names no person or both genders."""
        return not self.place.own and self.decision.gender not in {Gender.UNKNOWN, Gender.BOTH}

    @property
    def unlinked(self) -> bool:
        return self.strength <= SLIGHT

    @property
    def expected(self) -> bool:
        """True where the table of forms knows what the focus is called."""
        head = self.focus.head.low
        return self.knows.locator.concept_of(head) is not None

    @property
    def determined(self) -> bool:
        """True behind a determiner, with one adjective between at most."""
        determiner = self.language.determiner
        return bool(determiner(self.before)) or bool(determiner(self.further) and self.language.modifier(self.before))

    @property
    def behind_content(self) -> bool:
        """True right behind a word that is no function word, adverb or sure adjective."""
        language, low = self.language, self.before
        if not low[0].isalpha() or language.function_word(low) or language.adverb(low):
            return False
        return not language.prenominal(low)

    @property
    def opens(self) -> bool:
        """True at the beginning of the rendering, behind a determiner at most."""
        first = self.place.first
        return not first or (first == 1 and bool(self.language.determiner(self.before)))

    @property
    def person(self) -> bool:
        """True for a form that the tables list for a person, of whatever concept."""
        return bool(self.knows.locator.person(self.token) & PERSON)

    @property
    def adjective(self) -> bool:
        """True for a word that may be an adjective; where nouns have a capital, one without it."""
        if self.language.capitalises_nouns and self.token.text[0].isupper():
            return False
        return bool(self.language.modifier(self.low))


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
    head, aligner = c.focus.head.low, c.knows.aligner
    roots = [head.removesuffix(suffix) for suffix in AGENTS if head.endswith(suffix)]
    least = max(c.strength, ROOTED)
    return any(aligner.translates(root) and aligner.strength(root, c.token.text) > least for root in roots)


def _table_knows_better(c: Candidate) -> bool:
    return c.unlinked and c.knows.aligner.translates(c.focus.head.low)


def _claimed_unlinked(c: Candidate) -> bool:
    return c.place.taken and c.strength <= NOTHING


def _deed(c: Candidate) -> bool:
    """jugador for the mover who gambles."""
    return c.knows.locator.done(c.focus, c.token)


# The word itself


def _guess(c: Candidate) -> bool:
    return c.noun.kind is Kind.GUESS and c.knows.dictionary and not c.place.relative


def _agentive(c: Candidate) -> bool:
    return c.language.agentive(c.low, opens=c.opens)


def _stump(c: Candidate) -> bool:
    return len(c.low) <= SHORT and c.language.coined(c.low)


def _prefix(c: Candidate) -> bool:
    """Arbeitnehmerrechte, Hygieneststrang: a compound that only begins like a form of the focus."""
    if not c.language.capitalises_nouns:
        return False
    head = c.focus.head.low
    concept = c.knows.locator.concept_of(head)
    forms = [form for form, columns in concept.single.items() if columns & PERSON] if concept else []
    for form in (*forms, head):
        if len(form) > 3 and len(c.low) - len(form) >= LONGER and c.low.startswith(form[: max(4, len(form) - 2)]):
            return not c.low.endswith(("in", "innen", "frau"))
    return False


def _other_number(c: Candidate) -> bool:
    """One for many or many for one; an English adjective as a noun (the blind) has no number."""
    return not c.place.relative and not c.noun.cells & c.number and (c.number == PLURAL or c.expected)


def _no_subject(c: Candidate) -> bool:
    return c.language.has_case and c.focus.opens and not c.noun.cells & NOMINATIVE


def _initials(c: Candidate) -> bool:
    """ФК for the CEO."""
    short = all(text.isupper() and len(text) <= SHORT for text in (c.focus.text, c.token.text))
    return short and likeness(c.low, c.focus.head.low) < UNLIKE


def _anybody(c: Candidate) -> bool:
    concept = c.knows.forms.concept("person")
    return concept is not None and any(form in concept.single for form in c.language.lookups(c.token.text))


def _lower_case(c: Candidate) -> bool:
    return c.language.capitalises_nouns and c.token.text[0].islower()


# Its place


def _dependent(c: Candidate) -> bool:
    """El jugador de pintores: the focus opens the source, the word depends on the noun that opens the rendering."""
    language, tokens, i = c.language, c.tokens, c.place.first - 1
    if i < 1 or not c.focus.opens:
        return False
    contracted = language.adjectives_follow  # there an article that opens its phrase holds a preposition: del, du
    while i and language.determiner(tokens[i].low) and not (contracted and language.begins(tokens[i].low)):
        i -= 1
    if not i or not language.function_word(tokens[i].low) or not tokens[i].low[0].isalpha():
        return False
    head = list(dropwhile(lambda token: language.determiner(token.low), tokens[:i]))
    return 0 < len(head) < 3 and not any(language.function_word(token.low) for token in head)


def _dependent_deed(c: Candidate) -> bool:
    return c.focus.acts and c.focus.next_word not in AUXILIARIES and _dependent(c)


def _second_noun(c: Candidate) -> bool:
    """Los juegos especialistas: the second of two nouns that open the rendering, where the focus opens the source."""
    if c.place.first != 2 or not c.focus.opens or not c.language.adjectives_follow or not c.behind_content:
        return False
    return bool(c.language.determiner(c.further)) and not c.language.modifier(c.before)


def _possessor(c: Candidate) -> bool:
    """La reseña crítica for the critic's review: a possessor has a preposition or a case, an adjective has neither."""
    if not c.focus.possessive or not c.language.adjectives_follow or c.language.has_case:
        return False
    plain = c.before[0].isalpha() and not c.language.function_word(c.before)
    return plain and bool(c.language.modifier(c.low))


def _behind_noun(c: Candidate) -> bool:
    """La danza especializada: right behind a noun with an article."""
    if c.place.first < 2 or not c.language.adjectives_follow or not c.behind_content:
        return False
    return bool(c.language.determiner(c.further)) and not c.language.verb(c.before)


def _behind_thing(c: Candidate) -> bool:
    if not c.language.adjectives_follow or not c.behind_content:
        return False
    return c.language.noun(c.tokens[c.place.first - 1].text).kind is Kind.THING


def _behind_deed(c: Candidate) -> bool:
    """Las risas paralegas: the word before renders what the person does."""
    return c.behind_content and c.knows.locator.done(c.focus, c.tokens[c.place.first - 1])


def _behind_pronoun(c: Candidate) -> bool:
    """Ella nada, celles qui gagnent: behind a pronoun or conjunction, where a noun would have an article."""
    language, low = c.language, c.before
    if not language.has_articles or not low[0].isalpha() or not language.function_word(low):
        return False
    return not language.determiner(low) and not language.begins(low)


def _adjective_alone(c: Candidate) -> bool:
    """proteger a tu querido: an adjective behind a determiner and without a noun."""
    if not c.language.determiner(c.before) or not c.adjective:
        return False
    return not c.after[0].isalpha() or c.language.function_word(c.after)


def _noun_follows(c: Candidate) -> bool:
    """рабочего дня, La mala broma: an adjective whose noun comes next."""
    if not c.after[0].isalpha() or not c.adjective or c.language.function_word(c.after):
        return False
    follows = c.language.noun(c.tokens[c.place.last].text)
    return follows.kind is not Kind.GUESS and bool(follows.cells & c.language.modifier(c.low))


def _object_follows(c: Candidate) -> bool:
    """El construye un barco: a verb, because an article opens its object."""
    language = c.language
    if not language.has_articles or not language.determiner(c.after) or language.begins(c.after):
        return False
    return c.opens and not c.person


def _capital_follows(c: Candidate) -> bool:
    if not c.language.capitalises_nouns or c.place.last >= len(c.tokens):
        return False
    return c.tokens[c.place.last].text[0].isupper()


def _verbless(c: Candidate) -> bool:
    """El jugador de mudanzas en el fin de semana: the subject of a sentence, and no verb follows."""
    return c.focus.opens and c.opens and c.language.verbless(c.tokens, c.place.last)


def _bare(c: Candidate) -> bool:
    return c.language.has_articles and c.number == SINGULAR and not c.name and not c.determined


def _neuter_article(c: Candidate) -> bool:
    """Das Wetter."""
    mask = c.language.determiner(c.before)
    return bool(mask) and not mask & (FEMININE | MASCULINE) and c.noun.kind is Kind.SEXED


def _far(c: Candidate) -> float:
    return abs(c.focus.at / len(c.focus.words) - c.place.first / len(c.tokens))


SIGNALS: tuple[Signal, ...] = (
    Signal("own form", 1, lambda c: c.own, "it is a listed form of the focus", of_listed=True),
    Signal("link", 1, lambda c: c.strength, "word translations link the two"),
    Signal("strong link", 1, lambda c: c.strength >= STRONG, "word translations link the two strongly"),
    Signal("claimed", -1, lambda c: c.place.taken, "another source word claims it"),
    Signal("claimed, no link", -1, _claimed_unlinked, "another source word claims it and nothing links it"),
    Signal("unsure", -1, lambda c: 1.0 - c.place.certainty, "other words fit as well"),
    Signal("table knows better", -1, _table_knows_better, "the translation table knows the focus by other words"),
    Signal("forms know better", -1, lambda c: c.expected, "the table of forms knows the focus by other words"),
    Signal("root", -1, _root, "it renders what the focus is derived from"),
    Signal("deed", -1, _deed, "it renders what the person does"),
    Signal("left in English", 1, lambda c: c.low == c.focus.head.low, "it is the English word itself"),
    Signal("name", 1, lambda c: c.name, "it is a name"),
    Signal("person", 1, lambda c: c.person, "it is listed for a person"),
    Signal("free relative", 1, lambda c: c.place.relative, "an article and a relative pronoun name the person"),
    Signal("agentive", 1, _agentive, "its ending makes nouns for persons"),
    Signal("guess", -1, _guess, "no dictionary lists it"),
    Signal("guess, no link", -1, lambda c: c.unlinked and _guess(c), "no dictionary lists it and nothing links it"),
    Signal("stump", -1, _stump, "it is a short word that no dictionary has"),
    Signal("verb", -1, lambda c: c.language.verb(c.low), "it is a verb"),
    Signal("lower case", -1, _lower_case, "nouns have a capital here and it has none", of_listed=True),
    Signal("prefix", -1, _prefix, "it only begins like the word for the focus", of_listed=True),
    Signal("number", -1, _other_number, "it has the other number"),
    Signal("number, no link", -1, lambda c: c.unlinked and _other_number(c), "it has the other number and no link"),
    Signal("no subject", -1, _no_subject, "the focus is the subject and this is no nominative"),
    Signal("initials", -1, _initials, "its initials are not those of the focus"),
    Signal("anybody", 1, _anybody, "it is the word for any person"),
    Signal("bare", -1, _bare, "it is one person and has no article"),
    Signal("neuter article", -1, _neuter_article, "its article is no person's"),
    Signal("far", -1, _far, "it is far from the place of the focus"),
    Signal("verbless", -1, _verbless, "no verb follows the subject"),
    Signal("dependent", -1, _dependent, "it depends on another noun, and the focus does not", of_listed=True),
    Signal("dependent deed", -1, _dependent_deed, "it depends on another noun, and the focus acts", of_listed=True),
    Signal("second noun", -1, _second_noun, "it is the second of two nouns, where the source has one", of_listed=True),
    Signal("possessor", -1, _possessor, "it follows a noun as an adjective does, not as its owner", of_listed=True),
    Signal("behind noun", -1, _behind_noun, "it is right behind a noun"),
    Signal("behind thing", -1, _behind_thing, "it is right behind a word for a thing", of_listed=True),
    Signal("behind deed", -1, _behind_deed, "it is right behind the word for what the person does", of_listed=True),
    Signal("behind pronoun", -1, _behind_pronoun, "it is behind a pronoun or conjunction, as verbs are"),
    Signal("adjective alone", 1, _adjective_alone, "it is an adjective with an article and no noun"),
    Signal("noun follows", -1, _noun_follows, "it is an adjective of the next word"),
    Signal("object follows", -1, _object_follows, "an object follows it as if it were a verb"),
    Signal("capital follows", -1, _capital_follows, "a noun follows it at once"),
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
        self._bias = weights.pop("bias", 0.0)
        self._signals = [(signal.read, weight) for signal in SIGNALS if (weight := weights.get(signal.name, 0.0))]
        listed = {signal.read for signal in SIGNALS if signal.of_listed}
        self._of_listed = [(read, weight) for read, weight in self._signals if read in listed]
        self._weights = weights

    def accepts(self, candidate: Candidate) -> bool:
        total = self._bias
        for read, weight in self._of_listed if candidate.own else self._signals:
            total += weight * read(candidate)
        return total >= 0

    def opinion(self, candidate: Candidate) -> Opinion:
        """The same with its reasons."""
        parts = sorted(self._parts(candidate), key=lambda part: -abs(part[0]))
        total = self._bias + sum(weight for weight, _ in parts)
        pro, contra = (tuple(words for weight, words in parts if sign * weight > 0) for sign in (1, -1))
        return Opinion(1 / (1 + math.exp(-total)), pro, contra)

    def _parts(self, candidate: Candidate) -> Iterator[tuple[float, str]]:
        for signal, value in zip(SIGNALS, values(candidate), strict=True):
            yield self._weights.get(signal.name, 0.0) * value, signal.words
