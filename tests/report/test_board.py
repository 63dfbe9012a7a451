"""The board: a static site of run folders. Its links, its numbers, its ties, a second build."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand as command
from tests.conftest import always_he, mixed, other
from tests.report.pages import Tags

import evenhand
from evenhand.report.board.build import board
from evenhand.results.runs import Run
from evenhand.suites.suite import Suite

Make = Callable[[str, Callable[[list[str]], list[str]]], Path]


def echo(texts: list[str]) -> list[str]:
    """A fifth of the answers are the source again."""
    return [t if random.Random(f"echo {t}").random() < 0.2 else "She is here." for t in texts]


def mostly_she(texts: list[str]) -> list[str]:
    said = ["She is there.", "He is there."]
    return [random.Random(f"she {t}").choices(said, [90, 10])[0] for t in texts]


@pytest.fixture(scope="module")
def runs(audited: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six runs of one suite: four systems, one that mostly repeats the source, and a former run of one of them."""
    folder = tmp_path_factory.mktemp("board-runs")
    systems = {"mixed": mixed, "other": other, "always-he": always_he, "echo": echo, "<b>she</b>": mostly_she}
    for number, (name, system) in enumerate(systems.items()):
        made = Run.load(audited(f"board-{number}", system))
        renamed = replace(made.manifest, name=name, created="2026-05-01T10:00:00+00:00", answered=None)
        replace(made, manifest=renamed).save(folder / f"run-{number}")
    former = Run.load(audited("board-2", always_he))
    then = replace(former.manifest, name="other", created="2026-04-01T10:00:00+00:00", answered=None)
    replace(former, manifest=then).save(folder / "deeper" / "former")
    return folder


@pytest.fixture(scope="module")
def site(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return board(runs, tmp_path_factory.mktemp("site") / "site").index.parent


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def html(site: Path) -> dict[str, list[tuple[str, dict[str, str | None]]]]:
    return {page.name: Tags(page.read_text("utf-8")).tags for page in site.glob("*.html")}


def test_every_link_leads_to_a_file_of_the_site_and_nothing_is_loaded(site: Path) -> None:
    pages = html(site)
    anchors = {name: {a.get("id") for _, a in tags} for name, tags in pages.items()}
    for name, tags in pages.items():
        for tag, attributes in tags:
            target = attributes.get("href") or attributes.get("src") or ""
            if tag == "link":
                assert target == "data:,"
            elif target:
                file, _, anchor = target.partition("#")
                assert (site / (file or name)).is_file(), f"{name}: {target}"
                assert not anchor or anchor in anchors[file or name]
        policies = [a["content"] for tag, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
        assert policies
        assert "default-src 'none'" in (policies[0] or "")


def test_sentences_lie_one_click_behind_every_value_of_the_first_page(site: Path) -> None:
    links = [
        a["href"] for tag, a in Tags((site / "index.html").read_text("utf-8")).tags if "run-" in (a.get("href") or "")
    ]
    assert len(links) == 5
    for link in links:
        text = (site / str(link)).read_text("utf-8")
        assert '<ul class="pairs">' in text
        assert "suite:pronouns-basque" in text


def test_ranks_letters_and_tests_are_those_of_compare(site: Path, runs: Path) -> None:
    chosen = [Run.load(runs / f"run-{number}") for number in (4, 2, 3, 0, 1)]  # by name
    compared = evenhand.compare(chosen)
    told = {(row["measure"], row["level"]): row["p_adjusted"] for row in compared.differences.iter_rows(named=True)}
    tests = rows(site / "tests.csv")
    assert len(tests) == len(told)
    for test in tests:
        expected = told[test["measure"], f"{test['first']} - {test['second']}"]
        assert float(test["p_adjusted"] or "nan") == pytest.approx(expected, nan_ok=True)
    ranked = {(r["measure"], r["system"]): r["rank"] for r in compared.ranking.iter_rows(named=True)}
    overall = [row for row in rows(site / "overall.csv") if row["date"] == "2026-05-01"]
    for row in overall:
        rank = ranked.get((row["measure"], row["system"]))
        assert row["rank"] == ("" if rank is None else str(rank))
    letters = {(row["measure"], row["system"]): set(row["letters"].split()) for row in overall}
    for test in tests:
        one, two = (letters[test["measure"], test[side]] for side in ("first", "second"))
        if one and two:
            p = test["ranking_p"] or test["p_adjusted"]
            assert bool(one & two) == (not float(p or 1) < 0.05)


def test_two_systems_on_either_side_of_a_neutral_point_share_rank_and_letter(site: Path) -> None:
    current = [row for row in rows(site / "overall.csv") if row["rank"]]
    standing = {(row["measure"], row["system"]): set(row["letters"].split()) for row in current}
    pairs = [
        [(test["measure"], test[side]) for side in ("first", "second")]
        for test in rows(site / "tests.csv")
        if test["reading"].startswith("different, neither")
    ]
    both = [(one, two) for one, two in pairs if {one, two} <= set(standing)]
    assert both
    assert all(standing[one] & standing[two] for one, two in both)


def test_a_run_that_was_asked_for_a_gender_stands_in_a_table_of_its_own_headed_by_obeyed(
    asked_runs: Path, tmp_path: Path
) -> None:
    built = board(asked_runs, tmp_path / "site")
    assert (built.runs, built.systems, built.suites) == (2, 1, 2)
    text = built.index.read_text("utf-8")
    tables = {part.partition("</h2>")[0]: part for part in text.split("<h2>")[1:]}
    (plain, asked) = sorted(tables, key=lambda title: "asked for female" in title)
    assert re.search(r"100\.0.%.*Obeyed: ", tables[asked], re.DOTALL)
    assert "asked for" not in plain
    assert re.search(r"Accuracy: .*50\.0.%", tables[plain], re.DOTALL)


def test_where_one_system_was_asked_its_measures_stand_in_one_table(asked_runs: Path, tmp_path: Path) -> None:
    site = board(asked_runs / "asked", tmp_path / "site").index.parent
    (page,) = site.glob("language-*.html")
    text = page.read_text("utf-8")
    assert text.count('<table class="estimates board"') == 1
    assert "was asked" in text
    assert '<h3 id="suite' not in text


def test_all_measures_that_changed_from_one_date_to_the_next_stand_in_one_entry(site: Path) -> None:
    steps = {(row["system"], row["from"], row["to"]) for row in rows(site / "changes.csv") if row["changed"] == "True"}
    part = (site / "index.html").read_text("utf-8").partition('id="changes"')[2].partition("</ul>")[0]
    assert len(steps) == part.count("<li>") == 1


def test_a_change_between_runs_of_different_detectors_says_that_it_may_be_theirs(
    site: Path, runs: Path, tmp_path: Path
) -> None:
    told, beside = "judged by different detectors or labels", "judged by another detector or other labels"
    assert told not in (site / "index.html").read_text("utf-8")
    for name, detector in (("run-1", "detector-2"), ("deeper/former", "detector-1")):
        run = Run.load(runs / name)
        replace(run, manifest=replace(run.manifest, detector=detector)).save(tmp_path / "runs" / Path(name).name)
    other_site = board(tmp_path / "runs", tmp_path / "site").index.parent
    assert told in (other_site / "index.html").read_text("utf-8").partition('id="changes"')[2].partition("</ul>")[0]
    assert beside in (other_site / "system-other.html").read_text("utf-8")
    assert beside not in (site / "system-other.html").read_text("utf-8")


def test_a_sentence_that_a_suite_has_twice_is_shown_once(asked_runs: Path, tmp_path: Path) -> None:
    made = Run.load(asked_runs / "plain")
    again = pl.col("id") + "-again"
    tables = {name: getattr(made, name) for name in ("probes", "renderings", "verdicts")}
    twice = {name: pl.concat([table, table.with_columns(again)]) for name, table in tables.items()}
    replace(made, **twice).save(tmp_path / "runs" / "twice")
    site = board(tmp_path / "runs", tmp_path / "site", sentences=40).index.parent
    (page,) = site.glob("run-*.html")
    shown = re.findall(r"cerró a las \d+", page.read_text("utf-8"))
    assert sorted(shown) == sorted(f"cerró a las {hour}" for hour in range(1, 7) for _ in range(2))


def test_a_system_that_repeats_the_source_is_left_out_by_name_and_share(site: Path, runs: Path) -> None:
    built = board(runs, site)
    assert len(built.unranked) == 1
    assert built.unranked[0].startswith("echo, ")
    assert re.search(r"(1[5-9]|2[0-9])\.\d %", built.unranked[0])
    overall = [row for row in rows(site / "overall.csv") if row["system"] == "echo"]
    assert overall
    assert {row["rank"] for row in overall} == {""}
    assert "not ranked" in (site / "index.html").read_text("utf-8")


def test_every_estimate_of_every_run_can_be_downloaded_with_its_signature(site: Path, runs: Path) -> None:
    folders = [*runs.glob("run-*"), runs / "deeper" / "former"]
    loaded = [Run.load(folder) for folder in folders]
    numbers = rows(site / "numbers.csv")
    assert len(numbers) == sum(run.estimates.height for run in loaded)
    assert {row["signature"] for row in numbers} == {run.signature for run in loaded}
    whole = json.loads((site / "board.json").read_text("utf-8"))
    assert sum(map(len, whole["estimates"].values())) == len(numbers)
    for row in rows(site / "runs.csv"):
        assert row["signature"] in {run.signature for run in loaded}


def test_a_change_between_two_dates_is_marked_where_the_test_over_time_finds_one(site: Path, runs: Path) -> None:
    then, now = Run.load(runs / "deeper" / "former"), Run.load(runs / "run-1")
    before, after = (replace(run, path=Path(name)) for run, name in ((then, "a"), (now, "b")))
    told = evenhand.compare([before, after]).differences
    expected = {row["measure"]: row for row in told.iter_rows(named=True)}
    changes = rows(site / "changes.csv")
    assert {change["system"] for change in changes} == {"other"}
    assert {change["changed"] for change in changes} == {"True", "False"}
    for change in changes:
        row = expected[change["measure"]]
        assert float(change["change"]) == pytest.approx(-row["value"])
        assert (change["from"], change["to"]) == ("2026-04-01", "2026-05-01")
        assert change["changed"] == str(row["p_adjusted"] < 0.05)
    page = (site / "system-other.html").read_text("utf-8")
    assert page.count('class="changed"') == sum(change["changed"] == "True" for change in changes)
    assert "not significant" in page


def test_a_second_build_gives_what_a_fresh_one_gives_and_keeps_no_page_of_a_run_that_is_gone(
    runs: Path, tmp_path: Path
) -> None:
    few = tmp_path / "runs"
    for number in (0, 1):
        Run.load(runs / f"run-{number}").save(few / f"run-{number}")
    board(few, tmp_path / "site")
    (tmp_path / "site" / "note.txt").write_text("mine")
    Run.load(runs / "run-2").save(few / "run-2")
    (few / "run-0").rename(tmp_path / "taken-away")
    board(few, tmp_path / "site", workers=2)
    board(few, tmp_path / "fresh")
    for folder in ("site", "fresh"):
        assert not list((tmp_path / folder).glob("system-mixed*"))
    assert (tmp_path / "site" / "note.txt").read_text() == "mine"
    (tmp_path / "site" / "note.txt").unlink()
    kept = {path.name: path.read_bytes() for path in (tmp_path / "site").iterdir()}
    assert kept == {path.name: path.read_bytes() for path in (tmp_path / "fresh").iterdir()}


def test_a_build_removes_no_file_outside_of_its_folder(runs: Path, tmp_path: Path) -> None:
    board(runs / "run-0", tmp_path / "site")
    data = tmp_path / "site" / "board.json"
    (tmp_path / "thesis.txt").write_text("all of it")
    data.write_text(json.dumps(json.loads(data.read_text("utf-8")) | {"files": ["../thesis.txt", str(tmp_path)]}))
    board(runs / "run-0", tmp_path / "site")
    assert (tmp_path / "thesis.txt").exists()


def test_numbers_only_means_that_no_sentence_is_in_any_file(runs: Path, suite: Suite, tmp_path: Path) -> None:
    board(runs, tmp_path / "site", sentences=0)
    told = "".join(path.read_text("utf-8") for path in (tmp_path / "site").rglob("*") if path.is_file())
    rendered = {
        text for number in range(5) for text in Run.load(runs / f"run-{number}").renderings["rendering"] if text
    }
    assert not [text for text in (*suite.probes["source"], *rendered) if text in told]
    assert "suite:pronouns-basque" in told


def test_side_by_side_the_rarest_verdict_of_a_sentence_stands_first(site: Path) -> None:
    text = next(site.glob("sentences-*.html")).read_text("utf-8")
    sentences = [re.findall(r'<dd><span class="badge (\w+)"', part) for part in text.split('<dl class="sides">')[1:]]
    assert sentences
    for verdicts in sentences:
        assert len(verdicts) == 5
        counts = [verdicts.count(verdict) for verdict in verdicts]
        assert counts == sorted(counts)
        assert len(set(verdicts)) > 1


def test_names_of_systems_are_text_wherever_they_stand(site: Path) -> None:
    for page in site.glob("*.html"):
        assert "<b>she" not in page.read_text("utf-8")
    assert "&lt;b&gt;she&lt;/b&gt;" in (site / "index.html").read_text("utf-8")


def test_hostile_renderings_stay_text(hostile_run: Path, tmp_path: Path) -> None:
    built = board(hostile_run, tmp_path / "site")
    scripts = [
        tag for tags in html(built.index.parent).values() for tag, _ in tags if tag in ("script", "img", "style")
    ]
    pages = len(list((tmp_path / "site").glob("*.html")))
    assert sorted(set(scripts)) == ["script", "style"]
    assert len(scripts) == 2 * pages


def test_the_command_line_builds_says_who_is_left_out_and_gives_json(runs: Path, tmp_path: Path) -> None:
    done = command("board", str(runs), "-o", str(tmp_path / "site"), "--workers", "2", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["runs"], told["systems"]) == (6, 5)
    again = command("board", str(runs), "-o", str(tmp_path / "site"), folder=tmp_path)
    assert "not ranked echo" in again.stdout


def test_what_lies_beside_the_runs_is_named_and_left_out(runs: Path, study_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "gate.json").write_text("{}")
    built = board([runs / "run-0", tmp_path / "gate.json", study_folder], tmp_path / "site")
    assert built.runs == 1
    assert built.others == [
        f"{tmp_path / 'gate.json'}: a file, not a folder of a run",
        f"{study_folder}: a result of the kind embeddings, not a run of a suite",
    ]


def test_systems_of_the_same_mean_rank_stand_in_the_order_of_their_values(mixed_run: Path, tmp_path: Path) -> None:
    few = tmp_path / "runs"
    made = Run.load(mixed_run)  # the same renderings but twenty, which now leave the gender open: better, or tied
    kept_open = (
        pl.when(pl.int_range(pl.len()) < 20).then(pl.lit("They are here.")).otherwise("rendering").alias("rendering")
    )
    for name, run in (("a", made), ("b", replace(made, renderings=made.renderings.with_columns(kept_open)))):
        replace(run, manifest=replace(made.manifest, name=name)).save(few / name)
    evenhand.score(few / "b", detect=True, output=few / "b")
    values = {row["system"]: float(row["value"]) for row in _overall(few, tmp_path / "site", "P_S")}
    assert values["b"] > values["a"]
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert text.index("system-b.html") < text.index("system-a.html")


def _overall(runs: Path, site: Path, measure: str) -> list[dict[str, str]]:
    board(runs, site)
    return [row for row in rows(site / "overall.csv") if row["measure"] == measure]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_damaged_run_is_told_in_a_sentence_and_nothing_is_written(runs: Path, tmp_path: Path, workers: str) -> None:
    for number in (0, 1):
        Run.load(runs / f"run-{number}").save(tmp_path / "runs" / str(number))
    other = evenhand.audit(
        evenhand.load_suite("pronouns-turkish"), "command:sed 's/^/He is /'", target="en", memory=tmp_path / "memory"
    )
    other.save(tmp_path / "runs" / "2")
    table = tmp_path / "runs" / "1" / "verdicts.parquet"
    table.write_bytes(table.read_bytes()[:200])
    done = command("board", "runs", "-o", "site", "--workers", workers, folder=tmp_path)
    assert done.returncode == 2
    assert "verdicts.parquet: cannot be read as Parquet" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((tmp_path / "site").glob("*.html"))


def test_a_folder_of_something_else_is_refused_and_left_alone(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(evenhand.BadInput, match="not a board"):
        board(runs, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "nowhere", tmp_path / "empty"):
        with pytest.raises(evenhand.BadInput):
            board(place, tmp_path / "site")
    assert not (tmp_path / "site").exists()
