"""The word lists a study needs: ours (lists/*.tsv) or the user's, in any of the readers' formats and columns in any
order (docs/embeddings.md lists them)."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.errors import BadInput, Unknown
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile, text_lines
from evenhand.readers.registry import chosen, read

LANGUAGES = ("de", "es", "fr", "it", "pt")
ENGLISH = "en"


@dataclass(frozen=True)
class TwoForms:
    """A word with a masculine and a feminine form; `english` is "" when unknown."""

    masculine: str
    feminine: str
    english: str = ""


@dataclass(frozen=True)
class TargetSets:
    """Two sets of words for an association test; positive values are of the first."""

    name: str
    x: tuple[str, ...]
    y: tuple[str, ...]


@dataclass(frozen=True)
class WordLists:
    """Everything an audit of one language asks of word lists.

    `targets` and `titles` (occupations with one form) are those of English, the other lists of gendered languages,
    but for definitions and attribute words, which both have. `nouns` maps nouns to their grammatical class and trains
    the grammatical direction; `inanimate` are the nouns whose semantic gender component mitigation removes. `notes`
    says what was left out of a list and why.
    """

    language: str
    definitions: tuple[tuple[str, str], ...]
    english_definitions: tuple[tuple[str, str], ...] = ()
    occupations: tuple[TwoForms, ...] = ()
    adjectives: tuple[TwoForms, ...] = ()
    male: tuple[str, ...] = ()
    female: tuple[str, ...] = ()
    english_male: tuple[str, ...] = ()
    english_female: tuple[str, ...] = ()
    nouns: dict[str, str] = field(default_factory=dict, hash=False)
    inanimate: tuple[str, ...] = ()
    specific: frozenset[str] = frozenset()
    targets: tuple[TargetSets, ...] = ()
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def shipped(cls, language: str) -> WordLists:
        """Our lists for a language; English occupations are the English side of those that others have in two forms."""
        male, female = shipped_attributes(language)
        specific = frozenset(row["word"] for row in _shipped("specific", ENGLISH))
        definitions = _definitions(_shipped("definitions", language))
        both = cls(language, definitions, male=male, female=female, specific=specific)
        if language == ENGLISH:
            titles = {row["english"] for one in LANGUAGES for row in _shipped("occupations", one)} - specific
            return replace(both, targets=target_sets(_shipped("targets", ENGLISH)), titles=tuple(sorted(titles)))
        english_male, english_female = shipped_attributes(ENGLISH)
        nouns = {row["word"]: row["gender"] for row in _shipped("nouns", language)}
        return replace(
            both,
            english_definitions=_definitions(_shipped("definitions", ENGLISH)),
            occupations=_two_forms(_shipped("occupations", language)),
            adjectives=_two_forms(_shipped("adjectives", language)),
            english_male=english_male,
            english_female=english_female,
            nouns=nouns,
            inanimate=tuple(nouns),
        )

    @property
    def gendered(self) -> bool:
        """Whether the language has grammatical gender: nouns for persons have two forms."""
        return self.language != ENGLISH

    @property
    def fingerprint(self) -> str:
        """A hash of every list; what was left out of one is not part of it."""
        return hash_of({name: value for name, value in asdict(self).items() if name != "notes"})

    def with_files(
        self,
        *,
        definitions: Path | None = None,
        occupations: Path | None = None,
        adjectives: Path | None = None,
        attribute_words: Path | None = None,
        nouns: Path | None = None,
        inanimate: Path | None = None,
        targets: Path | None = None,
    ) -> WordLists:
        """The same with the user's own lists in place of ours."""
        given: dict[str, object] = {}
        if targets:
            given["targets"] = target_sets(read_table(targets, ("test", "set", "word")), str(targets))
        if definitions:
            given["definitions"] = _definitions(read_table(definitions, ("feminine", "masculine")))
        if occupations and self.gendered:
            given["occupations"] = _two_forms(read_table(occupations, ("masculine", "feminine")))
        elif occupations:
            given["titles"] = tuple(dict.fromkeys(row["english"] for row in read_table(occupations, ("english",))))
        if adjectives:
            given["adjectives"] = _two_forms(read_table(adjectives, ("english", "masculine", "feminine")))
        if attribute_words:
            words = attributes(read_table(attribute_words, ("gender", "word")), str(attribute_words))
            given |= dict(zip(("male", "female"), words, strict=True))
        if nouns:
            given["nouns"], dropped = noun_genders(nouns)
            if dropped:
                given["notes"] = (*self.notes, f"{dropped} nouns with more than one gender left out of {nouns}")
        if inanimate:
            given["inanimate"] = tuple(row["word"] for row in read_table(inanimate, ("word",)))
        return replace(self, **given)  # type: ignore[arg-type]


def hash_of(content: object) -> str:
    """A short hash of lists, tables and sets of text: equal content, equal hash."""
    text = json.dumps(content, ensure_ascii=False, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_table(path: Path, columns: Sequence[str], *, format: str = "auto") -> list[dict[str, str]]:
    """Rows of a user's table in any of the readers' formats; the named columns must be there and filled."""
    file = UserFile(path)
    wanted = tuple(Column(name, required=True, filled=True) for name in columns)
    layout = Layout("word", wanted, gaps=True, ragged=True)
    table = read(file, layout, format=chosen(file, given=format, otherwise="tsv")).drop(LINE)
    return table.with_columns(pl.all().cast(pl.String).fill_null("")).to_dicts()


def read_words(path: Path) -> list[str]:
    """A plain list: one word per line, or words separated by commas; `#` lines are comments."""
    lines = [line for line in text_lines(path) if not line.startswith("#")]
    words = [word.strip() for line in lines for word in line.split(",") if word.strip()]
    if not words:
        raise BadInput(f"{path}: the list is empty")
    return list(dict.fromkeys(words))


def noun_genders(path: Path) -> tuple[dict[str, str], int]:
    """Noun to grammatical class, and how many were dropped for having several."""
    classes: dict[str, set[str]] = defaultdict(set)
    for row in read_table(path, ("word", "gender")):
        classes[row["word"]].add(row["gender"])
    kept = {word: next(iter(genders)) for word, genders in classes.items() if len(genders) == 1}
    return kept, len(classes) - len(kept)


def _shipped(kind: str, language: str) -> list[dict[str, str]]:
    name = f"{kind}.{language}.tsv" if language else f"{kind}.tsv"
    return list(tsv.rows(files("evenhand.embeddings") / "lists" / name))


def function_words() -> dict[str, list[str]]:
    """Small frequent words by language, to recognise a vocabulary's language."""
    words: dict[str, list[str]] = defaultdict(list)
    for row in _shipped("function_words", ""):
        words[row["language"]].append(row["word"])
    return words


def shipped_attributes(language: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Our male and female attribute words of a language (English too)."""
    if language not in (*LANGUAGES, ENGLISH):
        raise Unknown("language", language, (*LANGUAGES, ENGLISH), hint="These have word lists.")
    return attributes(_shipped("attributes", language))


def attributes(rows: Iterable[dict[str, str]], where: str = "attributes") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Male words, female words."""
    rows = list(rows)
    sides = {name: tuple(row["word"] for row in rows if row["gender"] == name) for name in ("male", "female")}
    if not all(sides.values()) or sum(map(len, sides.values())) != len(rows):
        raise BadInput.at(where, None, "the gender column must contain male and female, and no other value")
    return sides["male"], sides["female"]


def target_sets(rows: Iterable[dict[str, str]], where: str = "targets") -> tuple[TargetSets, ...]:
    """The tests of a table with the columns test, set, word; in each the set named first is X."""
    tests: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        tests.setdefault(row["test"], {}).setdefault(row["set"], []).append(row["word"])
    for name, sets in tests.items():
        if len(sets) != 2:
            raise BadInput.at(where, None, f"the test {name!r} has {len(sets)} sets of words; each needs two")
    return tuple(
        TargetSets(name, *(tuple(dict.fromkeys(words)) for words in sets.values())) for name, sets in tests.items()
    )


def _definitions(rows: Iterable[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((row["feminine"], row["masculine"]) for row in rows)


def _two_forms(rows: Iterable[dict[str, str]]) -> tuple[TwoForms, ...]:
    return tuple(TwoForms(row["masculine"], row["feminine"], row.get("english", "")) for row in rows)
