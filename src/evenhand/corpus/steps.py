"""What happens to a shard of pairs: lines are checked, persons found, their gender in the target judged. Persons are
nouns out of English, and those called he or she into it, from languages with one word for both."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.corpus.doubts import Doubts
from evenhand.corpus.soundness import DATA, foreign_sources, in_order, rendered, signs
from evenhand.detect import Detector, open_detector
from evenhand.detect.nouns import NounDetector
from evenhand.detect.own_forms import given_forms
from evenhand.detect.validity import Reason, validity
from evenhand.detect.verdict import Checked
from evenhand.errors import BadInput
from evenhand.languages import known, name_of, primary
from evenhand.persons import Domain, LexiconFinder, Person
from evenhand.persons.finder import NOUNS
from evenhand.persons.finder import data_hash as persons_hash
from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.stated import FEMALE, PRONOUNS
from evenhand.persons.tokens import Piece, tokens
from evenhand.pipeline.shards import Shard, Step, Work, check_detector
from evenhand.storage.tables import JUDGED
from evenhand.suites.pronouns.lexicon import occupations
from evenhand.suites.suite import SuiteKind
from evenhand.tsv import rows

OPEN, UNCLEAR = "open", "unclear"
SAYS = (OPEN, "female", "male", UNCLEAR)  # what the source says of a person
ENGLISH = [
    f" {word} " for word in ("the", "of", "and", "is", "are", "was", "were", "to", "that", "this", "with", "have")
]
PERSONS: dict[str, pl.DataType] = {
    "file": pl.Int32(), "line": pl.Int64(), "cluster": pl.String(), "source": pl.String(), "rendering": pl.String(),
    "focus_start": pl.Int64(), "focus_end": pl.Int64(), "concept": pl.String(), "says": pl.String(), "by": pl.String(),
}  # fmt: skip
_SPOKEN = rf"(?i)\b(?:{'|'.join(sorted(word for word in PRONOUNS if word.isalpha()))})\b"

PRONOUN = "(pronoun)"  # the concept of a person that nothing but a pronoun names


@dataclass(frozen=True)
class CorpusSettings:
    """Everything that changes the result of a shard, as plain data that can travel to a worker."""

    source: str
    target: str
    threshold: float = 0.5
    domain: Domain = "prose"
    forms: str | None = None  # a file of forms that people labelled, at the same place on every node

    @property
    def kind(self) -> SuiteKind:
        """By nouns out of English, by pronouns into English; other pairs are an error."""
        entry = known().get(primary(self.source))
        if primary(self.source) == "en":
            return "nouns"
        if primary(self.target) == "en" and entry is not None and entry.pronouns == "one":
            return "pronouns"
        one = ", ".join(language.code for language in known().values() if language.pronouns == "one")
        raise BadInput(
            f"text from {name_of(self.source)} into {name_of(self.target)} cannot be counted: persons are found in "
            f"English sources, and by pronouns from languages with one word for she and he ({one}) into English"
        )

    @property
    def forms_file(self) -> Path | None:
        return given_forms(self.forms)

    def detector(self) -> Detector:
        return open_detector(self.kind, source=self.source, target=self.target, user_forms=self.forms_file)


def data_hash() -> str:
    """Of the tables that say who counts, for the signature."""
    own = hashlib.sha256((DATA / "pronouns.tsv").read_bytes()).hexdigest()[:8]
    return f"{persons_hash()}-{own}"


class Check:
    """Lines that are no translations are counted and left out; so are the words of the rest."""

    name = "check"

    def __init__(self, settings: CorpusSettings) -> None:
        self._validity = validity(settings.source, settings.target)
        self._backwards = validity(settings.target, settings.source)

    def __call__(self, shard: Shard) -> Shard:
        reasons = self._validity.check(shard.table, distinct=True)
        valid = shard.table.filter(reasons.is_null())
        words = valid.group_by("file").agg(pl.col("source").str.count_matches(r"\S+").sum())
        counts = Counter({f"invalid/{reason}": n for reason, n in reasons.drop_nulls().value_counts().iter_rows()})
        counts += Counter({"valid": valid.height} | {f"words/{file}": n for file, n in words.iter_rows()})
        counts += signs(valid) + in_order(valid) + foreign_sources(valid, self._backwards)
        return shard.then(valid, counts)


class Concepts:
    """Persons by their singular in English; in two words only where the lexicon of occupations has them."""

    def __init__(self, lexicon: PersonLexicon) -> None:
        self._lexicon = lexicon
        self._pairs = frozenset(name for name in occupations()["english"].to_list() if name.count(" ") == 1)

    def of(self, source: str, start: int, end: int) -> str:
        """The concept of source[start:end]."""
        low = source[start:end].lower().replace("’", "'")
        entry = self._lexicon.look_up(low)
        noun = entry[0].noun if entry else self._singular(low)
        pair = f"{source[:start].rstrip().rpartition(' ')[2].lower()} {noun}"
        return pair if pair in self._pairs else noun

    def _singular(self, low: str) -> str:
        """Of a gendered noun that is not in the lexicon of persons (mums)."""
        plural = self._lexicon.plurals.get(low)
        if plural is not None:
            return plural.noun
        one = low.removesuffix("s")
        return one if one != low and one in self._lexicon.gendered else low


def facts() -> pl.DataFrame:
    """What is known of occupations: concept (here the English noun), isco08, sector; each concept once."""
    table = occupations().select(pl.col("english").alias("concept"), "isco08", "sector")
    return table.unique("concept", keep="first", maintain_order=True)


class PersonStep:
    """What both steps that find persons know."""

    name = "person"

    def __init__(self, settings: CorpusSettings) -> None:
        self._finder = LexiconFinder(domain=settings.domain, threshold=settings.threshold)
        self._concepts = Concepts(self._finder.lexicon)


class FindNouns(PersonStep):
    """One row per person noun of an English source (columns PERSONS)."""

    def __init__(self, settings: CorpusSettings) -> None:
        super().__init__(settings)
        self._backwards = validity(settings.target, settings.source)

    def __call__(self, shard: Shard) -> Shard:
        sources = shard.table["source"].to_list()
        found = self._finder.find_all(sources)
        places = [n for n, some in enumerate(found) if some]
        rows = [
            [(one.start, one.end, self._concepts.of(sources[n], one.start, one.end), one.says, one.by)
             for one in found[n] if not one.thing]
            for n in places
        ]  # fmt: skip
        named = shard.table[[n for n, some in zip(places, rows, strict=True) if some]]
        foreign = self._foreign(named)
        kept = [some for some, strange in zip(filter(None, rows), foreign.to_list(), strict=True) if not strange]
        return _found(shard, named.filter(~foreign), kept, foreign)

    def _foreign(self, lines: pl.DataFrame) -> pl.Series:
        """Sources in another language; one with a word that only English is full of is not looked at."""
        doubtful = ~(pl.lit(" ") + pl.col("source")).str.contains_any(ENGLISH, ascii_case_insensitive=True)
        asked = lines.with_row_index("place").filter(doubtful)
        backwards = asked.select(pl.col("rendering").alias("source"), pl.col("source").alias("rendering"))
        strange = asked["place"].filter(self._backwards.check(backwards, distinct=True) == Reason.LANGUAGE.value)
        return pl.int_range(lines.height, eager=True).is_in(strange.cast(pl.Int64).implode())


class FindPronouns(PersonStep):
    """One row per line whose English side says he or she (columns PERSONS, without a focus).

    The source states the gender where the English has a noun of that gender before the pronoun (my mother ... she), or
    where the source has a pronoun for it (corpus/data/pronouns.tsv). A name, several persons, she and he in one line, a
    noun of the same gender after the pronoun or in the source make it unclear; else it is open. The concept is the only
    person noun of the English side that shows no gender, in the singular and not the pronoun's own ("his friend"), or
    the pronoun alone.
    """

    def __init__(self, settings: CorpusSettings) -> None:
        super().__init__(settings)
        language, listed = primary(settings.source), rows(DATA / "pronouns.tsv")
        telling = [r for r in listed if r["language"] == language]
        self._telling = [(re.compile(r["pattern"]), r["gender"], r["kind"] == "pronoun") for r in telling]

    def __call__(self, shard: Shard) -> Shard:
        lines = shard.table.filter(pl.col("rendering").str.contains(_SPOKEN))
        named = self._finder.find_all(lines["rendering"].to_list(), kinds=NOUNS)
        sides = zip(lines["source"], lines["rendering"], named, strict=True)
        return _found(shard, lines, [[(None, None, *self._read(*side))] for side in sides])

    def _read(self, source: str, english: str, named: Sequence[Person]) -> tuple[str, str, str]:
        """Concept, what the source says, and by which word."""
        words = tokens(english)
        spoken = [word for word in words if word.low in PRONOUNS]
        said = {"female" if word.low in FEMALE else "male" for word in spoken}
        nouns, others = self._sorted(english, named, said)
        unclear = [*filter(self._name, words), spoken[0]]
        if max(len(unclear), len(said), len(others)) > 1:
            return PRONOUN, UNCLEAR, unclear[0].text
        concept = self._concept(english, others[0]) if others else PRONOUN
        stated = self._stated(source, set() if nouns else said)
        if stated is not None:
            return concept, *stated
        if not nouns:
            return concept, OPEN, ""
        before = not others and nouns[0].end <= spoken[0].start
        return PRONOUN, next(iter(said)) if before else UNCLEAR, english[nouns[0].start : nouns[0].end]

    def _sorted(self, english: str, named: Sequence[Person], said: Set[str]) -> tuple[list[Person], list[Person]]:
        """Persons whose noun has the gender of the pronoun, and those whose noun leaves it open."""
        genders = [self._finder.lexicon.gendered.get(english[one.start : one.end].lower()) for one in named]
        by_gender = list(zip(named, genders, strict=True))
        return [one for one, gender in by_gender if gender in said], [one for one, gender in by_gender if not gender]

    def _stated(self, source: str, said: Set[str]) -> tuple[str, str] | None:
        """What a pronoun of the source states, or a noun of the gender `said` makes unclear; and that word."""
        for pattern, gender, sure in self._telling:
            match = pattern.search(source) if sure or gender in said else None
            if match:
                return gender if sure else UNCLEAR, match[0].strip()
        return None

    def _name(self, word: Piece) -> bool:
        """True for a first name, and for a capital that is neither a common word's nor that of a place or a time."""
        lexicon, text = self._finder.lexicon, word.text
        if text in lexicon.names:
            return True
        capital = len(text) > 2 and text[0].isupper() and text[1:].islower()
        return capital and not self._finder.tagger.is_common(word.low) and text not in lexicon.not_persons

    def _concept(self, english: str, mention: Person) -> str:
        """Of whom the pronoun can speak: one person, not the pronoun's own friend or boss."""
        entry = self._finder.lexicon.look_up(english[mention.start : mention.end].lower())
        before = tokens(english[: mention.start])[-2:]
        if (entry is not None and entry[1]) or any(word.low in ("his", "her") for word in before):
            return PRONOUN
        return self._concepts.of(english, mention.start, mention.end)


def _found(
    shard: Shard, lines: pl.DataFrame, found: Sequence[Sequence[tuple[object, ...]]], foreign: pl.Series | None = None
) -> Shard:
    counts = Counter({"lines with a person": sum(map(bool, found)), "persons": sum(map(len, found))})
    if foreign is not None and foreign.any():
        counts["invalid/source in another language"] = int(foreign.sum())
    repeated = lines[np.repeat(np.arange(lines.height), np.array([len(some) for some in found], dtype=np.int64))]
    schema = {name: kind for name, kind in PERSONS.items() if name not in lines.columns}
    persons = pl.DataFrame([row for some in found for row in some], schema=schema, orient="row")
    return shard.then(repeated.hstack(persons).select(list(PERSONS)), counts)


class Judge:
    """The verdict on every person (the columns of a detector). That a line is a translation was checked before."""

    name = "judge"

    def __init__(self, settings: CorpusSettings, expected: str) -> None:
        detector = settings.detector()
        self._detector = detector.detector if isinstance(detector, Checked) else detector
        check_detector(detector.fingerprint, expected)

    def __call__(self, shard: Shard) -> Shard:
        pairs = shard.table.select("source", "rendering", "focus_start", "focus_end", id=pl.col("line").cast(pl.String))
        judged = self._detector.detect(pairs).select([pl.col(c).cast(t) for c, t in JUDGED.items()])
        table = shard.table.hstack(judged)
        if not isinstance(self._detector, NounDetector):
            return shard.then(table)
        return shard.then(Doubts(self._detector)(table), rendered(shard.table, self._detector))


@dataclass(frozen=True)
class CorpusWork(Work):
    """The steps with their settings; `detector` is its fingerprint where the run was started."""

    settings: CorpusSettings
    detector: str = ""
    rows_in = "pairs"

    def steps(self) -> list[Step]:
        find = FindNouns if self.settings.kind == "nouns" else FindPronouns
        return [Check(self.settings), find(self.settings), Judge(self.settings, self.detector)]
