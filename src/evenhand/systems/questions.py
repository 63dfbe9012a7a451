"""The calls a run still has to make, claimed before they are asked where other processes share the memory."""

from __future__ import annotations

from collections import deque

from evenhand.systems.agenda import Question, cut
from evenhand.systems.claims import Claims
from evenhand.systems.memory import Keeps, Memory
from evenhand.systems.protocol import Answer, Batch


class Questions:
    """`ready` are the calls that may go out now; `fetch` brings more of them, or answers other processes have given.

    Calls are claimed a few at a time, so that processes share the work; what another one is asking comes last.
    """

    def __init__(self, calls: list[list[Question]], batch: Batch, memory: Memory | None, keeps: Keeps | None) -> None:
        self._left, self._batch, self._memory, self._keeps = deque(calls), batch, memory, keeps
        self._elsewhere: list[Question] = []
        self.ready: deque[list[Question]] = deque()
        self.claims = Claims(memory.path) if memory is not None else None
        if self.claims is None:
            self.ready, self._left = self._left, self.ready

    def __len__(self) -> int:
        return len(self.ready) + len(self._left)

    def close(self) -> None:
        if self.claims is not None:
            self.claims.close()

    def _next_calls(self) -> list[list[Question]]:
        """Calls that can be under way at once; those that others had claimed come back when no other is left."""
        if not self._left:
            self._left.extend(cut(self._elsewhere, self._batch))
            self._elsewhere = []
        return [self._left.popleft() for _ in range(min(2 * self._batch.concurrency, len(self._left)))]

    def fetch(self) -> list[tuple[Question, Answer]] | None:
        """Answers that have come from elsewhere in the meantime, perhaps none; None when nothing is left to do."""
        block = self._next_calls()
        if not block or self._memory is None or self.claims is None:
            return None
        asked = [question for call in block for question in call]
        keys = [question.key for question in asked]
        ours = self.claims.take(keys)
        # after the claim: what another process has answered before it gave its claim back is in the memory by now
        known = self._memory.look_up(keys, self._keeps)
        if known:
            self.claims.release(known)
        mine, settled = set(ours) - known.keys(), {*ours, *known}
        self._elsewhere += [question for question in asked if question.key not in settled]
        self.ready.extend(filter(None, ([question for question in call if question.key in mine] for call in block)))
        return [(question, known[question.key]) for question in asked if question.key in known]
