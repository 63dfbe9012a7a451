"""Open a study: read its files, check that they fit the lists and one another, bring both languages into one space."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evenhand.embeddings.alignment import Dictionary, english_first, read_dictionary
from evenhand.embeddings.files import FORMATS, BadLines, load_vectors
from evenhand.embeddings.mitigation import Space
from evenhand.embeddings.vectors import Vectors, WordMatch
from evenhand.embeddings.wordlists import ENGLISH, WordLists, function_words, hash_of
from evenhand.errors import BadInput, Unknown

Stage = Callable[[str, float], None]  # what is being done, and how far it is


class VectorReader:
    """Loads vector files under one policy; collects what they complain about, and what a signature says of them."""

    def __init__(self, match: WordMatch, *, top: int | None, bad_lines: BadLines, stage: Stage) -> None:
        self._match, self._top, self._bad_lines, self._stage = match, top, bad_lines, stage
        self.warnings: list[str] = []
        self.parts: dict[str, str] = {}

    def load(self, path: Path, *, part: str) -> Vectors:
        """The vectors of a file; `part` is what the signature calls them."""
        self._stage(f"reading {path.name}", 0.0)
        vectors = load_vectors(path, top=self._top, match=self._match, bad_lines=self._bad_lines)
        self.warnings += [f"{path.name}: {warning}" for warning in vectors.notes.warnings()]
        self.parts[part] = ",".join(filter(None, (self.parts.get(part), vectors.signature)))
        return vectors

    def open(self, lists: WordLists, given: Sources, *, refine: int = 2, any_language: bool = False) -> Space:
        """Both languages checked and in one space."""
        pairs = read_dictionary(given.dictionary, self.warnings) if given.dictionary else None
        gendered = self.load(given.vectors, part="vectors")
        english = self.load(given.english, part="english") if given.english else None
        if given.dictionary:
            self.parts["dictionary"] = f"{given.dictionary.name}#{hash_of(pairs)}"
        self._stage("aligning", 0.0)
        space, warnings = open_space(
            gendered, lists, english=english, dictionary=pairs, refine=refine, any_language=any_language
        )
        self.warnings += warnings
        return space


def _doubtful_forms(gendered: Vectors, lists: WordLists) -> list[str]:
    """Warnings where both forms of occupations have the same vector, or one is so rare in the training text that its
    vector mostly reflects its spelling."""
    known = [(p.masculine, p.feminine) for p in lists.occupations if p.masculine in gendered and p.feminine in gendered]
    alike = [forms for forms in known if gendered.pair(*forms) is None]
    few = [forms for forms in known if forms not in alike and not set(forms).isdisjoint(gendered.notes.seldom)]
    same = f"{len(alike)} occupations have one vector for both forms and are left out, as {'/'.join((*alike, '')[0])}"
    rare = (
        f"in {len(few)} of {len(known) - len(alike)} occupations a form occurs fewer than 5 times in the training text "
        f"(as {'/'.join((*few, '')[0])}): its vector mostly reflects its spelling"
    )
    return [warning for forms, warning in ((alike, same), (few, rare)) if forms]


def open_space(
    gendered: Vectors,
    lists: WordLists,
    *,
    english: Vectors | None = None,
    dictionary: Dictionary | None = None,
    refine: int = 2,
    any_language: bool = False,
) -> tuple[Space, list[str]]:
    """Check languages and coverage, then bring English into the gendered space. Returns the space and warnings."""
    warnings = [] if any_language else check_language(gendered, lists.language)
    if english is not None and not any_language:
        warnings += check_language(english, "en")
    warnings += check_coverage(coverage(gendered, lists, english))
    warnings += _doubtful_forms(gendered, lists)
    if english is None:
        if dictionary is not None:
            warnings.append("a dictionary without English vectors is not used")
        return Space(gendered), warnings
    if gendered.dim != english.dim:
        raise BadInput(f"{gendered.name} has {gendered.dim} dimensions, {english.name} {english.dim}: not comparable")
    if dictionary is None:
        warnings.append("no dictionary: the two files are taken to be in one space already")
        _check_one_space(gendered, english, lists)
        return Space(gendered, english), warnings
    if not english_first(dictionary, english, gendered):
        dictionary = tuple((b, a) for a, b in dictionary)
    return Space(gendered, english, dictionary, refine).aligned(), warnings


def _check_one_space(gendered: Vectors, english: Vectors, lists: WordLists) -> None:
    """Words that translate each other must be nearer than words that do not, or the files are not aligned."""
    places = [(english.row(pair.english), gendered.row(pair.masculine)) for pair in lists.occupations]
    rows = np.array([row for row in places if None not in row], dtype=np.intp).reshape(-1, 2)
    if len(rows) < 3:
        return
    cosines = english.unit[rows[:, 0]].astype(np.float64) @ gendered.unit[rows[:, 1]].T
    pairs = float(np.mean(np.diag(cosines)))
    others = float((cosines.sum() - np.trace(cosines)) / (cosines.size - len(rows)))
    if pairs - others < 0.05:
        apart = f"translations have cosine {pairs:.2f}, other words {others:.2f}"
        raise BadInput(f"{gendered.name} and {english.name} are not in one space ({apart}): align them by --dictionary")


# Vectors by name: sets that installed packages bring along, such as `pocket`.
# A package registers a folder under the entry point group `evenhand.vectors` (or a function that returns it). The
# folder holds `ANYTHING.LANGUAGE.safetensors` (or .npy) with its .vocab for each language, all of them in one space,
# and for each gendered language `ANYTHING.en-LANGUAGE.dictionary.txt`, the word pairs English is aligned with.

GROUP = "evenhand.vectors"


class VectorSet(NamedTuple):
    """The vector files of one set, by language."""

    name: str
    folder: Path

    def vectors(self, language: str) -> Path:
        """The file of a language; a language the set does not have is an error that lists those it has."""
        files = {
            path.name.split(".")[-2]: path
            for path in sorted(self.folder.iterdir())
            if path.suffix in FORMATS and path.suffix != ".txt" and path.name.count(".") > 1
        }
        if language not in files:
            raise Unknown(f"language of the vectors {self.name}", language, files)
        return files[language]

    def dictionary(self, language: str) -> Path:
        """The English-first word pairs of a language."""
        files = sorted(self.folder.glob(f"*.en-{language}.dictionary.txt"))
        if not files:
            raise BadInput(f"the vectors {self.name} bring no dictionary for {language}")
        return files[0]


class Sources(NamedTuple):
    """The files an audit of one language reads."""

    vectors: Path
    english: Path | None
    dictionary: Path | None


def named_set(given: Path) -> VectorSet | None:
    """The set of this name; a path, or anything with the ending of a file, is none. A registered name wins over a
    file."""
    name = str(given)
    if given.suffix or len(given.parts) != 1:
        return None
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        raise Unknown("vectors", name, known, hint="A vector file works, too; pip install ./pocket brings `pocket`.")
    loaded = known[name].load()
    folder = loaded() if callable(loaded) else loaded
    if not isinstance(folder, str | Path) or not Path(folder).is_dir():
        raise BadInput(f"the package that brings the vectors {name} names no folder but {folder!r}")
    return VectorSet(name, Path(folder))


def vector_file(given: Path, language: str) -> Path:
    """A file as it was given, or the file of that language in the set it names."""
    named = named_set(given)
    return named.vectors(language) if named else given


def sources(language: str, vectors: Path, english: Path | None = None, dictionary: Path | None = None) -> Sources:
    """Names turned into files. A set brings its English partner and its dictionary where no others are given, but not
    its dictionary with English vectors from elsewhere (`--dictionary NAME` asks for it)."""
    own, gendered = named_set(vectors), vector_file(vectors, language)
    if language == ENGLISH:
        if english is not None or dictionary is not None:
            raise BadInput("--language en takes --vectors alone: leave --english and --dictionary out")
        return Sources(gendered, None, None)
    partner = named_set(english) if english is not None else own
    pairs = named_set(dictionary) if dictionary is not None else own if own == partner else None
    return Sources(
        gendered, partner.vectors("en") if partner else english, pairs.dictionary(language) if pairs else dictionary
    )


# The classic mistake: word lists of one language on vectors of another. Frequent small words identify a vocabulary's
# language: large English vectors hold thousands of Spanish words, but not `pero` among the first 2,000.

FREQUENT = 2_000
LEAST, DOUBTFUL = 0.1, 0.5  # shares of a list with vectors: below, an error; below, a warning
TELLING = 0.5  # share of a language's function words that must be frequent to recognise it


class Coverage(NamedTuple):
    """How many words of a list have a vector."""

    name: str
    found: int
    asked: int
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.found / self.asked if self.asked else 0.0


def recognised_language(vectors: Vectors) -> str | None:
    """The language of the vocabulary, or None when it is too small or none of ours."""
    frequent = {word.casefold() for word in vectors.words[:FREQUENT]}
    shares = {lang: sum(w in frequent for w in words) / len(words) for lang, words in function_words().items()}
    *_, (second, _), (first, best) = sorted((share, lang) for lang, share in shares.items())
    return best if first >= TELLING and first - second >= 0.2 else None


def check_language(vectors: Vectors, language: str) -> list[str]:
    """Refuse vectors that are clearly in another language; warn when the language is not recognised."""
    own = recognised_language(vectors)
    if own == language:
        return []
    if own is None:
        return [f"{vectors.name}: too few lower-case words to confirm that these are {language} vectors"]
    if language not in function_words():
        return [f"{vectors.name}: the vocabulary looks like {own}; no small words are known for {language}"]
    wrong = f"{vectors.name}: the vocabulary is {own}, the word lists are {language}"
    raise BadInput(f"{wrong}. Give {language} vectors, or --language {own} (--any-language overrides).")


def coverage(vectors: Vectors, lists: WordLists, english: Vectors | None = None) -> list[Coverage]:
    """Coverage of each list; pairs count when the forms have two vectors."""
    listed: dict[str, Iterable[str | tuple[str, str]]] = {
        "definition pairs": lists.definitions,
        "occupations (both forms)": [(p.masculine, p.feminine) for p in lists.occupations],
        "male attribute words": lists.male,
        "female attribute words": lists.female,
        "nouns with a gender": lists.nouns,
        "inanimate nouns": lists.inanimate,
        "occupations": lists.titles,
        **{test.name: test.x + test.y for test in lists.targets},
    }
    report = [_covered(name, vectors, words) for name, words in listed.items()]
    if english is not None:
        named = dict.fromkeys(p.english for p in lists.occupations if p.english)
        report.append(_covered("English definition pairs", english, lists.english_definitions))
        report.append(_covered("English occupations", english, named))
    return [entry for entry in report if entry.asked]


def _covered(name: str, vectors: Vectors, words: Iterable[str | tuple[str, str]]) -> Coverage:
    known = [
        (word, word in vectors) if isinstance(word, str) else ("/".join(word), vectors.pair(*word) is not None)
        for word in words
    ]
    missing = tuple(word for word, covered in known if not covered)
    return Coverage(name, len(known) - len(missing), len(known), missing)


def check_coverage(report: list[Coverage]) -> list[str]:
    """Refuse when too few definition pairs are covered; warn about every list less than half covered."""
    for entry in report:
        if "definition" in entry.name and (entry.share < LEAST or entry.found < 2):
            lacking = (
                f"{entry.found} of {entry.asked} {entry.name} have vectors (missing: {', '.join(entry.missing[:4])})"
            )
            raise BadInput(f"{lacking}: lists and vectors do not fit. Same language? Same case (--case ignore)?")
    few = (entry for entry in report if entry.share < DOUBTFUL)
    return [f"only {entry.found} of {entry.asked} {entry.name} have vectors" for entry in few]
