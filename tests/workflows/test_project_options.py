"""What a project file may hold beyond the matrix: a service, references, forms, ages, margins, and --replace."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.aged import made_older
from tests.command_line import evenhand as command
from tests.systems.servers.base import KEY
from tests.systems.servers.changing import ChangingServer

import evenhand
from evenhand.errors import BadInput
from evenhand.results.runs import Run

Cli = Callable[..., CompletedProcess[str]]
HEAD = 'suites = ["mine.tsv"]\ntargets = ["en"]\nresamples = 100\n'
FOLDER = Path("runs") / "mine.tsv.server.en"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChangingServer]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    monkeypatch.setenv("EVENHAND_TRUST", "1")
    with ChangingServer() as service:
        yield service


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Forty probes, two about each of twenty things, and a second suite of two of them."""
    head = "id\tsource\tsource_lang\tconcept\n"
    rows = [f"p{n}\tEstá aquí el número {n}.\tes\tc{n // 2}\n" for n in range(40)]
    (tmp_path / "mine.tsv").write_text(head + "".join(rows), encoding="utf-8")
    (tmp_path / "two.tsv").write_text(head + "".join(rows[:2]), encoding="utf-8")

    def run(*arguments: str | Path) -> CompletedProcess[str]:
        memory = {"EVENHAND_MEMORY": str(tmp_path / "memory.sqlite")}
        return command(*arguments, folder=tmp_path, environment=memory)

    return run


def write(folder: Path, server: ChangingServer, *, head: str = HEAD, system: str = "", rest: str = "") -> None:
    asked = (
        f'[[system]]\nname = "server"\nspec = "libretranslate:{server.url}"\nkey = "LIBRETRANSLATE_API_KEY"\n{system}\n'
    )
    (folder / "evenhand.toml").write_text(head + asked + rest, encoding="utf-8")


def asked(server: ChangingServer) -> int:
    return sum(map(len, server.asked))


def test_a_service_is_asked_once_for_all_suites_and_what_another_suite_knows_is_free(
    cli: Cli, server: ChangingServer, tmp_path: Path
) -> None:
    write(tmp_path, server, head=HEAD.replace('"mine.tsv"', '"mine.tsv", "two.tsv"'), system="concurrency = 1")
    done = cli("run")
    assert done.returncode == 0, done.stderr
    assert "made  runs/two.tsv.server.en (0 characters sent)" in done.stdout
    assert asked(server) == 40


def test_references_are_compared_with_where_they_fit_and_one_that_fits_nothing_is_refused(
    cli: Cli, server: ChangingServer, tmp_path: Path
) -> None:
    (tmp_path / "shares.csv").write_text("concept,share_women\nc0,0.9\nc19,0.1\n")
    limit = '[[limit]]\nmeasure = "B_mean"\nmax = 100.0\n'
    write(tmp_path, server, head=f'references = ["shares.csv"]\n{HEAD}', rest=limit)
    done = cli("run")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "passed: evenhand.toml, 1 runs, 1 checks"
    held = Run.load(tmp_path / FOLDER)
    assert held.occupations is not None
    assert dict(held.occupations.drop_nulls("share_women").select("concept", "share_women").iter_rows()) == {
        "c0": 0.9,
        "c19": 0.1,
    }
    assert "kept  " in cli("run").stdout
    (tmp_path / "shares.csv").write_text("concept,share_women\nc0,0.8\nc19,0.1\n")
    assert "made  " in cli("run").stdout  # other shares are another signature
    (tmp_path / "shares.csv").write_text("concept,share_women\nastronaut,0.1\n")
    refused = cli("run")
    assert refused.returncode == 2
    assert refused.stderr.startswith("evenhand: evenhand.toml: references: reference shares has a share for none")


def test_labelled_forms_are_used_and_travel_with_the_run(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "probes.tsv").write_text("id\tsource\np1\tThe **mover** waved to the neighbour.\n", encoding="utf-8")
    (tmp_path / "german.txt").write_text("Die Umzugsprofi winkte dem Nachbarn.\n", encoding="utf-8")
    head = "# source\ttest\nconcept\tfemale\tmale\tneutral\tother\tboth\n"
    (tmp_path / "forms.tsv").write_text(head + "mover\tumzugsprofi\t\t\t\t\n", encoding="utf-8")
    top = 'suites = ["probes.tsv"]\ntargets = ["de"]\nresamples = 100\nforms = "forms.tsv"\n'
    (tmp_path / "evenhand.toml").write_text(top + '[[system]]\nname = "ours"\nspec = "file:german.txt"\n')
    assert cli("run").returncode == 0
    held = Run.load(tmp_path / "runs" / "probes.tsv.ours.de")
    assert held.verdicts["how"].to_list() == ["person"]
    assert (tmp_path / "runs" / "probes.tsv.ours.de" / "forms.tsv").is_file()
    (tmp_path / "forms.tsv").write_text("nonsense\n")
    assert cli("run").stderr.startswith("evenhand: evenhand.toml: forms: ")


def test_answers_that_grow_too_old_are_asked_for_again_and_so_are_all_on_refresh(
    cli: Cli, server: ChangingServer, tmp_path: Path
) -> None:
    write(tmp_path, server, head=f'max_age = "1d"\n{HEAD}')
    cli("run")
    assert "kept  " in cli("run").stdout
    assert asked(server) == 40
    made_older(tmp_path / "memory.sqlite")
    shutil.rmtree(tmp_path / "runs")
    assert "made  runs/mine.tsv.server.en (910 characters sent)" in cli("run").stdout
    assert asked(server) == 80
    write(tmp_path, server)
    assert "made  " in cli("run", "--refresh").stdout
    assert asked(server) == 120


def test_a_margin_is_held_against_former_runs_but_not_on_answers_from_before(
    cli: Cli, server: ChangingServer, tmp_path: Path
) -> None:
    write(tmp_path, server)
    cli("run")
    (tmp_path / "runs").rename(tmp_path / "former")
    server.pronoun = "She"
    gate = '[gate]\nagainst = "former"\nmargins = { share_male = "20 points" }\n'
    write(tmp_path, server, rest=gate)
    stale = cli("run")
    assert stale.returncode == 2
    assert stale.stderr.startswith(
        "evenhand: evenhand.toml: gate: the answers of runs/mine.tsv.server.en are not newer"
    )
    write(tmp_path, server, rest=gate + "allow_memory = true\n")
    assert cli("run").returncode == 0
    write(tmp_path, server, rest=gate)
    fresh = cli("run", "--refresh")
    assert fresh.returncode == 1
    assert "FAILED  mine.tsv.server.en: share_male: changed by more than 0.2" in fresh.stdout


def test_a_run_of_something_else_is_replaced_only_when_told(cli: Cli, server: ChangingServer, tmp_path: Path) -> None:
    write(tmp_path, server)
    cli("run")
    lines = (tmp_path / "mine.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "mine.tsv").write_text("".join(lines[:20]), encoding="utf-8")
    refused = cli("run")
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    assert Run.load(tmp_path / FOLDER).probes.height == 40
    assert cli("run", "--replace").returncode == 0
    assert Run.load(tmp_path / FOLDER).probes.height == 19


@pytest.mark.parametrize("budget", ["characters = 850", "money = 0.0017"])
def test_a_service_gets_no_text_of_a_run_that_would_pass_the_budget(
    cli: Cli, server: ChangingServer, tmp_path: Path, budget: str
) -> None:
    """Forty texts "Está aquí el número N." have 10 x 22 + 30 x 23 = 910 characters; two have 44."""
    head = HEAD.replace('"mine.tsv"', '"two.tsv", "mine.tsv"')
    write(tmp_path, server, head=head, system="price_per_million = 2", rest=f"[budget]\n{budget}\n")
    done = cli("run")
    assert done.returncode == 2
    assert "stopped before the budget is passed: runs/mine.tsv.server.en would send 866 characters" in done.stderr
    assert asked(server) == 2
    enough = {"characters = 850": "characters = 866", "money = 0.0017": "money = 0.001732"}[budget]
    write(tmp_path, server, head=head, system="price_per_million = 2", rest=f"[budget]\n{enough}\n")
    assert cli("run").returncode == 0
    assert asked(server) == 40


def test_a_system_that_fails_is_named_and_the_others_are_asked(
    cli: Cli, server: ChangingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "even.tsv").write_text("p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\tconcept\tenglish\na\tEstá aquí.\tes\tx\tdoctor\n")
    write(tmp_path, server, rest='[[system]]\nname = "even"\nspec = "simulated:even.tsv"\n')
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", "wrong")
    done = cli("run")
    assert done.returncode == 3
    assert "failed  runs/mine.tsv.server.en" in done.stdout
    assert "made  runs/mine.tsv.even.en" in done.stdout
    assert done.stderr.startswith("evenhand: server: libretranslate answered 403")
    page = (tmp_path / "runs" / "overview.html").read_text(encoding="utf-8")
    assert "server failed: libretranslate answered 403" in page
    assert "not done: runs/mine.tsv.server.en" in page
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    monkeypatch.setenv("EVENHAND_TRUST", "1")
    again = cli("run")
    assert (again.returncode, again.stdout.count("kept  "), again.stdout.count("made  ")) == (0, 1, 1)


def test_a_project_can_be_run_from_python_wherever_its_file_lies(
    cli: Cli, server: ChangingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, server, rest='[[limit]]\nmeasure = "P_S"\nmin = 0.3\n[budget]\ncharacters = 1_000\n')
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    told: list[str] = []
    outcome = evenhand.run_project("../evenhand.toml", memory="own.sqlite", tell=told.append)
    assert (elsewhere / "own.sqlite").is_file()
    assert [run.path for run in outcome.runs] == [Path("..") / FOLDER]
    assert Run.load(outcome.runs[0].path or "").signature == outcome.runs[0].signature
    assert told == [f"made  {FOLDER} (910 characters sent)"]
    assert (outcome.passed, outcome.gate.passed, outcome.undone, outcome.stopped) == (False, False, [], "")
    assert Path.cwd() == elsewhere
    with pytest.raises(BadInput, match=r"nowhere\.toml: cannot be read"):
        evenhand.run_project("nowhere.toml")
