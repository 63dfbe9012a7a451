"""A user's own Python function: a list of strings in, a list of as many strings out."""

import asyncio
import hashlib
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from evenhand.errors import BadInput, BadReply, SystemFailed, Unknown
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint


class Function:
    """Any callable as a system. It may also take `source`, `target`, `context` or `sample` as keywords, and be async.

    Answers are remembered between runs only when we can tell that the function has not changed: `version` is given, or
    it is a plain function of a module file (then the file's hash is its version; what the file calls elsewhere does not
    count, so give a `version` when that changes). Functions typed into a notebook are asked every time.
    """

    def __init__(
        self,
        function: Callable[..., object],
        *,
        name: str = "",
        version: str = "",
        texts: int = 256,
        characters: int = 1_000_000,
        concurrency: int = 1,
    ) -> None:
        self._function, self.version = function, version
        label = getattr(function, "__qualname__", type(function).__qualname__)
        self.name = name or f"python:{getattr(function, '__module__', '')}:{label}"
        code = version or code_hash(function)
        self.fingerprint = fingerprint(self.name, code=code)
        self._keywords = keywords_of(function, ("source", "target", "context", "sample"))
        reads = "context" in self._keywords
        self.batch = Batch(texts, characters, concurrency, context=reads, remembered=bool(code))

    async def translate(self, requests: list[Request]) -> list[Answer]:
        texts = [request.text for request in requests]
        keywords = {name: getattr(requests[0], name) for name in self._keywords}
        answers = await returned(self.name, self._function, texts, kind="strings", **keywords)
        if len(answers) != len(texts):
            raise BadReply(f"{self.name} was given {len(texts)} texts and returned {len(answers)}")
        odd = [answer for answer in answers if not isinstance(answer, str)]
        if odd:
            raise BadReply(f"{self.name} must return strings; one is {type(odd[0]).__name__}: {odd[0]!r}")
        return [Answer(str(answer)) for answer in answers]


class PythonFunction(Function):
    """`python:module:function`, imported from the installed packages or the current folder."""

    def __init__(
        self, argument: str, *, version: str = "", texts: int = 256, characters: int = 1_000_000, concurrency: int = 1
    ) -> None:
        sizes = {"texts": texts, "characters": characters, "concurrency": concurrency}
        super().__init__(imported(argument), name=f"python:{argument}", version=version, **sizes)


async def returned(
    name: str, function: Callable[..., object], *given: object, kind: str, **keywords: object
) -> list[object]:
    """The list that a user's function returns, which may be async; an error that names it for anything else."""
    try:
        out = await asyncio.to_thread(function, *given, **keywords)
        if inspect.isawaitable(out):
            out = await out
    except SystemFailed:
        raise
    except Exception as error:
        raise SystemFailed(f"{name} raised {type(error).__name__}: {error}") from error
    if isinstance(out, str) or not isinstance(out, Iterable):
        raise BadReply(f"{name} must return a list of {kind}, not {type(out).__name__}")
    return list(out)


def imported(argument: str) -> Callable[..., object]:
    """The function that module:function names."""
    module_name, _, path = argument.partition(":")
    if not (module_name and path):
        raise BadInput(f"python:{argument}: name a module and a function, as in python:my_module:translate")
    here = os.getcwd()
    added = here not in sys.path
    if added:
        # a console script does not have the user's folder on its path, `python -m` does; only for this import
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise BadInput(f"python:{argument}: module {module_name!r} cannot be imported: {error}") from error
    finally:
        if added:
            sys.path.remove(here)
    value: object = module
    for part in path.split("."):
        if not hasattr(value, part):
            names = [n for n in dir(value) if not n.startswith("_") and callable(getattr(value, n))]
            raise Unknown(f"function of {module_name}", path, names)
        value = getattr(value, part)
    if not callable(value):
        raise BadInput(f"python:{argument}: {path} is not a function but {type(value).__name__}")
    return value


def keywords_of(function: Callable[..., object], known: Iterable[str]) -> tuple[str, ...]:
    """Those of the known keywords that a function takes besides its first argument."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1:]
    except (TypeError, ValueError):
        return ()
    names = {p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    return tuple(name for name in known if name in names)


def code_hash(function: Callable[..., object]) -> str:
    """A hash of the file that defines a plain function; empty where the file does not determine what it does."""
    plain = inspect.isfunction(function) and function.__closure__ is None and "<" not in function.__qualname__
    if not plain or getattr(function, "__module__", "__main__") == "__main__":
        return ""
    try:
        file = inspect.getsourcefile(function)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16] if file else ""
    except (OSError, TypeError):
        return ""
