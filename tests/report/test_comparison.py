from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.report import write_report
from evenhand.report.charts.basic import COLOURS, MARKED, amounts, intervals, percent_axis
from evenhand.report.charts.drawing import LINE, SHORT, inline_svg, wrapped
from evenhand.report.charts.figure import Heading
from evenhand.report.pages.sentences import example
from evenhand.report.pages.several import Differing, differing_sentences, figures, name_all
from evenhand.report.words.comparison import answer_several
from evenhand.report.words.narrative import RunFacts
from evenhand.report.words.tables import tied_words
from evenhand.results.runs import Run
from evenhand.workflows.settings import Settings


@pytest.fixture(scope="module")
def page_text(mixed_run: Path, other_run: Path, male_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    output = tmp_path_factory.mktemp("comparison") / "c.html"
    return write_report([mixed_run, other_run, male_run], output).read_text(encoding="utf-8")


def test_runs_that_share_a_system_still_have_names_of_their_own(mixed_run: Path, tmp_path: Path) -> None:
    again = Run.load(mixed_run).save(tmp_path / "again")
    names = [n.name for n in name_all([Run.load(mixed_run), again, again])]
    assert len(set(names)) == 3


def test_differing_sentences_are_those_whose_verdicts_differ(mixed_run: Path, male_run: Path) -> None:
    runs = [Run.load(mixed_run), Run.load(male_run)]
    total, shown = differing_sentences(name_all(runs), shown=1_000)
    joined = runs[0].verdicts.join(runs[1].verdicts, on=["id", "sample", "candidate"])
    expected = joined.filter(pl.col("gender") != pl.col("gender_right"))
    assert total == expected.height
    assert {d.source.id for d in shown} <= set(expected["id"])
    for d in shown:
        assert len({e.gender for _, e in d.renderings}) > 1


def test_the_page_has_ranking_paired_differences_and_sentences_side_by_side(page_text: str) -> None:
    for part in ('id="ranking"', 'id="differences"', 'id="sentences"', 'class="sides"'):
        assert part in page_text
    assert page_text.count('class="signature"') == 3
    assert "pairs of systems differ significantly (corrected paired tests)" in page_text
    assert "nearly always male" in page_text


def test_two_equal_runs_share_every_rank(mixed_run: Path, tmp_path: Path) -> None:
    again = Run.load(mixed_run).save(tmp_path / "again")
    text = write_report([Run.load(mixed_run), again], tmp_path / "c.html").read_text(encoding="utf-8")
    ranking = text[text.index('id="ranking"') : text.index('id="differences"')]
    assert set(re.findall(r'data-label="Rank">([^<]+)</td>', ranking)) == {"1–2", "–"}  # shares have no rank
    assert "<small>no significant difference" in text
    assert "no significant difference" in text


def test_runs_of_different_suites_are_shown_but_not_tested(mixed_run: Path, tmp_path: Path) -> None:
    run = evenhand.audit(
        evenhand.load_suite("pronouns-turkish"), lambda texts: ["She is."] * len(texts), target="en",
        memory=tmp_path / "m.sqlite", settings=Settings(resamples=100),
    )  # fmt: skip
    text = write_report([Run.load(mixed_run), run], tmp_path / "c.html").read_text(encoding="utf-8")
    assert "use different sentences" in text
    assert 'id="ranking"' not in text


def test_systems_with_one_rendering_stand_together() -> None:
    probe = {"id": "1", "source": "Ő orvos.", "source_lang": "hu", "target_lang": "en", "gender": "male"}
    he, she = ({**probe, "rendering": text} for text in ("He is a doctor.", "She is a doctor."))
    given = [("a", example(he)), ("b", example({**she, "gender": "female"})), ("c", example(he))]
    assert [name for name, _ in Differing(example(he), given).together] == ["a, c", "b"]


def test_every_ranked_value_stands_beside_the_interval_of_its_run(page_text: str, mixed_run: Path) -> None:
    ranking = page_text[page_text.index('id="ranking"') : page_text.index('id="differences"')]
    own = Run.load(mixed_run).estimates.filter(measure="P_S", group="all", variant="raw").row(0, named=True)
    assert f"{own['value']:.3f}</td>" in ranking
    assert f'data-label="95 % interval">{own["low"]:.3f} to {own["high"]:.3f}</td>' in ranking


@pytest.mark.parametrize(
    ("tied", "words"),
    [
        ([], ""),
        (["b"], "b"),
        (["b", "c, d"], "b, c, d"),
        (["b", "c, d", "e", "f", "g", "h", "i", "j", "k", "l"], "all others"),
        (["b", "c, d", "e", "f", "g", "h", "i", "j"], "all but k, l"),
        (["b", "c, d", "e", "f", "g"], "b, c, d, e, f, g"),
        ([f"n{n}" for n in range(9)], "9 of 19 others"),
    ],
)
def test_ties_with_many_systems_are_said_in_few_words(tied: list[str], words: str) -> None:
    others = ["b", "c, d", "e", "f", "g", "h", "i", "j", "k", "l"]
    others += [name for name in tied if name not in others]
    assert tied_words(", ".join(tied), others) == words


def test_each_of_many_systems_has_a_row_with_its_name_in_every_chart(mixed_run: Path, male_run: Path) -> None:
    one, other = Run.load(mixed_run), Run.load(male_run)
    many = [replace(run, manifest=replace(run.manifest, name=f"{n}")) for n, run in enumerate([one, other] * MARKED)]
    drawn = {figure.key: figure for figure in figures(name_all(many))}
    spec = drawn["measures-number"].chart.to_dict()
    rows = [layer["encoding"]["y"]["field"] for panel in spec["vconcat"] for layer in panel["layer"]]
    assert set(rows) == {"system"}
    assert set(drawn["measures-number"].table["system"]) == {str(n) for n in range(len(many))}
    grouped = drawn["share_female-by-group"].chart.to_dict()["vconcat"]
    assert {layer["encoding"]["y"]["field"] for panel in grouped for layer in panel["layer"]} == {"system"}


def test_long_names_are_drawn_whole(mixed_run: Path, male_run: Path) -> None:
    names = [f"an organisation of some size/a model with a long name, no. {n}"[:60] for n in (1, 2)]
    both = [Run.load(mixed_run), Run.load(male_run)]
    named = name_all([replace(r, manifest=replace(r.manifest, name=n)) for r, n in zip(both, names, strict=True)])
    drawn = {figure.key: inline_svg(figure) for figure in figures(named)}
    for name in names:
        assert all(f">{part}<" in drawn["overall"] for part in wrapped(name, LINE))
        assert f">{name}<" in drawn["measures-number"]  # in the legend


def test_names_break_between_words_and_a_long_word_where_the_line_ends() -> None:
    names = ["Office and Administrative Occupations", f"no {'space' * 14}", "an exact fit of 22 chr", "short"]
    table = pl.DataFrame({"level": names, "count": [3, 2, 2, 1]})
    figure = amounts(table, Heading("k", "t", "c"), log=False)
    for narrow, line in ((False, LINE), (True, SHORT)):
        svg = inline_svg(figure, narrow=narrow)
        for name in names:
            assert all(f">{part}<" in svg for part in wrapped(name, line)), name
    assert wrapped(names[0], LINE) == ["Office and Administrative", "Occupations"]


def test_genders_look_the_same_where_they_are_the_marks_of_a_chart() -> None:
    rows = [(s, g, 0.5, 0.4, 0.6) for s in ("one", "two") for g in ("male", "female")]
    data = pl.DataFrame(rows, schema=["system", "level", "value", "low", "high"], orient="row")
    layer = intervals(data, percent_axis(""), row="system", mark="level")
    colours = layer.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert dict(zip(colours["domain"], colours["range"], strict=True)) == {g: COLOURS[g] for g in ("female", "male")}


def test_many_names_stand_in_the_heading_only(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    facts = RunFacts.of(run.manifest, run.estimates, run.table)
    few, many = (answer_several([f"s{n}" for n in range(c)], [facts] * c, None, None) for c in (2, 9))
    assert few.setting.startswith("We asked 2 systems (s0, s1) to translate")
    assert many.setting.startswith("We asked 9 systems to translate")
