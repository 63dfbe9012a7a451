"""Suites of other packages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.suites.registry import list_suites, load_suite

Install = Callable[..., None]
SUITE = '''
import polars as pl
from evenhand import Suite

def doctors(language="hu"):
    """Doctors, and nobody else."""
    probes = pl.DataFrame({"id": ["1"], "source": ["Ő orvos."], "source_lang": [language]})
    return Suite("doctors", "1.0", language, "pronouns", "doctors", make=lambda: probes)
'''


def test_another_package_adds_a_suite_by_an_entry_point(install: Install) -> None:
    install("evenhand.suites", "doctors", "doctorsuite:doctors", SUITE)
    [entry] = [entry for entry in list_suites() if entry.name == "doctors"]
    assert entry.summary == "Doctors, and nobody else."
    assert load_suite("doctors").probes["source"].to_list() == ["Ő orvos."]
    assert load_suite("doctors:fi").source_lang == "fi"
    with pytest.raises(Unknown, match="Did you mean 'doctors'"):
        load_suite("doctor")


def test_a_suite_of_ours_keeps_its_name(install: Install) -> None:
    install("evenhand.suites", "pronouns-basque", "othersuite:doctors", SUITE)
    assert load_suite("pronouns-basque").source_lang == "eu"
    assert len([entry for entry in list_suites() if entry.name == "pronouns-basque"]) == 1


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("no_such_module:suite", "", "the suite foreign of another package cannot be loaded"),
        (
            "needing:make",
            "def make(path):\n    return path\n",
            "foreign was given nothing after its name: missing a required argument",
        ),
        ("number:make", "def make():\n    return 3\n", "the suite foreign of another package is 3, no Suite"),
    ],
)
def test_a_package_that_brings_no_suite_is_told_and_hides_nothing(
    install: Install, target: str, code: str, said: str
) -> None:
    install("evenhand.suites", "foreign", target, code)
    with pytest.raises(BadInput, match=said):
        load_suite("foreign")
    assert {"foreign", "pronouns-basque"} <= {entry.name for entry in list_suites()}
