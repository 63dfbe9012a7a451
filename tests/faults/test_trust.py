"""The author of a project file: what it starts, sends and names is shown first, and only the user lets it happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand
from tests.systems.servers.base import KEY
from tests.systems.servers.changing import ChangingServer

from evenhand.errors import BadInput
from evenhand.workflows.project import run_project

Cli = Callable[..., CompletedProcess[str]]
HEAD = 'suites = ["mine.tsv"]\ntargets = ["en"]\nresamples = 100\n'
WRITES = "command:touch started; sed s/.*/She/"


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    rows = "".join(f"p{n}\tEstá aquí {n}.\tes\tc{n}\n" for n in range(12))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "mine.tsv").write_text("id\tsource\tsource_lang\tconcept\n" + rows, encoding="utf-8")
    (tmp_path / "project" / "even.tsv").write_text("p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    monkeypatch.delenv("EVENHAND_TRUST", raising=False)

    def run(*arguments: str, **environment: str) -> CompletedProcess[str]:
        own = {"EVENHAND_MEMORY": str(tmp_path / "memory.sqlite"), "XDG_STATE_HOME": str(tmp_path / "state")}
        return evenhand("run", *arguments, folder=tmp_path / "project", environment=own | environment)

    return run


@pytest.fixture
def server() -> Iterator[ChangingServer]:
    with ChangingServer() as service:
        yield service


def write(tmp_path: Path, spec: str, *, head: str = HEAD, more: str = "") -> Path:
    file = tmp_path / "project" / "evenhand.toml"
    file.write_text(f'{head}[[system]]\nname = "ours"\nspec = "{spec}"\n{more}\n', encoding="utf-8")
    return file


def test_a_project_file_starts_no_program_that_the_user_has_not_seen(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, WRITES)
    done = cli()
    assert done.returncode == 2
    assert f"ours: runs the command {WRITES.removeprefix('command:')}" in done.stderr
    assert not (tmp_path / "project" / "started").exists()
    assert not (tmp_path / "project" / "runs").exists()


def test_trust_is_remembered_until_the_file_changes(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path, WRITES)
    assert cli("--trust").returncode in (0, 2)
    assert (tmp_path / "project" / "started").exists()
    assert "is new here" not in cli().stderr
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert "is new here, or has changed" in cli().stderr


def test_a_variable_trusts_for_ci_and_its_digest_only_one_content(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path, WRITES)
    digest = cli().stderr.partition("EVENHAND_TRUST=")[2].split()[0]
    (tmp_path / "elsewhere").mkdir()
    assert "is new here" not in cli(EVENHAND_TRUST=digest, XDG_STATE_HOME=str(tmp_path / "elsewhere")).stderr
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert "is new here" in cli(EVENHAND_TRUST=digest).stderr
    assert "is new here" not in cli(EVENHAND_TRUST="1").stderr


def test_the_user_is_asked_with_everything_the_file_does(cli: Cli, tmp_path: Path, server: ChangingServer) -> None:
    more = '[[system]]\nname = "program"\nspec = "python:os:getcwd"'
    file = write(tmp_path, f"libretranslate:{server.url}", head=HEAD + 'output = "../outside"\n', more=more)
    seen: list[str] = []

    def no(acts: list[str]) -> bool:
        seen.extend(acts)
        return False

    with pytest.raises(BadInput, match="Nothing was run"):
        run_project(file, ask=no)
    assert f"ours: sends texts to {server.url}, without a key" in seen
    assert "program: runs Python code, os:getcwd" in seen
    assert f"uses a path outside its folder: {tmp_path / 'outside'}" in seen
    assert not (tmp_path / "outside").exists()
    assert not server.asked


@pytest.mark.parametrize(
    "named", ["file:../secret.tsv", "mended:file:../secret.tsv", "file:/etc/hostname", "file:link.tsv"]
)
def test_paths_that_lead_out_of_the_folder_are_shown_whatever_names_them(cli: Cli, tmp_path: Path, named: str) -> None:
    (tmp_path / "secret.tsv").write_text("id\trendering\np1\tShe\n")
    (tmp_path / "project" / "link.tsv").symlink_to(tmp_path / "secret.tsv")
    write(tmp_path, named)
    done = cli()
    assert done.returncode == 2
    assert "uses a path outside its folder: " in done.stderr


def test_a_project_that_only_reads_files_in_its_folder_is_not_asked_about(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, "simulated:even.tsv")
    assert cli().returncode == 0


def test_a_server_that_a_file_names_gets_no_key_that_the_file_does_not_name(
    cli: Cli, tmp_path: Path, server: ChangingServer
) -> None:
    keys = {"LIBRETRANSLATE_API_KEY": KEY, "OPENAI_API_KEY": KEY}
    write(tmp_path, f"libretranslate:{server.url}")
    done = cli("--trust", **keys)
    assert server.seen
    assert KEY not in repr(server.bodies)
    assert KEY not in repr(server.seen)
    assert "gets only the key that the file names" in done.stderr
    write(tmp_path, "openai:gpt", more=f'settings = {{ base_url = "{server.url}" }}')
    cli("--trust", "--refresh", **keys)
    assert KEY not in repr(server.bodies)
    assert KEY not in repr(server.seen)
    write(tmp_path, f"libretranslate:{server.url}", more='key = "LIBRETRANSLATE_API_KEY"')
    assert "with the key in LIBRETRANSLATE_API_KEY" in cli(**keys).stderr
    assert cli("--trust", "--refresh", **keys).returncode in (0, 2)
    assert KEY in repr(server.bodies)
