"""What a format is to its readers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from evenhand.readers.catalogue import Catalogue
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile

Carries = Literal["columns", "units", "pairs", "texts"]


@dataclass(frozen=True)
class Format:
    """A way to keep rows in a file; `batches` turns the file into tables with the column LINE.

    `carries`: named columns; units of localisation (id, source, rendering, perhaps source_lang and target_lang); pairs
    without ids (columns source, rendering); or texts (column text). `suffixes` name it; `fits` recognises it by its
    lines where the suffix does not tell. `parts`: it can be read without holding all of it. `catalogue` reads it so
    that notes can be written into it.
    """

    name: str
    suffixes: tuple[str, ...]
    carries: Carries
    batches: Callable[[UserFile, Layout], Iterator[pl.DataFrame]]
    fits: Callable[[Iterable[str]], bool] | None = None
    parts: bool = True
    catalogue: Callable[[UserFile], Catalogue] | None = None
