"""Amplification with a known factor: how often its interval holds the factor, and how often a factor of 1 is doubted.

Words have log-odds of women in a text (seen through persons that come in documents) and, by a factor and a shift, in a
`simulated:` system that is asked a few dozen sentences a word. Every repetition draws words, text and answers anew.
Run: PYTHONPATH=. python benchmarks/validate/amplification.py [--runs N] [--only TEXT]
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from benchmarks.validate.layouts import Floats

from evenhand.corpus.estimates import design_effects
from evenhand.statistics.logit_line import logit_line
from evenhand.systems.simulated import Simulated
from evenhand.workflows.amplification import effective


@dataclass(frozen=True)
class Layout:
    """`persons`: mean number in the text a word; `alike`: correlation within documents; `spread`: around the line."""

    factor: float
    shift: float = -0.5
    words: int = 60
    persons: int = 60
    alike: float = 0.0
    sentences: int = 40
    spread: float = 0.5
    two_kinds: bool = False


LAYOUTS = {
    "factor 1": Layout(1.0),
    "factor 1.5": Layout(1.5),
    "factor 2": Layout(2.0, shift=-1.0),
    "factor 0.5": Layout(0.5),
    "factor 0, the text does not matter": Layout(0.0),
    "factor 1.5, 25 words": Layout(1.5, words=25),
    "factor 1.5, 15 persons a word": Layout(1.5, persons=15),
    "factor 1.5, documents alike (.3)": Layout(1.5, alike=0.3),
    "factor 1, no spread": Layout(1.0, spread=0.0, shift=0.0),
    "factor 1.5, most words male, few female": Layout(1.5, two_kinds=True),
}


def odds(layout: Layout, rng: np.random.Generator) -> Floats:
    """The words' log-odds in the text."""
    if not layout.two_kinds:
        return rng.normal(-1.0, 1.3, layout.words)
    female = rng.random(layout.words) < 0.2
    return np.where(female, rng.normal(1.0, 0.5, layout.words), rng.normal(-2.0, 0.5, layout.words))


def text(theta: Floats, layout: Layout, rng: np.random.Generator) -> pl.DataFrame:
    """Counts by word with their design effect, of persons that stand in documents of about three."""
    parts = []
    for word, share in enumerate(1 / (1 + np.exp(-theta))):
        documents = max(3, int(rng.geometric(3 / layout.persons)))
        sizes = 1 + rng.poisson(2.0, documents)
        shares = np.full(documents, share)
        if layout.alike:
            scale = (1 - layout.alike) / layout.alike
            shares = rng.beta(share * scale, (1 - share) * scale, documents)
        women = rng.binomial(sizes, shares)
        parts.append(
            pl.DataFrame({"level": [f"w{word}"] * documents, "times": 1, "female": women, "male": sizes - women})
        )
    seen = pl.concat(parts)
    summed = seen.group_by(concept="level", maintain_order=True).agg(pl.col("female", "male").sum())
    return summed.join(design_effects(seen), on="concept", how="left", maintain_order="left")


def answers(theta: Floats, layout: Layout, rng: np.random.Generator, folder: Path) -> Floats:
    """Women and men a word by a simulated system."""
    eta = layout.shift + layout.factor * theta + rng.normal(0, layout.spread, layout.words)
    shares = 1 / (1 + np.exp(-eta))
    rows = [f"w{word}\t{share:.12f}\t{1 - float(f'{share:.12f}'):.12f}\t0" for word, share in enumerate(shares)]
    file = folder / "system.tsv"
    file.write_text("\n".join(["occupation\tp_female\tp_male\tp_neutral", *rows]) + "\n", encoding="utf-8")
    named = [(f"w{word}", n) for word in range(layout.words) for n in range(layout.sentences)]
    probes = pl.DataFrame(
        {
            "id": [f"{word}-{n}" for word, n in named],
            "source": [f"{word} {n}" for word, n in named],
            "occupation": [word for word, _ in named],
        }
    )
    system = Simulated(str(file))
    system.bind(probes)
    drawn = system.draw(int(rng.integers(2**31))).reshape(layout.words, layout.sentences)
    return np.stack([(drawn == 0).sum(axis=1), (drawn == 1).sum(axis=1)], axis=1).astype(np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    print("| layout | runs | covered | s.e. | mean | mean width | a factor of 1 doubted (5 %) |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, layout in LAYOUTS.items():
        if given.only not in name:
            continue
        hits, doubted, values, widths = 0, 0, [], []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(given.runs):
                rng = np.random.default_rng([20261116, number, len(name)])
                theta = odds(layout, rng)
                line = logit_line(effective(text(theta, layout, rng)), answers(theta, layout, rng, Path(folder)))
                if line is None:
                    continue
                hits += line.slope.low <= layout.factor <= line.slope.high
                doubted += line.p_one < 0.05
                values.append(line.slope.value)
                widths.append(line.slope.high - line.slope.low)
        rate, n = hits / len(values), len(values)
        print(
            f"| {name} | {n} | {rate:.3f} | {np.sqrt(rate * (1 - rate) / n):.3f} | {np.mean(values):.3f} | "
            f"{np.mean(widths):.3f} | {doubted / n:.1%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
