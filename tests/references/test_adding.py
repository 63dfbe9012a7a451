"""A national table becomes a reference: codes, people, correspondence, coverage; what ships agrees with its source."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.references.reference import attach, load_reference, shipped
from evenhand.results.runs import Run

FEOR = (
    "feor\ttitle\twomen\tmen\n1\tdoctor\t60\t40\n2\tnurse\t90\t10\n3\tdoctors of two kinds\t100\t300\n9\tother\t5\t5\n"
)
MAP = "code\tisco08\n1\t2211\n2\t2221\n3\t2211\n3\t2212\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_codes_of_another_country_go_by_a_correspondence_weighted_by_their_people(tmp_path: Path) -> None:
    """Hand-worked: 2211 has 60 of 100 women and half of 400 people with a quarter of women: 110 of 300."""
    written(tmp_path, "census.tsv", FEOR)
    written(tmp_path, "map.tsv", MAP)
    about = ("--year", "2011", "--country", "HU", "--source", "census", "--licence", "open")
    done = command("references", "add", "census.tsv", "--codes", "feor", "--map", "map.tsv", *about, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 codes have no isco08: 9" in done.stdout
    assert "it is HU, 2011, census, open" in done.stdout
    assert "of 1,051 occupations of occupations-hungarian" in done.stdout
    reference = load_reference(tmp_path / "census.reference.tsv")
    shares = dict(reference.table.select("isco08", "share_women").iter_rows())
    assert shares == pytest.approx({"2211": 110 / 300, "2212": 0.25, "2221": 0.9}, abs=1e-6)
    assert reference.table.filter(isco08="2211")["employed"][0] == 300


def test_without_a_correspondence_the_error_says_what_to_do_and_the_template_has_every_code(tmp_path: Path) -> None:
    written(tmp_path, "census.tsv", FEOR)
    refused = command("references", "add", "census.tsv", "--codes", "feor", folder=tmp_path)
    assert refused.returncode == 2
    assert "--template" in refused.stderr
    assert not (tmp_path / "census.reference.tsv").exists()
    command("references", "add", "census.tsv", "--codes", "feor", "--template", "map.tsv", folder=tmp_path)
    assert (tmp_path / "map.tsv").read_text(encoding="utf-8").splitlines()[:2] == ["code\ttitle\tisco08", "1\tdoctor\t"]
    empty = command("references", "add", "census.tsv", "--codes", "feor", "--map", "map.tsv", folder=tmp_path)
    assert empty.returncode == 2
    assert "none of its 4 rows" in empty.stderr


def test_long_kldb_codes_are_summed_to_groups_and_not_counted_twice(tmp_path: Path) -> None:
    text = "code,women,employed\n81302,80,100\n81313,70,100\n814,55,100\n81404,1,100\n"
    written(tmp_path, "ba.csv", text)
    done = command("references", "add", "ba.csv", "--codes", "kldb", "--json", folder=tmp_path)
    told = json.loads(done.stdout)
    assert (told["rows"], told["shares"], told["unmapped"]) == (4, 2, ["81404"])
    reference = load_reference(tmp_path / "ba.reference.tsv")
    assert dict(reference.table.select("kldb2010", "share_women").iter_rows()) == {"813": 0.75, "814": 0.55}
    probes = attach(evenhand.load_suite("pronouns-hungarian").probes, reference)
    nurse = probes.filter(concept="nurse").row(0, named=True)
    assert (nurse["share_women"], nurse["reference_key"]) == (0.75, "813")


@pytest.mark.parametrize(
    ("text", "codes", "said"),
    [
        ("code\twomen\n1\t2\n", "isco08", "no women and men"),
        (
            "code\tshare_women\n2211\t47\n",
            "isco08",
            "47 is not between 0 and 1. If it is a percentage, name the column pct_women",
        ),
        ("code\twomen\tmen\n22-11\t1\t1\n", "isco08", "'22-11' is no isco08 code"),
        ("title\twomen\tmen\nx\t1\t1\n", "kldb", "kldb2010"),
        ("code\twomen\tmen\n1\tmany\t1\n", "isco08", "'many' is not a number"),
        ("code\twomen\tmen\n1\t1\t1\n", "feur", "Did you mean 'feor'"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path, text: str, codes: str, said: str) -> None:
    written(tmp_path, "t.tsv", text)
    done = command("references", "add", "t.tsv", "--codes", codes, folder=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


def test_every_reference_that_ships_says_country_year_source_and_licence() -> None:
    assert shipped() == ["germany-2025", "hungary-2011", "hungary-2024", "us-2020"]
    for name in shipped():
        reference = load_reference(name)
        assert all((reference.country, reference.years, reference.source, reference.licence)), name
        assert "not stated" not in reference.origin


def test_what_ships_is_what_the_sources_say(shared_data: Path) -> None:
    given = pl.read_csv(
        shared_data / "statistics" / "germany-2025-kldb3.tsv", separator="\t", comment_prefix="#", quote_char=None,
        schema_overrides={"kldb2010": pl.String},
    )  # fmt: skip
    ours = load_reference("germany-2025").table
    both = ours.join(given.select("kldb2010", there="share_women", people="employed"), on="kldb2010", how="left")
    assert both.height == 130
    assert (both["share_women"] == both["there"]).all()
    assert (both["employed"] == both["people"]).all()
    hungary = pl.read_csv(
        shared_data / "statistics" / "hungary-ilostat-isco08-major.tsv", separator="\t", comment_prefix="#"
    )
    for year in (2011, 2024):
        shares = hungary.filter(pl.col("year") == year).sort("isco08")["share_women"].to_list()
        assert load_reference(f"hungary-{year}").table.sort("isco08")["share_women"].to_list() == shares


def test_the_reference_is_named_with_country_year_source_licence_and_coverage_everywhere(tmp_path: Path) -> None:
    settings = evenhand.Settings(references=("germany-2025",), resamples=100)
    suite = evenhand.load_suite("pronouns-hungarian").only(["sector=healthcare"])
    run = evenhand.audit(
        suite, lambda texts: ["He is."] * len(texts), target="en", output=tmp_path / "run", settings=settings,
        memory=tmp_path / "m.sqlite",
    )  # fmt: skip
    told = run.manifest.compared_with[0]
    assert (told["name"], told["country"], told["licence"]) == ("germany-2025", "DE", "Datenlizenz Deutschland")
    line = Run.load(tmp_path / "run").manifest.reference_lines[0]
    assert f"share of women for {told['covered']} of {told['occupations']} occupations" in line
    for row in run.estimates.filter(pl.col("measure").str.starts_with("B_"), group="all").iter_rows(named=True):
        assert "Datenlizenz Deutschland" in row["note"]
    page = evenhand.report([run], tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<h3>Against germany-2025: DE, 2025, Bundesagentur" in page
