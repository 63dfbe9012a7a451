"""Inputs that are almost right: mutations of small files and of sentences, for `benchmarks/soak.py`."""

from __future__ import annotations

import random
from collections.abc import Callable

SIGNS = "\0\x01\x0b\x1b\t\r\n \u00a0\u00ad\u200b\u200d\u202e\u2028\ufeff\ufffd\uffff\U0001f469\u0301"
SIGNS += "\"'`$<>&;|[]{}()*_=,:/\\%#@-+"
NASTY = (
    "../../x",
    "$(id)",
    "=1+1",
    "<script>",
    "**",
    "[[",
    "]]",
    "NaN",
    "-0",
    "1e999",
    "9" * 400,
    "null",
    "²",
    "_line",
    "^s.*$",
    "1979-05-27",
    "inf",
    "en-",
    "\\ud800",
)


def mutated(content: bytes, dice: random.Random) -> bytes:
    """One to six changes: a byte flipped, a part doubled, cut or moved, a nasty word or sign put in, a deep nest."""
    changes: tuple[Callable[[bytearray, int], bytes], ...] = (
        lambda b, at: bytes([b[at] ^ (1 << dice.randrange(8))]),
        lambda b, at: bytes(b[at : at + dice.randrange(40)]) * 2,
        lambda b, at: b"",
        lambda b, at: dice.choice(SIGNS).encode("utf-8", "surrogatepass"),
        lambda b, at: dice.choice(NASTY).encode(),
        lambda b, at: b"[" * dice.choice((3, 3_000)),
        lambda b, at: b"\xed\xa0\x80" if dice.random() < 0.5 else b"\\ud800",
        lambda b, at: bytes(dice.randrange(256) for _ in range(dice.randrange(20))),
    )
    body = bytearray(content)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(body) or 1)
        if body:
            body[at : at + dice.choice((0, 1, 1, 8, 60))] = dice.choice(changes)(body, at)
    return bytes(body)


def sentence(dice: random.Random, words: list[str]) -> str:
    """Words of a language among random ones, with signs between and inside them."""
    parts: list[str] = []
    for _ in range(dice.choice((0, 1, 3, 8, 12, 12, 30))):
        kind = dice.random()
        if kind < 0.6:
            parts.append(dice.choice(words))
        elif kind < 0.8:
            parts.append("".join(chr(dice.randrange(97, 123)) for _ in range(dice.randint(1, 14))))
        elif kind < 0.95:
            parts.append(dice.choice(SIGNS) * dice.choice((1, 1, 2, 50)))
        else:
            parts.append("".join(chr(dice.choice((dice.randrange(0x20, 0xD800), dice.randrange(0x10000, 0x1FFFF))))))
    return dice.choice((" ", " ", " ", "", "-")).join(parts)
