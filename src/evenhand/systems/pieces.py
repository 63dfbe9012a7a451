"""How Marian, NLLB and M2M models write a sentence: SentencePiece pieces and language marks.

The mark differs by family: Marian models with several targets want `>>spa<<` before the source, NLLB wants `eng_Latn`
before the source and `spa_Latn` before the target, M2M wants `__en__` and `__es__`. Which family a model is of shows in
its vocabulary.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import BadInput, Unknown, require
from evenhand.languages import flores, spellings

_MARKS = {
    "nllb": re.compile(r"([a-z]{3}_[A-Z][a-z]{3})"),
    "m2m": re.compile(r"__([a-z]{2,3}(?:_[A-Za-z]+)?)__"),
    "marian": re.compile(r">>([A-Za-z_-]+)<<"),
}
SOURCE_MODELS = (
    "source.spm",
    "sentencepiece.bpe.model",
    "spm.model",
    "sp.model",
    "sentencepiece.model",
    "spiece.model",
)
TARGET_MODELS = ("target.spm", *SOURCE_MODELS[1:])
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
        self._source = sentencepiece.SentencePieceProcessor(model_file=str(_first_of(folder, SOURCE_MODELS)))
        self._target = sentencepiece.SentencePieceProcessor(model_file=str(_first_of(folder, TARGET_MODELS)))
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

    def prefix(self, target: str) -> list[str]:
        """What the target must begin with; it is no part of the translation."""
        return [] if self.family == "marian" else [mark_for(target, self._marks, system=self._system)]

    def decode(self, pieces: Sequence[str], prefix: Sequence[str]) -> str:
        kept = list(pieces)[len(prefix) :] if list(pieces[: len(prefix)]) == list(prefix) else list(pieces)
        return str(self._target.decode([piece for piece in kept if piece not in ("</s>", "<s>", "<pad>")]))


def _first_of(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise BadInput(
        f"{folder} has no SentencePiece model ({', '.join(names)}): convert with "
        "--copy_files and name the tokenizer's files"
    )


def _vocabulary(folder: Path) -> list[str]:
    for name in VOCABULARIES:
        if (folder / f"{name}.json").is_file():
            return [str(token) for token in json.loads((folder / f"{name}.json").read_text("utf-8"))]
        if (folder / f"{name}.txt").is_file():
            return (folder / f"{name}.txt").read_text("utf-8").split("\n")
    raise BadInput(f"{folder} has no {' or '.join(VOCABULARIES)}: it is not a converted translation model")
