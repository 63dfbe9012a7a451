"""Where the model files lie, and which of them translates what. Weights only: nothing in these files is executed."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).with_name("data")
OUT_OF_ENGLISH = ("de", "es", "fr", "ru", "it", "pt", "nl", "pl", "cs", "uk", "ro")
INTO_ENGLISH = ("hu", "fi", "tr", "ja", "id", "fa", "et")
BEAMS = {"out": 3, "into": 4}  # the widest that still give 150 short sentences per second on two cores


def directions() -> list[tuple[str, str]]:
    """(source, target) of every direction there is."""
    return [("en", target) for target in OUT_OF_ENGLISH] + [(source, "en") for source in INTO_ENGLISH]


def translator(source: str, target: str) -> tuple[Path, str] | None:
    """The model's folder and the piece that names the target language (empty where it knows only one)."""
    if source == "en" and target in OUT_OF_ENGLISH:
        return FOLDER / "out", f">>{target}<<"
    if target == "en" and source in INTO_ENGLISH:
        return FOLDER / "into", ""
    return None


def masked_lm() -> Path:
    """The folder with model.onnx and tokenizer.json of the English masked language model."""
    return FOLDER / "mlm"
