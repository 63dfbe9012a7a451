"""Models converted to CTranslate2: Marian (OPUS-MT), NLLB and M2M (https://opennmt.net/CTranslate2)."""

from __future__ import annotations

import asyncio
import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from evenhand.errors import BadInput, require
from evenhand.systems.pieces import Pieces
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Result(Protocol):
        hypotheses: list[list[str]]

    class Translator(Protocol):
        def translate_batch(self, source: Sequence[Sequence[str]], **settings: object) -> list[Result]: ...


class CTranslate2:
    """DIR is what `ct2-transformers-converter --copy_files source.spm target.spm ...` wrote. Loaded when first asked.

    CTranslate2 sorts a batch by length and fills calls of `tokens` tokens. Beam search, so the same text gives the same
    answer; `alternatives` asks for so many of the beam's further hypotheses (at most beam - 1). The fingerprint holds
    the content of every file in DIR and the settings that change the output.
    """

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
        return fingerprint(
            "ctranslate2",
            files=folder_hash(self._folder),
            **self._output,
            compute_type=str(self._how["compute_type"]),
        )

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return await asyncio.to_thread(self._translate, requests)

    def _translate(self, requests: list[Request]) -> list[Answer]:
        source, target = requests[0].source, requests[0].target
        encoded = [self._pieces.encode(request.text, source, target) for request in requests]
        prefix = self._pieces.prefix(target)
        prefixes = [prefix] * len(encoded) if prefix else None
        results = self._translator.translate_batch(encoded, target_prefix=prefixes, **self._output, **self._sizes)
        decoded = ([self._pieces.decode(one, prefix) for one in result.hypotheses] for result in results)
        return [Answer(first, tuple(others)) for first, *others in decoded]

    @functools.cached_property
    def _translator(self) -> Translator:
        return cast("Translator", self._library.Translator(str(self._folder), **self._how))


def folder_hash(folder: Path) -> str:
    """A hash of the names and contents of all files of a model's folder (hidden ones are not the model's)."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder)
        if any(part.startswith(".") for part in name.parts):
            continue
        digest.update(f"{name.as_posix()}\0".encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]
