"""When a failed call is repeated, and after which time. It waits for nothing itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ._errors import DeadlineExceeded, TradepostError


@dataclass(frozen=True)
class Retry:
    """How often and how long a call is repeated after a transient failure.

    Attributes:
        attempts: The most times that a call is sent; 1 repeats nothing.
        first_delay: Seconds before the second attempt. The delay doubles with every attempt.
        longest_delay: The longest delay in seconds that the client chooses itself.
        longest_wait: The most seconds that all delays of a call last together. A longer `Retry-After` raises the error at once.
        after_timeout: Whether a call whose timeout was over is repeated as well.
    """

    attempts: int = 5
    first_delay: float = 0.2
    longest_delay: float = 10.0
    longest_wait: float = 60.0
    after_timeout: bool = False

    def repeats(self, error: TradepostError) -> bool:
        return error.is_transient or (self.after_timeout and isinstance(error, DeadlineExceeded))


@dataclass
class Attempts:
    """The attempts of one call."""

    retry: Retry
    jitter: Callable[[], float] = random.random
    made: int = 0
    waited: float = 0.0

    def delay_after(self, error: TradepostError) -> float | None:
        """Returns the seconds until the next attempt, or nothing if the error is final."""
        self.made += 1
        error.attempts = self.made
        if not self.retry.repeats(error) or self.made >= self.retry.attempts:
            return None
        delay = self._delay(error)
        if self.waited + delay > self.retry.longest_wait:
            return None
        self.waited += delay
        return delay

    def _delay(self, error: TradepostError) -> float:
        # Without jitter, clients that failed together would come back together.
        if error.retry_after is not None:
            return error.retry_after + self.jitter() * self.retry.first_delay
        grown: float = self.retry.first_delay * 2.0 ** min(self.made - 1, 32)
        return min(grown, self.retry.longest_delay) * (0.5 + self.jitter() / 2)
