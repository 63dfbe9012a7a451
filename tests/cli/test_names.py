"""What a system is called: by the user's name, or by its spec; never by a path of the machine it ran on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import evenhand
from evenhand.system_names import without_paths

Cli = Callable[..., CompletedProcess[str]]
SECRET = "somebody-s-own-folder"


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str, ...]:
    probes = "".join(f"p{n}\tŐ {n}.\thu\tc{n // 2}\n" for n in range(12))
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\tconcept\n" + probes, encoding="utf-8")
    for folder in (SECRET, "another"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "lines.txt").write_text("She is here.\nHe is here.\n" * 6)
    return ("audit", "mine.tsv", "-t", "en", "--resamples", "100")


def everything_written(cli: Cli, tmp_path: Path, run: Path) -> dict[str, str]:
    for name in ("page.html", "t.csv", "t.json", "t.tex", "t.md"):
        assert cli("report", run, "-o", tmp_path / name).returncode == 0
    texts = {
        name: (tmp_path / name).read_text(encoding="utf-8")
        for name in ("page.html", "t.csv", "t.json", "t.tex", "t.md")
    }
    return texts | {"signature": evenhand.load_run(run).signature}


def test_no_path_stands_in_signature_page_or_table(cli: Cli, asked: tuple[str, ...], tmp_path: Path) -> None:
    done = cli(*asked, "-s", f"file:{tmp_path}/{SECRET}/lines.txt", "-o", "run")
    assert done.returncode == 0, done.stderr
    texts = everything_written(cli, tmp_path, tmp_path / "run") | {"terminal": done.stdout}
    assert [name for name, text in texts.items() if SECRET in text] == []
    assert "|system:file:lines.txt#" in texts["signature"]
    assert "file:lines.txt" in texts["t.md"]


def test_a_system_is_called_what_the_user_calls_it(cli: Cli, asked: tuple[str, ...], tmp_path: Path) -> None:
    done = cli(*asked, "-s", f"file:{SECRET}/lines.txt", "--name", "Our engine, June")
    assert done.returncode == 0, done.stderr
    run = tmp_path / "runs" / "mine.tsv.Our-engine--June.en"
    texts = everything_written(cli, tmp_path, run)
    assert "|system:Our engine, June#" in texts["signature"]
    assert [name for name, text in texts.items() if "Our engine, June" not in text] == []
    assert [name for name, text in texts.items() if SECRET in text or "lines.txt" in text] == []


def test_a_name_changes_no_number(cli: Cli, asked: tuple[str, ...], tmp_path: Path) -> None:
    for folder, more in (("plain", ()), ("named", ("--name", "other"))):
        assert cli(*asked, "-s", f"file:{SECRET}/lines.txt", "-o", folder, *more).returncode == 0
    plain, named = (evenhand.load_run(tmp_path / folder) for folder in ("plain", "named"))
    assert plain.estimates.equals(named.estimates)
    assert plain.manifest.system_fingerprint == named.manifest.system_fingerprint


def test_another_file_of_the_same_name_does_not_take_the_place_of_a_run(
    cli: Cli, asked: tuple[str, ...], tmp_path: Path
) -> None:
    assert cli(*asked, "-s", f"file:{SECRET}/lines.txt").returncode == 0
    refused = cli(*asked, "-s", "file:another/lines.txt")
    assert refused.returncode == 2
    assert "Name another folder" in refused.stderr


@pytest.mark.parametrize("name", ["a|b", "a#1", "x" * 61, "a\u202eb", "a\nb"])
def test_a_name_that_would_break_a_signature_is_refused(cli: Cli, asked: tuple[str, ...], name: str) -> None:
    done = cli(*asked, "-s", "file:another/lines.txt", "--name", name)
    assert done.returncode == 2
    assert "is not a name for a system" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("file:/home/me/a folder/x.txt", "file:x.txt"),
        ("ctranslate2:C:\\models\\nllb\\", "ctranslate2:nllb"),
        ("command:sh /home/me/t.sh -x", "command:sh t.sh -x"),
        ("huggingface:/models/mine", "huggingface:mine"),
        ("huggingface:Helsinki-NLP/opus-mt-en-de", "huggingface:Helsinki-NLP/opus-mt-en-de"),
        ("libretranslate:http://127.0.0.1:5000/x", "libretranslate:http://127.0.0.1:5000/x"),
        ("apertium", "apertium"),
    ],
)
def test_of_a_path_its_last_part_is_left_and_models_and_addresses_are_whole(spec: str, name: str) -> None:
    assert without_paths(spec) == name
