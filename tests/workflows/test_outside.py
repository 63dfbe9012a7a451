"""Published sets elsewhere: the table of them, a folder checked by SHA-256, one fetched from a local git repository."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import evenhand

from evenhand.errors import BadInput, Unknown, Unreachable
from evenhand.workflows import outside
from evenhand.workflows.outside import check_data, get_data, outside_sets

OLD, NEW, EXTRA = b"The nurse sings.\n", b"The nurse sang.\n", b"more\n"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@t.example", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository whose newest commit has another text than the one the set names."""
    folder = tmp_path / "theirs"
    (folder / "deep" / "down").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "deep" / "down" / "sentences.txt").write_bytes(OLD)
    (folder / "extra.txt").write_bytes(EXTRA)
    (folder / "unrelated.py").write_text("print('not needed')\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    commit = git(folder, "rev-parse", "--short", "HEAD")
    (folder / "deep" / "down" / "sentences.txt").write_bytes(NEW)
    git(folder, "commit", "--quiet", "-am", "second")
    tables = tmp_path / "tables"
    tables.mkdir()
    head = "name title citation licence repository commit read_by note"
    toy = ("toy", "a toy", "Nobody 2020", "MIT", str(folder), commit, "evenhand audit tsv:DIR", "")
    newest = ("newest", "its newest", "Nobody 2020", "MIT", str(folder), "", "nothing", "")
    (tables / "outside_sets.tsv").write_text("\n".join("\t".join(row) for row in (head.split(), toy, newest)) + "\n")
    listed = f"toy\tsets/sentences.txt\t\t{digest(OLD)}\ntoy\textra.txt\tyes\t{digest(EXTRA)}\n"
    (tables / "outside_files.tsv").write_text("set\tpath\toptional\tsha256\n" + listed)
    monkeypatch.setattr(outside, "FOLDER", tables)
    outside_sets.cache_clear()
    yield folder
    outside_sets.cache_clear()


def test_a_set_is_fetched_at_its_commit_and_only_its_files_are_unpacked(repository: Path, tmp_path: Path) -> None:
    checked = get_data("toy", tmp_path / "got")
    assert {one.state for one in checked} == {"equal"}
    files = {str(path.relative_to(tmp_path / "got")) for path in (tmp_path / "got").rglob("*") if path.is_file()}
    assert files == {"sets/sentences.txt", "extra.txt"}
    assert (tmp_path / "got" / "sets" / "sentences.txt").read_bytes() == OLD
    with pytest.raises(BadInput, match="exists"):
        get_data("toy", tmp_path / "got")


def test_a_set_without_known_hashes_is_copied_whole_from_the_newest_commit(repository: Path, tmp_path: Path) -> None:
    assert get_data("newest", tmp_path / "got") == []
    assert (tmp_path / "got" / "deep" / "down" / "sentences.txt").read_bytes() == NEW
    assert not (tmp_path / "got" / ".git").exists()


def test_a_folder_is_checked_by_content_wherever_its_files_lie(repository: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "anywhere"
    folder.mkdir(parents=True)
    (folder / "sentences.txt").write_bytes(OLD)
    states = {one.path: one.state for one in check_data(tmp_path / "mine")}
    assert states == {"sets/sentences.txt": "equal", "extra.txt": "missing, optional"}
    assert evenhand("data", "check", "mine", folder=tmp_path).returncode == 0
    (folder / "sentences.txt").write_bytes(NEW)
    done = evenhand("data", "check", "mine", "--name", "toy", "--json", folder=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["files"][0] == {"set": "toy", "path": "sets/sentences.txt", "state": "different"}
    (folder / "sentences.txt").unlink()
    with pytest.raises(BadInput, match="no file of a known set"):
        check_data(tmp_path / "mine")
    assert [one.state for one in check_data(tmp_path / "mine", "toy")] == ["missing", "missing, optional"]


def test_what_cannot_be_fetched_leaves_nothing(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="git could not get"):
        get_data("toy", tmp_path / "got", repository=str(tmp_path / "nowhere"))
    with pytest.raises(Unknown, match="toy"):
        get_data("tay", tmp_path / "got")
    git(repository, "rm", "--quiet", "-r", "deep", "extra.txt")
    git(repository, "commit", "--quiet", "-m", "empty")
    done = evenhand("data", "get", "toy", "-o", "got", "--repository", tmp_path / "nowhere", folder=tmp_path)
    assert done.returncode == 3
    assert not (tmp_path / "got").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tables", "theirs"]


def test_get_says_what_reads_the_set(repository: Path, tmp_path: Path) -> None:
    done = evenhand("data", "get", "toy", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "read by: evenhand audit tsv:toy" in done.stdout
    assert "toy: 2 of 2 files equal" in done.stdout


def test_every_row_of_the_table_is_well_formed_and_nothing_unknown_is_made_up() -> None:
    assert {"tgbi", "wibemt", "natgenmt", "winomt", "gest", "mittens", "gate", "fasttext"} <= set(outside_sets())
    for one in outside_sets().values():
        assert one.citation
        assert one.licence
        assert one.read_by.startswith("evenhand ")
        assert re.fullmatch(r"(https://github\.com/[\w.-]+/[\w.-]+)?", one.repository)
        assert re.fullmatch(r"([0-9a-f]{7,40})?", one.commit)
        assert one.repository or one.note  # what is not known is said
        assert one.files or one.note
        assert len({file.path for file in one.files}) == len(one.files)
        for file in one.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert not Path(file.path).is_absolute()
            assert ".." not in Path(file.path).parts
        if one.files:
            assert any(not file.optional for file in one.files)


def test_the_development_data_are_what_the_table_says(shared_data: Path) -> None:
    checked = check_data(shared_data)
    assert {one.set for one in checked} == {name for name, one in outside_sets().items() if one.files}
    assert [one for one in checked if one.state != "equal"] == []


def test_a_set_without_a_repository_is_refused_in_one_sentence(tmp_path: Path) -> None:
    done = evenhand("data", "get", "fasttext", folder=tmp_path)
    assert done.returncode == 2
    assert "no git repository of fasttext is known" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_list_names_licence_commit_and_command(tmp_path: Path) -> None:
    text = evenhand("data", "list", folder=tmp_path).stdout
    assert "https://github.com/nolongerprejudice/tgbi at 2b99850" in text
    assert "evenhand replicate cho2019 --data DIR" in text
    assert "commit not known" in text
    told = json.loads(evenhand("data", "list", "--json", folder=tmp_path).stdout)
    assert len(told) == len(outside_sets())
