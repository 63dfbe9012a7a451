"""A project file: the matrix, going on where it stopped, the budget, the overview, the gate."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import unquote

import pytest
from tests.command_line import evenhand

from evenhand.results.runs import Run

Cli = Callable[..., CompletedProcess[str]]
HEAD = 'suites = ["mine.tsv"]\ntargets = ["en"]\nresamples = 100\n'
SYSTEMS = """
[[system]]
name = "even"
spec = "simulated:even.tsv"

[[system]]
name = "male"
spec = "simulated:male.tsv"
settings = { seed = 3 }
"""


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """A folder with forty Hungarian probes (P_S is sqrt(p_w p_m + p_n)) and two simulated translators."""
    rows = [f"p{n:02d}\tŐ {n}.\thu\tc{n}\tdoctor of {n}" for n in range(40)]
    head = "id\tsource\tsource_lang\tconcept\tenglish\n"
    (tmp_path / "mine.tsv").write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    for name, chances in {"even": "0.5\t0.5\t0", "male": "0\t1\t0", "neutral": "0\t0\t1"}.items():
        (tmp_path / f"{name}.tsv").write_text(f"p_female\tp_male\tp_neutral\n{chances}\n")

    def run(*arguments: str | Path) -> CompletedProcess[str]:
        memory = {"EVENHAND_MEMORY": str(tmp_path / "memory.sqlite")}
        return evenhand(*arguments, folder=tmp_path, environment=memory)

    return run


def write(folder: Path, text: str) -> None:
    (folder / "evenhand.toml").write_text(text, encoding="utf-8")


class Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]


def test_every_system_is_asked_every_suite_in_every_language_it_can(cli: Cli, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "mine.tsv", tmp_path / "again.tsv")
    head = 'suites = ["mine.tsv", "again.tsv"]\ntargets = ["en", "hu"]\nresamples = 100\n'
    write(tmp_path, head + SYSTEMS)
    done = cli("run")
    assert done.returncode == 0, done.stderr
    names = sorted(path.parent.name for path in (tmp_path / "runs").glob("*/manifest.json"))
    assert names == ["again.tsv.even.en", "again.tsv.male.en", "mine.tsv.even.en", "mine.tsv.male.en"]
    assert done.stdout.count("skipped  ") == 4
    assert "skipped  male, mine.tsv into hu: it is the language of the suite" in done.stdout
    assert Run.load(tmp_path / "runs" / "mine.tsv.male.en").manifest.system_name == "male"


def test_a_second_run_keeps_every_folder_and_a_changed_setting_makes_it_anew(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, HEAD + SYSTEMS)
    cli("run")
    before = (tmp_path / "runs" / "mine.tsv.even.en" / "manifest.json").stat().st_mtime_ns
    assert cli("run").stdout.count("kept  ") == 2
    assert (tmp_path / "runs" / "mine.tsv.even.en" / "manifest.json").stat().st_mtime_ns == before
    write(tmp_path, HEAD.replace("100", "120") + SYSTEMS)
    assert cli("run").stdout.count("made  ") == 2


def test_going_on_asks_a_program_nothing_it_has_answered(cli: Cli, tmp_path: Path) -> None:
    program = tmp_path / "translate.py"
    log = tmp_path / "asked.txt"
    program.write_text(
        "import sys\n"
        "lines = sys.stdin.read().splitlines()\n"
        f"open({str(log)!r}, 'a').write('x' * len(lines))\n"
        "print('\\n'.join(f'She is here, {line}' for line in lines))\n"
    )
    write(tmp_path, HEAD + f'[[system]]\nname = "program"\nspec = "command:{sys.executable} translate.py"\n')
    first = cli("run", "--trust")
    assert first.returncode == 0, first.stderr
    assert len(log.read_text()) == 40
    assert "kept  " in cli("run").stdout
    shutil.rmtree(tmp_path / "runs")
    assert "(0 characters sent)" in cli("run").stdout
    assert len(log.read_text()) == 40


@pytest.mark.parametrize("budget", ["characters = 300", "money = 0.0003"])
def test_a_budget_stops_before_the_run_that_would_pass_it(cli: Cli, tmp_path: Path, budget: str) -> None:
    """Forty probes have 10 x 4 + 30 x 5 = 190 characters: the second system would pass 300."""
    priced = SYSTEMS.replace("spec =", "price_per_million = 1\nspec =")
    write(tmp_path, f"{HEAD}{priced}[budget]\n{budget}\n")
    done = cli("run")
    assert done.returncode == 2
    assert "stopped before the budget is passed" in done.stderr
    assert "mine.tsv.male.en would send 190 characters" in done.stderr
    assert (tmp_path / "runs" / "mine.tsv.even.en").is_dir()
    assert not (tmp_path / "runs" / "mine.tsv.male.en").exists()
    assert "not done: runs/mine.tsv.male.en" in (tmp_path / "runs" / "overview.html").read_text("utf-8")
    assert cli("run").returncode == 0  # what is kept costs nothing the second time


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sutes = []\n" + HEAD + SYSTEMS, "evenhand.toml: unknown key 'sutes'"),
        (HEAD + SYSTEMS + 'colour = "red"\n', "evenhand.toml: system 2: unknown key 'colour'"),
        (HEAD + SYSTEMS + "[budget]\neuros = 3\n", "evenhand.toml: budget: unknown key 'euros'"),
        (
            HEAD + SYSTEMS + '[budget]\ncharacters = "many"\n',
            "evenhand.toml: budget: characters must be a whole",
        ),
        (
            HEAD + SYSTEMS + "[budget]\nmoney = 3\n",
            "evenhand.toml: system 1: a budget in money needs price_per_million",
        ),
        (HEAD.replace('["en"]', '"en"') + SYSTEMS, "evenhand.toml: targets must be a list of texts, not 'en'"),
        (HEAD.replace("mine.tsv", "winomtt") + SYSTEMS, "evenhand.toml: suites: unknown suite 'winomtt'"),
        (
            HEAD + SYSTEMS.replace("simulated:male", "simulate:male"),
            "evenhand.toml: system 2: unknown system 'simulate'",
        ),
        (HEAD + SYSTEMS.replace("seed =", "sed ="), "evenhand.toml: system 2: unknown setting of simulated 'sed'"),
        (HEAD + SYSTEMS.replace('"male"', '"even"'), "evenhand.toml: system 2: another system is also called even"),
        (HEAD + SYSTEMS + '[[limit]]\nmeasure = "P_S"\n', "evenhand.toml: limit 1: give min, max or both"),
        (HEAD + SYSTEMS + '[gate]\nagainst = "gone"\n', "evenhand.toml: gate: against: gone is not a folder"),
        (HEAD + SYSTEMS + '[gate]\nmeasures = ["P_S"]\n', "evenhand.toml: gate: against is missing"),
        (
            HEAD + SYSTEMS + '[[limit]]\nmeasure = "accurcy"\nmin = 0.3\n',
            "evenhand.toml: no run will estimate accurcy, which has a limit; measures: P_S, ",
        ),
        (
            HEAD + SYSTEMS + '[[limit]]\nmeasure = "P_S"\nvariant = "corrected"\nmin = 0.3\n',
            "evenhand.toml: no run will estimate P_S, corrected, which has a limit",
        ),
        (
            HEAD + SYSTEMS + '[[limit]]\nmeasure = "P_S"\ngroup = "sector"\nlevel = "care"\nmin = 0.3\n',
            "evenhand.toml: no run will estimate P_S (sector: care), which has a limit",
        ),
        (
            HEAD + SYSTEMS + '[gate]\nagainst = "former"\nmeasures = ["accuracy"]\n',
            "evenhand.toml: gate: accuracy cannot be gated: no run will estimate it",
        ),
        (
            HEAD + SYSTEMS + '[gate]\nagainst = "former"\nmeasures = ["share_male"]\n',
            "evenhand.toml: gate: share_male cannot be gated: no direction",
        ),
        (
            HEAD + SYSTEMS + '[gate]\nagainst = "."\n',
            "evenhand.toml: gate: against: . holds no run to compare these with",
        ),
        (HEAD.replace('"en"', '"hu"') + SYSTEMS, "evenhand.toml: nothing of it can be done"),
        (HEAD, "evenhand.toml: no [[system]] in it"),
        ("suites = [", "evenhand.toml: not valid TOML"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence_and_nothing_is_sent(
    cli: Cli, tmp_path: Path, text: str, told: str
) -> None:
    if "former" in text:
        write(tmp_path, HEAD + SYSTEMS)
        cli("run")
        (tmp_path / "runs").rename(tmp_path / "former")
    write(tmp_path, text)
    done = cli("run")
    assert done.returncode == 2
    assert done.stderr.startswith(f"evenhand: {told}")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


def test_translations_that_do_not_fit_are_refused_before_any_other_system_is_asked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "three.txt").write_text("She is.\nHe is.\nThey are.\n")
    write(tmp_path, HEAD + SYSTEMS + '[[system]]\nname = "file"\nspec = "file:three.txt"\n')
    done = cli("run")
    assert done.returncode == 2
    assert done.stderr.startswith("evenhand: evenhand.toml: system 3: ")
    assert not (tmp_path / "runs").exists()


def test_the_overview_has_the_worst_first_and_its_links_lead_to_reports(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, HEAD + SYSTEMS)
    cli("run")
    page = (tmp_path / "runs" / "overview.html").read_text("utf-8")
    links = [unquote(link) for link in Links(page).links if not link.startswith("#")]
    assert links == ["mine.tsv.male.en/report.html", "mine.tsv.even.en/report.html"]  # P_S of 0, then of about 0.5
    assert all((tmp_path / "runs" / link).is_file() for link in links)
    assert page.count("Every rendering is valid and decided.") == 1
    assert "decided 40 of 40" not in page
    write(tmp_path, 'headline = "share_male:higher"\n' + HEAD + SYSTEMS)
    cli("run")
    page = (tmp_path / "runs" / "overview.html").read_text("utf-8")
    assert [link for link in Links(page).links if "report" in link] == [*reversed(links)]


def test_a_broken_limit_and_a_worse_run_fail_the_gate(cli: Cli, tmp_path: Path) -> None:
    limit = '[[limit]]\nmeasure = "P_S"\nmin = "30 %"\n[[limit]]\nmeasure = "share_male"\nmax = 1.0\n'
    write(tmp_path, HEAD + SYSTEMS + limit)
    done = cli("run")
    assert done.returncode == 1
    assert "FAILED  mine.tsv.male.en: P_S: 0 % is below the limit 30 %" in done.stdout
    assert done.stdout.splitlines()[-1] == "failed: evenhand.toml, 2 runs, 1 of 4 checks"
    kept = json.loads((tmp_path / "runs" / "gate.json").read_text("utf-8"))
    assert (kept["passed"], len(kept["checks"])) == (False, 4)
    (tmp_path / "runs").rename(tmp_path / "former")
    neutral = "p_female\tp_male\tp_neutral\n0\t0\t1\n"
    (tmp_path / "male.tsv").write_text(neutral)
    against = '[gate]\nagainst = "former"\nmeasures = ["P_S"]\n'
    write(tmp_path, HEAD + SYSTEMS + against)
    assert cli("run").returncode == 0
    (tmp_path / "former").rename(tmp_path / "first")
    (tmp_path / "runs").rename(tmp_path / "former")
    (tmp_path / "male.tsv").write_text(neutral.replace("0\t0\t1", "0\t1\t0"))
    worse = cli("run", "--format", "github")
    assert worse.returncode == 1
    assert "::error title=evenhand%3A mine.tsv.male.en%3A P_S::" in worse.stdout
    assert "gate failed" in (tmp_path / "runs" / "overview.html").read_text("utf-8")


def test_the_file_that_init_writes_runs_from_another_folder_and_is_not_replaced(cli: Cli, tmp_path: Path) -> None:
    place = tmp_path / "project"
    place.mkdir()
    for name in ("mine.tsv", "even.tsv"):
        shutil.move(tmp_path / name, place / name)
    file = Path("project") / "evenhand.toml"
    assert cli("init", file, "--system", "simulated:even.tsv", "--suite", "mine.tsv").returncode == 0
    done = cli("run", file)
    assert done.returncode == 0, done.stderr
    assert f"overview  {Path('project') / 'runs' / 'overview.html'}" in done.stdout
    assert (place / "runs" / "mine.tsv.simulated.en" / "report.html").is_file()
    again = cli("init", file)
    assert (again.returncode, again.stderr) == (2, f"evenhand: {file} already exists. Nothing was written.\n")


def test_every_key_that_init_comments_is_one_that_the_file_takes(cli: Cli, tmp_path: Path) -> None:
    cli("init", "--system", "simulated:even.tsv", "--suite", "mine.tsv")
    lines = (tmp_path / "evenhand.toml").read_text("utf-8").splitlines()
    key = re.compile(r"# (\[+\w+\]+$|\w+ = )")
    given = [line.removeprefix("# ") if key.match(line) else line for line in lines]
    write(tmp_path, "\n".join(given).replace('"us-2020"', "").replace('forms = "forms.tsv"', ""))
    done = cli("run")
    assert done.stderr.startswith("evenhand: evenhand.toml: system 1: a budget in money needs price_per_million")


def test_without_the_packages_for_pages_the_runs_and_the_gate_are_made(tmp_path: Path, cli: Cli) -> None:
    write(tmp_path, HEAD + SYSTEMS + '[[limit]]\nmeasure = "P_S"\nmin = "30 %"\n')
    code = "import sys; sys.modules['altair'] = sys.modules['jinja2'] = None; sys.argv = ['evenhand', 'run']; "
    code += "from evenhand.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "no overview: writing the overview needs an optional package" in done.stderr
    assert (tmp_path / "runs" / "gate.json").is_file()
    assert not (tmp_path / "runs" / "overview.html").exists()
