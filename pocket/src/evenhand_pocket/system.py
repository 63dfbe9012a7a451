"""The system `pocket` for Evenhand."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path

from evenhand import Answer, BadInput, Batch, Request, Scale, Score, fingerprint
from evenhand_pocket.models import FOLDER, INTO_ENGLISH, OUT_OF_ENGLISH, directions, translator
from evenhand_pocket.translate import STEP, Model


class Pocket:
    """Evenhand's own small neural translator, offline: out of English and into English."""

    takes = ""
    scale = Scale()
    summary = (
        f"Evenhand's own small neural translator: en to {', '.join(OUT_OF_ENGLISH)}; {', '.join(INTO_ENGLISH)} to en"
    )

    def __init__(self, argument: str = "", *, beam: int = 0, alternatives: int = 0, threads: int = 0) -> None:
        if argument:
            raise BadInput(f"the system pocket takes no argument, but was given {argument!r}")
        self.name, self._further = "pocket", alternatives
        self._models: dict[Path, Model] = {
            folder: Model(folder, beam=beam, threads=threads) for folder in (FOLDER / "out", FOLDER / "into")
        }
        # large batches, so that there is something to sort by length
        self.batch = Batch(texts=512, characters=200_000, concurrency=1, context=False, seconds=1.0)

    @property
    def fingerprint(self) -> str:
        models = {f.name: f"{m.fingerprint}/{m.beam}" for f, m in self._models.items()}
        return fingerprint("pocket", **models, **self._more())

    def fingerprint_for(self, source: str, target: str) -> str:
        """Only the model that serves the pair counts: a new one for other languages keeps these answers."""
        found = translator(source, target)
        if found is None:
            return self.fingerprint
        model = self._models[found[0]]
        return fingerprint("pocket", beam=model.beam, model=model.fingerprint, step=STEP, tag=found[1], **self._more())

    def _more(self) -> dict[str, int]:
        return {"alternatives": self._further} if self._further else {}

    def pairs(self) -> set[tuple[str, str]]:
        return set(directions())

    async def translate(self, requests: list[Request]) -> list[Answer]:
        if not requests:
            return []
        model, tag = self._model(requests[0])
        texts = [request.text for request in requests]
        asked = functools.partial(model.candidates, texts, tag, further=self._further)
        return [Answer(first, tuple(others)) for first, *others in await asyncio.to_thread(asked)]

    async def score(self, requests: list[Request]) -> list[Score]:
        """Sums of log-probabilities over the rendering's pieces and its end."""
        model, tag = self._model(requests[0])
        asked = [(request.text, request.rendering or "") for request in requests]
        return [Score(sum(one), len(one)) for one in await asyncio.to_thread(model.scores, asked, tag)]

    def _model(self, request: Request) -> tuple[Model, str]:
        found = translator(request.source, request.target)
        if found is None:
            known = ", ".join(f"{a}-{b}" for a, b in directions())
            raise BadInput(f"pocket does not translate {request.source}-{request.target}; it has {known}")
        return self._models[found[0]], found[1]
