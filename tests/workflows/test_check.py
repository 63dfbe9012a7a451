"""The gate from one audit to the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import evenhand
from evenhand.errors import BadInput
from evenhand.workflows.settings import Settings

SYSTEMS: dict[str, Callable[[int], str]] = {
    "half": lambda n: "She is here." if n % 2 else "He is here.",
    "neutral": lambda n: "They are here.",
    "male": lambda n: "He is here.",
    "undecided": lambda n: "He and she are here.",
}


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, evenhand.Run]:
    probes = tmp_path / "mine.tsv"
    rows = [f"p{n:03d}\tŐ {n}.\thu\tc{n}" for n in range(120)]
    probes.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")

    def audit(name: str) -> evenhand.Run:
        def answer(texts: list[str]) -> list[str]:
            return [SYSTEMS[name](int(text.strip("Ő ."))) for text in texts]

        answer.__name__ = name
        memory = tmp_path / f"{name}.sqlite"
        return evenhand.audit(str(probes), answer, target="en", memory=memory, settings=Settings(resamples=200))

    return {name: audit(name) for name in SYSTEMS}


def test_half_and_half_to_all_neutral_passes_and_only_the_way_back_fails(runs: dict[str, evenhand.Run]) -> None:
    assert evenhand.check(runs["neutral"], runs["half"]) == []
    (failure,) = evenhand.check(runs["half"], runs["neutral"])
    assert failure.startswith("P_S: significantly worse than the baseline: 1 to 0.5")
    gate = evenhand.gate(runs["neutral"], runs["half"])
    assert "no direction" in gate.not_gated["share_male"]


def test_a_share_is_gated_where_the_user_says_which_way(runs: dict[str, evenhand.Run]) -> None:
    assert evenhand.check(runs["male"], runs["half"], measures=("share_male:higher",)) == []
    (failure,) = evenhand.check(runs["male"], runs["half"], measures=("share_male:lower",))
    assert failure.startswith("share_male: significantly worse")
    (changed,) = evenhand.check(runs["male"], runs["half"], measures=("share_male",), margins={"share_male": 0.1})
    assert changed.startswith("share_male: changed by more than 0.1")
    with pytest.raises(BadInput, match="share_male cannot be gated: no direction"):
        evenhand.check(runs["male"], runs["half"], measures=("share_male",))


def test_margins_and_sentences_need_a_baseline_run(runs: dict[str, evenhand.Run], tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('[[limit]]\nmeasure = "P_S"\nmin = "10 %"\n')
    with pytest.raises(BadInput, match="need an earlier run to compare with"):
        evenhand.check(runs["half"], limits, margins={"P_S": 0.1})
    assert evenhand.check(runs["half"], limits, measures=("P_S",)) == []


def test_another_level_reaches_every_verdict_and_message(runs: dict[str, evenhand.Run], tmp_path: Path) -> None:
    """Limits looked at the run's own 95 % intervals, and the page called them 99 %."""
    limits = tmp_path / "limits.toml"
    limits.write_text('[[limit]]\nmeasure = "share_female"\nmax = 0.4\nby = "interval"\n')
    (broken,) = evenhand.gate(runs["half"], limits).checks
    (unsure,) = evenhand.gate(runs["half"], limits, level=0.99).checks
    assert (broken.outcome, unsure.outcome) == ("broken", "inconclusive")
    assert ("95 %" in broken.told, "99 %" in unsure.told) == (True, True)
    for level, words in ((0.95, "(95 %)"), (0.99, "(99 %)")):
        (failure,) = evenhand.check(runs["half"], runs["neutral"], level=level)
        assert words in failure


def test_a_margin_that_no_run_could_break_is_refused(runs: dict[str, evenhand.Run]) -> None:
    first, second = list(runs.values())[:2]
    with pytest.raises(BadInput, match=r"2 is not a margin for P_S"):
        evenhand.gate(first, second, margins={"P_S": 2.0})


def test_a_run_of_which_hardly_anything_is_decided_any_more_fails(runs: dict[str, evenhand.Run]) -> None:
    """Nothing decided left P_S undefined, and undefined is not worse: the gate passed."""
    gate = evenhand.gate(runs["undecided"], runs["half"])
    assert gate.failures == ["0 of 120 renderings are decided, before 120 of 120"]
    with pytest.raises(BadInput, match="undefined in one of the runs"):
        evenhand.gate(runs["half"], runs["undecided"])


def test_where_no_measure_can_be_tested_nothing_passes(tmp_path: Path) -> None:
    """Two probes, all female before and all male now: no test, no failure, and "passed"."""
    probes = tmp_path / "two.tsv"
    probes.write_text("id\tsource\tsource_lang\na\tŐ 1.\thu\nb\tŐ 2.\thu\n", encoding="utf-8")
    before, now = (
        evenhand.audit(str(probes), answer, target="en", memory=tmp_path / "memory.sqlite")
        for answer in (lambda texts: ["She is here."] * len(texts), lambda texts: ["He is here."] * len(texts))
    )
    with pytest.raises(BadInput, match="nothing can be gated"):
        evenhand.gate(now, before)
    assert evenhand.gate(now, before, not_shown="pass").passed
    assert not evenhand.gate(now, before, sentences="to-male").passed
