"""What Evenhand remembers about a user between commands: digests, in files that only the user can read."""

import os
from contextlib import suppress
from pathlib import Path


def state_file(name: str) -> Path:
    """A file in the user's state folder (XDG_STATE_HOME)."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "evenhand" / name


def remembered(name: str, digest: str) -> bool:
    """Whether this digest was put into the file; False where there is no file, or none that can be read."""
    try:
        return f"{digest}\n".encode() in state_file(name).read_bytes()
    except OSError:
        return False


def remember(name: str, digest: str) -> None:
    """Add a digest. A state folder that cannot be written costs the memory, not the work."""
    with suppress(OSError):
        path = state_file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not remembered(name, digest):
            handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            with open(handle, "ab") as stream:
                stream.write(f"{digest}\n".encode())
