"""Polish: morfeusz2's dictionary where it is installed, else endings."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import cast

from evenhand.grammar.families.morphology import Dictionary, Parse
from evenhand.grammar.families.paradigms import Cell, Entry
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.lexicon import PERSON
from evenhand.remembered import remembered
from evenhand.tsv import rows

PARTS = {
    "subst": "NOUN", "ger": "NOUN", "adj": "ADJF", "adjc": "ADJF", "ppas": "PRTF", "pact": "PRTF", "winien": "ADJS",
    "praet": "VERB", "fin": "VERB", "bedzie": "VERB", "impt": "VERB", "imps": "VERB", "inf": "INFN", "pcon": "GRND",
    "pant": "GRND", "num": "NUMR", "adv": "ADVB", "part": "PRCL", "ppron12": "NPRO", "ppron3": "NPRO",
}  # fmt: skip
CASES = {"nom": "nomn", "gen": "gent", "dat": "datv", "acc": "accs", "inst": "ablt", "loc": "loct", "voc": "voct"}
NUMBERS = {"sg": "sing", "pl": "plur"}
PERSONS = {"pri": "1per", "sec": "2per", "ter": "3per"}
NAMES = {"imię": "Name", "nazwisko": "Surn", "patronimicum": "Patr"}
GRAMMEMES = {"com": "Cmp2", "sup": "Supr", "neg": "Nega", **NAMES}
PAST = ("praet", "winien")
TENSES = {"praet": "past"}
Segment = tuple[str, str, str, list[str], list[str]]  # form, lemma, tag, kinds of names, usage


class Polish(Slavic):
    """In the plural men have forms of their own (ci studenci byli), and all else shares one (te studentki były): there
    a masculine that names no person counts as neuter."""

    code = "pl"
    name = "polish"
    adjectives_follow = True
    plural_shows_gender = True
    drops_subjects = True
    noun_serves_women = False

    def opened(self) -> Dictionary | None:
        if not find_spec("morfeusz2"):
            return None
        self._morfeusz = import_module("morfeusz2").Morfeusz()
        self._lexeme = remembered(self._forms, mebibytes=24)
        self._feminines = [(row["masculine"], row["feminine"]) for row in rows(self.folder / "feminines.tsv")]
        return Dictionary(self._parse, f"morfeusz2 {self._morfeusz.dict_id()}", feminine=str)

    @cached_property
    def _people(self) -> frozenset[str]:
        """Nouns that the tables know as a person's."""
        listed = {form for form, columns in self.persons.known.items() if columns & PERSON}
        return frozenset(listed.union(word for pair in self.pairs() for word in pair))

    def _woman(self, noun: str) -> bool:
        """A feminine noun for a person: listed, or made from a man's."""
        men = (noun.removesuffix(woman) + man for man, woman in self._feminines if noun.endswith(woman))
        tags = (tag for man in men for _, _, (*_, tag, _, _) in self._morfeusz.analyse(man))
        return noun in self._people or any(tag.startswith("subst") and tag.endswith(":m1") for tag in tags)

    def _parse(self, low: str) -> list[Parse]:
        """A past tense with the conditional or a person's ending (zrobiłby, zrobiłam) is two segments."""
        segments: list[tuple[int, int, Segment]] = self._morfeusz.analyse(low)
        last = max((end for _, end, _ in segments), default=0)
        found: list[Entry] = []
        for start, end, segment in sorted(segments, key=lambda one: bool(one[2][4])):
            if start == 0 and (end == last or segment[2].startswith(PAST)):
                found += self._entries(segment, low[len(segment[0]) :])
        return cast("list[Parse]", found)

    def _entries(self, segment: Segment, rest: str) -> Iterator[Entry]:
        form, lemma, tag, labels, _ = segment
        first, *fields = tag.split(":")
        name, person = lemma.partition(":")[0], "" if rest in {"", "by"} else "1per" if rest.endswith("m") else "2per"
        forms = partial(self._lexeme, lemma, rest, first, fields[-1] if first == "subst" else "")
        for cell in self._cells(name, first, fields, labels):
            tagged = cell._replace(tense=None, person=person) if person else cell
            woman = first == "adj" and (cell.gender, cell.number) == ("femn", "sing")
            yield Entry(form + rest, self._feminine(name) if woman else name, tagged, forms)

    def _forms(self, lemma: str, rest: str, first: str, gender: str) -> tuple[Entry, ...]:
        """Every form of a lemma of this kind, with the same ending of the past tense; none that is marked as old or
        colloquial, and of an adjective the longer of two (moja, ma)."""
        segments: list[Segment] = [one for one in self._morfeusz.generate(lemma) if not one[4]]
        never = ":agl" if not rest or rest == "by" else ":nagl"
        kept = [one for one in segments if one[2].startswith(f"{first}:") and one[2].endswith(gender)]
        kept = [one for one in kept if not one[2].endswith(never)]
        if first == "adj":
            kept.sort(key=lambda one: -len(one[0]))
        ends = {True: rest, False: rest.removeprefix("e")} if rest in {"em", "eś"} else {True: rest, False: rest}
        ends |= {True: f"e{rest}"} if rest in {"m", "ś"} else {}  # był-em, była-m
        return tuple(entry for one in kept for entry in self._entries(one, ends[one[0].endswith("ł")]))

    def _cells(self, name: str, first: str, fields: list[str], labels: list[str]) -> Iterator[Cell]:
        """One cell for each gender, number and case that a tag unites."""
        part = PARTS.get(first)
        if part is None or (part == "NOUN" and len(fields) > 1 and fields[1].count(".") == len(CASES) - 1):
            return  # no word of ours; pani poseł: a noun that is not declined is a woman's beside a title only
        named = ["sg", "nom", "m1"] if first == "adjc" else ".".join(fields).split(".")  # ciekaw, pełen
        numbers, cases, people = (_values(table, named) for table in (NUMBERS, CASES, PERSONS))
        other = {GRAMMEMES[one] for one in (*named, *labels) if one in GRAMMEMES}
        if part == "ADJF" and self.determiner(name):
            other.add("Apro")
        woman = part == "NOUN" and (self._woman(name) or not NAMES.keys().isdisjoint(labels))
        cell = Cell(part, tense=TENSES.get(first), person=people[0])
        for number, case in product(numbers, cases):
            for gender, man in _genders({"m1", "m2", "m3", "f", "n"}.intersection(named), number):
                alive = _animacy(gender, man=man, woman=woman, noun=part == "NOUN")
                yield cell._replace(gender=gender, number=number, case=case, other=frozenset(other | alive))


def _animacy(gender: str | None, *, man: bool, woman: bool, noun: bool) -> set[str]:
    """Whether a form is of persons or of things, where it shows that."""
    shown = noun or (gender == "masc" and not man)
    return {"anim" if man or (woman and gender == "femn") else "inan"} if shown else set()


def _values(table: dict[str, str], named: list[str]) -> Sequence[str | None]:
    return [table[one] for one in named if one in table] or [None]


def _genders(genders: set[str], number: str | None) -> Iterator[tuple[str | None, bool]]:
    """Genders with whether they are men's; no gender where a form serves all."""
    if not genders or (number == "plur" and genders >= {"m1", "f", "n"}):
        yield None, False
        return
    thing = genders & {"m2", "m3"}
    if "m1" in genders or (thing and number != "plur"):
        yield "masc", "m1" in genders
    if "n" in genders or (thing and number == "plur"):
        yield "neut", False
    if "f" in genders:
        yield "femn", False
