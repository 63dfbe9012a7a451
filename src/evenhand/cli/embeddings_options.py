"""The options the verbs of `evenhand embeddings` share, and what turns them into a study's input."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from evenhand.cli.output import console
from evenhand.embeddings import files, named, study, wordlists
from evenhand.embeddings.alignment import read_dictionary
from evenhand.embeddings.mitigation import METHODS, Space
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import Match, Vectors
from evenhand.errors import BadInput, Unknown

Language = Annotated[str, typer.Option("--language", "-l", help=f"gendered language: {', '.join(wordlists.LANGUAGES)}")]
VectorFile = Annotated[
    Path,
    typer.Option(
        "--vectors",
        help="vectors of that language (.vec .txt .bin .npy ...); pocket: ours, with English and dictionary",
    ),
]
English = Annotated[Path | None, typer.Option("--english", help="English vectors, or pocket")]
DictionaryFile = Annotated[
    Path | None,
    typer.Option("--dictionary", help="word pairs to align English with, or pocket; left out: already one space"),
]
Methods = Annotated[
    list[str] | None, typer.Option("--method", help=f"{', '.join(METHODS)}; repeat for several, 'none' for none")
]
Definitions = Annotated[Path | None, typer.Option("--definitions", help="TSV: feminine, masculine")]
Occupations = Annotated[Path | None, typer.Option("--occupations", help="TSV: english, masculine, feminine")]
Adjectives = Annotated[Path | None, typer.Option("--adjectives", help="TSV: english, masculine, feminine")]
Attributes = Annotated[Path | None, typer.Option("--attributes", help="TSV: gender (male, female), word")]
Nouns = Annotated[str | None, typer.Option("--nouns", help="TSV word, gender; or .conllu; or german-nouns")]
Inanimate = Annotated[Path | None, typer.Option("--inanimate", help="TSV with a column word")]
SimilarityFiles = Annotated[list[Path] | None, typer.Option("--similarity", help="word pairs with scores; repeatable")]
EnglishSimilarity = Annotated[list[Path] | None, typer.Option("--english-similarity", help="the same for English")]
Translations = Annotated[
    list[Path] | None, typer.Option("--translation", help="test dictionary, source word first; repeatable")
]
Top = Annotated[int | None, typer.Option("--top", min=1, help="only the first N (most frequent) words")]
Case = Annotated[
    Literal["exact", "ignore"],
    typer.Option("--case", help="look listed words up exactly, or ignoring case as a fallback"),
]
Accents = Annotated[Literal["exact", "ignore"], typer.Option("--accents", help="the same for accents")]
SkipBad = Annotated[bool, typer.Option("--skip-bad-lines", help="count malformed lines instead of refusing the file")]
AnyLanguage = Annotated[bool, typer.Option("--any-language", help="do not check the vectors' language")]
ClassifierOption = Annotated[Literal["lda", "svm"], typer.Option("--classifier", help="for the grammatical direction")]
RetrievalOption = Annotated[
    Literal["csls", "nn"], typer.Option("--retrieval", help="word translation by CSLS or plain nearest")
]
Refine = Annotated[int, typer.Option("--refine", min=0, help="rounds of alignment refinement")]
Permutations = Annotated[int, typer.Option("--permutations", min=1, help="of sampled tests")]
Seed = Annotated[int, typer.Option("--seed", help="root of all randomness")]
Json = Annotated[bool, typer.Option("--json", help="machine-readable")]


class Reader:
    """Loads vector files under one policy and collects what they complain about."""

    def __init__(self, match: Match, *, top: int | None, skip: bool, stage: study.Stage) -> None:
        self._match, self._top, self._skip, self._stage = match, top, skip, stage
        self.warnings: list[str] = []

    def load(self, path: Path) -> Vectors:
        self._stage(f"reading {path.name}", 0.0)
        vectors = files.load(path, top=self._top, match=self._match, bad_lines="skip" if self._skip else "error")
        self.warnings += [f"{path.name}: {warning}" for warning in vectors.notes.warnings()]
        return vectors

    def open(
        self,
        lists: wordlists.WordLists,
        vectors: Path,
        english: Path | None,
        dictionary: Path | None,
        *,
        refine: int,
        any_language: bool,
    ) -> Space:
        """Both languages checked and in one space."""
        given = named.sources(lists.language, vectors, english, dictionary)
        pairs = read_dictionary(given.dictionary, self.warnings) if given.dictionary else None
        gendered, other = self.load(given.vectors), self.load(given.english) if given.english else None
        self._stage("aligning", 0.0)
        space, warnings = open_space(
            gendered, lists, english=other, dictionary=pairs, refine=refine, any_language=any_language
        )
        self.warnings += warnings
        return space


def tests(
    similarity: Sequence[Path] | None,
    english: Sequence[Path] | None,
    translation: Sequence[Path] | None,
    told: list[str],
) -> study.UtilityTests:
    """Utility tests by file name, or by path where two files have the same name; `told` grows by what was left out."""
    given = [*(similarity or ()), *(english or ()), *(translation or ())]
    names = Counter(path.name for path in dict.fromkeys(given))
    repeated = {path for path in given if (path in (similarity or ())) + (path in (english or ())) > 1}

    def name(path: Path, language: str = "") -> str:
        return (path.name if names[path.name] == 1 else str(path)) + (language if path in repeated else "")

    return study.UtilityTests(
        {name(path): read_similarity(path) for path in similarity or ()},
        {name(path, " (English)"): read_similarity(path) for path in english or ()},
        {name(path): read_dictionary(path, told) for path in translation or ()},
    )


def chosen(names: Sequence[str] | None) -> tuple[str, ...]:
    """The methods asked for: all by default, none for 'none'."""
    if not names:
        return METHODS
    if list(names) == ["none"]:
        return ()
    if "none" in names:
        raise BadInput("--method none stands alone: leave it out, or the other methods")
    for name in names:
        if name not in METHODS:
            raise Unknown("method", name, (*METHODS, "none"))
    # De-Align first: the hybrids start from it
    return tuple(name for name in METHODS if name in names)


@contextlib.contextmanager
def stages() -> Iterator[study.Stage]:
    """A progress bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda name, share: None
        return
    columns = (TextColumn("{task.description:<28}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=1.0)
        yield lambda name, share: progress.update(task, description=name, completed=share)


def warn(lines: Sequence[str]) -> None:
    """Warnings go to stderr, one a line."""
    for line in lines:
        typer.echo(f"warning: {line}", err=True)


def check_writable(*paths: Path | None) -> None:
    """Complain about an output folder that is not there before the long work, not after it."""
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise BadInput(f"{path}: cannot be written (no folder {path.parent})")


def write(path: Path, content: str | bytes) -> None:
    """A result file, or a clear complaint about why it cannot be written."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error
