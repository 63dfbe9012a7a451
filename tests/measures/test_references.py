"""Reading references: shipped, a user's own, and every way they can be wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand
from evenhand import load_suite
from evenhand.errors import BadInput, Unknown
from evenhand.references.reference import attach, coverage, drawn_shares, load_reference, shipped


def written(tmp_path: Path, text: str, name: str = "mine.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_us_reference_ships_and_covers_most_occupations() -> None:
    assert "us-2020" in shipped()
    reference = load_reference("us-2020")
    known, total = coverage(load_suite("occupations-hungarian").probes, reference)
    assert known / total > 0.7
    assert reference.missing > 150  # about a third of the rows carry no share


def test_shipped_figures_are_those_of_the_bureau(shared_data: Path) -> None:
    lines = (shared_data / "occupations" / "us_bls_cps_2020.csv").read_text(encoding="utf-8").splitlines()
    chief = next(line for line in lines if line.startswith("Chief executives"))
    codes = load_reference("us-2020").table
    assert chief == "Chief executives,1669,29.3"
    assert codes.filter(isco08="1120")["share_women"][0] == pytest.approx(0.293, abs=0.02)


def test_the_longest_code_that_fits_counts(tmp_path: Path) -> None:
    reference = load_reference(written(tmp_path, "isco08,pct_women\n2,40\n2221,90\n"))
    table = attach(load_suite("pronouns-turkish").probes, reference).filter(kind="occupation")
    shares = dict(table.select("concept", "share_women").iter_rows())
    assert shares["nurse"] == pytest.approx(0.9)
    assert shares["dentist"] == pytest.approx(0.4)
    assert shares["carpenter"] is None


def test_a_survey_gives_perceived_shares(tmp_path: Path) -> None:
    text = "concept\t" + "\t".join(f"answer_{n}" for n in range(1, 7)) + "\ncarpenter\t170\t12\t7\t3\t4\t0\n"
    reference = load_reference(written(tmp_path, text, "survey.tsv"))
    assert reference.kind == "survey"
    assert reference.table["share_women"][0] == pytest.approx(1 - 446.5 / 454)


def test_thousands_and_dashes_are_read_as_people_write_them(tmp_path: Path) -> None:
    path = written(tmp_path, 'isco08,share_women,employed\n2221,0.9,"1,804"\n2211,–,10\n')
    reference = load_reference(path)
    assert reference.missing == 1
    assert reference.table["employed"][0] == 1804


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "isco08,share_women\n2221,90\n",
            "column share_women: 90 is not between 0 and 1. If it is a percentage",
        ),
        ("isco08,pct_women\n2221,190\n", "line 2 column pct_women: 190 is not between 0 and 100"),
        ("isco08,share_women\n2221,-0.1\n", "line 2"),
        ("isco08,share_women\n2221,0.5\n2221,0.6\n", "line 3: isco08 '2221' is already used in line 2"),
        ("isco08,share_women\n22a1,0.5\n", "no ISCO-08 code"),
        ("isco08,share_women\n2221,half\n", "'half' is not a number"),
        ("isco08,share_women\n2221,0.5,9\n", "line 2: 3 columns"),
        ("title,share_women\nNurses,0.5\n", "no key column"),
        ("isco08,women\n2221,0.5\n", "no column share_women"),
        ("", "empty"),
        ("isco08,share_women\n", "there are no rows in it"),
        ("isco08;share_women\n2221;0.5\n", "separated by semicolons"),
        ("isco08,share_women,employed\n2221,0.5,-4\n", "people cannot be"),
        ("isco08,share_women,sample\n2221,0.5,0\n", "column sample: 0 people cannot be"),
    ],
)
def test_a_wrong_reference_is_refused_with_its_line(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(BadInput, match=expected.replace("(", r"\(")):
        load_reference(written(tmp_path, text))


def test_an_unknown_reference_lists_the_known_ones() -> None:
    with pytest.raises(Unknown, match="us-2020"):
        load_reference("us-2022")


def test_a_suite_without_occupations_is_refused() -> None:
    with pytest.raises(BadInput, match="isco08"):
        attach(load_suite("occupations-coreference").probes, load_reference("us-2020"))


def audited(tmp_path: Path, text: str, name: str = "mine.csv") -> evenhand.Run:
    settings = evenhand.Settings(references=(str(written(tmp_path, text, name)),), resamples=100)
    return evenhand.audit(
        "pronouns-turkish",
        lambda texts: ["He is one."] * len(texts),
        target="en",
        settings=settings,
        memory=tmp_path / "m.sqlite",
    )


def test_sector_scores_exist_without_employment_numbers_and_say_so(tmp_path: Path) -> None:
    run = audited(tmp_path, "isco08,pct_women\n1,35\n2,55\n2221,90\n4,75\n7,10\n")
    sectors = run.estimates.filter(measure="B_female_dominated", group="sector").filter(pl.col("value").is_not_null())
    assert sectors.height >= 5
    assert all("equal weights" in note for note in sectors["note"])


def test_a_b_that_rests_on_few_occupations_says_so(tmp_path: Path) -> None:
    run = audited(tmp_path, "concept,pct_women,year\nnurse,90,2011\ndentist,40,2024\ncarpenter,100,2024\n")
    row = run.estimates.filter(measure="B_mean", group="all").row(0, named=True)
    assert (row["n"], row["n_decided"]) == (2, 2)  # with 100 % women B is undefined
    assert (row["occupations"], row["with_share"]) == (251, 3)
    assert "3 of 251 occupations have a share in mine" in row["note"]
    assert (
        "mine is country not stated, 2011 to 2024, source not stated, licence not stated; its sampling error is not"
        in row["note"]
    )
    assert row["reference_low"] is None


def test_a_known_sample_gives_the_reference_s_own_error(tmp_path: Path) -> None:
    run = audited(tmp_path, "concept,pct_women,sample\nnurse,90,400\ndentist,40,100\n")
    row = run.estimates.filter(measure="B_mean", group="all").row(0, named=True)
    assert row["reference_low"] < row["value"] < row["reference_high"]
    assert "100 to 400 people per occupation" in row["note"]
    assert "B_mean if only mine were drawn again" in row["note"]


def test_a_survey_s_shares_are_drawn_from_its_answers(tmp_path: Path) -> None:
    """The spread follows the delta method for a ratio of weighted counts."""
    text = "concept\t" + "\t".join(f"answer_{n}" for n in range(1, 7)) + "\nnurse\t5\t10\t35\t50\t60\t40\n"
    reference = load_reference(written(tmp_path, text, "survey.tsv"))
    drawn = drawn_shares(reference, seed=1, draws=20_000)["nurse"]
    counts = np.array([5, 10, 35, 50, 60, 40])
    weights = np.array([2.5, 1.5, 0.5, 0.5, 1.5, 2.5])
    share = reference.table["share_women"][0]
    residual = weights * (np.arange(6) >= 3) - share * weights
    error = np.sqrt((counts * residual**2).sum()) / (counts * weights).sum()
    assert drawn.mean() == pytest.approx(share, abs=0.01)
    assert drawn.std() == pytest.approx(error, rel=0.05)


def test_a_mapped_reference_without_people_has_no_people(tmp_path: Path) -> None:
    path = written(tmp_path, "occupation\tshare_women\tsample\nNurses\t0.9\t50\nMidwives\t0.7\t50\n", "m.tsv")
    written(tmp_path, "occupation\tisco08\nNurses\t2221\nMidwives\t2221\n", "m.isco08.tsv")
    row = load_reference(path).table.row(0, named=True)
    assert row["share_women"] == pytest.approx(0.8)
    assert row["employed"] is None
    assert row["sample"] == pytest.approx(100)


def test_one_command_gives_a_b_per_sector_from_a_csv_of_national_statistics(tmp_path: Path) -> None:
    """What a new user does: their own CSV, no code; the figures are hand-worked for one occupation."""
    path = written(
        tmp_path, "isco08,pct_women,employed\n1,35,100\n2,55,400\n2221,90,60\n4,75,200\n7,10,250\n8,20,150\n"
    )
    settings = evenhand.Settings(references=(str(path),), resamples=200)
    run = evenhand.audit(
        "pronouns-turkish",
        lambda texts: ["He is one."] * len(texts),
        target="en",
        settings=settings,
        output=tmp_path / "run",
        memory=tmp_path / "m.sqlite",
    )
    sectors = run.estimates.filter(reference="mine", measure="B_female_dominated", group="sector")
    assert sectors["value"].drop_nulls().len() >= 5
    loaded = evenhand.Run.load(tmp_path / "run").occupations
    assert loaded is not None
    nurse = loaded.filter(concept="nurse").row(0, named=True)
    assert nurse["B"] == pytest.approx((0.9 - 0.1) / 0.1)
    assert run.manifest.references[0].startswith("mine#")
