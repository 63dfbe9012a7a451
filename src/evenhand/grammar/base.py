"""The table-driven default: everything a language can answer from its TSV files and a tokeniser.

A folder `grammar/<name>/` may hold
    determiners.tsv     form, genders, numbers, cases       rows of one form are united; letters of protocol.cells
    nouns.tsv           form, kind, genders, numbers        listed nouns; kind is one of protocol.Kind's values
    function_words.tsv  word                                blank-separated words that never render a noun, besides
                                                            those of the `closed` roles
    pronouns.tsv        form, genders                       pronouns that refer back to a person
    classes.tsv         role, words                         closed word classes
    things.tsv, things_derived.tsv                          nouns that name no person: written by hand, and made by
                                                            builders/things.py
    agents.tsv          ending                              endings that make nouns for persons
    suffixes.tsv        ending, dictionary                  endings of other forms, and the dictionary's (0: nothing)
    noun_endings.tsv    ending, kind, genders, numbers      what an unlisted noun is by its longest ending
    alike.tsv           letter, same                letters that are looked up as others (ё, е), or as several (љ, lj)
    ../stated.tsv       language, female, male              adjectives that say a person's gender outright
Any of them may be absent. A subclass overrides what its grammar needs and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells_of,
)
from evenhand.grammar.sentence import Link, Reading, Said, Sentence, Word
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

if TYPE_CHECKING:
    from evenhand.grammar.lexicon import Forms
    from evenhand.grammar.participants import Participant

CLAUSE_ENDS = frozenset(".,;:!?…()")
LETTER = r"[^\W_\u0300-\u036f]"
# A word may hold hyphens, apostrophes and the marks of both-gender notations: Lehrer:in, étudiant·e·s, alumn@s.
TAIL = rf"{LETTER}[\w\u0300-\u036f]*"
_SEVERAL = r"\((?:e?s|i|x|e?n|[иыії]|ов|ев|ей|ів|ы)\)"  # usuario(s), utente(i): one or several, not both genders
WORD = rf"{TAIL}(?:(?:[-\u2010\u2011'’·•*@:]|/-?){TAIL}|[*@]|(?!{_SEVERAL})\(-?[^\W\d_]{{1,5}}\)[^\W\d_]{{0,3}})*"
JOINED = re.compile(
    rf"(?P<first>{LETTER}[^\W\d_]*)(?P<mark>[:*·•@]|/-?|\(-?)(?P<second>[^\W\d_]*)\)?(?:[·•.]?[a-z]{{1,3}})?"
)
# French: étudiant.e.s, utilisateurs.trices, étudiant-e-s. What follows the mark is a feminine ending and nothing else.
_FEMININE = r"(?:e|ne|le|te|se|ve|ère|euse|rice|trice|ice|esse)s?"
DOTTED = rf"[^\W\d_]{{2,}}\.{_FEMININE}(?:\.s)?"
FEMININE_END = re.compile(rf"{_FEMININE}|trici|ess[ae]")
HYPHENED = re.compile(rf"[^\W\d_]{{2,}}[-\u2010\u2011]{_FEMININE}(?:[-\u2010\u2011]s)?")
SAME, ENDS = 3, 4  # letters that two forms of a noun share at least; letters at the end in which they may differ
# Tokenised text may have a blank after the apostrophe: "l' avocate".
ELIDING = (
    "[ldjmtscnv]|(?:lors|puis|quoi|jus|pres)?qu|(?:ne)?anch|quand|com|dov|un|nessun|ciascun|alcun|dell|all|dall|nell|sull|coll|quell|quest|bell|buon|"
    "sant|gl"
)
ELIDED = rf"(?:{ELIDING})['’](?=\s?\w)"


class Language:
    """A language of `grammar/<name>/`: traits, and answers from its tables. All answers are about one word form (as
    `Token.low`, or `Token.text` where case matters), pure and cheap, because the detector asks for every row. A
    language never sees the source sentence nor other rows. `german` is the worked example."""

    code: ClassVar[str] = ""  # ISO 639-1
    name: ClassVar[str] = ""  # lower-case English name; also the name of its folder
    family: ClassVar[str] = ""  # romance, slavic, germanic, semitic, hellenic
    has_case = False  # nouns or their determiners show case
    has_articles = True  # a noun for one person usually has a determiner
    capitalises_nouns = False  # German: a capital inside the sentence marks a noun
    adjectives_follow = False  # an adjective may follow its noun: Romance, Semitic, Polish
    plural_endings: ClassVar[tuple[str, ...]] = ()  # endings that only plurals of nouns have
    predicate_overrides = False  # Slavic: "врач сказала" is female although врач is a masculine form
    open_ends: tuple[str, ...] = ()  # endings that serve both genders: usuarixs, amicə
    predicates_agree = True  # an adjective said of the subject shows its gender: elle est prête; not in German
    article_overrides = True  # Romance: "la médico" is female; German "eine Journalist" stays a masculine form
    elides = False  # l'avocate, un'avvocata: the article before an apostrophe is a token
    compounds_apart = False  # Turkish, Hungarian: diş hekimi, a compound in several words, its head last
    closed: ClassVar[tuple[str, ...]] = ()  # roles of classes.tsv whose words are function words
    participant: ClassVar[type[Participant] | None] = None  # how it reads the first and second person, if otherwise
    shortest_stem = 3  # letters before an ending of suffixes.tsv
    remembers: ClassVar[tuple[str, ...]] = ("noun", "lookups", "plain")  # methods whose answers are kept
    pattern: re.Pattern[str]

    def __init__(self) -> None:
        for method in self.remembers:
            setattr(self, method, remembered(getattr(self, method)))
        self.pattern = re.compile((f"(?i:{ELIDED})|" if self.elides else "") + WORD + r"|[^\w\s]")
        self.folder: Path = Path(__file__).parent / self.name
        self._alike = str.maketrans({row["letter"]: row["same"] for row in rows(self.folder / "alike.tsv")})
        self._determiners = cells_by_form(self.folder / "determiners.tsv")
        self._pronouns = cells_by_form(self.folder / "pronouns.tsv")
        self._nouns = nouns_by_form(self.folder / "nouns.tsv", "form")
        self._functions = words(self.folder / "function_words.tsv")
        self._thing_words: frozenset[str] = frozenset().union(*(words(path) for path in self.things))
        self._agents = tuple(words(self.folder / "agents.tsv", "ending"))
        suffixes = rows(self.folder / "suffixes.tsv")
        self._inflected = [(row["ending"], new.strip("0")) for row in suffixes for new in row["dictionary"].split()]
        self._noun_endings = nouns_by_form(self.folder / "noun_endings.tsv", "ending")
        self._roles = {row["role"]: frozenset(row["words"].split()) for row in rows(self.folder / "classes.tsv")}
        held: dict[str, set[str]] = defaultdict(set)
        for role, members in self._roles.items():
            for word in members:
                held[word].add(role)
        self.held = {word: frozenset(roles) for word, roles in held.items()}
        self._functions = self._functions.union(*map(self.words_of, self.closed))
        self._listed_tuple = remembered(lambda role: tuple(self.words_of(role)))
        stated = next((row for row in rows(self.folder.parent / "stated.tsv") if row["language"] == self.name), {})
        self._stated = dict.fromkeys(stated.get("female", "").split(), FEMININE)
        self._stated |= dict.fromkeys(stated.get("male", "").split(), MASCULINE)

    @cached_property
    def persons(self) -> Forms:
        """Our nouns for persons in this language."""
        from evenhand.grammar.lexicon import shipped_forms  # it reads this module

        return shipped_forms(self)

    @property
    def things(self) -> tuple[Path, ...]:
        """The tables of nouns for things, of which some may be absent."""
        return self.folder / "things.tsv", self.folder / "things_derived.tsv"

    # -- closed classes

    def has(self, low: str, *roles: str) -> bool:
        """True when the word has one of these roles in classes.tsv."""
        held = self.held.get(low)
        return held is not None and not held.isdisjoint(roles)

    def words_of(self, role: str) -> frozenset[str]:
        """The words of a role in classes.tsv."""
        return self._roles.get(role, frozenset())

    def ends(self, low: str, role: str) -> bool:
        """True for a word with an ending that the role lists in classes.tsv."""
        return low.endswith(self._listed_tuple(role))

    def starts(self, low: str, role: str) -> bool:
        """True for a word with a beginning that the role lists."""
        return low.startswith(self._listed_tuple(role))

    def adverb(self, low: str) -> bool:
        """True for a word that may come before a modifier inside the phrase: sehr, muy, più."""
        return self.has(low, "adverb")

    def perfect(self, low: str) -> bool:
        """True for a verb after which a participle does not agree with the subject: "ha contratado asistentes"."""
        return self.has(low, "have")

    def copula(self, low: str) -> bool:
        """True for a form of to be."""
        return self.has(low, "copula", "auxiliary")

    def governing(self, low: str) -> bool:
        """True for a preposition, alone or with its article, behind which nothing agrees with a word before it."""
        return self.has(low, "preposition", "fused")

    def relative(self, low: str) -> bool:
        """True for a relative pronoun that nothing else is; with an article before it, it names persons: "los que"."""
        return self.has(low, "relative")

    def determiner(self, low: str) -> int:
        """Cells of an article, contracted article, possessive, demonstrative, quantifier ("beim", "al", "sua", "эта");
        `ANY`-like answers for determiners that show no gender ("les", "su"); 0 when it is no determiner."""
        return self._determiners.get(low, 0)

    def pronoun(self, low: str) -> int:
        """Cells of a third-person pronoun that could refer back to a person ("sie", "ella"), 0 for all other words.
        Never decides; only the `conflict` attribute is made from it."""
        return self._pronouns.get(low, 0)

    def agreeing(self, low: str) -> int:
        """Cells of a verb or short adjective that agrees in gender with its subject (Slavic сказала); else 0."""
        return 0

    def function_word(self, low: str) -> bool:
        """True for words that can never render a noun (articles, prepositions, conjunctions, pronouns, copulas)."""
        return low in self._functions or low in self._determiners or low in self._pronouns

    def states(self, low: str) -> int:
        """FEMININE or MASCULINE for an adjective that says a person's gender outright (weiblich, femenino), else 0."""
        return self._stated.get(low, 0)

    # -- the text

    def plain(self, text: str) -> str:
        """The spelling under which a form is looked up; a language may make spellings alike (ё, е)."""
        return fold(text).translate(self._alike)

    def tokens(self, text: str) -> list[Token]:
        """Cut a rendering into words and punctuation; elided and contracted articles become tokens."""
        make, plain = tuple.__new__, self.plain  # three times as fast as the constructor, in the hottest line
        return [
            make(Token, (word := match.group(), plain(word) or word, *match.span()))
            for match in self.pattern.finditer(text)
        ]

    def analyse(self, text: str) -> Sentence:
        """Tokens with all readings, and clauses."""
        return Sentence(text, self.tokens(text), read=self.read, cut=self.cut)

    def read(self, token: Token) -> tuple[Reading, ...]:
        """All readings of a token; the default asks the tables, most certain first."""
        low = token.low
        if not low[0].isalnum():
            return ()
        found = [*self.closed_readings(low), Reading(low, "adjective", self.modifier(low))]
        noun = self.noun(token.text)
        if not self.function_word(low):
            found.append(Reading(self.lookups(token.text)[0], "noun", noun.cells, noun.kind is not Kind.GUESS))
        return tuple(reading for reading in found if reading.cells)

    def closed_readings(self, low: str) -> list[Reading]:
        """The readings as a determiner or pronoun; without cells where it is none."""
        return [Reading(low, "determiner", self.determiner(low)), Reading(low, "pronoun", self.pronoun(low))]

    def cut(self, tokens: list[Token]) -> tuple[range, ...]:
        """Clauses; the default ends them at punctuation."""
        ends = [i + 1 for i, token in enumerate(tokens) if token.low in CLAUSE_ENDS]
        starts = [0, *ends]
        return tuple(range(a, b) for a, b in zip(starts, [*ends, len(tokens)], strict=True) if a < b)

    def lookups(self, text: str) -> tuple[str, ...]:
        """Lower-case dictionary forms (nominative singular) this form may belong to, the form itself first. Used to
        match the forms file, so over-generating is fine: Lehrerinnen -> lehrerinnen, lehrerin; кассиру -> кассир."""
        low = self.plain(text)
        if len(low) > LONGEST:
            return (low,)
        return tuple(dict.fromkeys(form for base in self.bases(low) for form in (base, *self.stems(base))))

    def bases(self, low: str) -> list[str]:
        """The parts of a word that may be the noun: itself, and what follows its last hyphen."""
        return [low, low.rpartition("-")[2]]

    def stems(self, base: str) -> list[str]:
        """The dictionary forms that the endings of suffixes.tsv lead to."""
        room = len(base) - self.shortest_stem
        fits = (pair for pair in self._inflected if len(pair[0]) <= room and base.endswith(pair[0]))
        return [base.removesuffix(ending) + new for ending, new in fits]

    def inflect(self, word: Token | Word, *, gender: str, number: str = "", case: str = "") -> str | None:
        """The form of the same word in a gender (f, m, n), and in a number and case where given (else its own);
        None where no table or paradigm has it."""
        return None

    # -- nouns

    def noun(self, text: str) -> Noun:
        """What this form can be when it is the noun that renders the focus (never 0 cells)."""
        return next((self._nouns[form] for form in self.lookups(text) if form in self._nouns), None) or self.guess(text)

    def guess(self, text: str) -> Noun:
        """What the longest listed ending of an unlisted noun shows."""
        low = self.plain(text)
        ends = (low[cut:] for cut in range(2, len(low)))
        return next((self._noun_endings[end] for end in ends if end in self._noun_endings), Noun(ANY, Kind.GUESS))

    def listed(self, text: str) -> bool:
        """True when the language's own table has the kind of this noun, so that it is no guess from the ending."""
        return any(form in self._nouns for form in self.lookups(text))

    def agentive(self, low: str, *, opens: bool = False) -> bool:
        """The ending makes nouns for persons (-ист); a word that `opens` its sentence is read as a dictionary form."""
        return bool(self._agents) and low.endswith(self._agents)

    def coined(self, low: str) -> bool:
        """True for a word that the language's dictionary does not have (Грузник); False without a dictionary."""
        return False

    def placed(self, tokens: list[Token], at: int) -> Noun | None:
        """A word that the dictionary does not have, by its place in the sentence; None for every other word."""
        return None

    def adjectival(self, low: str) -> bool:
        """True for a noun declined like an adjective (Angestellte, больной): the same form serves women and men."""
        return False

    def misread(self, tokens: list[Token], at: int) -> bool:
        """True where the form is listed for a person but, at this place, is the word for a thing."""
        return False

    def nominalised(self, tokens: list[Token], at: int) -> Noun | None:
        """An adjective that names a person because no noun follows it (самая младшая), as a noun; else None."""
        return None

    def both(self, text: str) -> bool:
        """One word that names both genders: Lehrer:in, étudiant·e·s, amigo/a, alumn@s, el/la; not usuario(s)."""
        match = JOINED.fullmatch(text)
        if not match:
            return False
        first, mark, second = fold(match["first"]), match["mark"], fold(match["second"] or "")
        if mark[0] != "/":
            return (len(first) > 2 or bool(self.determiner(first))) and len(second) < 7
        other = self.determiner(second) or self.function_word(second) or self.determiner(first + second)
        if self.determiner(first) and other:  # el/la, "du/de la", un/e
            return True
        shared = max(SAME, min(len(first), len(second)) - ENDS)  # autore/autrice
        ending = len(second) <= 4 or bool(FEMININE_END.fullmatch(second))  # usuario/a, amministratori/trici
        return len(first) > 3 and (ending or first[:shared] == second[:shared])

    # -- other words

    def modifier(self, low: str) -> int:
        """Cells of a form that may be an adjective, participle or ordinal inside a noun phrase; 0 when it cannot be."""
        return 0

    def prenominal(self, low: str, *, inside: bool = True) -> int:
        """Like `modifier`, right before a noun without a determiner; `inside`: behind a word that governs no noun."""
        return self.modifier(low)

    def preposition(self, tokens: list[Token], at: int, noun: int) -> bool:
        """True for an article's form that is a preposition before this noun (Portuguese a)."""
        return False

    def verb(self, low: str) -> bool:
        """True when the form surely is a verb (hablaron, convirtió, diventare) and so no rendering of a noun."""
        return False

    def begins(self, low: str) -> bool:
        """True for a determiner that opens its phrase: it holds a preposition (beim, al) or allows none before it."""
        return False

    def main_verb(self, tokens: list[Token], at: int) -> bool:
        """It looks like an adjective, but the rest has no verb: "L'analyste démissionne après dix ans"."""
        return False

    # -- what agrees

    def phrase(self, sentence: Sentence, at: int) -> Phrase:
        """The noun phrase around token `at`: determiners, modifiers, head."""
        return noun_phrase(self, sentence.tokens, at, at + 1, ANY)

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        """The noun phrase of tokens[first:last] by rules of the language; None for those of `phrase.py`."""
        return None

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """Cells that the phrase's determiners and modifiers and the noun have in common; 0 where they have none."""
        return phrase.cells & noun.cells

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The word that agrees with `phrase` as its subject and shows a gender; None where it may be no subject."""
        return None

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """Every other token bound to the person that token `at` names, in order (see `sentence.LinkKind`). The default:
        determiners and adjectives of the phrase, then the word `predicate` returns."""
        phrase, tokens = self.phrase(sentence, at), sentence.tokens
        inside = [i for i in range(phrase.first, phrase.last) if i != at]
        links = [Link(i, "determiner", 0.98) for i in inside if self.determiner(tokens[i].low)]
        beside = (i for i in inside if not self.determiner(tokens[i].low))
        links += [Link(i, "adjective", 0.95) for i in beside if self.modifier(tokens[i].low)]
        predicate = self.predicate(tokens, phrase)
        if predicate and not phrase.first <= predicate.at < phrase.last:
            links.append(Link(predicate.at, "predicate", 0.9))
        return tuple(sorted(links))

    def said_of(self, sentence: Sentence, person: int) -> tuple[Said, ...]:
        """Every token that gives the speaker (1) or the listener (2) a gender, in order; see `participants.py`."""
        from evenhand.grammar.participants import participant  # it reads the lexicon, which reads this module

        return participant(self, person).links(sentence.tokens)


def cells_by_form(path: Path) -> dict[str, int]:
    """The cells of each form of a table; rows of one form are united."""
    found: dict[str, int] = {}
    for row in rows(path):
        for form in row["form"].split():
            found[form] = found.get(form, 0) | cells_of(row)
    return found


def nouns_by_form(path: Path, column: str) -> dict[str, Noun]:
    """The kind and cells of each form, or ending, of a table."""
    return {form: Noun(cells_of(row), Kind(row["kind"])) for row in rows(path) for form in row[column].split()}


LONGEST = 80  # no noun is longer; such "words" are not looked up and not kept in caches


def fold(text: str) -> str:
    """The form that tables are written in: NFC, lower case, straight apostrophe, plain hyphen."""
    return _fold(text) if len(text) <= LONGEST else text


@partial(remembered, mebibytes=16)
def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
