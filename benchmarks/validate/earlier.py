"""Power now and in an earlier tree: the same simulated pairs of systems through either `compare`.

The 48 settings of power.py. In each the second system's share is higher by what the noncentral t is planned to report
seven times in ten. Rates are those of the plain p and of the p corrected over five measures.
Run: PYTHONPATH=. python benchmarks/validate/earlier.py TREE [--runs N]   (TREE: a checkout of the earlier code)
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.measures.decisions.paired import compare

MEASURES = ("share_female", "share_male", "share_neutral", "P_S", "TFG")
ALPHA, WANTED = 0.05, 0.7


def drawn(folder: Path, runs: int) -> None:
    """Counts of women by cluster (runs x systems x clusters) of every setting, a file each."""
    from benchmarks.validate import layouts, power
    from scipy.optimize import brentq

    from evenhand.measures.definitions.gendered import TFG
    from evenhand.statistics.power import Design, Planned

    for name, setting in power.SETTINGS.items():
        each, most = power.EACH[setting.clusters], 0.998 - setting.share
        design = Design(setting.share, setting.icc, setting.correlation)
        plan = Planned(design, np.full(setting.clusters, float(each)), TFG)
        reaches = plan.approximate(most) > WANTED
        gap = float(brentq(lambda d, plan=plan: plan.approximate(d) - WANTED, 1e-4, most)) if reaches else most
        shares = (setting.share, setting.share + gap)
        spreads = [power.spread_of(share, setting.icc) for share in shares]
        latent = power.latent_of(shares, (spreads[0], spreads[1]), setting.correlation)
        rng = np.random.default_rng([7, len(name), setting.clusters])
        z = rng.standard_normal((runs, 2, setting.clusters))
        z[:, 1] = latent * z[:, 0] + np.sqrt(1 - latent**2) * z[:, 1]
        odds = (layouts.centre(p, s) + s * z[:, n] for n, (p, s) in enumerate(zip(shares, spreads, strict=True)))
        women = [rng.binomial(each, 1 / (1 + np.exp(-one))) for one in odds]
        np.save(folder / f"{name}.npy", np.stack(women, axis=1))
        (folder / f"{name}.each").write_text(str(each), encoding="utf-8")


def reported(folder: Path) -> dict[str, tuple[float, float]]:
    """By setting how often this tree's `compare` reports a difference, by the plain and by the corrected p."""
    rates = {}
    for file in sorted(folder.glob("*.npy")):
        each, counts = int(file.with_suffix(".each").read_text(encoding="utf-8")), np.load(file)
        hits = []
        for number, pair in enumerate(counts):
            tables = {name: table(women, each) for name, women in zip("AB", pair, strict=True)}
            found = compare(tables, clusters=("occupation",), measures=MEASURES, resamples=300, seed=number)
            row = found.differences.filter(pl.col("measure") == "TFG").select("p", "p_adjusted").row(0)
            hits.append([p is not None and p < ALPHA for p in row])
        plain, corrected = np.mean(hits, axis=0)
        rates[file.stem] = (float(plain), float(corrected))
    return rates


def table(women: np.ndarray, each: int) -> pl.DataFrame:
    female = np.arange(each) < women[:, None]
    occupation = np.repeat(np.arange(len(women)), each)
    columns = {"occupation": occupation.astype(str), "gender": np.where(female.ravel(), "female", "male")}
    return pl.DataFrame(columns).with_columns(id=pl.int_range(pl.len()).cast(pl.String))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:  # `tree` is then the folder with the counts
        print(json.dumps(reported(options.tree)))
        return 0
    with tempfile.TemporaryDirectory() as made:
        drawn(Path(made), options.runs)
        path = os.pathsep.join([str(options.tree), str(options.tree / "src")])
        before = json.loads(
            subprocess.run(
                [sys.executable, __file__, made, "--child"],
                env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True,
            ).stdout
        )  # fmt: skip
        now = reported(Path(made))
    print(f"| setting ({options.runs} pairs) | plain: before, now | corrected: before, now |\n|---|---|---|")
    for name, (plain, corrected) in now.items():
        print(f"| {name} | {before[name][0]:.3f}, {plain:.3f} | {before[name][1]:.3f}, {corrected:.3f} |")
    means = [np.mean([rates[name] for name in now], axis=0) for rates in (before, now)]
    print(f"| mean | {means[0][0]:.3f}, {means[1][0]:.3f} | {means[0][1]:.3f}, {means[1][1]:.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
