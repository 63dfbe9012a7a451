"""The study's steps as stateless batch steps, a table in, a table out: each is made once per process or actor from the
settings (that is when models are loaded). What a step drops it counts."""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.detect import Detector, open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.detect.validity import is_rendering
from evenhand.grammar import language
from evenhand.grammar.protocol import Kind as NounKind
from evenhand.mining.masked_lms import open_masked_lm
from evenhand.mining.perturb import Kind, Perturber
from evenhand.persons.finder import Finder, LexiconFinder, Outcome, Sighting, open_finder
from evenhand.pipeline.shards import Shard, Step, Work, check_detector
from evenhand.storage.tables import KEY, VERDICTS, schema
from evenhand.system_names import without_paths
from evenhand.systems import Dispatcher, Memory, Request, blocking, fingerprint_of, open_system

SOURCE = "en"

PROBES: dict[str, pl.DataType] = {
    "sentence": pl.String(), "rank": pl.Int32(),  # 0 is the original; of a substitute its place among the candidates
    "word": pl.String(), "score": pl.Float64(), **schema(pl.String, "source", "focus"),
    **schema(pl.Int64, "focus_start", "focus_end"), "plural": pl.Boolean(), "file": pl.Int32(), "line": pl.Int64(),
}  # fmt: skip
SPAN = {name: PROBES[name] for name in ("focus_start", "focus_end", "plural")}
JUDGEMENT = tuple(name for name in VERDICTS if name not in KEY)
AS_GIVEN = ("perturb", "threshold", "candidates", "accept", "singular")  # settings that the signature holds unchanged


@dataclass(frozen=True)
class MiningSettings:
    """Everything that changes the result of a shard, as plain data that can travel to a worker."""

    system: str
    targets: tuple[str, ...]
    lm: str = "pocket"
    finder: str = "lexicon"
    perturb: Kind = "noun"
    threshold: float = 0.5
    candidates: int = 100
    accept: int = 10
    singular: bool = False
    system_settings: tuple[tuple[str, str], ...] = ()
    forms: str | None = None  # a file of forms that people labelled, at the same place on every node

    @property
    def forms_file(self) -> Path | None:
        return given_forms(self.forms)

    def detectors(self) -> dict[str, Detector]:
        """The detector of every target language."""
        forms = self.forms_file
        return {code: open_detector("nouns", source=SOURCE, target=code, user_forms=forms) for code in self.targets}


class FindPersons:
    """Sentences with exactly one person noun stay; every other outcome is counted."""

    name = "person"

    def __init__(self, settings: MiningSettings) -> None:
        self._finder = open_finder(settings.finder, threshold=settings.threshold)
        self._singular = settings.singular

    def __call__(self, shard: Shard) -> Shard:
        sightings = self._finder.only(shard.table["text"].to_list())
        counts = Counter(f"person/{sighting.outcome.value}" for sighting in sightings)
        places = [n for n, one in enumerate(sightings) if one.outcome is Outcome.KEPT]
        if self._singular:
            kept, places = len(places), [n for n in places if not sightings[n].plural]
            counts |= {"person/plural, left out as asked": kept - len(places), "person/kept": len(places)}
        counts["sentences"] = len(sightings)
        spans = [(sightings[n].start, sightings[n].end, sightings[n].plural) for n in places]
        return shard.then(shard.table[places].hstack(pl.DataFrame(spans, schema=SPAN, orient="row")), counts)


class Substitute:
    """Each sentence and its accepted substitutes, one row each; sentences without any are counted and dropped."""

    name = "perturb"

    def __init__(self, settings: MiningSettings, *, threads: int = 0) -> None:
        finder = open_finder(settings.finder, threshold=settings.threshold)
        words = person_words(finder) if settings.perturb == "noun" else ()
        lm = open_masked_lm(settings.lm, words=words, threads=threads)
        self._perturber = Perturber(lm, finder, kind=settings.perturb, top=settings.candidates, accept=settings.accept)

    def __call__(self, shard: Shard) -> Shard:
        counts, rows = Counter[str](), list[tuple[object, ...]]()
        originals = list(shard.table.select("text", "focus_start", "focus_end", "plural", "file", "line").iter_rows())
        sightings = [Sighting(Outcome.KEPT, *row[1:4]) for row in originals]
        proposed = self._perturber.substitutes([row[0] for row in originals], sightings)
        for (text, start, end, *where), accepted in zip(originals, proposed, strict=True):
            if not accepted:
                counts[f"perturb/no {'word of this kind' if accepted is None else 'substitute accepted'}"] += 1
                continue
            sentence, focus = sentence_id(text), text[start:end]
            rows.append((sentence, 0, focus, None, text, focus, start, end, *where))
            for new in accepted:
                place = (new.source, new.source[new.focus_start : new.focus_end], new.focus_start, new.focus_end)
                rows.append((sentence, new.rank, new.word, new.score, *place, *where))
            counts["perturb/sentences with substitutes"] += 1
            counts["perturb/pairs"] += len(accepted)
        return shard.then(pl.DataFrame(rows, schema=PROBES, orient="row"), counts)


class Translate:
    """Every source into every target language; refused texts become empty renderings. Answers go to the translation
    memory as they come, so that a killed run does not pay twice."""

    name = "translate"

    def __init__(self, settings: MiningSettings, *, memory: str | None) -> None:
        self._system = open_system(settings.system, **dict(settings.system_settings))
        self._targets, self._memory = settings.targets, memory

    def __call__(self, shard: Shard) -> Shard:
        sources, tables = shard.table["source"].to_list(), []
        path = Path(self._memory.replace("{shard}", shard.name)) if self._memory and sources else None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        with Memory(path) if path else contextlib.nullcontext() as memory:
            for target in self._targets:
                requests = [Request(text, SOURCE, target) for text in sources]
                dispatcher = Dispatcher(self._system, memory, keeps=is_rendering(SOURCE, target))
                answers = blocking(partial(dispatcher.run, requests)) if requests else []
                texts = pl.Series([answer.text for answer in answers], dtype=pl.String)
                tables.append(shard.table.with_columns(target_lang=pl.lit(target), rendering=texts))
        return shard.then(pl.concat(tables))


class Judge:
    """Verdicts on all renderings, and a flag where the noun has a fixed gender (la víctima)."""

    name = "judge"

    def __init__(self, settings: MiningSettings, *, expected: Mapping[str, str]) -> None:
        self._detectors = settings.detectors()
        for target, detector in self._detectors.items():
            check_detector(detector.fingerprint, expected.get(target, ""))

    def __call__(self, shard: Shard) -> Shard:
        tables = []
        for target, detector in self._detectors.items():
            table = shard.table.filter(pl.col("target_lang") == target)
            wanted = table.select(pl.col("sentence").alias("id"), "source", "rendering", "focus_start", "focus_end")
            verdicts = detector.detect(wanted).select(pl.col(c).cast(VERDICTS[c]) for c in JUDGEMENT)
            judged = table.hstack(verdicts)
            fixed = [
                at is not None and language(target).noun(text[at:end]).kind is NounKind.FIXED
                for text, at, end in judged.select("rendering", "evidence_start", "evidence_end").iter_rows()
            ]
            tables.append(judged.with_columns(fixed=pl.Series(fixed, dtype=pl.Boolean)))
        return shard.then(pl.concat(tables))


@dataclass(frozen=True)
class MiningWork(Work):
    """The study's steps with their settings: `threads` per model, the file of the translation memory ("{shard}" is the
    shard's name), the fingerprints of the leading process's detectors (empty: not compared)."""

    settings: MiningSettings
    threads: int = 0
    memory: str | None = None
    detectors: Mapping[str, str] = field(default_factory=dict)
    rows_in = "sentences"
    on_gpu = True

    def steps(self) -> list[Step]:
        return [
            FindPersons(self.settings),
            Substitute(self.settings, threads=self.threads),
            Translate(self.settings, memory=self.memory),
            Judge(self.settings, expected=self.detectors),
        ]


class Opened:
    """The parts of a run, opened once before any work: what is missing or unknown is an error at once."""

    def __init__(self, settings: MiningSettings) -> None:
        self.settings, self.detectors = settings, settings.detectors()
        self.system = open_system(settings.system, **dict(settings.system_settings))
        self._finder = open_finder(settings.finder, threshold=settings.threshold).fingerprint
        self._lm = open_masked_lm(settings.lm).fingerprint

    @property
    def parts(self) -> dict[str, str]:
        """What every shard depends on besides its sentences, by name, for the signature."""
        marks = [fingerprint_of(self.system, SOURCE, target) for target in self.settings.targets]
        return {
            "system": f"{without_paths(self.system.name)}#{','.join(dict.fromkeys(marks))}",
            "target": ",".join(self.settings.targets),
            "detector": ",".join(dict.fromkeys(d.fingerprint for d in self.detectors.values())),
            "lm": f"{self.settings.lm}#{self._lm}",
            "person": f"{self.settings.finder}#{self._finder}",
            **{name: str(getattr(self.settings, name)) for name in AS_GIVEN},
        }

    @property
    def fingerprint(self) -> str:
        content = json.dumps([asdict(self.settings), self.parts, __version__], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def sentence_id(text: str) -> str:
    """A name for a sentence that depends on nothing but its text."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def person_words(finder: Finder) -> list[str]:
    """Nouns the model should also be asked for in two pieces: all neutral person nouns, singular and plural."""
    if not isinstance(finder, LexiconFinder):
        return []
    nouns = [n for n in finder.lexicon.nouns.values() if n.share >= 0.75 and not n.gender and n.noun.isalpha()]
    return [form for n in nouns for form in (n.noun, n.plural)]
