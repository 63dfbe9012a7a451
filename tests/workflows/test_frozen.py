"""Plans fixed before the audit: what is checked, what is said, and what is confirmatory then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.errors import BadInput, Unknown
from evenhand.measures.decisions.planned import marked
from evenhand.results.runs import Run
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system
from evenhand.workflows.frozen import Frozen, freeze, read_plan, write_plan
from evenhand.workflows.settings import Settings

ROWS = [(f"p{n:03d}", f"Ő {n}.", "hu", f"c{n // 2}", "a" if n % 4 < 2 else "b") for n in range(120)]


def rendered(texts: list[str]) -> list[str]:
    """She in every third sentence."""
    return [f"{'She' if int(t[2:-1]) % 3 == 0 else 'He'} is {t[2:-1]}." for t in texts]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    lines = ["id\tsource\tsource_lang\tconcept\ttheme", *("\t".join(row) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def frozen(suite: Path, tmp_path: Path) -> Callable[..., Frozen]:
    def make(
        *confirm: str,
        settings: Settings | None = None,
        name: str = "plan.toml",
        margins: dict[str, float] | None = None,
    ) -> Frozen:
        memory = tmp_path / "memory.sqlite"
        sending = evenhand.plan(suite, rendered, target="en", memory=memory)
        return freeze(
            tmp_path / name,
            suite=load_suite(suite),
            system=open_system(rendered),
            target="EN",
            settings=settings or Settings(),
            sending=sending,
            confirmatory=confirm,
            margins=margins or {},
        )

    return make


def audited(
    suite: Path, tmp_path: Path, settings: Settings, system: Callable[[list[str]], list[str]] = rendered
) -> Run:
    return evenhand.audit(
        suite, system, target="en", output=tmp_path / "run", memory=tmp_path / "memory.sqlite", settings=settings
    )


def test_the_audit_keeps_the_plan_and_marks_what_it_confirms(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    plan = frozen("share_female:theme", "share_male", margins={"P_S": 0.02})
    run = audited(suite, tmp_path, Settings(plan=tmp_path / "plan.toml"))
    assert run.manifest.notes == ()
    assert (tmp_path / "run" / "plan.toml").read_text() == (tmp_path / "plan.toml").read_text()
    loaded = Run.load(tmp_path / "run")
    assert loaded.manifest.plan == plan.content()
    assert f"plan:{plan.hash}" in loaded.signature
    confirmed = loaded.estimates.filter(pl.col("planned") == "confirmatory")
    assert set(confirmed.select("measure", "group").unique().rows()) == {
        ("share_female", "theme"),
        ("share_male", "all"),
    }
    tested = confirmed.filter(pl.col("p").is_not_null())
    assert tested["family"].unique().to_list() == ["confirmatory (1 test, Holm)"]
    assert tested["p_adjusted"].to_list() == tested["p"].to_list()
    again = evenhand.score(tmp_path / "run")
    assert again.estimates["planned"].to_list() == loaded.estimates["planned"].to_list()


def test_an_edited_plan_is_refused(suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]) -> None:
    frozen("share_male")
    path = tmp_path / "plan.toml"
    path.write_text(path.read_text().replace('confirmatory = ["share_male"]', 'confirmatory = ["P_S"]'))
    with pytest.raises(BadInput, match="changed after it was frozen"):
        audited(suite, tmp_path, Settings(plan=path))
    assert not (tmp_path / "run").exists()


def test_comments_in_a_plan_are_free(tmp_path: Path, frozen: Callable[..., Frozen]) -> None:
    plan, path = frozen("share_male"), tmp_path / "plan.toml"
    path.write_text("# registered on a Monday\n" + path.read_text())
    assert read_plan(path) == plan


def test_a_plan_made_after_the_answers_is_said_to_be_so(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    audited(suite, tmp_path, Settings())
    plan = frozen("share_male")
    assert plan.known == 120
    run = audited(suite, tmp_path, Settings(plan=tmp_path / "plan.toml"))
    assert any("made after the answers: 120 of 120" in note for note in run.manifest.notes)


def test_answers_older_than_the_plan_are_found_by_their_dates(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    frozen("share_male")
    settings = Settings(plan=tmp_path / "plan.toml")
    early = tmp_path / "early.sqlite"
    evenhand.audit(suite, rendered, target="en", memory=early)
    path = tmp_path / "plan.toml"
    write_plan(path, replace(read_plan(path), frozen="2999-01-01T00:00:00+00:00"))
    run = evenhand.audit(suite, rendered, target="en", memory=early, settings=settings)
    assert any("120 of 120 are older, the oldest of 20" in note for note in run.manifest.notes)


def test_another_suite_system_or_language_is_refused(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    frozen("share_male")
    settings = Settings(plan=tmp_path / "plan.toml")

    def another(texts: list[str]) -> list[str]:
        return texts

    with pytest.raises(BadInput, match="for system"):
        audited(suite, tmp_path, settings, another)
    with pytest.raises(BadInput, match="for suite"):
        evenhand.audit("pronouns-basque", rendered, target="en", settings=settings)


def test_other_settings_are_said_to_deviate_and_planned_ones_are_taken(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    frozen("share_male", settings=Settings(level=0.9, measures=("VBias",)))
    run = audited(suite, tmp_path, Settings(plan=tmp_path / "plan.toml", seed=5, measures=("log_ratio",)))
    assert run.manifest.level == 0.9
    assert "deviates from the plan: seed is 5 and was planned as 0" in run.manifest.notes
    assert "deviates from the plan: VBias was planned and is not measured" in run.manifest.notes
    assert "deviates from the plan: log_ratio is measured and was not planned" in run.manifest.notes


def test_a_plan_names_what_it_confirms_and_is_never_replaced(frozen: Callable[..., Frozen]) -> None:
    with pytest.raises(BadInput, match="--confirm"):
        frozen()
    with pytest.raises(Unknown, match="measure"):
        frozen("beauty")
    with pytest.raises(Unknown, match="grouping"):
        frozen("share_male:planet")
    frozen("share_male")
    with pytest.raises(BadInput, match="never replaced"):
        frozen("share_male")


def test_confirmatory_tests_alone_form_their_family() -> None:
    # Holm by hand over .01, .04, .03: 3 * .01, max(.03, 2 * .03), max(.06, .04)
    rows = [("m", "g", 0.01), ("m", "g", 0.04), ("m", "g", 0.03), ("other", "g", 0.02), ("m", "all", None)]
    table = pl.DataFrame(rows, schema={"measure": pl.String, "group": pl.String, "p": pl.Float64}, orient="row")
    table = table.with_columns(variant=pl.lit("raw"), p_adjusted=pl.lit(0.5), family=pl.lit("f"))
    told = marked(table, [("m", "g")])
    assert told["p_adjusted"].to_list() == pytest.approx([0.03, 0.06, 0.06, 0.5, 0.5])
    assert told["planned"].to_list() == ["confirmatory"] * 3 + ["exploratory"] * 2


def test_a_comparison_of_planned_runs_has_two_families(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    frozen("share_male")
    planned = audited(suite, tmp_path, Settings(plan=tmp_path / "plan.toml"))
    again = planned.save(tmp_path / "again")
    comparison = evenhand.compare([planned, again])
    kinds = dict(comparison.differences.select("measure", "planned").rows())
    assert kinds.pop("share_male") == "confirmatory"
    assert set(kinds.values()) == {"exploratory"}
    families = comparison.differences.select("planned", "family").unique()
    assert families.height == 2


def test_margins_of_the_plan_hold_in_comparison_and_gate_unless_another_is_given(
    suite: Path, tmp_path: Path, frozen: Callable[..., Frozen]
) -> None:
    frozen("share_male", margins={"share_male": 0.2})
    planned = audited(suite, tmp_path, Settings(plan=tmp_path / "plan.toml"))
    again = planned.save(tmp_path / "again")
    comparison = evenhand.compare([planned, again])
    assert comparison.harms.select("measure", "margin").unique().rows() == [("share_male", 0.2)]
    other = evenhand.compare([planned, again], margins={"share_male": 0.1})
    assert other.harms["margin"].unique().to_list() == [0.1]
    gated = evenhand.gate(planned, again)
    assert any("0.2" in check.rule for check in gated.checks if check.name == "share_male")
    chosen = evenhand.gate(planned, again, measures=["P_S"])
    assert {check.name for check in chosen.checks} == {"P_S"}
