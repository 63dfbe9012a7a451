"""Texts with a known truth, spoilt in ways that happen: an error or a remark with its share, never a sure number."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.corpus.test_corpus import ONE, as_tsv, audited

from evenhand.corpus.estimates import Estimator, Tallied
from evenhand.errors import BadInput
from evenhand.gender import GENDERS
from evenhand.measures.definitions.gendered import TFG
from evenhand.report.pages.kinds import shown
from evenhand.workflows.corpus import Audited, corpus

WORDS = {
    "doctor": ("Ärztin", "Arzt"),
    "teacher": ("Lehrerin", "Lehrer"),
    "baker": ("Bäckerin", "Bäcker"),
    "lawyer": ("Anwältin", "Anwalt"),
    "singer": ("Sängerin", "Sänger"),
    "painter": ("Malerin", "Maler"),
}
DONE = (
    ("opened the window", "öffnete das Fenster"),
    ("waited for the last train", "wartete auf den letzten Zug"),
    ("bought some fresh bread", "kaufte frisches Brot"),
    ("left the house too early", "verließ zu früh das Haus"),
)
Pairs = list[tuple[str, str]]


def truth(lines: int = 240, women: float = 0.25) -> Pairs:
    """Persons of whom every fourth is a woman; each pair has a number, so that none is there twice."""
    dice = random.Random(3)
    pairs = []
    for number in range(lines):
        word, (english, german) = dice.choice(sorted(WORDS)), dice.choice(DONE)
        female = number % round(1 / women) == 0
        name = f"Die {WORDS[word][0]}" if female else f"Der {WORDS[word][1]}"
        pairs.append((f"The {word} {english}, says letter {number}.", f"{name} {german}, sagt Brief {number}."))
    return pairs


def german_only(pairs: Pairs) -> Pairs:
    return [(target, target) for _, target in pairs]


def turned(pairs: Pairs) -> Pairs:
    return [(target, source) for source, target in pairs]


def shifted(pairs: Pairs, share: float = 1.0) -> Pairs:
    """Every target that of the line before, for a share of the lines that are neighbours."""
    return [(s, pairs[n - 1][1] if n % 100 < 100 * share else t) for n, (s, t) in enumerate(pairs)]


def escaped(pairs: Pairs) -> Pairs:
    names = {"ä": "&auml;", "ö": "&ouml;", "ü": "&uuml;", "Ä": "&#196;", "ß": "&#xDF;"}
    return [(s, "".join(names.get(letter, letter) for letter in t)) for s, t in pairs]


def remarks(audit: Audited) -> list[str]:
    return [note for note in audit.findings.manifest.notes if "processor" not in note]


def outcome(audit: Audited) -> object:
    return shown(audit.findings).answer.outcome


def test_a_sound_text_has_its_share_and_no_remark(tmp_path: Path) -> None:
    audit = audited(as_tsv(tmp_path / "text.tsv", truth()), tmp_path / "out", block=20)
    assert remarks(audit) == []
    assert outcome(audit) == "text, fewer women"
    row = audit.findings.estimates.filter(measure="TFG", group="source", level="open").row(0, named=True)
    assert row["value"] == pytest.approx(0.25)
    assert row["n"] == 240


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (turned, "only 0 of 240 pairs are translations between these languages (another language 240)"),
        (german_only, "120 of 120 sources that were looked at (100 %) are not in English"),
        (shifted, "the lines may not belong together"),
        (lambda pairs: [(s.upper(), t.upper()) for s, t in pairs], "240 of 240 pairs (100 %) are in capitals"),
        (escaped, "have letters written as HTML (&auml;)"),
        (
            lambda pairs: [(s, t.encode().decode("latin-1")) for s, t in pairs],
            "have letters of a wrong encoding (Ã¤ for ä)",
        ),
    ],
    ids=["sides turned", "one language", "shifted by a line", "capitals", "HTML", "wrong encoding"],
)
def test_a_spoilt_text_gets_no_share_in_words(spoilt: Callable[[Pairs], Pairs], told: str, tmp_path: Path) -> None:
    audit = audited(as_tsv(tmp_path / "text.tsv", spoilt(truth())), tmp_path / "out", block=20)
    assert any(told in remark for remark in remarks(audit)), remarks(audit)
    assert outcome(audit) == "text, doubted"
    assert told in shown(audit.findings).answer.finding


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (
            lambda pairs: [*turned(pairs[:72]), *pairs[72:]],
            "72 of 240 pairs (30 %) are no translations and are left out",
        ),
        (
            lambda pairs: [(s, "" if n % 10 < 4 else t) for n, (s, t) in enumerate(pairs)],
            "96 of 240 lines (40 %) are left out",
        ),
        (lambda pairs: shifted(pairs, 0.3), "the lines may not belong together"),
    ],
    ids=["some turned", "some empty", "some shifted"],
)
def test_a_text_spoilt_in_part_says_how_much(spoilt: Callable[[Pairs], Pairs], told: str, tmp_path: Path) -> None:
    audit = audited(as_tsv(tmp_path / "text.tsv", spoilt(truth())), tmp_path / "out", block=20)
    assert any(told in remark for remark in remarks(audit)), remarks(audit)
    assert outcome(audit) != "text, doubted"


def hungarian(lines: int = 120) -> Pairs:
    """Short and long lines of which the English says she or he."""
    short = ("Holnap {} órakor jön.", "She is coming at {} o'clock tomorrow.")
    long = (
        "Egész este a régi házban ült, és {} levelet írt a barátainak a városba.",
        "He sat in the old house the whole evening and wrote {} letters to his friends in the town.",
    )
    return [(line[0].format(n), line[1].format(n)) for n in range(lines) for line in ((short, long)[n * n % 7 % 2],)]


def test_lines_moved_against_each_other_are_seen_without_any_person_noun(tmp_path: Path) -> None:
    told = {}
    for name, pairs in (("right", hungarian()), ("moved", shifted(hungarian()))):
        path = as_tsv(tmp_path / f"{name}.tsv", pairs)
        told[name] = corpus(path, source="hu", target="en", output=tmp_path / name, engine=ONE, block=20)
    assert remarks(told["right"]) == []
    assert "its target is the longer one (94 to 99 % in text we know)" in remarks(told["moved"])[0]
    assert outcome(told["moved"]) == "text, doubted"


@pytest.mark.parametrize(
    ("encoding", "told"),
    [("utf-16", "the file is UTF-16"), ("utf-16-le", "the file is UTF-16"), ("latin-1", "of 240 lines are not UTF-8")],
)
def test_a_text_in_another_encoding_is_an_error(encoding: str, told: str, tmp_path: Path) -> None:
    path = as_tsv(tmp_path / "text.tsv", truth())
    path.write_bytes(path.read_text("utf-8").encode(encoding))
    with pytest.raises(BadInput, match=told):
        audited(path, tmp_path / "out")


def test_lines_that_end_in_a_carriage_return_alone_are_an_error(tmp_path: Path) -> None:
    path = as_tsv(tmp_path / "text.tsv", truth())
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(BadInput, match=r"text\.tsv line 1: its lines end in CR alone"):
        audited(path, tmp_path / "out")
    for side, name in enumerate(("text.en", "text.de")):
        (tmp_path / name).write_bytes("\r".join(pair[side] for pair in truth()).encode())
    with pytest.raises(BadInput, match=r"text\.en line 1: its lines end in CR alone"):
        audited([tmp_path / "text.en", tmp_path / "text.de"], tmp_path / "out")


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b""])
def test_windows_files_give_the_same_shares(prefix: bytes, tmp_path: Path) -> None:
    path = as_tsv(tmp_path / "text.tsv", truth())
    one = audited(path, tmp_path / "one", block=20)
    path.write_bytes(prefix + path.read_bytes().replace(b"\n", b"\r\n"))
    two = audited(path, tmp_path / "two", block=20)
    assert two.findings.estimates.equals(one.findings.estimates)


def of_sizes(sizes: list[int], dice: np.random.Generator, share: float, likeness: float) -> Tallied:
    """Documents whose own shares of women vary around `share` (a beta-binomial)."""
    weight = (1 - likeness) / likeness
    women = dice.binomial(sizes, dice.beta(share * weight, (1 - share) * weight, len(sizes)))
    counts = np.zeros((len(sizes), len(GENDERS)))
    counts[:, GENDERS.index("female")], counts[:, GENDERS.index("male")] = women, np.array(sizes) - women
    return Tallied(counts, np.ones(len(sizes)))


def test_one_document_that_holds_nearly_all_persons_carries_no_interval() -> None:
    interval = Estimator(0, 0.95).interval(of_sizes([540] + [1] * 60, np.random.default_rng(1), 0.3, 0.05), TFG)
    assert interval.method == "none: one document or block of lines holds 90 % of the persons"
    assert np.isnan([interval.low, interval.high]).all()
    assert 0 < interval.value < 1


def test_documents_of_very_different_length_have_intervals_that_hold() -> None:
    dice, estimator = np.random.default_rng(5), Estimator(0, 0.95, resamples=500)
    held = 0
    for _ in range(120):
        interval = estimator.interval(of_sizes([300] + [5] * 60, dice, 0.3, 0.05), TFG)
        held += interval.low <= 0.3 <= interval.high
    assert 0.9 <= held / 120 <= 1
