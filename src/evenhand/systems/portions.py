"""How much of a call a local system is given at once: the bar moves every second, and an interrupt loses little."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from evenhand.systems.agenda import Question

_GROWTH = 4
_WORTH_IT = 10.0
"""A call works at least this many times as long as it takes to start, however short it should be."""


class Portions:
    """Cuts calls by the time the last ones took. `seconds` is how long one should take; None leaves calls whole.

    A call of n characters is taken to last `start + n * each`. The first holds one text and is not measured (it may
    load a model), the second one, the third at least two; from then on no portion is more than four times the last.
    Where starting is slow (a program that loads a model whenever it is called) portions are longer than `seconds`, so
    that about a tenth of the time is lost.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._size = 0.0
        self._start = 0.0
        self._fastest = float("inf")
        self._last: tuple[int, float] | None = None
        self._calls = 0

    def take(self, ready: deque[list[Question]]) -> list[Question]:
        """The next portion of the first call in `ready`, at least one text; what is over stays there, in front."""
        call = ready.popleft()
        if self._seconds is None:
            return call
        count, size = 1, len(call[0].request.text)
        # the third portion has at least two texts whatever the second took: one size alone cannot tell start from work
        while count < len(call) and (
            size + len(call[count].request.text) <= self._size or (self._calls == 2 and count < 2)
        ):
            size += len(call[count].request.text)
            count += 1
        if count < len(call):
            ready.appendleft(call[count:])
        return call[:count]

    @contextmanager
    def timed(self, call: list[Question]) -> Iterator[None]:
        """Around the asking of a portion; one that fails teaches nothing."""
        began = time.perf_counter()
        yield
        self.learn(sum(len(question.request.text) for question in call), time.perf_counter() - began)

    def learn(self, size: int, took: float) -> None:
        """A call of `size` characters took this many seconds."""
        if self._seconds is None or size == 0:
            return
        self._calls += 1
        if self._calls == 1:
            return
        self._fastest = min(self._fastest, took)
        if self._last is not None and not 2 / 3 < size / self._last[0] < 3 / 2:
            each = (took - self._last[1]) / (size - self._last[0])
            # a larger call that was quicker (somebody else used the machine) tells of no start
            self._start = max(0.0, took - size * each) if each > 0 else 0.0
        # no call is quicker than its start: one unlucky measurement cannot make portions long
        self._start = min(self._start, self._fastest)
        each = max((took - self._start) / size, 1e-9)
        self._last = (size, took)
        self._size = min(max(self._seconds - self._start, _WORTH_IT * self._start) / each, _GROWTH * size)
