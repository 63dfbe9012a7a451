"""Java's .properties, by the rules of java.util.Properties. UTF-8, which Java reads since version 9; a file that is not
is ISO 8859-1, as it was before."""

import re
from collections.abc import Iterator

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue
from evenhand.readers.commented import HASH, Decoded, Found, keyed, resource
from evenhand.readers.opening import UserFile

_LINE = re.compile(r"[ \t\f]*(?P<text>(?:[^\r\n\\]|\\(?:\r\n|.|\n))*)(?:\r\n|\r|\n|$)", re.DOTALL)
_CONTINUED = re.compile(r"\\(?:\r\n|\r|\n)[ \t\f]*")
_KEY = re.compile(r"((?:[^\\=: \t\f]|\\.)*)[ \t\f]*[=:]?[ \t\f]*", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


def _found(file: UserFile, text: str) -> Iterator[Found]:
    at = len(text) - len(text.removeprefix("\ufeff"))
    while at < len(text):
        blank = re.compile(r"[ \t\f]*").match(text, at)
        begin = blank.end() if blank else at
        if text.startswith(("#", "!"), begin):
            line = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)").match(text, begin)
            at = line.end() if line else len(text)
            continue
        line = _LINE.match(text, begin)
        at = line.end() if line and line.end() > at else len(text)
        logical = _CONTINUED.sub("", line["text"]) if line else ""
        key = _KEY.match(logical)
        if logical and key is not None:
            yield begin, _unescaped(file, text, begin, key[1]), _unescaped(file, text, begin, logical[key.end() :])


def _unescaped(file: UserFile, text: str, at: int, words: str) -> str:
    def sign(match: re.Match[str]) -> str:
        told = match[1]
        if told == "u":
            raise wrong("\\u without four hexadecimal digits behind it")
        return chr(int(told[1:], 16)) if len(told) == 5 else _SIGNS.get(told, told)

    def wrong(told: str) -> BadInput:
        return BadInput.at(file.name, text.count("\n", 0, at) + 1, told)

    try:
        return _ESCAPE.sub(sign, words).encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise wrong("half a surrogate pair (\\ud800 to \\udfff) is not a character") from error


def _read(file: UserFile) -> Catalogue:
    text = Decoded.of(file, "iso-8859-1")
    return keyed(text, _found(file, text.text), HASH)


FORMATS = (resource("properties", (".properties",), _read),)
