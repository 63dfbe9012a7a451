"""Hypotheses as files, answered with the published labels and with made-up runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.measures.decisions.hypotheses import answer, read_hypotheses, shipped


def test_the_papers_hypotheses_ship() -> None:
    assert "troles2021" in shipped()
    assert [h.id for h in read_hypotheses("troles2021")] == ["H1", "H2a", "H2b", "H2c"]


@pytest.mark.parametrize(
    ("system", "chi_square", "said"),
    [("DeepL", 33.66, "supported"), ("Microsoft", 8.36, "supported conditionally")],  # 149 of 4,158 are undecided
)
def test_h1_is_supported_as_in_the_paper(
    verb_labels: Callable[[str], pl.DataFrame], system: str, chi_square: float, said: str
) -> None:
    found = answer(read_hypotheses("troles2021"), verb_labels(system), clusters=("occupation", "verb"))
    h1, h2a, *_ = found.iter_rows(named=True)
    assert (h1["answer_independent"], h1["answer"]) == ("supported", said)
    assert ("the undecided of" in (h1["condition"] or "")) == (said != "supported")
    assert round(h1["independent_statistic"], 2) == chi_square
    assert h2a["answer"] == "not answerable"
    assert "adjective_class" in h2a["note"]


def test_adjectives_that_all_push_the_same_way_reject_h2b() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for adjective, kind, push in [("none", "none", 0.35)] + [(f"a{i}", "masculine", 0.5) for i in range(10)]:
        for occupation in range(60):
            rows += [(f"o{occupation}", adjective, kind, "female" if rng.random() < push else "male") for _ in range(4)]
    table = pl.DataFrame(rows, schema=["occupation", "adjective", "adjective_class", "gender"], orient="row")
    table = table.with_row_index("id").with_columns(pl.col("id").cast(pl.String))
    found = answer(read_hypotheses("troles2021"), table, clusters=("occupation",))
    h2b = found.filter(pl.col("id") == "H2b").row(0, named=True)
    assert h2b["answer"] == "rejected"
    assert h2b["value"] > 0  # masculine minus none, as the hypothesis puts it
    assert h2b["low"] < h2b["value"] < h2b["high"]
    assert h2b["correction"] == "bonferroni"


def test_bonferroni_counts_only_what_could_be_tested(tmp_path: Path) -> None:
    entry = '[[hypothesis]]\nid = "{}"\nmeasure = "TFG"\ncolumn = "kind"\ngreater = "{}"\nsmaller = "b"\n'
    entry += 'family = "x"\ncorrection = "bonferroni"\n'
    path = tmp_path / "mine.toml"
    path.write_text("".join(entry.format(i, g) for i, g in (("A", "a"), ("C", "c"), ("D", "d"))))
    rng = np.random.default_rng(1)
    kind = np.repeat(["a", "b", "c"], 400)
    table = pl.DataFrame(
        {
            "id": [str(i) for i in range(1200)],
            "kind": kind,
            "gender": np.where(rng.random(1200) < np.where(kind == "a", 0.4, 0.33), "female", "male"),
        }
    )
    found = answer(read_hypotheses(path), table)
    first = found.row(0, named=True)
    assert first["p_adjusted"] == pytest.approx(min(2 * first["p"], 1))
    assert found["answer"].to_list()[2] == "not answerable"


def test_mistakes_in_a_file_are_named(tmp_path: Path) -> None:
    path = tmp_path / "h.toml"
    for text, message in (
        ("x = 1", r"no \[\[hypothesis\]\]"),
        ('[[hypothesis]]\nid = "H"', "measure is missing"),
        ('[[hypothesis]]\nid="H"\nmeasure="TGF"\ncolumn="c"\ngreater="a"\nsmaller="b"', "Did you mean 'TFG'"),
        ('[[hypothesis]]\nid="H"\nmesure="TFG"', "Did you mean 'measure'"),
    ):
        path.write_text(text)
        with pytest.raises(BadInput, match=message):
            read_hypotheses(path)
    with pytest.raises(Unknown, match="troles2021"):
        read_hypotheses("troles2020")
