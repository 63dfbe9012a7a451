"""Apertium on this machine: the command line with the language pairs that are installed."""

import functools
import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import TypeVar

from evenhand.errors import BadInput, BadReply, SystemFailed
from evenhand.languages import spellings
from evenhand.storage.atomic import file_hash
from evenhand.systems.command import run_program
from evenhand.systems.http import Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, TryAgain, check_pair, fingerprint
from evenhand.systems.replies import dig

T = TypeVar("T")
_RESERVED = re.compile(r"([\[\]{}^$/\\@<>])")
_BLANKS = re.compile(r"[\n\r\t~\0]+")
_PROTECTED = re.compile(r"\\(.)|\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


class Apertium:
    """One process for a whole batch, unknown-word marks off, every text translated as if it were alone.

    Texts are written in Apertium's stream format and separated by null flushes, which end every rule's reach; with
    one text per line, rules and the tagger read across line ends and a rendering depends on its neighbours. Line breaks
    and the format's own signs are protected, so that texts neither merge nor split. The output is what
    `echo TEXT | apertium -u PAIR` gives, character by character.

    Languages are ISO 639-1 or 639-3 codes; both of an installed pair's spellings (eu-en, eng-spa) are tried.
    """

    def __init__(self, argument: str = "", *, texts: int = 2_000, concurrency: int = 1) -> None:
        self.name = f"apertium:{argument}" if argument else "apertium"
        self._data = Path(argument) if argument else None
        program = shutil.which("apertium")
        if program is None:
            raise BadInput("apertium is not installed on this machine. On Debian: apt install apertium apertium-eu-en")
        if self._data is not None and not (self._data / "modes").is_dir():
            raise BadInput(f"{self.name}: there is no folder {self._data / 'modes'}")
        self._program, self._place = program, ["-d", argument] if argument else []
        self._marks: dict[str, str] = {}
        self.batch = Batch(texts=texts, characters=500_000, concurrency=concurrency, context=False, seconds=1.0)

    @functools.cached_property
    def modes(self) -> dict[tuple[str, str], str]:
        """Installed directions under every spelling of their languages, with the name Apertium knows them by."""
        modes = ((mode.split("-"), mode) for mode in sorted(self._ask("-l").split()))
        return spelt((sides[0], sides[1], mode) for sides, mode in modes if len(sides) == 2)

    def pairs(self) -> set[tuple[str, str]]:
        return set(self.modes)

    @functools.cached_property
    def fingerprint(self) -> str:
        marks = {mode: self.fingerprint_for(*pair) for pair, mode in self.modes.items()}
        return fingerprint(self.name, **marks)

    def fingerprint_for(self, source: str, target: str) -> str:
        """The engine's version and the content of every data file the pair's mode names."""
        check_pair(self, source, target)
        mode = self.modes[source, target]
        if mode not in self._marks:
            self._marks[mode] = self._mark(mode)
        return self._marks[mode]

    def _mark(self, mode: str) -> str:
        folder = self._data or Path(self._program).resolve().parents[1] / "share" / "apertium"
        file = folder / "modes" / f"{mode}.mode"
        try:
            pipeline = file.read_text("utf-8")
        except OSError:
            return fingerprint(self.name, engine=self.version, mode=mode)
        digest = hashlib.sha256()
        for quoted, bare in sorted(set(re.findall(r"'([^']+)'|(/\S+)", pipeline))):
            data = Path(quoted or bare)
            if data.is_file():
                digest.update(bytes.fromhex(file_hash(data)))
        return fingerprint(self.name, engine=self.version, mode=mode, pipeline=pipeline, data=digest.hexdigest())

    async def translate(self, requests: list[Request]) -> list[Answer]:
        check_pair(self, requests[0].source, requests[0].target)
        mode = self.modes[requests[0].source, requests[0].target]
        stream = "".join(f"{deformatted(request.text)}\0" for request in requests)
        command = [self._program, *self._place, "-u", "-z", "-f", "none", mode]
        out = await run_program(command, stream, name=f"{self.name} {mode}")
        pieces = out.split("\0")
        # modules pass on their own flush at the end of the input: empty pieces after the last text
        if len(pieces) <= len(requests) or any(pieces[len(requests) :]):
            raise BadReply(f"{self.name} {mode} was given {len(requests)} texts and wrote {len(pieces) - 1}")
        return [Answer(reformatted(piece)) for piece in pieces[: len(requests)]]

    @functools.cached_property
    def version(self) -> str:
        return self._ask("-V").strip()

    def _ask(self, option: str) -> str:
        done = subprocess.run([self._program, *self._place, option], capture_output=True, text=True, check=False)
        if done.returncode != 0 and not done.stdout:
            raise SystemFailed(f"{self.name}: `apertium {option}` failed: {done.stderr.strip()[:200]}")
        return done.stdout or done.stderr


def spelt(named: Iterable[tuple[str, str, T]]) -> dict[tuple[str, str], T]:
    """What stands for a pair of languages, under every spelling of both; the first wins."""
    by_pair: dict[tuple[str, str], T] = {}
    for source, target, name in named:
        for pair in product(spellings(source), spellings(target)):
            by_pair.setdefault(pair, name)
    return by_pair


def deformatted(text: str) -> str:
    """A text in Apertium's stream format: reserved signs escaped, line breaks in blanks, and the end `.[]` that
    apertium-destxt writes, which lets the last sentence's rules fire and is taken away afterwards."""
    escaped = _RESERVED.sub(r"\\\1", text.replace("\0", " "))
    return _BLANKS.sub(lambda match: f"[{match[0]}]", escaped) + ".[]"


def reformatted(piece: str) -> str:
    """The text behind a piece of the output stream: the opposite of `deformatted`."""
    text = piece.removesuffix(".[]") if piece.endswith(".[]") else piece.replace(".[]", "")
    return _PROTECTED.sub(lambda match: match[1] or match[2] or "", text)


class ApertiumApy(Rest):
    """POST /translate, one text per call (the service takes no list), unknown-word marks off, plain text.

    The service does not report the version of its pairs, so the fingerprint holds its address only.
    """

    batch = Batch(texts=1, characters=10_000, concurrency=4, context=False)

    def __init__(self, argument: str, *, timeout: float = 60.0) -> None:
        self._http = Http("apertium-apy", timeout=timeout)
        self._url = self._http.base(argument)
        self.name = f"apertium-apy:{self._url}"
        self.fingerprint = fingerprint(self.name)

    @functools.cached_property
    def _modes(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The server's own pairs, under every spelling of their languages."""
        listed = dig(self._http.get_json(f"{self._url}/listPairs"), "responseData")
        every = listed if isinstance(listed, list) else []
        pairs = [(str(dig(pair, "sourceLanguage")), str(dig(pair, "targetLanguage"))) for pair in every]
        return spelt((*pair, pair) for pair in pairs)

    def pairs(self) -> set[tuple[str, str]] | None:
        return set(self._modes) or None

    async def translate(self, requests: list[Request]) -> list[Answer]:
        [request] = requests
        check_pair(self, request.source, request.target)
        source, target = self._modes.get((request.source, request.target), (request.source, request.target))
        fields = {"langpair": f"{source}|{target}", "q": request.text, "markUnknown": "no", "format": "txt"}
        reply = await self._http.post_json(f"{self._url}/translate", form=fields)
        text = dig(reply, "responseData", "translatedText")
        if not isinstance(text, str):
            raise TryAgain(f"{self.name}: the reply has no translatedText", otherwise=BadReply)
        return [Answer(text)]
