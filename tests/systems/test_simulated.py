"""A translator with chosen probabilities: what it writes, how often, and that seeds are independent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from evenhand.errors import BadInput
from evenhand.suites.registry import load_suite
from evenhand.systems import Dispatcher, Request, translate
from evenhand.systems.simulated import Simulated

PROBES = pl.DataFrame(
    {
        "id": [f"p{n}" for n in range(2_000)],
        "source": [f"Hura langilea {n} da." for n in range(2_000)],
        "source_lang": ["eu"] * 2_000,
        "occupation": ["nurse", "engineer"] * 1_000,
        "template": ["plain", "plain", "polite", "polite"] * 500,
    }
)
TABLE = """# chosen for the test
occupation	template	p_female	p_male	p_neutral
nurse	polite	0.5	0.3	0.2
nurse		0.9	0.1	0
		0.1	0.8	0.1
"""


def simulated(folder: Path, table: str = TABLE, *, seed: int = 0) -> Simulated:
    file = folder / "s.tsv"
    file.write_text(table)
    system = Simulated(str(file), seed=seed)
    system.bind(PROBES)
    return system


def rendered(system: Simulated, probes: pl.DataFrame = PROBES, *, target: str = "en", sample: int = 0) -> list[str]:
    requests = [
        Request(source, "eu", target, sample=sample, probe=probe)
        for probe, source in probes.select("id", "source").iter_rows()
    ]
    return [answer.text for answer in asyncio.run(Dispatcher(system).run(requests))]


def test_the_first_row_that_fits_decides(tmp_path: Path) -> None:
    chances = simulated(tmp_path).probabilities
    assert chances[:4].tolist() == [[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.5, 0.3, 0.2], [0.1, 0.8, 0.1]]


def test_shares_are_the_chosen_probabilities(tmp_path: Path) -> None:
    """Chi-square goodness of fit over 50 runs for each kind of row."""
    system = simulated(tmp_path)
    drawn = np.stack([system.draw(seed) for seed in range(50)])
    for cells, chances in (
        (PROBES["occupation"] == "engineer", [0.1, 0.8, 0.1]),
        ((PROBES["occupation"] == "nurse") & (PROBES["template"] == "polite"), [0.5, 0.3, 0.2]),
    ):
        counts = np.bincount(drawn[:, cells.to_numpy()].ravel(), minlength=3)
        assert stats.chisquare(counts, counts.sum() * np.array(chances)).pvalue > 1e-4


def test_seeds_and_samples_are_independent(tmp_path: Path) -> None:
    system = simulated(tmp_path, "p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    runs = np.stack([system.draw(seed) for seed in range(40)] + [system.draw(0, sample=n) for n in range(1, 40)])
    correlations = np.asarray(np.corrcoef(runs))[np.triu_indices(len(runs), 1)]
    # for independent draws each has standard deviation 1/sqrt(2000)
    assert abs(correlations).max() < 5.5 / np.sqrt(2_000)
    assert correlations.std() == pytest.approx(1 / np.sqrt(2_000), rel=0.1)
    # over 2,000 runs the number of women varies as a binomial does
    totals = np.array([(system.draw(seed) == 0).sum() for seed in range(2_000)])
    assert totals.var() == pytest.approx(500, rel=0.15)


def test_the_same_seed_writes_the_same_whatever_the_order(tmp_path: Path) -> None:
    system = simulated(tmp_path, seed=7)
    once = dict(zip(PROBES["id"], rendered(system), strict=True))
    shuffled = PROBES.sample(fraction=1.0, shuffle=True, seed=1)
    again = dict(zip(shuffled["id"], rendered(simulated(tmp_path, seed=7), shuffled), strict=True))
    assert once == again
    assert rendered(simulated(tmp_path, seed=8)) != rendered(system)
    assert rendered(system, sample=1) != rendered(system)


def test_the_drawn_genders_are_those_that_are_written(tmp_path: Path) -> None:
    system = simulated(tmp_path, seed=3)
    opening = {"She": 0, "He": 1, "That": 2}
    assert [opening[text.split()[0]] for text in rendered(system)] == system.draw().tolist()
    assert rendered(system) == system.renderings("en")


def test_english_has_its_articles_and_expressions_keep_their_words(tmp_path: Path) -> None:
    suite = load_suite("pronouns-basque")
    file = tmp_path / "s.tsv"
    file.write_text("p_female\tp_male\tp_neutral\n1\t0\t0\n")
    system = Simulated(str(file))
    system.bind(suite.probes)
    found = dict(zip(suite.probes["concept"], system.renderings("en"), strict=True))
    assert found["doctor"] == "She is a doctor."
    assert found["astronomer"] == "She is an astronomer."
    assert found["urologist"] == "She is a urologist."
    assert found["undertaker"] == "She is an undertaker."
    assert found["kind"] == "She is kind."


def test_renderings_can_be_written_in_the_file_or_carried_by_the_suite(tmp_path: Path) -> None:
    header = "occupation\tp_female\tp_male\tp_neutral\tfemale\tmale\n"
    table = header + "nurse\t1\t0\t0\tLa enfermera: {source}\t\n\t0\t1\t0\t\t\n"
    carried = PROBES.with_columns(male_es=pl.lit("El ingeniero."))
    system = simulated(tmp_path, table)
    system.bind(carried)
    assert system.renderings("es")[:2] == ["La enfermera: Hura langilea 0 da.", "El ingeniero."]
    system.bind(PROBES)
    with pytest.raises(BadInput, match=r"line 3: there is no male rendering for target es"):
        system.renderings("es")


def test_patterns_need_no_suite(tmp_path: Path) -> None:
    file = tmp_path / "s.tsv"
    file.write_text("pattern\tp_female\tp_male\tp_neutral\nerizain\t1\t0\t0\n\t0\t1\t0\n")
    texts = ["Hura erizaina da.", "Hura medikua da."]
    assert translate(f"simulated:{file}", texts, source="eu", target="en") == ["She is a person.", "He is a person."]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("occupation\tp_female\tp_male\nx\t1\t0\n", r"line 1: no column 'p_neutral'"),
        ("p_female\tp_male\tp_neutral\n0.5\t0.6\t0\n", r"line 2: the probabilities add up to 1\.1"),
        ("p_female\tp_male\tp_neutral\n-1\t2\t0\n", r"line 2 column p_female: '-1' is not a probability from 0 to 1"),
        ("p_female\tp_male\tp_neutral\nnan\t1\t0\n", r"line 2 column p_female"),
        ("p_female\tp_male\tp_neutral\n1\t0\n", r"line 2: 2 columns, but the header has 3"),
        ("pattern\tp_female\tp_male\tp_neutral\n(\t1\t0\t0\n", r"line 2 column pattern: not a regular expression"),
        ("job\tp_female\tp_male\tp_neutral\nnurse\t1\t0\t0\n", r"the probes have no column 'job'; they have id"),
        ("occupation\tp_female\tp_male\tp_neutral\nnurse\t1\t0\t0\n", r"no row fits p1 'Hura langilea 1 da\.'"),
        ("", "a header and rows were expected"),
    ],
)
def test_a_bad_file_is_one_clear_error(table: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        simulated(tmp_path, table)
