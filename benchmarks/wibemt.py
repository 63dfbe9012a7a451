"""Detection, all measures and 2,000 bootstrap samples over a set of WiBeMT's size: 70,686 German renderings.

The sentences are our own suites repeated to the study's size (66,528 with adjectives, 4,158 with verbs); the German is
written from the forms file, one occupation in seven feminine, so that detector and bootstrap have real work. Printed
are wall and processor seconds and peak memory. Wanted: under 20 s on two idle cores and under 1 GB.
"""

from __future__ import annotations

import resource
import time
import zlib
from pathlib import Path

import polars as pl
from benchmarks.ratios import figure

from evenhand import load_suite
from evenhand.detect import open_detector
from evenhand.grammar import german
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ESTIMATES, RENDERINGS
from evenhand.suites.suite import Suite, SuiteInfo
from evenhand.workflows.score import estimated, judge

FORMS = Path(german.__file__).parent / "occupations.tsv"
ADJECTIVES_SIZE, VERBS_SIZE = 66_528, 4_158


def german_forms() -> dict[str, tuple[str, str]]:
    """First masculine and feminine form of every concept."""
    lines = [line.split("\t") for line in FORMS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {row[0]: (row[2].split("|")[0], row[1].split("|")[0]) for row in lines[1:] if row[1] and row[2]}


def renderings(probes: pl.DataFrame) -> pl.DataFrame:
    """A German sentence for every probe, with the focus in the masculine or, for one id in seven, the feminine."""
    known = german_forms()
    texts = []
    for key, focus in probes.select("id", "focus").iter_rows():
        masculine, feminine = known.get(focus.lower(), ("Mitarbeiter", "Mitarbeiterin"))
        female = zlib.crc32(key.encode()) % 7 == 0
        texts.append(f"{'Die' if female else 'Der'} {feminine if female else masculine} sprach gestern mit den Gästen.")
    columns = {"target_lang": pl.lit("de"), "sample": pl.lit(0), "candidate": pl.lit(0), "rendering": pl.Series(texts)}
    return probes.select("id").with_columns(**columns).cast(dict(RENDERINGS))  # type: ignore[arg-type]


def grown(suite: Suite, size: int) -> pl.DataFrame:
    """The suite's probes, repeated with new ids until there are `size`."""
    copies = [suite.probes.with_columns(pl.col("id") + f"-{n}") for n in range(-(-size // len(suite)))]
    return pl.concat(copies).head(size)


def main() -> None:
    tables = []
    for name, size in (("occupations-adjectives", ADJECTIVES_SIZE), ("occupations-verbs", VERBS_SIZE)):
        suite = load_suite(name)
        probes = grown(suite, size)
        tables.append((suite, probes, renderings(probes)))
    detector = open_detector("nouns", source="en", target="de")
    wall, cpu = time.perf_counter(), time.process_time()
    for suite, probes, rendered in tables:
        verdicts = judge(probes, rendered, detector)
        manifest = Manifest(SuiteInfo.of(suite), "made up", "-", "de", detector.fingerprint, 0, 2_000, "benchmark")
        run = estimated(Run(manifest, probes, rendered, verdicts, pl.DataFrame(schema=ESTIMATES)))
        print(f"{suite.name}: {probes.height:,} renderings, {run.estimates.height} estimates")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    clock, spent = time.perf_counter() - wall, time.process_time() - cpu
    what = f"detection, all measures and 2,000 resamples over {ADJECTIVES_SIZE + VERBS_SIZE:,} renderings"
    figure(what, f"{clock:.1f} s, {spent:.1f} s of processor, {peak:,.0f} MB", "20 s, 1,000 MB")


if __name__ == "__main__":
    main()
