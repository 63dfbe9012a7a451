"""evenhand corpus: how persons are gendered in parallel text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evenhand.cli.mine import Processes, print_counted, shown_progress
from evenhand.cli.options import verb
from evenhand.cli.output import print_places
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.options import CALIBRATION, DOMAIN, FORMS, Argument, Fresh, Json, Level, Option, Page, ResultFolder
from evenhand.persons import Domain

if TYPE_CHECKING:
    from evenhand.workflows.balance import Evened


def _sides(text: str) -> tuple[str, str]:
    """The two columns of SOURCE,TARGET."""
    sides = [part.strip() for part in text.split(",")]
    if len(sides) != 2:
        raise BadInput(f"--columns {text}: two columns are needed, SOURCE,TARGET")
    return sides[0], sides[1]


@dataclass(frozen=True)
class CountSettings:
    """How the text is read and the persons are counted: keywords of `evenhand.corpus`."""

    source: Annotated[str, Option("language whose persons are looked for", "LANG")] = "en"
    columns: Annotated[
        tuple[str, str] | None, Option("columns of a table: names, or numbers from 1", "SOURCE,TARGET", parse=_sides)
    ] = None
    reference: Annotated[str, Option("labour statistics, as `evenhand references` lists", "NAME")] = "us-2020"
    calibration: Annotated[Path | None, CALIBRATION] = None
    shard_size: Annotated[int, Option("pairs in a shard", "N", least=10)] = 10_000
    block: Annotated[int, Option("lines that count as one cluster where no document is named", "N", least=1)] = 200
    forms: Annotated[Path | None, FORMS] = None
    domain: Annotated[Domain, DOMAIN] = "prose"
    seed: Annotated[int, Option("draws the sample of sentences", "N")] = 0
    level: Level = LEVEL
    fresh: Fresh = False


@verb
def corpus(
    parallel: Annotated[
        tuple[str, ...],
        Argument(
            "TSV, CSV, JSONL, Parquet, TMX, two files of lines (text.en text.de), folders; .gz, .xz, .zst too; - is a "
            "TSV on standard input",
            "PARALLEL",
        ),
    ],
    output: ResultFolder,
    target: Annotated[str, Option("language of the other side", "LANG", "--target -t")],
    counting: CountSettings,
    processes: Processes,
    balanced: Annotated[
        Path | None,
        Option("write a weight for every line that meets the wanted shares", "FILE", "--write-balanced", writes=True),
    ] = None,
    want: Annotated[
        str | None, Option("share of women that is wanted: a number, or TSV with concept, share", "SHARE|FILE")
    ] = None,
    report: Page = True,
    json: Json = False,
) -> None:
    """Count how the persons of the source side are gendered on the target side, word by word, with intervals.

    Persons whose gender the source states, leaves open or leaves unclear are kept apart.
    """
    from evenhand.workflows.balance import balance, wanted_shares
    from evenhand.workflows.corpus import MEMORY_MB, SAMPLED, WORDS
    from evenhand.workflows.corpus import corpus as run

    if (balanced is None) != (want is None):
        raise BadInput("--write-balanced FILE and --want belong together: the shares that are wanted are yours to say")
    wanted = wanted_shares(want) if want is not None else None
    engine = processes.open(memory_mb=MEMORY_MB)
    with shown_progress() as progress:
        audited = run(parallel, target=target, output=output, engine=engine, progress=progress, **vars(counting))
    evened = balance(output, wanted, balanced, seed=counting.seed) if balanced and wanted is not None else None
    weights = evened.words.to_dicts() if evened else None
    print_counted(audited, report=report, json=json, more={"balanced": weights})
    if json:
        return
    sample = f"{output / SAMPLED}  (evenhand review: label a part of it to know how often verdicts err)"
    print_places(
        words=output / WORDS,
        sample=sample if (output / SAMPLED).is_dir() else None,
        balanced=f"{balanced}  ({_summary(evened)})" if evened else None,
    )


def _summary(evened: Evened) -> str:
    return (
        f"{evened.lines:,} lines with a weight below 1, {evened.kept:,} of them kept; {evened.repeats:,} more that "
        f"repeat a line and weigh 0; {evened.met:,} words have the share that is wanted, {evened.one_sided:,} stay as "
        "they are because only one gender occurs"
    )
