"""What a target language must answer so that the noun detector can decide a person's gender.

A language is one folder (`grammar/<name>/`): a module and small TSV tables. It never looks at the source sentence and
never sees other rows. `evenhand.grammar.phrase` puts the answers together; `german` is the worked example, `base.py`
the table-driven default that most languages subclass.

Cells
    Grammar is answered in *cells*: an int whose bits are the combinations of gender, number and case that a word form
    can express. "der" can be masculine nominative singular, feminine dative or genitive singular, or genitive plural;
    "Angestellten" has its own set; the bits that both have in common are what "der Angestellten" can mean. So agreement
    is `&`, and no rule is needed for each pair of words. A language without case uses `cells("f", "s")`, which sets
    all cases at once. 0 means "cannot be this kind of word at all".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from evenhand.grammar.sentence import Link, Said, Sentence, Word

GENDERS = "fmn"
NUMBERS = "sp"
CASES = "ngdailv"  # nominative genitive dative accusative instrumental locative(prepositional) vocative


def cells(genders: str = GENDERS, numbers: str = NUMBERS, cases: str = CASES) -> int:
    """The bits for every combination of the given letters: `cells("fm", "s", "n")` has two bits."""
    mask = 0
    for case in cases:
        for number in numbers:
            for gender in genders:
                mask |= 1 << (
                    (CASES.index(case) * len(NUMBERS) + NUMBERS.index(number)) * len(GENDERS) + GENDERS.index(gender)
                )
    return mask


def cells_of(row: Mapping[str, str]) -> int:
    """The cells of a table's row (columns genders, numbers, cases); where one is empty or missing, any value."""
    return cells(row.get("genders") or GENDERS, row.get("numbers") or NUMBERS, row.get("cases") or CASES)


FEMININE, MASCULINE, NEUTER = cells("f"), cells("m"), cells("n")
SINGULAR, PLURAL = cells(numbers="s"), cells(numbers="p")
ANY = cells()


class Token(NamedTuple):
    """A word of the rendering. `low` is what is looked up: lower case, straight apostrophe, NFC. Offsets are code
    points, end exclusive. An elided or contracted article is a token of its own (l' | avocate; dell' | avvocata);
    punctuation is a token too, so that a noun phrase does not run across a comma."""

    text: str
    low: str
    start: int
    end: int


class Kind(Enum):
    """What a noun form says about the person's gender, besides its cells."""

    SEXED = "sexed"  # the form tells: Lehrerin, maestra, учительница; the masculine ones yield to a feminine article
    COMMON = "common"  # one form for both: gerente, Angestellte, судья; determiner and agreement decide, else neutral
    FIXED = "fixed"  # a grammatical gender that tells nothing about the person: Person, víctima, Wache -> neutral
    THING = "thing"  # not a person: Motor, mesa -> unknown, adequate = false
    GUESS = "guess"  # not listed anywhere: the cells come from the ending; article and agreement are asked first


class Noun(NamedTuple):
    """Cells of the form (which genders, numbers, cases it can be) and what kind of noun it is."""

    cells: int
    kind: Kind


class Predicate(NamedTuple):
    """A word that agrees with the phrase as its subject (participle, predicate adjective, Slavic past tense)."""

    at: int  # token index
    cells: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """The noun phrase around `head`: tokens[first:last] (last exclusive), `head` is the noun's token index.
    `cells` is what determiners and modifiers leave open; `told_by` the indices of those that are not open."""

    first: int
    last: int
    head: int
    cells: int
    told_by: tuple[int, ...]


class Language(Protocol):
    """All answers are about one word form (as `Token.low`, or `Token.text` where case matters) and must be cheap and
    pure: the detector calls them for every row and caches them."""

    code: str = ""  # ISO 639-1
    name: str = ""  # lower-case English name; also the name of its folder
    family: str = ""  # romance, slavic, germanic, semitic, hellenic
    has_case: bool = False  # nouns or their determiners show case
    has_articles: bool = True  # a noun for one person usually has a determiner
    capitalises_nouns: bool = False  # German: a capital inside the sentence marks a noun
    adjectives_follow: bool = False  # adjectives may stand after the noun: Romance, Semitic, Polish
    plural_endings: tuple[str, ...] = ()  # endings that only plurals of nouns have; empty where endings do not tell
    predicate_overrides: bool = False  # Slavic: "врач сказала" is female although врач is a masculine form
    marks_women: bool = False  # German: nouns for women end in -in, so a plural without it is masculine
    open_ends: tuple[str, ...] = ()  # endings that stand for both genders: usuarixs, amicə
    article_overrides: bool = True  # Romance: "la médico" is female; German "eine Journalist" stays a masculine form

    def __hash__(self) -> int:
        return id(self)

    def analyse(self, text: str) -> Sentence:
        """Tokens with all readings, and clauses."""

    def phrase(self, sentence: Sentence, at: int) -> Phrase:
        """The noun phrase around token `at`: determiners, modifiers, head."""

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """Every other token bound to the person that token `at` names, in order: determiners, adjectives, participles,
        predicates, relative pronouns; second conjuncts, appositions and pronouns of later clauses where they can mean
        nobody else."""

    def said_of(self, sentence: Sentence, person: int) -> tuple[Said, ...]:
        """Every token that gives the speaker (1) or the listener (2) a gender, in order; see `participants.py`."""

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        """The form of the same word in a gender (f, m, n), and in a number and case where given (else its own);
        None where no table or paradigm has it."""
        return None

    @property
    def things(self) -> tuple[Path, ...]:
        """The tables of nouns that name no person; some may be absent."""

    def tokens(self, text: str) -> list[Token]:
        """Cut a rendering into words and punctuation; elided and contracted articles become tokens of their own."""

    def lookups(self, text: str) -> tuple[str, ...]:
        """Lower-case dictionary forms (nominative singular) this form may belong to, the form itself first. Used to
        match the forms file, so over-generating is fine: Lehrerinnen -> lehrerinnen, lehrerin; кассиру -> кассир."""

    def determiner(self, low: str) -> int:
        """Cells of an article, contracted article, possessive, demonstrative, quantifier ("beim", "al", "sua", "эта");
        `ANY`-like answers for determiners that tell no gender ("les", "su"); 0 when it is no determiner."""

    def modifier(self, low: str) -> int:
        """Cells of a form that may be an adjective, participle or ordinal inside a noun phrase; 0 when it cannot be."""
        return 0

    def prenominal(self, low: str) -> int:
        """Like `modifier`, for a word right before a noun without a determiner: only what surely is an adjective."""
        return self.modifier(low)

    def collective(self, low: str) -> bool:
        """True for a noun that counts persons ("group", "team"): the noun after it shows who they are."""
        return False

    def anybody(self, low: str) -> bool:
        """True for a noun for people of any gender that an adjective may follow: personas (usuarias), gente."""
        return False

    def adverb(self, low: str) -> bool:
        """True for a word that may stand before a modifier inside the phrase: sehr, muy, più."""
        return False

    def perfect(self, low: str) -> bool:
        """True for a verb after which a participle does not agree with the subject: "ha contratado asistentes"."""
        return False

    def copula(self, low: str) -> bool:
        """True for a form of to be and its auxiliaries, after which a participle agrees with the subject."""
        return False

    def relative(self, low: str) -> bool:
        """True for a relative pronoun that nothing else is; with an article before it, it names persons: "los que"."""
        return False

    def verb(self, low: str) -> bool:
        """True when the form surely is a verb (hablaron, convirtió, diventare) and so no rendering of a noun."""
        return False

    def begins(self, low: str) -> bool:
        """True for a determiner that opens its phrase: it holds a preposition (beim, al) or allows none before it."""
        return False

    def verbless(self, tokens: list[Token], at: int) -> bool:
        """True when surely no verb stands from tokens[at] to the end: only phrases after prepositions do."""
        return False

    def main_verb(self, tokens: list[Token], at: int) -> bool:
        """True for a word that looks like an adjective and must be the verb, because the rest of the sentence has none:
        "L'analyste démissionne après dix ans"."""
        return False

    def noun(self, text: str) -> Noun:
        """What this form can be when it is the noun that renders the focus (never 0 cells)."""

    def listed(self, text: str) -> bool:
        """True when the language's own table tells the kind of this noun, so that it is no guess from the ending."""

    def states(self, low: str) -> int:
        """FEMININE or MASCULINE for an adjective that says a person's gender outright (weiblich, femenino), else 0."""

    def agentive(self, low: str, *, opens: bool = False) -> bool:
        """True when the ending makes nouns for persons (-ист, -щица), so that an unlisted word may be one. A word that
        `opens` its sentence is taken to be in its dictionary form."""

    def coined(self, low: str) -> bool:
        """True for a word that the language's dictionary does not have (Грузник); False where there is none to ask."""
        return False

    def placed(self, tokens: list[Token], at: int) -> Noun | None:
        """A coined word by its place: before its verb it can only be a nominative, after a preposition or another
        subject's verb none. None for a word that the dictionary has."""
        return None

    def adjectival(self, low: str) -> bool:
        """True for a noun declined like an adjective (Angestellte, больной): the same form serves women and men."""
        return False

    def misread(self, tokens: list[Token], at: int) -> bool:
        """True where the form is listed for a person but, standing there, is the word for a thing."""
        return False

    def nominalised(self, tokens: list[Token], at: int) -> Noun | None:
        """An adjective that stands for a person because no noun follows it (самая младшая), as a noun; else None."""
        return None

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        """The noun phrase of tokens[first:last] where the language has rules of its own (Slavic: words that agree in
        case, no articles); None for the general rules of `evenhand.grammar.phrase`."""
        return None

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """Cells that the phrase's determiners and modifiers and the noun have in common; 0 when they contradict each
        other. Usually `phrase.cells & noun.cells`; German asks whether there is a determiner (strong or weak endings),
        Spanish forgives "el" before "ama"."""
        return phrase.cells & noun.cells

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The word that agrees with `phrase` as its subject and shows a gender, or None. Must be sure that the phrase
        IS the subject: no preposition before it, no object case, and the verb where the language puts it."""
        return None

    def function_word(self, low: str) -> bool:
        """True for words that can never render a noun (articles, prepositions, conjunctions, pronouns, copulas)."""

    def pronoun(self, low: str) -> int:
        """Cells of a third-person pronoun that could refer back to a person ("sie", "ella"), 0 for all other words.
        Never decides; only the `conflict` attribute is made from it."""

    def both(self, text: str) -> bool:
        """True for one-word notations that name both genders: Lehrer:in, étudiant·e·s, amigo/a, alumn@s."""
