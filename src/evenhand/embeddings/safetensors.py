"""The safetensors container: an 8-byte length, a JSON header, raw little-endian tensors. No code is ever run.

Format: https://github.com/huggingface/safetensors (README, "Format"). Only what is needed here: one 2-D tensor, which
may be kept in 8 bits (I8) with one factor a row in a tensor named `scales`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import IO, TypedDict

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.vectors import Matrix
from evenhand.errors import BadInput

Raw = npt.NDArray[np.generic]


class TensorEntry(TypedDict):
    """A tensor as the header describes it."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I8": "<i1"}
NAMES = ("vectors", "embeddings", "embedding", "weight")
SCALES = "scales"
LONGEST_HEADER = 100 << 20


def read_safetensors(path: Path) -> Matrix:
    """The word matrix of a file: the tensor named vectors/embeddings/embedding/weight, or the only 2-D one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if not 2 <= length <= min(LONGEST_HEADER, size - 8):
            raise BadInput.at(path, None, "not a safetensors file (impossible header length)")
        try:
            header = json.loads(stream.read(length))
        except (ValueError, RecursionError) as error:
            raise BadInput.at(path, None, "not a safetensors file (the header is not JSON)") from error
    try:
        return _matrix(path, header, 8 + length, size)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise BadInput.at(path, None, f"not a safetensors file (a tensor's entry lacks {error})") from error


def _matrix(path: Path, header: dict[str, TensorEntry], data: int, size: int) -> Matrix:
    tensors = {name: entry for name, entry in header.items() if name != "__metadata__" and len(entry["shape"]) == 2}
    name = next((name for name in NAMES if name in tensors), None)
    if name is None:
        if len(tensors) != 1:
            raise BadInput.at(path, None, f"which tensor holds the words? 2-D tensors: {', '.join(tensors) or 'none'}")
        name = next(iter(tensors))
    raw = _tensor(path, header, name, data, size)
    kind = header[name]["dtype"]
    if kind == "I8":
        scales = header.get(SCALES)
        if scales is None or scales["dtype"] not in ("F16", "F32", "F64") or scales["shape"] != [len(raw)]:
            raise BadInput.at(path, None, f"tensor {name} is I8 and needs one factor a row in a tensor {SCALES}")
        factors = np.asarray(_tensor(path, header, SCALES, data, size), dtype=np.float32)
        scaled: Matrix = np.asarray(raw, dtype=np.float32) * factors[:, None]
        return scaled
    if kind == "BF16":
        widened: Matrix = (raw.astype(np.uint32) << 16).view(np.float32)
        return widened
    return np.asarray(raw, dtype=np.float32)


def _tensor(path: Path, header: dict[str, TensorEntry], name: str, data: int, size: int) -> Raw:
    """The bytes of a tensor in its own type, memory-mapped."""
    entry = header[name]
    if entry["dtype"] not in DTYPES:
        raise BadInput.at(path, None, f"tensor {name} is {entry['dtype']}; known: {', '.join(DTYPES)}")
    start, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    dtype = np.dtype(DTYPES[entry["dtype"]])
    if end - start != math.prod(shape) * dtype.itemsize or data + end > size:
        raise BadInput.at(path, None, f"tensor {name} does not fit its {end - start} bytes; a cut file?")
    return np.memmap(path, dtype=dtype, mode="r", offset=data + start, shape=shape)


def write_safetensors(stream: IO[bytes], matrix: Matrix, name: str = "vectors") -> None:
    """One float32 tensor. The header is padded to 8 bytes so that the data is aligned."""
    data = np.ascontiguousarray(matrix, dtype="<f4")
    entry = {"dtype": "F32", "shape": list(data.shape), "data_offsets": [0, data.nbytes]}
    header = json.dumps({"__metadata__": {"writer": "evenhand"}, name: entry}).encode()
    header += b" " * (-len(header) % 8)
    stream.write(len(header).to_bytes(8, "little") + header)
    stream.write(data.tobytes())
