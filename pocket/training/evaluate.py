# ruff: noqa: T201
"""How good a pair of translators is: BLEU and chrF on the held-out sentences, speed, and occupations to read.

    python evaluate.py --heldout mt/heldout                          the shipped models
    python evaluate.py --heldout mt/heldout --models NEW --occupations occupations.tsv

`--models` is a folder with `out` and `into`; a language that a model has no tag for is left out. `--occupations` writes
"The X is here." for Troles & Schmid's 100 occupations in every language, with a mark where a form that Evenhand's
tables list for the occupation is in the answer: a help for the one who reads them, no judgement.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from pathlib import Path

import sacrebleu
from evenhand_pocket.models import FOLDER
from evenhand_pocket.translate import Model
from prepare import INTO_ENGLISH, OUT_OF_ENGLISH, read_pairs
from titles import GRAMMAR, table


def knows(folder: Path, language: str) -> bool:
    return f'">>{language}<<"' in (folder / "shared_vocabulary.json").read_text("utf-8")


def quality(model: Model, name: str, languages: Sequence[str], files: str, limit: int | None) -> None:
    for language in languages:
        english, other = read_pairs(Path(files.format(language)), limit)
        source, wanted = (english, other) if name == "out" else (other, english)
        clock, cpu = time.time(), time.process_time()
        made = model.translate(source, f">>{language}<<" if name == "out" else "")
        clock, cpu = time.time() - clock, (time.process_time() - cpu) / 2
        bleu, chrf = sacrebleu.corpus_bleu(made, [wanted]).score, sacrebleu.corpus_chrf(made, [wanted]).score
        pair = f"en-{language}" if name == "out" else f"{language}-en"
        print(
            f"{pair}\t{len(made)} sentences\tBLEU {bleu:.1f}\tchrF {chrf:.1f}\tbeam {model.beam}"
            f"\t{len(made) / clock:.0f}/s by the clock, {len(made) / cpu:.0f}/s by CPU time of two cores",
            flush=True,
        )


def listed(grammar: Path, language: str) -> dict[str, set[str]]:
    """Every form of each occupation in Evenhand's tables, in lower case."""
    found: dict[str, set[str]] = {}
    for row in table(grammar / GRAMMAR[language] / "occupations.tsv"):
        concept, *cells = row.split("\t")
        found[concept] = {form.lower() for cell in cells[:3] for form in cell.split("|") if form}
    return found


def occupations(model: Model, languages: Sequence[str], words: Path, grammar: Path, out: Path) -> None:
    names = [row.split("\t")[1] for row in table(words)]
    lines = ["language\toccupation\trendering\tlisted\n"]
    for language in languages:
        forms = listed(grammar, language)
        made = model.translate([f"The {name} is here." for name in names], f">>{language}<<")
        marks = [
            any(re.search(rf"\b{re.escape(form)}", text.lower()) for form in forms.get(name, ()))
            for name, text in zip(names, made, strict=True)
        ]
        lines += [f"{language}\t{n}\t{m}\t{int(k)}\n" for n, m, k in zip(names, made, marks, strict=True)]
        print(f"occupations in {language}: {sum(marks)} of {len(names)} with a listed form", flush=True)
    out.write_text("".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heldout", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=FOLDER)
    parser.add_argument("--beam", type=int, default=0, help="0: each model's own")
    parser.add_argument("--language", nargs="+", help="these alone")
    parser.add_argument("--split", choices=["test", "dev"], default="test")
    parser.add_argument("--limit", type=int, help="sentences a language")
    parser.add_argument("--occupations", type=Path)
    parser.add_argument("--grammar", type=Path, default=Path(__file__).parents[2] / "src/evenhand/grammar")
    arguments = parser.parse_args()
    wanted = set(arguments.language or (*OUT_OF_ENGLISH, *INTO_ENGLISH))
    out, into = (Model(arguments.models / name, beam=arguments.beam, threads=2) for name in ("out", "into"))
    languages = [language for language in OUT_OF_ENGLISH if language in wanted and knows(out.folder, language)]
    if arguments.occupations:
        words = arguments.grammar.parent / "suites/occupations/occupations.tsv"
        occupations(out, languages, words, arguments.grammar, arguments.occupations)
    files = f"{arguments.heldout}/{arguments.split}.{{}}.tsv"
    quality(out, "out", languages, files, arguments.limit)
    quality(into, "into", [x for x in INTO_ENGLISH if x in wanted], files, arguments.limit)


if __name__ == "__main__":
    main()
