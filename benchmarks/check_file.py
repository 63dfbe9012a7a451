"""Speed of check-file: a PO file of 100,000 different strings, read, searched for persons, judged and written back.

    python benchmarks/check_file.py [--data ../shared/data] [--strings 100000] [--persons 0.5] [--workers 2]
    python benchmarks/check_file.py --catalogues de/*.po      # the German strings of these instead

The strings that name persons are WinoMT's (two persons each, about 13 words) as translated into German by Google, each
with a number of its own; the others are short and name nobody. The floor is 100,000 strings of catalogues, of which
about one in seven names a person, in 20 s on two cores; on a busy machine, read the seconds of processor.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks.ratios import figure

import evenhand
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FLOOR = 100_000 / 20  # strings of catalogues a second


def written(data: Path, strings: int, share: float) -> str:
    """The PO file's text; strings with and without persons take turns."""
    lines = (data / "winomt/translations/google/en-de.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    entries = ['msgid ""\nmsgstr "Language: de\\n"\n']
    for n in range(strings):
        if int(n * share) < int((n + 1) * share):
            source, target = (text.replace('"', "'") for text in pairs[n % len(pairs)])
        else:
            source, target = "Save <b>%s</b> before it is closed?", "<b>%s</b> vor dem Schließen sichern?"
        entries.append(f'#: a.c:{n}\n#, c-format\nmsgid "{n}: {source}"\nmsgstr "{n}: {target}"\n')
    return "\n".join(entries)


def collected(paths: list[Path], strings: int) -> str:
    """The PO file's text, of the translated strings of other files."""
    opened = (unit for path in paths for unit in open_catalogue(UserFile(path)).units if not unit.pending)
    entries = ['msgid ""\nmsgstr "Language: de\\n"\n']
    for n, unit in enumerate(islice(opened, strings)):
        source, target = (json.dumps(text, ensure_ascii=False) for text in (unit.source, unit.rendering))
        entries.append(f'msgctxt "{n}"\nmsgid {source}\nmsgstr {target}\n')
    return "\n".join(entries)


def seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--strings", type=int, default=100_000)
    parser.add_argument("--persons", type=float, default=0.5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--catalogues", type=Path, nargs="+", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "de.po"
        made = collected(options.catalogues, options.strings) if options.catalogues else ""
        path.write_text(made or written(options.data, options.strings, options.persons), encoding="utf-8")
        before = time.perf_counter()
        checked = evenhand.check_file(path, workers=options.workers)
        judged = time.perf_counter()
        checked.write(path)
        took = time.perf_counter() - before
    processor = seconds(resource.RUSAGE_SELF) + seconds(resource.RUSAGE_CHILDREN)
    rate, last = checked.strings / took, took - (judged - before)
    print(
        f"{checked.strings:,} strings, {checked.persons.height:,} persons: {took:.1f} s, written back in {last:.1f} s"
    )
    measured = f"{rate:,.0f} strings a second, {processor:.1f} s of processor"
    figure(f"check-file, {checked.strings:,} strings, {options.workers} processes", measured, f"{FLOOR:,.0f}")


if __name__ == "__main__":
    main()
