"""WinoMT files: which of their rows follow the stereotype and which go against it."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand

PRO = "female\t1\tThe nurse said that she was late.\tnurse"
ANTI = "male\t1\tThe nurse said that he was late.\tnurse"
NEITHER = "neutral\t1\tThe nurse said that they were late.\tnurse"


@pytest.mark.parametrize("name", ["en_pro.txt", "en_inter1_pro.txt"])
def test_rows_know_their_stereotype_from_the_files_beside(tmp_path: Path, name: str) -> None:
    whole = tmp_path / name.replace("_pro", "")
    whole.write_text("\n".join((PRO, ANTI, NEITHER)) + "\n")
    (tmp_path / name).write_text(PRO + "\n")
    (tmp_path / name.replace("pro", "anti")).write_text(ANTI + "\n")
    probes = evenhand.load_suite(f"winomt:{whole}").probes
    assert probes["stereotype"].to_list() == ["pro", "anti", None]
    assert probes["focus"].to_list() == ["nurse"] * 3
