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


# The second set: changes of a file's structure, by its format, instead of its bytes.

_XML = (
    b"<note/>", b"<notes/>", b"<notes></notes>", b"<note>x</note>", b"<?pi x?>", b"<!-- x -->", b"<![CDATA[ </x> ]]>",
    b' xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0"', b' xmlns:i="http://www.w3.org/2005/11/its"',
    b' version=""', b' xml:lang="de"', b"<!DOCTYPE x [<!ATTLIST y z CDATA 'q'>]>", b"&lt;", b"&#0;", b"&nope;",
    b"<prop/>", b"<seg/>", b"<target/>", b"<segment><source/></segment>", b"<x", b"/>", b' translate="no"',
)  # fmt: skip
_PO = (
    b'"charset=hex\\n"\n', b'"charset=undefined\\n"\n', b'"nplurals=' + b"9" * 5_000 + b'\\n"\n', b"#, fuzzy\n",
    b"#~ x\n", b'msgstr[' + b"7" * 400 + b'] "x"\n', b'msgctxt "c"\n', b"# evenhand: old\n", b'"more"\n' * 300,
    b'msgid_plural "p"\n',
)  # fmt: skip
_JSON = (
    b'"evenhand": ["x"], ', b'"evenhand": {"a": 1}, ', b'"evenhand": "x", ', b'"\\u0000": 1, ', b'{"a": ', b"1e400",
    b'"files": {"' + b"x" * 5_000 + b'": "y"}, ', b'"files": {"\\ud800": "y"}, ', b"[1, 2], ", b"true", b'"x": "}", ',
)  # fmt: skip
_TABLE = (b"\tevenhand", b",evenhand", b'"', b'""', b"\r", b"\r\n\r\n", b"\t\t\t", b"# note\n", b"\xef\xbb\xbf", b",,,")
_PIECES = {
    ".xlf": _XML, ".xliff": _XML, ".tmx": _XML, ".po": _PO, ".pot": _PO, ".json": _JSON, ".jsonl": _JSON,
    ".tsv": _TABLE, ".csv": _TABLE,
    ".toml": (b"[[system]]\n", b"[x]\n", b'"""', b"a = 1979-05-27\n", b"= 1\n", b'output = "../x"\n'),
}  # fmt: skip


def restructured(content: bytes, suffix: str, dice: random.Random) -> bytes:
    """One to four changes where the format has a joint: pieces put in, elements or lines doubled, moved, taken out."""
    pieces = _PIECES.get(suffix, (b"\n", b"\t", b"\0", b"9" * 5_000, b" " * 3_000))
    body = content
    for _ in range(dice.randint(1, 4)):
        joints = [n for n, sign in enumerate(body) if sign in b"<>{},\n\t\"' "] or [0]
        at, other = dice.choice(joints), dice.choice(joints)
        low, high = min(at, other), max(at, other)
        match dice.randrange(6):
            case 0 | 1 | 2:
                body = body[:at] + dice.choice(pieces) + body[at:]
            case 3:
                body = body[:high] + body[low:high] + body[high:]
            case 4:
                body = body[:low] + body[low + min(high - low, 200) :]
            case _:
                part = body[low : low + min(high - low, 200)]
                body = body[:low] + body[low + len(part) :] + part
    return body
