"""Signatures: everything a result depends on, on one line, and the same short enough to stand beside a number."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

DIGITS = 6  # of the hash in a short signature


def signature_of(parts: Mapping[str, str]) -> str:
    """What a result depends on, on one line. Equal signatures mean equal tables, byte for byte."""
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def short_signature(whole: str, parts: Mapping[str, str], *, version: str) -> str:
    """The telling parts, the first digits of a hash over the `whole` signature (d), and Evenhand's version (v).

    As in `#:1145|s:pronouns-hungarian-1.1|y:pocket|t:en|d:99e1ab|v:0.1.0`: # sentences, s suite, y system, t target.
    """
    digest = hashlib.sha256(whole.encode()).hexdigest()[:DIGITS]
    return signature_of({**parts, "d": digest, "v": version})
