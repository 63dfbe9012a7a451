"""A translator with known, chosen probabilities of female, male and neutral: the way measures are validated.

FILE is a TSV (comment lines start with `# `, then a header). The first row that fits a probe decides:

    p_female p_male p_neutral   the probabilities, which add up to 1
    any probe column            occupation, concept, template, ...: the row fits where its cell equals the probe's;
                                an empty cell fits everything
    pattern                     a regular expression that must be found in the source sentence
    female male neutral         the renderings, where {source} and {any probe column} are filled in

Without renderings, target English writes "She is a doctor.", "He is a doctor." or "That person is a doctor." from the
probe's `english` (or occupation, or concept) column, and other targets use the probes' columns `female_LANG`,
`male_LANG` and `neutral_LANG`. The outcome depends on the seed, the sample number and the source sentence only, never
on the order or number of probes; different seeds are independent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.articles import article
from evenhand.errors import BadInput, listed
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint

_STEP = np.uint64(0x9E3779B97F4A7C15)
_ENGLISH = {Gender.FEMALE: "She", Gender.MALE: "He", Gender.NEUTRAL: "That person"}


class Simulated:
    """`bind` gives it the probes; without them only `pattern` rows and rows that fit everything can be used.

    `draw(seed)` gives the genders of all bound probes at once (2,000 runs of 5,000 probes take seconds) and
    `probabilities` the truth they come from.
    """

    batch = Batch(texts=10_000, characters=100_000_000, concurrency=1, context=False, by_probe=True, remembered=False)

    def __init__(self, argument: str, *, seed: int = 0) -> None:
        self.path, self.seed = Path(argument), seed
        self._rows, content = read_rows(self.path)
        self.name = f"simulated:{argument}"
        self.fingerprint = fingerprint("simulated", file=sha256(content).hexdigest()[:16], seed=seed)
        self._probes: dict[str, tuple[Mapping[str, object], SimulatedRow]] = {}
        self._by_text: dict[str, str] = {}
        self._hashes: npt.NDArray[np.uint64] = np.empty(0, np.uint64)
        self.probabilities: npt.NDArray[np.float64] = np.empty((0, 3))
        """The bound probes' probabilities of female, male and neutral, one row per probe, in the suite's order."""

    def bind(self, probes: pl.DataFrame) -> None:
        """Find every probe's row. A probe that no row fits, or a column the probes lack, is an error."""
        lacking = {column for row in self._rows for column in row.fits} - set(probes.columns)
        if lacking:
            there = listed(probes.columns)
            raise BadInput(f"{self.path}: the probes have no column {sorted(lacking)[0]!r}; they have {there}")
        self._probes, self._by_text = {}, {}
        for probe in probes.iter_rows(named=True):
            self._probes[probe["id"]] = (probe, self._row(probe))
            self._by_text.setdefault(probe["source"], probe["id"])
        self._hashes = _hashes([str(probe["source"]) for probe, _ in self._probes.values()])
        self.probabilities = np.array([row.probabilities for _, row in self._probes.values()], np.float64).reshape(
            -1, 3
        )

    def draw(self, seed: int | None = None, *, sample: int = 0) -> npt.NDArray[np.intp]:
        """The bound probes' outcomes under a seed: 0 female, 1 male, 2 neutral; the same that `translate` writes."""
        return _outcomes(self._hashes, self.probabilities, self.seed if seed is None else seed, sample)

    def renderings(self, target: str, seed: int | None = None, *, sample: int = 0) -> list[str]:
        """The bound probes' renderings under a seed."""
        drawn = self.draw(seed, sample=sample)
        bound = self._probes.values()
        return [self._written(probe, row, GENDERS[g], target) for (probe, row), g in zip(bound, drawn, strict=True)]

    async def translate(self, requests: list[Request]) -> list[Answer]:
        probes = [self._probe(request) for request in requests]
        chances = np.array([row.probabilities for _, row in probes], np.float64)
        drawn = _outcomes(_hashes([request.text for request in requests]), chances, self.seed, requests[0].sample)
        target = requests[0].target
        return [Answer(self._written(*one, GENDERS[gender], target)) for one, gender in zip(probes, drawn, strict=True)]

    def _probe(self, request: Request) -> tuple[Mapping[str, object], SimulatedRow]:
        name = request.probe if request.probe in self._probes else self._by_text.get(request.text)
        if name is not None:
            return self._probes[name]
        probe = {"source": request.text}
        return probe, self._row(probe)

    def _row(self, probe: Mapping[str, object]) -> SimulatedRow:
        for row in self._rows:
            if row.suits(probe):
                return row
        raise BadInput(f"{self.path}: no row fits {probe.get('id', '')} {probe['source']!r}; add one with empty cells")

    def _written(self, probe: Mapping[str, object], row: SimulatedRow, gender: Gender, target: str) -> str:
        template = row.renderings.get(gender)
        if template is not None:
            return re.sub(r"\{(\w+)\}", lambda m: str(probe.get(m[1], m[0])), template)
        carried = probe.get(f"{gender.value}_{target}")
        if carried:
            return str(carried)
        if primary(target) != "en":
            why = f"there is no {gender.value} rendering for target {target}; add the columns female, male and neutral"
            raise BadInput.at(self.path, row.number, why)
        return f"{_ENGLISH[gender]} {_predicate(probe)}."


def _predicate(probe: Mapping[str, object]) -> str:
    """What English says of the person: "is a doctor", or the expression's own words ("is kind")."""
    word = str(probe.get("english") or probe.get("occupation") or probe.get("concept") or "person")
    if probe.get("kind") not in (None, "occupation"):
        return word if " " in word else f"is {word}"
    return f"is {article(word)} {word}"


def _hashes(texts: list[str]) -> npt.NDArray[np.uint64]:
    digests = b"".join(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest() for text in texts)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def _outcomes(
    hashes: npt.NDArray[np.uint64], probabilities: npt.NDArray[np.float64], seed: int, sample: int
) -> npt.NDArray[np.intp]:
    key = blake2b(f"{seed}:{sample}".encode(), digest_size=8).digest()
    mixed = _mixed(hashes ^ np.frombuffer(key, "<u8").astype(np.uint64))
    uniform = (mixed >> np.uint64(11)) * 2.0**-53
    female, male = probabilities[:, 0], probabilities[:, 1]
    return np.where(uniform < female, 0, np.where(uniform < female + male, 1, 2)).astype(np.intp)


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's finaliser (Steele, Lea & Flood 2014): every input bit moves every output bit."""
    with np.errstate(over="ignore"):
        values = values + _STEP
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))


# The file behind `simulated:`: which probes a row fits, how likely each gender is, and what is written.

GENDERS = (Gender.FEMALE, Gender.MALE, Gender.NEUTRAL)
_CHANCES = ("p_female", "p_male", "p_neutral")
_MEANS = "a probability from 0 to 1"
_NUMBERS = (
    Column(name, type=pl.Float64(), required=True, filled=True, within=(0, 1), means=_MEANS) for name in _CHANCES
)
_TEXTS = map(Column, ("pattern", *(gender.value for gender in GENDERS)))
LAYOUT = Layout("row", (*_NUMBERS, *_TEXTS), notes="anywhere", gaps=True)


@dataclass(frozen=True)
class SimulatedRow:
    """One line of the file. `fits` are probe columns and the values they must have."""

    number: int
    probabilities: tuple[float, float, float]
    fits: dict[str, str]
    pattern: re.Pattern[str] | None
    renderings: dict[Gender, str]

    def suits(self, probe: Mapping[str, object]) -> bool:
        if self.pattern is not None and self.pattern.search(str(probe["source"])) is None:
            return False
        return all(str(probe.get(column)) == value for column, value in self.fits.items())


def read_rows(path: Path) -> tuple[list[SimulatedRow], bytes]:
    """The rows in order, and the file's bytes. Wrong numbers and patterns name their line and column."""
    file = UserFile(path)
    table = read(file, LAYOUT)
    return [_row(path, row.pop(LINE), row) for row in table.iter_rows(named=True)], file.content()


def _row(path: Path, number: int, row: dict[str, Any]) -> SimulatedRow:
    female, male, neutral = (row.pop(column) for column in _CHANCES)
    if not math.isclose(female + male + neutral, 1.0, abs_tol=1e-6):
        raise BadInput.at(path, number, f"the probabilities add up to {female + male + neutral:g}, not to 1")
    pattern = row.pop("pattern", "")
    try:
        compiled = re.compile(pattern) if pattern else None
    except re.error as error:
        raise BadInput.at(path, number, f"not a regular expression: {error}", column="pattern") from error
    renderings = {gender: row[gender.value] for gender in GENDERS if row.get(gender.value)}
    fits = {column: str(value) for column, value in row.items() if value and column not in {*GENDERS}}
    return SimulatedRow(number, (female, male, neutral), fits, compiled, renderings)
