from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.errors import BadInput, Unknown
from evenhand.notes import Note
from evenhand.report import write_figures, write_report
from evenhand.report.exchange import tables
from evenhand.report.pages.sentences import sections
from evenhand.report.words.narrative import answer
from evenhand.results.runs import Run
from evenhand.workflows.score import estimated


class Page(HTMLParser):
    """What a browser would make of the page: tags with attributes, and the text outside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.text.append(data)


@pytest.fixture(scope="module")
def page_text(mixed_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report([mixed_run], tmp_path_factory.mktemp("page") / "report.html").read_text(encoding="utf-8")


def test_the_page_asks_no_host_for_anything(page_text: str) -> None:
    links = [
        (tag, name, value)
        for tag, attributes in Page(page_text).tags
        for name, value in attributes.items()
        if name in ("src", "href", "xlink:href", "action", "srcset", "data", "poster") and value
    ]
    assert links
    assert [x for x in links if not x[2].startswith(("#", "data:,"))] == []
    assert not re.search(r"@import|url\((?!#)", page_text)
    policies = [a["content"] for tag, a in Page(page_text).tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies
    assert "default-src 'none'" in (policies[0] or "")


def test_the_page_opens_with_three_sentences_that_agree_with_the_estimates(mixed_run: Path, page_text: str) -> None:
    run = Run.load(mixed_run)
    said = answer(run)
    text = "".join(Page(page_text).text)
    assert text.index(said.finding) < text.index(said.setting) < text.index(said.meaning) < text.index("The numbers")
    for sentence in (said.setting, said.finding, said.meaning):
        assert sentence.endswith(".")
        assert len(re.findall(r"[.!?] [A-Z]", sentence)) <= (sentence == said.meaning)  # a caveat comes second
    row = run.estimates.filter((pl.col("measure") == "share_female") & (pl.col("group") == "all")).row(0, named=True)
    shown = f"{100 * row['value']:.1f} % (95 % interval {100 * row['low']:.1f} to {100 * row['high']:.1f} %)"
    assert shown in said.finding.replace("\u00a0", " ")


def test_a_system_that_never_chooses_is_named_so_with_an_interval_of_some_width(male_run: Path, tmp_path: Path) -> None:
    run = Run.load(male_run)
    said = answer(run)
    assert said.fixed
    assert said.finding.startswith("This system always chooses one gender: 120 of 120 decided renderings are male")
    low = re.search(r"interval ([\d.]+) to 100.0\s%", said.finding)
    assert low is not None
    assert 90 < float(low.group(1)) < 100
    assert "does not choose" in write_report([run], tmp_path / "r.html").read_text(encoding="utf-8")


def test_no_system_is_called_names(page_text: str) -> None:
    assert not re.search(r"sexis|misogyn|discriminat", page_text, re.IGNORECASE)


def test_the_five_outcomes_stay_apart(mixed_run: Path, page_text: str) -> None:
    table = Run.load(mixed_run).table
    genders = dict(table["gender"].cast(pl.String).value_counts().iter_rows())
    assert set(genders) == {"female", "male", "neutral", "both", "unknown"}
    keys = {s.key: s.total for s in sections(Run.load(mixed_run))}
    assert {g: keys[f"gender-{g}"] for g in ("female", "male", "neutral", "both")} == {
        g: n for g, n in genders.items() if g != "unknown"
    }
    for g in genders:
        assert f'class="badge {g}"' in page_text


def test_every_chart_has_a_name_and_its_data_behind_a_toggle(page_text: str) -> None:
    figures = re.findall(r'<figure id="figure-([\w-]+)">(.*?)</figure>', page_text, re.DOTALL)
    assert [key for key, _ in figures] == ["overall", "shares", "detector"]  # none repeats another
    assert "{form}" not in page_text
    for key, content in figures:
        assert f'<svg role="img" aria-labelledby="title-{key}"' in content
        assert '<details class="screen"><summary>Data of this chart' in content
        assert content.count("<tr>") > 1
    assert len({key for key, _ in figures}) == len(figures)


def test_expressions_without_occupations_have_a_page(tmp_path: Path) -> None:
    """`audit pronouns-turkish --only kind=positive` ended in "nothing to measure"."""
    suite = evenhand.load_suite("pronouns-turkish").only(["kind=positive"])
    run = evenhand.audit(suite, lambda texts: ["She is here."] * len(texts), target="en")
    assert "Rendered as a woman" in evenhand.report(run, tmp_path / "page.html").read_text("utf-8")


def test_one_row_is_one_row(page_text: str) -> None:
    assert re.search(r"Data of this chart \(\d+ rows?\)", page_text)
    assert "(1 rows)" not in page_text
    assert "1 rows" not in page_text


def test_ids_on_the_page_are_unique(page_text: str) -> None:
    ids = [a["id"] for _, a in Page(page_text).tags if a.get("id")]
    assert len(ids) == len(set(ids))


def test_hostile_renderings_are_text_and_nothing_else(hostile_run: Path, mixed_run: Path, tmp_path: Path) -> None:
    for runs in ([hostile_run], [hostile_run, mixed_run]):
        content = write_report(runs, tmp_path / "report.html").read_text(encoding="utf-8")
        page = Page(content)
        assert [tag for tag, _ in page.tags].count("script") == 1
        assert [tag for tag, _ in page.tags].count("style") == 1
        assert "img" not in {tag for tag, _ in page.tags}
        assert not [n for _, attributes in page.tags for n in attributes if n.startswith("on")]
        text = "".join(page.text)
        shown = ("<script>alert('he')</script>", "{{ 7*7 }}", "⟨U+202E⟩", "⟨U+0000⟩", "</style><style>")
        assert [s for s in shown if s in text] == list(shown) if len(runs) == 1 else any(s in text for s in shown)
        assert not set(content) & set("\u202e\u202c\x00\x1b\x07")


def test_a_hostile_name_of_a_system_or_an_attribute_is_text_in_charts_too(mixed_run: Path, tmp_path: Path) -> None:
    run = Run.load(mixed_run)
    evil = "<script>x</script>&\"'"
    run = replace(
        run,
        manifest=replace(run.manifest, system=evil, notes=(Note(evil),)),
        probes=run.probes.with_columns(
            sector=pl.lit(evil), occupation=pl.concat_str("occupation", pl.lit("</svg><b>"))
        ),
        estimates=run.estimates.with_columns(level=pl.col("level") + "<u>"),
    )
    page = Page(write_report([run], tmp_path / "r.html").read_text(encoding="utf-8"))
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == 1
    assert "b" not in tags
    assert "u" not in tags


def test_a_run_of_70686_probes_makes_a_page_under_three_megabytes(mixed_run: Path, tmp_path: Path) -> None:
    run = Run.load(mixed_run)
    times = -(-70_686 // run.probes.height)

    def many(table: pl.DataFrame) -> pl.DataFrame:
        return pl.concat([table.with_columns(id=pl.col("id") + f"-{i}") for i in range(times)]).head(70_686)

    large = replace(run, probes=many(run.probes), renderings=many(run.renderings), verdicts=many(run.verdicts))
    path = write_report([large], tmp_path / "report.html")
    assert "70,686" in path.read_text(encoding="utf-8")
    assert path.stat().st_size < 3_000_000


def test_figures_are_written_as_svg_png_and_pdf(mixed_run: Path, tmp_path: Path) -> None:
    written = write_figures([Run.load(mixed_run)], tmp_path / "figures")
    start = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    assert {p.suffix for p in written} == set(start)
    for path in written:
        assert path.read_bytes()[:5].startswith(start[path.suffix])


def test_the_csv_export_holds_every_estimate_unrounded(mixed_run: Path, male_run: Path) -> None:
    runs = [Run.load(mixed_run), Run.load(male_run)]
    rows = list(csv.DictReader(io.StringIO(tables.to_csv(runs))))
    assert len(rows) == sum(r.estimates.height for r in runs)
    first = runs[0].estimates.row(0, named=True)
    assert float(rows[0]["value"]) == first["value"]
    assert rows[0]["signature"] == runs[0].signature


def test_the_json_export_is_valid_json_without_nan(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    strange = replace(run, estimates=run.estimates.with_columns(p=pl.lit(float("nan"))))
    content = json.loads(tables.to_json([strange]), parse_constant=pytest.fail)
    assert content[0]["estimates"][0]["p"] is None
    assert content[0]["signature"] == run.signature


def test_latex_and_markdown_tables_survive_hostile_names(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    evil = replace(run, manifest=replace(run.manifest, system="a_b & 100% |<b>| \\input{x}\n$"))
    latex, markdown = tables.to_latex([evil]), tables.to_markdown([evil])
    body = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")].splitlines()[1:]
    assert len(body) == run.estimates.filter(pl.col("group") == "all").height
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == 5
        assert not re.search(r"\\input|(?<!\\)_|(?<!\\)%", line)
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}
    assert "<b>" not in markdown.split("Signature")[0]


def test_the_model_card_says_what_was_asked_what_came_out_and_the_limits(male_run: Path) -> None:
    card = tables.to_model_card([Run.load(male_run)])
    assert "always chooses one gender" in card
    assert "Limits:" in card
    assert "Signature:" in card


def test_an_unknown_table_format_lists_the_known_ones(mixed_run: Path, tmp_path: Path) -> None:
    with pytest.raises(Unknown, match=r"\.csv, \.json, \.md, \.tex"):
        tables.write_table([Run.load(mixed_run)], tmp_path / "x.xlsx")


def test_a_report_that_cannot_be_written_leaves_nothing_behind(mixed_run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadInput, match="Nothing was written"):
        write_report([mixed_run], tmp_path / "file" / "report.html")
    with pytest.raises(BadInput, match="not a run folder"):
        write_report([tmp_path], tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_without_the_optional_packages_the_error_is_the_pip_command(mixed_run: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "from pathlib import Path\nfrom evenhand.errors import MissingExtra\nfrom evenhand.report import write_report\n"
        f"try: write_report([Path({str(mixed_run)!r})], Path({str(tmp_path / 'r.html')!r}))\n"
        "except MissingExtra as error: print(error)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'evenhand[report]'" in result.stdout


def test_the_same_run_gives_the_same_page_byte_for_byte(mixed_run: Path, tmp_path: Path) -> None:
    first = write_report([mixed_run], tmp_path / "a.html").read_bytes()
    assert first == write_report([mixed_run], tmp_path / "b.html").read_bytes()


def test_the_command_writes_page_figures_and_tables(mixed_run: Path, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("evenhand"))]
    result = subprocess.run(
        [*command, "report", str(mixed_run), "-o", str(tmp_path / "r.html"), "--tables", str(tmp_path / "t"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(result.stdout)
    assert Path(told["report"]).is_file()
    assert {Path(t).name for t in told["tables"]} == {
        "estimates.csv", "estimates.json", "estimates.tex", "estimates.md", "model-card.md",
    }  # fmt: skip
    assert told["signatures"] == [Run.load(mixed_run).signature]


def test_a_group_in_which_nothing_was_decided_is_named_and_not_drawn(mixed_run: Path, tmp_path: Path) -> None:
    run = Run.load(mixed_run)
    grouping = next(g for g in run.manifest.suite.groupings if g.column and run.probes[g.column].n_unique() > 1)
    empty = str(run.probes[str(grouping.column)].drop_nulls()[0])
    ids = run.probes.filter(pl.col(str(grouping.column)) == empty)["id"].implode()
    gender = pl.when(pl.col("id").is_in(ids)).then(pl.lit("unknown")).otherwise(pl.col("gender").cast(pl.String))
    verdicts = run.verdicts.with_columns(gender=gender.cast(run.verdicts.schema["gender"]))
    emptied = estimated(replace(run, verdicts=verdicts)).save(tmp_path / "run")
    page = write_report([emptied], tmp_path / "page.html").read_text("utf-8")
    caption = re.search(r"Not drawn, because no rendering was decided: ([^.<]*)", page)
    assert caption is not None
    assert empty in caption[1]


def test_a_rendering_from_right_to_left_is_laid_out_from_the_right(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("id\tsource\tfocus\n1\tThe baker has sung.\tbaker\n", encoding="utf-8")
    run = evenhand.audit(tmp_path / "one.tsv", lambda texts: ["האופה שרה."] * len(texts), target="he")
    text = " ".join(write_report([run], tmp_path / "r.html").read_text(encoding="utf-8").split())
    assert re.search(r'<p dir="rtl"><span class="badge \w+" title="\w+">.</span>\s*<bdi lang="he">', text)
    assert re.search(r'<p> ?<bdi lang="en">The <mark class="focus">baker', text)
