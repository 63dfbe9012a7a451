"""Known target forms of a person noun, by gender: the shipped table and the user's own."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from evenhand.grammar.base import Language, fold
from evenhand.grammar.protocol import Kind, Noun, Token, cells
from evenhand.remembered import remembered
from evenhand.tsv import rows


class Column:
    """Bits for the cells of the table a form stands in; female and male together is a noun of common gender. Plain
    ints, because an enum's `&` costs more than the rest of a lookup."""

    NONE: Final = 0
    FEMALE: Final = 1
    MALE: Final = 2
    NEUTRAL: Final = 4
    OTHER: Final = 8
    BOTH: Final = 16


COLUMNS = {
    "female": Column.FEMALE, "male": Column.MALE, "neutral": Column.NEUTRAL, "other": Column.OTHER, "both": Column.BOTH,
}  # fmt: skip


PERSON = Column.FEMALE | Column.MALE

# Pronouns and quantifiers that may stand for people; they name nobody else.
PRONOUNS = "indefinites"
PEOPLE = ("person", "people")


class Concept:
    """The forms of one English noun. `single` maps a one-word form to its columns, `several` the first word of longer
    forms to the rest. `own` are the forms a user gave: they win over everything. `written`: it is in our tables or the
    user's, not only in dictionaries, which may know a few of its renderings. `pronoun`: it stands for people without
    naming them (everyone)."""

    __slots__ = ("name", "own", "pronoun", "several", "single", "written")

    def __init__(self, name: str) -> None:
        self.name = name
        self.single: dict[str, int] = {}
        self.several: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self.own: dict[tuple[str, ...], int] = {}
        self.written = True
        self.pronoun = False

    def add(self, tokens: Iterable[str], column: int, *, own: bool = False) -> None:
        form = tuple(tokens)
        if not form:
            return
        if own:
            self.own[form] = self.own.get(form, Column.NONE) | column
        if len(form) == 1:
            self.single[form[0]] = self.own.get(form) or self.single.get(form[0], Column.NONE) | column
            return
        longer = dict(self.several.get(form[0], ()))
        longer[form[1:]] = self.own.get(form) or longer.get(form[1:], Column.NONE) | column
        self.several[form[0]] = sorted(longer.items(), key=lambda entry: -len(entry[0]))


class Match(NamedTuple):
    """A known form found in the rendering: tokens[first:last]; `own` when a user gave it."""

    first: int
    last: int
    columns: int
    own: bool


class Forms:
    """All concepts of one target language."""

    def __init__(self, language: Language, *, user_forms: Path | None = None) -> None:
        self.language = language
        folder = Path(__file__).parent / language.name
        self.files = [folder / f"{kind}.tsv" for kind in ("occupations", "persons", "peoples", PRONOUNS)]
        derived = sorted(folder.glob("lexicon*.tsv"))
        self.concepts: dict[str, Concept] = {}
        self.known: dict[str, int] = {}  # every one-word form of any concept
        self.others: set[str] = set()  # and every one that is listed as something else
        self.indefinite: set[str] = set()  # pronouns and words for any person
        self._inflected = remembered(self._stems)
        for path in self.files:
            self._read(path, own=False)
        self._derive(derived)
        self.files += derived
        self._neutral(folder / "neutral.tsv")
        if user_forms:
            self.files.append(user_forms)
            self._read(user_forms, own=True)

    def _stems(self, text: str) -> tuple[str, ...]:
        """Dictionary forms of an inflected noun; none for function words."""
        low = fold(text)
        return () if len(low) < 3 or self.language.function_word(low) else self.language.lookups(text)[1:]

    def concept(self, *names: str) -> Concept | None:
        """The first of the names that is in the table, or None."""
        return next((self.concepts[name] for name in names if name in self.concepts), None)

    def find(self, concept: Concept, tokens: list[Token]) -> list[Match]:
        """Every place where a form of the concept stands, as written or inflected."""
        found: list[Match] = []
        single, several, inflected = concept.single, concept.several, self._inflected
        capitals = self.language.capitalises_nouns and any(token.text[:1].isupper() for token in tokens[1:])
        for i, token in enumerate(tokens):
            if found and i < found[-1].last:
                continue  # inside a longer form: todo el mundo
            written = capitals and token.text[0].islower()  # "sprechen" is no Sprecher
            for form in (token.low, *(() if written else inflected(token.text))):
                if form in several and (match := self._longer(concept, form, tokens, i)):
                    found.append(match)
                    break
                if form in single:
                    columns, own = single[form], (form,) in concept.own
                    if form != token.low and self.language.predicate_overrides and not own:
                        columns = columns_of(single, inflected(token.text))
                    found.append(Match(i, i + 1, columns, own))
                    break
        return found

    def _longer(self, concept: Concept, start: str, tokens: list[Token], i: int) -> Match | None:
        """The longest form of several words that begins at token i."""
        for rest, columns in concept.several[start]:
            last = i + 1 + len(rest)
            pairs = zip(rest, tokens[i + 1 : last], strict=False)
            fits = all(word == token.low or word in self.language.lookups(token.text) for word, token in pairs)
            if fits and last <= len(tokens):
                return Match(i, last, columns, (start, *rest) in concept.own)
        return None

    def _read(self, path: Path, *, own: bool) -> None:
        for row in rows(path):
            names = fold(row["concept"]).split("|")
            concepts = [self.concepts.setdefault(name, Concept(name)) for name in names]
            for column, flag in COLUMNS.items():
                for form in filter(None, map(str.strip, row.get(column, "").split("|"))):
                    low = [token.low for token in self.language.tokens(form)]
                    for concept in concepts:
                        concept.add(low, flag, own=own)
                        concept.pronoun = path.stem == PRONOUNS and not own and concept.name not in PEOPLE
                    if len(low) == 1 and flag & Column.OTHER:
                        self.others.add(low[0])
                    elif len(low) == 1 and path.stem == PRONOUNS:
                        self.indefinite.add(low[0])
                    elif len(low) == 1:
                        self.known[low[0]] = self.known.get(low[0], Column.NONE) | flag

    def _neutral(self, path: Path) -> None:
        """Adds the words of any gender for a man's noun to every concept that it renders; see mend/neutral.py."""
        table = {word: row for row in rows(path) for word in row["words"].split()}
        for concept in self.concepts.values() if table else ():
            for word in table.keys() & concept.single.keys():
                if not concept.single[word] & Column.MALE:
                    continue
                for form in (table[word].get(column, "") for column in ("definite", "singular", "plural", "who")):
                    for end in ("e", "en", "er") if "~" in form else ("",):
                        tokens = form.replace("~", end).split()
                        if tokens and "*" not in form:
                            concept.add([fold(token) for token in tokens], Column.NEUTRAL)

    def _derive(self, paths: list[Path]) -> None:
        """Adds what dictionaries know (`builders/lexicon.py`). Where our tables have a form, their columns stay."""
        written, known, concepts = dict(self.known), self.known, self.concepts
        for path in paths:
            for row in _cells(path):
                listed = ((form, flag) for form, flag in zip(row, DERIVED, strict=False) if form)
                named = [(f, written.get(f, 0) & ~Column.OTHER or flag) for f, flag in listed if f not in self.others]
                for form, flag in named:
                    known[form] = known.get(form, Column.NONE) | flag
                for name in row[ENGLISH].split("|") if row[ENGLISH] else ():
                    concept = concepts.get(name)
                    if concept is None:
                        concept = concepts[name] = Concept(name)
                        concept.written = False
                    for form, flag in named:
                        concept.single.setdefault(form, flag)


def columns_of(table: Mapping[str, int], forms: Iterable[str]) -> int:
    """The columns of every listed noun that a form may belong to: robotnicy are workers, or of one, a woman."""
    columns = Column.NONE
    for form in forms:
        columns |= table.get(form, Column.NONE)
    return columns


DERIVED = (Column.FEMALE, Column.MALE, Column.FEMALE | Column.MALE)  # columns female, male, common
ENGLISH = 3


def _cells(path: Path) -> Iterator[list[str]]:
    """Rows of a derived table, whose forms are one word each and in lower case: ten times as quick as `rows`."""
    lines = path.read_text(encoding="utf-8").split("\n")
    start = next(n for n, line in enumerate(lines) if not line.startswith("#")) + 1
    return (line.split("\t") for line in lines[start:] if line)


@cache
def shipped_forms(language: Language) -> Forms:
    """The forms of a language with nothing of a user's own: read once, shared by detector, mender and grammar."""
    return Forms(language)


def last_part(language: Language, text: str, *, shortest: int) -> Noun | None:
    """What the noun for persons in which a compound ends makes of it: jazzmuzikante, skileraar; None for other words.
    A common noun is of both genders; `shortest`: letters of a last part (oktober is no ober)."""
    known, low = language.persons.known, language.plain(text)
    forms = [form for form in language.lookups(text) if f"{form}n" != low]  # studenten are no studente
    parts = (form[cut:] for form in forms for cut in range(max(1, len(form) - shortest + 1)))
    part = next((part for part in parts if part in known), "")
    sexes = {Column.FEMALE: "f", Column.MALE: "m"}.get(known[part] & PERSON, "") if part else ""
    return Noun(cells(sexes or "fm"), Kind.SEXED if sexes else Kind.COMMON) if part else None
