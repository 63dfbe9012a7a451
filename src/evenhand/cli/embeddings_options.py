"""The options the verbs of `evenhand embeddings` share, and what turns them into a study's input."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from evenhand.cli.output import console
from evenhand.embeddings import named, wordlists
from evenhand.embeddings.alignment import read_dictionary
from evenhand.embeddings.mitigation import METHODS
from evenhand.embeddings.opening import Reader, Stage
from evenhand.embeddings.study import UtilityTests
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import Match
from evenhand.errors import BadInput, Unknown
from evenhand.languages import primary
from evenhand.replicate import zhou2019

Policy = Literal["exact", "ignore"]
Level = Annotated[float, typer.Option("--level", metavar="X", help="confidence level of every interval")]
Json = Annotated[bool, typer.Option("--json", help="machine-readable")]


@dataclass(frozen=True)
class Reading:
    """How vector files are read."""

    top: Annotated[
        int | None, typer.Option("--top", metavar="N", min=1, help="only the first N (most frequent) words")
    ] = None
    case: Annotated[
        Policy, typer.Option("--case", help="look listed words up exactly, or ignoring case as a fallback")
    ] = "ignore"
    accents: Annotated[Policy, typer.Option("--accents", help="the same for accents")] = "exact"
    skip_bad_lines: Annotated[
        bool, typer.Option("--skip-bad-lines", help="count malformed lines instead of refusing the file")
    ] = False
    any_language: Annotated[bool, typer.Option("--any-language", help="do not check the vectors' language")] = False

    def reader(self, stage: Stage) -> Reader:
        bad_lines: Literal["error", "skip"] = "skip" if self.skip_bad_lines else "error"
        return Reader(Match(self.case, self.accents), top=self.top, bad_lines=bad_lines, stage=stage)


@dataclass(frozen=True)
class Given:
    """The vectors of a language with its word lists, and perhaps English beside a gendered one."""

    language: Annotated[
        str,
        typer.Option(
            "--language",
            "-l",
            metavar="LANG",
            parser=primary,
            help=f"gendered language ({', '.join(wordlists.LANGUAGES)}), or {wordlists.ENGLISH} for English alone",
        ),
    ]
    vectors: Annotated[
        Path,
        typer.Option(
            "--vectors",
            metavar="FILE",
            help="vectors of that language (.vec .txt .bin .npy ...); pocket: ours, with English and dictionary",
        ),
    ]
    english: Annotated[Path | None, typer.Option("--english", metavar="FILE", help="English vectors, or pocket")] = None
    dictionary: Annotated[
        Path | None,
        typer.Option(
            "--dictionary",
            metavar="FILE",
            help="word pairs to align English with, or pocket; left out: already one space",
        ),
    ] = None
    published: Annotated[
        str | None,
        typer.Option("--lists", metavar="zhou2019:DIR", help="the lists that Zhou et al. published (es, fr), for ours"),
    ] = None
    definitions: Annotated[
        Path | None, typer.Option("--definitions", metavar="FILE", help="table: feminine, masculine")
    ] = None
    occupations: Annotated[
        Path | None,
        typer.Option("--occupations", metavar="FILE", help="table: english, masculine, feminine (en: english)"),
    ] = None
    targets: Annotated[
        Path | None, typer.Option("--targets", metavar="FILE", help="of English: table: test, set (two a test), word")
    ] = None
    nouns: Annotated[
        str | None, typer.Option("--nouns", metavar="FILE", help="table: word, gender; or .conllu; or german-nouns")
    ] = None
    inanimate: Annotated[Path | None, typer.Option("--inanimate", metavar="FILE", help="table with a column word")] = (
        None
    )
    classifier: Annotated[
        Literal["lda", "svm"],
        typer.Option(
            "--classifier", help="finds the grammatical direction: a linear discriminant (lda) or support vectors (svm)"
        ),
    ] = "lda"
    refine: Annotated[int, typer.Option("--refine", metavar="N", min=0, help="rounds of alignment refinement")] = 2
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="root of all randomness")] = 0

    def sources(self) -> named.Sources:
        return named.sources(self.language, self.vectors, self.english, self.dictionary)

    def lists(self, *, adjectives: Path | None = None, attributes: Path | None = None) -> wordlists.WordLists:
        base = self._base()
        given = {"nouns": self.nouns, "inanimate": self.inanimate, "adjectives": adjectives}
        if not base.gendered and any(given.values()):
            option = next(name for name, value in given.items() if value)
            raise BadInput(
                f"--{option} is a list of languages with grammatical gender: leave it out with --language en"
            )
        if base.gendered and self.targets:
            raise BadInput("--targets is a list of English: give it with --language en")
        return base.with_files(
            definitions=self.definitions,
            occupations=self.occupations,
            adjectives=adjectives,
            attribute_words=attributes,
            nouns=self.nouns,
            inanimate=self.inanimate,
            targets=self.targets,
        )

    def _base(self) -> wordlists.WordLists:
        """Our lists, or those of a paper; files given one by one stand in for either."""
        if self.published is None:
            return wordlists.WordLists.shipped(self.language)
        paper, _, folder = self.published.partition(":")
        if paper != zhou2019.PAPER:
            raise Unknown("published lists", paper, (zhou2019.PAPER,), hint=f"As in --lists {zhou2019.PAPER}:DIR.")
        if self.language not in zhou2019.LANGUAGES:
            raise Unknown("language of these lists", self.language, zhou2019.LANGUAGES)
        if not Path(folder).is_dir():
            raise BadInput(f"--lists {self.published}: there is no folder {folder!r}; name the one with the files")
        return zhou2019.word_lists(Path(folder), self.language)


@dataclass(frozen=True)
class Asked:
    """What is measured on them: mitigations, versions made elsewhere, tests of what the vectors are good for."""

    method: Annotated[
        list[str] | None,
        typer.Option("--method", metavar="NAME", help=f"{', '.join(METHODS)}; repeat for several, 'none' for none"),
    ] = None
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="FILE", help="other vectors of the language, in the same space; repeatable"),
    ] = None
    adjectives: Annotated[
        Path | None, typer.Option("--adjectives", metavar="FILE", help="table: english, masculine, feminine")
    ] = None
    similarity: Annotated[
        list[Path] | None, typer.Option("--similarity", metavar="FILE", help="word pairs with scores; repeatable")
    ] = None
    english_similarity: Annotated[
        list[Path] | None, typer.Option("--english-similarity", metavar="FILE", help="the same for English")
    ] = None
    translation: Annotated[
        list[Path] | None,
        typer.Option("--translation", metavar="FILE", help="test dictionary, source word first; repeatable"),
    ] = None
    retrieval: Annotated[
        Literal["csls", "nn"],
        typer.Option(
            "--retrieval", help="a word's translation: the nearest (nn), or so that none is nearest to all (csls)"
        ),
    ] = "csls"

    def methods(self, *, gendered: bool = True) -> tuple[str, ...]:
        """The methods asked for: all by default, none for 'none' and by default of a language with one form."""
        names = self.method or (METHODS if gendered else ("none",))
        if "none" in names and len(names) > 1:
            raise BadInput("--method none stands alone: leave it out, or the other methods")
        for name in names:
            if name not in (*METHODS, "none"):
                raise Unknown("method", name, (*METHODS, "none"))
        # De-Align first: the hybrids start from it
        return tuple(name for name in METHODS if name in names)

    def tests(self, told: list[str]) -> UtilityTests:
        """By file name, or by path where two files have the same name; `told` grows by what was left out."""
        here, english, translation = self.similarity or [], self.english_similarity or [], self.translation or []
        names = Counter(path.name for path in dict.fromkeys((*here, *english, *translation)))

        def name(path: Path, language: str = "") -> str:
            twice = path in here and path in english
            return (path.name if names[path.name] == 1 else str(path)) + (language if twice else "")

        return UtilityTests(
            {name(path): read_similarity(path) for path in here},
            {name(path, " (English)"): read_similarity(path) for path in english},
            {name(path): read_dictionary(path, told) for path in translation},
        )


@contextlib.contextmanager
def stages() -> Iterator[Stage]:
    """A progress bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda name, share: None
        return
    columns = (TextColumn("{task.description:<28}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=1.0)
        yield lambda name, share: progress.update(task, description=name, completed=share)
