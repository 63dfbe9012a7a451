"""Load and save vector files of every supported format.

Formats, by name: .vec .txt (word2vec/fastText with header, GloVe without), .bin (word2vec binary), .npy and
.safetensors (matrix only; the words stand one a line in a file beside it, same name with .vocab or .txt). Text and
binary may be compressed: .gz, .xz, .zst. Pickled formats are not read.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import lzma
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import IO, Literal, TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.embeddings.text_format import LARGEST_DIM, BadLines, read_text
from evenhand.embeddings.vectors import EXACT, Matrix32, ReadingNotes, Vectors, WordMatch, keep_usable
from evenhand.errors import BadInput, require
from evenhand.readers.opening import UserFile, text_lines
from evenhand.storage.atomic import replacing_bytes, write_text

VectorFormat = Literal["text", "glove", "binary", "npy", "safetensors"]
COMPRESSED = (".gz", ".xz", ".zst")
# numpy reads the header of .npy as Python
UNREADABLE = (ValueError, EOFError, OverflowError, SyntaxError, TokenError, TypeError, RecursionError, MemoryError)
FORMATS: dict[str, VectorFormat] = {
    ".vec": "text",
    ".txt": "text",
    ".glove": "glove",
    ".bin": "binary",
    ".npy": "npy",
    ".safetensors": "safetensors",
}


def load_vectors(
    path: Path | str,
    *,
    top: int | None = None,
    match: WordMatch = EXACT,
    bad_lines: BadLines = "error",
    vocabulary: Path | None = None,
    cache: VectorCache | None = None,
    tick: Callable[[int], None] | None = None,
) -> Vectors:
    """Vectors from a file: the first `top` (most frequent) words, or all.

    Text and binary files are kept as a memory-mapped copy in `cache` (the user's cache folder by default), so that
    the next load takes milliseconds. Zero vectors and repeated words are left out and counted in `.notes`.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"{path}: {'a folder, not a vector file' if path.is_dir() else 'no such file'}")
    if top is not None and top < 1:
        raise BadInput(f"cannot load the first {top} vectors: give a number from 1")
    kind = format_of(path)
    if kind in ("npy", "safetensors"):
        words, matrix, notes = _matrix_file(path, kind, vocabulary, top)
        return Vectors(words, matrix, path.name, notes, match)
    cache = cache or VectorCache.default()
    key = cache.key(path, f"{kind}|{top}|{bad_lines}")
    kept = cache.read(key)
    if kept is None:
        with UserFile(path).opened() as stream:
            if kind == "binary":
                words, matrix, notes = _read_binary(stream, path, top)
            else:
                words, matrix, notes = read_text(stream, str(path), limit=top, bad_lines=bad_lines, tick=tick)
        cache.write(key, words, matrix, notes)
        kept = words, matrix, notes
    return Vectors(kept[0], kept[1], path.name, kept[2], match)


def save_vectors(vectors: Vectors, path: Path | str, *, format: VectorFormat | None = None) -> None:
    """Write vectors; the name decides the format. Text keeps every bit (shortest decimal that reads back the same)."""
    path = Path(path)
    kind = format or format_of(path)
    if kind in ("npy", "safetensors"):
        with replacing_bytes(path) as stream:
            if kind == "npy":
                np.save(stream, np.ascontiguousarray(vectors.matrix), allow_pickle=False)
            else:
                write_safetensors(stream, vectors.matrix)
        with replacing_bytes(path.with_suffix(".vocab")) as stream:
            stream.write(("\n".join(_one_line_words(vectors)) + "\n").encode())
        return
    words = _one_line_words(vectors)
    with replacing_bytes(path) as raw, _compressed(raw, path) as stream:
        if kind != "glove":
            stream.write(f"{len(vectors)} {vectors.dim}\n".encode())
        if kind == "binary":
            for word, row in zip(words, np.asarray(vectors.matrix, dtype="<f4"), strict=True):
                stream.write(word.replace(" ", "_").encode() + b" " + row.tobytes() + b"\n")
            return
        for start in range(0, len(words), 10_000):
            part = slice(start, start + 10_000)
            table = pl.from_numpy(np.ascontiguousarray(vectors.matrix[part]))
            table.insert_column(0, pl.Series("word", words[part]))
            stream.write(table.write_csv(include_header=False, separator=" ", quote_style="never").encode())


def format_of(path: Path) -> VectorFormat:
    """The format a file name stands for."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    kind = FORMATS.get(suffixes[-1] if suffixes else "")
    if kind is None:
        known = " ".join(FORMATS)
        raise BadInput(f"{path}: not a known vector format. Known endings: {known}, also with {' '.join(COMPRESSED)}")
    if kind in ("npy", "safetensors") and path.suffix.lower() in COMPRESSED:
        raise BadInput(f"{path}: {kind} files are memory-mapped and cannot be compressed")
    return kind


def _read_binary(stream: IO[bytes], path: Path, top: int | None) -> tuple[list[str], Matrix32, ReadingNotes]:
    """word2vec binary: "count dimension" line, then word, space, float32 values, perhaps a line break."""
    first = stream.readline(100).split()
    if len(first) != 2 or not (first[0].isdigit() and first[1].isdigit()):
        raise BadInput.at(path, 1, "a word2vec binary file starts with the number of words and the dimension")
    count, dim = int(first[0]), int(first[1])
    if not 1 <= dim <= LARGEST_DIM:
        raise BadInput.at(path, 1, f"the header says vectors have {dim} dimensions")
    data = stream.read() if top is None else stream.read(min(top, count) * (4 * dim + 200))
    notes = ReadingNotes(format="word2vec binary", promised=count)
    words: list[str] = []
    starts: list[int] = []
    place = 0
    wanted = count if top is None else min(top, count)
    for number in range(1, wanted + 1):
        end = data.find(b" ", place)
        if end < 0 or end + 1 + 4 * dim > len(data):
            raise BadInput.at(path, None, f"ends inside vector {number} of the {count} its header promises")
        word = data[place:end].lstrip(b"\n").decode("utf-8", errors="replace")
        if "\ufffd" in word:
            notes.undecodable.add(number, word)
        words.append(word)
        starts.append(end + 1)
        place = end + 1 + 4 * dim
    if top is None and data[place:].strip(b"\n"):
        raise BadInput.at(path, None, f"{len(data) - place} bytes follow the {count} vectors its header promises")
    matrix = np.empty((len(words), dim), dtype=np.float32)
    for row, start in enumerate(starts):
        matrix[row] = np.frombuffer(data, dtype="<f4", count=dim, offset=start)
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise BadInput.at(path, None, f"vector {bad[0] + 1} ({words[bad[0]]!r}) holds NaN or infinity")
    notes.read = len(words)
    kept, matrix = keep_usable(words, matrix, notes, lines=range(1, len(words) + 1), seen=set())
    return kept, matrix, notes


def _matrix_file(
    path: Path, kind: str, vocabulary: Path | None, top: int | None
) -> tuple[list[str], Matrix32, ReadingNotes]:
    if vocabulary is None:
        beside = [path.with_suffix(suffix) for suffix in (".vocab", ".txt")]
        vocabulary = next((file for file in beside if file.is_file()), None)
        if vocabulary is None:
            raise BadInput(f"{path}: the words are missing. Put them, one a line, into {beside[0]}")
    try:
        loaded = read_safetensors(path) if kind == "safetensors" else np.load(path, mmap_mode="r", allow_pickle=False)
    except UNREADABLE as error:
        raise BadInput.at(path, None, f"cannot be read as .npy ({error})") from error
    if not isinstance(loaded, np.ndarray):
        raise BadInput.at(path, None, "is a zip of arrays (.npz); one matrix in a .npy file was expected")
    if loaded.ndim != 2 or not np.issubdtype(loaded.dtype, np.floating):
        raise BadInput.at(path, None, f"holds {loaded.dtype} of shape {loaded.shape}, expected a matrix of numbers")
    words = text_lines(vocabulary)
    while words and not words[-1]:
        words.pop()
    if len(words) != len(loaded):
        raise BadInput(f"{vocabulary} has {len(words)} words, {path} has {len(loaded)} vectors")
    matrix: Matrix32 = np.asarray(loaded[:top], dtype=np.float32)
    words = words[:top]
    notes = ReadingNotes(format=kind, read=len(words))
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise BadInput.at(path, None, f"vector {bad[0] + 1} ({words[bad[0]]!r}) holds NaN or infinity")
    kept, matrix = keep_usable(words, matrix, notes, lines=range(1, len(words) + 1), seen=set())
    return kept, matrix, notes


@contextlib.contextmanager
def _compressed(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=6) as stream:
            yield cast("IO[bytes]", stream)
    elif suffix == ".xz":
        with lzma.open(raw, "wb") as stream:
            yield stream
    elif suffix == ".zst":
        zstandard = require("zstandard", purpose="writing .zst files", extra="embeddings")
        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as stream:
            yield stream
    else:
        yield raw


def _one_line_words(vectors: Vectors) -> list[str]:
    words = list(vectors.words)
    broken = next((word for word in words if "\n" in word or not word), None)
    if broken is not None:
        raise BadInput(f"{vectors.name}: the word {broken!r} cannot be written one a line")
    return words


# The memory-mapped copy of a vector file: matrix.npy, words.txt, notes.json, in a folder named by content.
# The key is a hash of the file's bytes and of the reading options. So that a later load need not read the file again,
# a small index remembers which hash a file had at a given size, modification time, change time and inode; anything
# that touches the file changes one of them. Nothing is pickled. Writes go to a temporary folder and are renamed, so a
# reader never sees half a cache, and two writers can race.

LAYOUT = "1"  # part of every key: raise it when reading changes


def cache_home() -> Path:
    """$EVENHAND_CACHE, else $XDG_CACHE_HOME/evenhand, else ~/.cache/evenhand."""
    if given := os.environ.get("EVENHAND_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "evenhand"


@dataclass(frozen=True)
class VectorCache:
    """Where parsed vectors are kept. A folder that cannot be written is no error: loading is then just slower."""

    home: Path

    @classmethod
    def default(cls) -> VectorCache:
        return cls(cache_home() / "vectors")

    def key(self, path: Path, options: str) -> str:
        """Content hash and options; the hash is looked up by the file's status first."""
        status = path.stat()
        mark = f"{path.resolve()}|{status.st_size}|{status.st_mtime_ns}|{status.st_ctime_ns}|{status.st_ino}"
        remembered = self.home / "index" / hashlib.sha256(mark.encode()).hexdigest()
        try:
            content = remembered.read_text(encoding="ascii")
        except OSError:
            content = ""
        if len(content) != 64:
            content = file_hash(path)
            with contextlib.suppress(BadInput):
                write_text(remembered, content)
        return f"{content[:40]}-{hashlib.sha256(f'{LAYOUT}|{options}'.encode()).hexdigest()[:12]}"

    def read(self, key: str) -> tuple[list[str], Matrix32, ReadingNotes] | None:
        """The cached vectors, memory-mapped; None when there are none or they are damaged."""
        folder = self.home / key
        try:
            matrix = np.load(folder / "matrix.npy", mmap_mode="r", allow_pickle=False)
            words = (folder / "words.txt").read_bytes().decode("utf-8").split("\n")
            notes = ReadingNotes.from_json((folder / "notes.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if matrix.ndim != 2 or matrix.dtype != np.float32 or len(words) != len(matrix):
            return None
        return words, matrix, notes

    def write(self, key: str, words: list[str], matrix: Matrix32, notes: ReadingNotes) -> None:
        """Keep the vectors; silently not when the cache cannot be written or a word holds a line break."""
        text = "\n".join(words)
        if text.count("\n") != len(words) - 1:
            return
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=self.home))
        except OSError:
            return
        try:
            with (temporary / "matrix.npy").open("wb") as stream:
                np.save(stream, matrix, allow_pickle=False)
            (temporary / "words.txt").write_bytes(text.encode("utf-8"))
            (temporary / "notes.json").write_text(notes.to_json(), encoding="utf-8")
            target = self.home / key
            if target.exists():  # damaged (read() refused it) or written meanwhile by another process
                shutil.rmtree(target, ignore_errors=True)
            temporary.rename(target)
        except OSError:
            shutil.rmtree(temporary, ignore_errors=True)


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# The safetensors container: an 8-byte length, a JSON header, raw little-endian tensors. No code is ever run.
# Format: https://github.com/huggingface/safetensors (README, "Format"). Only what is needed here: one 2-D tensor,
# which may be kept in 8 bits (I8) with one factor a row in a tensor named `scales`.

Raw = npt.NDArray[np.generic]


class TensorEntry(TypedDict):
    """A tensor as the header describes it."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I8": "<i1"}
NAMES = ("vectors", "embeddings", "embedding", "weight")
SCALES = "scales"
LONGEST_HEADER = 100 << 20


def read_safetensors(path: Path) -> Matrix32:
    """The word matrix of a file: the tensor named vectors/embeddings/embedding/weight, or the only 2-D one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if not 2 <= length <= min(LONGEST_HEADER, size - 8):
            raise BadInput.at(path, None, "not a safetensors file (impossible header length)")
        try:
            header = json.loads(stream.read(length))
        except (ValueError, RecursionError) as error:
            raise BadInput.at(path, None, "not a safetensors file (the header is not JSON)") from error
    try:
        return _matrix(path, header, 8 + length, size)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise BadInput.at(path, None, f"not a safetensors file (a tensor's entry lacks {error})") from error


def _matrix(path: Path, header: dict[str, TensorEntry], data: int, size: int) -> Matrix32:
    tensors = {name: entry for name, entry in header.items() if name != "__metadata__" and len(entry["shape"]) == 2}
    name = next((name for name in NAMES if name in tensors), None)
    if name is None:
        if len(tensors) != 1:
            raise BadInput.at(path, None, f"which tensor holds the words? 2-D tensors: {', '.join(tensors) or 'none'}")
        name = next(iter(tensors))
    raw = _tensor(path, header, name, data, size)
    kind = header[name]["dtype"]
    if kind == "I8":
        scales = header.get(SCALES)
        if scales is None or scales["dtype"] not in ("F16", "F32", "F64") or scales["shape"] != [len(raw)]:
            raise BadInput.at(path, None, f"tensor {name} is I8 and needs one factor a row in a tensor {SCALES}")
        factors = np.asarray(_tensor(path, header, SCALES, data, size), dtype=np.float32)
        scaled: Matrix32 = np.asarray(raw, dtype=np.float32) * factors[:, None]
        return scaled
    if kind == "BF16":
        widened: Matrix32 = (raw.astype(np.uint32) << 16).view(np.float32)
        return widened
    return np.asarray(raw, dtype=np.float32)


def _tensor(path: Path, header: dict[str, TensorEntry], name: str, data: int, size: int) -> Raw:
    """The bytes of a tensor in its own type, memory-mapped."""
    entry = header[name]
    if entry["dtype"] not in DTYPES:
        raise BadInput.at(path, None, f"tensor {name} is {entry['dtype']}; known: {', '.join(DTYPES)}")
    start, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    dtype = np.dtype(DTYPES[entry["dtype"]])
    if end - start != math.prod(shape) * dtype.itemsize or data + end > size:
        raise BadInput.at(path, None, f"tensor {name} does not fit its {end - start} bytes; a cut file?")
    return np.memmap(path, dtype=dtype, mode="r", offset=data + start, shape=shape)


def write_safetensors(stream: IO[bytes], matrix: Matrix32, name: str = "vectors") -> None:
    """One float32 tensor. The header is padded to 8 bytes so that the data is aligned."""
    data = np.ascontiguousarray(matrix, dtype="<f4")
    entry = {"dtype": "F32", "shape": list(data.shape), "data_offsets": [0, data.nbytes]}
    header = json.dumps({"__metadata__": {"writer": "evenhand"}, name: entry}).encode()
    header += b" " * (-len(header) % 8)
    stream.write(len(header).to_bytes(8, "little") + header)
    stream.write(data.tobytes())
