"""evenhand detect: pairs in, one verdict a pair out, or one line that says why not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.readers import cells, opening

Cli = Callable[..., subprocess.CompletedProcess[str]]
PAIRS = "id\tsource\trendering\tfocus\n"
ROWS = (
    "a\tThe nurse is here.\tDie Krankenschwester ist hier.\tnurse\n"
    "b\tThe developer is here.\tDer Entwickler ist hier.\tdeveloper\n"
)


def test_detect_writes_one_verdict_a_pair_and_reads_standard_input(cli: Cli, tmp_path: Path) -> None:
    result = cli("detect", "-", "--source", "en", "--target", "de", stdin=PAIRS + ROWS)
    assert result.returncode == 0, result.stderr
    table = [line.split("\t") for line in result.stdout.splitlines()]
    assert table[0][:5] == ["id", "gender", "evidence", "how", "confidence"]
    assert [row[:2] for row in table[1:]] == [["a", "female"], ["b", "male"]]


def test_detect_json_is_one_object_a_line(cli: Cli) -> None:
    result = cli("detect", "-", "--target", "de", "--json", stdin=PAIRS + ROWS)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["gender"] for row in rows] == ["female", "male"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\tsource\n", "line 1"),
        (PAIRS + ROWS + "c\ttoo few\n", "line 4"),
        (PAIRS + ROWS + ROWS, "line 4"),
        (PAIRS + "a\tThe nurse met the nurse.\tx\tnurse\n", "2 times"),
        (PAIRS + "\n" + ROWS, "line 2: a blank line between rows"),
    ],
)
def test_bad_pairs_name_the_line_and_leave_no_file(cli: Cli, tmp_path: Path, text: str, expected: str) -> None:
    result = cli("detect", "-", "--target", "de", "-o", tmp_path / "out.tsv", stdin=text)
    assert result.returncode == 2
    assert expected in result.stderr
    assert not (tmp_path / "out.tsv").exists()


def test_a_sentence_from_a_pronoun_language_goes_to_the_pronoun_detector(cli: Cli) -> None:
    text = "id\tsource\trendering\na\tŐ orvos.\tShe is a doctor.\nb\tOrvos.\tHe or she is a doctor.\n"
    result = cli("detect", "-", "--source", "hu", "--target", "en", stdin=text)
    assert [line.split("\t")[1] for line in result.stdout.splitlines()[1:]] == ["female", "both"]


def test_detect_prints_nothing_when_a_later_row_is_bad(cli: Cli) -> None:
    for text in ("", PAIRS + ROWS + ROWS, PAIRS + ROWS + "c\tone cell too few\n"):
        result = cli("detect", "-", "--target", "de", stdin=text)
        assert (result.returncode, result.stdout) == (2, "")


def test_a_large_input_is_judged_by_several_processes_in_its_own_order(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (opening, cells):
        monkeypatch.setattr(module, "BLOCK_LINES", 2_000)  # three batches, as 45,000 rows are in batches of 20,000
    rows = [ROWS.splitlines()[n % 2].partition("\t")[2] for n in range(4_500)]
    (tmp_path / "large.tsv").write_text(PAIRS + "".join(f"{n}\t{row}\n" for n, row in enumerate(rows)))
    result = cli("detect", "large.tsv", "--target", "de", "--workers", "2")
    assert result.returncode == 0, result.stderr
    table = [line.split("\t")[:2] for line in result.stdout.splitlines()[1:]]
    assert table == [[str(n), ("female", "male")[n % 2]] for n in range(4_500)]
    bad = (tmp_path / "large.tsv").read_text() + "no columns\n"
    (tmp_path / "large.tsv").write_text(bad)
    refused = cli("detect", "large.tsv", "--target", "de", "--workers", "2")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "4502" in refused.stderr


def test_a_pool_is_learnt_from_the_file_when_asked_and_never_from_a_pipe(cli: Cli, tmp_path: Path) -> None:
    """Only the rows at hand can tell which made-up word renders the focus."""
    pytest.importorskip("systran_align")
    lines, n = [], 0
    for thing, word in (("dog", "Hund"), ("house", "Haus"), ("tree", "Baum"), ("song", "Lied")):
        for verb, done in (("saw", "sah"), ("loved", "liebte"), ("sold", "verkaufte")):
            lines.append(f"{n}\tThe zorbist {verb} a {thing}.\tDie Quimpfe {done} einen {word}.\tzorbist\n")
            lines.append(f"{n + 1}\tThe pilot {verb} a {thing}.\tDer Pilot {done} einen {word}.\tpilot\n")
            n += 2
    (tmp_path / "pairs.tsv").write_text(PAIRS + "".join(lines))
    first, second = (cli("detect", "pairs.tsv", "-t", "de", "-o", "out.tsv", *more) for more in ((), ("--pool",)))
    assert first.returncode == second.returncode == 0, second.stderr
    assert first.stderr.split("detector ")[1] != second.stderr.split("detector ")[1]
    judged = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()[1:]]
    assert {row[1] for row in judged[::2]} == {"female"}
    assert "Quimpfe" in judged[0][2]
    assert cli("detect", "-", "-t", "de", "--pool", stdin=PAIRS + ROWS).returncode == 2


def test_detect_refuses_a_kind_or_a_forms_file_that_is_not_there(cli: Cli) -> None:
    for option, value in (("--kind", "noun"), ("--forms", "nowhere.tsv")):
        result = cli("detect", "-", "--target", "de", option, value, stdin=PAIRS + ROWS)
        assert result.returncode == 2
        assert value in result.stderr


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (PAIRS, "note: it contains no pairs"),
        (
            PAIRS + "a\tDie Bäckerin ist da.\tThe baker is there with you.\tBäckerin\n",
            "source and rendering not swapped?",
        ),
        ("id\tsource\trendering\na\tDie Bäckerin singt.\tThe baker sings.\n", "are they English sources?"),
    ],
)
def test_pairs_the_wrong_way_round_are_asked_about(cli: Cli, text: str, note: str) -> None:
    told = cli("detect", "-", "--target", "de", stdin=text)
    assert told.returncode == 0
    assert note in told.stderr
    assert note not in cli("detect", "-", "--target", "de", stdin=PAIRS + ROWS).stderr
