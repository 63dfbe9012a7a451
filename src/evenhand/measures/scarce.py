"""Says where a difference between two groups hangs on so few occupations that its test cannot be sure.

In a group in which one or two occupations show a woman, nothing tells how far the sentences of one occupation go
together; where they do so much more than in the other group, such differences come up by chance more often than the p
says (docs/validation.md). Two sayings: a difference with a small p is no firm finding; one that only a test without
regard to clusters finds is too few to tell, not none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.measures.rows import Row
from evenhand.measures.sampling import Estimated
from evenhand.statistics.between import SILENT
from evenhand.statistics.measure import Floats

Part = tuple[str, Estimated]  # what a group is called, and its estimate


def scarce(row: Row, parts: Sequence[Part], clusters: str, alpha: float) -> Row:
    """A tested row with a remark where a part has too few renderings that move the measure; else as it is.

    `clusters` names what the first axis counts. Parts that share clusters, or in which several axes cross, are tested
    otherwise and have no remark. Neither has a part in which at most one rendering moves and the p is small: such a p
    already takes the sentences of an occupation to go together (statistics/unseen.py).
    """
    p, independent = (value if isinstance(value := row.get(name), float) else np.nan for name in ("p", "independent_p"))
    adjusted = row.get("p_adjusted")
    corrected = adjusted if isinstance(adjusted, float) else p
    if not np.isfinite(corrected) or not _apart(parts):
        return row
    shown = corrected < alpha
    few = [
        _told(name, one, clusters)
        for name, one in parts
        if one.seen is not None and one.seen.movers < SILENT and (not shown or _other(one).sum() > 1)
    ]
    if not few or not (shown or independent < alpha):
        return row
    words = "no firm finding" if shown else "too few to tell"
    remark = f"{words}: {' and '.join(few)}, which does not show how far the sentences of one go together"
    return row | {"note": "; ".join(filter(None, (str(row.get("note") or ""), remark)))}


def _apart(parts: Sequence[Part]) -> bool:
    """The parts share no cluster, and only one axis is sampled."""
    linearised = [one.linearised for _, one in parts if one.linearised is not None]
    if len(linearised) < len(parts) or any(len(one.axes()) > 1 for one in linearised):
        return False
    owned = np.concatenate([one.clusters(0) for one in linearised])
    return len(np.unique(owned)) == len(owned)


def _other(one: Estimated) -> Floats:
    """Renderings that are not what most of the part are, by row of its statistics."""
    statistics = one.job.statistics
    other: Floats = statistics.cells.sum(axis=1) - statistics.cells[:, np.argmax(statistics.summed)]
    return other


def _told(name: str, one: Estimated, clusters: str) -> str:
    """How many clusters of a part show anything but what most of its renderings are."""
    statistics = one.job.statistics
    usual = statistics.names[int(np.argmax(statistics.summed))]
    shown, present = (
        len(np.unique(statistics.codes[rows, 0])) for rows in (_other(one) > 0, statistics.cells.sum(axis=1) > 0)
    )
    return f"in {name} {shown} of {present} clusters ({clusters}) have any rendering other than {usual}"
