"""The published rule of WinoMT: hand-worked cases, and the counts the authors logged as an outside oracle."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect import open_detector
from evenhand.errors import BadInput, Unknown
from evenhand.suites.published.winograd import winomt


def judged(target: str, rendering: str, alignment: str, source: str = "The cook slept .", focus: str = "cook") -> str:
    table = pl.DataFrame(
        {"id": ["1"], "source": [source], "focus": [focus], "rendering": [rendering], "alignment": [alignment]}
    )
    verdict = open_detector("nouns", source="en", target=target, rule="stanovsky2019", as_published=True).detect(table)
    return str(verdict["gender"][0])


def test_the_article_s_links_count_and_other_words_links_do_not() -> None:
    assert judged("he", "הטבחית ישן", "1-0") == "female"
    assert judged("he", "טבח ישנה", "0-1 1-0") == "female"  # the article is linked to the verb
    assert judged("he", "טבח ישנה", "1-0 2-1") == "male"


def test_nothing_linked_counts_as_the_authors_counted_it() -> None:
    assert judged("ar", "نام", "2-0") == "male"
    assert judged("he", "ישן", "2-0") == "female"
    assert judged("ru", "спал", "2-0") == "unknown"


def test_the_hebrew_object_marker_is_no_feminine_word() -> None:
    assert judged("he", "ראיתי את הטבח", "0-1 1-2") == "male"


@pytest.mark.skipif(find_spec("pymorphy3") is None, reason="pymorphy3")
def test_russian_follows_most_words_and_the_first_at_a_tie() -> None:
    assert judged("ru", "Повариха спала", "1-0") == "female"
    assert judged("ru", "повар хорошая", "0-1 1-0") == "female"  # the article's link comes first
    assert judged("ru", "повар хорошая", "1-0 1-1") == "male"
    assert judged("ru", "потому", "1-0") == "neutral"  # no gender at all


def test_an_alignment_is_needed_and_must_fit() -> None:
    detector = open_detector("nouns", source="en", target="ar", rule="stanovsky2019")
    pairs = pl.DataFrame({"id": ["1"], "source": ["The cook slept ."], "focus": ["cook"], "rendering": ["نام"]})
    with pytest.raises(BadInput, match="needs a column 'alignment'"):
        detector.detect(pairs)
    with pytest.raises(BadInput, match="'1-7' in 'alignment'"):
        detector.detect(pairs.with_columns(alignment=pl.lit("1-7")))


def test_other_languages_and_rules_are_refused_by_name() -> None:
    with pytest.raises(Unknown, match="rule stanovsky2019"):
        open_detector("nouns", source="en", target="de", rule="stanovsky2019")
    with pytest.raises(Unknown, match="rule for nouns"):
        open_detector("nouns", source="en", target="de", rule="cho2019")


def test_an_audit_refuses_a_rule_that_needs_alignments_before_anything_is_sent(tmp_path: Path) -> None:
    asked: list[str] = []

    def remember(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return texts

    settings = evenhand.Settings(rule="stanovsky2019")
    with pytest.raises(BadInput, match="needs word alignments"):
        evenhand.audit("occupations-verbs", remember, target="ru", settings=settings, memory=tmp_path / "memory.sqlite")
    assert not asked


def test_hebrew_counts_are_those_the_authors_logged(shared_data: Path) -> None:
    """Nine cells of gold by verdict, from the run's own log."""
    data = shared_data / "winomt"
    probes = winomt(data / "aggregates" / "en_2019.txt").probes
    lines = (data / "translations" / "google" / "en-he.txt").read_text(encoding="utf-8").splitlines()
    links = (data / "alignments" / "google.he.align").read_text(encoding="utf-8").splitlines()
    pairs = probes.with_columns(
        rendering=pl.Series([line.split(" ||| ")[1] for line in lines]), alignment=pl.Series(links)
    )
    verdicts = open_detector("nouns", source="en", target="he", rule="stanovsky2019", as_published=True).detect(pairs)
    table = pairs.with_columns(gender=verdicts["gender"])
    log = (data / "logs" / "google" / "he.log").read_text(encoding="utf-8")
    logged: dict[tuple[str, str], int] = {}
    gold = ""
    for name, count in re.findall(r"<GENDER\.(\w+): \d>: (\d+|defaultdict)", log):
        if count == "defaultdict":
            gold = name
        else:
            logged[gold, name] = int(count)
    assert sum(logged.values()) == 3888
    counted = dict.fromkeys(logged, 0)
    for gold_gender, gender in table.select("gold", "gender").iter_rows():
        counted[gold_gender, gender] = counted.get((gold_gender, gender), 0) + 1
    assert counted == logged
