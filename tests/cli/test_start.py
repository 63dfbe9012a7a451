"""What a command imports before it knows what is asked."""

from __future__ import annotations

import subprocess
import sys

from evenhand.cli.main import VERBS

PROGRAM = """
import sys
from importlib import import_module
for verb in sys.argv[1:]:
    import_module("evenhand.cli." + verb.replace("-", "_"))
    slow = ("scipy.special", "scipy.stats", "scipy.optimize", "altair", "torch")
    heavy = [name for name in slow if name in sys.modules]
    if heavy:
        sys.exit(f"{verb} imports {heavy}")
"""


def test_no_verb_imports_scipy_before_a_number_needs_it() -> None:
    verbs = [verb for verb in VERBS if verb not in ("embeddings", "replicate")]  # these two begin with numbers
    done = subprocess.run([sys.executable, "-c", PROGRAM, *verbs], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
