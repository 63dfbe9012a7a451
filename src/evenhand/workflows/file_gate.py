"""Many translated files as one gate: findings that fail, those known from before, and those that were accepted."""

import glob
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.measures.decisions.gate import Check, Gate
from evenhand.readers.layout import Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import BY_SUFFIX, chosen, read
from evenhand.readers.strings import language_of, open_catalogue
from evenhand.readers.toml_tables import TomlTable, check_keys, read_toml
from evenhand.storage.atomic import write_text
from evenhand.tsv import rows
from evenhand.workflows.check_file import FileCheck, NotChecked, check_file

RULES = {row["finding"]: row for row in rows(Path(__file__).with_name("findings.tsv"))}
HEAD = ("file", "id", "person", "finding", "gender", "rendering", "note")
KEYS = HEAD[:-1]  # two findings that agree in these are one
BASELINE = Layout("finding", tuple(Column(name, required=True) for name in KEYS), some=False)
_ACCEPTED = ("id", "reason", "date", "file", "person")


@dataclass(frozen=True)
class Acceptance:
    """A string that was looked at and may stay, with the reason and the day; "" for file and person: any."""

    id: str
    reason: str
    date: str
    file: str = ""
    person: str = ""

    def about(self, row: Mapping[str, str]) -> bool:
        return self.id == row["id"] and self.file in ("", row["file"]) and self.person in ("", row["person"])


@dataclass(frozen=True)
class FileRules:
    """[files], [persons], [style], [cast] and [[accepted]] of a project file."""

    paths: tuple[str, ...] = ()
    sources: str = ""
    fail_on: tuple[str, ...] = ("wrong",)
    baseline: str = ""
    persons: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()
    style: tuple[str, ...] = ()
    accepted: tuple[Acceptance, ...] = ()


def file_rules(path: Path) -> FileRules:
    """The rules of a project file; a file that does not exist has none."""
    if not path.exists():
        return FileRules()
    content = read_toml(path)
    top = TomlTable(str(path), content)
    files, words = (TomlTable(f"{path}: {name}", top.table(name)) for name in ("files", "persons"))
    check_keys(files.where, files.content, ("paths", "sources", "fail_on", "baseline"))
    check_keys(words.where, words.content, ("persons", "things"))
    tables = content.get("accepted", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput(f"{path}: accepted strings are tables: [[accepted]] id = ..., reason = ..., date = ...")
    accepted = []
    for number, table in enumerate(tables, start=1):
        one = TomlTable(f"{path}: accepted {number}", {k: str(v) if k == "date" else v for k, v in table.items()})
        check_keys(one.where, one.content, _ACCEPTED)
        needed = one.text("id"), one.text("reason"), one.text("date")
        accepted.append(Acceptance(*needed, one.text("file", ""), one.text("person", "")))
    return FileRules(
        files.texts("paths"),
        files.text("sources", ""),
        files.texts("fail_on") or ("wrong",),
        files.text("baseline", ""),
        words.texts("persons"),
        words.texts("things"),
        tuple(f"{name}={TomlTable(f'{path}: cast', top.table('cast')).text(name)}" for name in top.table("cast")),
        tuple(f"{name}={TomlTable(f'{path}: style', top.table('style')).text(name)}" for name in top.table("style")),
        tuple(accepted),
    )


def gate_rules(rules: FileRules) -> Gate:
    """The gate of [files]: every file its paths name, by its own rules."""
    check = partial(check_file, persons=rules.persons, things=rules.things, cast=rules.cast, style=rules.style)
    checks, left_out = check_files(check, rules.paths, rules.sources or None)
    known = read_baseline(Path(rules.baseline)) if rules.baseline else None
    gate = gate_files(checks, rules.fail_on, known=known, accepted=rules.accepted)
    return replace(gate, notes=[*gate.notes, *left_out])


def check_files(
    check: Callable[..., FileCheck], given: Iterable[str], sources: Path | str | None = None, target: str = ""
) -> tuple[list[FileCheck], list[str]]:
    """Every file that paths, folders and patterns (locale/**/*.po) name, checked; and sentences on those found in a
    folder or by a pattern that have nothing to judge. Of a folder the files of a localisation format count.

    The file of the sources, and inside folders files whose path names English or, where `target` is given, another
    language, are not checked."""
    checks, left_out = dict[str, FileCheck](), dict[str, list[NotChecked]]()
    for one in given:
        for name in _named(one, sources, target):
            try:
                checks[name] = checks.get(name) or check(name, sources=sources)
            except NotChecked as error:
                if name == one:
                    raise
                left_out.setdefault(error.what, []).append(error)
    if left_out and not checks:
        raise next(iter(left_out.values()))[0]
    return list(checks.values()), [
        f"not checked, {len(errors):,} like this: {errors[0]}" if len(errors) > 1 else f"not checked: {errors[0]}"
        for errors in left_out.values()
    ]


def _named(name: str, sources: Path | str | None, target: str) -> list[str]:
    place = Path(name)
    if place.is_dir():
        inside = [path for path in sorted(place.rglob("*")) if path.is_file() and _has_strings(path)]
    elif place.exists() or not any(mark in name for mark in "*?["):
        return [name]
    else:
        inside = [path for path in sorted(map(Path, glob.glob(name, recursive=True))) if path.is_file()]
    kept = [str(path) for path in inside if _translated(path, sources, target)]
    if not kept:
        told = "it contains no file of a localisation format" if place.is_dir() else "no file has such a name"
        raise BadInput(f"{name}: {told}")
    return kept


def _has_strings(path: Path) -> bool:
    """A translation of a localisation format: no template, no .mo beside its PO. JSON and YAML may be anything unless
    the path names a language; .xml, .ts (TypeScript) and .tmx (maps of games) are looked into."""
    file = UserFile(path)
    if file.suffix not in (*BY_SUFFIX, ".xml") or file.suffix == ".pot":
        return False
    if file.suffix in (".mo", ".gmo") and path.with_suffix(".po").exists():
        return False
    if root := {".ts": "<TS", ".tmx": "<tmx"}.get(file.suffix):
        return any(root in text for _, text in islice(file.lines(), 10))
    format = chosen(file, otherwise="tsv", guess=file.suffix == ".xml")
    return bool(language_of(path)) if format.name in ("json", "yaml") else format.carries == "units"


def _translated(path: Path, sources: Path | str | None, target: str) -> bool:
    source = sources is not None and Path(sources).exists() and path.samefile(sources)
    languages = [primary(one) for one in language_of(path)]
    return not source and languages != ["en"] and (not target or languages in ([], [primary(target)]))


def gate_files(
    checks: Sequence[FileCheck],
    fail_on: Collection[str],
    *,
    known: pl.DataFrame | None = None,
    accepted: Sequence[Acceptance] = (),
    since: str = "",
) -> Gate:
    """A check for each finding: it fails where `fail_on` names it, unless the baseline `known` has it, it was accepted,
    or its string is the same as in the commit `since`."""
    before = set() if known is None else set(map(_key, known.to_dicts()))
    made, unused = list[Check](), dict.fromkeys(accepted)
    for checked in checks:
        failing = set(checked.failing(fail_on).select("unit", "person").iter_rows())
        same = _earlier(checked, since) if since else {}
        for row in findings(checked, undecided="undecided" in fail_on):
            rule = RULES[row["finding"]]
            outcome = rule["words"]
            agreed = next((one for one in accepted if one.about(row)), None)
            if agreed is not None:
                outcome = f"accepted: {agreed.reason} ({agreed.date})"
                unused.pop(agreed, None)
            elif _key(row) in before:
                outcome = "known"
            elif same.get(row["id"]) in (("", row["rendering"]), (row["source"], row["rendering"])):
                outcome = f"unchanged since {since}"
            passed = outcome != rule["words"] or (row["unit"], row["person"]) not in failing
            place = (row["file"], int(row["line"]))
            name, said = f"{row['file']}:{row['line']}", checked.told(row)
            made.append(Check("string", name, rule["words"], outcome, passed, said, place=place, code=rule["code"]))
    return Gate(made, notes=[f"accepted, but no finding any more: {one.id} ({one.reason})" for one in unused])


def _key(row: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(" ".join(str(row[key]).split()) for key in KEYS)


def findings(checked: FileCheck, *, undecided: bool = False) -> list[dict[str, Any]]:
    """The findings of a file, with the file's name; `undecided`: also the persons whose gender nobody could read."""
    name = "stdin" if checked.path is None else str(checked.path)
    open_too = pl.when((pl.col("gender") == "unknown") & undecided).then(pl.lit("undecided"))
    rows = checked.persons.with_columns(file=pl.lit(name), finding=pl.coalesce("finding", open_too))
    return rows.filter(pl.col("finding").is_not_null()).to_dicts()


def _earlier(checked: FileCheck, since: str) -> dict[str, tuple[str, str]]:
    """Source ("": in another file) and rendering of every string that the file had in a commit, by id."""
    if checked.path is None:
        raise BadInput("stdin: standard input has no history; name the file")
    folder, name = str(checked.path.absolute().parent), checked.path.name
    if _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{since}^{{commit}}") is None:
        raise BadInput(f"{checked.path}: git has no commit {since!r} here")
    content = _git(folder, "show", "--end-of-options", f"{since}:./{name}")
    units = [] if content is None else open_catalogue(UserFile(checked.path, content)).units  # None: the file is new
    return {unit.id: (unit.source, unit.rendering) for unit in units}


def _git(folder: str, *words: str) -> bytes | None:
    try:
        done = subprocess.run(["git", "-C", folder, *words], capture_output=True, check=False)
    except OSError as error:
        raise BadInput(f"--changed-since needs git: {error}") from error
    return done.stdout if done.returncode == 0 else None


def read_baseline(path: Path) -> pl.DataFrame:
    """The findings of a file of known ones."""
    if not path.exists():
        raise BadInput(f"{path}: no such file of known findings; --accept-new writes one to review")
    return read(path, BASELINE)


def write_baseline(path: Path, checks: Iterable[FileCheck]) -> int:
    """All current findings as known ones; notes of earlier lines stay. How many are new."""
    earlier = {_key(row): row.get("note") or "" for row in (read_baseline(path).to_dicts() if path.exists() else ())}
    rows = {_key(row) for checked in checks for row in findings(checked)}
    lines = ["# reviewed genders in translations; give the reason in note", "\t".join(HEAD)]
    lines += ["\t".join((*row, earlier.get(row, ""))) for row in sorted(rows)]
    write_text(path, "\n".join(lines) + "\n")
    return len(rows - earlier.keys())
