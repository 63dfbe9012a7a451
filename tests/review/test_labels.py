from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evenhand.cli.score import score as app
from evenhand.detect import open_detector
from evenhand.errors import BadInput, Caution
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.review import sheets as review_sheets
from evenhand.review.labels import FILE as LABELS_FILE
from evenhand.review.labels import LabelKey

LABELS = st.lists(st.tuples(st.sampled_from("fmnb"), st.sampled_from("fmnb")), min_size=1, max_size=40)


def undecided_keys(run: Run) -> list[LabelKey]:
    rows = run.verdicts.filter(pl.col("gender") == "unknown").select(reviews.KEYS)
    return [LabelKey(*row) for row in rows.iter_rows()]


def test_kappa_is_that_of_the_textbook_example() -> None:
    # 50 grant proposals, two readers: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no (the common worked example): kappa 0.4
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    agreed, kappa = reviews.kappa(first, second)
    assert agreed == pytest.approx(0.7)
    assert kappa == pytest.approx(0.4)


@given(LABELS)
def test_kappa_does_not_depend_on_who_is_first_and_is_at_most_one(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, two = reviews.kappa(first, second)[1], reviews.kappa(second, first)[1]
    assert one == pytest.approx(two) if one is not None else two is None
    assert one is None or one <= 1 + 1e-12
    if first == second and len(set(first)) > 1:
        assert one == pytest.approx(1)


def test_a_label_counts_until_it_is_undone(tmp_path: Path) -> None:
    key = LabelKey("p1", "en")
    reviews.add_labels(tmp_path, [(key, "f")], labeller="ann")
    reviews.add_labels(tmp_path, [(key, "male")], labeller="ann")
    assert reviews.settled(reviews.load_labels(tmp_path))["gender"].to_list() == ["male"]
    assert reviews.undo_label(tmp_path, labeller="ann") == [key]
    assert reviews.settled(reviews.load_labels(tmp_path)).height == 0
    assert reviews.undo_label(tmp_path, labeller="ann") == []
    assert len((tmp_path / LABELS_FILE).read_text().splitlines()) == 4  # a header and three lines: nothing is erased


def test_undo_takes_back_a_persons_own_last_act_and_nobody_elses(tmp_path: Path) -> None:
    first, second = LabelKey("p1", "en"), LabelKey("p2", "en")
    reviews.add_labels(tmp_path, [(first, "f")], labeller="ann")
    reviews.add_labels(tmp_path, [(first, "m"), (second, "m")], labeller="bob")
    assert set(reviews.undo_label(tmp_path, labeller="bob")) == {first, second}
    assert reviews.current(reviews.load_labels(tmp_path))["labeller"].to_list() == ["ann"]


def test_the_majority_decides_and_a_tie_changes_nothing(tmp_path: Path) -> None:
    tie, clear = LabelKey("tie", "en"), LabelKey("clear", "en")
    for name, on_tie, on_clear in (("ann", "f", "f"), ("bob", "m", "f"), ("cy", "n", "m")):
        reviews.add_labels(tmp_path, [(tie, on_tie), (clear, on_clear)], labeller=name)
    settled = reviews.settled(reviews.load_labels(tmp_path))
    assert settled.select("id", "gender", "labellers").rows() == [("clear", "female", 3)]


@pytest.mark.parametrize("name", ["", "a\tb", "x" * 41, "a\nb", "<script>"])
def test_a_name_that_does_not_fit_a_cell_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="labeller"):
        reviews.add_labels(tmp_path, [(LabelKey("p", "en"), "f")], labeller=name)
    assert not (tmp_path / LABELS_FILE).exists()


def test_a_broken_labels_file_is_named_with_its_line(tmp_path: Path) -> None:
    reviews.add_labels(tmp_path, [(LabelKey("p", "en"), "f")], labeller="ann")
    with (tmp_path / LABELS_FILE).open("a") as stream:
        stream.write("p\ten\t0\t0\tqueen\tann\tnow\t0\n")
    with pytest.raises(BadInput, match=r"labels.tsv line 3 column gender: 'queen' is not a label"):
        reviews.load_labels(tmp_path)


def test_people_who_label_at_once_lose_no_line(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from evenhand.review.labels import LabelKey, add_labels\n"
        "for i in range(40): add_labels(Path(sys.argv[1]), [(LabelKey(f'p{i}', 'en'), 'f')], labeller=sys.argv[2])"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in ("ann", "bob")]
    assert [p.wait() for p in running] == [0, 0]
    labels = reviews.load_labels(tmp_path)
    assert labels.height == 80
    found = reviews.agreement(labels)
    assert [(a.first, a.second, a.n, a.agreed) for a in found] == [("ann", "bob", 40, 1.0)]


def test_labels_change_verdicts_estimates_and_signature_and_undo_brings_them_back(
    mixed_run: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(mixed_run)
    before = Run.load(folder)
    keys = undecided_keys(before)
    assert keys
    reviews.add_labels(folder, [(key, "female") for key in keys], labeller="ann")
    after = reviews.apply_labels(folder)
    by_person = after.verdicts.filter(pl.col("how") == "person")
    assert set(by_person["id"]) == {key.id for key in keys}
    assert set(by_person["gender"]) == {"female"}
    assert after.signature != before.signature

    def decided(run: Run) -> tuple[int, float]:
        rows = run.estimates.filter((pl.col("measure") == "share_female") & (pl.col("group") == "all"))
        return rows["n_decided"][0], rows["value"][0]

    n, share = decided(before)
    women = round(n * share) + len(keys)
    assert decided(after)[0] == n + len(keys)
    assert decided(after)[1] == pytest.approx(women / (n + len(keys)))
    reviews.undo_label(folder, labeller="ann")
    again = reviews.apply_labels(folder)
    assert again.verdicts.equals(before.verdicts)
    assert again.estimates.equals(before.estimates)
    assert again.signature == before.signature
    assert reviews.load_labels(folder).height == 2 * len(keys)


def test_labels_outlive_a_new_detection(mixed_run: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(mixed_run)
    keys = undecided_keys(Run.load(folder))
    reviews.add_labels(folder, [(key, "female") for key in keys], labeller="ann")
    labelled = reviews.apply_labels(folder)
    done = CliRunner().invoke(app, [str(folder), "--detect", "--in-place"])
    assert done.exit_code == 0
    assert "people's labels override the new verdicts" in done.stderr
    again = Run.load(folder)
    assert again.verdicts.equals(labelled.verdicts)
    assert again.signature == labelled.signature


def test_a_label_given_while_the_run_is_saved_is_not_lost(mixed_run: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(mixed_run)
    key = undecided_keys(Run.load(folder))[0]
    code = (
        "import sys; from pathlib import Path; from evenhand.review.labels import LabelKey, add_labels\n"
        f"for i in range(10): add_labels(Path(sys.argv[1]), [(LabelKey({key.id!r}, 'en'), 'fm'[i % 2])], labeller='a')"
    )
    running = subprocess.Popen([sys.executable, "-c", code, str(folder)])
    while running.poll() is None:
        reviews.apply_labels(folder)
    assert running.wait() == 0
    assert reviews.load_labels(folder).height == 10


def test_the_undecided_are_listed_by_frequency(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    sheet = review_sheets.undecided(run)
    assert sheet["count"].to_list() == sorted(sheet["count"].to_list(), reverse=True)
    assert sheet["count"].sum() == run.verdicts.filter(pl.col("gender") == "unknown").height


def test_a_sample_is_drawn_by_verdict_with_weights_that_add_up(mixed_run: Path) -> None:
    run = Run.load(mixed_run)
    sheet = review_sheets.sample(run, 40, seed=7)
    assert sheet.height == 40
    assert sheet.equals(review_sheets.sample(run, 40, seed=7))
    assert not sheet.equals(review_sheets.sample(run, 40, seed=8))
    assert sheet["id"].n_unique() == 40
    sizes = dict(run.verdicts["gender"].cast(pl.String).value_counts().iter_rows())
    for gender, weight in sheet.group_by("gender").agg(pl.col("weight").sum()).iter_rows():
        assert weight == pytest.approx(sizes[gender])
    everything = review_sheets.sample(run, 10_000)
    assert everything.height == run.verdicts.filter(pl.col("gender") != "unknown").height
    assert set(everything["weight"]) == {1.0}


def test_a_sheet_filled_in_comes_back_as_labels(
    mixed_run: Path, copy_of: Callable[[Path], Path], tmp_path: Path
) -> None:
    folder = copy_of(mixed_run)
    run = Run.load(folder)
    sheet = review_sheets.undecided(run).with_columns(label=pl.lit("n"))
    path = tmp_path / "sheet.tsv"
    sheet.write_csv(path, separator="\t", quote_style="never")
    labelled, kept = review_sheets.take_labels(run, path, labeller="ann")
    assert (labelled, kept) == (sheet["count"].sum(), 0)
    after = reviews.apply_labels(folder)
    assert after.verdicts.filter(pl.col("gender") == "unknown").height == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\tlabel\nnobody\tf\n", "line 2: id 'nobody' is not in this run"),
        ("id\tgender\nx\tf\n", "line 1: no column 'label'"),
        ("id\tlabel\nx\tqueen\n", "line 2 column label: 'queen' is not a label"),
        ("id\tlabel\nx\n", "line 2: 1 columns, but the header has 2"),
        ("focus\tlabel\nx\tf\n", "line 2: a label needs an id, or focus and target_words"),
    ],
)
def test_a_wrong_sheet_is_refused_with_its_line_and_nothing_is_kept(
    mixed_run: Path, copy_of: Callable[[Path], Path], tmp_path: Path, text: str, message: str
) -> None:
    folder = copy_of(mixed_run)
    path = tmp_path / "sheet.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        review_sheets.take_labels(Run.load(folder), path, labeller="ann")
    assert reviews.load_labels(folder).height == 0


def test_a_labelled_form_is_known_to_a_detector_that_is_given_its_file_and_to_no_other(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    source, rendering = "The mover waved to the neighbour.", "Die Umzugsprofi winkte dem Nachbarn."
    assert review_sheets.keep_forms(path, [("mover", "umzugsprofi", "female")]) == 1
    assert review_sheets.keep_forms(path, [("mover", "umzugsprofi", "female")]) == 0
    pairs = pl.DataFrame({"id": ["1"], "source": [source], "focus": ["mover"], "rendering": [rendering]})
    plain = open_detector("nouns", source="en", target="de")
    assert plain.detect(pairs)["how"].to_list() != ["person"]
    detector = open_detector("nouns", source="en", target="de", user_forms=path)
    found = detector.detect(pairs).row(0, named=True)
    assert (found["gender"], found["how"]) == ("female", "person")
    assert detector.fingerprint != plain.fingerprint
    review_sheets.keep_forms(path, [("mover", "umzugsprofi", "neutral")])
    assert path.read_text(encoding="utf-8").splitlines()[-1].split("\t")[:4] == ["mover", "", "", "umzugsprofi"]


def test_the_sheet_of_another_run_labels_only_the_renderings_they_share(
    mixed_run: Path, copy_of: Callable[[Path], Path], tmp_path: Path
) -> None:
    folder = copy_of(mixed_run)
    run = Run.load(folder)
    sheet = review_sheets.sample(run, 10).with_columns(label=pl.lit("n"))
    other = sheet.with_columns(rendering=pl.lit("She is somebody else."))
    path = tmp_path / "sheet.tsv"
    other.write_csv(path, separator="\t", quote_style="never")
    with pytest.raises(BadInput, match=r"sheet\.tsv: none of its labels is on a rendering of this run"):
        review_sheets.take_labels(run, path, labeller="ann")
    assert reviews.load_labels(folder).height == 0
    spaced = sheet.with_columns(rendering="  " + pl.col("rendering") + " ")  # as a spreadsheet may give it back
    pl.concat([spaced.head(4), other.tail(6)]).write_csv(path, separator="\t", quote_style="never")
    with pytest.warns(Caution, match="labels left out, because this run has other renderings: 6"):
        assert review_sheets.take_labels(run, path, labeller="ann") == (4, 0)
    assert set(reviews.load_labels(folder)["id"]) == set(sheet.head(4)["id"])
