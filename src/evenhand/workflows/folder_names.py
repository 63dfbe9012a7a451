"""What a run's folder is called where the user does not say."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from evenhand.detect import RULE
from evenhand.languages import code
from evenhand.system_names import without_paths
from evenhand.systems.protocol import without_password

RUNS = Path("runs")
_LONGEST = 110


def default_folder(
    suite: str,
    system: str,
    target: str,
    settings: Sequence[str] = (),
    *,
    samples: int = 1,
    rule: str = RULE,
    root: Path = RUNS,
) -> Path:
    """ROOT/SUITE.SYSTEM.TARGET, and whatever else makes another run of it: the system's settings, samples, the rule.

    `system` is the system's own name, which has no password in it; those in settings are left out. Of paths only the
    last part is in the folder's name; a run of something else that has the same name is never overwritten.
    """
    reader, colon, path = suite.rpartition(":")
    asked = f"{reader}{colon}{Path(path).name}"
    others = [*sorted(settings), f"samples={samples}" if samples > 1 else "", rule if rule != RULE else ""]
    whole = without_password(".".join([asked, without_paths(system), code(target), *filter(None, others)]))
    safe = "".join(c if c.isalnum() or c in "-_.=" else "-" for c in whole)
    if len(safe) > _LONGEST:
        safe = f"{safe[:_LONGEST]}.{sha256(whole.encode()).hexdigest()[:8]}"
    return root / safe
