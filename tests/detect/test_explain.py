"""The chain from a rendering to its verdict, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
import pytest

import evenhand
from evenhand.detect import open_detector
from evenhand.detect.explain import explain


def chain(kind: str, pair: Mapping[str, object], languages: str = "en-de") -> dict[str, str]:
    source, target = languages.split("-")
    return dict(explain(open_detector(kind, source=source, target=target), pair))  # type: ignore[arg-type]


def test_a_listed_form_is_told_with_what_the_tables_hold() -> None:
    told = chain("nouns", {"source": "The nurse slept.", "rendering": "Die Pflegerin schlief.", "focus": "nurse"})
    assert list(told) == ["rendering", "focus", "found", "gate", "evidence", "verdict"]
    assert told["rendering"] == "yes, judged as one in German"
    assert told["focus"] == "'nurse', one person"
    assert told["found"] == "'Pflegerin', in the table of forms of 'nurse' as female"
    assert "'Die' is an article or the like (feminine)" in told["evidence"]
    assert "'Pflegerin' is a noun whose form shows the gender (feminine)" in told["evidence"]
    assert told["verdict"].startswith("female, by the form of the word, confidence 0.9")


def test_an_aligned_word_and_a_contradiction_are_told() -> None:
    pair = {"source": "The judges left.", "rendering": "Las juezas salieron, ellos no.", "focus": "judges"}
    told = chain("nouns", pair, "en-es")
    assert told["focus"] == "'judges', several persons"
    assert told["verdict"].endswith("the pronouns speak for the other gender")
    unlisted = {"source": "The zookeepress left.", "rendering": "La guardesa salió.", "focus": "zookeepress"}
    assert "by alignment" in chain("nouns", unlisted, "en-es")["found"]


def test_what_is_no_rendering_ends_the_chain_there() -> None:
    told = chain("nouns", {"source": "The nurse slept.", "rendering": "The nurse slept.", "focus": "nurse"})
    assert told == {
        "rendering": "no, repeats the source: its words are the source's",
        "verdict": "unknown; repeats the source",
    }


@pytest.mark.parametrize(
    ("rendering", "evidence", "verdict"),
    [("She is a doctor.", "'She' gives it", "female, by the pronoun"),
     ("A doctor.", "no word gives a gender", "neutral, because nothing gives a gender")],
)  # fmt: skip
def test_pronouns_are_told(rendering: str, evidence: str, verdict: str) -> None:
    pair = {"source": "Ő orvos.", "rendering": rendering, "focus_start": 0, "focus_end": 1}
    told = chain("pronouns", pair, "hu-en")
    assert told["evidence"] == evidence
    assert told["verdict"].startswith(verdict)


def test_references_are_told_by_the_words_of_one_alone() -> None:
    pair = {"source": "The nurse slept.", "rendering": "Der Pfleger schlief.", "gold": "female",
            "reference": "Die Pflegerin schlief.", "reference_other": "Der Pfleger schlief."}  # fmt: skip
    told = chain("references", pair)
    assert told["evidence"] == "words of the other reference alone: der, pfleger; of the right one alone: none"
    assert told["verdict"].startswith("male")


def test_the_steps_come_with_the_verdicts_where_they_are_asked_for() -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": ["The nurse slept."], "rendering": ["ERROR 500"], "focus": ["nurse"]})
    plain, told = evenhand.detect(pairs, target="de"), evenhand.detect(pairs, target="de", explain=True)
    assert told.drop("explanation").equals(plain)
    assert told["explanation"].to_list() == [
        ["rendering: no, error message: it says 'error 500'", "verdict: unknown; error message"]
    ]
