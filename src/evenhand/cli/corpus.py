"""evenhand corpus: how persons are gendered in parallel text."""

from functools import partial
from pathlib import Path
from typing import Annotated

from evenhand.cli.mine import Processes, print_counted, shown_progress
from evenhand.cli.options import chosen, verb
from evenhand.cli.output import print_places
from evenhand.errors import BadInput
from evenhand.options import Argument, Json, Option, Page, ResultFolder
from evenhand.workflows.balance import Evened, balance, wanted_shares
from evenhand.workflows.corpus import MEMORY_MB, SAMPLED, WORDS, Audited
from evenhand.workflows.corpus import corpus as run


@verb
def corpus(
    parallel: Annotated[
        tuple[str, ...], Argument("TSV, CSV, JSONL, Parquet, TMX, text.en text.de, folders; - is stdin", "PARALLEL")
    ],
    output: ResultFolder,
    target: Annotated[str, Option("language of the other side", "LANG", "--target -t")],
    count: partial[Audited] = chosen(run),
    processes: Processes = Processes(),
    balanced: Annotated[
        Path | None, Option("write a weight for every line, to reach --want", "FILE", "--write-balanced", writes=True)
    ] = None,
    want: Annotated[str | None, Option("share of women: a number, or TSV with concept, share", "SHARE|FILE")] = None,
    report: Page = True,
    json: Json = False,
) -> None:
    """Count the genders that the target side gives the persons of the source side, by word, with intervals.

    Persons whose gender the source states, leaves open or leaves unclear are counted separately.
    """
    if (balanced is None) != (want is None):
        raise BadInput("--write-balanced FILE and --want SHARE need each other")
    wanted = wanted_shares(want) if want is not None else None
    engine = processes.open(memory_mb=MEMORY_MB)
    with shown_progress() as progress:
        audited = count(parallel, target=target, output=output, engine=engine, progress=progress)
    seed = count.keywords["seed"]
    evened = balance(output, wanted, balanced, seed=seed) if balanced and wanted is not None else None
    weights = evened.words.to_dicts() if evened else None
    print_counted(audited, report=report, json=json, more={"balanced": weights})
    if json:
        return
    sample = f"{output / SAMPLED}  (label some rows with `evenhand review` to measure the error rate)"
    print_places(
        words=output / WORDS,
        sample=sample if (output / SAMPLED).is_dir() else None,
        balanced=f"{balanced}  ({_summary(evened)})" if evened else None,
    )


def _summary(evened: Evened) -> str:
    return (
        f"{evened.lines:,} lines with a weight below 1, {evened.kept:,} of them kept; {evened.repeats:,} repeated "
        f"lines with weight 0; {evened.met:,} words have the wanted share, {evened.one_sided:,} stay unchanged "
        "because only one gender occurs"
    )
