"""A user's strings without a marked focus: each person is a probe, nobody is no probe, a broken mark is an error."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.errors import BadInput
from evenhand.results.runs import Run
from evenhand.workflows.audit import audit
from evenhand.workflows.settings import Settings

GERMAN = {
    "Please ask your administrator.": "Bitten Sie Ihren Administrator.",
    "The customer called the nurse.": "Der Kunde rief die Krankenschwester an.",
    "The table is red.": "Der Tisch ist rot.",
}


def run_of(folder: Path, lines: list[str]) -> Run:
    path = folder / "strings.tsv"
    path.write_text("id\tsource\n" + "".join(f"s{n}\t{line}\n" for n, line in enumerate(lines)), encoding="utf-8")
    return audit(
        path,
        lambda texts: [GERMAN[text] for text in texts],
        target="de",
        memory=folder / "memory.sqlite",
        settings=Settings(resamples=100),
    )


def test_every_person_of_an_unmarked_string_is_a_probe_and_strings_without_one_are_counted(tmp_path: Path) -> None:
    run = run_of(tmp_path, list(GERMAN))
    judged = dict(zip(run.verdicts["id"], run.verdicts["gender"].cast(pl.String), strict=True))
    assert judged == {"s0-1": "male", "s1-1": "male", "s1-2": "female"}
    assert any("left out because they name no person: 1 (s2)" in note for note in run.manifest.notes)


def test_a_marked_string_keeps_its_focus_and_its_id(tmp_path: Path) -> None:
    run = run_of(tmp_path, ["The customer called the **nurse**.", "Please ask your administrator."])
    assert run.probes["id"].to_list() == ["s0", "s1-1"]
    assert run.probes["focus"].to_list() == ["nurse", "administrator"]


def test_programs_and_devices_named_like_persons_are_no_probes(tmp_path: Path) -> None:
    strings = ["Unlock the password manager.", "Two screen readers are installed.", "The office manager called."]
    path = tmp_path / "strings.tsv"
    path.write_text("id\tsource\n" + "".join(f"{n}\t{text}\n" for n, text in enumerate(strings)), encoding="utf-8")
    run = audit(path, lambda texts: texts, target="de", memory=tmp_path / "m.sqlite", settings=Settings(resamples=100))
    assert run.probes["focus"].to_list() == ["manager"]
    assert run.probes["string"].to_list() == ["2"]


def test_strings_that_name_nobody_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="names a person"):
        run_of(tmp_path, ["The table is red."])


def test_an_unclosed_mark_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"line 3.*no partner"):
        run_of(tmp_path, ["The table is red.", "The customer called the **nurse."])


def test_in_python_pairs_without_a_focus_are_judged_person_by_person() -> None:
    pairs = pl.DataFrame(
        {
            "id": [1, 2, 3],
            "source": ["The doctor forgot the nurse.", "The table is red.", "The cook sleeps."],
            "rendering": ["El médico olvidó a la enfermera.", "La mesa es roja.", "La cocinera duerme."],
            "focus": [None, None, "cook"],
        }
    )
    verdicts = evenhand.detect(pairs, target="es")
    assert verdicts["id"].to_list() == ["1-1", "1-2", "3"]
    assert verdicts["gender"].to_list() == ["male", "female", "female"]
    assert evenhand.detect(pairs.drop("focus"), target="es")["id"].to_list() == ["1-1", "1-2", "3-1"]


@pytest.mark.parametrize(
    "source", ["The nurse said 2 ** 3 ** 4.", "The nurse ** came ** home.", "The nurse *** x ***."]
)
def test_stars_that_embrace_no_word_mark_nothing_in_a_pair(source: str) -> None:
    pairs = pl.DataFrame({"id": ["a"], "source": [source], "rendering": ["La enfermera."]})
    assert evenhand.detect(pairs, target="es").select("id", "gender").rows() == [("a-1", "female")]
