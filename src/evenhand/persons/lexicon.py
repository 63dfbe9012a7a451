"""English person nouns with their ambiguity, derived from WordNet 3.0 (data/LICENSE.WordNet) and our own lists."""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Literal, cast

from evenhand.grammar.english import headword
from evenhand.tsv import rows, tables_hash

Gendered = Literal["female", "male", ""]
DATA = files("evenhand.persons") / "data"
TABLES = ("person_nouns.tsv", "gendered.tsv", "proper_nouns.tsv", "person_names.tsv", "titles.tsv")


@dataclass(frozen=True, slots=True)
class PersonNoun:
    """A noun that can name a person. `share`: weight of its person senses, 0 to 1 (it never means a thing)."""

    noun: str
    share: float
    gender: Gendered
    plural: str


class PersonLexicon:
    """Looks up single words, in singular or plural, lower case."""

    def __init__(self, *, threshold: float = 0.5) -> None:
        self.threshold = threshold

    @cached_property
    def nouns(self) -> dict[str, PersonNoun]:
        return {
            row["noun"]: PersonNoun(row["noun"], float(row["share"]), cast("Gendered", row["gender"]), row["plural"])
            for row in rows(DATA / "person_nouns.tsv")
        }

    @cached_property
    def plurals(self) -> dict[str, PersonNoun]:
        return {**{noun.plural: noun for noun in self.nouns.values()}, "people": self.nouns["person"]}

    @cached_property
    def gendered(self) -> dict[str, Gendered]:
        """Words that name a gender, whether or not WordNet has them: mrs, ma'am, mums."""
        words: dict[str, Gendered] = {}
        for row in rows(DATA / "gendered.tsv"):
            if row["gender"] in ("female", "male"):
                words[row["word"]] = words[f"{row['word']}s"] = cast("Gendered", row["gender"])
        for noun in self.nouns.values():
            if noun.gender and noun.share >= self.threshold:
                words[noun.noun] = words[noun.plural] = noun.gender
        return words | {f"ex-{word}": gender for word, gender in words.items()}

    @cached_property
    def not_persons(self) -> frozenset[str]:
        """Capitalised words that name places, times, languages; and peoples, which are adjectives more often."""
        return frozenset(row["word"] for row in rows(DATA / "proper_nouns.tsv"))

    @cached_property
    def peoples(self) -> frozenset[str]:
        """Several members of a people or a faith: Estonians."""
        return frozenset(f"{row['word']}s" for row in rows(DATA / "proper_nouns.tsv") if row["kind"] == "people")

    @cached_property
    def names(self) -> frozenset[str]:
        """First names, capitalised."""
        return frozenset(row["name"] for row in rows(DATA / "person_names.tsv"))

    @cached_property
    def titles(self) -> frozenset[str]:
        """Titles before names, lower case, without their full stop."""
        return frozenset(row["title"] for row in rows(DATA / "titles.tsv"))

    def look_up(self, low: str) -> tuple[PersonNoun, bool] | None:
        """The noun behind a form and whether the form is its plural; None below the threshold."""
        noun = self.nouns.get(low)
        if noun is not None and noun.share >= self.threshold:
            return noun, noun.plural == low
        noun = self.plurals.get(low)
        if noun is not None and noun.share >= self.threshold:
            return noun, True
        head, last = headword(low), low.rpartition("-")[2]  # writer-in-residence, ex-officer
        if head != last and (entry := self.look_up(head)):
            return None if entry[0].gender else entry  # no man is a man-of-war
        return self.look_up(last) if last not in (low, "human", "person") else None

    def may_be_person(self, word: str) -> bool:
        """True for a word that can name a person of open gender, whatever the sentence."""
        entry = self.look_up(word.lower())
        return entry is not None and not entry[0].gender and word.lower() not in self.gendered

    @cached_property
    def fingerprint(self) -> str:
        return tables_hash(f"{self.threshold}", tables=(DATA / name for name in TABLES))[:16]
