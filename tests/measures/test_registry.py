"""Measures by name: added to a run that exists, brought by another package, or missing theirs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evenhand
from evenhand.errors import BadInput, MissingExtra, Unknown
from evenhand.measures.definitions.registry import by_name, names
from evenhand.results.runs import Run
from evenhand.workflows.compare import compare
from evenhand.workflows.score import score
from evenhand.workflows.settings import Settings

FIXTURE = Path(__file__).parents[1] / "fixtures" / "run-0.1.0"  # 40 renderings, 14 of them female, the others male
Install = Callable[..., None]
MEASURE = '''
import polars as pl
from evenhand import Counted

class ShareOf(Counted):
    """Share of renderings with a pronoun of the third person that is not she."""

    name, better, neutral, bounds, proportion = "share_he", "nearer", 0.5, (0.0, 1.0), 0

    def cells(self):
        word = pl.col("evidence").str.to_lowercase()
        return {"he": word == "he", "she": word == "she"}

    def formula(self, totals):
        return totals[..., 0] / totals.sum(axis=-1)
'''


def overall(run: Run, measure: str) -> dict[str, float]:
    row: dict[str, float] = run.estimates.filter(measure=measure, level="").row(0, named=True)
    return row


def test_a_measure_is_added_to_a_run_that_exists_and_stays(tmp_path: Path) -> None:
    stored = Run.load(FIXTURE)
    more = score(stored, measures=["VBias"]).save(tmp_path / "run")
    assert overall(more, "VBias")["value"] == pytest.approx(26 / 40 - 0.5)
    assert "|measures:VBias|" in more.signature
    assert "|measures:suite|" in stored.signature
    again = score(Run.load(tmp_path / "run"))
    assert again.signature == more.signature
    assert again.estimates.equals(more.estimates)
    assert score(more, measures=["VBias", "P_S"]).signature == more.signature  # there already, or the suite's own


def test_an_audit_measures_what_is_asked_for_too_and_refuses_what_does_not_fit_before_it_sends(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return ["She is here." for _ in texts]

    memory = tmp_path / "m.sqlite"
    with pytest.raises(BadInput, match="'accuracy' needs the column 'gold'"):
        evenhand.audit("pronouns-basque", answer, target="en", memory=memory, settings=Settings(measures=("accuracy",)))
    assert asked == []
    settings = Settings(measures=("TFG",), resamples=100)
    run = evenhand.audit("pronouns-basque", answer, target="en", memory=memory, settings=settings)
    assert overall(run, "TFG")["value"] == 1.0
    assert "|measures:TFG|" in run.signature


def test_another_package_adds_a_measure_by_an_entry_point(install: Install, tmp_path: Path) -> None:
    install("evenhand.measures", "share_he", "heshare:ShareOf", MEASURE)
    assert "share_he" in names()
    run = score(Run.load(FIXTURE), measures=["share_he"]).save(tmp_path / "a")
    row = overall(run, "share_he")
    assert row["value"] == pytest.approx(26 / 40)
    assert row["low"] < row["value"] < row["high"]
    assert "|measures:share_he#share_he-1.0|" in run.signature
    compared = compare([run, run.save(tmp_path / "b")])
    assert "share_he" in compared.differences["measure"].to_list()
    with pytest.raises(Unknown, match="Did you mean 'share_he'"):
        by_name("shore_he")


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("no_such_module:Measure", "", "cannot be loaded: No module named"),
        ("strange:Other", MEASURE.replace("ShareOf", "Other").replace('"share_he"', '"else"'), "calls itself 'else'"),
        ("nothing:make", "def make():\n    return 3\n", "is 3, no Measure"),
        ("constant:X", "X = 3\n", "not a function or class"),
        (
            "sideways:ShareOf",
            MEASURE.replace("share_he", "foreign").replace('"nearer"', '"more"'),
            "which way is better",
        ),
    ],
)
def test_a_package_that_brings_no_measure_is_told_in_a_sentence(
    install: Install, target: str, code: str, said: str
) -> None:
    install("evenhand.measures", "foreign", target, code)
    with pytest.raises(BadInput, match=f"the measure foreign of another package.*{said}"):
        by_name("foreign")


def test_quality_is_not_measured_unasked_and_missing_sacrebleu_is_answered_by_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hidden:
        hidden.setitem(sys.modules, "sacrebleu", None)
        with pytest.raises(MissingExtra, match=r"pip install 'evenhand\[quality\]'"):
            by_name("chrF")
        without = _with_references(tmp_path / "a", ())
    pytest.importorskip("sacrebleu")
    same = _with_references(tmp_path / "b", ())
    assert same.signature == without.signature
    assert same.estimates.equals(without.estimates)  # whatever is installed
    asked = _with_references(tmp_path / "c", ("chrF", "BLEU"))
    assert "|measures:chrF#sacrebleu-" in asked.signature
    scores = asked.estimates.filter(measure="chrF").sort("level")
    assert scores["level"].to_list() == ["", "female", "female - male", "male"]
    assert scores.filter(level="female")["value"][0] == pytest.approx(100)


def _with_references(folder: Path, measures: tuple[str, ...]) -> Run:
    """Twelve pairs; the system writes the feminine reference for everybody."""
    folder.mkdir()
    for gender, ending in (("feminine", "a"), ("masculine", "o")):
        (folder / f"geneval-sentences-{gender}-test.en_es.en").write_text(
            "".join(f"Cook {n} sings.\n" for n in range(12))
        )
        (folder / f"geneval-sentences-{gender}-test.en_es.es").write_text(
            "".join(f"L{ending} cociner{ending} número {n} canta.\n" for n in range(12))
        )
    suite = evenhand.load_suite(f"mtgeneval:{folder / 'geneval-sentences-feminine-test.en_es.en'}")

    def feminine(texts: list[str]) -> list[str]:
        return [f"La cocinera número {text.split()[1]} canta." for text in texts]

    settings = Settings(measures=measures, resamples=100)
    return evenhand.audit(suite, feminine, target="es", memory=folder / "m.sqlite", settings=settings)
