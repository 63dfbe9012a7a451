"""Check a translated file: every person its source strings name, and the gender the translation gives them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Literal

import polars as pl

from evenhand.detect.branches import missing, paired
from evenhand.detect.markup import context_of, plain, without_shortcuts
from evenhand.errors import BadInput, Unknown, listed
from evenhand.gender import Gender
from evenhand.grammar import codes, language
from evenhand.languages import code, known, name_of, primary
from evenhand.mend.mender import LANGUAGES, MARKUP, Mender
from evenhand.mend.styles import Styler
from evenhand.options import DOMAIN, OWN_FORMS, Option, Workers
from evenhand.persons import Domain, LexiconFinder, Person
from evenhand.persons.finder import KINDS, decapitalised
from evenhand.persons.stated import Says
from evenhand.readers.catalogue import Catalogue, Unit, UnitNote
from evenhand.readers.opening import UserFile, packed
from evenhand.readers.strings import language_of, open_catalogue
from evenhand.storage.atomic import replacing_bytes
from evenhand.workflows.cast import Cast
from evenhand.workflows.detect import DetectSettings
from evenhand.workflows.file_evidence import EVIDENCE, kept, settled
from evenhand.workflows.house_style import FINDING, HouseStyle

FINDINGS = ("wrong", "open", "attributive", "pronoun", "style", "inconsistent", "missing")
FAILURES = (*FINDINGS, "open-female", "open-male", "undecided")
BATCH = 2_000  # strings judged together
TOGETHER = 2_000  # strings searched for persons together: those of one length are tagged at once
LABEL = 3  # words of a string that names one person and says nothing of them
REMEMBERED = 50_000  # source strings whose persons are kept: strings repeat
_OTHER = {"female": "male", "male": "female"}
_CHOOSES: dict[str, Says] = {"female": "female", "male": "male", "feminine": "female", "masculine": "male"}
_WORD = re.compile(r"[a-z]+")
_BRANCHES = re.compile(r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\b")  # an ICU message is several texts
SCHEMA = {
    "unit": pl.Int64, "line": pl.Int64, "id": pl.String, "source": pl.String, "rendering": pl.String,
    "person": pl.String, "says": pl.String, "by": pl.String, "gender": pl.String, "evidence": pl.String,
    "confidence": pl.Float64, "reason": pl.String, "finding": pl.String, "kind": pl.String,
}  # fmt: skip


StringRow = tuple[int, Unit, str, str, Person]  # number, unit, words of source and translation, person
NOBODY = Person(0, 0)


class NotChecked(BadInput):
    """A file without strings that can be judged, for want of `what`. One found in a folder is left out and named."""

    def __init__(self, what: str, message: str) -> None:
        super().__init__(message)
        self.what = what


@dataclass(frozen=True)
class FileCheck:
    """What was found in a file.

    `persons` has one row per person that a string names (columns in SCHEMA): `says` is the gender in the source (open,
    female, male, unclear; "thing?" of a word that may name a thing, "speaks" of a speaker outside the cast), `gender`
    the verdict on the translation. `finding` is "wrong" where the source or the cast states a gender and the
    translation gives the other one, "open" where the source leaves it open and the translation gives one, "style" where
    it departs from the house style, "inconsistent" where a file gives a speaker now one, now the other, "missing" where
    a message selects a gender and its translation has no text for it, else null. `pending` counts strings without a
    translation in use, by the reason.
    """

    path: Path | None
    source_lang: str
    target_lang: str
    strings: int
    pending: Mapping[str, int]
    persons: pl.DataFrame
    domain: Domain
    detector: str
    catalogue: Catalogue
    house: HouseStyle | None = None

    def failing(self, fail_on: Collection[str]) -> pl.DataFrame:
        """The persons that one of FAILURES applies to."""
        for name in fail_on:
            if name not in FAILURES:
                raise Unknown("failure", name, FAILURES)
        finding, gender = pl.col("finding"), pl.col("gender")
        applies = {name: finding == name for name in FINDINGS} | {"undecided": gender == "unknown"}
        applies |= {f"open-{one}": applies["open"] & (gender == one) for one in _OTHER}
        return self.persons.filter(pl.any_horizontal(pl.lit(value=False), *(applies[name] for name in fail_on)))

    def counts(self) -> pl.DataFrame:
        """Persons by what the source says (rows) and the gender of the translation (column `gender`, `n`)."""
        apart = (pl.col("kind").fill_null("noun") != "noun") & (pl.col("says") == "open")
        says = pl.when(apart).then("kind").otherwise("says").alias("says")
        return self.persons.group_by(says, "gender").agg(n=pl.len())

    def annotated(self, *, suggest: bool = False) -> bytes:
        """The file's bytes with a note on every finding; the very same bytes where there is nothing to say. Of a format
        without room for notes, the notes alone. `suggest`: the note says the string with the stated gender or,
        where the source leaves it open, with the other one or in the house style, where `mend` knows it."""
        notes: dict[int, list[UnitNote]] = {}
        style = self.house.name if self.house else ""
        suggestions = Suggestions(self.source_lang, self.target_lang, style) if suggest else None
        for row in self.persons.filter(pl.col("finding").is_not_null()).iter_rows(named=True):
            kind: Literal["wrong", "open"] = "wrong" if row["finding"] == "wrong" else "open"
            whole = not self.catalogue.units[row["unit"]].inline  # what the tags enclose could not be put back
            instead = suggestions.of(row) if suggestions and whole else None
            named = style if row["finding"] == FINDING else _OTHER.get(row["gender"])
            note = UnitNote(kind, self.told(row) + (f"; {named}: {instead}" if instead else ""))
            if note not in notes.setdefault(row["unit"], []):
                notes[row["unit"]].append(note)
        return self.catalogue.annotated(notes)

    def told(self, row: Mapping[str, object]) -> str:
        """A finding in words."""
        return self.house.told(row) if self.house and row["finding"] == FINDING else told(row)

    def write(self, path: Path | str, *, suggest: bool = False) -> None:
        """`annotated` into a file, whole or not at all; it may be the file that was checked, if that has
        room for notes. A link stays, and what it leads to is written."""
        if self.catalogue.beside and self.path is not None and Path(path).resolve() == self.path.resolve():
            raise BadInput(f"{path}: this format has no place for notes; write them to another file")
        content = packed(self.annotated(suggest=suggest), Path(path))
        with replacing_bytes(Path(path).resolve()) as stream:
            stream.write(content)


def told(row: Mapping[str, object]) -> str:
    """A finding in words."""
    given = f"the translation says {row['gender']} ({row['evidence']})"
    who = f"{row['person']}: " if row["person"] else ""
    if row["finding"] == "missing":
        return f"the source has a text for {row['says']}, the translation has none"
    if row["gender"] == "unknown":
        return f"{who}no gender can be read ({row['reason'] or 'no sign of one'})"
    if row["finding"] == "inconsistent":
        return f"{who}{given}, elsewhere in the file more often the other"
    if row["finding"] == "wrong":
        if row["by"] == "the cast":
            return f"{who}the cast says {row['says']}, {given}"
        return f"{who}the source says {row['says']} ({row['by']}), {given}"
    return f"{who}the source leaves the gender open, {given}"


def check_file(
    path: Path | str,
    *,
    target: Annotated[str, Option("target language, if the file does not state it", "LANG", "--target -t")] = "",
    source: Annotated[str, Option("source language, if the file does not state it", "LANG", "--source -s")] = "",
    sources: Annotated[
        Path | str | None, Option("the source strings, by id, for a file of one language (en.json)", "FILE")
    ] = None,
    forms: Annotated[Path | str | None, OWN_FORMS] = None,
    persons: Annotated[
        Collection[str], Option("a word that names a person in these strings (driver); repeatable", "WORD", "--person")
    ] = (),
    things: Annotated[Collection[str], Option("a word that names a thing; repeatable", "WORD", "--thing")] = (),
    cast: Annotated[
        Collection[str], Option("who is a woman or a man in these strings: NAME=female; repeatable", "NAME=GENDER")
    ] = (),
    style: Annotated[
        Collection[str], Option("the house style for persons: NAME, or LANG=NAME; repeatable", "NAME", "--style")
    ] = (),
    domain: Annotated[Domain, DOMAIN] = "interface",
    format: Annotated[str, Option("the file's format, if its name misleads", "FORMAT")] = "auto",
    workers: Workers = 0,
) -> FileCheck:
    """Check the translations in a file of any format of docs/files.md ("-" is standard input).

    `target` and `source` are needed where the file does not name its languages (`source`: English where nobody says);
    `target` also chooses one of several. `sources` is the file of the source strings, matched by id, for formats that
    hold one language (JSON). `persons` and `things` are words that name a person, or a thing, in your strings (a driver
    may be either, and is no finding where you do not say). `cast` gives names their gender ("Anna=female"): what these
    say, hear or do must agree with it, wherever the file says who speaks to whom. `style` is the house style for
    persons of whom the source says no gender ("star", "de=star"): what departs from it is a finding. `domain` is the
    kind of text in which persons are found: "interface" strings or "prose". `forms` is a file of your own forms,
    `workers` the processes for many strings (0: one per core).

    Placeholders, tags and shortcut marks are taken away before anything is judged; an ICU message is judged in every
    text it can become. From English, persons are the nouns for them; from languages with one word for she and he, the
    translation's pronouns are judged.
    """
    file = UserFile.of(path)
    opened = open_catalogue(file, format=format)
    units = list(opened.units) if sources is None else _with_sources(file, opened.units, UserFile.of(sources))
    from_lang, to_lang = _languages(file, units, source, target)
    house = HouseStyle.of(style, to_lang)
    chosen = _chosen(file, units, to_lang)
    judging = DetectSettings(target=to_lang, source=from_lang, forms=forms, workers=workers)
    if judging.judged_by == "nouns" and primary(from_lang) != "en":
        one_word = ", ".join(language.code for language in known().values() if language.pronouns == "one")
        raise BadInput(
            f"{file.name}: strings in {name_of(from_lang)} cannot be checked: persons are found in English, and by "
            f"pronouns in languages with one word for she and he ({one_word})"
        )
    if judging.judged_by == "nouns" and primary(to_lang) not in codes():
        known_codes = listed(sorted(codes()), len(codes()))
        raise NotChecked(
            "language", f"{file.name}: nouns are not judged in {name_of(to_lang)}; the languages are {known_codes}"
        )
    ready = [(n, unit) for n, unit in chosen if not unit.pending]
    known_cast = Cast.of(cast)
    if judging.judged_by == "nouns":
        finder = LexiconFinder(domain=domain, persons=map(str.lower, persons), things=map(str.lower, things))
        batches: Iterator[StringRow] = chain(_nouns(ready, finder), known_cast.named(ready))
    else:
        batches = _strings(ready)
    about: list[pl.DataFrame] = []  # the rows that were sent, while their verdicts are waited for
    verdicts = judging.batches(_sent(batches, about))
    judged = [_found(about[n], answers) for n, answers in enumerate(verdicts.batches)]
    for part in known_cast.spoken(ready, to_lang):
        known_facts = pl.concat([facts(part.numbers, part.units), part.known], how="horizontal")
        judged.append(_found(known_facts, part.verdicts))
    judged.append(_missing(ready))
    grammar = language(to_lang) if primary(to_lang) in codes() else None  # pronouns are judged in more languages
    table = _findings(settled(pl.concat(judged), grammar, _labels(ready))).sort("unit", maintain_order=True)
    if judging.judged_by == "pronouns":
        table = table.filter(pl.col("evidence").fill_null("") != "")  # no pronoun: nobody is spoken of
    elif house:
        table = house.departures(table)
    return FileCheck(
        path=file.path,
        source_lang=from_lang,
        target_lang=to_lang,
        strings=len(chosen),
        pending=Counter(unit.pending for _, unit in chosen if unit.pending),
        persons=table,
        domain=domain,
        detector=verdicts.fingerprint,
        catalogue=opened,
        house=house,
    )


def _with_sources(file: UserFile, units: Sequence[Unit], sources: UserFile) -> list[Unit]:
    """The units with the source strings of another file, by id. A string without one is left out of the judging."""
    opened = open_catalogue(sources).units
    own = any(unit.rendering.strip() and unit.rendering != unit.source for unit in opened)  # PO keyed by ids
    texts = {unit.id: unit.rendering if own and unit.rendering.strip() else unit.source for unit in opened}
    if not any(unit.id in texts for unit in units):
        raise NotChecked("ids", f"{file.name}: not one of its ids is among the {len(texts):,} of {sources.name}")
    return [
        unit._replace(source=texts[unit.id]) if unit.id in texts else unit._replace(pending="no source")
        for unit in units
    ]


def _languages(file: UserFile, units: Sequence[Unit], source: str, target: str) -> tuple[str, str]:
    """Those the user says, else those of the file; source English where nobody says."""
    froms = {code(unit.source_lang) for unit in units if unit.source_lang}
    tos = {code(unit.target_lang) for unit in units if unit.target_lang}
    tos = tos or {code(said) for said in language_of(file.path)}
    if not target and len(tos) != 1:
        told = f"it has several ({', '.join(sorted(tos))})" if tos else "the file does not say"
        raise NotChecked("target", f"{file.name}: name the language of the translations with --target; {told}")
    if not source and len(froms) > 1:
        raise BadInput(
            f"{file.name}: name the language of the sources with --source; it has {', '.join(sorted(froms))}"
        )
    return code(source) if source else next(iter(froms), "en"), code(target) if target else next(iter(tos))


def _chosen(file: UserFile, units: Sequence[Unit], target: str) -> list[tuple[int, Unit]]:
    """The units into a language, with their numbers; an error where there is none, or none with a source."""
    chosen = [
        (number, unit)
        for number, unit in enumerate(units)
        if not unit.target_lang or primary(unit.target_lang) == primary(target)
    ]
    if not chosen:
        there = ", ".join(sorted({unit.target_lang for unit in units})) or "none"
        raise NotChecked("strings", f"{file.name}: no strings into {name_of(target)}; its languages are {there}")
    if not any(unit.source.strip() for _, unit in chosen):
        raise NotChecked("sources", f"{file.name}: it contains no source strings; name their file with --sources")
    return chosen


def _nouns(units: Iterable[tuple[int, Unit]], finder: LexiconFinder) -> Iterator[StringRow]:
    """Every person the English strings name, in every text a message can become."""
    known: dict[str, list[Person]] = {}
    small = decapitalised if finder.domain == "interface" else str
    branches = (
        (number, unit, keys, small(plain(text)), rendering)
        for number, unit in units
        for keys, text, rendering in _texts(unit)
    )
    while block := list(islice(branches, TOGETHER)):
        if len(known) > REMEMBERED:
            known.clear()
        new = list(dict.fromkeys(words for _, _, _, words, _ in block if words not in known))
        known.update(zip(new, finder.find_all(new, kinds=KINDS), strict=True))
        for number, unit, keys, words, rendering in block:
            for person in _stated(known[words], keys):
                yield number, unit, words, plain(rendering), person


def _texts(unit: Unit) -> Iterator[tuple[list[str], str, str]]:
    """Every text a message can become, with its translation and the keys that choose it; a label's context (female
    before "partner") is one, of a sentence it may be the speaker's."""
    context = context_of(unit.source, unit.rendering)
    source, rendering = without_shortcuts(unit.source.removeprefix(context), unit.rendering)
    label = len(source.split()) <= LABEL
    chosen = _WORD.findall(f"{unit.context} {context}".lower()) if label and (context or unit.context) else []
    for branch, text in paired(source, rendering):
        yield [*branch.keys.values(), *chosen], branch.text, text


def _stated(named: list[Person], keys: Iterable[str]) -> list[Person]:
    """The persons of a text; the only one has the gender of its branch ({gender, select, female {...} other {...}}) or
    of its context, of several it may be anyone's."""
    chosen = next((_CHOOSES[key] for key in keys if key in _CHOOSES), None)
    if not chosen or (len(named) == 1 and (named[0].plural or named[0].says == chosen)):
        return named
    says: Says = chosen if [one.says for one in named] == ["open"] else "unclear"
    return [one._replace(says=says, by=chosen) if one.says == "open" or len(named) == 1 else one for one in named]


def _strings(units: Iterable[tuple[int, Unit]]) -> Iterator[StringRow]:
    """Every text a message can become; its pronouns are judged."""
    for number, unit in units:
        for branch, rendering in paired(unit.source, unit.rendering):
            yield number, unit, plain(branch.text), plain(rendering), NOBODY


def _sent(rows: Iterator[StringRow], about: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Batches of pairs for a detector; what else is known about their rows is kept in `about`."""
    while batch := list(islice(rows, BATCH)):
        numbers, units, sources, renderings, persons = zip(*batch, strict=True)
        words = [text[one.start : one.end] for text, one in zip(sources, persons, strict=True)]
        about.append(
            facts(numbers, units).with_columns(
                person=pl.Series(words, dtype=pl.String),
                says=pl.Series([one.says for one in persons], dtype=pl.String),
                by=pl.Series([one.by for one in persons], dtype=pl.String),
                kind=pl.Series([one.kind for one in persons], dtype=pl.String),
                thing=pl.Series([one.thing for one in persons], dtype=pl.Boolean),
                kept=pl.Series(kept(words, renderings), dtype=pl.Boolean),
                words=pl.Series(renderings, dtype=pl.String),
            )
        )
        ids = [str(n) for n in range(len(batch))]
        places = {"focus_start": [one.start for one in persons], "focus_end": [one.end for one in persons]}
        yield pl.DataFrame({"id": ids, "source": sources, "rendering": renderings} | places)


def facts(numbers: Sequence[int], units: Sequence[Unit]) -> pl.DataFrame:
    """What is known of strings before anybody judges them."""
    columns = ("line", "id", "source", "rendering")
    texts = {name: [getattr(unit, name) for unit in units] for name in columns}
    return pl.DataFrame({"unit": numbers} | texts, schema={name: SCHEMA[name] for name in ("unit", *columns)})


def _missing(units: Sequence[tuple[int, Unit]]) -> pl.DataFrame:
    """Genders that a message selects by and its translation has no text for, one row each."""
    rows = [(n, unit, key) for n, unit in units if "{" in unit.source for key in missing(unit.source, unit.rendering)]
    known = facts([n for n, _, _ in rows], [unit for _, unit, _ in rows])
    said = pl.Series("says", [key for _, _, key in rows], pl.String)
    return _whole(
        known.with_columns(said, gender=pl.lit("unknown"), finding=pl.lit("missing"), reason=pl.lit("no such branch"))
    )


def _labels(units: Iterable[tuple[int, Unit]]) -> dict[str, int]:
    """The translations of single words, with their units."""
    return {plain(unit.rendering).lower(): n for n, unit in units if unit.source.isalpha()}


def _whole(table: pl.DataFrame) -> pl.DataFrame:
    """The table with every column of SCHEMA and EVIDENCE, empty where it has none."""
    columns = SCHEMA | EVIDENCE
    return table.select(
        [
            (pl.col(name) if name in table.columns else pl.lit(None)).cast(kind).alias(name)
            for name, kind in columns.items()
        ]
    )


def _found(about: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """The persons of a batch with their verdicts."""
    names = ("evidence", "evidence_start", "evidence_end", "confidence", "reason", "how", "adequate")
    answers = verdicts.select(pl.col("gender").cast(pl.String), *names)
    whole = pl.concat([about, answers], how="horizontal")
    if "words" in about.columns:
        first, last = pl.col("evidence_start"), pl.col("evidence_end")
        led = pl.col("words").str.slice(0, first).str.to_lowercase().str.extract(r"(\w+['’]?|[^\w\s])\s*$")
        whole = whole.with_columns(form=pl.col("words").str.slice(first, last - first), led=led)
    return _whole(whole)


def _findings(persons: pl.DataFrame) -> pl.DataFrame:
    """What is wrong with each person's gender, beside what the whole file shows already."""
    says, gender = pl.col("says"), pl.col("gender")
    wrong = says.replace_strict(_OTHER, default=None, return_dtype=pl.String) == gender
    one = gender.is_in(list(_OTHER))
    adds = pl.col("kind").fill_null("noun").replace("noun", "open")
    own = pl.when(wrong).then(pl.lit("wrong")).when((says == "open") & one).then(adds)
    return persons.with_columns(finding=pl.coalesce(own, "finding")).select(list(SCHEMA))


class Suggestions:
    """What a translator could write instead: the other form of a string of English, where mend knows the language."""

    def __init__(self, source: str, target: str, style: str = "") -> None:
        known = primary(source) == "en" and primary(target) in LANGUAGES
        self._mender = Mender(target) if known else None
        self._styler = Styler(self._mender, target, style) if self._mender and style else None

    def of(self, row: Mapping[str, object]) -> str | None:
        """The string with the gender that the source states or, where it leaves it open, with the other one or in the
        house style; None where the mender declines or a placeholder or tag would not stay as it is. `row` as in
        `FileCheck.persons`."""
        source, rendering, person = str(row["source"]), str(row["rendering"]), str(row["person"])
        place = re.search(rf"(?<!\w){re.escape(person)}(?!\w)", source, re.IGNORECASE) if person else None
        if self._mender is None or place is None or _BRANCHES.search(rendering) or str(row["gender"]) not in _OTHER:
            return None
        if self._styler and row["finding"] == FINDING:
            text = self._styler.mend(source, rendering, *place.span()).text
        else:
            text = self._mender.mend(source, rendering, *place.span(), Gender(_OTHER[str(row["gender"])])).text
        return text if MARKUP.findall(text) == MARKUP.findall(rendering) else None
