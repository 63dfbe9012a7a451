"""Subtitles: SubRip (.srt) and WebVTT (.vtt), a string a cue, by its number among the cues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue, Unit
from evenhand.readers.commented import Decoded, beside, resource
from evenhand.readers.opening import UserFile

_TIME = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}")
_TAG = re.compile(r"</?(?:[bicu]|v|lang|ruby|rt|font|\d)[^>]*>|\{\\[^}]*\}", re.IGNORECASE)


def _cues(text: str) -> Iterator[Unit]:
    lines, at, number = [line.removesuffix("\r") for line in text.split("\n")], 0, 0
    while at < len(lines):
        if not _TIME.match(lines[at]):
            at += 1
            continue
        begin, number = at + 1, number + 1
        at = next((n for n in range(begin, len(lines)) if not lines[n].strip()), len(lines))
        said = _TAG.sub("", " ".join(line.strip() for line in lines[begin:at])).strip()
        yield Unit(begin + 1, str(number), "", said, "", "", "" if said else "untranslated")


def _read(file: UserFile) -> Catalogue:
    units = list(_cues(Decoded.of(file, "cp1252").text))
    if not units:
        raise BadInput(f"{file.name}: no cue with a time (00:00:01,000 --> 00:00:02,000) in it; are these subtitles?")
    return beside(units)


FORMAT = resource("subtitles", (".srt", ".vtt"), _read)
