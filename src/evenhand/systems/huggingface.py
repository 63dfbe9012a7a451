"""Translation models in PyTorch through transformers: Marian (OPUS-MT), NLLB, M2M."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import TYPE_CHECKING, cast

from evenhand.errors import BadInput, SystemFailed, require
from evenhand.systems.ctranslate2 import folder_hash
from evenhand.systems.pieces import mark_for, marks_of
from evenhand.systems.protocol import Answer, Batch, Request, at_least_none, fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    class Tensors(Protocol):
        def to(self, device: object) -> Mapping[str, object]: ...

    class Tokenizer(Protocol):
        src_lang: str
        all_special_tokens: list[str]

        def __call__(self, texts: list[str], *, return_tensors: str, padding: bool) -> Tensors: ...
        def get_vocab(self) -> Mapping[str, int]: ...
        def convert_tokens_to_ids(self, token: str) -> int: ...
        def batch_decode(self, tokens: object, *, skip_special_tokens: bool) -> list[str]: ...

    class Model(Protocol):
        device: object

        def to(self, device: str) -> Model: ...
        def eval(self) -> Model: ...
        def generate(self, **settings: object) -> object: ...


class HuggingFace:
    """NAME_OR_DIR is a model on the Hub or a folder. Loaded when first asked; beam search without sampling.

    `alternatives` asks for so many of the beam's further hypotheses (at most beam - 1). Texts are sorted by length and
    taken `texts` at a time, so that short ones are not padded to the longest. The fingerprint holds the folder's
    content, or the Hub's commit, and the settings that change the output.
    """

    def __init__(
        self,
        argument: str,
        *,
        beam: int = 5,
        alternatives: int = 0,
        longest: int = 256,
        texts: int = 32,
        device: str = "",
        revision: str = "main",
    ) -> None:
        self.name = f"huggingface:{argument}"
        self._purpose = "the system huggingface"
        self._library = require("transformers", purpose=self._purpose, extra="hf")
        self._torch = require("torch", purpose=self._purpose, extra="hf")
        self._place, self._revision = argument, revision
        self._beam, self._longest, self._texts, self._device = beam, longest, texts, device
        further = at_least_none("alternatives", alternatives)
        self._further = {name: min(number, beam - 1) for name, number in further.items() if beam > 1}
        self.batch = Batch(texts=512, characters=200_000, concurrency=1, context=False)

    @functools.cached_property
    def fingerprint(self) -> str:
        if Path(self._place).is_dir():
            model = folder_hash(Path(self._place))
        else:
            config = self._load(self._library.AutoConfig.from_pretrained)
            model = str(getattr(config, "_commit_hash", None) or self._revision)
        return fingerprint("huggingface", model=model, beam=self._beam, longest=self._longest, **self._further)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return await asyncio.to_thread(self._translate, requests)

    def _translate(self, requests: list[Request]) -> list[Answer]:
        before, begin = self._marked(requests[0].source, requests[0].target)
        order = sorted(range(len(requests)), key=lambda n: len(requests[n].text))
        answers = [Answer("")] * len(requests)
        for start in range(0, len(order), self._texts):
            chosen = order[start : start + self._texts]
            texts = self._generate([before + requests[n].text for n in chosen], begin)
            each = len(texts) // len(chosen)
            for place, n in enumerate(chosen):
                first, *others = texts[place * each : (place + 1) * each]
                answers[n] = Answer(first, tuple(others))
        return answers

    def _marked(self, source: str, target: str) -> tuple[str, str]:
        """What stands before each text, and the mark its translation must begin with; sets the tokenizer's source."""
        family, marks = self._marks
        if not marks:
            return "", ""
        if family == "marian":
            return mark_for(target, marks, system=self.name) + " ", ""
        codes = {token: code for code, token in marks.items()}
        self._tokenizer.src_lang = codes[mark_for(source, marks, system=self.name)]
        return "", mark_for(target, marks, system=self.name)

    def _generate(self, texts: list[str], begin: str) -> list[str]:
        """The hypotheses of each text, the best first, text after text."""
        settings: dict[str, object] = {"num_beams": self._beam, "do_sample": False, "max_new_tokens": self._longest}
        if self._further:
            settings["num_return_sequences"] = 1 + self._further["alternatives"]
        model, tokenizer = self._model, self._tokenizer
        if begin:
            settings["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(begin)
        with self._torch.inference_mode():
            batch = tokenizer(texts, return_tensors="pt", padding=True).to(model.device)
            tokens = model.generate(**batch, **settings)
        # not every tokenizer counts the mark among the special tokens it leaves out
        decoded = tokenizer.batch_decode(tokens, skip_special_tokens=True)
        return [text.removeprefix(begin).strip() for text in decoded]

    @functools.cached_property
    def _marks(self) -> tuple[str, dict[str, str]]:
        # M2M's tokenizer keeps its language tokens outside of its vocabulary
        apart = cast("Mapping[str, int]", getattr(self._tokenizer, "lang_token_to_id", {}))
        return marks_of([*self._tokenizer.get_vocab(), *self._tokenizer.all_special_tokens, *apart])

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return cast("Tokenizer", self._load(self._library.AutoTokenizer.from_pretrained))

    @functools.cached_property
    def _model(self) -> Model:
        model = cast("Model", self._load(self._library.AutoModelForSeq2SeqLM.from_pretrained))
        usual = "cuda" if self._torch.cuda.is_available() else "cpu"
        return model.to(self._device or usual).eval()

    def _load(self, load: Callable[..., object]) -> object:
        try:
            return load(self._place, revision=self._revision)
        except (OSError, ValueError) as error:
            first = str(error).strip().partition("\n")[0]
            kind = BadInput if Path(self._place).is_dir() else SystemFailed
            raise kind(f"{self.name} cannot be loaded: {first}") from error
