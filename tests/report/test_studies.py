"""The papers' tables from runs: published numbers are the oracle, and plain recounts of a run's own table."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.errors import BadInput, Unknown
from evenhand.replicate.cell import published, truncated
from evenhand.report.studies import STUDIES, elements_of, study_of

Numbers = dict[tuple[str, str, str, str], float]


def numbers(made: evenhand.StudyTables) -> Numbers:
    return {(r["element"], r["system"], r["row"], r["column"]): r["value"] for r in made.frame().iter_rows(named=True)}


@pytest.fixture(scope="module")
def tgbi(shared_data: Path) -> evenhand.StudyTables:
    return evenhand.table("cho2019", shared_data / "tgbi", published=True)


@pytest.fixture(scope="module")
def hungarian(tmp_path_factory: pytest.TempPathFactory) -> evenhand.Run:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    suite = evenhand.load_suite("occupations-hungarian").only(["sector=education"])
    settings = evenhand.Settings(resamples=200, references=("us-2020", "hungary-2011"))
    folder = tmp_path_factory.mktemp("hungarian")
    return evenhand.audit(
        suite, "pocket", target="en", output=folder / "run", settings=settings, memory=folder / "memory"
    )


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> list[evenhand.Run]:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    folder, made = tmp_path_factory.mktemp("german"), []
    two = ("adjective=none", "adjective=lovely", "adjective=jovial")  # one of either class
    for name, conditions in (("occupations-verbs", ()), ("occupations-adjectives", two)):
        suite = evenhand.load_suite(name).only(["occupation=nurse", *conditions])
        settings = evenhand.Settings(resamples=200)
        made.append(evenhand.audit(suite, "pocket", target="de", settings=settings, memory=folder / "memory"))
    return made


@pytest.mark.parametrize("system", ["google", "papago"])
def test_stored_outputs_give_the_published_table_cell_by_cell(tgbi: evenhand.StudyTables, system: str) -> None:
    ours, printed = numbers(tgbi), published("cho2019")
    keys = [key for key in printed if key[:2] == ("Table 1", system)]
    assert len(keys) == 22
    different = [k for k in keys if truncated(ours["table1", system, *k[2:]], 4) != printed[k].value]
    assert different == ([("Table 1", "google", "average", "P_S")] if system == "google" else [])  # the misprint


def test_the_wide_table_reads_as_in_the_paper(shared_data: Path) -> None:
    made = evenhand.table("cho2019", shared_data / "tgbi", elements=["table1"], published=True, intervals=False)
    (section,) = made.sections
    assert section.columns[1:3] == ("google", "papago")
    rows = {row[0]: row[1:] for row in section.rows}
    assert rows["(g) Occupation [2,940]"][:2] == ["0.2547 (0.0690, 0.0006)", "0.2209 (0.0496, 0.0017)"]
    assert rows["(a) Informal [2,118]"][-1] == "0.1750 (0.0316, 0.0000)"  # Kakao, as printed
    assert list(rows)[-1] == "Average"


def test_rows_keep_the_papers_order_where_the_first_run_lacks_some(shared_data: Path, mixed_run: Path) -> None:
    keys = ["table1", "bias"]
    made = evenhand.table("cho2019", [mixed_run, shared_data / "tgbi"], elements=keys, published=True)
    sets = ["informal", "formal", "impolite", "polite", "negative", "positive", "occupation"]
    for section, last in zip(made.sections, ("average", "all sets"), strict=True):
        assert [re.sub(r"\(.\) | \[.*", "", row[0]).lower() for row in section.rows] == [*sets, last]
    assert made.sections[0].columns[1:4] == (made.elements[0].subjects[0].name, "google", "papago")


def test_an_interval_is_around_every_score_and_none_around_a_printed_one(tgbi: evenhand.StudyTables) -> None:
    scores = tgbi.frame().filter(element="table1", column="P_S")
    for row in scores.iter_rows(named=True):
        if row["system"].endswith("(published)"):
            assert row["low"] is None
        else:
            assert row["low"] < row["value"] < row["high"]


def test_the_authors_labels_give_the_authors_counts(shared_data: Path) -> None:
    found = numbers(evenhand.table("troles2021", shared_data / "wibemt", elements=["verbs", "table3", "figure4"]))
    for system, verbs, expected in (
        ("DeepL Translator", "feminine verbs", (242, 1784, 30, 23)),
        ("DeepL Translator", "masculine verbs", (135, 1905, 23, 16)),
        ("Microsoft Translator", "feminine verbs", (149, 1840, 8, 82)),
        ("Microsoft Translator", "masculine verbs", (104, 1893, 15, 67)),
    ):
        counts = tuple(found["verbs", system, verbs, label] for label in ("female", "male", "neutral", "wrong"))
        assert counts == expected
    for (table, system, row, column), number in published("troles2021").items():
        if table == "Table 3, counts":
            assert found["table3", system, row, column] == number.value
    assert found["figure4", "DeepL", "no adjective", "female pronoun"] == pytest.approx(78.2, abs=0.05)


def test_hypothesis_2b_has_the_sign_of_the_paper_and_is_rejected(shared_data: Path) -> None:
    frame = evenhand.table("troles2021", shared_data / "wibemt", elements=["hypotheses"]).frame()
    rows = frame.filter(row="H2b: masculine - no adjective")
    deltas = dict(rows.filter(column="delta %TFG").select("system", "value").iter_rows())
    assert {system: round(value, 1) for system, value in deltas.items()} == {
        "DeepL": 2.9, "Microsoft": 3.5, "Google": 4.7
    }  # fmt: skip
    assert set(rows.filter(column="by chi-square")["text"]) == {"rejected"}


def test_table_3_counts_what_a_run_holds(german: list[evenhand.Run]) -> None:
    found = numbers(evenhand.table("troles2021", german))
    rows = german[1].table.select("adjective_class", "gold", "gender").rows()
    for kind, name in (("feminine", "feminine adjective"), ("none", "no adjective")):
        of_kind = [(gold, gender) for adjective, gold, gender in rows if adjective == kind]
        assert found["table3", "pocket", name, "true feminine"] == of_kind.count(("female", "female"))
        assert found["table3", "pocket", name, "false feminine"] == of_kind.count(("male", "female"))
        female = sum(gender == "female" for _, gender in of_kind)
        male = sum(gender == "male" for _, gender in of_kind)
        assert found["figure3", "pocket", name, "%TFG"] == pytest.approx(100 * female / (female + male))
        right, wrong = of_kind.count(("female", "female")), of_kind.count(("female", "male"))
        assert found["figure4", "pocket", name, "female pronoun"] == pytest.approx(100 * right / (right + wrong))


def test_tables_6_and_7_of_a_run_are_its_pairs_before_and_after(hungarian: evenhand.Run) -> None:
    found = numbers(evenhand.table("farkas2022", hungarian, elements=["table6", "table7"]))
    genders = dict(hungarian.table.select("id", "gender").iter_rows())
    pairs = [
        (genders[base], gender)
        for base, adjective, gender in hungarian.table.select("base", "adjective", "gender").iter_rows()
        if adjective == "rossz" and {genders[base], gender} <= {"female", "male"}
    ]
    assert found["table6", "pocket", "bad", "she -> he %"] == pytest.approx(
        100 * pairs.count(("female", "male")) / len(pairs)
    )
    she = sum(after == "female" for _, after in pairs)
    assert found["table7", "pocket", "bad", "she %"] == pytest.approx(100 * she / len(pairs))
    assert found["table7", "pocket", "bad", "he %"] == pytest.approx(100 - 100 * she / len(pairs))
    assert ("table7", "pocket", "none", "she %") in found  # the row without an adjective


def test_the_twenty_largest_errors_stand_with_both_references(hungarian: evenhand.Run) -> None:
    made = evenhand.table("farkas2022", hungarian, elements=["figure7"])
    frame = made.frame()
    first = frame.filter(column="us-2020")["value"].to_list()
    assert first == sorted(first, reverse=True)
    assert 0 < len(first) <= 20
    assert hungarian.occupations is not None
    largest = hungarian.occupations.filter(reference="us-2020")["B"].max()
    assert first[0] == largest
    assert set(frame["column"]) == {"us-2020", "hungary-2011"}


def test_prates_pronouns_give_what_the_notes_beside_them_say(shared_data: Path) -> None:
    found = numbers(evenhand.table("farkas2022", shared_data / "prates", elements=["results"]))
    ours = {row: value for (_, _, row, _), value in found.items()}
    assert ours["occupations with a share"] == 552
    assert ours["female-dominated: he %"] == pytest.approx(100 * 124 / 230)
    assert ours["male-dominated: she %"] == pytest.approx(100 * 85 / 322)
    assert ours["of these: he for she %"] == pytest.approx(100 * 124 / 209)
    assert ours["median B above 0"] == pytest.approx(1.2573, abs=5e-5)
    assert ours["largest B"] == pytest.approx(140.857, abs=5e-4)


def test_a_survey_file_gives_the_papers_masculinity(tmp_path: Path) -> None:
    head = "occupation\t" + "\t".join(f"answer_{n}" for n in range(1, 7))
    (tmp_path / "survey.tsv").write_text(f"{head}\ncarpenter\t170\t12\t7\t3\t4\t0\n", encoding="utf-8")
    found = numbers(evenhand.table("farkas2022", tmp_path / "survey.tsv"))
    assert found["table2", "survey", "carpenter", "masculinity %"] == pytest.approx(98.35, abs=0.005)


def test_words_of_the_authors_pairs_are_ranked_for_each_language(shared_data: Path) -> None:
    made = evenhand.table("gonen2020", shared_data / "natgenmt")
    (section,) = made.sections
    assert section.columns[-2:] == ("google de", "google es")
    assert section.rows[1][-1].startswith("nurse 0:")


def test_vectors_are_laid_out_with_methods_across_as_in_the_paper(es_findings: evenhand.Findings) -> None:
    made = evenhand.table("zhou2019", es_findings, elements=["table1"], published=True)
    (section,) = made.sections
    assert section.columns[:4] == ("system", "", "Original", "Shift_Ori")
    printed = next(row for row in section.rows if row[0] == "es (published)")
    assert printed[1:4] == ["MWEAT-Diff", "3.6918", "0.3090"]
    # the paper prints sizes alone: which forms are the stronger must be said
    assert next(row for row in section.rows if row[1] == "stronger forms")[2] == "masculine"


@pytest.fixture(scope="module")
def es_findings(tmp_path_factory: pytest.TempPathFactory) -> evenhand.Findings:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    folder = tmp_path_factory.mktemp("es")
    arguments = ("embeddings", "audit", "--language", "es", "--vectors", "pocket", "--method", "shift-ori")
    done = command(*arguments, "-o", "es", folder=folder, environment={"EVENHAND_CACHE": str(folder / "cache")})
    assert done.returncode == 0, done.stderr
    return evenhand.Findings.load(folder / "es")


def test_every_format_holds_the_same_table(german: list[evenhand.Run], tmp_path: Path) -> None:
    made = evenhand.table("troles2021", german)
    written = {path.name: path for path in made.write(tmp_path / "all")}
    rows = list(csv.DictReader(io.StringIO(written["troles2021.csv"].read_text("utf-8"))))
    assert len(rows) == made.frame().height
    assert "\\toprule" in written["troles2021.tex"].read_text("utf-8")
    assert "\\%TFG" in written["troles2021.tex"].read_text("utf-8")
    page = written["troles2021.html"].read_text("utf-8")
    for text in (page, written["troles2021.txt"].read_text("utf-8"), made._repr_html_()):
        assert "true feminine" in text
    assert written["figure2.svg"].read_bytes().startswith(b"<svg")
    assert written["figure4.pdf"].read_bytes().startswith(b"%PDF")


def test_the_figures_of_a_compared_run_can_be_drawn(hungarian: evenhand.Run, tmp_path: Path) -> None:
    figures = {figure.key for figure in evenhand.table("farkas2022", hungarian).figures()}
    assert {"figure4-1", "figure4-2", "figure6-1", "figure7-1"} <= figures
    made = evenhand.table("farkas2022", hungarian, elements=["figure7"])
    assert made.write(tmp_path / "seven.svg")[0].read_bytes().startswith(b"<svg")
    with pytest.raises(BadInput, match="--element"):
        evenhand.table("farkas2022", hungarian).write(tmp_path / "all.svg")


def test_a_run_that_a_study_cannot_use_says_what_it_needs(hungarian: evenhand.Run, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="occupations-verbs"):
        evenhand.table("troles2021", hungarian)
    with pytest.raises(BadInput, match="at least one run"):
        evenhand.table("cho2019", [])
    with pytest.raises(Unknown, match="cho2019"):
        evenhand.table("cho2018", hungarian)
    with pytest.raises(Unknown, match="table7"):
        evenhand.table("farkas2022", hungarian, elements=["table9"])
    with pytest.raises(BadInput, match="no such run folder"):
        evenhand.table("cho2019", tmp_path / "nothing")


def test_two_runs_of_one_system_are_told_by_their_folders(hungarian: evenhand.Run, tmp_path: Path) -> None:
    def systems(*runs: Path | evenhand.Run) -> list[str]:
        frame = evenhand.table("farkas2022", runs, elements=["table7"]).frame()
        return frame["system"].unique(maintain_order=True).to_list()

    for name in ("one/run", "other/run", "third"):
        hungarian.save(tmp_path / name)
    assert systems(hungarian, tmp_path / "third") == ["pocket (run)", "pocket (third)"]
    same = [tmp_path / "one/run", tmp_path / "other/run"]
    assert systems(*same) == [f"pocket ({path})" for path in same]  # were one column, the second run's
    assert systems(hungarian, hungarian) == ["pocket (1)", "pocket (2)"]


def test_adjectives_without_the_plain_sentences_fill_no_table(tmp_path: Path) -> None:
    suite = evenhand.load_suite("occupations-hungarian").only(["sector=education", "adjective=jó"])
    run = evenhand.audit(suite, _always_she, target="en", settings=evenhand.Settings(resamples=200))
    with pytest.raises(BadInput, match="all adjectives"):  # was: the table of verdicts has no rows
        evenhand.table("farkas2022", run)


def test_what_fits_but_has_no_row_is_not_said_to_need_another_run() -> None:
    suite = evenhand.load_suite("pronouns-turkish").only(["sector=education"])
    run = evenhand.audit(suite, _each_another, target="en", settings=evenhand.Settings(resamples=200))
    made = evenhand.table("cho2019", run, elements=["words", "table1"])
    assert made.missing == [
        "nothing in these for words of occupations rendered female (words): share female against the base rate"
    ]


def _each_another(texts: Sequence[str]) -> list[str]:
    """No two renderings end in the same word, so no word is frequent enough to be a group."""
    return [f"She is a {''.join(chr(97 + ord(letter) % 26) for letter in text)}." for text in texts]


def test_published_columns_of_other_tables_are_no_hypotheses() -> None:
    made = evenhand.table("troles2021", [], elements=["hypotheses"], published=True)
    (section,) = made.sections
    assert set(section.columns) == {"system", "", "delta %TFG", "chi2", "p"}
    assert not [row for row in section.rows if row[0].startswith("all systems")]


def test_published_numbers_have_the_decimals_of_the_paper(tmp_path: Path) -> None:
    """Table 6 prints whole percentages and one 0.1; Table 3 of the survey study B with two decimals."""
    (section,) = evenhand.table("farkas2022", [], elements=["table6"], published=True).sections
    good, very_good = (row[2:6] for row in section.rows[:2])
    assert (good, very_good) == (["16", "79", "5", "0"], ["14", "79", "7", "0.1"])


def test_tables_print_as_tables(tgbi: evenhand.StudyTables) -> None:
    assert repr(tgbi) == tgbi.text()


@pytest.mark.parametrize("study", STUDIES)
def test_every_element_is_listed_with_what_it_needs(study: str, tmp_path: Path) -> None:
    done = command("table", "--list", "--json", folder=tmp_path)
    listed = [row for row in json.loads(done.stdout) if row["study"] == study]
    assert [row["key"] for row in listed] == [element.key for element in elements_of(study)]
    assert all(row["needs"] and row["shows"] for row in listed)
    assert len({row["key"] for row in listed}) == len(listed)


def test_the_verb_prints_the_published_table_alone(tmp_path: Path) -> None:
    done = command("table", "farkas2022", "--published", "--element", "table7", folder=tmp_path)
    assert done.returncode == 0
    assert "NONE (only occupation)  21     79" in done.stdout
    shown = command("table", "farkas2022", "--published", "--element", "table7", "--to", "csv", folder=tmp_path)
    assert shown.stdout.startswith("study,element,system,row,column,value")
    wrong = command("table", "farkas2022", "--published", "--to", "docx", folder=tmp_path)
    assert wrong.returncode == 2
    assert "latex" in wrong.stderr


def test_a_report_of_a_studys_suite_ends_with_its_tables(hungarian: evenhand.Run, tmp_path: Path) -> None:
    assert study_of(hungarian) == "farkas2022"
    page = evenhand.report(hungarian, tmp_path / "page.html").read_text("utf-8")
    assert "Table 7: pronouns without and with an adjective" in page
    she = numbers(evenhand.table("farkas2022", hungarian))["table7", "pocket", "none", "she %"]
    assert math.isfinite(she)
    assert f"{she:.1f} [" in page


def _always_she(texts: Sequence[str]) -> list[str]:
    return ["She is one."] * len(texts)


def test_a_comparison_of_a_studys_suite_ends_with_its_tables_side_by_side(
    hungarian: evenhand.Run, tmp_path: Path
) -> None:
    suite = evenhand.load_suite("occupations-hungarian").only(["sector=education"])
    settings = evenhand.Settings(resamples=200, references=("us-2020", "hungary-2011"))
    female = evenhand.audit(suite, _always_she, target="en", settings=settings)
    page = evenhand.report([hungarian, female], tmp_path / "page.html").read_text("utf-8")
    tables = page.split("As the paper prints it", 1)[1]
    assert "Table 7: pronouns without and with an adjective" in tables
    assert all(name in tables for name in (hungarian.manifest.system_name, female.manifest.system_name))
