"""MT-GenEval as published (Currey et al. 2022): counterfactual sentences, and sentences with context.

The path names one English file, or a folder with files of one target language:
`.../geneval-sentences-feminine-test.en_de.en` (its masculine twin and the references lie beside it) or
`.../geneval-context-wikiprofessions-2to1-test.en_de.en` (with original and flipped references).
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.opening import text_lines
from evenhand.suites.suite import Grouping, Suite

_SENTENCES = re.compile(r"^geneval-sentences-(feminine|masculine)-(\w+)\.en_(\w+)\.en$")
_CONTEXT = re.compile(r"^geneval-context-(\w+)-2to1-(\w+)\.en_(\w+)\.en$")
_OTHER = {"feminine": "masculine", "masculine": "feminine"}
_GOLD = {"feminine": "female", "masculine": "male"}


def mtgeneval(path: Path) -> Suite:
    """A suite with two references a probe: `reference` has the right gender, `reference_other` the wrong one."""
    file = _english_file(path)
    counterfactual = _SENTENCES.match(file.name)
    contextual = _CONTEXT.match(file.name)
    if counterfactual:
        split, target = counterfactual.group(2), counterfactual.group(3)
        make, kind = (lambda: _sentences(file.parent, split, target)), "counterfactual"
    elif contextual:
        topic, split, target = contextual.groups()
        make, kind = (lambda: _with_context(file, topic, split, target)), "contextual"
    else:
        raise BadInput(f"{file}: not named like an MT-GenEval file (geneval-sentences-feminine-test.en_de.en)")
    return Suite(
        name=f"mtgeneval-{kind}-{split}-{target}",
        version="1.0",
        source_lang="en",
        kind="references",
        summary=f"MT-GenEval, {kind} {split} set, English to {target}",
        make=make,
        clusters=("pair",) if counterfactual else (),
        groupings=(Grouping("gold", column="gold"),) if counterfactual else (),
        measures=("reference_accuracy", "counterfactual_accuracy") if counterfactual else ("reference_accuracy",),
        targets=(target,),
        citation="Currey et al. 2022, MT-GenEval",
    )


def _english_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    named = [f for f in sorted(path.iterdir()) if _SENTENCES.match(f.name) or _CONTEXT.match(f.name)]
    choices = [f for f in named if "masculine" not in f.name]
    if len(choices) != 1:
        listed = (
            ", ".join(f.name for f in choices[:6]) or "none (they are named geneval-sentences-feminine-test.en_de.en)"
        )
        raise BadInput(f"{path}: name one English MT-GenEval file; this folder has {listed}")
    return choices[0]


def _sentences(folder: Path, split: str, target: str) -> pl.DataFrame:
    texts: dict[tuple[str, str], list[str]] = {}
    for gender in _OTHER:
        for language in ("en", target):
            texts[gender, language] = text_lines(folder / f"geneval-sentences-{gender}-{split}.en_{target}.{language}")
    lengths = {len(lines) for lines in texts.values()}
    if len(lengths) != 1:
        raise BadInput(
            f"{folder}: the four {split} files for {target} have different numbers of lines: {sorted(lengths)}"
        )
    rows = [
        {
            "id": f"{gender}-{n:04d}",
            "source": source,
            "source_lang": "en",
            "gold": _GOLD[gender],
            "pair": f"{n:04d}",
            "reference": texts[gender, target][n],
            "reference_other": texts[_OTHER[gender], target][n],
        }
        for gender in _OTHER
        for n, source in enumerate(texts[gender, "en"])
    ]
    return pl.DataFrame(rows)


def _with_context(file: Path, topic: str, split: str, target: str) -> pl.DataFrame:
    english = text_lines(file)
    stem = f"geneval-context-{topic}-{{}}-{split}.en_{target}.{target}"
    original = text_lines(file.with_name(stem.format("original")))
    flipped = text_lines(file.with_name(stem.format("flipped")))
    if not len(english) == len(original) == len(flipped):
        raise BadInput(
            f"{file}: {len(english)} sentences, {len(original)} original and {len(flipped)} flipped references"
        )
    rows = []
    for n, line in enumerate(english):
        context, separator, sentence = line.rpartition("<sep>")
        if not separator:
            raise BadInput.at(file, n + 1, "no <sep> between context and sentence")
        rows.append(
            {
                "id": f"context-{n:04d}",
                "source": sentence.strip(),
                "source_lang": "en",
                "context": context.strip(),
                "reference": original[n],
                "reference_other": flipped[n],
            }
        )
    return pl.DataFrame(rows)
