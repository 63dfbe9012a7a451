"""Suites with names that were chosen to do harm, as a stranger might send them."""

from __future__ import annotations

from pathlib import Path

import evenhand
from evenhand.results.runs import Run
from evenhand.workflows.settings import Settings

META = '"><meta http-equiv="refresh" content="0;url=http://evil.example/">'
SCRIPT = "<script>document.title='gone'</script>"
IMAGE = "<img src=http://evil.example/x onerror=\"document.title='gone'\">"
NAMES = [META, SCRIPT, IMAGE, "a/b", "../../x", "a\\b", "CON", "a b", "a-b", "{{ 7*7 }}", "row0", "key", "é" * 200]
SETTINGS = Settings(resamples=100)


def answer(texts: list[str]) -> list[str]:
    return [f"{'She' if n % 3 == 0 else 'He'} is number {n}." for n, _ in enumerate(texts)]


def suite_of(path: Path, **columns: list[str]) -> Path:
    """Forty Hungarian probes with further columns, as a user would write them."""
    rows = {"id": [f"p{n:02d}" for n in range(40)], "source": [f"Ő a {n}. orvos." for n in range(40)]}
    rows |= {"source_lang": ["hu"] * 40, "concept": [f"concept{n // 2}" for n in range(40)], **columns}
    lines = ["\t".join(rows), *("\t".join(cells) for cells in zip(*rows.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def hostile_names(folder: Path, output: Path | None = None) -> Run:
    """A run in which every place where a name can stand holds a hostile one: file, ids, columns, groups, words."""
    columns = {name: [f"{name}1", f"{name}2"] * 20 for name in NAMES}
    words = {"id": [f"{n}{IMAGE}" for n in range(40)], "concept": [f"{n // 2}{SCRIPT}{META}" for n in range(40)]}
    suite = suite_of(folder / f"{SCRIPT.replace('/', '')}.tsv", **words, **columns)
    memory = folder / "memory.sqlite"
    return evenhand.audit(suite, answer, target="en", memory=memory, output=output, settings=SETTINGS)
