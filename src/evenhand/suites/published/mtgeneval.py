"""MT-GenEval as published (Currey et al. 2022): counterfactual sentences, and sentences with context. The path names
one English file (its twin and the references lie beside it), or a folder with files of one target language."""

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.opening import text_lines
from evenhand.suites.suite import Suite, designed

_SENTENCES = re.compile(r"^geneval-sentences-(feminine|masculine)-(\w+)\.en_(\w+)\.en$")
_CONTEXT = re.compile(r"^geneval-context-(\w+)-2to1-(\w+)\.en_(\w+)\.en$")
_OTHER = {"feminine": "masculine", "masculine": "feminine"}
_GOLD = {"feminine": "female", "masculine": "male"}


def mtgeneval(path: Path) -> Suite:
    """A suite with two references per probe: `reference` has the right gender, `reference_other` the wrong one."""
    file = _english_file(path)
    if match := _SENTENCES.match(file.name):
        _, split, target = match.groups()
        make, kind = (lambda: _sentences(file.parent, split, target)), "counterfactual"
    elif match := _CONTEXT.match(file.name):
        topic, split, target = match.groups()
        make, kind = (lambda: _with_context(file, topic, split, target)), "contextual"
    else:
        raise BadInput(f"{file}: not named like an MT-GenEval file (geneval-sentences-feminine-test.en_de.en)")
    name = f"mtgeneval-{kind}-{split}-{target}"
    return designed(f"mtgeneval-{kind}", make, split, target, name=name, targets=(target,))


def _english_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    names = [file.name for file in sorted(path.iterdir()) if _SENTENCES.match(file.name) or _CONTEXT.match(file.name)]
    choices = [name for name in names if "masculine" not in name]
    if len(choices) != 1:
        listed = ", ".join(choices[:6]) or "none (they are named geneval-sentences-feminine-test.en_de.en)"
        raise BadInput(f"{path}: name one English MT-GenEval file; this folder has {listed}")
    return path / choices[0]


def _sentences(folder: Path, split: str, target: str) -> pl.DataFrame:
    texts = {
        (gender, language): text_lines(folder / f"geneval-sentences-{gender}-{split}.en_{target}.{language}")
        for gender in _OTHER
        for language in ("en", target)
    }
    lengths = {len(lines) for lines in texts.values()}
    if len(lengths) != 1:
        raise BadInput(f"{folder}: the {split} files for {target} have different numbers of lines: {sorted(lengths)}")
    rows = [
        (f"{gender}-{n:04d}", source, _GOLD[gender], f"{n:04d}", texts[gender, target][n], texts[other, target][n])
        for gender, other in _OTHER.items()
        for n, source in enumerate(texts[gender, "en"])
    ]
    return _probes(rows, "id", "source", "gold", "pair", "reference", "reference_other")


def _with_context(file: Path, topic: str, split: str, target: str) -> pl.DataFrame:
    english = text_lines(file)
    stem = f"geneval-context-{topic}-{{}}-{split}.en_{target}.{target}"
    original, flipped = (text_lines(file.with_name(stem.format(side))) for side in ("original", "flipped"))
    if not len(english) == len(original) == len(flipped):
        raise BadInput(f"{file}: {len(english)} sentences, {len(original)} original, {len(flipped)} flipped references")
    rows = []
    for n, line in enumerate(english):
        context, separator, sentence = line.rpartition("<sep>")
        if not separator:
            raise BadInput.at(file, n + 1, "no <sep> between context and sentence")
        rows.append((f"context-{n:04d}", sentence.strip(), context.strip(), original[n], flipped[n]))
    return _probes(rows, "id", "source", "context", "reference", "reference_other")


def _probes(rows: Sequence[tuple[str, ...]], *columns: str) -> pl.DataFrame:
    table = pl.DataFrame(rows, schema=list(columns), orient="row")
    return table.insert_column(2, pl.lit("en").alias("source_lang"))
