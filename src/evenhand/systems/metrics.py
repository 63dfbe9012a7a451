"""Quality metrics as scorers: sacrebleu's chrF and BLEU with a reference, COMET-like models from a checkpoint."""

import asyncio
import functools
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from evenhand.errors import BadInput, require
from evenhand.storage.atomic import file_hash
from evenhand.systems.protocol import Batch, Request, fingerprint
from evenhand.systems.scoring import Scale, Score


class ChrF:
    """Sentence chrF of each rendering against the suite's column `reference`, with sacrebleu's own defaults."""

    name, metric, options = "chrF", "CHRF", dict[str, bool]()
    scale = Scale("score", "higher", (0.0, 100.0))
    batch = Batch(texts=1_000, characters=1_000_000, concurrency=1, context=False)

    def __init__(self, argument: str) -> None:
        library = require("sacrebleu", purpose=f"the scorer {self.name}", extra="quality")
        self.fingerprint = fingerprint(self.name, sacrebleu=library.__version__)
        self._metric = getattr(library, self.metric)(**self.options)

    async def score(self, requests: list[Request]) -> list[Score]:
        if any(request.reference is None for request in requests):
            raise BadInput(f"{self.name} compares with a reference: this suite has no column reference")
        pairs = [(request.rendering or "", [request.reference or ""]) for request in requests]
        return [Score(self._metric.sentence_score(*one).score) for one in pairs]


class Bleu(ChrF):
    """Sentence BLEU, smoothed, with the effective order of short sentences."""

    name, metric, options = "BLEU", "BLEU", {"effective_order": True}


class _Output(Protocol):
    scores: list[float]


class Comet:
    """PATH is a checkpoint (.ckpt) that you have; nothing is downloaded. The reference is sent where the suite has one.

    `better`, `lowest` and `highest` describe its values; `texts` is its batch, `gpus` how many of them it uses.
    """

    def __init__(
        self,
        argument: str,
        *,
        better: str = "higher",
        lowest: str = "",
        highest: str = "",
        texts: int = 16,
        gpus: int = 0,
    ) -> None:
        self.name, self._path, self._texts, self._gpus = f"comet:{argument}", Path(argument), texts, gpus
        if find_spec("comet") is None:
            raise BadInput("the scorer comet needs the package unbabel-comet: pip install unbabel-comet")
        if not self._path.is_file():
            raise BadInput(f"{self.name}: no such checkpoint; name the model's .ckpt file")
        self.scale = Scale.stated("score", better, lowest, highest)
        self.batch = Batch(texts=512, characters=1_000_000, concurrency=1, context=False)

    @functools.cached_property
    def fingerprint(self) -> str:
        return fingerprint("comet", model=file_hash(self._path)[:16])

    @functools.cached_property
    def _predict(self) -> Callable[..., _Output]:
        predict: Callable[..., _Output] = import_module("comet").load_from_checkpoint(str(self._path)).predict
        return predict

    async def score(self, requests: list[Request]) -> list[Score]:
        rows = [
            {"src": r.text, "mt": r.rendering or "", **({} if r.reference is None else {"ref": r.reference})}
            for r in requests
        ]
        ask = functools.partial(self._predict, rows, batch_size=self._texts, gpus=self._gpus, progress_bar=False)
        return [Score(float(value)) for value in (await asyncio.to_thread(ask)).scores]
