"""Normal, Student's and chi-square distributions, straight from SciPy's special functions.

SciPy is imported when the first of them is needed: it takes longer than most commands that estimate nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def normal_quantile(chance: float | Floats) -> Floats:
    """z with P(Z <= z) = `chance`; -inf at 0, inf at 1."""
    from scipy.special import ndtri

    return np.asarray(ndtri(chance))


def normal_below(z: float | Floats) -> Floats:
    """P(Z <= z)."""
    from scipy.special import ndtr

    return np.asarray(ndtr(z))


def student_quantile(chance: float, freedom: float) -> float:
    """t with P(T <= t) = `chance`."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, chance))


def student_above(t: float, freedom: float) -> float:
    """P(T > t)."""
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))


def chi_square_above(value: float, freedom: float) -> float:
    """P(chi-square > value)."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, value))
