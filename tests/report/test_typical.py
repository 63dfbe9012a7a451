"""The sentences a report opens with: drawn by rule, and the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.report import write_report
from evenhand.report.pages.several import name_all, typical_differences
from evenhand.report.pages.typical import allot, draw, typical
from evenhand.results.runs import Run


def test_places_go_by_share_as_sainte_lague_gives_them() -> None:
    """Hand-worked: 53, 24, 23 for 7 places (the textbook's example of the method) and a party too small for one."""
    assert allot({"A": 53_000, "B": 24_000, "C": 23_000}, 7) == {"A": 3, "B": 2, "C": 2}
    assert allot({"male": 95, "female": 5}, 5) == {"male": 5}
    assert allot({"male": 2, "female": 1}, 5) == {"male": 2, "female": 1}


def test_typical_sentences_mirror_what_came_out_and_come_from_different_words(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    drawn = typical(run)
    genders = [example.gender for example in drawn.examples]
    assert len(genders) == 5
    assert genders.count("male") == 3  # about half of the renderings
    assert "female" in genders
    concepts = run.probes.filter(pl.col("id").is_in([e.id for e in drawn.examples]))["concept"]
    assert concepts.n_unique() == 5
    assert "seed 0" in drawn.rule
    assert typical(run) == drawn
    other_seed = replace(run, manifest=replace(run.manifest, seed=7))
    assert [e.id for e in typical(other_seed).examples] != [e.id for e in drawn.examples]


def test_one_outcome_needs_three_sentences_only(male_run: Path) -> None:
    assert [e.gender for e in typical(Run.load(male_run)).examples] == ["male"] * 3


def test_a_suite_of_one_cluster_still_has_sentences() -> None:
    assert len(draw(pl.Series("outcome", ["male"] * 9), pl.Series(["a"] * 9), seed=0)) == 3


def test_the_lead_of_a_page_has_the_sentences_with_mark_and_gloss_before_the_numbers(
    mixed_run: Path, tmp_path: Path
) -> None:
    page = write_report([mixed_run], tmp_path / "r.html").read_text(encoding="utf-8")
    lead = page[page.index('id="typical"') : page.index('id="numbers"')]
    assert page.index('class="answer') < page.index('id="typical"') < page.index('id="charts"')
    assert lead.count('<mark class="evidence') >= 5
    assert lead.count('class="gloss" dir="ltr">“she/he is a') + lead.count('class="gloss" dir="ltr">“that person') == 5


def test_a_comparison_leads_with_typical_sentences_on_which_systems_differ(
    mixed_run: Path, male_run: Path, tmp_path: Path
) -> None:
    runs = [Run.load(mixed_run), Run.load(male_run)]
    _, shown = typical_differences(name_all(runs))
    assert 3 <= len(shown) <= 5
    assert all(len({e.gender for _, e in one.renderings}) == 2 for one in shown)
    page = write_report(runs, tmp_path / "c.html").read_text(encoding="utf-8")
    assert page.index('id="typical"') < page.index('id="ranking"') < page.index('id="charts"')
    again = typical_differences(name_all([runs[0], runs[0]]))
    assert again[1] == []
