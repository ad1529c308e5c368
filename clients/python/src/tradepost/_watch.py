"""Watching what happens: changes of status in the order in which they were committed, without a gap and without a repetition.

The server keeps the order. A watch keeps the position up to which the program has received changes, and continues there
after a lost connection.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass, field, replace

from ._calls import AsyncCalls, Calls
from ._gen.contracts.v1.transition_pb import Transition, TransitionSubjectType, WatchTransitionsResponse
from ._gen.services.transitions import AsyncTransitions, Transitions
from ._retry import Retry

# The server answers within the time to wait. A call that takes longer has lost its connection.
_SPARE_SECONDS = 10.0
_MOST_AT_ONCE = 200
# An interruption is limited by its time alone.
_ENDLESS = 1_000_000


@dataclass
class Position:
    """Up to where the program has received changes, and those of the last answer that it has not."""

    after: bytes = b""
    ready: list[Transition] = field(default_factory=list)
    end: bytes = b""

    def take(self, answer: WatchTransitionsResponse) -> None:
        self.ready = list(reversed(answer.transitions))
        self.end = answer.last_transition_id
        self._settle()

    def next(self) -> Transition | None:
        if not self.ready:
            return None
        transition = self.ready.pop()
        self.after = transition.id
        self._settle()
        return transition

    def _settle(self) -> None:
        # The answer may end behind its last change, with changes that the key may not read.
        if not self.ready and self.end:
            self.after = self.end


@dataclass(frozen=True)
class Wanted:
    """What a program watches, and how."""

    subject_types: frozenset[TransitionSubjectType]
    wait_seconds: int

    @classmethod
    def of(cls, subject_types: Collection[TransitionSubjectType], wait_seconds: int) -> Wanted:
        return cls(frozenset(subject_types), wait_seconds)

    @property
    def timeout(self) -> float:
        return self.wait_seconds + _SPARE_SECONDS

    def includes(self, transition: Transition) -> bool:
        return not self.subject_types or transition.subject_type in self.subject_types


def endure(retry: Retry, lost_for: float) -> Retry:
    return replace(retry, attempts=_ENDLESS, longest_wait=lost_for, after_timeout=True)


class Watch:
    """An endless iterator of changes of status."""

    def __init__(self, calls: Calls, wanted: Wanted, position: Position) -> None:
        self._transitions = Transitions(calls)
        self._wanted = wanted
        self._position = position

    @property
    def position(self) -> bytes:
        """Where to continue, as `after` of another watch. Store it when the program has processed the change."""
        return self._position.after

    def __iter__(self) -> Iterator[Transition]:
        return self

    def __next__(self) -> Transition:
        while True:
            transition = self._position.next()
            if transition is None:
                self._position.take(self._ask())
            elif self._wanted.includes(transition):
                return transition

    def _ask(self) -> WatchTransitionsResponse:
        return self._transitions.watch_transitions(
            after_transition_id=self._position.after,
            limit=_MOST_AT_ONCE,
            wait_seconds=self._wanted.wait_seconds,
            timeout=self._wanted.timeout,
        )


class AsyncWatch:
    """An endless asynchronous iterator of changes of status."""

    def __init__(self, calls: AsyncCalls, wanted: Wanted, position: Position) -> None:
        self._transitions = AsyncTransitions(calls)
        self._wanted = wanted
        self._position = position

    @property
    def position(self) -> bytes:
        """Where to continue, as `after` of another watch. Store it when the program has processed the change."""
        return self._position.after

    def __aiter__(self) -> AsyncIterator[Transition]:
        return self

    async def __anext__(self) -> Transition:
        while True:
            transition = self._position.next()
            if transition is None:
                self._position.take(await self._ask())
            elif self._wanted.includes(transition):
                return transition

    async def _ask(self) -> WatchTransitionsResponse:
        return await self._transitions.watch_transitions(
            after_transition_id=self._position.after,
            limit=_MOST_AT_ONCE,
            wait_seconds=self._wanted.wait_seconds,
            timeout=self._wanted.timeout,
        )
