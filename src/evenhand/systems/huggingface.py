"""Models in PyTorch through transformers: Marian (OPUS-MT), NLLB and M2M translate; these and causal ones score."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from evenhand.errors import BadInput, SystemFailed, require
from evenhand.systems.ctranslate2 import folder_hash, mark_for, marks_of
from evenhand.systems.openai import SCORING_PROMPT, Prompt
from evenhand.systems.protocol import Answer, Batch, Request, at_least_none, fingerprint
from evenhand.systems.scoring import Scale, Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

T = TypeVar("T")


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
        answers = [Answer("")] * len(requests)
        for chosen in self._parts([len(request.text) for request in requests]):
            texts = self._generate([before + requests[n].text for n in chosen], begin)
            each = len(texts) // len(chosen)
            for place, n in enumerate(chosen):
                first, *others = texts[place * each : (place + 1) * each]
                answers[n] = Answer(first, tuple(others))
        return answers

    def _parts(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Places of the texts, the shortest first, `texts` at a time."""
        order = sorted(range(len(lengths)), key=lambda n: lengths[n])
        return (order[start : start + self._texts] for start in range(0, len(order), self._texts))

    def _marked(self, source: str, target: str) -> tuple[str, str]:
        """What precedes each text, and the mark its translation must begin with; sets the tokenizer's source."""
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
        others: Mapping[str, int] = getattr(self._tokenizer, "lang_token_to_id", {})
        return marks_of([*self._tokenizer.get_vocab(), *self._tokenizer.all_special_tokens, *others])

    @functools.cached_property
    def _tokenizer(self) -> PreTrainedTokenizerBase:
        return self._load(self._library.AutoTokenizer.from_pretrained)

    @functools.cached_property
    def _model(self) -> PreTrainedModel:
        model: PreTrainedModel = self._load(getattr(self._library, self._kind()).from_pretrained)
        usual = "cuda" if self._torch.cuda.is_available() else "cpu"
        return model.to(self._device or usual).eval()

    def _kind(self) -> str:
        return "AutoModelForSeq2SeqLM"

    def _load(self, load: Callable[..., T]) -> T:
        try:
            return load(self._place, revision=self._revision)
        except (OSError, ValueError) as error:
            first = str(error).strip().partition("\n")[0]
            kind = BadInput if Path(self._place).is_dir() else SystemFailed
            raise kind(f"{self.name} cannot be loaded: {first}") from error


class HuggingFaceScorer(HuggingFace):
    """The rendering is forced: an encoder-decoder model reads the source, a causal one the prompt before it.

    Sums are over the rendering's tokens; those of an encoder-decoder model include its end. Texts are sorted by length
    and taken `texts` at a time.
    """

    scale = Scale()

    def __init__(
        self, argument: str, *, prompt: str = SCORING_PROMPT, texts: int = 32, device: str = "", revision: str = "main"
    ) -> None:
        super().__init__(argument, texts=texts, device=device, revision=revision)
        self._prompt = Prompt.read(prompt)

    @functools.cached_property
    def fingerprint(self) -> str:
        return fingerprint("huggingface-score", model=super().fingerprint, prompt=self._prompt.hash)

    @functools.cached_property
    def _causal(self) -> bool:
        return not getattr(self._load(self._library.AutoConfig.from_pretrained), "is_encoder_decoder", False)

    def _kind(self) -> str:
        return "AutoModelForCausalLM" if self._causal else "AutoModelForSeq2SeqLM"

    async def score(self, requests: list[Request]) -> list[Score]:
        return await asyncio.to_thread(self._scores, requests)

    def _scores(self, requests: list[Request]) -> list[Score]:
        scores = [Score(0.0)] * len(requests)
        for chosen in self._parts([len(request.text) + len(request.rendering or "") for request in requests]):
            with self._torch.inference_mode():
                some = (self._after_prompt if self._causal else self._forced)([requests[n] for n in chosen])
            for n, one in zip(chosen, some, strict=True):
                scores[n] = one
        return scores

    def _forced(self, requests: list[Request]) -> list[Score]:
        """Encoder-decoder models: the rendering's tokens as the decoder's labels."""
        tokenizer, model = self._tokenizer, self._model
        before, begin = self._marked(requests[0].source, requests[0].target)
        if begin:
            tokenizer.tgt_lang = {token: code for code, token in self._marks[1].items()}[begin]
        sources = tokenizer([before + r.text for r in requests], return_tensors="pt", padding=True)
        labels = tokenizer(text_target=[r.rendering or "" for r in requests], return_tensors="pt", padding=True)
        wanted, mask = labels["input_ids"], labels["attention_mask"].bool()
        wanted = wanted.to(model.device)
        logits = model(**sources.to(model.device), labels=wanted).logits
        skipped = 1 if begin else 0  # the language's mark is no part of the rendering
        return self._summed(logits[:, skipped:], wanted[:, skipped:], mask[:, skipped:].to(model.device))

    def _after_prompt(self, requests: list[Request]) -> list[Score]:
        """Causal models: the tokens of the rendering after those of the prompt, one after the other in each row."""
        tokenizer, model = self._tokenizer, self._model
        starts = [tokenizer(self._prompt.text(r))["input_ids"] for r in requests]
        ends = [tokenizer(f" {r.rendering}", add_special_tokens=False)["input_ids"] for r in requests]
        rows = [[*s, *e] for s, e in zip(starts, ends, strict=True)]
        longest = max(map(len, rows))
        ids = self._torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], device=model.device)
        place = self._torch.arange(longest, device=ids.device)
        seen = place < self._torch.tensor([[len(row)] for row in rows], device=ids.device)
        scored = seen & (place >= self._torch.tensor([[len(start)] for start in starts], device=ids.device))
        logits = model(input_ids=ids, attention_mask=seen.long()).logits
        return self._summed(logits[:, :-1], ids[:, 1:], scored[:, 1:])

    def _summed(self, logits: torch.Tensor, wanted: torch.Tensor, mask: torch.Tensor) -> list[Score]:
        logs = self._torch.log_softmax(logits.float(), dim=-1).gather(-1, wanted.unsqueeze(-1)).squeeze(-1)
        sums, counts = (logs * mask).sum(dim=1).tolist(), mask.sum(dim=1).tolist()
        return [Score(min(value, 0.0), count) for value, count in zip(sums, counts, strict=True)]
