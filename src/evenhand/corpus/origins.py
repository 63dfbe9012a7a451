"""Which files hold parallel text: both sides in one, or one a side (Moses), alone or in folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from evenhand.errors import BadInput
from evenhand.languages import known, primary
from evenhand.readers.opening import STDIN, UserFile

BOTH = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".tmx")
PLAIN = ("", ".txt", ".text")


class Origin(NamedTuple):
    """A file with both sides, or (`target`) two files with one side each."""

    source: UserFile
    target: UserFile | None = None

    @property
    def name(self) -> str:
        """The file's name without its folder: what a page calls it."""
        one = self.source.path
        if one is None or self.target is None or self.target.path is None:
            return one.name if one else "stdin"
        return f"{one.name} + {self.target.path.name}"

    @property
    def place(self) -> str:
        """The same with its folder, as it was given."""
        return " + ".join(str(path) for path in self.files if path) or self.name

    @property
    def files(self) -> list[Path | None]:
        return [self.source.path, *([self.target.path] if self.target else [])]


def suffixes_of(language: str) -> tuple[str, ...]:
    """Endings of a file in one language: .de, .deu."""
    code = primary(language)
    entry = known().get(code)
    return tuple(dict.fromkeys(f".{name}" for name in (language.lower(), code, entry.iso639_3 if entry else code)))


def text_names(texts: Sequence[Origin]) -> list[str]:
    """What each text is called: by its file, and with the folder where several files have the same name."""
    often = Counter(text.name for text in texts)
    return [text.name if often[text.name] == 1 else text.place for text in texts]


def origins(given: Iterable[Path | str], *, source: str, target: str) -> list[Origin]:
    """The texts behind files and folders, in order; files in one language find their partner by their name."""
    files = [file for one in given for file in _files(UserFile.of(one), source, target)]
    if not files:
        raise BadInput(f"no parallel text given: name files, folders, or {STDIN} for a TSV on standard input")
    if len(files) == 2 and all(file.suffix in PLAIN and not _two_columns(file) for file in files):
        return [Origin(*files)]
    sides = {suffix: side for side, code in ((0, source), (1, target)) for suffix in suffixes_of(code)}
    halves: dict[tuple[str, str], list[UserFile | None]] = {}
    found: list[tuple[str, str] | Origin] = []
    for file in files:
        if file.suffix not in sides:
            found.append(Origin(file))
            continue
        key = str(file.path.parent) if file.path else "", file.stem
        if key not in halves:
            halves[key] = [None, None]
            found.append(key)
        halves[key][sides[file.suffix]] = file
    return [
        _joined(one, halves[one]) if isinstance(one, tuple) and not isinstance(one, Origin) else one for one in found
    ]


def _joined(key: tuple[str, str], sides: Sequence[UserFile | None]) -> Origin:
    one, two = sides
    if one is None or two is None:
        there = one or two
        raise BadInput(f"{there.name if there else key[1]}: the file of the other language is not among those given")
    return Origin(one, two)


def _files(file: UserFile, source: str, target: str) -> list[UserFile]:
    path = file.path
    if path is None or path.is_file():
        return [file]
    if not path.is_dir():
        raise BadInput(f"{path}: no such file or folder")
    kinds = (*BOTH, *suffixes_of(source), *suffixes_of(target))
    inside = sorted(p for p in path.rglob("*") if p.is_file() and UserFile(p).suffix in kinds)
    if not inside:
        raise BadInput(f"{path}: no parallel text in this folder (kinds: {', '.join(kinds)}, also .gz, .xz, .zst)")
    return [UserFile(p) for p in inside]


def _two_columns(file: UserFile) -> bool:
    """Whether the first line holds both sides."""
    first = next((text for _, text in file.lines(lenient=True)), "") if file.path is not None else "\t"
    return "\t" in first or "|||" in first
