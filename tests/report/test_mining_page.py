"""Findings of a mining run through the report room: page, comparison, explorer."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
from tests.report.conftest import serve
from tests.report.pages import Tags

from evenhand.corpus.estimates import Estimator
from evenhand.measures.rows import as_estimates
from evenhand.mining.pairs import NO_TEXTS
from evenhand.report import write_report
from evenhand.report.pages.kinds import shown
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.results.runs import Run
from evenhand.workflows.mine import word_rows

HOSTILE = "<b>nurse</b>"


def mined(words: dict[str, tuple[int, int]], *, at_risk: int = 1, others: int = 0) -> Findings:
    """Findings as `evenhand mine` makes them, with chosen words (masculine, feminine) and one pair at risk."""
    counted = {**words, **{f"word{n}": (1, 0) for n in range(others)}}
    texts = pl.DataFrame(
        [
            ("piece", word, int(gender == "female"), int(gender == "male"), times)
            for word, seen in counted.items()
            for gender, times in zip(("male", "female"), seen, strict=True)
            if times
        ],
        schema=NO_TEXTS,
        orient="row",
    )
    rows = as_estimates(word_rows(texts, "es, at risk", Estimator(0, 0.95)))
    funnel = [
        ("text", "distinct sentences", 1_234),
        ("person", "kept", 56),
        ("perturb", "pairs", 78),
        ("es", "at risk", at_risk),
    ]
    half = {
        "pair": "p1", "target_lang": "es", "source_lang": "en", "source": "The <i>nurse</i> is here.", "focus_start": 4,
        "focus_end": 16, "evidence_start": 3, "evidence_end": 12, "gender": "female", "evidence": "enfermera",
        "rendering": "La enfermera <script>.",
    }  # fmt: skip
    examples = [{"id": f"p1-{role[0]}", "role": role, **half} for role in ("original", "substitute")]
    tables = {
        "funnel": pl.DataFrame(funnel, schema=["step", "what", "count"], orient="row"),
        "examples": pl.DataFrame(examples[: 2 * at_risk], schema=["id", "role", *half]),
    }
    manifest = FindingsManifest("mining", "Pairs at risk", "1,234 sentences", {"target": "es", "text": "abc"})
    return Findings(manifest, rows, tables)


def test_the_page_shows_words_with_their_counts_and_pairs_as_text(tmp_path: Path) -> None:
    findings = mined({HOSTILE: (1, 9), "teacher": (4, 0)})
    page = write_report([findings], tmp_path / "page.html").read_text("utf-8")
    assert HOSTILE not in page
    assert "<script>." not in page
    assert "Of 78 sentence pairs that differ in one word, 1 is at risk into Spanish" in page
    words = next(section for section in shown(findings).sections if section.title.startswith("Words in pairs at risk"))
    assert [row[:3] for row in words.rows] == [(HOSTILE, "1", "9"), ("teacher", "4", "0")]
    assert re.findall(r'<figure id="figure-([a-z-]+)"', page) == ["at-risk", "funnel", "words-es-at-risk"]
    assert page.count('<mark class="evidence female">enfermera</mark>') == 4, "in the lead and in the list"
    links = [value for _, a in Tags(page).tags for name, value in a.items() if name in ("src", "href") and value]
    assert [link for link in links if not link.startswith(("#", "data:,"))] == []


def test_a_run_without_a_pair_at_risk_has_a_page_too(tmp_path: Path) -> None:
    findings = mined({"teacher": (4, 0)}, at_risk=0)
    page = write_report([findings], tmp_path / "page.html").read_text("utf-8")
    assert "Of 78 sentence pairs that differ in one word, none is at risk" in page


def test_a_page_shows_the_most_frequent_words_however_many_there_are(tmp_path: Path) -> None:
    findings = mined({"teacher": (4, 0)}, others=900)
    page = write_report([findings], tmp_path / "page.html").read_text("utf-8")
    assert "The 20 most frequent of 901 words" in page
    assert "The first 300 of 1,802 estimates" in page
    both = write_report([findings, mined({"teacher": (1, 3)}, others=900)], tmp_path / "two.html").read_text("utf-8")
    assert "1,502 more rows" in both
    assert "word29" not in both.partition("Numbers")[0]  # a chart has its first 30 levels


def test_the_explorer_shows_the_folder_of_a_mining_run_and_the_runs_in_it(tmp_path: Path, mixed_run: Path) -> None:
    mined({HOSTILE: (1, 9)}).save(tmp_path / "mined")
    Run.load(mixed_run).save(tmp_path / "mined" / "es")
    for client in serve([tmp_path / "mined"]):
        home = client.get("/").text
        assert "Of 78 sentence pairs that differ in one word, 1 is at risk" in home
        assert "pronouns-basque" in home
        numbers = client.get("/result/1").text
        assert HOSTILE not in numbers
        assert "kind:mining|target:es" in numbers
        assert client.get("/report?run=1").text.count("<figure id=") == 3
