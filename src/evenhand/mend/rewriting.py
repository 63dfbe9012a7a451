"""What a language must answer so that the mender can rewrite a rendering into it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.base import Language
from evenhand.grammar.notation import joins
from evenhand.grammar.protocol import SINGULAR, Kind, Token

BARE = frozenset({"de", "d'", "di"})
THAT = frozenset({"que", "qu'", "che"})
LETTERS = {Gender.FEMALE: "f", Gender.MALE: "m"}
Piece = tuple[int, int, str]


class Task(NamedTuple):
    """One rendering to rewrite. `tokens` are its words without tags and placeholders; `heads` the indices of the nouns
    that name the person, the first of them the one that the detector saw, which ends before `last`; `plural` is the
    source's number; `confidence` the detector's, that this is the person's noun; `elsewhere`: the source's he or she
    may mean somebody whom it names; `explicit`: the gender may be said by a word of its own; `others`: the source names
    another person by a noun; `focus`: the source's word."""

    source: str
    rendering: str
    tokens: list[Token]
    heads: list[int]
    last: int
    before: Gender
    wanted: Gender
    plural: bool
    confidence: float
    elsewhere: bool = False
    explicit: bool = False
    others: bool = False
    instead: str = ""  # what replaces the noun, where it is not its own other form
    focus: str = ""
    start: int = 0  # of the focus in the source


class Declined(Exception):
    """Raised with the reason for which a rendering stays as it is."""


class Rewritten(NamedTuple):
    """The new sentence, the pairs of words changed, old and new, and where each new one goes (start, end, new)."""

    text: str
    changed: tuple[tuple[str, str], ...] = ()
    pieces: tuple[Piece, ...] = ()


class Named(NamedTuple):
    """A pronoun of the rendering that alone names a person."""

    head: int
    gender: Gender
    plural: bool


class Rewriter(ABC):
    """One target language: changes every link of the person's chain, or raises `Declined` and names the link."""

    neutral_of_man = False  # a woman's words become a man's before they become anybody's

    @abstractmethod
    def rewrite(self, task: Task) -> Rewritten:
        """The sentence with every link changed."""

    def explicit(self, task: Task) -> Rewritten:
        """Once more, with a word that says the gender, where the source says it; few languages have one."""
        raise no_form(task.wanted, task.tokens[task.heads[0]].text)

    def neutral(self, task: Task) -> Rewritten:
        """The sentence with an established word for a person of any gender, where the tables have one."""
        raise Declined("no neutral forms are known for this language")

    def named(self, focus: str, tokens: list[Token]) -> Named | None:
        """The pronoun that renders a focus which is a pronoun; None for a noun."""
        return None


def no_form(wanted: Gender, word: str) -> Declined:
    return Declined(f"no {wanted} form of {word!r} is known")


def unclear(word: str, noun: str) -> Declined:
    return Declined(f"whether {word!r} belongs to {noun!r} is not clear")


def replaced(rendering: str, pieces: list[tuple[int, int, str]]) -> Rewritten:
    """The sentence with rendering[start:end] replaced by each piece's text, all else byte by byte."""
    text, at, changed = "", 0, []
    pieces = sorted(piece for piece in pieces if rendering[piece[0] : piece[1]] != piece[2])
    for start, end, new in pieces:
        text += rendering[at:start] + new
        changed.append((rendering[start:end].strip(), new.strip()))
        at = end
    return Rewritten(text + rendering[at:], tuple(changed), tuple(pieces))


def another(language: Language, rendering: str, tokens: list[Token], head: int, pieces: Iterable[Piece]) -> str:
    """A changed word that is rather said of something else, or the noun where it is part of a longer word; else "".

    que o evento foi cancelado: behind "that" and a noun phrase; bloccato da un utente: before a preposition."""
    if rendering[tokens[head].end :].lstrip().startswith(("-", "/")):
        return tokens[head].text  # Benutzer- und Gruppeneinstellungen, remetente / autor
    starts = sorted(start for start, _, _ in pieces) or [0]
    for i in range(head + 1, len(tokens) - 2):
        opens = language.relative(tokens[i].low) or tokens[i].low in THAT
        if opens and language.determiner(tokens[i + 1].low) and tokens[i + 2].start < starts[-1]:
            return rendering[starts[-1] :].split(maxsplit=1)[0]
    for i in range(head):
        if tokens[i].start in starts and language.governing(tokens[i].low) and language.adverb(tokens[i + 1].low):
            return tokens[i].text  # pelo menos um
    for i in range(head + 2, len(tokens)):
        if tokens[i].start in starts and tokens[i - 1].low in joins(language.code):
            return tokens[i].text  # de l'utilisateur final ou utilisé
    host = head - (2 if head and tokens[head - 1].low in BARE else 1)
    beside = host >= 0 and not language.determiner(tokens[host].low) and not language.capitalises_nouns
    if beside and starts[-1] > tokens[head].start:
        thing, person = (language.noun(tokens[i].text) for i in (host, head))
        if thing.kind is Kind.THING and thing.cells & person.cells:
            return next(token.text for token in tokens if token.end > starts[-1])  # comptes d'utilisateurs créés
    first = head
    while first and (language.determiner(tokens[first - 1].low) or language.modifier(tokens[first - 1].low)):
        first -= 1
    farther = starts[-1] > tokens[min(head + 1, len(tokens) - 1)].start
    if farther and first > 1 and tokens[first - 1].low in joins(language.code):
        return rendering[starts[-1] :].split(maxsplit=1)[0]  # le message et les destinataires doivent être spécifiés
    led = [i for i in range(1, head) if language.governing(tokens[i].low) or tokens[i].low == ","]  # Désolé, aucun
    before = [start for start in starts if led and start < tokens[led[-1]].start]
    return rendering[before[0] :].split(maxsplit=1)[0] if before else ""


def left(language: Language, tokens: list[Token], head: int, pieces: Iterable[Piece], before: Gender) -> str:
    """A word left as it is that still names the person, or another of the same kind: the noun once more (des autres
    utilisateurs), a noun said of it (outro usuário um moderador), le before an infinitive; else ""."""
    if before is not Gender.MALE:
        return ""
    own, changed = {*language.lookups(tokens[head].text)}, {start for start, _, _ in pieces}
    for i in range(len(tokens)):
        low, last = tokens[i].low, tokens[i - 1].low if i else ""
        again = last not in BARE and bool(own.intersection(language.lookups(tokens[i].text)))
        again = again and (tokens[head].start in changed or tokens[i - 1].start not in changed)  # gli/le utenti
        said = i == head + 2 and language.determiner(last) and language.noun(tokens[i].text).kind is Kind.SEXED
        clitic = i > head and low == "le" and last in {"de", "à"} and language.noun(tokens[head].text).cells & SINGULAR
        if i != head and tokens[i].start not in changed and (again or said or clitic):
            return tokens[i].text
    return ""


def cased(old: str, new: str) -> str:
    """With the capitals of the word it replaces; what both begin with stays as it is written (IIHF-Auditor)."""
    letters = [letter for letter in old if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return new.upper()
    same = next((i for i, (one, two) in enumerate(zip(old.lower(), new, strict=False)) if one != two), None)
    same = min(len(old), len(new)) if same is None else same
    kept = old[:same] + new[same:]
    if old[same : same + 1].isupper():
        return kept[:same] + kept[same : same + 1].upper() + kept[same + 1 :]
    return kept
