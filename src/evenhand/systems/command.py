"""Any program that reads lines and writes as many lines."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shlex
import shutil
from pathlib import Path

from evenhand.errors import BadInput, BadReply, SystemFailed
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint

_TAIL = 400
_BREAKS = re.compile(r"[\r\n]+")


class Command:
    """One process a batch: UTF-8 lines in, as many lines out. `{source}` and `{target}` in CMD become the languages.

    CMD is run by the shell when it holds shell signs (pipes, redirections, variables), else directly. A line feed
    inside a text goes out as a space, because a line is a text here. The fingerprint holds the command and the content
    of the program and of every file it names, so a changed model file is a changed system. Do not write keys into CMD,
    it is printed with the results; let the program read them from the environment.
    """

    def __init__(
        self, argument: str, *, version: str = "", texts: int = 1_000, characters: int = 1_000_000, concurrency: int = 1
    ) -> None:
        self.name = f"command:{argument}"
        self._command = argument
        self._shell = any(sign in argument for sign in "|&;<>()$`\\*?#~\n")
        words = _words(argument)
        if not self._shell and shutil.which(words[0]) is None:
            raise BadInput(f"command:{argument}: there is no program {words[0]!r} on this machine")
        self.fingerprint = fingerprint(self.name, version=version, files=_files_hash(words))
        self.batch = Batch(texts=texts, characters=characters, concurrency=concurrency, context=False)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        lines = [_BREAKS.sub(" ", request.text) for request in requests]
        filled = self._command.replace("{source}", requests[0].source).replace("{target}", requests[0].target)
        out = await run_program(
            filled if self._shell else _words(filled), "".join(line + "\n" for line in lines), name=self.name
        )
        # only "\n" ends a line: str.splitlines would also cut at U+2028 and other signs a text may hold
        answers = [line.removesuffix("\r") for line in out.removesuffix("\n").split("\n")] if out else []
        if len(answers) != len(lines):
            raise BadReply(f"{self.name} was given {len(lines)} lines and wrote {len(answers)}")
        return [Answer(answer) for answer in answers]


async def run_program(command: str | list[str], text: str, *, name: str) -> str:
    """Standard output of a program given `text`; a string is run by the shell. A non-zero exit is an error."""
    pipe = asyncio.subprocess.PIPE
    try:
        if isinstance(command, str):
            process = await asyncio.create_subprocess_shell(command, stdin=pipe, stdout=pipe, stderr=pipe)
        else:
            process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise SystemFailed(f"{name} cannot be started: {error.strerror}") from error
    try:
        out, complaint = await process.communicate(text.encode("utf-8", "replace"))
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        said = complaint.decode("utf-8", "replace").strip()[-_TAIL:]
        raise SystemFailed(f"{name} ended with exit code {process.returncode}{': ' + said if said else ''}")
    try:
        return out.decode("utf-8")
    except UnicodeDecodeError as error:
        line = out.count(b"\n", 0, error.start) + 1
        raise BadReply(f"{name} wrote something that is not UTF-8 in line {line}") from error


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
        found = shutil.which(word) if index == 0 else word
        if found and os.path.isfile(found):
            digest.update(word.encode("utf-8", "surrogateescape"))
            with Path(found).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]
