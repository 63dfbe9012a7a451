"""Learn the weights of detect/gate.tsv: which signals show that a word found in a rendering names the person at all.

    python -m builders.gate [--data ../shared/data] [--write]

Rows are the words that the detector proposes before its gate: of the draws (tests/detect/draws.tsv, split train) and of
the labelled sets of well-formed translations in ../shared/data, which are read in place. A row is accepted where the
label is the gender read there, refused where the label is unknown; a row with another gender than its label says
nothing about the gate and is left out. Well-formed rows weigh so much that all of a set together weigh as much as one
draw, and refused rows of the draws weigh REFUSED times as much as accepted ones. Ridge-penalised logistic regression.
Without --write only the figures are printed: of the fit, of a cross-validation over draws and sets, and of split test.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy.optimize import minimize
from tests.detect.labelled_sets import SETS

from evenhand.detect.gate import SIGNALS, WEIGHTS, values
from evenhand.detect.nouns import NounDetector
from evenhand.detect.validity import validity
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.persons.finder import LexiconFinder
from evenhand.tsv import frame

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
DRAWS = ROOT / "tests" / "detect" / "draws.tsv"
KINDS = DRAWS.with_name("kinds.tsv")
TATOEBA = {
    "deu": "de", "spa": "es", "fra": "fr", "ita": "it", "por": "pt", "rus": "ru", "ukr": "uk", "pol": "pl", "ces": "cs",
    "bul": "bg", "hbs": "sr", "slv": "sl", "ron": "ro", "nld": "nl",
}  # fmt: skip
SAID = re.compile(
    r"(?P<who>She|He)(?:'s| is| was| became) (?:a|an|the|my|our|your|their) (?:[\w-]+ ){0,2}(?P<noun>[a-z]+)[.!]\t"
)
MOST = 400
FLIPPED = "mtgeneval"  # its rows count where the word found shows either gender in its own reference
LEFT_OUT = {("winomt", "de"), ("winomt", "fr")}  # their annotators followed the pronoun
REFUSED = 2.0
RIDGE = 0.5
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Row(NamedTuple):
    """A labelled pair: where it is from (draw number or set), its split, and the pair."""

    group: str
    split: str
    language: str
    id: str
    source: str
    start: int
    end: int
    rendering: str
    label: str


class Training(NamedTuple):
    """Signal values, whether the word names the person, weights, and groups for the cross-validation."""

    rows: list[Row]
    x: Floats
    accepted: Floats
    weight: Floats


def labelled(data: Path) -> Iterator[Row]:
    """Every labelled row, draws first."""
    for row in frame(DRAWS).iter_rows(named=True):
        place = int(row["focus_start"]), int(row["focus_end"])
        pair = row["language"], row["id"], row["source"], *place, row["rendering"], row["label"]
        yield Row(row["draw"], row["split"], *pair)
    for name, (read, codes) in SETS.items():
        for code in codes:
            for case in read(data, code) if (name, code) not in LEFT_OUT else ():
                yield Row(
                    f"{name}.{code}",
                    "train",
                    code,
                    case.id,
                    case.source,
                    case.start,
                    case.end,
                    case.rendering,
                    case.label,
                )


def kinds() -> Iterator[Row]:
    """Sentences of our own, one per kind of error."""
    for number, row in enumerate(frame(KINDS).iter_rows(named=True)):
        start = row["source"].index(row["focus"])
        pair = row["source"], start, start + len(row["focus"]), row["rendering"], row["label"]
        yield Row("kinds", "train", row["language"], str(number), *pair)


def flipped(data: Path) -> Iterator[Row]:
    """Person nouns of MT-GenEval's development sentences, in the reference for a woman and in the one for a man."""
    finder = LexiconFinder()
    for code in ("de", "es", "pt"):
        path = str(data / "mtgeneval" / "sentences" / "dev" / "geneval-sentences-{}-dev.en_{}.{}")
        sides = [
            (label, [Path(path.format(name, code, tongue)).read_text().splitlines() for tongue in ("en", code)])
            for name, label in (("feminine", "female"), ("masculine", "male"))
        ]
        for label, (sources, renderings) in sides:
            found = finder.find_all(sources)
            for number, (source, rendering, persons) in enumerate(zip(sources, renderings, found, strict=True)):
                for person in persons:
                    pair = source, person.start, person.end, rendering, label
                    yield Row(
                        f"mtgeneval.{code}", "train", code, f"{number}.{source[person.start : person.end]}", *pair
                    )


def said(data: Path) -> Iterator[Row]:
    """Tatoeba's sentences of the kind "She is a good teacher": the pronoun states the gender of the person noun."""
    lexicon = LexiconFinder().lexicon
    for name, code in TATOEBA.items():
        with lzma.open(data / "parallel" / f"tatoeba.eng-{name}.train.tsv.xz", "rt", encoding="utf-8") as lines:
            kept = 0
            for number, line in enumerate(lines):
                match = SAID.match(line)
                if not match or not lexicon.look_up(match["noun"]):
                    continue
                source, rendering = line.rstrip("\n").split("\t")[:2]
                label = "female" if match["who"] == "She" else "male"
                yield Row(f"tatoeba.{code}", "train", code, str(number), source, *match.span("noun"), rendering, label)
                kept += 1
                if kept == MOST:
                    break


def _own(group: str) -> bool:
    """True for the draws and the kinds, which hold all rows without a person."""
    return group.isdigit() or group == KINDS.stem


def training(rows: list[Row]) -> Training:
    """The words proposed for the rows, with their signals."""
    kept: list[Row] = []
    x: list[list[float]] = []
    accepted: list[float] = []
    detectors = {code: NounDetector("en", code) for code in sorted({row.language for row in rows})}
    checks = {code: validity("en", code) for code in detectors}
    for row in rows:
        candidate = detectors[row.language].candidate(row.source, row.rendering, row.start, row.end)
        if isinstance(candidate, Verdict) or candidate.decision.gender is Gender.UNKNOWN or row.label == "wrong":
            continue
        named = candidate.decision.gender.value == row.label
        if (not named and row.label != "unknown") or checks[row.language].finding(row.source, row.rendering):
            continue
        kept.append(row)
        x.append(values(candidate))
        accepted.append(float(named))
    both = {(row.group, row.id): set[str]() for row in kept}
    for row in kept:
        both[row.group, row.id].add(row.label)
    use = [
        i for i, row in enumerate(kept) if not row.group.startswith("mtgeneval") or len(both[row.group, row.id]) == 2
    ]
    kept, answers = [kept[i] for i in use], np.array(accepted)[use]
    return Training(kept, np.array(x)[use], answers, weights(kept, answers))


def weights(rows: list[Row], accepted: Floats) -> Floats:
    """Of the rows: every set together as much as one draw, a refused row of a draw REFUSED times an accepted one."""
    sizes = pl.Series([row.group for row in rows]).value_counts(name="n")
    size = dict(sizes.iter_rows())
    return np.array(
        [
            (1.0 if _own(row.group) else min(1.0, 200 / size[row.group])) * (1.0 if yes else REFUSED)
            for row, yes in zip(rows, accepted, strict=True)
        ]
    )


def fit(x: Floats, accepted: Floats, weight: Floats, *, ridge: float = RIDGE) -> Floats:
    """Weights of the signals, the bias last."""
    design = np.hstack([x, np.ones((len(x), 1))])
    sign = 2 * accepted - 1
    penalty = np.full(design.shape[1], ridge)

    def loss(beta: Floats) -> tuple[float, Floats]:
        margin = sign * (design @ beta)
        value = float(weight @ np.logaddexp(0, -margin)) + 0.5 * float(penalty @ beta**2)
        slope = -(weight * sign / (1 + np.exp(margin))) @ design + penalty * beta
        return value, slope

    bounds = [(0, None) if signal.speaks > 0 else (None, 0) for signal in SIGNALS] + [(None, None)]
    start = np.zeros(design.shape[1])
    return np.asarray(
        minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5000, "maxfun": 50000}).x
    )


def margin(x: Floats, beta: Floats) -> Floats:
    return np.asarray(x @ beta[:-1] + beta[-1])


def folds(data: Training) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Five folds over the training groups, and the test split."""
    groups = sorted({row.group for row in data.rows if row.split == "train"})
    group = np.array([row.group for row in data.rows])
    train = np.array([row.split == "train" for row in data.rows])
    for k in range(5):
        out = np.isin(group, groups[k::5])
        yield f"fold {k + 1}", train & ~out, out
    yield "test", train, ~train
    yield "fit", train, train


def report(data: Training) -> None:
    """Errors by fold and group kind: persons refused, non-persons accepted."""
    for name, inside, outside in folds(data):
        beta = fit(data.x[inside], data.accepted[inside], data.weight[inside])
        yes = margin(data.x[outside], beta) >= 0
        truth = data.accepted[outside] == 1
        draw = np.array([_own(row.group) for row, out in zip(data.rows, outside, strict=True) if out])
        told = [
            f"{kind} {int((truth & ~yes & some).sum())} of {int((truth & some).sum())} persons refused, "
            f"{int((~truth & yes & some).sum())} of {int((~truth & some).sum())} others accepted"
            for kind, some in (("draws", draw), ("sets", ~draw))
        ]
        sys.stdout.write(f"{name}: {'; '.join(told)}\n")


def digest(rows: list[Row]) -> str:
    """Of everything that was learnt from."""
    return hashlib.sha256("\n".join("\t".join(map(str, row)) for row in rows).encode()).hexdigest()[:16]


def write(path: Path, beta: Floats, rows: list[Row]) -> None:
    sets = ", ".join(sorted({row.group for row in rows if not _own(row.group)}))
    lines = [
        f"# source: learnt by builders/gate.py from {len(rows)} labelled rows (sha256 {digest(rows)}): "
        f"tests/detect/draws.tsv, split train, tests/detect/kinds.tsv, and of ../shared/data {sets}",
        "# weight: for (positive) or against (negative) the word naming the person, per unit of the signal (0 to 1)",
        "signal\tweight",
        f"bias\t{beta[-1]:.3f}",
    ]
    lines += [f"{signal.name}\t{weight:.3f}" for signal, weight in zip(SIGNALS, beta, strict=False)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = training([*labelled(options.data), *kinds(), *flipped(options.data), *said(options.data)])
    report(data)
    train = np.array([row.split == "train" for row in data.rows])
    beta = fit(data.x[train], data.accepted[train], data.weight[train])
    if options.write:
        write(WEIGHTS, beta, [row for row in data.rows if row.split == "train"])


if __name__ == "__main__":
    main()
