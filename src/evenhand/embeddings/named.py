"""Vectors by name: sets that installed packages bring along, such as `pocket`.

A package registers a folder under the entry point group `evenhand.vectors` (or a function that returns it). The folder
holds `ANYTHING.LANGUAGE.safetensors` (or .npy) with its .vocab for each language, all of them in one space, and for
each gendered language `ANYTHING.en-LANGUAGE.dictionary.txt`, the word pairs English is aligned with.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from evenhand.embeddings.files import FORMATS
from evenhand.embeddings.wordlists import ENGLISH
from evenhand.errors import BadInput, Unknown

GROUP = "evenhand.vectors"


@dataclass(frozen=True)
class VectorSet:
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
        found = sorted(self.folder.glob(f"*.en-{language}.dictionary.txt"))
        if not found:
            raise BadInput(f"the vectors {self.name} bring no dictionary for {language}")
        return found[0]


@dataclass(frozen=True)
class Sources:
    """The files an audit of one language reads."""

    vectors: Path
    english: Path | None
    dictionary: Path | None


def named_set(given: Path) -> VectorSet | None:
    """The set a name stands for. A path, or anything with the ending of a file, is none.

    A registered name wins over a file or folder that happens to be called so: vector files have an ending.
    """
    name = str(given)
    if given.suffix or len(given.parts) != 1:
        return None
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        raise Unknown(
            "vectors", name, known, hint="A vector file works, too; `pocket` comes with: pip install ./pocket"
        )
    found = known[name].load()
    folder = found() if callable(found) else found
    if not isinstance(folder, str | Path) or not Path(folder).is_dir():
        raise BadInput(f"the package that brings the vectors {name} names no folder but {folder!r}")
    return VectorSet(name, Path(folder))


def vector_file(given: Path, language: str) -> Path:
    """A file as it was given, or the file of that language in the set it names."""
    found = named_set(given)
    return found.vectors(language) if found else given


def sources(language: str, vectors: Path, english: Path | None = None, dictionary: Path | None = None) -> Sources:
    """Names turned into files. A set brings its English partner and its dictionary, where no others are given; English
    itself has neither.

    Its dictionary is not used unasked with English vectors from elsewhere: `--dictionary NAME` asks for it.
    """
    own = named_set(vectors)
    if language == ENGLISH:
        if english is not None or dictionary is not None:
            raise BadInput("--language en takes --vectors alone: leave --english and --dictionary out")
        return Sources(vector_file(vectors, ENGLISH), None, None)
    gendered = own.vectors(language) if own else vectors
    partner = named_set(english) if english is not None else own
    if partner is not None:
        english = partner.vectors("en")
    pairs = named_set(dictionary) if dictionary is not None else own if own == partner else None
    if pairs is not None:
        dictionary = pairs.dictionary(language)
    return Sources(gendered, english, dictionary)
