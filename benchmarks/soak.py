"""The long form of tests/faults: kills, an explorer of a million rows, fuzz over every reader, detector and mender.

    python benchmarks/soak.py [--minutes 10] [--kills 50] [--structures 20000] [--no-explorer] [--seed N]
        [--page docs/threats.md]

Prints a table of what was done, how long it took and how much memory it came to hold, writes it into the page, and ends
with 1 when something broke. What breaks a reader is kept in tests/faults/kept/, where a test reads it again for ever.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import platform
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from benchmarks.fuzzing import mutated, restructured, sentence
from benchmarks.ratios import put
from lxml import etree
from tests.faults.doors import DOORS
from tests.faults.judges import Judge, judges
from tests.faults.samples import samples
from translate.storage import pypo

from evenhand._version import __version__
from evenhand.errors import EvenhandError
from evenhand.languages import known
from evenhand.readers.catalogue import UnitNote
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue
from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "faults" / "kept"
LONGEST = 20  # seconds that one small input may take
LONGEST_MESSAGE = 4_100
BATCH = 50  # sentences a judge gets at once
MOST_KEPT = 20  # inputs of one soak: the same fault comes again and again
HEAD = ["| part | what | seconds | processor s | MiB |", "|---|---|--:|--:|--:|"]
Line = tuple[str, str, float, float, int]


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def held() -> float:
    """MiB this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def told(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip()[:200]


class Broken(list[str]):
    """What broke, each fault once: the same one by the next input says nothing new."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def add(self, where: str, error: BaseException) -> bool:
        """True when a fault of this kind was not met there before."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        key = f"{where} {type(error).__name__} {last[0].filename if last else ''}:{last[0].lineno if last else 0}"
        self.seen[key] += 1
        if self.seen[key] > 1:
            return False
        self.append(f"{where}: {told(error)}")
        return True


def fuzz_readers(seconds: float, dice: random.Random, broken: Broken) -> Line:
    began, spent, number = time.monotonic(), time.process_time(), 0
    whole = samples()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - began < seconds:
            door = dice.choice(list(DOORS))  # by door, not by file: some take one format, some ten
            chosen = dice.choice([sample for sample in whole if sample.door == door])
            content = mutated(chosen.content, dice)
            path = Path(folder) / f"input{chosen.suffix}"
            path.write_bytes(content)
            number += 1
            try:
                with limited(LONGEST):
                    DOORS[door](path)
            except EvenhandError as error:
                if len(str(error)) > LONGEST_MESSAGE:
                    broken.add(door, ValueError(f"a message of {len(str(error)):,} characters"))
            except BaseException as error:
                # a panic of a library in another language is no Exception
                if isinstance(error, KeyboardInterrupt | SystemExit):
                    raise
                if broken.add(f"{door} {chosen.suffix}", error) and len(broken) <= MOST_KEPT:
                    kept = KEPT / f"{hashlib.sha256(content).hexdigest()[:12]}{chosen.suffix}"
                    kept.write_bytes(content)
                    broken[-1] = f"{kept.relative_to(ROOT)}: {broken[-1]}"
    count = f"{number:,} files through {len(DOORS)} doors"
    return "fuzz: readers", count, time.monotonic() - began, time.process_time() - spent, int(held())


SECOND = (
    "strings", "probes", "translations", "pairs", "parallel text", "text", "reference", "references add",
    "project file", "plan file", "calibration", "forms", "labels", "manifest", "tsv",
)  # fmt: skip


def fuzz_structures(count: int, dice: random.Random, broken: Broken) -> Line:
    """The second set of mutators: 2 s per 100 kB, 500 MB, and notes that another parser can read."""
    began, spent = time.monotonic(), time.process_time()
    whole = samples()
    doors = {door: [sample for sample in whole if sample.door == door] for door in SECOND}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            door = SECOND[number % len(SECOND)]
            chosen = dice.choice(doors[door])
            content = restructured(chosen.content, chosen.suffix, dice)
            path = Path(folder) / f"input{chosen.suffix}"
            path.write_bytes(content)
            try:
                with limited(LONGEST):
                    begin = time.process_time()
                    try:
                        DOORS[door](path)
                        if door == "strings":
                            noted_for_others(path)
                    except EvenhandError as error:
                        if len(str(error)) > LONGEST_MESSAGE:
                            raise ValueError(f"a message of {len(str(error)):,} characters") from error
                    most = 2 * max(1, len(content) / 100_000)
                    if time.process_time() - begin > most:
                        raise TimeoutError(f"more than {most:g} s of processor")
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt | SystemExit):
                    raise
                if broken.add(f"{door} {chosen.suffix}", error) and len(broken) <= MOST_KEPT:
                    kept = KEPT / f"{hashlib.sha256(content).hexdigest()[:12]}{chosen.suffix}"
                    kept.write_bytes(content)
                    broken[-1] = f"{kept.relative_to(ROOT)}: {broken[-1]}"
    most_held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if most_held > 500:
        broken.append(f"fuzz: structures held {most_held} MiB")
    what = f"{count:,} files through {len(SECOND)} doors"
    return "fuzz: structures", what, time.monotonic() - began, time.process_time() - spent, most_held


def noted_for_others(path: Path) -> None:
    """Notes on every string; what another parser could read before, it must read after."""
    opened = open_catalogue(UserFile(path))
    if not opened.units or opened.beside or not read_by_others(path.suffix, path.read_bytes()):
        return
    note = UnitNote("open", 'nurse: the translation says <male> & "female"')
    written = opened.annotated({number: [note] for number in range(len(opened.units))})
    if not read_by_others(path.suffix, written):
        raise ValueError("another parser refuses what was written")


def read_by_others(suffix: str, content: bytes) -> bool:
    """Whether a parser that is not ours reads this: lxml, translate-toolkit, the json and csv modules."""
    try:
        if suffix in (".xlf", ".xliff", ".tmx"):
            etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
        elif suffix in (".po", ".pot"):
            pypo.pofile.parsestring(content)
        elif suffix == ".jsonl":
            for line in content.decode("utf-8-sig").split("\n"):
                json.loads(line or "0")
        elif suffix in (".csv", ".tsv"):
            list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter="," if suffix == ".csv" else "\t"))
    except Exception:  # whatever the other parser's own faults are
        return False
    return True


def words_of(code: str) -> list[str]:
    """Forms that the language's own table lists, and words for persons of English."""
    grammar, folder = ROOT / "src" / "evenhand" / "grammar", known()[code].nouns
    table = rows(grammar / folder / "occupations.tsv") if folder else ()
    forms = [word for row in table for cell in row.values() for word in cell.replace("|", " ").split()]
    return [*forms[:2_000], "nurse", "doctor", "she", "he", "they", "the", "is", "la", "der", "el", "я", "jsem"]


def fuzz_judges(seconds: float, dice: random.Random, broken: Broken) -> Line:
    began, spent, number = time.monotonic(), time.process_time(), 0
    every = judges()
    words = {code: words_of(code) for code, _ in every.values()}
    while time.monotonic() - began < seconds:
        for name, (code, judge) in every.items():
            pairs = pl.DataFrame(
                {
                    "id": [str(n) for n in range(BATCH)],
                    "source": [f"The nurse {sentence(dice, words[code])}" for _ in range(BATCH)],
                    "rendering": [sentence(dice, words[code]) for _ in range(BATCH)],
                    "focus_start": [4] * BATCH,
                    "focus_end": [9] * BATCH,
                }
            )
            number += pairs.height
            try:
                with limited(10 * LONGEST):
                    judge(pairs)
            except Exception as error:
                if broken.add(name, error) and len(broken) <= MOST_KEPT:
                    keep_rendering(pairs, judge)
            if time.monotonic() - began >= seconds:
                break
    count = f"{number:,} sentences, {len(every)} detectors and menders in one process"
    return "fuzz: judges", count, time.monotonic() - began, time.process_time() - spent, int(held())


def keep_rendering(pairs: pl.DataFrame, judge: Judge) -> None:
    """The first row that breaks the judge by itself goes to the kept ones."""
    for row in pairs.iter_slices(1):
        try:
            with limited(LONGEST):
                judge(row)
        except Exception:
            with (KEPT / "renderings.txt").open("a", encoding="utf-8", errors="replace") as file:
                file.write(" ".join(row["rendering"][0].splitlines()) + "\n")
            return


def apart(what: str, count: str, command: list[str], broken: Broken, **environment: str) -> Line:
    """A part that runs in a process of its own; its time and the memory it came to hold are the kernel's figures."""
    began = time.monotonic()
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths, **environment})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        broken.append(f"{what}: ended with {process.returncode}")
    return what, count, time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def table_of(lines: list[Line], broken: Broken, seed: int) -> list[str]:
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    about = f"Evenhand {__version__}, {day}, seed {seed}, Python {platform.python_version()}, {os.cpu_count()} cores."
    shown = [f"| {what} | {n} | {clock:.0f} | {spent:.1f} | {size:,} |" for what, n, clock, spent, size in lines]
    return [f"{about} {len(broken) or 'Nothing'} broke.", "", *HEAD, *shown]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="of fuzz, half for readers, half for judges")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--structures", type=int, default=20_000, help="files of the second set of mutators")
    parser.add_argument("--no-explorer", action="store_true")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "threats.md")
    options = parser.parse_args()
    dice, broken, lines = random.Random(options.seed), Broken(), list[Line]()
    print(f"seed {options.seed}", flush=True)
    # processes of their own first: what the kernel tells of them begins with what this one holds
    if options.kills:
        kills = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        kills += ["tests/faults/test_kills.py", "tests/faults/test_killed_verbs.py"]
        lines.append(
            apart(
                "kills",
                f"{options.kills} SIGKILLs of the dispatcher, {options.kills} of whole commands",
                kills,
                broken,
                EVENHAND_KILLS=str(options.kills),
            )
        )
    if not options.no_explorer:
        explorer = [sys.executable, "benchmarks/bench_serve.py"]
        lines.append(apart("explorer", "11 pages over two runs of 1,000,000 renderings", explorer, broken))
    if options.structures:
        lines.append(fuzz_structures(options.structures, dice, broken))
        print(f"{lines[-1][0]}: done, {len(broken)} broken", flush=True)
    for part in () if not options.minutes else (fuzz_readers, fuzz_judges):
        lines.append(part(options.minutes * 30, dice, broken))
        print(f"{lines[-1][0]}: done, {len(broken)} broken", flush=True)
    table = table_of(lines, broken, options.seed)
    put(options.page, "soak", table)
    print("\n".join(["", *table, "", *broken]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
