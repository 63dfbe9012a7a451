"""A service that changes without a word, the memory that would hide it, and the gate that must not pass on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.aged import made_older
from tests.systems.servers.base import KEY
from tests.systems.servers.changing import ChangingServer

import evenhand
from evenhand.errors import BadInput
from evenhand.report import write_report
from evenhand.results.runs import Run
from evenhand.workflows.settings import age


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChangingServer]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    service = ChangingServer()
    yield service
    service.close()


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    rows = "".join(f"p{n}\tEstá aquí el número {n}.\tes\tc{n // 2}\n" for n in range(40))
    path.write_text("id\tsource\tsource_lang\tconcept\n" + rows, encoding="utf-8")
    return path


def audited(suite: Path, server: ChangingServer, folder: Path, settings: evenhand.Settings | None = None) -> Run:
    return evenhand.audit(
        suite,
        f"libretranslate:{server.url}",
        target="en",
        output=folder,
        memory=folder.parent / "memory.sqlite",
        settings=settings,
    )


def share_male(run: Run) -> float:
    male = (pl.col("measure") == "share_male") & (pl.col("level") == "")
    return float(run.estimates.row(by_predicate=male, named=True)["value"])


def test_the_gate_does_not_pass_on_answers_from_before(suite: Path, server: ChangingServer, tmp_path: Path) -> None:
    first = audited(suite, server, tmp_path / "first")
    assert first.manifest.answered_words == "40 answers: 40 asked now, 0 from memory, by version 1.6.2"
    server.pronoun = "She"
    stale = audited(suite, server, tmp_path / "stale")
    assert share_male(stale) == 1.0
    today = json.loads((tmp_path / "stale" / "manifest.json").read_text())["answered"]["oldest"][:10]
    assert stale.manifest.answered_words == f"40 answers: 0 asked now, 40 from memory, oldest {today}, by version 1.6.2"
    with pytest.raises(BadInput, match="was not asked again"):
        evenhand.check(tmp_path / "stale", tmp_path / "first", margins={"share_male": 0.2})
    assert evenhand.check(tmp_path / "stale", tmp_path / "first", margins={"share_male": 0.2}, allow_memory=True) == []
    fresh = audited(suite, server, tmp_path / "fresh", evenhand.Settings(refresh=True))
    assert share_male(fresh) == 0.0
    assert evenhand.check(tmp_path / "fresh", tmp_path / "first", margins={"share_male": 0.2}) != []
    # what was asked anew has taken the place of the old answers
    assert share_male(audited(suite, server, tmp_path / "after")) == 0.0


def test_answers_older_than_the_age_are_asked_again_and_younger_ones_are_not(
    suite: Path, server: ChangingServer, tmp_path: Path
) -> None:
    audited(suite, server, tmp_path / "first")
    asked = sum(map(len, server.asked))
    server.pronoun = "She"
    young = audited(suite, server, tmp_path / "young", evenhand.Settings(max_age=1.0))
    assert sum(map(len, server.asked)) == asked
    assert share_male(young) == 1.0
    made_older(tmp_path / "memory.sqlite", most=10)
    mixed = audited(suite, server, tmp_path / "mixed", evenhand.Settings(max_age=1.0))
    assert sum(map(len, server.asked)) == asked + 10
    assert share_male(mixed) == 0.75
    assert mixed.manifest.answered_words.startswith("40 answers: 10 asked now, 30 from memory, oldest ")


def rendered(texts: list[str]) -> list[str]:
    return [f"He is here, number {text.split()[-1]}" for text in texts]


def test_a_system_whose_fingerprint_covers_its_content_is_exempt(suite: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        evenhand.audit(suite, rendered, target="en", output=tmp_path / name, memory=tmp_path / "memory.sqlite")
    assert Run.load(tmp_path / "two").manifest.answered_words.startswith("40 answers: 0 asked now, 40 from memory")
    assert evenhand.check(tmp_path / "two", tmp_path / "one", margins={"share_male": 0.2}) == []


def test_an_age_is_written_with_its_unit() -> None:
    assert (age("12h"), age("30d"), age("2w")) == (0.5, 30.0, 14.0)
    with pytest.raises(BadInput, match="12h, 30d or 2w"):
        age("soon")


def test_a_program_that_reads_what_the_fingerprint_cannot_cover_is_not_exempt(suite: Path, tmp_path: Path) -> None:
    library, script = tmp_path / "library.sh", tmp_path / "translate.sh"
    script.write_text(f"#!/bin/sh\n. {library}\n")
    script.chmod(0o755)

    def run_of(folder: str, pronoun: str, **settings: object) -> Run:
        library.write_text(f'awk \'{{{{print "{pronoun} has " NR " books."}}}}\'\n')
        memory, output = tmp_path / "memory.sqlite", tmp_path / folder
        spec = f"command:{script}"
        return evenhand.audit(suite, spec, target="en", memory=memory, output=output, **settings)  # type: ignore[arg-type]

    first, stale = run_of("first", "He"), run_of("stale", "She")
    assert share_male(stale) == 1.0
    with pytest.raises(BadInput, match="was not asked again"):
        evenhand.check(stale, first)
    fresh = run_of("fresh", "She", settings=evenhand.Settings(refresh=True))
    assert share_male(fresh) == 0.0
    assert evenhand.gate(fresh, first).passed


def test_a_comparison_says_that_one_run_repeats_the_other_s_answers(
    suite: Path, server: ChangingServer, tmp_path: Path
) -> None:
    """Named differently, the two looked like two versions that agree in every sentence."""
    first = audited(suite, server, tmp_path / "first", evenhand.Settings(name="spring"))
    server.pronoun = "She"
    stale = audited(suite, server, tmp_path / "stale", evenhand.Settings(name="autumn"))
    fresh = audited(suite, server, tmp_path / "fresh", evenhand.Settings(name="winter", refresh=True))
    (caution,) = evenhand.compare([stale, first]).cautions
    assert "40 of 40 from the translation memory" in caution
    assert "autumn was not asked again" in caution
    page = tmp_path / "page.html"
    write_report([stale, first], page)
    assert "autumn was not asked again" in page.read_text(encoding="utf-8")
    assert not evenhand.compare([fresh, first]).cautions
