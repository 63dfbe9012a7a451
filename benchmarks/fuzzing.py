"""Inputs that are almost right: mutations of small real files and of sentences, for `benchmarks/soak.py`."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable

import polars as pl

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
)
ROWS = [
    {"id": "p1", "source": "The **nurse** sings.", "rendering": "La enfermera canta.", "sample": "0"},
    {"id": "p2", "source": "The **cook** is here.", "rendering": "El cocinero está aquí.", "sample": "1"},
    {"id": "p3", "source": "A “teacher”, too.", "rendering": "Una maestra también.", "sample": "0"},
]
XLIFF = """<?xml version="1.0"?><xliff version="1.2"><file source-language="en" target-language="es" original="a"><body>
<trans-unit id="1"><source>The nurse.</source><target>La enfermera.</target></trans-unit></body></file></xliff>"""
TMX = """<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>The nurse.</seg></tuv>
<tuv xml:lang="es"><seg>La enfermera.</seg></tuv></tu></body></tmx>"""
PO = 'msgid ""\nmsgstr "Language: es\\n"\n\n#: a\nmsgid "The nurse."\nmsgstr "La enfermera."\n'


def samples() -> dict[str, bytes]:
    """One small file of every format that is read, by its suffix."""
    head = list(ROWS[0])
    parquet = io.BytesIO()
    pl.DataFrame(ROWS).write_parquet(parquet)
    return {
        ".tsv": "\n".join("\t".join(row) for row in (head, *([*r.values()] for r in ROWS))).encode(),
        ".csv": "\n".join(",".join(f'"{c}"' for c in row) for row in (head, *([*r.values()] for r in ROWS))).encode(),
        ".jsonl": "\n".join(json.dumps(row) for row in ROWS).encode(),
        ".json": json.dumps(ROWS).encode(),
        ".parquet": parquet.getvalue(),
        ".txt": "\n".join(row["rendering"] for row in ROWS).encode(),
        ".pairs": "\n".join(f"{row['source']} ||| {row['rendering']}" for row in ROWS).encode(),
        ".xlf": XLIFF.encode(),
        ".tmx": TMX.encode(),
        ".po": PO.encode(),
    }


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
