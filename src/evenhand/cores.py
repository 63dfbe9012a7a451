"""The cores of this machine, shared out: a pool's processes times their threads are never more than there are cores."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

# OpenMP (CTranslate2, PyTorch), the algebra of NumPy, Polars, tokenizers: read once, when a process first uses them
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS")


def cores() -> int:
    """How many cores this process may use: fewer than the machine has where it is kept to some of them."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def threads_each(workers: int) -> int:
    """Threads for each of so many processes."""
    return max(1, cores() // max(1, workers))


@contextmanager
def shared_cores(workers: int) -> Iterator[None]:
    """Of processes that start in here each has its share of the cores; what the user has set lower stays."""
    former, share = {name: os.environ.get(name) for name in THREADS}, threads_each(workers)
    for name, value in former.items():
        lower = value is not None and value.isdecimal() and 0 < int(value) <= share
        os.environ[name] = value if lower and value else str(share)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
