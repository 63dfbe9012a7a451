"""One step of training, the same for the translators and for the masked language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

PART_BYTES = 15_000_000


class Learner:
    """A model and the average of its weights over the last steps.

    The learning rate follows the clock (`progress`, 0 to 1), so that the schedule is complete whenever the time is up:
    up from `first` during the share `warm`, then down along a cosine.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        average: torch.nn.Module,
        *,
        device: str,
        rate: float,
        warm: float,
        first: float,
        eps: float = 1e-8,
    ) -> None:
        self.device, self.cuda = device, device == "cuda"
        self.dtype = torch.bfloat16 if self.cuda else torch.float32
        self.rate, self.warm, self.first, self.step = rate, warm, first, 0
        average.load_state_dict(model.state_dict())
        average.eval()
        self.parameters, self.averaged = list(model.parameters()), list(average.parameters())
        for parameter in self.averaged:
            parameter.requires_grad_(False)
        self.optimiser = torch.optim.AdamW(
            self.parameters, lr=0.0, betas=(0.9, 0.98), eps=eps, weight_decay=0.01, fused=self.cuda
        )

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.cuda)

    def scale(self, progress: float) -> float:
        if progress < self.warm:
            return min(1.0, (progress + self.first) / self.warm)
        return 0.5 + 0.5 * math.cos(math.pi * (progress - self.warm) / (1 - self.warm))

    def learn(self, loss: Callable[[], Tensor], progress: float) -> Tensor:
        """One step down the loss, which is computed under autocast and returned."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * max(self.scale(progress), 0.003)
        with self.autocast():
            value = loss()
        value.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0, foreach=True)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        with torch.no_grad():
            torch._foreach_lerp_(self.averaged, self.parameters, 1 - min(0.999, (1 + self.step) / (20 + self.step)))
        return value


def save_parts(tensors: Iterable[tuple[str, Iterable[Tensor]]], out: Path, notes: dict[str, str] | None = None) -> None:
    """Named tensors, each in pieces, as `weightsN.safetensors` small enough to travel; the notes go into each."""
    out.mkdir(parents=True, exist_ok=True)
    part: dict[str, Tensor] = {}
    number = size = 0
    for name, pieces in tensors:
        for i, piece in enumerate(pieces):
            if part and size + piece.nbytes > PART_BYTES:
                save_file(part, out / f"weights{number}.safetensors", notes)
                part, size, number = {}, 0, number + 1
            part[f"{name}#{i}"], size = piece.contiguous().clone(), size + piece.nbytes
    save_file(part, out / f"weights{number}.safetensors", notes)
