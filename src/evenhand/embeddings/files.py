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
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import IO, Literal, TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.embeddings.vectors import EXACT, Matrix32, ReadingNotes, Vectors, WordMatch, keep_usable
from evenhand.errors import BadInput, require
from evenhand.readers.opening import UserFile, text_lines
from evenhand.storage.atomic import replacing_bytes, write_text

BLOCK = 32 << 20
LARGEST_DIM = 1 << 16  # a larger header is a lie or not a header
BadLines = Literal["error", "skip"]


@dataclass(frozen=True)
class Header:
    count: int | None
    dim: int
    lines: int  # how many lines the header takes: 0 or 1


def read_text(
    stream: IO[bytes],
    path: str,
    *,
    limit: int | None = None,
    bad_lines: BadLines = "error",
    tick: Callable[[int], None] | None = None,
) -> tuple[list[str], Matrix32, ReadingNotes]:
    """Read words and vectors, at most `limit` lines. `tick` gets the uncompressed bytes of each block.

    A malformed line (wrong number of numbers, NaN, infinity, no word) is an error unless bad_lines="skip". A header
    that promises another number of vectors than the file has is treated the same way. Each block of lines goes through
    Polars' CSV parser; a block with anything unusual in it (a missing number, NaN, a word with spaces, bytes that are
    not UTF-8) is read again line by line, so that every complaint has its line number.
    """
    block, rest = _next_block(stream, b"")
    if not block.strip():
        raise BadInput.at(path, None, "the file is empty")
    header = _header(block, path)
    notes = ReadingNotes(format="word2vec text" if header.lines else "GloVe text", promised=header.count)
    parser = _Parser(path, header.dim, bad_lines, notes)
    words: list[str] = []
    parts: list[Matrix32] = []
    seen: set[str] = set()
    line = 1 + header.lines
    if header.lines:
        block = block[block.index(b"\n") + 1 :] if b"\n" in block else b""
    while block or rest:
        if limit is not None and notes.read + notes.bad.count >= limit:
            break
        left = None if limit is None else limit - notes.read - notes.bad.count
        if left is not None:
            block = _first_lines(block, left)
        new, matrix, lines = parser.parse(block, line)
        notes.read += len(new)
        kept, kept_matrix = keep_usable(new, matrix, notes, lines=lines, seen=seen)
        words += kept
        parts.append(kept_matrix)
        line += block.count(b"\n")
        if tick:
            tick(len(block))
        block, rest = _next_block(stream, rest)
    if not words:
        raise BadInput.at(path, None, "no usable vector in the file")
    _check_promise(notes, header, limit, path, bad_lines)
    return words, np.concatenate(parts) if len(parts) > 1 else parts[0], notes


class _Parser:
    """Turns blocks of whole lines into words, a matrix and line numbers."""

    def __init__(self, path: str, dim: int, bad_lines: BadLines, notes: ReadingNotes) -> None:
        self.path, self.dim, self.bad_lines, self.notes = path, dim, bad_lines, notes
        numbers = {str(i): pl.Float32() for i in range(dim)}
        self.schema: dict[str, pl.DataType] = {"word": pl.String(), **numbers}
        self.trailing: dict[str, pl.DataType] = {**self.schema, "trailing": pl.String()}

    def parse(self, block: bytes, line: int) -> tuple[list[str], Matrix32, range | list[int]]:
        fast = self._fast(block)
        if fast is not None:
            return (*fast, range(line, line + len(fast[0])))
        return self._slow(block, line)

    def _fast(self, block: bytes) -> tuple[list[str], Matrix32] | None:
        end = block.find(b"\n")
        spaced = block[: end if end >= 0 else None].rstrip(b"\r").endswith(b" ")
        try:
            table = pl.read_csv(
                block,
                separator=" ",
                has_header=False,
                quote_char=None,
                schema=self.trailing if spaced else self.schema,
            )
        except (pl.exceptions.PolarsError, ValueError):
            return None
        words, numbers = table["word"], table.select(list(self.schema)[1:])
        if words.null_count() or (spaced and table["trailing"].null_count() != len(table)):
            return None
        if sum(numbers.null_count().row(0)):
            return None
        matrix = np.ascontiguousarray(numbers.to_numpy(), dtype=np.float32)
        if not np.isfinite(matrix).all():
            return None
        return words.to_list(), matrix

    def _slow(self, block: bytes, line: int) -> tuple[list[str], Matrix32, list[int]]:
        words: list[str] = []
        rows: list[Matrix32] = []
        lines: list[int] = []
        for number, raw in enumerate(block.split(b"\n"), start=line):
            text = raw.rstrip(b"\r \t")
            if not text:
                continue
            word, vector, why = self._one(text, number)
            if vector is None:
                if self.bad_lines == "error":
                    raise BadInput.at(self.path, number, f"{why}. To skip and count such lines: --skip-bad-lines")
                self.notes.bad.add(number, why)
                continue
            words.append(word)
            rows.append(vector)
            lines.append(number)
        matrix = np.stack(rows) if rows else np.empty((0, self.dim), dtype=np.float32)
        return words, matrix, lines

    def _one(self, text: bytes, number: int) -> tuple[str, Matrix32 | None, str]:
        """One line: word, vector, or why not. The last `dim` fields are the numbers, all before them the word."""
        fields = text.replace(b"\t", b" ").split(b" ")
        name = b" ".join(fields[: -self.dim]) if len(fields) > self.dim else b""
        if not name.strip():
            return "", None, f"{len(fields) - 1} numbers, expected {self.dim}"
        last = name.rsplit(b" ", 1)
        if len(last) == 2 and _is_number(last[1]):
            return "", None, f"more than the expected {self.dim} numbers"
        try:
            vector = np.array(fields[-self.dim :], dtype=np.float64).astype(np.float32)
        except ValueError:
            return "", None, f"something that is not a number among the {self.dim} fields after the word"
        if not np.isfinite(vector).all():
            return "", None, "NaN or infinity"
        word = name.decode("utf-8", errors="replace")
        if "\ufffd" in word:
            self.notes.undecodable.add(number, word)
        if b" " in name:
            self.notes.spaced.add(number, word)
        return word, vector, ""


def _next_block(stream: IO[bytes], rest: bytes) -> tuple[bytes, bytes]:
    """Whole lines of about BLOCK bytes, and the beginning of the next one."""
    parts = [rest]
    while chunk := stream.read(BLOCK):
        cut = chunk.rfind(b"\n")
        if cut >= 0:
            parts.append(chunk[: cut + 1])
            return b"".join(parts), chunk[cut + 1 :]
        parts.append(chunk)
    return b"".join(parts), b""


def _first_lines(block: bytes, n: int) -> bytes:
    end = -1
    if block.count(b"\n") <= n:
        return block
    for _ in range(n):
        end = block.index(b"\n", end + 1)
    return block[: end + 1]


def _header(block: bytes, path: str) -> Header:
    lines = [line.rstrip(b"\r ") for line in block.split(b"\n", 21)[:20]]
    first = lines[0].split()
    if len(first) == 2 and first[0].isdigit() and first[1].isdigit():
        count, dim = int(first[0]), int(first[1])
        if not 1 <= dim <= LARGEST_DIM:
            raise BadInput.at(path, 1, f"the header says vectors have {dim} dimensions")
        if len(lines) < 2 or not lines[1]:
            raise BadInput.at(path, 1, f"the header promises {count} vectors but none follows")
        return Header(count, dim, 1)
    # most lines decide: one may be cut, another have a word with spaces
    widths = Counter(len(line.split(b" ")) - 1 for line in lines if line)
    dim = max(widths, key=lambda width: (widths[width], -width))
    if dim < 2:
        raise BadInput.at(path, 1, "neither a header (count, dimension) nor a word followed by numbers")
    return Header(None, dim, 0)


def _check_promise(notes: ReadingNotes, header: Header, limit: int | None, path: str, bad_lines: BadLines) -> None:
    if header.count is None:
        return
    met = notes.read + notes.bad.count
    expected = header.count if limit is None else min(limit, header.count)
    if met == expected or (limit is not None and met == limit):
        return
    notes.short = True
    if bad_lines == "error":
        raise BadInput.at(
            path,
            1,
            f"the header promises {header.count} vectors, the file has {met}: a broken download or a cut file? "
            "To use it as it is: --skip-bad-lines",
        )


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


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
