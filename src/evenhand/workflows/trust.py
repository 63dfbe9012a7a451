"""Whether a project file may act: it can start programs, send texts and keys, and leave its folder. The user is asked
once per content (its SHA-256 is remembered); `--trust` and EVENHAND_TRUST ("1" or a file's digest) answer too."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.readers.toml_tables import read_toml
from evenhand.storage.outputs import remember, remembered
from evenhand.systems.protocol import without_password
from evenhand.systems.registry import named_servers, system_entry
from evenhand.visible import shortened, visible
from evenhand.workflows.project_file import AskedSystem, Project

VARIABLE, _FILE = "EVENHAND_TRUST", "trusted"
_SHORTEST = 12  # digits of a digest in EVENHAND_TRUST
_ON_DISK = ("ctranslate2", "file", "simulated")  # systems that read files and start nothing
_ACTS = {
    "command": "runs the command {}",
    "python": "runs Python code, {}",
    "apertium": "runs the programs that the modes in {} name",
    "huggingface": "loads the model {}, from the network where it is not on this machine",
}
Ask = Callable[[list[str]], bool]


def check_trusted(project: Project, *, trust: bool, ask: Ask | None) -> None:
    """Refuse a project file that acts and that the user has not agreed to; `ask` gets what it does, line by line."""
    acts = actions(project)
    digest = _digest(project.path)
    if not acts or remembered(_FILE, digest):
        return
    given = os.environ.get(VARIABLE, "").strip().lower()
    named = given == "1" or (len(given) >= _SHORTEST and digest.startswith(given))
    if not (trust or named or (ask is not None and ask(acts))):
        lines = "".join(f"\n  {act}" for act in acts)
        raise BadInput(
            f"{project.path} is new here, or has changed, and it:{lines}\nNothing was run. Read it; `--trust` runs "
            f"it and remembers that, in CI the variable {VARIABLE}={digest[:_SHORTEST]} does."
        )
    remember(_FILE, digest)


def trusted(path: Path) -> None:
    """Remember a file that the user's own command wrote."""
    remember(_FILE, _digest(path))


def _digest(path: Path) -> str:
    return sha256(os.fsencode(path.resolve()) + b"\0" + path.read_bytes()).hexdigest()


def actions(project: Project) -> list[str]:
    """What the file makes Evenhand do beyond reading and writing in its own folder: one line each."""
    systems = (f"{system.name}: {line}" for system in project.systems for line in _of_system(system.spec, system))
    outside = (f"uses a path outside its folder: {path}" for path in _outside(project.path))
    return [visible(shortened(line, 500)) for line in dict.fromkeys([*systems, *outside])]


def _of_system(spec: str, system: AskedSystem) -> Iterator[str]:
    kind, _, argument = spec.partition(":")
    entry, servers = system_entry(kind), named_servers(spec, system.settings)
    with_key = f"with the key in {system.key}" if system.key else "without a key"
    yield from (f"sends texts to {without_password(server)}, {with_key}" for server in servers)
    if kind == "mended":
        yield from _of_system(argument, system)
    elif kind in _ACTS:
        yield from [_ACTS[kind].format(argument)] if argument else []
    elif entry is not None and not servers and kind not in _ON_DISK:
        yield f"sends texts to the service {kind}, with your key for it"


def _outside(path: Path) -> Iterator[Path]:
    """Paths of the file that lead out of its folder, by .. or by a link."""
    home = path.resolve().parent
    for text in _texts(read_toml(path)):
        kind, *rest = text.split(":")
        parts = [] if kind == "command" or "://" in text else [text, *(":".join(rest[n:]) for n in range(len(rest)))]
        for part in filter(None, parts):
            with suppress(OSError, RuntimeError, ValueError):  # nothing that could be opened
                place = Path(part) if part.startswith("~") else (home / part).resolve()
                if not place.is_relative_to(home):
                    yield place


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([inside for name, inside in value.items() if name not in ("name", "headline")])
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_texts, value))
