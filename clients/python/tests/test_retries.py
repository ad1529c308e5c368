"""What is repeated, when, and under which key. The transport is scripted, and the time does not pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from pyqwest import Request, Response
from scripted import Answer, Script

import tradepost
from tradepost._errors import TradepostError
from tradepost._retry import Attempts, Retry
from tradepost.types import CountPoolsResponse, FilterRules

CONTENT = "content-type"
OK = (200, {CONTENT: "application/proto"}, CountPoolsResponse().to_binary())


def rejected(status: int, code: str, reason: str = "", retry_after: str = "") -> Answer:
    headers = {CONTENT: "application/json"}
    if reason:
        headers["x-error-reason"] = reason
    if retry_after:
        headers["retry-after"] = retry_after
    return status, headers, f'{{"code":"{code}","message":"no"}}'.encode()


OVERLOADED = rejected(429, "resource_exhausted", "OVERLOADED", "3")


Call = Callable[[Script], object]


def count(script: Script) -> object:
    return script.blocking().pools.count_pools()


def count_async(script: Script) -> object:
    async def call() -> object:
        return await script.asynchronous().pools.count_pools()

    return asyncio.run(call())


def write(script: Script, key: str | None = None) -> object:
    return script.blocking().filter_sets.create_filter_set(name="a", rules=FilterRules(), idempotency_key=key)


def write_async(script: Script) -> object:
    async def call() -> object:
        return await script.asynchronous().filter_sets.create_filter_set(name="a", rules=FilterRules())

    return asyncio.run(call())


@pytest.mark.parametrize("call", [count, count_async])
@pytest.mark.parametrize(
    "failure",
    [
        ConnectionError("refused"),
        OVERLOADED,
        rejected(503, "unavailable"),
        rejected(500, "internal", "STORAGE_UNAVAILABLE"),
        rejected(500, "internal", "OUTCOME_UNKNOWN"),
        rejected(400, "failed_precondition", "IDEMPOTENCY_IN_PROGRESS", "1"),
        rejected(400, "failed_precondition", "CONFLICT"),
        (502, {CONTENT: "text/html"}, b"<html>bad gateway</html>"),
        (429, {CONTENT: "text/html"}, b"<html>slow down</html>"),
        (500, {CONTENT: "text/html"}, b"<html>broken</html>"),
    ],
)
def test_a_transient_failure_is_repeated(failure: Answer | Exception, call: Call) -> None:
    script = Script(failure, failure, OK)
    call(script)
    assert len(script.keys) == 3
    assert len(script.slept) == 2


@pytest.mark.parametrize("call", [count, count_async])
@pytest.mark.parametrize(
    "failure",
    [
        rejected(404, "not_found", "NOT_FOUND"),
        rejected(400, "invalid_argument", "INVALID_FIELD"),
        rejected(401, "unauthenticated", "UNAUTHENTICATED"),
        rejected(400, "failed_precondition", "VERSION_MISMATCH"),
        rejected(431, "resource_exhausted", "HEADERS_TOO_LARGE"),
        rejected(405, "unknown", "HTTP_METHOD_NOT_ALLOWED"),
        rejected(500, "internal", "INTERNAL"),
        TimeoutError("too slow"),
    ],
)
def test_a_final_failure_is_raised_at_once(failure: Answer | Exception, call: Call) -> None:
    script = Script(failure)
    with pytest.raises(TradepostError) as raised:
        call(script)
    assert raised.value.attempts == 1
    assert script.slept == []


@pytest.mark.parametrize("call", [count, count_async])
def test_the_first_repetition_of_a_call_is_logged(call: Call, caplog: pytest.LogCaptureFixture) -> None:
    call(Script(ConnectionError("refused"), ConnectionError("refused"), OK))
    (logged,) = caplog.records
    assert (logged.name, logged.levelname) == ("tradepost", "WARNING")
    assert logged.getMessage().startswith("CountPools at http://tradepost.example.com failed and is repeated: unavailable")


@pytest.mark.parametrize("call", [write, write_async])
def test_a_write_keeps_its_key_over_all_attempts(call: Call) -> None:
    script = Script(ConnectionError("cut"), OVERLOADED, OK)
    call(script)
    assert len(script.keys) == 3
    assert len(set(script.keys)) == 1
    assert script.keys[0]


def test_each_write_has_a_key_of_its_own_and_a_given_one_is_used() -> None:
    script = Script(OK, OK, OK)
    write(script)
    write(script)
    write(script, "mine")
    assert script.keys[0] != script.keys[1]
    assert script.keys[2] == "mine"


def test_a_read_has_no_key_and_every_call_has_the_credential() -> None:
    script = Script(OK)
    count(script)
    assert script.keys == [None]
    assert script.authorizations == ["Bearer tpk_test"]


def test_a_write_that_fails_in_the_end_names_its_key() -> None:
    script = Script(*[ConnectionError("cut")] * 5)
    with pytest.raises(tradepost.Unavailable) as raised:
        write(script)
    assert raised.value.idempotency_key == script.keys[0]
    assert raised.value.attempts == 5


def test_retry_after_is_waited_for_with_a_little_jitter() -> None:
    script = Script(OVERLOADED, OK)
    count(script)
    assert 3.0 <= script.slept[0] <= 3.2


def test_a_retry_after_beyond_the_longest_wait_is_raised_with_the_time() -> None:
    script = Script(rejected(429, "resource_exhausted", "RATE_LIMITED", "3600"))
    with pytest.raises(tradepost.ResourceExhausted) as raised:
        count(script)
    assert raised.value.retry_after == 3600.0
    assert raised.value.reason == "RATE_LIMITED"


def test_a_retry_after_that_is_a_date_is_ignored() -> None:
    script = Script(rejected(503, "unavailable", retry_after="Wed, 21 Oct 2026 07:28:00 GMT"), OK)
    count(script)
    assert script.slept[0] < 1


def test_delays_double_up_to_the_longest_and_their_sum_is_bounded() -> None:
    error = TradepostError("no", code="unavailable")
    attempts = Attempts(Retry(attempts=100, first_delay=1, longest_delay=8, longest_wait=30), jitter=lambda: 1.0)
    delays = list(iter(lambda: attempts.delay_after(error), None))
    assert delays == [1, 2, 4, 8, 8]


def test_jitter_takes_up_to_half_of_a_delay() -> None:
    error = TradepostError("no", code="unavailable")
    assert Attempts(Retry(first_delay=1), jitter=lambda: 0.0).delay_after(error) == 0.5


def test_a_timeout_is_repeated_only_where_that_is_wanted() -> None:
    script = Script(TimeoutError("slow"), OK)
    script.blocking(Retry(after_timeout=True)).pools.count_pools()
    assert len(script.keys) == 2


@pytest.mark.parametrize("call", [count, count_async])
def test_a_mistake_of_the_program_is_neither_repeated_nor_hidden(call: Call) -> None:
    script = Script(ValueError("a bug"))
    with pytest.raises(ValueError, match="a bug"):
        call(script)
    assert script.slept == []


def test_cancelling_a_task_ends_it_during_a_call() -> None:
    async def cancel() -> None:
        sent = asyncio.Event()

        class Hanging(Script):
            async def execute(self, request: Request) -> Response:
                sent.set()
                await asyncio.Event().wait()
                raise AssertionError("nothing sets the event")

        task = asyncio.create_task(Hanging().asynchronous().pools.count_pools())
        await sent.wait()
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
