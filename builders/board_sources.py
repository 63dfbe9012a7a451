"""What the board of this repository asks for: the stored outputs in the shared data, and the systems on this machine.

Each source yields the runs it wants and lays the outputs out as tables; what is absent is noted in `Site.missing`.
"""

from __future__ import annotations

import csv
import lzma
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import evenhand
from evenhand.workflows.unmarked import with_persons

OWN = {  # suites laid out here, by their names: what they are and whose they are
    "wibemt-verbs": (
        "42 verbs x 99 occupations, no gender stated",
        "Troles & Schmid 2021, Extending Challenge Sets to Uncover Gender Bias in Machine Translation",
    ),
    "tgbi-korean": (
        "Korean sentences with a pronoun for she and he, informal and formal",
        "Cho et al. 2019, On Measuring Gender Bias in Translation of Gender-neutral Pronouns",
    ),
}


@cache
def suite_of(spec: str) -> evenhand.Suite:
    suite = with_persons(evenhand.load_suite(spec))[0]
    summary, citation = OWN.get(suite.name, (suite.summary, suite.citation))
    return replace(suite, summary=summary, citation=citation)


@dataclass(frozen=True)
class Wanted:
    """One run: a suite through a system into a language, under a name."""

    suite: str
    system: str
    target: str
    name: str
    folder: Path
    memory: Path


@dataclass
class Site:
    """Where the inputs lie and where what is made of them goes; `missing` says what an absent input leaves out."""

    data: Path
    work: Path
    missing: list[str]

    def wanted(self, suite: str, system: str, target: str, name: str, kind: str) -> Wanted:
        safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in f"{kind}.{name}.{target}")
        return Wanted(suite, system, target, name, self.work / "runs" / safe, self.work / "memory.sqlite")

    def table(self, name: str, rows: Iterator[tuple[str, ...]], head: tuple[str, ...] = ("id", "rendering")) -> Path:
        """A TSV under the work folder, written once; tabs and line breaks inside a rendering are blanks."""
        path = self.work / "outputs" / f"{name}.tsv"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch = path.with_suffix(".part")
            with scratch.open("w", encoding="utf-8", newline="\n") as file:
                for row in (head, *rows):
                    file.write("\t".join(" ".join(cell.split()) for cell in row) + "\n")
            scratch.replace(path)
        return path

    def has(self, what: str, *paths: str) -> bool:
        absent = [path for path in paths if not (self.data / path).exists()]
        if absent:
            self.missing.append(f"{what}: no {', '.join(absent)} in {self.data}")
        return not absent


def text_systems(site: Site) -> Iterator[Wanted]:
    """winomt-2025: 14 systems into es, fr, it, pt; into pt also with sentences between noun and pronoun."""
    if not site.has("WinoMT by 14 systems of 2025", "winomt-2025/translations.tar.xz", "winomt/aggregates/en.txt"):
        return
    with tarfile.open(site.data / "winomt-2025/translations.tar.xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            stream = archive.extractfile(member) if member.isfile() and "en-" in member.name else None
            if stream is None:
                continue
            path = Path(member.name)
            between, _, target = path.stem.rpartition("en-")
            suite = f"winomt-2025/sources/en_{between.strip('.')}.txt" if between else "winomt/aggregates/en.txt"
            lines = stream.read().decode().split("\n")
            texts = [line.partition(" ||| ")[2] for line in lines if " ||| " in line]
            rows = ((f"winomt-{number:04d}", text) for number, text in enumerate(texts))
            system = path.parent.name
            file = site.table(f"winomt-2025.{system}.{path.stem}", iter(rows))
            kind = f"winomt-{between.strip('.')}" if between else "winomt"
            yield site.wanted(f"winomt:{site.data / suite}", f"file:{file}", target, f"{system} (2025)", kind)


def speech_systems(site: Site) -> Iterator[Wanted]:
    """winost-2026: WinoMT read aloud, 25 speech systems into de, es, it, pt."""
    suite = site.data / "winomt/aggregates/en.txt"
    for target in ("de", "es", "it", "pt"):
        name = f"winost-2026/winost.en-{target}.tsv.xz"
        if not site.has(f"WinoMT by 25 speech systems into {target}", name, "winomt/aggregates/en.txt"):
            continue
        by_system: dict[str, list[tuple[str, ...]]] = {}
        with lzma.open(site.data / name, "rt", encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                system, number, rendering = line.rstrip("\n").split("\t")[:3]
                by_system.setdefault(system, []).append((f"winomt-{int(number) - 1:04d}", rendering))
        for system, rows in by_system.items():
            file = site.table(f"winost-2026.{system}.{target}", iter(rows))
            yield site.wanted(f"winomt:{suite}", f"file:{file}", target, f"{system} (speech 2026)", "winomt")


def verb_sentences(site: Site) -> Iterator[Wanted]:
    """wibemt: 4,158 verb sentences, DeepL and Microsoft into German, as the study stored them."""
    if not site.has("WiBeMT's verb sentences", "wibemt/results"):
        return
    for path in sorted((site.data / "wibemt/results").glob("VerbSentences_*_GenderCategorized.txt")):
        cells = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        probes = site.table(
            "wibemt-verbs",
            ((c[0], c[1], c[3], c[3], {"F": "feminine", "M": "masculine"}[c[0][1]]) for c in cells),
            ("id", "source", "focus", "occupation", "verb_class"),
        )
        system = path.name.removeprefix("VerbSentences_").removesuffix("_Translator_GenderCategorized.txt")
        file = site.table(f"wibemt.{system}", ((c[0], c[4]) for c in cells))
        yield site.wanted(f"tsv:{probes}", f"file:{file}", "de", f"{system} (2021)", "wibemt-verbs")


def korean_sentences(site: Site) -> Iterator[Wanted]:
    """tgbi: 4,236 Korean sentences, Google and Papago into English; the informal and the formal file have each once."""
    parts = {"inf": "set1_informal", "f": "set2_formal"}
    if not site.has("TGBI's Korean sentences", "tgbi/sets", "tgbi/translations"):
        return
    sources = {code: _lines(site.data / f"tgbi/sets/{name}.txt") for code, name in parts.items()}
    probes = site.table(
        "tgbi-korean",
        (
            (f"{c}-{n:04d}", s, "ko", "pronouns", parts[c][5:])
            for c, some in sources.items()
            for n, s in enumerate(some)
        ),
        ("id", "source", "source_lang", "kind", "formality"),
    )
    for system in ("google", "papago"):
        lines = {code: _lines(site.data / f"tgbi/translations/total_{system}_{code}.txt") for code in parts}
        rows = ((f"{code}-{n:04d}", text) for code, some in lines.items() for n, text in enumerate(some))
        file = site.table(f"tgbi.{system}", rows)
        yield site.wanted(f"tsv:{probes}", f"file:{file}", "en", f"{system.capitalize()} (2019)", "tgbi-korean")


def first_person(site: Site) -> Iterator[Wanted]:
    """gest: 3,565 first-person sentences, Amazon, DeepL, Google and NLLB into Slavic languages (2024), looked up."""
    if not site.has("GEST", "gest/gest.csv", "gest/translations"):
        return
    suite = f"gest:{site.data / 'gest/gest.csv'}"
    for path in sorted((site.data / "gest/translations").glob("*/*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            known = {row["from"].strip(): row["to"] for row in csv.DictReader(lines)}
        probes = suite_of(suite).probes
        pairs = zip(probes["id"], probes["source"], strict=True)
        rows = ((probe, known.get(source.strip(), "")) for probe, source in pairs)
        file = site.table(f"gest.{path.parent.name}.{path.stem}", rows)
        yield site.wanted(suite, f"file:{file}", path.stem, f"{path.parent.name} (2024)", "gest")


def live(site: Site) -> Iterator[Wanted]:
    """pocket and Apertium, asked on this machine."""
    parts = [("pocket", f"pronouns-{name}", "en") for name in ("hungarian", "finnish", "turkish")]
    parts += [("apertium", "pronouns-basque", "en"), ("pocket", "speaker", "ru")]
    if site.has("WinoMT by pocket and Apertium", "winomt/aggregates/en.txt"):
        suite = f"winomt:{site.data / 'winomt/aggregates/en.txt'}"
        parts += [("pocket", suite, target) for target in ("de", "es", "fr")] + [("apertium", suite, "es")]
    for system, suite, target in parts:
        try:
            evenhand.open_system(system)
        except evenhand.EvenhandError as error:
            site.missing.append(f"{system}, {suite.partition(':')[0]} into {target}: {error}")
            continue
        yield site.wanted(suite, system, target, system, suite.partition(":")[0])


SOURCES: tuple[Callable[[Site], Iterator[Wanted]], ...] = (
    text_systems,
    speech_systems,
    verb_sentences,
    korean_sentences,
    first_person,
    live,
)


def _lines(path: Path) -> list[str]:
    """Lines of a file with either line end, the last one with or without it."""
    return path.read_text(encoding="utf-8").replace("\r\n", "\n").removesuffix("\n").split("\n")
