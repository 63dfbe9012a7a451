"""Any program that reads lines and writes as many lines."""

import asyncio
import contextlib
import hashlib
import os
import re
import shlex
import shutil
from pathlib import Path

from evenhand.errors import BadInput, BadReply, SystemFailed
from evenhand.storage.atomic import file_hash
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint

LARGEST = 256 * 2**20
"""Bytes that a program may write for one batch."""
_TAIL = 400
BREAKS = re.compile(r"[\r\n]+")


class CommandSystem:
    """One process per batch: UTF-8 lines in, as many lines out. `{source}` and `{target}` in CMD become the languages.

    CMD is run by the shell when it holds shell signs (pipes, redirections, variables), else directly. The languages
    come from a suite file, so they are never text of the line: each is (part of) one argument. A line feed
    inside a text goes out as a space, because a line is a text here. The fingerprint holds the command and the content
    of the program and of every file it names, so a changed model file is a changed system; what those read or ask
    in their turn it cannot hold, so a gate wants them asked again unless `version` says what they are. Do not write
    keys into CMD, it is printed with the results; let the program read them from the environment.
    """

    def __init__(
        self, argument: str, *, version: str = "", texts: int = 1_000, characters: int = 1_000_000, concurrency: int = 1
    ) -> None:
        self.name = f"command:{argument}"
        self._command, self.version = argument, version
        self._shell = any(sign in argument for sign in "|&;<>()$`\\*?#~\n")
        words = _words(argument)
        if not self._shell and shutil.which(words[0]) is None:
            raise BadInput(f"command:{argument}: there is no program {words[0]!r} on this machine")
        self.may_change = not version  # it may ask a service, or read files that the line does not name
        self.fingerprint = fingerprint(self.name, version=version, files=_files_hash(words))
        self.batch = Batch(texts=texts, characters=characters, concurrency=concurrency, context=False, seconds=1.0)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        lines = [BREAKS.sub(" ", request.text) for request in requests]
        command = self.filled(requests[0].source, requests[0].target)
        out = await run_program(command, "".join(line + "\n" for line in lines), name=self.name)
        # only "\n" ends a line: str.splitlines would also cut at U+2028 and other signs a text may hold
        answers = [line.removesuffix("\r") for line in out.removesuffix("\n").split("\n")] if out else []
        if len(answers) != len(lines):
            raise BadReply(f"{self.name} was given {len(lines)} lines and wrote {len(answers)}")
        return [Answer(answer) for answer in answers]

    def filled(self, source: str, target: str) -> list[str]:
        if self._shell:
            return ["/bin/sh", "-c", _with_parameters(self._command), "evenhand", source, target]
        return [word.replace("{source}", source).replace("{target}", target) for word in _words(self._command)]


async def run_program(command: list[str], text: str, *, name: str) -> str:
    """Standard output of a program given `text`. A non-zero exit is an error."""
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    except (OSError, ValueError) as error:
        raise SystemFailed(f"{name} cannot be started: {getattr(error, 'strerror', error)}") from error
    try:
        out, complaint = await _exchanged(process, text.encode("utf-8", "replace"), name)
    finally:
        if process.returncode is None:
            await _ended(process)
    if process.returncode != 0:
        words = complaint.decode("utf-8", "replace").strip()[-_TAIL:]
        raise SystemFailed(f"{name} ended with exit code {process.returncode}{': ' + words if words else ''}")
    try:
        return out.decode("utf-8")
    except UnicodeDecodeError as error:
        line = out.count(b"\n", 0, error.start) + 1
        raise BadReply(f"{name} wrote something that is not UTF-8 in line {line}") from error


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Kills a program and waits for its end. Its pipes are closed one by one, because a child may hold them open for
    ever; the transport's own `close` would race the thread that waits for the exit code."""
    process.kill()
    transport = process._transport  # type: ignore[attr-defined]
    for number in (0, 1, 2):
        transport.get_pipe_transport(number).close()
    await process.wait()


async def _exchanged(process: asyncio.subprocess.Process, text: bytes, name: str) -> tuple[bytes, bytes]:
    """What the program writes while it is given `text`, and its complaints; a program that never stops is left."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise SystemFailed(f"{name} has no pipes")

    async def give(stdin: asyncio.StreamWriter) -> None:
        # the exit code or the number of lines shows that a program ended before it had read everything
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(text)
            await stdin.drain()
            stdin.close()

    async def taken(stream: asyncio.StreamReader) -> bytes:
        pieces, size = [], 0
        while piece := await stream.read(2**16):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST:
                raise BadReply(f"{name} wrote more than {LARGEST // 2**20} MiB")
        return b"".join(pieces)

    _, out, complaint = await asyncio.gather(give(process.stdin), taken(process.stdout), taken(process.stderr))
    await process.wait()
    return out, complaint


def _with_parameters(line: str) -> str:
    """A shell line in which {source} and {target} are the parameters $1 and $2, quoted for their place: the shell does
    not read the value of a parameter again, so it cannot hold a command."""

    def placed(part: re.Match[str]) -> str:
        around = {"'": ("'\"", "\"'"), '"': ("", "")}.get(part[0][0], ('"', '"'))
        parameters = {"{source}": "${1}".join(around), "{target}": "${2}".join(around)}
        return re.sub(r"\\.|\{\w+\}", lambda one: parameters.get(one[0], one[0]), part[0])

    # an escaped sign, a text in single or in double quotes, anything else
    return re.sub(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|[^'\"\\]+", placed, line, flags=re.DOTALL)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"command:{command}: {error}") from error
    if not words:
        raise BadInput("command: names no program")
    return words


def _files_hash(words: list[str]) -> str:
    """A hash of the program and of every file among the arguments, so that an edited script is another system."""
    digest = hashlib.sha256()
    for index, word in enumerate(words):
        file = shutil.which(word) if index == 0 else word
        if file and os.path.isfile(file):
            digest.update(word.encode("utf-8", "surrogateescape"))
            digest.update(bytes.fromhex(file_hash(Path(file))))
    return digest.hexdigest()[:16]
