"""The Transformer that is trained here and exported to CTranslate2: pre-norm, ReLU, tied embeddings, sinusoids.

Training packs many sentences into rows of fixed width, with block masks between them, so that every step has one
shape and each layer is compiled once. Decoding (for back-translation and for checks) is plain greedy search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 (its usual name)
from torch import Tensor, nn

UNKNOWN, START, END, PAD = 0, 1, 2, 3
POSITIONS = 256


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    width: int
    heads: int
    hidden: int
    encoder: int
    decoder: int
    dropout: float = 0.1


def sinusoids(positions: int, width: int) -> Tensor:
    rates = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angles = torch.arange(positions).float()[:, None] * rates[None]
    return torch.cat([angles.sin(), angles.cos()], dim=1)


class Attention(nn.Module):
    def __init__(self, shape: Shape, *, cross: bool) -> None:
        super().__init__()
        d = shape.width
        self.heads, self.cross = shape.heads, cross
        if cross:
            self.query, self.keyvalue = nn.Linear(d, d), nn.Linear(d, 2 * d)
        else:
            self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def project(self, x: Tensor, memory: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        if memory is not None:
            k, v = self.keyvalue(memory).chunk(2, dim=-1)
            return self.split(self.query(x)), self.split(k), self.split(v)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return self.split(q), self.split(k), self.split(v)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        if mask is not None:
            mask = mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(q.shape[0], q.shape[2], -1))

    def forward(self, x: Tensor, memory: Tensor | None, mask: Tensor) -> Tensor:
        q, k, v = self.project(x, memory)
        return self.attend(q, k, v, mask)


class Layer(nn.Module):
    def __init__(self, shape: Shape, *, cross: bool) -> None:
        super().__init__()
        d = shape.width
        self.attention, self.norm = Attention(shape, cross=False), nn.LayerNorm(d)
        if cross:
            self.cross, self.cross_norm = Attention(shape, cross=True), nn.LayerNorm(d)
        self.has_cross = cross
        self.first, self.second, self.feed_norm = (
            nn.Linear(d, shape.hidden),
            nn.Linear(shape.hidden, d),
            nn.LayerNorm(d),
        )
        self.dropout = shape.dropout

    def drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)

    def feed(self, x: Tensor) -> Tensor:
        return x + self.drop(self.second(F.relu(self.first(self.feed_norm(x)))))

    def forward(self, x: Tensor, mask: Tensor, memory: Tensor | None, cross_mask: Tensor | None) -> Tensor:
        x = x + self.drop(self.attention(self.norm(x), None, mask))
        if self.has_cross:
            assert memory is not None
            assert cross_mask is not None
            x = x + self.drop(self.cross(self.cross_norm(x), memory, cross_mask))
        return self.feed(x)

    def step(self, x: Tensor, cache: dict[str, Tensor], at: int, cross_mask: Tensor) -> Tensor:
        q, k, v = self.attention.project(self.norm(x), None)
        cache["k"][:, :, at : at + 1], cache["v"][:, :, at : at + 1] = k, v
        x = x + self.attention.attend(q, cache["k"][:, :, : at + 1], cache["v"][:, :, : at + 1], None)
        q = self.cross.split(self.cross.query(self.cross_norm(x)))
        x = x + self.cross.attend(q, cache["mk"], cache["mv"], cross_mask)
        return self.feed(x)


class Translator(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.encoder = nn.ModuleList(Layer(shape, cross=False) for _ in range(shape.encoder))
        self.decoder = nn.ModuleList(Layer(shape, cross=True) for _ in range(shape.decoder))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.output_bias = nn.Parameter(torch.zeros(shape.vocabulary))
        self.register_buffer("positions", sinusoids(POSITIONS, shape.width), persistent=False)
        nn.init.normal_(self.embedding.weight, std=shape.width**-0.5)
        depth = shape.encoder + shape.decoder
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2 and "embedding" not in name:
                nn.init.xavier_uniform_(parameter)
                if name.endswith(("out.weight", "second.weight")):
                    parameter.data.mul_((2 * depth) ** -0.5)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def embed(self, tokens: Tensor, positions: Tensor) -> Tensor:
        x = self.embedding(tokens) * math.sqrt(self.shape.width) + self.positions[positions]
        return F.dropout(x, self.shape.dropout, self.training)

    def encode(self, tokens: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        x = self.embed(tokens, positions)
        for layer in self.encoder:
            x = layer(x, mask, None, None)
        return self.encoder_norm(x)

    def forward(  # noqa: PLR0917 (both sides: tokens, places, masks)
        self, source: Tensor, source_at: Tensor, source_mask: Tensor,
        target: Tensor, target_at: Tensor, target_mask: Tensor, cross_mask: Tensor,
    ) -> Tensor:  # fmt: skip
        memory = self.encode(source, source_at, source_mask)
        x = self.embed(target, target_at)
        for layer in self.decoder:
            x = layer(x, target_mask, memory, cross_mask)
        return self.decoder_norm(x)

    @torch.no_grad()
    def greedy(self, source: Tensor, limit: int) -> Tensor:
        """Best-first tokens for padded sources (batch x length): batch x at most `limit`, END-padded."""
        rows, length = source.shape
        real = source != PAD
        mask = torch.zeros(rows, 1, 1, length, device=source.device, dtype=self.encoder_norm.weight.dtype)
        mask.masked_fill_(~real[:, None, None], float("-inf"))
        memory = self.encode(source, torch.arange(length, device=source.device).expand(rows, -1), mask)
        caches = []
        for layer in self.decoder:
            k, v = layer.cross.keyvalue(memory).chunk(2, dim=-1)
            room = torch.empty(rows, self.shape.heads, limit, self.shape.width // self.shape.heads,
                               device=source.device, dtype=memory.dtype)  # fmt: skip
            caches.append({"mk": layer.cross.split(k), "mv": layer.cross.split(v), "k": room, "v": room.clone()})
        token = torch.full((rows, 1), START, device=source.device)
        done = torch.zeros(rows, dtype=torch.bool, device=source.device)
        answer = torch.full((rows, limit), END, device=source.device)
        for at in range(limit):
            x = self.embed(token, torch.full_like(token, at))
            for layer, cache in zip(self.decoder, caches, strict=True):
                x = layer.step(x, cache, at, mask)
            logits = F.linear(self.decoder_norm(x[:, 0]), self.embedding.weight, self.output_bias)
            best = logits.argmax(-1).masked_fill(done, END)
            answer[:, at] = best
            done |= best == END
            token = best[:, None]
            if at % 4 == 3 and bool(done.all()):
                break
        return answer


def packed(tokens: Tensor, segments: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Positions within each sentence, and the block mask of a packed batch (rows x 1 x width x width)."""
    column = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    first = torch.ones_like(segments, dtype=torch.bool)
    first[:, 1:] = segments[:, 1:] != segments[:, :-1]
    starts = torch.where(first, column, torch.zeros_like(column)).cummax(dim=1).values
    return column - starts, block(segments, segments, dtype)


def block(query: Tensor, key: Tensor, dtype: torch.dtype) -> Tensor:
    same = query[:, None, :, None] == key[:, None, None, :]
    return torch.zeros(same.shape, device=query.device, dtype=dtype).masked_fill_(~same, float("-inf"))


def smoothed_loss(
    hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Sum over real tokens of the label-smoothed loss, and of the plain negative log-likelihood."""
    logits = F.linear(hidden, weight, bias).float()
    normaliser = logits.logsumexp(-1)
    real = labels >= 0
    chosen = logits.gather(-1, labels.clamp_min(0)[:, None])[:, 0]
    plain = (normaliser - chosen) * real
    uniform = (normaliser - logits.mean(-1)) * real
    return ((1 - smoothing) * plain + smoothing * uniform).sum(), plain.detach().sum()
