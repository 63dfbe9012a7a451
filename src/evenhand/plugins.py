"""What other packages add by an entry point (`[project.entry-points."evenhand.measures"]`, NAME = "module:object"):
systems, measures, suites. Ours win over another's of the same name."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from evenhand.errors import BadInput, EvenhandError


def plugins(kind: str) -> dict[str, EntryPoint]:
    """By name, what the installed packages add of a kind ("systems", "measures", "suites")."""
    return {point.name: point for point in entry_points(group=f"evenhand.{kind}")}


@contextmanager
def foreign(what: str, name: str, *, failed: str = "fails") -> Iterator[None]:
    """Another package's code runs inside: whatever it raises is told in one line that says whose it is."""
    try:
        yield
    except EvenhandError:
        raise
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split())[:300]
        kind = "" if isinstance(error, ImportError | AttributeError) and told else f"{type(error).__name__}: "
        raise BadInput(f"the {what} {name} of another package {failed}: {kind}{told}".rstrip(": ")) from error


def load_plugin(point: EntryPoint, what: str) -> Callable[..., object]:
    """The callable an entry point names; one that cannot be loaded is an error that says which and why."""
    with foreign(what, point.name, failed="cannot be loaded"):
        maker = point.load()
    if not callable(maker):
        raise BadInput(f"the {what} {point.name} of another package is not a function or class, but {type(maker)}")
    return cast("Callable[..., object]", maker)


def summary_of(maker: Callable[..., object]) -> str:
    """What a list says about it: its `summary`, else the first line of its docstring."""
    return str(getattr(maker, "summary", (inspect.getdoc(maker) or "").partition("\n")[0]))


def version_of(point: EntryPoint) -> str:
    """The package behind an entry point with its version: what results depend on besides Evenhand."""
    return f"{point.dist.name}-{point.dist.version}" if point.dist else point.value
