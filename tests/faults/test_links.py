"""Links in folders that somebody sent: the explorer does not follow them, and no label is written through one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.test_mining_page import mined

from evenhand.errors import BadInput
from evenhand.report.web.shelf import Shelf
from evenhand.results.runs import Run
from evenhand.review import labels


def test_the_explorer_follows_no_link_inside_a_folder_of_findings(mixed_run: Path, tmp_path: Path) -> None:
    run = Run.load(mixed_run)
    outside = run.save(tmp_path / "elsewhere").path
    folder = mined({"nurse": (3, 4)}).save(tmp_path / "mined").path
    assert folder is not None
    run.save(folder / "es")
    (folder / "fr").symlink_to(outside or "", target_is_directory=True)
    for given in (folder, tmp_path):
        shelf = Shelf([given])
        assert [entry.place.rpartition("/")[2] for entry in shelf if "mined" in entry.place] == ["es"]
        shelf.close()


def test_no_label_is_written_through_a_link_that_comes_between_look_and_write(
    mixed_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.load(mixed_run).save(tmp_path / "run").path
    assert run is not None
    (tmp_path / "mine.txt").write_text("mine\n")

    def swapped(path: Path) -> bool:
        if not path.is_symlink():
            path.symlink_to(tmp_path / "mine.txt")
        return True

    monkeypatch.setattr(labels, "own_file", swapped)
    line = labels.LabelLine(**dict.fromkeys(labels.LabelLine.__dataclass_fields__, "x"))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="cannot be written"):
        labels.append(run, [line])
    assert (tmp_path / "mine.txt").read_text() == "mine\n"
