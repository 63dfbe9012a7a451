"""A cast: games, books and subtitles name who speaks and who is spoken to. The gender a translation gives the first,
second and third person is compared with it, also where the English shows none."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import polars as pl

from evenhand.detect import open_detector
from evenhand.detect.markup import plain
from evenhand.detect.speaker import ENGLISH, PERSON, Whom
from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.grammar.participants import TABLE
from evenhand.languages import primary, with_table
from evenhand.persons import Person
from evenhand.persons.stated import Says
from evenhand.readers.catalogue import Unit

GENDERS = ("female", "male")
SPEAKS = "speaks"  # what is printed of a character whose gender nobody gave
Numbered = Sequence[tuple[int, Unit]]


class Spoken(NamedTuple):
    """What the strings of speakers, or to listeners, say of them: columns person, says, by, finding; and verdicts."""

    numbers: list[int]
    units: list[Unit]
    known: pl.DataFrame
    verdicts: pl.DataFrame


@dataclass(frozen=True)
class Cast:
    """Names, in lower case, with their gender."""

    genders: dict[str, Gender]

    @classmethod
    def of(cls, given: Collection[str]) -> Self:
        """From "Anna=female"."""
        genders: dict[str, Gender] = {}
        for one in given:
            name, mark, gender = one.rpartition("=")
            if not mark or not name.strip() or "=" in name or gender.strip() not in GENDERS:
                raise BadInput(f"a cast names persons as NAME=female or NAME=male, not {one!r}")
            genders[name.strip().lower()] = Gender(gender.strip())
        return cls(genders)

    def named(self, units: Numbered) -> Iterator[tuple[int, Unit, str, str, Person]]:
        """Every name of the cast in a source string, as a person whose gender is known."""
        if not self.genders:
            return
        names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, self.genders))})(?!\w)", re.IGNORECASE)
        for number, unit in units:
            words = plain(unit.source)
            for place in names.finditer(words):
                says: Says = "female" if self.genders[place[0].lower()] is Gender.FEMALE else "male"
                yield number, unit, words, plain(unit.rendering), Person(*place.span(), says=says, by="the cast")

    def spoken(self, units: Numbered, target: str) -> Iterator[Spoken]:
        """First persons of speakers and second persons of listeners, where the source has one and the grammar knows it.
        A name of the cast has its gender; for any other, a file that makes it now one, now the other is a finding."""
        if primary(target) not in with_table(TABLE):
            return
        roles: tuple[Whom, ...] = ("speaker", "listener")
        for whom in roles:
            mine = [(n, unit) for n, unit in units if getattr(unit, whom) and ENGLISH[PERSON[whom]].search(unit.source)]
            if not mine:
                continue
            pairs = pl.DataFrame(
                [(str(n), plain(unit.source), plain(unit.rendering)) for n, unit in mine],
                schema=["id", "source", "rendering"],
                orient="row",
            )
            verdicts = open_detector(whom, source="en", target=target).detect(pairs)
            names = [getattr(unit, whom) for _, unit in mine]
            yield Spoken([n for n, _ in mine], [unit for _, unit in mine], self._known(names, verdicts), verdicts)

    def _known(self, names: Sequence[str], verdicts: pl.DataFrame) -> pl.DataFrame:
        given = verdicts["gender"].cast(pl.String).to_list()
        counts = Counter((name.lower(), gender) for name, gender in zip(names, given, strict=True) if gender in GENDERS)
        says = [self.genders.get(name.lower()) for name in names]

        def rarer(name: str, gender: str) -> bool:
            """Given to this character less often than the other one."""
            other = GENDERS[GENDERS[0] == gender]
            return gender in GENDERS and 0 < counts[name.lower(), gender] <= counts[name.lower(), other]

        finding = [
            "inconsistent" if stated is None and rarer(name, gender) else None
            for name, gender, stated in zip(names, given, says, strict=True)
        ]
        return pl.DataFrame(
            {
                "person": names,
                "says": [stated.value if stated else SPEAKS for stated in says],
                "by": ["the cast" if stated else "" for stated in says],
                "finding": finding,
            },
            schema_overrides={"finding": pl.String},
        )
