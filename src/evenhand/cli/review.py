"""evenhand review: the person in the loop."""

import getpass
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import verb
from evenhand.cli.output import REPORT, print_json, say, write_page_inside, write_whole
from evenhand.detect.own_forms import FILE as FORMS
from evenhand.gender import Gender
from evenhand.options import Json, Option, RunFolder
from evenhand.report.words.vocabulary import amount
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.review import sheets as review_sheets
from evenhand.storage.tables import PERSON


@verb
def review(
    run: RunFolder,
    sample: Annotated[int | None, Option("draw this many decided verdicts, with weights", "N", least=1)] = None,
    seed: Annotated[int, Option("seed of the random sample", "N")] = 0,
    labels: Annotated[Path | None, Option("apply the labels of a sheet (TSV, column `label`)", "FILE")] = None,
    forms: Annotated[Path | None, Option("keep labelled forms here (default: RUN/forms.tsv)", "FILE")] = None,
    labeller: Annotated[str | None, Option("who labelled (default: your user name)", "NAME")] = None,
    output: Annotated[Path | None, Option("write the sheet here instead of stdout", "FILE", "--output -o")] = None,
    json: Json = False,
) -> None:
    """List undecided renderings by frequency (TSV), draw a sample to check, or apply labels and score again."""
    loaded = Run.load(run)
    if labels is not None:
        with suppress(KeyError, OSError):  # a container may know no user
            labeller = labeller or getpass.getuser()
        _take(loaded, labels, labeller or "me", forms=forms, json=json)
        return
    sheet = review_sheets.undecided(loaded) if sample is None else review_sheets.sample(loaded, sample, seed=seed)
    if json:
        print_json(sheet.to_dicts())
        return
    text = sheet.write_csv(separator="\t", quote_style="never")
    write_whole(output, lambda stream: stream.write(text))
    if not sheet.height:
        typer.echo(f"Nothing is undecided. {_check_decided(run)}", err=True)
    elif output is not None:
        then = f"evenhand review {run} --labels {output}"
        if sample is not None:
            score = f"evenhand score {run} --in-place --calibration rates.json"
            then = f"evenhand calibrate {output} -o rates.json, and {score}"
        typer.echo(f"{amount(sheet.height, 'row')} written to {output}. Fill in the column `label`, then: {then}")
    elif sys.stdout.isatty() and sample is None:
        typer.echo(f"\nTo label them: evenhand review {run} -o sheet.tsv", err=True)


def _check_decided(run: Path) -> str:
    return f"To check decided verdicts: evenhand review {run} --sample 200 -o sample.tsv"


def _take(run: Run, sheet: Path, labeller: str, *, forms: Path | None, json: bool) -> None:
    labelled, kept = review_sheets.take_labels(run, sheet, labeller=labeller, forms_file=forms)
    folder = run.path
    assert folder is not None  # Run.load sets it
    if run.manifest.calibration:
        typer.echo(
            "note: the run's calibration was made for the detector's verdicts and is dropped; draw a sample and "
            "calibrate again",
            err=True,
        )
    saved = reviews.apply_labels(folder)
    people = saved.verdicts.filter(pl.col("how") == PERSON).height
    labels = reviews.read_labels(folder)
    agreements = reviews.agreement(labels.table)
    if labels.warning:
        typer.echo(f"note: {labels.warning}", err=True)
    if (folder / REPORT).is_file():
        write_page_inside(saved)  # else the page beside the tables would show other numbers
    place = str(forms or folder / FORMS) if kept else None
    if json:
        counts = {"labelled": labelled, "by_person": people, "forms_kept": kept, "forms_file": place}
        print_json({**counts, "agreement": [vars(a) for a in agreements], "signature": saved.signature})
        return
    now = f"{amount(people, 'verdict')} of this run {'is' if people == 1 else 'are'} now a person's"
    say(f"{amount(labelled, 'rendering')} labelled; {now}. Estimates updated.")
    if place:
        noun, them = ("form", "it") if kept == 1 else ("forms", "them")
        typer.echo(f"{kept} {noun} kept in {place}; another run knows {them} by --forms {place}")
    for a in agreements:
        shown = "undefined" if a.kappa is None else f"{a.kappa:.2f}"
        typer.echo(f"{a.first} and {a.second}: {a.agreed:.0%} agreement on {a.n}, Cohen's kappa {shown}")
    left = saved.verdicts.filter(pl.col("gender") == Gender.UNKNOWN.value).height
    if left:
        say(f"{left:,} of {saved.verdicts.height:,} are still undecided: evenhand review {folder} lists them.")
    say(f"Next: evenhand report {folder} for the page with these labels. {_check_decided(folder)}")
