"""evenhand check-file: the gender a translated file gives the persons in its strings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.check import Format
from evenhand.cli.options import chosen, verb
from evenhand.cli.output import print_json, print_table
from evenhand.errors import BadInput
from evenhand.gender import GENDERS
from evenhand.languages import name_of
from evenhand.measures.decisions.gate import Gate
from evenhand.options import Argument, Json, Option
from evenhand.persons import AS_IN
from evenhand.report.exchange.gates import WRITERS
from evenhand.report.words.vocabulary import amount
from evenhand.workflows.cast import SPEAKS
from evenhand.workflows.check_file import FAILURES, FileCheck
from evenhand.workflows.check_file import check_file as run_check
from evenhand.workflows.file_gate import (
    RULES,
    FileRules,
    check_files,
    file_rules,
    gate_files,
    read_baseline,
    write_baseline,
)
from evenhand.workflows.project_file import FILE as PROJECT

_SAYS = {
    "open": "leaves it open",
    "attributive": "leaves it open (patient name)",
    "pronoun": "leaves it open (everyone)",
    "female": "states female",
    "male": "states male",
    "unclear": "states a gender, person unclear",
    SPEAKS: "has no gender in the cast",
    "thing?": "may name a thing (--person)",
}
_SPARED = {"known": "in the baseline", "accepted": "accepted in the project file"}  # why findings do not fail
_COUNTED = ("wrong", "open", "attributive")  # findings in the summary of many files


@verb
def check_file(
    paths: Annotated[tuple[str, ...], Argument("files, folders or patterns (locale/**/*.po); see docs", "FILE")] = (),
    check: partial[FileCheck] = chosen(run_check),
    fail_on: Annotated[
        tuple[str, ...], Option(f"exit 1 if there is one: {', '.join(FAILURES)}; may be repeated", "WHAT")
    ] = (),
    baseline: Annotated[
        Path | None, Option("known findings, which do not fail (--accept-new writes the file)", "FILE")
    ] = None,
    accept_new: Annotated[bool, Option("first add all current findings to --baseline")] = False,
    changed_since: Annotated[str, Option("only strings changed since this commit of git can fail", "REF")] = "",
    project: Annotated[
        Path, Option("project file with [files], [persons], [style] and [[accepted]], if there is one", "FILE")
    ] = PROJECT,
    output: Annotated[
        Path | None,
        Option("write the file with notes here (JSON: the notes alone)", "FILE", "--output -o", in_place="paths"),
    ] = None,
    suggest: Annotated[
        bool, Option("with -o: the notes also give the string with the other gender or in the house style")
    ] = False,
    show: Annotated[int, Option("examples of each finding", "N", least=0)] = 10,
    output_format: Format = "text",
    json: Json = False,
) -> None:
    """Show the gender that translated files give every person in their strings, next to that of the source.

    Exit codes: 0 passed, 1 a finding of --fail-on that is neither known nor accepted, 2 a file that cannot be
    checked.
    """
    rules = file_rules(project)
    named, fails = paths or rules.paths, fail_on or rules.fail_on * bool(rules.paths)
    if not named:
        raise BadInput(f"name a file, a folder or a pattern, or give [files] paths in {project}")
    checks = _checked(check, named, rules)
    if output is not None and len(checks) > 1:
        raise BadInput("-o writes one file; check one file at a time to write notes")
    place = baseline or (Path(rules.baseline) if rules.baseline else None)
    before = _known(place, checks, accept_new=accept_new)
    gate = gate_files(checks, fails, known=before, accepted=rules.accepted, since=changed_since)
    if output is not None:
        checks[0].write(output, suggest=suggest)
    form = "json" if json else output_format
    if form == "json":
        said = [_summary(checked, gate, fails) for checked in checks]
        print_json(said[0] if len(said) == 1 else {"passed": gate.passed, "files": said})
    elif form in WRITERS:
        typer.echo(WRITERS[form](gate, ", ".join(named)), nl=False)
    else:
        _print_all(checks, show, output, gate)
        _print_gate(gate, fails)
    raise typer.Exit(gate.exit_code)


def _print_all(checks: Sequence[FileCheck], show: int, output: Path | None, gate: Gate) -> None:
    spared = {(check.place, check.told): check.outcome for check in gate.checks if check.outcome != check.rule}
    for checked in checks:
        if len(checks) == 1 or checked.persons["finding"].null_count() < checked.persons.height:
            _print(checked, show, spared)
    if len(checks) > 1:
        _print_summary(checks)
    if output is not None:
        typer.echo(f"\n{'notes by key' if checks[0].catalogue.beside else 'with notes'}: {output}")


def _checked(check: partial[FileCheck], named: Sequence[str], rules: FileRules) -> list[FileCheck]:
    """Every file that is named, by the options of the command line and the rules of the project file."""
    sources = check.keywords.get("sources") or rules.sources or None
    own = {"persons": rules.persons, "things": rules.things, "cast": rules.cast}
    style = check.keywords.get("style") or rules.style
    words = {name: (*check.keywords.get(name, ()), *more) for name, more in own.items()}
    judge = partial(check.func, **{**check.keywords, **words, "style": style})
    checks, left_out = check_files(judge, named, sources, check.keywords.get("target", ""))
    for sentence in left_out:
        typer.echo(sentence, err=True)
    return checks


def _known(place: Path | None, checks: Sequence[FileCheck], *, accept_new: bool) -> pl.DataFrame | None:
    """The findings of the baseline, with all current ones where these are to be accepted."""
    if place is None:
        if accept_new:
            raise BadInput("--accept-new needs --baseline FILE, the file to write")
        return None
    if accept_new:
        typer.echo(f"{amount(write_baseline(place, checks), 'finding')} added to {place}", err=True)
    return read_baseline(place)


def _print_gate(gate: Gate, fail_on: Sequence[str]) -> None:
    """What failed, and what did not because it is known."""
    for note in gate.notes:
        typer.echo(f"note: {note}")
    spared = Counter(check.outcome.partition(":")[0] for check in gate.checks if check.outcome != check.rule)
    for why, n in spared.items():
        typer.echo(f"\n{amount(n, 'finding')} {_SPARED.get(why, why)}")
    if fail_on:
        failed = len({check.name for check in gate.checks if not check.passed})
        what = " or ".join(_fault(name, one=failed < 2) for name in fail_on)
        typer.echo(f"\nFAILED: {amount(failed, 'string')} {what}" if failed else f"\nPassed: no string {what}")


def _fault(name: str, *, one: bool) -> str:
    """What strings do that fail for it: "contradict the source"; `one`: what one string does."""
    finding, _, gender = name.partition("-")
    verb, _, rest = (
        RULES[finding]["plural"].replace("a gender", f"a {gender} gender" if gender else "a gender").partition(" ")
    )
    return f"{verb}{'s' * one} {rest}"


def _print_summary(checks: Sequence[FileCheck]) -> None:
    """A row per file, and per language of several files: their size, and how many persons each finding has."""
    counts = {id(checked): Counter(checked.persons["finding"].to_list()) for checked in checks}
    columns = [finding for finding in RULES if finding in _COUNTED or any(count[finding] for count in counts.values())]

    def row(name: str, language: str, files: Sequence[FileCheck]) -> tuple[str, ...]:
        sizes = sum(one.strings for one in files), sum(one.persons.height for one in files)
        numbers = (*sizes, *(sum(counts[id(one)][finding] for one in files) for finding in columns))
        return (name, name_of(language), *(f"{n:,}" for n in numbers))

    by_language: dict[str, list[FileCheck]] = {}
    for checked in checks:
        by_language.setdefault(checked.target_lang, []).append(checked)
    rows = [row(str(checked.path or "stdin"), checked.target_lang, [checked]) for checked in checks]
    rows += [row(f"{len(held)} files", language, held) for language, held in by_language.items() if len(held) > 1]
    typer.echo("")
    print_table(None, ("file", "language", "strings", "persons", *(RULES[name]["words"] for name in columns)), rows)


def _print(checked: FileCheck, show: int, spared: Mapping[tuple[tuple[str, int] | None, str], str]) -> None:
    persons, path = checked.persons, checked.path or "stdin"
    pending = "".join(f", {n:,} {why}" for why, n in checked.pending.items())
    languages = f"{name_of(checked.source_lang)} to {name_of(checked.target_lang)}"
    within = f"{amount(persons.height, 'person')} in {persons['unit'].n_unique():,} of them"
    strings = amount(checked.strings, "string")
    typer.echo(f"{path}: {languages}, {strings}{pending}; {within}, {AS_IN[checked.domain]}\n")
    if not persons.height:
        typer.echo("No translated string names a person.")
        return
    table = {(says, gender): n for says, gender, n in checked.counts().iter_rows()}
    rows = [
        (words, *(f"{table.get((says, gender), 0):,}" for gender in GENDERS))
        for says, words in _SAYS.items()
        if any((says, gender) in table for gender in GENDERS)
    ]
    print_table(None, ("the source", *GENDERS), rows)
    for finding, rule in RULES.items():
        there = persons.filter(pl.col("finding") == finding)
        if there.height:
            typer.echo(f"\n{rule['words']}: {rule['means']} ({there.height:,})")
            for row in there.head(show).iter_rows(named=True):
                typer.echo(f"  line {row['line']}  {_short(row['source'])}  →  {_short(row['rendering'])}")
                why = spared.get(((str(path), row["line"]), checked.told(row)), "")
                typer.echo(f"      {checked.told(row)}{f' [{why}]' * bool(why)}")
            if there.height > show:
                typer.echo(f"  and {there.height - show:,} more (--show {there.height}, --json, or -o)")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:69] + "…"


def _summary(checked: FileCheck, gate: Gate, fail_on: Sequence[str]) -> dict[str, object]:
    file = "stdin" if checked.path is None else str(checked.path)
    failing = {check.name for check in gate.checks if not check.passed and check.place and check.place[0] == file}
    return {
        "file": None if checked.path is None else file,
        "source": checked.source_lang,
        "target": checked.target_lang,
        "strings": checked.strings,
        "pending": dict(checked.pending),
        "domain": checked.domain,
        "detector": checked.detector,
        "fail_on": fail_on,
        "failing": len(failing),
        "passed": not failing,
        "counts": checked.counts().sort("says", "gender").to_dicts(),
        "persons": checked.persons.drop("unit").to_dicts(),
    }
