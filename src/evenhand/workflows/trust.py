"""Whether a project file may act: it can start programs, send texts and keys, and leave its folder. The user is asked
once per content (its SHA-256 is remembered); `--trust` and EVENHAND_TRUST ("1" or a file's digest) answer too."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
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
    elif kind == "command":
        yield f"runs the command {argument}"
    elif kind == "python":
        yield f"runs Python code, {argument}"
    elif kind == "apertium" and argument:
        yield f"runs the programs that the modes in {argument} name"
    elif kind == "huggingface":
        yield f"loads the model {argument}, from the network where it is not on this machine"
    elif entry is not None and not servers and kind not in (*_ON_DISK, "apertium"):
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
        for name, inside in value.items():
            yield from () if name in ("name", "headline") else _texts(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _texts(inside)
