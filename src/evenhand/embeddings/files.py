"""Load and save vector files of every supported format. Formats, by name: .vec .txt (word2vec/fastText with header,
GloVe without), .bin (word2vec binary), .npy and .safetensors (matrix only; the words are in a file beside it, one per
line, same name with .vocab or .txt). Text and binary may be compressed: .gz, .xz, .zst. Pickled formats are not
read."""

import contextlib
import gzip
import hashlib
import json
import lzma
import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from tokenize import TokenError
from typing import IO, Literal, TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.embeddings.vectors import EXACT, Matrix32, ReadingNotes, Vectors, WordMatch, finite, keep_usable
from evenhand.errors import BadInput, require
from evenhand.readers.opening import UserFile, text_lines
from evenhand.storage.atomic import replacing_bytes

BLOCK = 32 << 20
FASTTEXT = (793712314).to_bytes(4, "little")  # how a binary model of fastText begins
LARGEST_DIM = 1 << 16  # a larger header is a lie or not a header
BadLines = Literal["error", "skip"]
Loaded = tuple[list[str], Matrix32, ReadingNotes]
VectorFormat = Literal["text", "glove", "binary", "npy", "safetensors"]
COMPRESSED = (".gz", ".xz", ".zst")
MAPPED: tuple[VectorFormat, ...] = ("npy", "safetensors")  # read where they lie
# numpy reads the header of .npy as Python
UNREADABLE = (ValueError, EOFError, OverflowError, SyntaxError, TokenError, TypeError, RecursionError, MemoryError)
FORMATS: dict[str, VectorFormat] = {".vec": "text", ".txt": "text", ".glove": "glove", ".bin": "binary"}
FORMATS |= {f".{kind}": kind for kind in MAPPED}
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


def load_vectors(
    path: Path | str,
    *,
    top: int | None = None,
    match: WordMatch = EXACT,
    bad_lines: BadLines = "error",
    cache: Path | None = None,
) -> Vectors:
    """Vectors from a file: the first `top` (most frequent) words, or all.

    Text and binary files are kept as a memory-mapped copy in the folder `cache` (by default the user's), so that the
    next load takes milliseconds. Zero vectors and repeated words are left out and counted in `.notes`.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"{path}: {'a folder, not a vector file' if path.is_dir() else 'no such file'}")
    if top is not None and top < 1:
        raise BadInput(f"cannot load the first {top} vectors: give a number from 1")
    kind = format_of(path)
    copy = _copy_of(path, f"{kind}|{top}|{bad_lines}", cache or cache_home() / "vectors")
    loaded = _read_matrix(path, kind, top) if kind in MAPPED else _read_copy(copy)
    if loaded is None:
        with UserFile(path).opened() as stream:
            binary = kind == "binary"
            loaded = _read_binary(stream, path, top) if binary else _read_text(stream, path, top, bad_lines)
        _write_copy(copy, *loaded)
    words, matrix, notes = loaded
    return Vectors(words, matrix, path.name, notes, match)


def save_vectors(vectors: Vectors, path: Path | str) -> None:
    """Write vectors; the name decides the format. Text keeps every bit (shortest decimal that reads back the same)."""
    path = Path(path)
    kind, words = format_of(path), list(vectors.words)
    broken = next((word for word in words if "\n" in word or not word), None)
    if broken is not None:
        raise BadInput(f"{vectors.name}: the word {broken!r} cannot be written on a line")
    with replacing_bytes(path) as raw, _compressed(raw, path) as stream:
        match kind:
            case "npy":
                np.save(stream, np.ascontiguousarray(vectors.matrix), allow_pickle=False)
            case "safetensors":
                _write_safetensors(stream, vectors.matrix, {})
            case "binary":
                stream.write(f"{len(vectors)} {vectors.dim}\n".encode())
                for word, row in zip(words, np.asarray(vectors.matrix, dtype="<f4"), strict=True):
                    stream.write(word.replace(" ", "_").encode() + b" " + row.tobytes() + b"\n")
            case _:
                stream.write(f"{len(vectors)} {vectors.dim}\n".encode() if kind == "text" else b"")
                for start in range(0, len(words), 10_000):
                    part = slice(start, start + 10_000)
                    table = pl.from_numpy(np.ascontiguousarray(vectors.matrix[part]))
                    table.insert_column(0, pl.Series("word", words[part]))
                    stream.write(table.write_csv(include_header=False, separator=" ", quote_style="never").encode())
    if kind in MAPPED:
        with replacing_bytes(path.with_suffix(".vocab")) as stream:
            stream.write(("\n".join(words) + "\n").encode())


def format_of(path: Path) -> VectorFormat:
    """The format by the file's name."""
    packed = path.suffix.lower() in COMPRESSED
    kind = FORMATS.get((Path(path.stem) if packed else path).suffix.lower())
    if kind is None:
        known = " ".join(FORMATS)
        raise BadInput(f"{path}: not a known vector format. Known endings: {known}, also with {' '.join(COMPRESSED)}")
    if kind in MAPPED and packed:
        raise BadInput(f"{path}: {kind} files are memory-mapped and cannot be compressed")
    return kind


def _compressed(raw: IO[bytes], path: Path) -> AbstractContextManager[IO[bytes]]:
    match path.suffix.lower():
        case ".gz":
            return cast("IO[bytes]", gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=6))
        case ".xz":
            return lzma.open(raw, "wb")
        case ".zst":
            zstandard = require("zstandard", purpose="writing .zst files", extra="embeddings")
            writer: AbstractContextManager[IO[bytes]] = zstandard.ZstdCompressor().stream_writer(raw, closefd=False)
            return writer
    return contextlib.nullcontext(raw)


# Text: a header line (count and dimension) or none, then a word and its numbers per line.


def _read_text(stream: IO[bytes], path: Path, limit: int | None, bad_lines: BadLines) -> Loaded:
    """Read words and vectors, at most `limit` lines.

    A malformed line (wrong number of numbers, NaN, infinity, no word) is an error unless bad_lines="skip". A header
    that promises another number of vectors than the file has is treated the same way. Each block of lines goes through
    Polars' CSV parser; a block with anything unusual in it (a missing number, NaN, a word with spaces, bytes that are
    not UTF-8) is read again line by line, so that every complaint has its line number.
    """
    block = stream.readlines(BLOCK)
    if not any(line.strip() for line in block):
        raise BadInput.at(path, None, "the file is empty")
    count, dim = _header(block[:20], path)
    notes = ReadingNotes(format="GloVe text" if count is None else "word2vec text", promised=count)
    words, parts, seen, line = list[str](), list[Matrix32](), set[str](), 1
    if count is not None:
        block, line = block[1:], 2
    while block and (limit is None or notes.met < limit):
        block = block if limit is None else block[: limit - notes.met]
        names, matrix, lines = _parse_at_once(block, line, dim) or _parse_one_by_one(
            block, line, dim, notes, path if bad_lines == "error" else None
        )
        notes.read += len(names)
        kept, kept_matrix = keep_usable(names, matrix, notes, lines=lines, seen=seen)
        words += kept
        parts.append(kept_matrix)
        line += len(block)
        block = stream.readlines(BLOCK)
    if not words:
        raise BadInput.at(path, None, "no usable vector in the file")
    expected = notes.met if count is None else count if limit is None else min(limit, count)
    notes.short = notes.met not in (expected, limit)
    if notes.short and bad_lines == "error":
        why = f"the header promises {count} vectors, the file has {notes.met}: a broken download or a cut file?"
        raise BadInput.at(path, 1, f"{why} To use it as it is: --skip-bad-lines")
    return words, np.concatenate(parts) if len(parts) > 1 else parts[0], notes


def _header(lines: Sequence[bytes], path: Path) -> tuple[int | None, int]:
    """How many vectors the first line promises (None where it is no header), and their dimension."""
    promise = _promise(lines[0], path)
    if promise is not None:
        if len(lines) < 2 or not lines[1].strip():
            raise BadInput.at(path, 1, f"the header promises {promise[0]} vectors but none follows")
        return promise
    # most lines decide: one may be cut, another have a word with spaces
    widths = Counter(line.rstrip(b"\r\n ").count(b" ") for line in lines if line.strip())
    dim = max(widths, key=lambda width: (widths[width], -width))
    if dim < 2:
        raise BadInput.at(path, 1, "neither a header (count, dimension) nor a word followed by numbers")
    return None, dim


def _promise(line: bytes, path: Path) -> tuple[int, int] | None:
    first = line.split()
    if len(first) != 2 or not (first[0].isdigit() and first[1].isdigit()):
        return None
    count, dim = int(first[0]), int(first[1])
    if not 1 <= dim <= LARGEST_DIM:
        raise BadInput.at(path, 1, f"the header says vectors have {dim} dimensions")
    return count, dim


Parsed = tuple[list[str], Matrix32, Sequence[int]]  # words, vectors, line numbers


def _parse_at_once(block: Sequence[bytes], first: int, dim: int) -> Parsed | None:
    """Lines that are all as they should be, else None."""
    blank = ["blank"] if block[0].rstrip(b"\r\n").endswith(b" ") else []
    schema = {"word": pl.String, **{str(i): pl.Float32 for i in range(dim)}, **dict.fromkeys(blank, pl.String)}
    try:
        table = pl.read_csv(b"".join(block), separator=" ", has_header=False, quote_char=None, schema=schema)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    if len(table) != len(block) or any(table[name].null_count() != len(table) * (name in blank) for name in schema):
        return None
    table = table.drop(blank)
    matrix = np.ascontiguousarray(table.drop("word").to_numpy(), dtype=np.float32)
    lines = range(first, first + len(block))
    return (table["word"].to_list(), matrix, lines) if np.isfinite(matrix).all() else None


def _parse_one_by_one(block: Sequence[bytes], first: int, dim: int, notes: ReadingNotes, refuse: Path | None) -> Parsed:
    """Any lines; a malformed one of the file `refuse` is an error, else it is noted."""
    words, rows, lines = list[str](), list[Matrix32](), list[int]()
    bare = ((number, raw.rstrip(b"\r\n \t")) for number, raw in enumerate(block, start=first))
    for number, text in (line for line in bare if line[1]):
        name, vector = _parse_line(text, dim)
        if not isinstance(vector, str):
            words.append(notes.decoded(name, number))
            rows.append(vector)
            lines.append(number)
            if b" " in name:
                notes.spaced.add(number, words[-1])
        elif refuse is not None:
            raise BadInput.at(refuse, number, f"{vector}. To skip and count such lines: --skip-bad-lines")
        else:
            notes.bad.add(number, vector)
    return words, np.array(rows, dtype=np.float32).reshape(-1, dim), lines


def _parse_line(text: bytes, dim: int) -> tuple[bytes, Matrix32 | str]:
    """A word and its vector, or why there is none. The last `dim` fields are the numbers, all before them the word."""
    fields = text.replace(b"\t", b" ").split(b" ")
    name = b" ".join(fields[:-dim]) if len(fields) > dim else b""
    if not name.strip():
        return name, f"{len(fields) - 1} numbers, expected {dim}"
    if b" " in name and _NUMBER.fullmatch(name.rpartition(b" ")[2]):
        return name, f"more than the expected {dim} numbers"
    try:
        vector = np.array(fields[-dim:], dtype=np.float64).astype(np.float32)
    except ValueError:
        return name, f"something that is not a number among the {dim} fields after the word"
    return name, vector if np.isfinite(vector).all() else "NaN or infinity"


def _read_binary(stream: IO[bytes], path: Path, top: int | None) -> Loaded:
    """word2vec binary: "count dimension" line, then word, space, float32 values, perhaps a line break."""
    head = stream.readline(100)
    if head.startswith(FASTTEXT):
        why = "is a fastText model with its subwords, not a table of vectors: give the .vec file of the same model"
        raise BadInput.at(path, None, f"{why} (or print the words' vectors with `fasttext print-word-vectors`)")
    promise = _promise(head, path)
    if promise is None:
        raise BadInput.at(path, 1, "a word2vec binary file starts with the number of words and the dimension")
    count, dim = promise
    wanted = count if top is None else min(top, count)
    data = stream.read() if top is None else stream.read(wanted * (4 * dim + 200))
    notes = ReadingNotes(format="word2vec binary", promised=count)
    words, rows, place = list[str](), list[Matrix32](), 0
    for number in range(1, wanted + 1):
        end = data.find(b" ", place)
        if end < 0 or end + 1 + 4 * dim > len(data):
            raise BadInput.at(path, None, f"ends inside vector {number} of the {count} its header promises")
        words.append(notes.decoded(data[place:end].lstrip(b"\n"), number))
        rows.append(np.frombuffer(data, dtype="<f4", count=dim, offset=end + 1))
        place = end + 1 + 4 * dim
    if top is None and data[place:].strip(b"\n"):
        raise BadInput.at(path, None, f"{len(data) - place} bytes follow the {count} vectors its header promises")
    matrix = np.stack(rows) if rows else np.empty((0, dim), np.float32)
    return *finite(str(path), words, matrix, notes), notes


def _read_matrix(path: Path, kind: str, top: int | None) -> Loaded:
    beside = [path.with_suffix(suffix) for suffix in (".vocab", ".txt")]
    vocabulary = next((file for file in beside if file.is_file()), None)
    if vocabulary is None:
        raise BadInput(f"{path}: the words are missing. Put them, one per line, into {beside[0]}")
    try:
        npy = kind == "npy"
        loaded, metadata = (np.load(path, mmap_mode="r", allow_pickle=False), {}) if npy else _read_safetensors(path)
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
    notes = ReadingNotes(format=kind, seldom=tuple(metadata.get("seldom", "").split()))
    return *finite(str(path), words[:top], np.asarray(loaded[:top], dtype=np.float32), notes), notes


# The memory-mapped copy of a vector file: one safetensors file with the words and the notes among its metadata. It is
# named by a hash of how the file was read and of its path, size, times and inode; anything that touches it changes one.

LAYOUT = "2"  # part of every name: raise it when reading changes


def cache_home() -> Path:
    """$EVENHAND_CACHE, else $XDG_CACHE_HOME/evenhand, else ~/.cache/evenhand."""
    given, base = os.environ.get("EVENHAND_CACHE"), os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(given) if given else Path(base) / "evenhand"


def _copy_of(path: Path, options: str, home: Path) -> Path:
    status = path.stat()
    times = f"{status.st_size}|{status.st_mtime_ns}|{status.st_ctime_ns}|{status.st_ino}"
    name = hashlib.sha256(f"{LAYOUT}|{options}|{path.resolve()}|{times}".encode()).hexdigest()[:40]
    return home / f"{name}.safetensors"


def _read_copy(path: Path) -> Loaded | None:
    """None when there is no copy, or a damaged one."""
    try:
        matrix, metadata = _read_safetensors(path)
        words, notes = metadata["words"].split("\n"), ReadingNotes.from_json(metadata["notes"])
    except (BadInput, OSError, ValueError, KeyError, TypeError):
        return None
    return (words, matrix, notes) if len(words) == len(matrix) else None


def _write_copy(path: Path, words: list[str], matrix: Matrix32, notes: ReadingNotes) -> None:
    """Keep the vectors; silently not when the cache cannot be written or a word holds a line break."""
    text = "\n".join(words)
    if text.count("\n") == len(words) - 1:
        with contextlib.suppress(BadInput), replacing_bytes(path) as stream:
            _write_safetensors(stream, matrix, {"words": text, "notes": json.dumps(asdict(notes), ensure_ascii=False)})


# The safetensors container: an 8-byte length, a JSON header, raw little-endian tensors. No code is ever run.
# Format: https://github.com/huggingface/safetensors (README, "Format"). Only what is needed here: one 2-D tensor,
# which may be kept in 8 bits (I8) with one factor per row in a tensor named `scales`.

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I8": "<i1"}
NAMES = ("vectors", "embeddings", "embedding", "weight")
SCALES, METADATA = "scales", "__metadata__"
LONGEST_HEADER = 100 << 20


class TensorEntry(TypedDict):
    """A tensor as the header describes it."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def _read_safetensors(path: Path) -> tuple[Matrix32, dict[str, str]]:
    """The word matrix of a file, and its metadata: ours list the words that the training text seldom has (`seldom`)."""
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if not 2 <= length <= min(LONGEST_HEADER, path.stat().st_size - 8):
            raise BadInput.at(path, None, "not a safetensors file (impossible header length)")
        try:
            header = json.loads(stream.read(length))
        except (ValueError, RecursionError) as error:
            raise BadInput.at(path, None, "not a safetensors file (the header is not JSON)") from error
    try:
        metadata = {str(name): str(text) for name, text in header.pop(METADATA, {}).items()}
        return _matrix(path, header, 8 + length), metadata
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise BadInput.at(path, None, f"not a safetensors file (a tensor's entry lacks {error})") from error


def _matrix(path: Path, entries: Mapping[str, TensorEntry], start: int) -> Matrix32:
    """The tensor named vectors/embeddings/embedding/weight, or the only 2-D one; the data begins at `start`."""
    flat = [name for name, entry in entries.items() if len(entry["shape"]) == 2]
    name = next((name for name in NAMES if name in flat), flat[0] if len(flat) == 1 else None)
    if name is None:
        raise BadInput.at(path, None, f"which tensor holds the words? 2-D tensors: {', '.join(flat) or 'none'}")
    raw, kind = _tensor(path, name, entries[name], start), entries[name]["dtype"]
    if kind == "I8":
        scales = entries.get(SCALES)
        if scales is None or scales["dtype"] not in ("F16", "F32", "F64") or scales["shape"] != [len(raw)]:
            raise BadInput.at(path, None, f"tensor {name} is I8 and needs one factor per row in a tensor {SCALES}")
        factors = np.asarray(_tensor(path, SCALES, scales, start), np.float32)
        return np.asarray(raw, np.float32) * factors[:, None]
    return (raw.astype(np.uint32) << 16).view(np.float32) if kind == "BF16" else np.asarray(raw, dtype=np.float32)


def _tensor(path: Path, name: str, entry: TensorEntry, start: int) -> npt.NDArray[np.generic]:
    if entry["dtype"] not in DTYPES:
        raise BadInput.at(path, None, f"tensor {name} is {entry['dtype']}; known: {', '.join(DTYPES)}")
    (first, end), shape, dtype = entry["data_offsets"], tuple(entry["shape"]), np.dtype(DTYPES[entry["dtype"]])
    if end - first != math.prod(shape) * dtype.itemsize or start + end > path.stat().st_size:
        raise BadInput.at(path, None, f"tensor {name} does not fit its {end - first} bytes; a cut file?")
    return np.memmap(path, dtype=dtype, mode="r", offset=start + first, shape=shape)


def _write_safetensors(stream: IO[bytes], matrix: Matrix32, metadata: Mapping[str, str]) -> None:
    """One float32 tensor. The header is padded to 8 bytes so that the data is aligned."""
    data = np.ascontiguousarray(matrix, dtype="<f4")
    entry = {"dtype": "F32", "shape": list(data.shape), "data_offsets": [0, data.nbytes]}
    header = json.dumps({METADATA: {"writer": "evenhand", **metadata}, NAMES[0]: entry}, ensure_ascii=False).encode()
    header += b" " * (-len(header) % 8)
    stream.write(len(header).to_bytes(8, "little") + header)
    stream.write(data.tobytes())
