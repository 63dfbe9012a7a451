"""Winograd schemas with gender as published: WinoMT, WinoMT with distance, WinoBias, Winogender.

WinoMT (Stanovsky et al. 2019) has gender, index of the entity's head, sentence, entity. WinoMT with sentences between
the noun and its pronoun (mt_gender_pt, 2025) is a folder with en_inter1.txt to en_inter3.txt in the same columns: the
pronoun in the noun's sentence, in the next one, and in the one after that. WinoBias (Zhao et al. 2018) reads
"1 [The pilot] thanked the baker because [he] ...". Winogender is all_sentences.tsv (Rudinger et al. 2018).
"""

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.readers.opening import UserFile, text_lines
from evenhand.suites.suite import Suite, designed, gender_of_pronoun, marked_probe


def winogender(path: Path) -> Suite:
    """The focus is the person the pronoun means: the occupation (answer 0) or the participant (answer 1)."""
    file = path / "all_sentences.tsv" if path.is_dir() else path
    return designed("winogender", lambda: _winogender_probes(file))


def _winogender_probes(file: Path) -> pl.DataFrame:
    rows = []
    for number, line in enumerate(text_lines(file)[1:], start=2):
        cells = line.split("\t")
        name = cells[0].removesuffix(".txt").split(".")
        if len(cells) != 2 or len(name) != 4 or name[2] not in {"0", "1"}:
            raise BadInput.at(file, number, "not a Winogender row (occupation.participant.answer.gender.txt, sentence)")
        (occupation, participant, answer, gender), sentence = name, cells[1]
        person = occupation if answer == "0" else participant
        place = re.search(rf"\b{re.escape(person)}\b", sentence, re.IGNORECASE)
        if place is None:
            raise BadInput.at(file, number, f"{person!r} is not in the sentence")
        more = {"gold": gender, "pair": ".".join(name[:3]), "occupation": occupation, "participant": participant}
        rows.append(marked_probe(".".join(name), sentence, place.start(), place.end(), **more))
    return pl.DataFrame(rows)


# blanks at its ends are cut off afterwards: three repetitions side by side would try every way to share them
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_DETERMINER = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
FILE_NAME = re.compile(r"^(pro|anti)_stereotyped_type([12])\.txt\.(dev|test)$")


def winobias(path: Path) -> Suite:
    """One file, or all eight of a folder in the order pro/anti, type, dev/test."""
    return designed("winobias", lambda: winobias_probes(path), path.name)


def winobias_probes(path: Path) -> pl.DataFrame:
    """The probes of a file or folder: sentence without brackets, focus without its determiner, gold of the pronoun."""
    files = sorted(f for f in path.iterdir() if FILE_NAME.match(f.name)) if path.is_dir() else [path]
    if not files:
        raise BadInput(f"{path}: no file named like pro_stereotyped_type1.txt.dev")
    rows = [row for file in files for row in _winobias_rows(file)]
    return pl.DataFrame(rows, schema_overrides={"stereotype": pl.String, "split": pl.String})


def _winobias_rows(file: Path) -> list[dict[str, object]]:
    named = FILE_NAME.match(file.name)
    side, kind, split = named.groups() if named else (None, "", None)
    prefix = f"{side}{kind}{split}" if named else file.stem
    return [
        _bracketed(f"{prefix}-{number:03d}", line, file, number) | {"stereotype": side, "split": split}
        for number, line in UserFile(file).lines()
    ]


def _bracketed(name: str, line: str, file: Path, number: int) -> dict[str, object]:
    """Sentence, focus and gold of a bracketed line; further bracketed pronouns are plain text."""
    text = re.sub(r"^\d+\s+", "", line)
    brackets = [(match.span(), match[1].strip()) for match in _BRACKET.finditer(text)]
    people = [(span, words) for span, words in brackets if gender_of_pronoun(words) is None]
    pronouns = [words for _, words in brackets if gender_of_pronoun(words) is not None]
    if len(people) != 1 or not pronouns:
        raise BadInput.at(file, number, "expected one person and at least one pronoun in [brackets]")
    [((at, _), person)] = people
    first = at - sum(end - start - len(words) for (start, end), words in brackets if start < at)
    skipped = _DETERMINER.match(person)
    start, end = first + (skipped.end() if skipped else 0), first + len(person)
    source = _BRACKET.sub(lambda match: match[1].strip(), text)
    gold, occupation = gender_of_pronoun(pronouns[0]), source[start:end].casefold()
    return marked_probe(name, source, start, end, gold=gold, occupation=occupation)


FILES = ("en_inter1.txt", "en_inter2.txt", "en_inter3.txt")
END = re.compile(r"[.!?]\s+")
PRONOUN = re.compile(r"\b(?:she|he|her|him|his|hers|herself|himself)\b", re.IGNORECASE)


def winomt_distance(path: Path) -> Suite:
    """A suite of the three files; `distance` counts the ends of sentences between the noun and the first pronoun."""
    folder = path if path.is_dir() else path.parent
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise BadInput(f"{folder}: no {missing[0]} there; name the folder with {', '.join(FILES)}")
    return designed("winomt-distance", lambda: pl.concat([_distance_probes(folder / name) for name in FILES]))


def _distance_probes(file: Path) -> pl.DataFrame:
    rows = []
    for number, (gold, _, sentence, entity), (start, end) in _spans(file):
        pronoun = PRONOUN.search(sentence, end) or PRONOUN.search(sentence)
        if pronoun is None:
            raise BadInput.at(file, number, "no pronoun that says the person's gender")
        between = sentence[min(end, pronoun.start()) : max(start, pronoun.start())]
        distance = str(len(END.findall(between)))
        more = {"occupation": entity.casefold(), "distance": distance, "distance_gender": f"{distance} {gold}"}
        rows.append(marked_probe(f"{file.stem}-{number:04d}", sentence, start, end, gold=gold, **more))
    return pl.DataFrame(rows)


WinoMtLine = tuple[str, int, str, str]
_INDEX = re.compile(r"[0-9]{1,6}")


def winomt(path: Path) -> Suite:
    """A suite of one WinoMT file. Where en_pro and en_anti lie beside it, its rows know their stereotype."""
    return designed("winomt", lambda: _probes(path), path.name, name=f"winomt-{path.stem}")


def _probes(path: Path) -> pl.DataFrame:
    files = {side: side_file(path, side) for side in ("pro", "anti")}
    sides = {side: set(read_winomt(file)) for side, file in files.items() if file is not None}
    made = []
    for number, row, (start, end) in _spans(path):
        gold, _, sentence, entity = row
        stereotype = next((side for side, known in sides.items() if row in known), None)
        more = {"gold": gold, "stereotype": stereotype, "occupation": entity.casefold()}
        made.append(marked_probe(f"winomt-{number - 1:04d}", sentence, start, end, **more))
    return pl.DataFrame(made, schema_overrides={"stereotype": pl.String})


def read_winomt(path: Path) -> list[WinoMtLine]:
    """The rows of a WinoMT file; a malformed one is an error with its line."""
    rows: list[WinoMtLine] = []
    for number, line in UserFile(path).lines():
        cells = line.split("\t")
        if len(cells) != 4 or not _INDEX.fullmatch(cells[1]) or cells[0] not in {g.value for g in Gender}:
            raise BadInput.at(path, number, "not a WinoMT row (gender, index, sentence, entity, separated by tabs)")
        rows.append((cells[0], int(cells[1]), cells[2], cells[3]))
    return rows


def _spans(path: Path) -> Iterator[tuple[int, WinoMtLine, tuple[int, int]]]:
    """Each row with its line and the place of its focus."""
    for number, row in enumerate(read_winomt(path), start=1):
        yield number, row, focus_span(row, path, number)


def focus_span(row: WinoMtLine, path: Path, number: int) -> tuple[int, int]:
    """Where the entity stands: the occurrence of its words at or around the given blank-separated token."""
    _, index, sentence, entity = row
    tokens = list(re.finditer(r"\S+", sentence))
    if index >= len(tokens):
        raise BadInput.at(path, number, f"index {index} is beyond the sentence's {len(tokens)} words")
    token = tokens[index]
    for match in re.finditer(rf"\b{re.escape(entity)}\b", sentence, re.IGNORECASE):
        if match.start() <= token.end() and token.start() <= match.end():
            return match.span()
    word = re.search(r"\w[\w'-]*", token.group())
    start = token.start() + (word.start() if word else 0)
    return start, start + len(word.group() if word else token.group())


def side_file(path: Path, side: str) -> Path | None:
    """The file of one side (pro, anti) beside WinoMT's own."""
    names = (path.name.replace("en", f"en_{side}", 1), f"{path.stem}_{side}{path.suffix}", f"en_{side}.txt")
    return next((file for file in map(path.with_name, names) if file.is_file()), None)
