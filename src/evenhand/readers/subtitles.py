"""Subtitles: SubRip (.srt) and WebVTT (.vtt), a string a cue, by its number among the cues; a label says who speaks."""

import re
from collections.abc import Iterator

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue, Unit
from evenhand.readers.commented import Decoded, beside, resource
from evenhand.readers.opening import UserFile

_TIME = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}")
_TAG = re.compile(r"</?(?:[bicu]|v|lang|ruby|rt|font|\d)[^>]*>|\{\\[^}]*\}", re.IGNORECASE)

_VOICE = re.compile(r"<v(?:\.[\w.]+)?\s+([^>]+)>|^(?:-\s*)?([A-ZÀ-Þ][\w .'-]{0,30}):\s+")  # <v Anna>, ANNA: ...


def _cues(text: str) -> Iterator[Unit]:
    lines, at, number = [line.removesuffix("\r") for line in text.split("\n")], 0, 0
    while at < len(lines):
        if not _TIME.match(lines[at]):
            at += 1
            continue
        begin, number = at + 1, number + 1
        at = next((n for n in range(begin, len(lines)) if not lines[n].strip()), len(lines))
        raw = " ".join(line.strip() for line in lines[begin:at])
        who = _VOICE.search(raw)
        said = _TAG.sub("", raw[who.end() :] if who and who[2] else raw).strip()
        speaker = (who[1] or who[2]).strip() if who else ""
        yield Unit(begin + 1, str(number), "", said, "", "", "" if said else "untranslated", speaker)


def _read(file: UserFile) -> Catalogue:
    units = list(_cues(Decoded.of(file, "cp1252").text))
    if not units:
        raise BadInput(f"{file.name}: no cue with a time (00:00:01,000 --> 00:00:02,000) in it; are these subtitles?")
    return beside(units)


FORMATS = (resource("subtitles", (".srt", ".vtt"), _read),)
