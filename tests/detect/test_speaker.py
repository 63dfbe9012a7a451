"""What a rendering says of "I" and "you": sentences of our own, by hand, and what the detector promises about them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.detect import open_detector
from evenhand.detect.speaker import SpeakerDetector, Whom
from evenhand.errors import Unknown
from evenhand.grammar.participants import TABLE
from evenhand.languages import with_table
from evenhand.tsv import rows
from evenhand.workflows.detect import detect

SENTENCES = list(rows(Path(__file__).parent / "speaker.tsv"))
CASES = sorted({(row["whom"], row["language"]) for row in SENTENCES})


def judged(whom: Whom, language: str, *renderings: str, source: str = "I was tired of it all.") -> pl.DataFrame:
    ids = [str(n) for n in range(len(renderings))]
    pairs = pl.DataFrame({"id": ids, "source": [source] * len(renderings), "rendering": list(renderings)})
    return SpeakerDetector(language, whom=whom).detect(pairs)


@pytest.mark.parametrize(("whom", "language"), CASES)
def test_each_sentence_gives_the_person_the_gender_a_reader_sees(whom: Whom, language: str) -> None:
    mine = [row for row in SENTENCES if (row["whom"], row["language"]) == (whom, language)]
    verdicts = judged(whom, language, *(row["rendering"] for row in mine))
    wrong = [
        f"{row['rendering']} {row['gender']} not {gender}"
        for row, gender in zip(mine, verdicts["gender"].to_list(), strict=True)
        if row["gender"] != gender
    ]
    assert not wrong


def test_every_language_is_tried_for_both_persons() -> None:
    assert {language for _, language in CASES} == set(with_table(TABLE))
    assert len(CASES) == 2 * len(with_table(TABLE))


def test_the_evidence_is_the_word_that_tells() -> None:
    verdict = judged("speaker", "cs", "Vždycky jsem si na rodinu dávala pozor.").row(0, named=True)
    assert (verdict["evidence"], verdict["how"], verdict["evidence_start"]) == ("dávala", "agreement", 26)


def test_words_of_somebody_quoted_are_kept_apart_unless_the_source_quotes_the_speaker() -> None:
    rendering = "«Я устала», — сказал он."
    outside = judged("speaker", "ru", rendering, source="I heard it.")
    inside = judged("speaker", "ru", rendering, source='"I was tired," he said.')
    assert outside["gender"].to_list() == ["neutral"]
    assert inside["gender"].to_list() == ["female"]


def test_a_person_with_both_genders_one_after_the_other_is_unknown_and_says_why() -> None:
    verdict = judged("speaker", "pl", "Nie mogłam zasnąć, więc wstałem.").row(0, named=True)
    assert (verdict["gender"], verdict["conflict"]) == ("unknown", True)
    assert "both genders" in verdict["reason"]


def test_an_echo_of_the_source_is_no_rendering() -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": ["I was very tired."], "rendering": ["I was very tired."]})
    verdict = open_detector("speaker", source="en", target="es").detect(pairs).row(0, named=True)
    assert (verdict["gender"], verdict["valid"]) == ("unknown", False)


def test_a_verdict_does_not_depend_on_the_other_rows() -> None:
    texts = [row["rendering"] for row in SENTENCES if row["language"] == "ru"]
    together = judged("speaker", "ru", *texts)["gender"].to_list()
    assert together == [judged("speaker", "ru", text)["gender"][0] for text in texts]


def test_pairs_need_no_focus_and_other_languages_are_named() -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": ["I was tired."], "rendering": ["Estaba cansada."]})
    assert detect(pairs, target="es", kind="speaker")["gender"].to_list() == ["female"]
    with pytest.raises(Unknown, match="target language for the gender of the speaker"):
        detect(pairs, target="fi", kind="speaker")
