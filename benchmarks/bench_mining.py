"""Sentences per second of every mining step, and the language model against a plain loop, all in one run.

    python benchmarks/bench_mining.py [--lm pocket] [--hf DIR] [--text FILE] [--system apertium] [--target es]

The plain loop is transformers' fill-mask pipeline, one sentence at a time. With --hf it runs the same model in PyTorch
from a folder of transformers; without, our very model file in ONNX Runtime inside the pipeline. Both use as many
threads as our batches. Needs transformers and PyTorch for the loop; leaves it out, and says so, without them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import polars as pl
from benchmarks.ratios import Cost, beside

from evenhand.mining.masked_lms import MASK, Ids, OnnxMaskedLM, open_masked_lm
from evenhand.mining.steps import MiningSettings, MiningWork
from evenhand.mining.text import sentence_keys, sentence_rows
from evenhand.pipeline.intake import take_in
from evenhand.pipeline.shards import Shard, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Tensor(Protocol):
    """What the wrapper needs of a PyTorch tensor."""

    def numpy(self) -> Ids: ...


MONO = Path(__file__).resolve().parents[2] / "shared" / "data" / "mono" / "common-voice.en.txt.xz"
LOOP = 300  # sentences for the plain loop: enough for a steady mean, short enough to wait for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lm", default="pocket")
    parser.add_argument("--hf", help="the same model as a folder of transformers")
    parser.add_argument("--text", type=Path, default=MONO)
    parser.add_argument("--lines", type=int, default=6_000)
    parser.add_argument("--system", default="apertium")
    parser.add_argument("--target", default="es")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        start = time.perf_counter()
        rows = sentence_rows([given.text], limit=given.lines)
        taken = take_in(rows, Path(scratch, "sentences"), size=given.lines * 2, keys=sentence_keys)
        report("text", taken.distinct + taken.repeated, time.perf_counter() - start, "sentences")
        work = MiningWork(scratch, "", MiningSettings(given.system, (given.target,), lm=given.lm), given.threads)
        kept = shard = Shard("000000", pl.read_parquet(work.rows("000000")))
        for step in work.steps():
            before = shard.table.height
            shard = timed(step, shard)
            report(step.name, before, shard.seconds[step.name], "rows in")
            kept = shard if step.name == "person" else kept
    masked = [
        text[:start] + MASK + text[end:]
        for text, start, end in kept.table.select("text", "focus_start", "focus_end").iter_rows()
    ]
    compare(given.lm, given.hf, masked, given.threads)


def report(name: str, count: int, seconds: float, what: str) -> None:
    print(f"{name:<12} {count:>7,} {what:<10} {seconds:8.2f} s {count / seconds:10,.0f} a second")


def compare(lm: str, hf: str | None, masked: Sequence[str], threads: int) -> None:
    """Our batches against one sentence at a time, on the same sentences, the first 100 candidates of each."""
    ours = open_masked_lm(lm, threads=threads)
    ours.fill(masked[:32], 100)
    with Cost() as fast:
        filled = ours.fill(masked, 100)
    report("batched", len(masked), fast.clock, "masks")
    if find_spec("transformers") is None or find_spec("torch") is None:
        print("plain loop   left out: transformers or PyTorch is not installed")
        return
    loop = masked[:: max(1, len(masked) // LOOP)]
    pipe = torch_pipeline(hf, threads) if hf else onnx_pipeline(ours, threads)
    pipe(loop[0].replace(MASK, "[MASK]"))
    with Cost() as slow:
        answers = [pipe(text.replace(MASK, "[MASK]")) for text in loop]
    report("plain loop", len(loop), slow.clock, "masks")
    best = {text: words[0][0] for text, words in zip(masked, filled, strict=True) if words}
    tops = [
        (best.get(text), next((w for w in words if w.isalpha()), None))
        for text, words in zip(loop, answers, strict=True)
    ]
    same = sum(a == b for a, b in tops)
    peer = f"a loop over transformers' fill-mask pipeline ({'PyTorch' if hf else 'our model in it'})"
    beside("a mask filled, 100 candidates", fast.each(len(masked)), peer, slow.each(len(loop)))
    print(f"             the same first word in {same} of {len(tops)} sentences")


def torch_pipeline(folder: str, threads: int) -> Callable[[str], list[str]]:
    """The user's plain loop: PyTorch."""
    torch, transformers = import_module("torch"), import_module("transformers")
    torch.set_num_threads(threads)
    pipe = transformers.pipeline("fill-mask", model=folder, top_k=100)
    return lambda text: [row["token_str"] for row in pipe(text)]


def onnx_pipeline(lm: object, threads: int) -> Callable[[str], list[str]]:
    """The same pipeline around our model file, so that nothing but batching differs."""
    torch, transformers = import_module("torch"), import_module("transformers")
    if not isinstance(lm, OnnxMaskedLM):
        raise SystemExit("the plain loop needs --hf DIR for a model that is no ONNX folder")
    torch.set_num_threads(threads)
    base = transformers.BertForMaskedLM
    session, inputs, folder = lm._session, lm._inputs, lm.folder
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        mask_token="[MASK]", pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
    )  # fmt: skip

    class Wrapped(base):  # type: ignore[misc, valid-type]  # a class of a module that is loaded here only
        def forward(self, input_ids: Tensor, **rest: object) -> object:
            ids = input_ids.numpy()
            feeds = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
            feeds["positions"] = torch.arange(ids.shape[1])[None, :].numpy()
            scores = session.run(None, {name: feeds[name] for name in inputs if name in feeds})[0]
            return transformers.modeling_outputs.MaskedLMOutput(logits=torch.from_numpy(scores))

    small = transformers.BertConfig(
        vocab_size=len(fast), hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
    )
    pipe = transformers.pipeline("fill-mask", model=Wrapped(small), tokenizer=fast, top_k=100)
    return lambda text: [row["token_str"] for row in cast("list[dict[str, str]]", pipe(text))]


if __name__ == "__main__":
    main()
