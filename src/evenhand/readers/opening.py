"""The one place where a user's file is opened: a path or standard input, plain or as .gz, .xz or .zst."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from evenhand.errors import BadInput, require
from evenhand.storage.tables import MOST_UNPACKED, UNPACKED_FREELY

STDIN = "-"
BLOCK_LINES = 20_000
BLOCK_BYTES = 32 << 20  # lines of a megabyte must not pile up
READ = 1 << 20  # bytes decoded at once
LONGEST_LINE = 64 << 20
UTF16 = "the file is UTF-16, not UTF-8; save it as UTF-8"
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")  # .xlsx and .ods are zip archives, .xls is OLE


if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


@dataclass(frozen=True)
class UserFile:
    """A file as the user gave it; no path is standard input. `held` are other bytes that could be put in its place."""

    path: Path | None
    held: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, given: Path | str) -> UserFile:
        """ "-" is standard input, everything else a path."""
        return cls(None if str(given) == STDIN else Path(given))

    @property
    def name(self) -> str:
        return "stdin" if self.path is None else str(self.path)

    @property
    def stem(self) -> str:
        """The file's name without the suffixes of its format and compression."""
        return Path(self._bare()).stem

    @property
    def suffix(self) -> str:
        """The suffix that tells the format, in lower case, without that of a compression; "" where there is none."""
        return Path(self._bare()).suffix.lower()

    @property
    def plain(self) -> Path | None:
        """The path of a file that is not compressed, for readers that open it themselves."""
        here = self.held is None and self.path is not None and self.path.suffix.lower() not in _OPENERS
        return self.path if here else None

    def _bare(self) -> str:
        if self.path is None:
            return ""
        return self.path.stem if self.path.suffix.lower() in _OPENERS else self.path.name

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The bytes behind any compression. What cannot be read, or not to its end, is a BadInput."""
        try:
            if self.held is not None:
                yield io.BytesIO(self.held)
            elif self.path is None:
                yield sys.stdin.buffer
            else:
                opener = _OPENERS.get(self.path.suffix.lower())
                with _plain(self.path) if opener is None else _bounded(opener, self.path) as stream:
                    yield stream
        except _damaged() as error:
            raise BadInput(f"{self.name}: cannot be read to its end ({error}); is it damaged or cut?") from error
        except OSError as error:
            raise BadInput(f"{self.name}: cannot be read ({error.strerror or error})") from error

    def content(self) -> bytes:
        """All its bytes, for a hash or a format that cannot be read in parts."""
        with self.opened() as stream:
            return stream.read()

    def lines(self, *, lenient: bool = False) -> Iterator[tuple[int, str]]:
        """Lines with their numbers from 1, without a byte order mark. Only "\\n" ends a line (a text may hold U+2028);
        a "\\r" before it is dropped."""
        for first, block in self.blocks(lenient=lenient):
            yield from enumerate(block, first)

    def blocks(self, *, lenient: bool = False) -> Iterator[tuple[int, list[str]]]:
        """The lines in blocks that fit into memory, with the number of each first one. What is not UTF-8 is an error,
        or with `lenient` a U+FFFD: of a hundred million lines some are broken."""
        first, held, waiting = 1, 0, list[str]()
        with self.opened() as stream:
            for raw in self._whole_lines(stream):
                waiting += self._decoded(raw, first + len(waiting), lenient)
                held += len(raw)
                while len(waiting) >= BLOCK_LINES or held >= BLOCK_BYTES:
                    yield first, waiting[:BLOCK_LINES]
                    first += len(waiting[:BLOCK_LINES])
                    waiting, held = waiting[BLOCK_LINES:], 0
        if waiting or first == 1:
            yield first, waiting

    def _whole_lines(self, stream: IO[bytes]) -> Iterator[bytes]:
        """About a megabyte at a time, up to the end of a line; one line of a size no text has is an error."""
        begun, number = list[bytes](), 1
        held = 0
        while chunk := stream.read(READ):
            cut = chunk.rfind(b"\n") + 1
            if cut:
                whole = b"".join([*begun, chunk[:cut]])
                number += whole.count(b"\n")
                yield whole
                begun, held = [], 0
            begun.append(chunk[cut:])
            held += len(chunk) - cut
            if held > LONGEST_LINE:
                raise BadInput.at(self.name, number, f"a line longer than {LONGEST_LINE >> 20} MB; is it a text file?")
        if held:
            yield b"".join(begun)

    def _decoded(self, block: bytes, first: int, lenient: bool) -> list[str]:
        if first == 1 and block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise BadInput.at(self.name, 1, UTF16)
        if first == 1 and 3 * block[:2_000].count(0) > len(block[:2_000]):  # every other byte, without a mark before it
            raise BadInput.at(self.name, 1, UTF16)
        if first == 1 and block.startswith(_WORKBOOKS):
            raise BadInput.at(self.name, 1, "a workbook or an archive, not a text; save its sheet as CSV in UTF-8")
        block = block.removeprefix(codecs.BOM_UTF8) if first == 1 else block
        try:
            lines = block.decode("utf-8", "replace" if lenient else "strict").removesuffix("\n").split("\n")
        except UnicodeDecodeError as error:
            line, column = block.count(b"\n", 0, error.start), error.start - block.rfind(b"\n", 0, error.start)
            told = f"byte 0x{block[error.start]:02x} is not UTF-8; save the file as UTF-8 (iconv -t utf-8 converts one)"
            raise BadInput.at(self.name, first + line, told, column=column) from error
        return [line.removesuffix("\r") for line in lines] if b"\r" in block else lines


def _plain(path: Path) -> IO[bytes]:
    return path.open("rb")


def _bounded(opener: Callable[[Path], IO[bytes]], path: Path) -> IO[bytes]:
    return io.BufferedReader(_Bounded(opener(path), path), READ)


class _Bounded(io.RawIOBase):
    """The content of a compressed file, as long as it is one that somebody packed: text shrinks to a tenth, not to a
    thousandth. What unfolds to gigabytes is an error before it is in memory."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream, self._path, self._read = stream, path, 0
        self._most = max(UNPACKED_FREELY, MOST_UNPACKED * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        content = self._stream.read(len(view))
        view[: len(content)] = content
        self._read += len(content)
        if self._read > self._most:
            raise BadInput(
                f"{self._path}: unpacks to more than {MOST_UNPACKED} times its size; if that is right, unpack it first"
            )
        return len(content)


class _Zstandard(io.RawIOBase):
    """The content of a .zst file of one frame or several. The package's own reader takes a cut file for a whole one."""

    CHUNK = 4_096  # a few bytes may unfold to 128 KB

    def __init__(self, path: Path) -> None:
        zstandard = require("zstandard", purpose="reading .zst files", extra="zst")
        self._frames = zstandard.ZstdDecompressor().decompressobj
        self._frame: Any = None  # the package has no types
        self._file, self._ready = path.open("rb"), memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._ready:
            ended = self._frame is None or self._frame.eof
            chunk = (self._frame.unused_data if self._frame and ended else b"") or self._file.read(self.CHUNK)
            if not chunk and not ended:
                raise EOFError("the last frame has no end")
            if not chunk:
                return 0
            self._frame = self._frames() if ended else self._frame
            self._ready = memoryview(self._frame.decompress(chunk))
        view = memoryview(buffer)
        length = min(len(view), len(self._ready))
        view[:length], self._ready = self._ready[:length], self._ready[length:]
        return length


_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": lambda path: cast("IO[bytes]", gzip.open(path)),  # noqa: SIM115  # closed by who asked for it
    ".xz": lzma.open,
    ".zst": lambda path: io.BufferedReader(_Zstandard(path)),
}


def packed(content: bytes, path: Path) -> bytes:
    """The content as a file of this name holds it: compressed if its suffix is that of a compressed file."""
    match path.suffix.lower():
        case ".gz":
            return gzip.compress(content, mtime=0)
        case ".xz":
            return lzma.compress(content)
        case ".zst":
            zstandard = require("zstandard", purpose="writing .zst files", extra="zst")
            return bytes(zstandard.ZstdCompressor().compress(content))
    return content


def _damaged() -> tuple[type[Exception], ...]:
    """What broken compression raises; zstandard's own only where it was needed."""
    loaded = sys.modules.get("zstandard")
    return (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, *([loaded.ZstdError] if loaded else []))


def text_lines(path: Path) -> list[str]:
    """All lines of a text file, for formats that are published as they are."""
    return [text for _, text in UserFile(path).lines()]
