"""Commands of README and docs are run exactly as written; those that are not are named here, with the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tours import DOCS, blocks, linux_shell, shell_in

from evenhand.cli.main import VERBS

ROOT = DOCS.parent
PAGES = {page.name: page for page in sorted([ROOT / "README.md", *DOCS.glob("*.md")])}
#: Pages whose `console` blocks are run here, in order, each in a folder of its own.
RUN = (
    "README.md",
    "quickstart.md",
    "systems.md",
    "report.md",
    "own-data.md",
    "planning.md",
    "embeddings.md",
    "studies.md",
)
#: Pages that a test of their own runs.
ELSEWHERE = {
    "localisation.md": "tests/test_localisation_tour.py",
    "projects.md": "tests/test_projects_tour.py",
    "speaker.md": "tests/test_speaker_page.py",
    "corpus.md": "tests/corpus",
    "mend.md": "tests/mend",
    "exchange.md": "tests/report/test_exchange.py",
    "board.md": "tests/report/test_board.py",
    "mining.md": "tests/mining",
}
#: Commands of the pages in RUN that no test can run as written, by how they start.
NOT_RUN = {
    "evenhand completion": "for a shell's start-up file; tests/cli/test_completion.py runs the scripts",
    "evenhand serve": "serves until it is stopped; tests/report/test_browser.py does",
    "evenhand mine": "placeholders; tests/mining",
    "evenhand embeddings": "needs vector files of the user's; tests/embeddings/test_cli.py",
    "evenhand compare results/es": "needs the results of other vectors",
    "evenhand report results/es": "needs the result of vectors",
}
INDENTED = re.compile(r"^    (?:\$ )?((?:source <\()?evenhand [a-z].*)$", re.MULTILINE)


def steps(page: str) -> list[tuple[str, list[str]]]:
    """Every command of the page's console blocks with the lines that stand under it."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            elif found:
                found[-1][1].append(line)
    return found


def plain(text: str) -> str:
    return " ".join(text.split())


@linux_shell
@pytest.mark.parametrize("name", RUN)
def test_the_commands_of_a_page_do_what_the_page_says(name: str, tmp_path: Path) -> None:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    shell = shell_in(tmp_path)
    for command, told in steps(PAGES[name].read_text("utf-8")):
        verb, _, rest = command.partition(" ")
        if verb == "cat" and not (tmp_path / rest).exists():
            (tmp_path / rest).write_text("\n".join(told) + "\n", encoding="utf-8")
            continue
        done = shell(command)
        fails = any(line.startswith(("FAILED", "failed:")) for line in told)
        assert done.returncode == (1 if fails else 0), f"{command}\n{done.stdout}"
        printed = {plain(line) for line in done.stdout.splitlines()}
        missing = [line for line in told if line != "..." and plain(line) not in printed]
        assert not missing, f"{command}\n" + "\n".join(missing) + "\n\nit printed\n" + done.stdout


@pytest.mark.parametrize("name", PAGES)
def test_a_command_is_run_here_or_elsewhere_or_has_a_reason(name: str) -> None:
    loose = INDENTED.findall(PAGES[name].read_text("utf-8"))
    unexplained = [line for line in loose if not any(start in line for start in NOT_RUN)]
    assert name in ELSEWHERE or not unexplained, f"write them into a console block of {name}: {unexplained}"
    if steps(PAGES[name].read_text("utf-8")):
        assert name in RUN or name in ELSEWHERE


def test_the_tests_that_run_pages_elsewhere_are_there_and_reasons_are_of_verbs() -> None:
    assert [path for path in ELSEWHERE.values() if not (ROOT / path).exists()] == []
    assert {start.split()[1] for start in NOT_RUN} <= set(VERBS)
