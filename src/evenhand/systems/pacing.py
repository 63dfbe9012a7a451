"""When the next call may go out: client-side rate limits, pauses the server asked for, and waits between tries."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from evenhand.errors import BadInput
from evenhand.systems.protocol import Batch, TryAgain


@dataclass(frozen=True)
class Retries:
    """How often and how patiently to ask again.

    `tries` counts the first attempt. Waits double from `first` to `longest` seconds, each shortened by up to half at
    random so that parallel calls do not return in step. A server may ask for more (Retry-After); above `patience`
    seconds we give up instead.
    """

    tries: int = 6
    first: float = 0.5
    longest: float = 60.0
    patience: float = 600.0
    dice: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise BadInput(f"the number of tries must be at least 1, not {self.tries}")

    def wait(self, tried: int, failure: TryAgain) -> float | None:
        """Seconds to wait after the failed try number `tried`; None when there is no point in another."""
        if tried >= self.tries:
            return None
        # the exponent is bounded: 2.0**1024 is an OverflowError
        longest = min(self.longest, self.first * 2.0 ** min(tried - 1, 60))
        usual = longest * (0.5 + 0.5 * self.dice.random())
        if failure.after is None:
            return usual
        if failure.after > self.patience:
            return None
        # never earlier than asked, a little later than the others; "at once" (0, a past date) is no advice
        return max(usual, failure.after * (1 + 0.1 * self.dice.random()))


class Pace:
    """Spreads calls so that neither requests nor characters a minute are exceeded, and holds them during a pause.

    Calls are spaced evenly: a full minute's allowance is never spent in one burst, which services answer with 429.
    """

    def __init__(self, batch: Batch) -> None:
        self._per_request = 60.0 / batch.requests_per_minute if batch.requests_per_minute else 0.0
        self._per_character = 60.0 / batch.characters_per_minute if batch.characters_per_minute else 0.0
        self._free_at = 0.0
        self._paused_until = 0.0

    async def turn(self, characters: int) -> None:
        """Return when a call of this many characters may go out; its share of the limits is then taken."""
        clock = asyncio.get_running_loop().time
        start = max(clock(), self._free_at)
        self._free_at = start + max(self._per_request, characters * self._per_character)
        while (delay := max(start, self._paused_until) - clock()) > 0:
            await asyncio.sleep(delay)

    def pause(self, seconds: float) -> None:
        """Hold every call: the server said that we ask too much, and asking from another connection is no better."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)
