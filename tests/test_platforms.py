"""What only Unix has is not needed: every module can be imported, and a run saved and scored, without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import evenhand

WITHOUT_UNIX = """
import sys
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None          # an import of it is an ImportError, as on Windows

import os
really_open = os.open
def open_no_folder(path, flags, mode=0o777, **more):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", str(path))
    return really_open(path, flags, mode, **more)
os.open = open_no_folder
"""

IMPORTS = """
import importlib, pkgutil
import evenhand
from evenhand.errors import MissingExtra
for module in pkgutil.walk_packages(evenhand.__path__, "evenhand."):
    if module.name == "evenhand.__main__":
        continue
    try:
        importlib.import_module(module.name)
    except (MissingExtra, ModuleNotFoundError) as error:
        named = getattr(error, "name", None) or ""
        if named.partition(".")[0] not in ("jinja2", "starlette", "uvicorn", "altair", "ray"):
            raise
    print(module.name)
"""

AUDITS = """
from pathlib import Path
import evenhand
run = evenhand.audit("occupations-verbs", lambda texts: texts, target="de", output="run", memory="memory.sqlite",
                     settings=evenhand.Settings(resamples=20))
from evenhand.review.labels import LabelKey, add_labels, apply_labels
first = run.probes["id"][0]
add_labels(Path("run"), [(LabelKey(first, "de"), "female")], labeller="ada")
labelled = apply_labels(Path("run"))
print(labelled.verdicts.filter(id=first)["gender"][0])
sys.argv = ["evenhand", "score", "run", "--json"]
from evenhand.cli.main import main
main()
"""


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX + code], cwd=folder, capture_output=True, text=True, check=False
    )


def test_every_module_can_be_imported_without_the_modules_of_unix(tmp_path: Path) -> None:
    done = python(IMPORTS, tmp_path)
    assert done.returncode == 0, done.stderr
    package = Path(evenhand.__file__).parent
    assert len(done.stdout.splitlines()) >= sum(path.name != "__init__.py" for path in package.rglob("*.py")) - 1


def test_an_audit_its_labels_and_its_score_work_without_the_modules_of_unix(tmp_path: Path) -> None:
    done = python(AUDITS, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("female\n")
    assert '"measure"' in done.stdout
