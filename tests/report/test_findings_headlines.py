"""What pages on vectors, mined and parallel text say first. `pytest -s` prints all of it for a person to read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.report.test_headlines import said
from tests.report.test_mining_page import mined

from evenhand.gender import GENDERS
from evenhand.notes import Note, NoteKind
from evenhand.report import write_report
from evenhand.report.pages.kinds import shown
from evenhand.report.pages.typical import Typical, TypicalWords
from evenhand.report.words.headlines import patterns
from evenhand.results.findings import Findings, FindingsManifest


def row(
    measure: str, value: float | None, low: float | None, high: float | None, *, n: int = 40, **further: object
) -> dict[str, object]:
    return {
        "measure": measure,
        "group": "method",
        "level": "original",
        "variant": "raw",
        "value": value,
        "low": low,
        "high": high,
        "n": n,
        "n_decided": n,
        **further,
    }


def vectors(*rows: dict[str, object], language: str = "es", **tables: pl.DataFrame) -> Findings:
    manifest = FindingsManifest(
        "embeddings", "Vectors", "es.vec (20,000 words, 100 dimensions)", {"language": language}
    )
    return Findings(manifest, pl.DataFrame(rows, infer_schema_length=None), tables)


def sets(*values: tuple[str, float, float, float, float]) -> Findings:
    rows = [row("WEAT", v, low, high, reference=name, p=p, p_adjusted=p) for name, v, low, high, p in values]
    held = [row("occupations_nearer_male", 0.7, 0.6, 0.8), row("occupation_association", 0.02, 0.01, 0.03)]
    words = [("original", f"word{i}", 0.1 - 0.03 * i, 0.2 - 0.05 * i) for i in range(6)]
    occupations = pl.DataFrame(words, schema=["method", "word", "s", "cos_d_PCA"], orient="row")
    return vectors(*rows, *held, language="en", occupations=occupations)


def scores(*estimates: dict[str, object]) -> Findings:
    words = pl.DataFrame({"word": ["nurse", "baker", "judge", "miner"], "score": [-1.0, -0.1, 0.5, 1.0]})
    manifest = FindingsManifest("word-scores", "Scores", "4 words in 1 file", {})
    return Findings(
        manifest, pl.DataFrame(estimates, schema=None if estimates else {"measure": pl.String}), {"scores": words}
    )


def text(counts: tuple[int, int, int], share: tuple[float, float, float] | None, persons: int) -> Findings:
    """Parallel text with persons that the source leaves open: female, male, neutral; the share of women among them."""
    genders = dict.fromkeys(GENDERS, 0) | dict(zip(("female", "male", "neutral"), counts, strict=True))
    opened = [{"file": "a.tsv", "words": 9_000, "says": "open", **genders}] if sum(counts) else []
    stated = {"file": "a.tsv", "words": 9_000, "says": "female", **dict.fromkeys(GENDERS, 0), "female": 3}
    table = pl.DataFrame([*opened, stated] if persons else [stated])
    rows = [
        {
            "measure": "persons_per_million",
            "group": "all",
            "level": "",
            "variant": "raw",
            "value": persons / 9e-3 if persons else None,
            "n": persons,
            "n_decided": persons,
        }
    ]
    for measure in ("TFG", "share_female") if share else ():
        rows.append(
            {
                "measure": measure,
                "group": "source",
                "level": "open",
                "variant": "raw",
                **dict(zip(("value", "low", "high"), share or (), strict=True)),
                "n": sum(counts),
                "n_decided": sum(counts),
            }
        )
    words = {
        "concept": pl.String,
        "sector": pl.String,
        **dict.fromkeys(GENDERS, pl.Int64),
        "share": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "reference_share": pl.Float64,
    }
    persons_drawn = [
        {
            "line": i,
            "concept": f"c{i}",
            "source": "The nurse left.",
            "focus_start": 4,
            "focus_end": 9,
            "gender": g,
            "rendering": "Die Schwester ging.",
            "evidence": "Die",
            "evidence_start": 0,
            "evidence_end": 3,
        }
        for i, g in enumerate(["female"] * counts[0] + ["male"] * counts[1] + ["neutral"] * counts[2])
    ]
    tables = {
        "counts": table,
        "words": pl.DataFrame(schema=words),
        "examples": pl.DataFrame(schema={"concept": pl.String}),
        "funnel": pl.DataFrame([("text", "lines read", 900)], schema=["step", "what", "count"], orient="row"),
        **({"drawn": pl.DataFrame(persons_drawn)} if persons_drawn else {}),
    }
    notes = (Note("seconds of each step, all workers together: persons processor 1.2", NoteKind.EFFORT),)
    manifest = FindingsManifest(
        "corpus",
        "Text",
        "900 distinct pairs from English into German: persons",
        {"source": "en", "target": "de"},
        notes=notes,
    )
    return Findings(manifest, pl.DataFrame(rows, infer_schema_length=None), tables)


def doubted() -> Findings:
    findings = text((5, 30, 5), (0.14, 0.05, 0.3), 43)
    rows = [("text", "lines read", 900), ("text", "distinct pairs", 900), ("check", "another language", 700)]
    funnel = pl.DataFrame(
        [*rows, ("check", "pairs that are translations", 200)], schema=["step", "what", "count"], orient="row"
    )
    return Findings(findings.manifest, findings.estimates, {**findings.tables, "funnel": funnel})


def beside(value: float | None, low: float | None, high: float | None) -> Findings:
    estimate = row("amplification", value, low, high, interval=None if value else "none: 2 words are too few")
    columns = {"share": 0.2, "low": 0.1, "high": 0.3, "system_share": 0.1, "system_low": 0.0, "system_high": 0.2}
    words = [
        {
            "concept": f"c{i}",
            "system": "original",
            "female": 2,
            "male": 8,
            "system_female": 1,
            "system_male": 9,
            "reference_share": None,
            **columns,
        }
        for i in range(4)
    ]
    manifest = FindingsManifest("amplification", "Beside", "m", {})
    return Findings(
        manifest,
        pl.DataFrame([estimate]),
        {"words": pl.DataFrame(words, schema_overrides={"reference_share": pl.Float64})},
    )


def no_pairs() -> Findings:
    findings = mined({}, at_risk=0)
    funnel = findings.tables["funnel"].with_columns(count=pl.lit(0, pl.Int64))
    return Findings(findings.manifest, findings.estimates, {**findings.tables, "funnel": funnel})


CASES: dict[str, tuple[Callable[[], Findings], str, tuple[str, ...]]] = {
    "masculine forms stronger": (
        lambda: vectors(
            row("MWEAT", 0.6, 0.4, 0.8, p=0.001, p_adjusted=0.004),
            row("MWEAT", 0.1, -0.1, 0.3, p=0.2, p_adjusted=0.2, level="shift-ori"),
        ),
        "forms differ",
        (
            "MWEAT 0.600",
            "in shift-ori it is 0.100",
            "the masculine forms of 40 occupations have a stronger association",
        ),
    ),
    "feminine forms stronger": (
        lambda: vectors(row("MWEAT", -0.6, -0.8, -0.4, p=0.001, p_adjusted=0.004)),
        "forms differ",
        ("the feminine forms of 40 occupations have a stronger association with words of their gender than the",),
    ),
    "forms even": (
        lambda: vectors(row("MWEAT", 0.1, -0.2, 0.4, p=0.5, p_adjusted=1.0)),
        "forms even",
        ("no significant difference",),
    ),
    "interval and test disagree": (
        lambda: vectors(row("MWEAT", 0.1, 0.01, 0.4, p=0.03, p_adjusted=0.09)),
        "forms even",
        ("adjusted p 0.090", "no significant difference"),
    ),
    "nearness only": (
        lambda: vectors(row("ASD", 0.15, 0.1, 0.2, n=17), row("masculine_nearer", 16 / 17, 0.7, 1.0, n=17)),
        "forms and English",
        ("94.1 % of 17 occupations have the masculine form nearer",),
    ),
    "usefulness only": (
        lambda: vectors(row("P@1", 0.55, 0.5, 0.6, reference="en-es.txt")),
        "vectors, usefulness",
        ("P@1 (en-es.txt) is 55.0 %",),
    ),
    "nothing measured": (lambda: vectors(row("variance_explained", 0.3, None, None)), "vectors, nothing", ()),
    "English, sets differ": (
        lambda: sets(("career – family", 1.2, 0.5, 1.6, 0.004), ("science – arts", 0.3, -0.4, 0.9, 0.4)),
        "word sets differ",
        (
            "1 of 2 pairs of word sets",
            "career, nearer to male words than family, WEAT 1.200",
            "Of 40 occupations 70.0 %",
        ),
    ),
    "English, sets even": (
        lambda: sets(("career – family", -0.2, -0.9, 0.4, 0.6), ("science – arts", 0.3, -0.4, 0.9, 0.4)),
        "word sets even",
        ("none of 2 pairs of word sets", "the largest difference is science"),
    ),
    "a ranking": (scores, "ranked", ("From nurse (most feminine) to miner",)),
    "a ranking beside a statistic": (
        lambda: scores(row("Spearman", 0.8, 0.5, 0.9, reference="women.tsv", n=4)),
        "ranked against a statistic",
        ("Spearman 0.800", "4 words"),
    ),
    "pairs at risk": (lambda: mined({"nurse": (1, 9)}), "pairs at risk", ("1 is at risk into Spanish",)),
    "no pairs at risk": (lambda: mined({}, at_risk=0), "no pairs at risk", ("none is at risk",)),
    "no pairs": (no_pairs, "no pairs", ("nothing was translated",)),
    "text, fewer women": (
        lambda: text((5, 30, 5), (0.14, 0.05, 0.3), 43),
        "text, fewer women",
        ("35 of 40 get a gender", "14.0 % (5.0 to 30.0 %) of the gendered persons are women: fewer than men"),
    ),
    "text, fewer men": (lambda: text((30, 5, 5), (0.86, 0.7, 0.95), 43), "text, fewer men", ("more than men",)),
    "text, as many": (
        lambda: text((9, 9, 0), (0.5, 0.3, 0.7), 21),
        "text, undecided",
        ("the data cannot say which is more frequent",),
    ),
    "text, left open": (lambda: text((0, 0, 9), None, 12), "text, left open", ("9 persons open",)),
    "text, all stated": (lambda: text((0, 0, 0), None, 3), "text, all stated", ()),
    "text, no persons": (lambda: text((0, 0, 0), None, 0), "text, no persons", ("found 0 persons",)),
    "text, doubted": (
        doubted,
        "text, doubted",
        ("only 200 of 900 pairs", "does not describe the numbers"),
    ),
    "differences widened": (lambda: beside(1.8, 1.2, 2.4), "beside a text", ("original widens",)),
    "differences levelled": (lambda: beside(0.5, 0.2, 0.8), "beside a text", ("original reduces",)),
    "text repeated": (lambda: beside(1.1, 0.8, 1.4), "beside a text", ("does not differ significantly",)),
    "too few words": (
        lambda: beside(None, None, None),
        "beside a text",
        ("the system original has no slope: 2 words are too few",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_outcome_of_findings_has_a_sentence_that_is_true_of_it(name: str) -> None:
    make, outcome, says = CASES[name]
    headline = shown(make()).answer
    assert headline.outcome == outcome
    spoken = said(headline)
    for words in says:
        assert words.casefold() in spoken.casefold(), spoken
    assert "seconds" not in spoken
    sys.stdout.write(f"\n[{name}] {outcome}\n  {headline.setting}\n  {headline.finding}\n")
    sys.stdout.write("".join(f"  {sentence}\n" for sentence in (*headline.further, headline.meaning)))


def test_every_outcome_is_tried_here_and_every_pattern_is_an_outcome() -> None:
    assert {outcome for _, outcome, _ in CASES.values()} == set(patterns("findings_headlines.tsv"))


def test_a_text_opens_with_persons_of_each_gender_as_their_shares_ask_for() -> None:
    typical = shown(text((5, 30, 5), (0.14, 0.05, 0.3), 43)).typical
    assert isinstance(typical, Typical)
    assert [example.gender for example in typical.examples] == ["male", "male", "male", "female", "neutral"]
    assert "Random persons (seed 0)" in typical.rule
    assert "sample of 40" in typical.rule


def test_vectors_open_with_words_of_both_sides_in_proportion() -> None:
    typical = shown(sets(("a – b", 0.3, -0.4, 0.9, 0.4))).typical
    assert isinstance(typical, TypicalWords)
    towards = [line.measured.split(" words")[0] for line in typical.lines]
    assert towards.count("nearer to male") == 3
    assert towards.count("nearer to female") == 2


def test_a_text_opens_with_a_chart_before_its_numbers_and_says_nothing_of_run_times(tmp_path: Path) -> None:
    page = write_report([text((5, 30, 5), (0.14, 0.05, 0.3), 43)], tmp_path / "page.html").read_text("utf-8")
    places = [page.index(part) for part in ('id="figure-source"', 'id="typical"', 'id="numbers"', 'id="method"')]
    assert places == sorted(places)
    assert page.index("seconds of each step") > places[-1]


def test_a_text_of_which_nothing_could_be_decided_has_a_page_without_a_chart(tmp_path: Path) -> None:
    found = text((0, 0, 9), None, 12)
    nothing = found.tables["counts"].with_columns(pl.lit(0).alias(g) for g in GENDERS).with_columns(unknown=pl.lit(9))
    page = write_report([replace(found, tables={**found.tables, "counts": nothing})], tmp_path / "page.html")
    assert "figure-source" not in page.read_text("utf-8")
    assert "figure-source" in write_report([found], tmp_path / "neutral.html").read_text("utf-8")


def test_the_share_of_women_by_what_the_source_says_has_its_interval() -> None:
    sections = shown(text((5, 30, 5), (5 / 35, 0.05, 0.3), 43)).sections
    by_source = next(section for section in sections if section.title.startswith("Persons by their gender"))
    assert [row[-1] for row in by_source.rows] == ["14.3\u00a0% (5.0 to 30.0\u00a0%)", "100.0\u00a0%"]
