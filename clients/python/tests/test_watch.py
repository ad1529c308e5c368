"""Watching: from the end, from a position, over lost connections, and for as long as is wanted."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from conftest import Demo
from scripted import Answer, Script

import tradepost
from tradepost import ids
from tradepost.types import (
    Contract,
    ContractStatus,
    PoolLimits,
    Transition,
    TransitionSubjectType,
    WatchTransitionsRequest,
    WatchTransitionsResponse,
)


class Line:
    """A line to the server that can be cut. While it is down, connections end as soon as they begin."""

    def __init__(self, server: str) -> None:
        host, _, port = server.removeprefix("http://").partition(":")
        self._server = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.is_up = True
        self.connections = 0
        self.connected = threading.Condition()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Ends every connection at once, in the middle of what it carries."""
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._open.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def wait_for_connections(self, count: int) -> None:
        with self.connected:
            assert self.connected.wait_for(lambda: self.connections >= count, timeout=20)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self._serve(near)

    def _serve(self, near: socket.socket) -> None:
        with self.connected:
            self.connections += 1
            self.connected.notify_all()
        if not self.is_up:
            near.close()
            return
        far = socket.create_connection(self._server)
        with self._lock:
            self._open += [near, far]
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@pytest.fixture
def line(still: Demo) -> Iterator[Line]:
    made = Line(still.url)
    yield made
    made.close()


@pytest.fixture
def contract(client: tradepost.Client) -> Contract:
    """A contract that the test may pause and resume."""
    active = next(client.contracts.iterate(status=ContractStatus.ACTIVE))
    made = client.contracts.clone_contract(contract_id=active.id, name="Watched").contract
    assert made is not None
    client.contracts.activate_contract(contract_id=made.id)
    return made


def toggle(client: tradepost.Client, contract: Contract, times: int) -> list[int]:
    """Changes the status of the contract so many times, and returns the versions that it had afterwards."""
    versions = []
    for _ in range(times):
        now = client.contracts.get_contract(contract_id=contract.id).contract
        assert now is not None
        if now.status == ContractStatus.ACTIVE:
            changed = client.contracts.pause_contract(contract_id=contract.id).contract
        else:
            changed = client.contracts.resume_contract(contract_id=contract.id).contract
        assert changed is not None
        versions.append(changed.version)
    return versions


def take(watch: tradepost.Watch, count: int) -> list[int]:
    return [next(watch).version for _ in range(count)]


def test_a_watch_begins_with_what_happens_after_it(client: tradepost.Client, contract: Contract) -> None:
    watch = client.watch()
    made = toggle(client, contract, 3)
    assert take(watch, 3) == made


def test_a_watch_continues_behind_a_position(client: tradepost.Client, contract: Contract) -> None:
    first = client.watch()
    made = toggle(client, contract, 4)
    assert take(first, 2) == made[:2]
    # Two changes of the answer were not taken, and are not lost.
    second = client.watch(after=first.position)
    assert take(second, 2) == made[2:]


def test_a_watch_shows_only_the_kinds_that_are_wanted(client: tradepost.Client, contract: Contract) -> None:
    contracts = client.watch(subject_types=[TransitionSubjectType.CONTRACT], wait_seconds=1)
    pool = client.pools.create_pool(name="Watched", limits=PoolLimits(budget_cents=100)).pool
    assert pool is not None
    client.pools.pause_pool(pool_id=pool.id)
    assert toggle(client, contract, 1) == take(contracts, 1)


def test_a_watch_resumes_after_a_lost_connection_without_a_gap(
    still: Demo, client: tradepost.Client, contract: Contract, line: Line
) -> None:
    retry = tradepost.Retry(first_delay=0.01, longest_delay=0.05)
    watch = tradepost.connect(line.url, still.key, retry=retry).watch()
    received: list[int] = []
    expected = 8
    reader = threading.Thread(target=lambda: received.extend(take(watch, expected)))
    made = toggle(client, contract, 2)
    reader.start()
    for _ in range(3):
        # Changes are made while the line is down, and while it is cut in the middle of a call.
        line.is_up = False
        line.cut()
        made += toggle(client, contract, 1)
        line.wait_for_connections(line.connections + 2)
        line.is_up = True
        made += toggle(client, contract, 1)
    reader.join(timeout=30)
    assert not reader.is_alive()
    assert received == made


def test_an_asyncio_watch_resumes_too(still: Demo, client: tradepost.Client, contract: Contract, line: Line) -> None:
    async def watch() -> tuple[list[int], list[int]]:
        retry = tradepost.Retry(first_delay=0.01, longest_delay=0.05)
        async with tradepost.connect_async(line.url, still.key, retry=retry) as connected:
            watch = await connected.watch()
            made = await asyncio.to_thread(toggle, client, contract, 1)
            received = [(await anext(watch)).version]
            line.is_up = False
            line.cut()
            pending = asyncio.ensure_future(anext(watch))
            made += await asyncio.to_thread(toggle, client, contract, 2)
            await asyncio.to_thread(line.wait_for_connections, line.connections + 2)
            line.is_up = True
            received += [(await pending).version, (await anext(watch)).version]
            return made, received

    made, received = asyncio.run(watch())
    assert received == made


def test_an_interruption_that_lasts_too_long_is_raised(still: Demo, line: Line) -> None:
    retry = tradepost.Retry(first_delay=0.01, longest_delay=0.01)
    watch = tradepost.connect(line.url, still.key, retry=retry).watch(lost_for=0.2)
    line.is_up = False
    line.cut()
    with pytest.raises(tradepost.Unavailable) as raised:
        next(watch)
    assert raised.value.attempts > 5


def answer(end: bytes, *identifiers: bytes) -> Answer:
    changes = [Transition(id=identifier) for identifier in identifiers]
    content = WatchTransitionsResponse(transitions=changes, last_transition_id=end).to_binary()
    return 200, {"content-type": "application/proto"}, content


def test_a_watch_continues_behind_the_end_of_an_answer() -> None:
    """The answer may end behind its last change, with changes that the key may not read."""
    first, second, end, third = (bytes([at]) * 16 for at in range(4))
    script = Script(answer(end, first, second), answer(third, third))
    watch = script.blocking().watch(after=b"")
    assert next(watch).id == first
    assert watch.position == first
    assert next(watch).id == second
    assert watch.position == end
    assert next(watch).id == third
    asked = [WatchTransitionsRequest.from_binary(body).after_transition_id for body in script.bodies]
    assert asked == [b"", end]


def test_a_call_that_the_server_does_not_answer_in_time_is_repeated() -> None:
    change = bytes(range(16))
    script = Script(TimeoutError("no answer"), answer(change, change))
    assert next(script.blocking().watch(after=b"")).id == change
    assert script.bodies[0] == script.bodies[1]


def test_a_position_that_is_none_is_rejected_at_once(client: tradepost.Client) -> None:
    watch = client.watch(after=b"short")
    with pytest.raises(tradepost.InvalidArgument):
        next(watch)


def test_a_key_without_rights_is_rejected_when_the_watch_begins(still: Demo) -> None:
    other = tradepost.connect(still.url, still.printed["otherApiKey"], workspace=ids.parse(still.printed["workspaceId"]))
    with pytest.raises(tradepost.PermissionDenied):
        other.watch()
