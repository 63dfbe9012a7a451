"""The long form of tests/faults: kills, fuzz over every reader and detector, an explorer of a million rows.

    python benchmarks/soak.py [--minutes 10] [--kills 50] [--no-explorer] [--seed N]

Prints a table of what was done, how long it took and how much memory it came to hold, and ends with 1 when something
broke. What breaks a reader is kept in tests/faults/kept/, where a test reads it again for ever.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from benchmarks.fuzzing import mutated, samples, sentence

from evenhand.detect import Detector, open_detector
from evenhand.detect.pronouns import RULES
from evenhand.errors import EvenhandError
from evenhand.languages import known
from evenhand.readers.layout import Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import chosen, read
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system
from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "faults" / "kept"
LONGEST = 20  # seconds that one small input may take
LONGEST_MESSAGE = 3_000
PAIRS = Layout("pair", (Column("source"), Column("rendering", ("translation", "target", "text"), given=True)))
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


def read_any(path: Path) -> None:
    """The doors a user's file comes in by: probes, translations, pairs."""
    doors: tuple[Callable[[], object], ...] = (
        lambda: load_suite(path).probes,
        lambda: open_system(f"file:{path}"),
        lambda: read(UserFile(path), PAIRS, format=chosen(UserFile(path), otherwise="lines", guess=True)),
    )
    for door in doors:
        try:
            door()
        except EvenhandError as error:
            if len(str(error)) > LONGEST_MESSAGE:
                raise ValueError(f"a message of {len(str(error)):,} characters") from error


def fuzz_readers(seconds: float, dice: random.Random, broken: list[str]) -> Line:
    began, spent, number = time.monotonic(), time.process_time(), 0
    whole = samples()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - began < seconds:
            suffix = dice.choice(list(whole))
            content = mutated(whole[suffix], dice)
            path = Path(folder) / f"input{suffix}"
            path.write_bytes(content)
            number += 1
            try:
                with limited(LONGEST):
                    read_any(path)
            except Exception as error:
                kept = KEPT / f"{hashlib.sha256(content).hexdigest()[:12]}{suffix}"
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(content)
                broken.append(f"{kept.relative_to(ROOT)}: {traceback.format_exception_only(error)[-1].strip()[:200]}")
            except BaseException as error:
                # a panic of a library in another language is no Exception
                if isinstance(error, KeyboardInterrupt | SystemExit):
                    raise
                broken.append(f"{suffix} {content[:80]!r}: {type(error).__name__}")
    return "fuzz: readers", f"{number:,} files", time.monotonic() - began, time.process_time() - spent, int(held())


def targets() -> list[tuple[str, str]]:
    """Every detector by kind and target language."""
    nouns = [("nouns", code) for code, language in known().items() if language.nouns]
    return [*nouns, *(("pronouns", code) for code, rule in RULES if rule == "evenhand")]


def words_of(code: str) -> list[str]:
    """Forms that the language's own table lists, and words for persons of English."""
    path = ROOT / "src" / "evenhand" / "detect" / "forms" / f"{known()[code].nouns}.tsv"
    forms = [w for row in rows(path) for cell in row.values() for w in cell.split()] if path.is_file() else []
    return [*forms[:2_000], "nurse", "doctor", "she", "he", "they", "the", "is", "la", "der", "el"]


def fuzz_detectors(seconds: float, dice: random.Random, broken: list[str]) -> Line:
    began, spent, number = time.monotonic(), time.process_time(), 0
    every = targets()
    while time.monotonic() - began < seconds:
        for kind, code in every:
            source = "en" if kind == "nouns" else "eu"
            detector = open_detector(kind, source=source, target=code)  # type: ignore[arg-type]
            words = words_of(code)
            pairs = pl.DataFrame(
                {
                    "id": [str(n) for n in range(200)],
                    "source": [f"The nurse {sentence(dice, words)}" for _ in range(200)],
                    "rendering": [sentence(dice, words) for _ in range(200)],
                    "focus_start": [4] * 200,
                    "focus_end": [9] * 200,
                }
            )
            number += pairs.height
            try:
                with limited(10 * LONGEST):
                    check_verdicts(pairs, detector.detect(pairs))
            except Exception as error:
                broken.append(f"{kind} {code}: {traceback.format_exception_only(error)[-1].strip()[:300]}")
                keep_rendering(pairs, detector)
            if time.monotonic() - began >= seconds:
                break
    count = f"{number:,} rows, {len(every)} detectors"
    return "fuzz: detectors", count, time.monotonic() - began, time.process_time() - spent, int(held())


def keep_rendering(pairs: pl.DataFrame, detector: Detector) -> None:
    """The first row that breaks the detector by itself goes to the kept ones."""
    for row in pairs.iter_slices(1):
        try:
            with limited(LONGEST):
                check_verdicts(row, detector.detect(row))
        except Exception:
            with (KEPT / "renderings.txt").open("a", encoding="utf-8", errors="replace") as file:
                file.write(" ".join(row["rendering"][0].splitlines()) + "\n")
            return


def check_verdicts(pairs: pl.DataFrame, verdicts: pl.DataFrame) -> None:
    """A verdict a row, in order, with evidence that stands where it is said to stand."""
    assert verdicts.height == pairs.height
    assert verdicts["gender"].is_in(["female", "male", "neutral", "both", "unknown"]).all()
    places = zip(pairs["rendering"], verdicts["evidence_start"], verdicts["evidence_end"], strict=True)
    assert all(start is None or 0 <= start < end <= len(text) for text, start, end in places)


def apart(what: str, count: str, command: list[str], broken: list[str], **environment: str) -> Line:
    """A part that runs in a process of its own; its time and the memory it came to hold are the kernel's figures."""
    began = time.monotonic()
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths, **environment})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        broken.append(f"{what}: ended with {process.returncode}")
    return what, count, time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="of fuzz, half for readers, half for detectors")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--no-explorer", action="store_true")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    dice, broken, lines = random.Random(options.seed), [], []  # type: ignore[var-annotated]
    print(f"seed {options.seed}", flush=True)
    # processes of their own first: what the kernel tells of them begins with what this one holds
    if options.kills:
        kills = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/faults/test_kills.py"]
        lines.append(apart("kills", f"{options.kills} SIGKILLs", kills, broken, EVENHAND_KILLS=str(options.kills)))
    if not options.no_explorer:
        explorer = [sys.executable, "benchmarks/bench_serve.py"]
        lines.append(apart("explorer", "1,000,000 renderings", explorer, broken))
    for part in (fuzz_readers, fuzz_detectors):
        lines.append(part(options.minutes * 30, dice, broken))
        print(f"{lines[-1][0]}: done, {len(broken)} broken", flush=True)
    print(f"\n{'part':18}{'what':34}{'seconds':>9}{'cpu s':>9}{'MiB':>8}")
    for what, count, clock, spent, size in lines:
        print(f"{what:18}{count:34}{clock:9.1f}{spent:9.1f}{size:8,}")
    print("\n".join(["", f"{len(broken)} broken", *broken]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
