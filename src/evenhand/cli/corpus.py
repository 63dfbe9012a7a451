"""evenhand corpus: how persons are gendered in parallel text."""

from __future__ import annotations

from pathlib import Path

import typer

from evenhand.cli.findings import print_findings
from evenhand.cli.mine import shown_progress
from evenhand.cli.options import FORMS, LEVEL_OPTION
from evenhand.cli.output import print_json, result_json, write_page_inside
from evenhand.errors import BadInput
from evenhand.level import LEVEL

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def corpus(
    parallel: list[str] = typer.Argument(
        help="TSV, CSV, JSONL, Parquet, TMX, two files of lines (text.en text.de), folders; .gz, .xz, .zst too; - is a "
        "TSV on standard input",
        metavar="PARALLEL",
    ),
    output: Path = typer.Option(
        ..., "--output", "-o", metavar="FOLDER", help="folder of the result; the same command continues it"
    ),
    target: str = typer.Option(..., "--target", "-t", metavar="LANG", help="language of the other side"),
    source: str = typer.Option("en", "--source", metavar="LANG", help="language whose persons are looked for"),
    columns: str | None = typer.Option(
        None, "--columns", metavar="SOURCE,TARGET", help="columns of a table: names, or numbers from 1"
    ),
    reference: str = typer.Option(
        "us-2020", "--reference", metavar="NAME", help="labour statistics, as `evenhand references` lists"
    ),
    calibration: Path | None = typer.Option(
        None, "--calibration", metavar="FILE", help="the detector's error (`evenhand calibrate`): adds corrected shares"
    ),
    balanced: Path | None = typer.Option(
        None, "--write-balanced", metavar="FILE", help="write a weight for every line that meets the wanted shares"
    ),
    want: str | None = typer.Option(
        None, "--want", metavar="SHARE|FILE", help="share of women that is wanted: a number, or TSV with concept, share"
    ),
    engine: str = typer.Option("local", "--engine", metavar="NAME", help="local (processes here) or ray"),
    address: str | None = typer.Option(None, "--address", metavar="ADDRESS", help="address of a Ray cluster, or auto"),
    workers: int | None = typer.Option(
        None, "--workers", metavar="N", min=1, help="processes, or actors for each step"
    ),
    shard_size: int = typer.Option(10_000, "--shard-size", metavar="N", min=10, help="pairs in a shard"),
    block: int = typer.Option(
        200, "--block", metavar="N", min=1, help="lines that count as one cluster where no document is named"
    ),
    forms: Path | None = FORMS,
    seed: int = typer.Option(0, "--seed", metavar="N", help="draws the sample of sentences"),
    level: float | None = LEVEL_OPTION,
    fresh: bool = typer.Option(False, "--fresh", help="start over instead of continuing"),
    report: bool = typer.Option(True, help="write report.html into the folder"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Count how the persons of the source side are gendered on the target side, word by word, with intervals.

    Persons whose gender the source states, leaves open or leaves unclear are kept apart.
    """
    from evenhand.pipeline.engines import open_engine
    from evenhand.workflows.balance import balance, wanted_shares
    from evenhand.workflows.corpus import MEMORY_MB, SAMPLED, WORDS
    from evenhand.workflows.corpus import corpus as run

    sides = tuple(part.strip() for part in columns.split(",")) if columns else None
    if sides is not None and len(sides) != 2:
        raise BadInput(f"--columns {columns}: two columns are needed, SOURCE,TARGET")
    if (balanced is None) != (want is None):
        raise BadInput("--write-balanced FILE and --want belong together: the shares that are wanted are yours to say")
    wanted = wanted_shares(want) if want is not None else None
    with shown_progress() as progress:
        audited = run(
            parallel,
            source=source,
            target=target,
            output=output,
            columns=(sides[0], sides[1]) if sides else None,
            engine=open_engine(engine, workers=workers, address=address, memory_mb=MEMORY_MB),
            reference=reference,
            calibration=calibration,
            forms=forms,
            shard_size=shard_size,
            block=block,
            seed=seed,
            level=LEVEL if level is None else level,
            fresh=fresh,
            progress=progress,
        )
    evened = balance(output, wanted, balanced, seed=seed) if balanced is not None and wanted is not None else None
    page = write_page_inside(audited.findings) if report else None
    shards = {"made": audited.made, "kept": audited.kept}
    if json:
        told = {**result_json(audited.findings), "shards": shards, "seconds": round(audited.seconds, 2)}
        weights = evened.words.to_dicts() if evened else None
        print_json({**told, "report": str(page) if page else None, "balanced": weights})
        return
    print_findings(audited.findings)
    typer.echo(f"result     {output}  (shards: {audited.made:,} made, {audited.kept:,} kept)")
    if page:
        typer.echo(f"report     {page}")
    typer.echo(f"words      {output / WORDS}")
    if (output / SAMPLED).is_dir():
        typer.echo(
            f"sample     {output / SAMPLED}  (evenhand review: label a part of it to know how often verdicts err)"
        )
    if evened:
        typer.echo(
            f"balanced   {balanced}  ({evened.lines:,} lines with a weight below 1, {evened.kept:,} of them kept; "
            f"{evened.repeats:,} more that repeat a line and weigh 0; "
            f"{evened.met:,} words have the share that is wanted, {evened.one_sided:,} stay as they are because only "
            "one gender occurs)"
        )
