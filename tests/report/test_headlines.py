"""What a report says first, for every outcome. `pytest -s tests/report/test_headlines.py` prints all of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl
import pytest

from evenhand.measures.decisions.paired import Comparison
from evenhand.measures.decisions.paired import compare as compare_tables
from evenhand.measures.estimate import estimate
from evenhand.report.words.comparison import answer_several
from evenhand.report.words.headlines import Headline, RunOutcome, patterns
from evenhand.report.words.narrative import RunFacts, tell
from evenhand.report.words.vocabulary import show
from evenhand.results.runs import Manifest
from evenhand.suites.suite import SuiteInfo, SuiteKind

MEASURES = ("share_female", "share_male", "share_neutral", "share_both", "P_S")


def manifest(kind: SuiteKind = "pronouns", *, samples: int = 1) -> Manifest:
    suite = SuiteInfo("tried", "1.0", "0" * 16, kind, "hu", clusters=("concept",), measures=MEASURES)
    return Manifest(suite, "made-up", "0", "en", "detector", 0, 200, "0", samples=samples)


def rendered(genders: str, gold: str = "", *, invalid: int = 0, paired: bool = False) -> pl.DataFrame:
    """One row a letter: F, M, N, B, ?; gold likewise (a dot: none); the last `invalid` rows are no renderings."""
    words = {"F": "female", "M": "male", "N": "neutral", "B": "both", "?": "unknown", ".": None}
    n = len(genders)
    table = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "concept": [f"c{i // 2}" for i in range(n)],
            "candidate": [0] * n,
            "sample": [0] * n,
            "gender": [words[g] for g in genders],
            "valid": [i < n - invalid for i in range(n)],
        }
    )
    if gold:
        table = table.with_columns(gold=pl.Series([words[g] for g in gold], dtype=pl.String))
    return table.with_columns(pair=pl.col("concept")) if paired else table


def facts(table: pl.DataFrame, kind: SuiteKind = "pronouns", *, further: pl.DataFrame | None = None) -> RunFacts:
    needs = {"gold": "accuracy", "wanted": "obeyed"}
    measures = (*MEASURES, *(measure for column, measure in needs.items() if column in table.columns))
    estimates = estimate(table, clusters=("concept",), measures=measures, resamples=200)
    if further is not None:
        estimates = pl.concat([estimates, further], how="diagonal")
    return RunFacts.of(manifest(kind), estimates, table)


@dataclass(frozen=True)
class Case:
    """A table, the outcome it is, and words its headline must and must not have."""

    table: pl.DataFrame
    outcome: RunOutcome
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


GETS_A_GENDER = "the reader gets a gender"
CASES = {
    "all neutral": Case(
        rendered("N" * 40),
        RunOutcome.LEFT_OPEN,
        ("left the gender open in 100.0 %", "(40 of 40)", "no reader gets a gender"),
        (GETS_A_GENDER, "as neither", "always chooses"),
    ),
    "all but one neutral": Case(
        rendered("N" * 399 + "M"), RunOutcome.LEFT_OPEN, ("(399 of 400)", "few readers"), (GETS_A_GENDER,)
    ),
    "all both": Case(rendered("B" * 20), RunOutcome.BOTH_NAMED, ("named both genders in 100.0 %",), (GETS_A_GENDER,)),
    "neutral and both": Case(
        rendered("NB" * 20), RunOutcome.OPEN_OR_BOTH, ("open or named both in 40 of 40", "no reader"), (GETS_A_GENDER,)
    ),
    "all men": Case(
        rendered("M" * 40),
        RunOutcome.ONE_GENDER,
        ("always chooses one gender: 40 of 40 decided renderings are male",),
        ("reader",),
    ),
    "all women, some undecided": Case(
        rendered("F" * 30 + "?" * 5), RunOutcome.ONE_GENDER, ("are female", "5 of 35 are undecided")
    ),
    "all men, many undecided": Case(
        rendered("M" * 30 + "?" * 20),
        RunOutcome.MIXED,
        ("100.0 %", "20 of 50 are undecided"),
        ("always chooses",),
    ),
    "all neutral, many undecided": Case(
        rendered("N" * 30 + "?" * 20), RunOutcome.MIXED, ("20 of 50 are undecided",), ("no reader",)
    ),
    "ten words, all men": Case(
        rendered("M" * 10).with_columns(concept=pl.col("id")),
        RunOutcome.MIXED,
        ("100.0 % (95 % interval",),
        ("always chooses", "whoever"),
    ),
    "one word, all men": Case(
        rendered("M" * 40).with_columns(concept=pl.lit("doctor")), RunOutcome.MIXED, ("100.0 %",), ("always chooses",)
    ),
    "one word, always the same though both are stated": Case(
        rendered("M" * 40, "FM" * 20).with_columns(concept=pl.lit("doctor")),
        RunOutcome.STATED,
        ("0.0 % for women, 100.0 % for men",),
        ("always chooses", "does not depend"),
    ),
    "a single rendering": Case(
        rendered("M"), RunOutcome.MIXED, ("1 of 1 decided rendering the reader",), ("renderings",)
    ),
    "few, all men": Case(rendered("M" * 6), RunOutcome.MIXED, ("100.0 %", "In 6 of 6 decided"), ("always chooses",)),
    "mixed": Case(
        rendered("F" * 10 + "M" * 25 + "N" * 4 + "B"),
        RunOutcome.MIXED,
        ("25.0 %", "as a woman, 62.5 %", "as a man, 10.0 %", "and 2.5 %", "In 35 of 40 decided renderings the reader"),
    ),
    "women and men": Case(rendered("FM" * 20), RunOutcome.MIXED, ("as a woman and 50.0 %", "In 40 of 40")),
    "mostly unknown": Case(
        rendered("FMMM" + "?" * 16),
        RunOutcome.UNDECIDED,
        ("Only 4 of 20 renderings could be decided; of these, it rendered 25.0 %", "less than half"),
        (GETS_A_GENDER,),
    ),
    "mostly invalid": Case(
        rendered("FMMM" + "?" * 16, invalid=15),
        RunOutcome.INVALID,
        ("Of the 20 answers 15 are unusable; of the 4", "barely measured"),
        (GETS_A_GENDER,),
    ),
    "nothing decided": Case(
        rendered("?" * 12, invalid=3),
        RunOutcome.NOTHING,
        ("None of the 12 renderings could be decided (3 are unusable)", "evenhand review"),
        (GETS_A_GENDER,),
    ),
    "stated and right": Case(
        rendered("FM" * 20, "FM" * 20, paired=True),
        RunOutcome.STATED_KEPT,
        ("stated gender in 100.0 %", "100.0 % for women, 100.0 % for men", "20 pairs", " 0 got the same gender"),
        ("does not give", "remaining cases"),
    ),
    "women stated, women rendered": Case(
        rendered("F" * 20, "F" * 20),
        RunOutcome.STATED_KEPT,
        ("100.0 %", "a system that renders everyone as a woman would look the same"),
        ("always chooses", "for men"),
    ),
    "stated, men only": Case(
        rendered("M" * 40, "FM" * 20, paired=True),
        RunOutcome.STATED_ONE_GENDER,
        (
            "always chooses one gender: 40 of 40",
            "0.0 % for women, 100.0 % for men",
            "Of 20 pairs",
            "20 got the same gender",
        ),
        ("does not give",),
    ),
    "stated, left open": Case(
        rendered("N" * 40, "FM" * 20),
        RunOutcome.STATED_LEFT_OPEN,
        ("left the gender open in 40 of 40", "although the source states one", "lose the gender"),
        (GETS_A_GENDER,),
    ),
    "stated, mixed": Case(
        rendered("FMMM" * 10, "FMFM" * 10),
        RunOutcome.STATED,
        ("in 75.0 %", "50.0 % for women, 100.0 % for men", "gets another gender"),
        ("does not give",),
    ),
    "stated, mostly unknown": Case(
        rendered("FMM" + "?" * 17, "FMF" + "M" * 17),
        RunOutcome.UNDECIDED,
        ("Only 3 of 20", "2 have the gender that the source states"),
    ),
    "asked for women": Case(
        rendered("F" * 36 + "MMM?", "FM" * 20, paired=True).with_columns(wanted=pl.lit("female")),
        RunOutcome.ASKED,
        ("and to render the person of each as a woman.", "obeyed the request in 90.0 %", "without the request"),
        ("always chooses", "stated gender in", "pairs"),
    ),
    "asked for what the source states": Case(
        rendered("FM" * 20, "FM" * 20).with_columns(wanted=pl.col("gold")),
        RunOutcome.ASKED,
        ("the gender that the source states.", "100.0 %"),
    ),
    "stated in a half": Case(
        rendered("FMFM" * 10, "FF.." * 10),
        RunOutcome.STATED,
        (
            "of the cases in which the source states one",
            "some of which state whether a person is a woman or a man (20 renderings)",
        ),
        ("for men",),
    ),
}


def said(headline: Headline) -> str:
    sentences = (headline.setting, headline.finding, *headline.further, headline.meaning)
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z].*\.", sentence), sentence
        assert "{" not in sentence
        assert "nan" not in sentence
        assert " –" not in sentence, "a number is missing"
        assert not re.search(r"sexis|discriminat", sentence)
    return " ".join(sentences).replace("\u00a0", " ")


@pytest.mark.parametrize("name", CASES)
def test_every_outcome_has_a_sentence_of_its_own_that_is_true_of_it(name: str) -> None:
    case = CASES[name]
    headline = tell(facts(case.table))
    text = said(headline)
    assert headline.outcome is case.outcome
    for words in case.says:
        assert words in text, text
    for words in case.never:
        assert words not in text, text


def by_references() -> RunFacts:
    """MT-GenEval with context: two references decide, no verdict has a gender."""
    table = rendered("?" * 30)
    row = {"measure": "reference_accuracy", "group": "all", "level": "", "variant": "raw"}
    estimates = pl.DataFrame([{**row, "value": 0.8, "low": 0.62, "high": 0.91, "n": 30, "n_decided": 30}])
    return facts(table, "references", further=estimates)


def against_a_reference() -> RunFacts:
    """Mixed renderings with the estimates that a comparison with a labour statistic adds."""
    values = {"error": 0.41, "error_optimal": 0.2, "wrong_female_dominated": 0.62, "wrong_male_dominated": 0.07}
    rows = [
        {
            "measure": measure, "group": "all", "level": "", "variant": "raw", "reference": "us-2020", "value": value,
            "low": value - 0.03, "high": value + 0.03, "n": 796, "occupations": 1051, "with_share": 796,
        }
        for measure, value in values.items()
    ]  # fmt: skip
    return facts(rendered("F" * 10 + "M" * 30), further=pl.DataFrame(rows))


def test_two_reference_translations_decide_without_a_verdict() -> None:
    headline = tell(by_references())
    assert headline.outcome is RunOutcome.REFERENCES
    assert "agrees with the reference of the right gender in 80.0 % (95 % interval 62.0 to 91.0 %)" in said(headline)


def test_a_reference_is_given_with_its_coverage_and_the_smallest_possible_error() -> None:
    text = said(tell(against_a_reference()))
    assert "The reference us-2020 has a share of women for 796 of 1,051 occupations" in text
    assert (
        "misgender 41.0 % (95 % interval 38.0 to 44.0 %) of the workers in us-2020; always naming the majority" in text
    )
    assert "would misgender 20.0 %" in text
    assert tell(against_a_reference()).finding.startswith("Its pronouns misgender")
    assert "62.0 % (95 % interval 59.0 to 65.0 %) of those held mostly by women" in text


def test_every_outcome_is_tried_here_and_every_pattern_is_one() -> None:
    assert {case.outcome for case in CASES.values()} | {RunOutcome.REFERENCES} == set(RunOutcome) == set(patterns())


def compared(*genders: str, gold: str = "") -> tuple[list[str], list[RunFacts], str, Comparison]:
    tables = {f"system {letter}": rendered(g, gold) for letter, g in zip("ABCDEFGHIJ", genders, strict=False)}
    measure = "accuracy" if gold else "P_S"
    comparison = compare_tables(tables, clusters=("concept",), measures=[measure, "share_female"], resamples=2000)
    return list(tables), [facts(table) for table in tables.values()], measure, comparison


COMPARED: dict[str, tuple[Sequence[str], str, tuple[str, ...]]] = {
    "two, one better": (
        ("N" * 50 + "M" * 10, "M" * 60),
        "",
        ("system A has 0.9", "system B has 0.000", "corrected p", "system A is better", "differ on 50 of 60"),
    ),
    "two, the second better": (
        ("M" * 60, "N" * 50 + "M" * 10),
        "",
        ("system A has 0.000 and system B has 0.9", "a difference of −0.9", "system B is better"),
    ),
    "two, no difference": (
        ("FM" * 30, "FM" * 29 + "MM"),
        "",
        ("no significant difference", "differ on 1 of 60"),
    ),
    "two alike": (
        ("FM" * 30, "FM" * 30),
        "",
        ("a difference of 0.000 (−0.030 to 0.030)", "no significant difference", "differ on 0 of 60"),
    ),
    "two, stated": (
        ("FM" * 30, "MM" * 30),
        "FM" * 30,
        ("By Accuracy (higher is better)", "system A is better", "0.0 % for women, 100.0 % for men"),
    ),
    "three": (
        ("N" * 60, "NM" * 30, "M" * 60),
        "",
        ("system A (1.000) ranks first", "system C (0.000) last", "3 of 3 pairs of systems differ"),
    ),
    "ten": (
        tuple("N" * 6 * k + "M" * (60 - 6 * k) for k in range(10)),
        "",
        ("ranks first and", "system A (0.000) last", "of 45 pairs of systems differ", "The lowest and the highest:"),
    ),
    "ten alike": (("FM" * 30,) * 10, "", ("no system is significantly better than another", "0 of 45 pairs")),
    "two with two clusters": (("FMFM", "MMMM"), "", ("too few clusters for a test",)),
    "one without an answer": (
        ("FM" * 30, "?" * 60),
        "",
        ("no rendering of system B could be decided", "no value of system B to compare"),
    ),
}


@pytest.mark.parametrize("name", COMPARED)
def test_a_comparison_says_which_is_better_by_how_much_and_on_how_many_sentences(name: str) -> None:
    genders, gold, says = COMPARED[name]
    text = said(answer_several(*compared(*genders, gold=gold)))
    for words in says:
        assert words in text, text


def test_runs_of_other_sentences_are_not_said_to_differ() -> None:
    names, all_facts, measure, _ = compared("FM" * 30, "M" * 60)
    text = said(answer_several(names, all_facts, measure, None))
    assert "use different sentences" in text
    assert "better" not in text


def test_the_gallery_of_all_headlines_for_a_person_to_read() -> None:
    """Printed with `pytest -s`: every sentence a report can open with."""
    told = {name: tell(facts(case.table)) for name, case in CASES.items()}
    told |= {"two reference translations": tell(by_references()), "against a statistic": tell(against_a_reference())}
    asked_thrice = replace(facts(rendered("FM" * 30)), info=manifest(samples=3))
    told["asked three times"] = tell(asked_thrice)
    told |= {name: answer_several(*compared(*g, gold=gold)) for name, (g, gold, _) in COMPARED.items()}
    for name, headline in told.items():
        sys.stdout.write(f"\n[{name}] {headline.outcome or ''}\n")
        for sentence in (headline.setting, headline.finding, *headline.further, headline.meaning):
            sys.stdout.write(f"  {sentence}\n")
    assert len({headline.finding for headline in told.values()}) > len(RunOutcome)


def test_what_rounds_to_nothing_has_no_sign() -> None:
    assert [show(value) for value in (-0.0004, -0.0006, 0.0)] == ["0.000", "−0.001", "0.000"]
