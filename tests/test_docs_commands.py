"""Commands of README and docs are run exactly as written, in order, each page in a folder of its own.

A command stands in a `console` block. A file that is shown with `cat` is written first. A command that no test can run
says so to its reader, in a comment behind it that begins with `needs` (a key, a cluster, another shell) or `stays`
(until it is stopped). Paths under ../shared/data are read where that folder is at hand; without it these commands are
skipped.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tours import DOCS, blocks, linux_shell, shell_in

ROOT = DOCS.parent
PAGES = {page.name: page.read_text("utf-8") for page in sorted([ROOT / "README.md", *DOCS.glob("*.md")])}
#: Pages whose blocks a test of their own holds against every line that is printed.
TOURS = {"localisation.md": "tests/test_localisation_tour.py", "projects.md": "tests/test_projects_tour.py"}
SHARED = "../shared/data"
MARKED = re.compile(r"\s+# (needs|stays) \S+")
COMMAND = re.compile(
    r"^(?:    |\$ )?((?:source <\()?(?:evenhand|make|pip|python|ray|inspect|lm_eval) [^|].*)$", re.MULTILINE
)
FENCED = re.compile(r"^```\w*\n.*?^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}.*\n)+", re.MULTILINE)


def steps(page: str) -> list[tuple[str, list[str]]]:
    """Every command of the page's console blocks with the lines that stand under it."""
    listed: list[tuple[str, list[str]]] = []
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                listed.append((line.removeprefix("$ "), []))
            elif listed:
                listed[-1][1].append(line)
    return listed


def plain(text: str) -> str:
    """A line without its layout, and without the hash of a short signature, which changes with every word list."""
    return re.sub(r"\|d:[0-9a-f]{6}\b", "|d:", " ".join(text.split()))


RUN = [name for name, page in PAGES.items() if steps(page) and name not in TOURS]


@pytest.mark.slow
@linux_shell
@pytest.mark.parametrize("name", RUN)
def test_the_commands_of_a_page_do_what_the_page_says(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    folder = tmp_path / "here"
    folder.mkdir()
    shared, skipped = _shared(tmp_path, request), 0
    shell = shell_in(folder)
    for command, told in steps(PAGES[name]):
        verb, _, rest = command.partition(" ")
        if verb == "cat" and not (folder / rest).exists():
            (folder / rest).write_text("\n".join(told) + "\n", encoding="utf-8")
            continue
        if MARKED.search(command):
            assert not told, f"{command}: it is not run, so nothing can stand under it"
            continue
        if SHARED in command and not shared:
            skipped += 1
            continue
        done = shell(command)
        fails = any(line.startswith(("FAILED", "failed:")) for line in told)
        assert done.returncode == (1 if fails else 0), f"{command}\n{done.stdout}"
        printed = {plain(line) for line in done.stdout.splitlines()}
        missing = [line for line in told if line != "..." and plain(line) not in printed]
        assert not missing, f"{command}\n" + "\n".join(missing) + "\n\nit printed\n" + done.stdout
        shown = [plain(line) for line in told if line.strip()]
        if "..." not in shown and SHARED not in command:  # nothing left out: in the order in which it is printed
            lines = iter([plain(line) for line in done.stdout.splitlines()])
            assert all(line in lines for line in shown), f"{command}: the lines are in another order"
    if skipped:
        pytest.skip(f"{skipped} of the page's commands read {SHARED}, which is not at hand; the others were run")


def _shared(folder: Path, request: pytest.FixtureRequest) -> bool:
    """Lay the shared data where the pages have it, seen from the checkout; False where there is none."""
    try:
        data: Path = request.getfixturevalue("shared_data")
    except pytest.skip.Exception:
        return False
    (folder / "shared").mkdir()
    (folder / "shared" / "data").symlink_to(data, target_is_directory=True)
    return True


def loose(page: str) -> list[str]:
    """Commands of ours that stand in a block but in no console block, and that say no reason."""
    outside = FENCED.sub(lambda block: "" if block[0].startswith("```console") else block[0], page)
    parts = [*INDENTED.findall(FENCED.sub("", outside)), *FENCED.findall(outside)]
    found = [
        command for part in parts for command in COMMAND.findall(part) if command.startswith(("evenhand", "source"))
    ]
    return [command for command in found if not MARKED.search(command)]


@pytest.mark.parametrize("name", PAGES)
def test_every_command_is_run_or_tells_its_reader_why_not(name: str) -> None:
    assert loose(PAGES[name]) == [], f"write them into a console block of {name}, or say behind them what they need"


def test_a_command_that_is_neither_run_nor_marked_is_seen() -> None:
    assert loose("text\n\n    evenhand score RUN\n") == ["evenhand score RUN"]
    assert loose("```sh\nevenhand score RUN\n```\n") == ["evenhand score RUN"]
    assert loose("    evenhand serve RUN   # stays until stopped\n") == []
    assert loose("```console\n$ evenhand score RUN\n```\n") == []


@pytest.mark.parametrize("name", PAGES)
def test_what_is_made_and_started_beside_evenhand_exists(name: str) -> None:
    """`make TARGET` and `python -m MODULE` are too long for a test, or install things: what they name is there."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for asked in re.findall(r"(?:^    |`|^\$ )make ([\w-]+)", PAGES[name], re.MULTILINE):
        assert asked in targets, f"make {asked}"
    for module in re.findall(r"python -m ((?:benchmarks|builders)[\w.]*)", PAGES[name]):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").is_file() or place.is_dir(), module
    for script in re.findall(r"python ((?:benchmarks|builders|examples)/[\w/.]+\.py)", PAGES[name]):
        assert (ROOT / script).is_file(), script


def test_the_tours_are_there() -> None:
    assert [path for path in TOURS.values() if not (ROOT / path).exists()] == []
