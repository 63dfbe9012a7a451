"""The glossary: complete, current, and its worked examples come out as the measures compute them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.command_line import evenhand as command

from evenhand.measures.decisions.margins import HARMS
from evenhand.measures.decisions.planned import PLANNED
from evenhand.measures.decisions.ranking import SCHEMA as RANKING
from evenhand.measures.definitions.optimal import by_occupation, optimal_measures
from evenhand.measures.definitions.preference import SCORES
from evenhand.measures.definitions.registry import by_name, names
from evenhand.measures.estimate import estimate
from evenhand.measures.rows import FURTHER
from evenhand.report import write_report
from evenhand.report.words.glossary import entries, markdown
from evenhand.report.words.vocabulary import WORDS
from evenhand.storage import tables
from evenhand.suites.suite import Grouping
from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[2]
TERMS = {row["term"]: row for row in rows(WORDS / "glossary.tsv")}
DECLARED = {measure.name for measure in optimal_measures()} | (set(names()) - {"chrF", "BLEU"})
COUNT = re.compile(r"(?:(pro|anti) )?(?:(\w+)>)?(female|male|neutral|both|unknown) (\d+)")


def test_every_measure_has_an_entry_with_formula_range_direction_source_and_example() -> None:
    worded = {row["measure"] for row in rows(WORDS / "measures.tsv")}
    missing = (set(names()) | DECLARED | worded) - set(entries())
    assert not missing, f"no entry in words/glossary.tsv: {sorted(missing)}"
    for name in set(names()) | DECLARED | worded:
        entry = entries()[name]
        assert entry.kind == "measure"
        assert all((entry.formula, entry.range, entry.better, entry.source, entry.example)), name


def test_every_worked_example_has_numbers() -> None:
    worded = [name for name, entry in entries().items() if entry.example and not re.search(r": .*[0-9]", entry.example)]
    assert worded == []


def test_every_column_of_every_table_has_an_entry() -> None:
    by_job = by_occupation(pl.DataFrame({"concept": ["a"], "gender": ["male"], "share_women": [0.5], "employed": [1]}))
    columns = {
        *tables.PROBES, *tables.PROBES_OPTIONAL, *tables.RENDERINGS, *tables.VERDICTS, *tables.ESTIMATES, *FURTHER,
        *RANKING, *HARMS, *by_job.columns, PLANNED, "ranking_p", "reading", "occupations", "with_share",
        "reference_low", "reference_high",
    } - {"concept", "female", "male", "both", "unknown", "neutral"}  # fmt: skip
    assert not columns - set(entries())


def test_what_a_measure_declares_in_code_is_not_said_a_second_time() -> None:
    twice = [name for name in DECLARED if any(TERMS[name][column] for column in ("range", "better", "neutral"))]
    assert not twice


def _counted(given: str) -> pl.DataFrame:
    cells = [(kind, gold, gender, int(n)) for kind, gold, gender, n in COUNT.findall(given)]
    assert cells, given
    table = pl.DataFrame(
        [
            {"gender": gender, "gold": gold or None, "stereotype": kind or None}
            for kind, gold, gender, n in cells
            for _ in range(n)
        ],
        schema=dict.fromkeys(("gender", "gold", "stereotype"), pl.String),
    )
    return table.with_columns(id=pl.int_range(pl.len()).cast(pl.String))


def _of_counts(name: str, given: str) -> float:
    return _value(estimate(_counted(given), clusters=("id",), measures=(name,), resamples=50), name)


def _of_parts(name: str, given: str) -> float:
    """TGBI of two sets, SBias of a group beside the rest."""
    parts = [_counted(part).with_columns(part=pl.lit(str(n))) for n, part in enumerate(given.split(";"))]
    table = pl.concat(parts).with_columns(id=pl.int_range(pl.len()).cast(pl.String))
    groupings = (Grouping("sets", column="part"),)
    found = estimate(table, clusters=("id",), measures=(name,), groupings=groupings, resamples=50)
    return _value(found, name, "0" if name == "SBias" else "")


def _of_occupations(name: str, given: str) -> float:
    table = pl.DataFrame(
        [
            {"concept": str(n), "share_women": float(part.split()[0]), "gender": {"she": "female", "he": "male"}[word]}
            for n, part in enumerate(given.split("; "))
            for word, times in re.findall(r"\b(she|he) (\d+)", part)
            for _ in range(int(times))
        ]
    )
    measure = next(one for one in optimal_measures() if one.name == name)
    values, weights = measure.cells(by_occupation(table))
    return float(measure.average(values, weights[None, :].astype(np.float64))[0])


def _value(found: pl.DataFrame, name: str, level: str = "") -> float:
    return float(found.filter(measure=name, level=level)["value"][0])


def _how(name: str) -> Callable[[str, str], float]:
    if name in ("TGBI", "SBias"):
        return _of_parts
    return _of_occupations if name in {m.name for m in optimal_measures()} else _of_counts


@pytest.mark.parametrize("name", [name for name, row in TERMS.items() if row["value"]])
def test_a_worked_example_comes_out_as_the_measure_computes_it(name: str) -> None:
    row = TERMS[name]
    assert _how(name)(name, row["given"]) == pytest.approx(float(row["value"]), abs=6e-5), row["worked"]


def test_nearly_every_measure_of_a_run_has_an_example_that_is_computed() -> None:
    by_hand = {name for name in DECLARED if not TERMS[name]["value"]}
    beside_others = {"reference_accuracy", "counterfactual_accuracy", "worst_accuracy", "f_m", "f_s"}
    scored = {name for name in names() if SCORES[0] in by_name(name).needs}
    # need columns that counts of genders do not have
    assert by_hand == beside_others | scored | {"obeyed", "interference"}


def test_the_page_of_the_docs_is_current() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert page == markdown(), "evenhand glossary --markdown > docs/glossary.md"
    anchors = [entry.anchor for entry in entries().values()]
    assert len(set(anchors)) == len(anchors)


def test_the_terms_of_a_page_are_links_to_their_entries_on_it(mixed_run: Path, tmp_path: Path) -> None:
    page = write_report([mixed_run], tmp_path / "r.html").read_text(encoding="utf-8")
    links = re.findall(r'<a class="term" href="#([\w-]+)" title="([^"]+)">', page)
    assert {"term-P_S", "term-TGBI", "term-VBias", "term-SBias", "term-decided"} <= {anchor for anchor, _ in links}
    for anchor, told in links:
        assert f'<dt id="{anchor}">' in page
        assert told


def test_the_command_explains_a_term_and_refuses_an_unknown_one(tmp_path: Path) -> None:
    told = command("glossary", "P_S", "B", folder=tmp_path).stdout
    assert "sqrt(p_w p_m + p_n)" in told
    assert "(E_t − E_o) / E_o" in told
    wrong = command("glossary", "P_Q", folder=tmp_path)
    assert wrong.returncode == 2
    assert "P_S" in wrong.stderr


def test_a_measure_of_another_package_is_explained_by_what_it_declares(install: Callable[..., None]) -> None:
    code = (
        "from evenhand.measures.definitions.counts import Proportion, by_gender\n"
        "class Men(Proportion):\n    'How many men.'\n    def __init__(self):\n"
        "        super().__init__('men', by_gender('male', 'female'), better='lower', neutral=0.0)\n"
    )
    install("evenhand.measures", "men", "their_measures:Men", code)
    entries.cache_clear()
    try:
        entry = entries()["men"]
    finally:
        entries.cache_clear()
    assert (entry.formula, entry.range, entry.better) == ("How many men.", "0 to 1", "lower is better")
    assert entry.source == "the package men"
