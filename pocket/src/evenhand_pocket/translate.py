"""Translation with CTranslate2; needs neither Evenhand nor a network."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, cast

from evenhand_pocket.models import BEAMS, directions, translator

T_co = TypeVar("T_co", covariant=True)
MOST_THREADS = 16
TOKENS, STEP = 1024, 4  # of a batch; texts share one where their lengths, rounded up to STEP, are equal
# asynchronous: batches are worked on at the same time, one on each core
SCORED: dict[str, object] = {"max_batch_size": 2048, "batch_type": "tokens", "asynchronous": True}


class _Result(Protocol):
    hypotheses: list[list[str]]


class _Scored(Protocol):
    log_probs: list[float]


class _Later(Protocol[T_co]):
    def result(self) -> T_co: ...


class _Translator(Protocol):
    def translate_batch(self, source: Sequence[Sequence[str]], **settings: object) -> list[_Later[_Result]]: ...
    def score_batch(
        self, source: list[list[str]], target: list[list[str]], **settings: object
    ) -> list[_Later[_Scored]]: ...


class _Pieces(Protocol):
    def encode(self, texts: list[str], *, out_type: type[str]) -> list[list[str]]: ...
    def decode(self, pieces: list[str]) -> str: ...


def tidy(text: str) -> str:
    """Text as the models were trained on it: plain spaces and apostrophes, no soft hyphens."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("\u00ad", "").replace("\ufeff", "")).strip()


def _cores() -> int:
    """The cores this process may use: fewer where its affinity or OpenMP's variable says so."""
    allowed = getattr(os, "sched_getaffinity", None)
    here = len(allowed(0)) if allowed else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(here, MOST_THREADS, int(wanted) if wanted.isdecimal() and int(wanted) else here)


def rounded(length: int) -> int:
    return -(-length // STEP) * STEP


def batches(lengths: Mapping[int, int]) -> list[list[int]]:
    """Texts of nearly one length together, the longest first, with room for one more."""
    groups: dict[int, list[int]] = {}
    for i, length in lengths.items():
        groups.setdefault(rounded(length), []).append(i)
    sizes = {length: max(TOKENS // length - 1, 1) for length in groups}
    return [
        group[start : start + sizes[length]]
        for length, group in sorted(groups.items(), reverse=True)
        for start in range(0, len(group), sizes[length])
    ]


def filled(texts: list[list[str]]) -> list[list[str]]:
    """The texts, with one more of the rounded length where none has it.

    Shorter texts are padded to the longest of their batch, which changes the last bits of a score and so, in a tie, an
    answer: a text is always padded to the same length, so that its answer does not depend on what else is asked.
    """
    longest = max(texts, key=len)
    short = rounded(len(longest)) - len(longest)
    return [*texts, longest + longest[-1:] * short] if short else texts


class Model:
    """One model folder, loaded when first asked. Beam search, so the same text gives the same answer.

    `beam` 0 is the model's own width, `threads` 0 one for each core.
    """

    def __init__(self, folder: Path, *, beam: int = 0, threads: int = 0) -> None:
        self.folder, self.beam, self._threads = folder, beam or BEAMS[folder.name], threads

    @functools.cached_property
    def _translator(self) -> _Translator:
        import ctranslate2

        # several batches at once, each on one thread: threads that share a batch spend half their time waiting
        threads = {"inter_threads": self._threads or _cores(), "intra_threads": 1}
        return cast("_Translator", ctranslate2.Translator(str(self.folder), "cpu", compute_type="int8", **threads))

    @functools.cached_property
    def _pieces(self) -> _Pieces:
        import sentencepiece

        return cast("_Pieces", sentencepiece.SentencePieceProcessor(model_file=str(self.folder / "pieces.model")))

    @functools.cached_property
    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for name in ("config.json", "model.bin", "pieces.model", "shared_vocabulary.json", "vmap.txt"):
            with (self.folder / name).open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()[:16]

    def translate(self, texts: Sequence[str], tag: str) -> list[str]:
        """One translation per text, in order; an empty text stays empty."""
        return [first for first, *_ in self.candidates(texts, tag)]

    def candidates(self, texts: Sequence[str], tag: str, *, further: int = 0) -> list[list[str]]:
        """The translation of each text and `further` of the beam's other hypotheses (at most its width less one)."""
        clean = [tidy(text) for text in texts]
        asked = [i for i, text in enumerate(clean) if text]
        cut = self._pieces.encode([clean[i] for i in asked], out_type=str) if asked else []
        # positions beyond 256 were never seen: a longer text is cut there
        texts_in = {i: ([tag] if tag else []) + pieces[:240] for i, pieces in zip(asked, cut, strict=True)}
        answers = [[""] for _ in clean]
        settings: dict[str, object] = {"beam_size": self.beam, "num_hypotheses": 1 + min(further, self.beam - 1)}
        # the map keeps to the pieces of the language
        settings |= {"max_decoding_length": 240, "use_vmap": True, "asynchronous": True}
        waiting = [
            (batch, self._translator.translate_batch(filled([texts_in[i] for i in batch]), **settings))
            for batch in batches({i: len(pieces) for i, pieces in texts_in.items()})
        ]
        for batch, results in waiting:
            for i, later in zip(batch, results, strict=False):
                answers[i] = [self._pieces.decode(hypothesis) for hypothesis in later.result().hypotheses]
        return answers

    def scores(self, pairs: Sequence[tuple[str, str]], tag: str) -> list[list[float]]:
        """The log-probability of every piece of each (text, translation), its end included.

        Over the whole vocabulary: the map of pieces by language that speeds up translating is not used here.
        """
        sides = [self._pieces.encode([tidy(text) for text in side], out_type=str) for side in zip(*pairs, strict=True)]
        groups: dict[tuple[int, int], list[int]] = {}
        for i, (source, target) in enumerate(zip(*sides, strict=True)):
            groups.setdefault((len(source), len(target)), []).append(i)
        scored: list[list[float]] = [[] for _ in pairs]
        waiting = []
        for _, group in sorted(groups.items(), reverse=True):  # of one length: no score depends on what else is asked
            sources = [([tag] if tag else []) + sides[0][i][:240] for i in group]
            targets = [sides[1][i][:240] for i in group]
            waiting.append((group, self._translator.score_batch(sources, targets, **SCORED)))
        for group, results in waiting:
            for i, later in zip(group, results, strict=True):
                scored[i] = list(later.result().log_probs)
        return scored


def open_model(source: str, target: str, *, beam: int = 0, threads: int = 0) -> tuple[Model, str]:
    """The model for a direction and its tag. ValueError names the directions there are."""
    found = translator(source, target)
    if found is None:
        known = ", ".join(f"{a}-{b}" for a, b in directions())
        raise ValueError(f"pocket does not translate {source}-{target}; it has {known}")
    return Model(found[0], beam=beam, threads=threads), found[1]
