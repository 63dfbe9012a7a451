"""Models converted to CTranslate2: Marian (OPUS-MT), NLLB and M2M (https://opennmt.net/CTranslate2)."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import BadInput, Unknown, require
from evenhand.languages import flores, spellings
from evenhand.storage.atomic import file_hash
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint
from evenhand.systems.scoring import Scale, Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctranslate2 import Translator


class CTranslate2:
    """DIR is what `ct2-transformers-converter --copy_files source.spm target.spm ...` wrote. Loaded when first asked.

    CTranslate2 sorts a batch by length and fills calls of `tokens` tokens. Beam search, so the same text gives the same
    answer; `alternatives` asks for so many of the beam's further hypotheses (at most beam - 1). The fingerprint holds
    the content of every file in DIR and the settings that change the output. Scores are sums of log-probabilities over
    the rendering's pieces and its end.
    """

    scale = Scale()

    def __init__(
        self,
        argument: str,
        *,
        beam: int = 5,
        alternatives: int = 0,
        tokens: int = 4_096,
        longest: int = 256,
        device: str = "auto",
        compute_type: str = "default",
        threads: int = 0,
    ) -> None:
        self._folder = Path(argument)
        self.name = f"ctranslate2:{argument}"
        if not (self._folder / "model.bin").is_file():
            raise BadInput(f"{self.name}: there is no model.bin in that folder")
        self._library = require("ctranslate2", purpose="the system ctranslate2", extra="ctranslate2")
        self._pieces = Pieces(self._folder, system=self.name)
        self._how = {"device": device, "compute_type": compute_type, "intra_threads": threads}
        self._output: dict[str, int] = {"beam_size": beam, "max_decoding_length": longest}
        if alternatives:
            self._output["num_hypotheses"] = 1 + min(alternatives, beam - 1)
        self._sizes: dict[str, str | int] = {"max_batch_size": tokens, "batch_type": "tokens"}
        # large batches, so that there is something to sort by length
        self.batch = Batch(texts=512, characters=200_000, concurrency=1, context=False, seconds=1.0)

    @functools.cached_property
    def fingerprint(self) -> str:
        how = str(self._how["compute_type"])
        return fingerprint("ctranslate2", files=folder_hash(self._folder), **self._output, compute_type=how)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return await asyncio.to_thread(self._translate, requests)

    def _translate(self, requests: list[Request]) -> list[Answer]:
        encoded, prefix = self._encoded(requests)
        prefixes = [prefix] * len(encoded) if prefix else None
        results = self._translator.translate_batch(encoded, target_prefix=prefixes, **self._output, **self._sizes)
        decoded = ([self._pieces.decode(one, prefix) for one in result.hypotheses] for result in results)
        return [Answer(first, tuple(others)) for first, *others in decoded]

    async def score(self, requests: list[Request]) -> list[Score]:
        return await asyncio.to_thread(self._score, requests)

    def _encoded(self, requests: list[Request]) -> tuple[list[list[str]], list[str]]:
        """The sources' pieces, and what every target begins with."""
        source, target = requests[0].source, requests[0].target
        return [self._pieces.encode(one.text, source, target) for one in requests], self._pieces.prefix(target)

    def _score(self, requests: list[Request]) -> list[Score]:
        encoded, prefix = self._encoded(requests)
        wanted = [[*prefix, *self._pieces.target(request.rendering or "")] for request in requests]
        scored = self._translator.score_batch(encoded, wanted, offset=len(prefix), **self._sizes)
        return [Score(sum(one.log_probs), len(one.log_probs)) for one in scored]

    @functools.cached_property
    def _translator(self) -> Translator:
        return self._library.Translator(str(self._folder), **self._how)


def folder_hash(folder: Path) -> str:
    """A hash of the names and contents of all files of a model's folder (hidden ones are not the model's)."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder)
        if any(part.startswith(".") for part in name.parts):
            continue
        digest.update(f"{name.as_posix()}\0".encode())
        digest.update(bytes.fromhex(file_hash(file)))
    return digest.hexdigest()[:16]


# How Marian, NLLB and M2M models write a sentence: SentencePiece pieces and language marks (`>>spa<<`; `eng_Latn` and
# `spa_Latn`; `__en__` and `__es__`). Which family a model is of shows in its vocabulary.

_MARKS = {
    "nllb": re.compile(r"([a-z]{3}_[A-Z][a-z]{3})"),
    "m2m": re.compile(r"__([a-z]{2,3}(?:_[A-Za-z]+)?)__"),
    "marian": re.compile(r">>([A-Za-z_-]+)<<"),
}
SHARED_MODELS = "sentencepiece.bpe.model spm.model sp.model sentencepiece.model spiece.model".split()
VOCABULARIES = ("shared_vocabulary", "source_vocabulary")


def marks_of(vocabulary: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The family of a vocabulary and its language marks by code; no marks at all is a Marian model of one pair."""
    for family, form in _MARKS.items():
        marks = {match[1]: token for token in vocabulary if (match := form.fullmatch(token))}
        if marks:
            return family, marks
    return "marian", {}


def mark_for(code: str, marks: dict[str, str], *, system: str) -> str:
    """The mark of a language given as ISO 639-1, 639-3 or the model's own code."""
    wanted = [code, *sorted(spellings(code)), flores(code)]
    for name in wanted:
        if name in marks:
            return marks[name]
    # an ISO code names a language, NLLB's also a script: take the one script there is, or the first
    for name in sorted(marks):
        if name.partition("_")[0] in wanted:
            return marks[name]
    raise Unknown(f"language of {system}", code, marks)


class Pieces:
    """SentencePiece on both sides of a converted model's folder."""

    def __init__(self, folder: Path, *, system: str) -> None:
        sentencepiece = require("sentencepiece", purpose="the system ctranslate2", extra="ctranslate2")
        self._system = system
        self._source = sentencepiece.SentencePieceProcessor(model_file=str(_first_of(folder, "source.spm")))
        self._target = sentencepiece.SentencePieceProcessor(model_file=str(_first_of(folder, "target.spm")))
        self.family, self._marks = marks_of(_vocabulary(folder))
        config = folder / "config.json"
        settings = json.loads(config.read_text("utf-8")) if config.exists() else {}
        self._ends = not settings.get("add_source_eos", False)

    def encode(self, text: str, source: str, target: str) -> list[str]:
        pieces = [str(piece) for piece in self._source.encode(text, out_type=str)]
        end = ["</s>"] if self._ends else []
        if self.family == "marian":
            mark = [mark_for(target, self._marks, system=self._system)] if self._marks else []
        else:
            mark = [mark_for(source, self._marks, system=self._system)]
        return [*mark, *pieces, *end]

    def target(self, text: str) -> list[str]:
        """A rendering's pieces, without its prefix and end."""
        return [str(piece) for piece in self._target.encode(text, out_type=str)]

    def prefix(self, target: str) -> list[str]:
        """What the target must begin with; it is no part of the translation."""
        return [] if self.family == "marian" else [mark_for(target, self._marks, system=self._system)]

    def decode(self, pieces: Sequence[str], prefix: Sequence[str]) -> str:
        kept = list(pieces)[len(prefix) :] if list(pieces[: len(prefix)]) == list(prefix) else list(pieces)
        return str(self._target.decode([piece for piece in kept if piece not in ("</s>", "<s>", "<pad>")]))


def _first_of(folder: Path, own: str) -> Path:
    """The model of one side, or the one of both."""
    names = (own, *SHARED_MODELS)
    for name in names:
        if (folder / name).is_file():
            return folder / name
    missing = f"{folder} has no SentencePiece model ({', '.join(names)})"
    raise BadInput(f"{missing}: convert with --copy_files and name the tokenizer's files")


def _vocabulary(folder: Path) -> list[str]:
    for name in VOCABULARIES:
        if (folder / f"{name}.json").is_file():
            return [str(token) for token in json.loads((folder / f"{name}.json").read_text("utf-8"))]
        if (folder / f"{name}.txt").is_file():
            return (folder / f"{name}.txt").read_text("utf-8").split("\n")
    raise BadInput(f"{folder} has no {' or '.join(VOCABULARIES)}: it is not a converted translation model")
