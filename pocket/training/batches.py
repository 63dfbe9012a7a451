"""Training rows from text: draw pairs, vary them, cut them into pieces, pack them into rows of fixed width.

Worker processes hold the text; one task makes one share of a chunk. Which pairs a chunk holds depends only on the seed
and on how far each corpus has been read, so a run can be repeated and resumed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sentencepiece
from model import END, START

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
FINAL = re.compile(r"\s*[.!?。]+$")


@dataclass
class Corpus:
    """One group of pairs. `share`: its weight in the mix early and late in training.

    `vary` says what may happen to a pair: "sentence" (may lose its full stop and capitals), "phrase" (may gain them),
    "" (nothing).
    """

    name: str
    source: list[str]
    target: list[str]
    tags: tuple[str, ...] = ()
    share: tuple[float, float] = (1.0, 1.0)
    vary: str = "sentence"
    order: dict[int, np.ndarray] = field(default_factory=dict)

    def draw(self, start: int, count: int, seed: int) -> np.ndarray:
        """Items start..start+count of an endless reading, each pass over the corpus in a fresh order."""
        size, picked, at = len(self.source), [], start
        while at < start + count:
            turn, offset = divmod(at, size)
            if turn not in self.order:
                self.order = {turn: np.random.default_rng([seed, turn]).permutation(size)}
            piece = self.order[turn][offset : offset + start + count - at]
            picked.append(piece)
            at += len(piece)
        return np.concatenate(picked) if picked else np.zeros(0, dtype=np.int64)


def pack(sources: list[list[int]], targets: list[list[int]], width: int) -> Rows:
    """Next-fit packing of (source, target) pairs into rows; a segment number marks each pair, 0 is padding."""
    placed, row, s_at, t_at, segment = [], 0, 0, 0, 0
    for index, (source, target) in enumerate(zip(sources, targets, strict=True)):
        s, t = len(source), len(target)
        if s > width or t > width:
            continue
        if s_at + s > width or t_at + t > width:
            row, s_at, t_at, segment = row + 1, 0, 0, 0
        segment += 1
        placed.append((index, row, s_at, t_at, segment))
        s_at, t_at = s_at + s, t_at + t
    shape = (row + 1, width)
    out = (np.zeros(shape, np.uint16), np.zeros(shape, np.uint8), np.zeros(shape, np.uint16), np.zeros(shape, np.uint8))
    for index, r, s_at, t_at, segment in placed:
        source, target = sources[index], targets[index]
        out[0][r, s_at : s_at + len(source)] = source
        out[1][r, s_at : s_at + len(source)] = segment
        out[2][r, t_at : t_at + len(target)] = target
        out[3][r, t_at : t_at + len(target)] = segment
    return out


class Maker:
    """Makes rows; lives in every worker process."""

    def __init__(self, pieces: Path, corpora: list[Corpus], width: int, seed: int) -> None:
        self.processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
        self.corpora, self.width, self.seed = corpora, width, seed
        self.tags = {c.tags: [self.processor.piece_to_id(tag) for tag in c.tags] for c in corpora}

    def rows(self, starts: list[int], counts: list[int], task: int) -> Rows:
        rng = np.random.default_rng([self.seed, task])
        sources: list[str] = []
        targets: list[str] = []
        tags: list[list[int]] = []
        for number, corpus in enumerate(self.corpora):
            for index in corpus.draw(starts[number], counts[number], self.seed + number):
                source, target = corpus.source[index], corpus.target[index]
                if corpus.vary == "phrase":
                    luck = rng.random()
                    if luck < 0.5:
                        source, target = source[0].upper() + source[1:], target[0].upper() + target[1:]
                        if luck < 0.3:
                            source, target = source + ".", target + "."
                elif corpus.vary:
                    luck = rng.random()
                    if luck < 0.10:  # people type without capitals and full stops
                        source, target = FINAL.sub("", source), FINAL.sub("", target)
                        if luck < 0.06:
                            source = source.lower()
                sources.append(source)
                targets.append(target)
                tags.append(self.tags[corpus.tags])
        order = rng.permutation(len(sources))
        half = len(order) // 2
        first = [sources[i] for i in order[:half]]
        cut = self.processor.encode(first) + self.processor.encode(
            [sources[i] for i in order[half:]], enable_sampling=True, alpha=0.2, nbest_size=-1
        )
        whole = self.processor.encode([targets[i] for i in order])
        shuffle = rng.permutation(len(order))
        return pack(
            [tags[order[i]] + cut[i] + [END] for i in shuffle], [[START, *whole[i]] for i in shuffle], self.width
        )
