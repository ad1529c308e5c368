"""How every operation is called: credentials, the workspace, idempotency keys, retries, and errors as exceptions.

The operations themselves are generated and know nothing of this.
"""

from __future__ import annotations

import asyncio
import atexit
import base64
import copy
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeVar

from connectrpc.client import ConnectClient, ConnectClientSync, ResponseMetadata
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from protobuf import Message
from pyqwest import Client, ReadError, RemoteProtocolError, SyncClient, WriteError

from ._errors import CLASSES, FailedPrecondition, PermissionDenied, TradepostError
from ._gen.accounts.v1.api_key_pb import ListAPIKeysRequest, ListAPIKeysResponse
from ._requests import prepare
from ._retry import Attempts, Retry

REQ = TypeVar("REQ", bound=Message)
RES = TypeVar("RES", bound=Message)

# What the network does. Any other cause is a mistake of the program and raised as it is.
_LOST_CONNECTION = (OSError, ReadError, WriteError, RemoteProtocolError)
# What pyqwest puts before the reason for which it found no server.
_CONNECTING = "client error (Connect): "
_API_KEY = "tpk_"
_FINISH_SECONDS = 0.05
_UNNAMED_WORKSPACE = (
    "this key has neither the policy analytics nor workspace, so the client cannot read its workspace: "
    "pass the id as `workspace`, or set TRADEPOST_WORKSPACE"
)
_log = logging.getLogger("tradepost")

LIST_KEYS: MethodInfo[ListAPIKeysRequest, ListAPIKeysResponse] = MethodInfo(
    name="ListAPIKeys",
    service_name="accounts.v1.Accounts",
    input=ListAPIKeysRequest,
    output=ListAPIKeysResponse,
    idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS,
    stream_type=StreamType.UNARY,
)


@dataclass(frozen=True)
class Settings:
    """What all calls of a client have in common."""

    url: str
    key: str
    workspace: bytes | None = None
    timeout: float = 30.0
    retry: Retry = field(default_factory=Retry)

    def headers(self, idempotency_key: str | None) -> dict[str, str]:
        made = {"authorization": f"Bearer {self.key}"}
        # A session works in several workspaces. The workspace of a key is its own, and the server reads no header.
        if self.workspace is not None and not self.key.startswith(_API_KEY):
            made["x-workspace-id"] = base64.b64encode(self.workspace).decode("ascii")
        if idempotency_key is not None:
            made["idempotency-key"] = idempotency_key
        return made

    def report_first_repetition(self, operation: str, error: TradepostError) -> None:
        """Logs why a call takes longer. Without this, a wrong address shows only after all attempts."""
        if error.attempts == 1:
            _log.warning("%s at %s failed and is repeated: %s", operation, self.url, error)

    def milliseconds(self, timeout: float | None) -> int:
        return max(1, round((self.timeout if timeout is None else timeout) * 1000))


class Calls:
    """The calls of a blocking client."""

    def __init__(
        self,
        settings: Settings,
        http_client: SyncClient | None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        # Compression saves nothing on small requests.
        self._transport = ConnectClientSync(settings.url, http_client=http_client, send_compression=None)
        self._workspace = settings.workspace
        self._sleep = sleep

    def close(self) -> None:
        self._transport.close()

    def with_retry(self, retry: Retry) -> Calls:
        """The same connection, on which calls are repeated in another way."""
        other = copy.copy(self)
        other.settings = replace(self.settings, retry=retry)
        return other

    def workspace(self) -> bytes:
        if self._workspace is None:
            try:
                self._workspace = workspace_of(self.read(LIST_KEYS, ListAPIKeysRequest(), None))
            except PermissionDenied as error:
                error.detail = _UNNAMED_WORKSPACE
                raise
        return self._workspace

    def read(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None) -> RES:
        return self._call(method, request, timeout, None)

    def write(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        return self._call(method, request, timeout, key or str(uuid.uuid4()))

    def once(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        """Sends the call and does not repeat it."""
        with ResponseMetadata() as answer:
            try:
                return self._transport.execute_unary(
                    request=request,
                    method=method,
                    headers=self.settings.headers(key),
                    timeout_ms=self.settings.milliseconds(timeout),
                )
            except ConnectError as error:
                raise_failure(error, answer, key, self.settings.url)

    def _call(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        prepare(method.name, request)
        attempts = Attempts(self.settings.retry)
        while True:
            try:
                return self.once(method, request, timeout, key)
            except TradepostError as error:
                delay = attempts.delay_after(error)
                if delay is None:
                    raise
                self.settings.report_first_repetition(method.name, error)
                self._sleep(delay)


class AsyncCalls:
    """The calls of a client for asyncio."""

    def __init__(
        self,
        settings: Settings,
        http_client: Client | None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        # Registered once, however many clients there are.
        atexit.unregister(_finish_transport)
        atexit.register(_finish_transport)
        self.settings = settings
        self._transport = ConnectClient(settings.url, http_client=http_client, send_compression=None)
        self._workspace = settings.workspace
        self._sleep = sleep

    async def close(self) -> None:
        await self._transport.close()

    def with_retry(self, retry: Retry) -> AsyncCalls:
        """The same connection, on which calls are repeated in another way."""
        other = copy.copy(self)
        other.settings = replace(self.settings, retry=retry)
        return other

    async def workspace(self) -> bytes:
        if self._workspace is None:
            try:
                self._workspace = workspace_of(await self.read(LIST_KEYS, ListAPIKeysRequest(), None))
            except PermissionDenied as error:
                error.detail = _UNNAMED_WORKSPACE
                raise
        return self._workspace

    async def read(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None) -> RES:
        return await self._call(method, request, timeout, None)

    async def write(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        return await self._call(method, request, timeout, key or str(uuid.uuid4()))

    async def once(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        """Sends the call and does not repeat it."""
        with ResponseMetadata() as answer:
            try:
                return await self._transport.execute_unary(
                    request=request,
                    method=method,
                    headers=self.settings.headers(key),
                    timeout_ms=self.settings.milliseconds(timeout),
                )
            except ConnectError as error:
                # The transport turns the cancellation of a task into an error, which would keep the task from ending.
                if isinstance(error.__cause__, asyncio.CancelledError):
                    raise error.__cause__ from None
                raise_failure(error, answer, key, self.settings.url)

    async def _call(self, method: MethodInfo[REQ, RES], request: REQ, timeout: float | None, key: str | None) -> RES:
        prepare(method.name, request)
        attempts = Attempts(self.settings.retry)
        while True:
            try:
                return await self.once(method, request, timeout, key)
            except TradepostError as error:
                delay = attempts.delay_after(error)
                if delay is None:
                    raise
                self.settings.report_first_repetition(method.name, error)
                await self._sleep(delay)


def _finish_transport() -> None:
    """Lets the threads of pyqwest release what they hold of the last answer.

    A thread that does so while the interpreter ends aborts the process. Without this, one in ten programs that end right after an
    answer did.
    """
    time.sleep(_FINISH_SECONDS)


def workspace_of(listed: ListAPIKeysResponse) -> bytes:
    """A key reads the keys of its own workspace only, so the first one names it."""
    for key in listed.api_keys:
        return key.workspace_id
    raise FailedPrecondition("the workspace of the key is unknown: name it as `workspace`", code="failed_precondition")


def raise_failure(error: ConnectError, answer: ResponseMetadata, key: str | None, url: str) -> NoReturn:
    """Raises the exception of a call that did not succeed."""
    cause = error.__cause__
    code, detail = error.code.value, error.message
    if cause is not None and answer.http_status is None:
        if not isinstance(cause, _LOST_CONNECTION):
            raise cause
        if not isinstance(cause, TimeoutError):
            why = detail.rpartition(_CONNECTING)[2]
            detail = f"no answer from {url}: {why}; start the server, or correct its address (TRADEPOST_URL)"
    made = CLASSES.get(code, TradepostError)(
        detail,
        code=code,
        reason=answer.headers.get("x-error-reason", ""),
        retry_after=seconds(answer.headers.get("retry-after", "")),
        request_id=answer.headers.get("x-request-id", ""),
        http_status=answer.http_status,
    )
    made.idempotency_key = key
    # The errors of the transport add nothing, at the length of a screen.
    raise made from None


def seconds(text: str) -> float | None:
    """A `Retry-After` in seconds. Proxies may send a date instead, which says less than the client's own delay."""
    return float(text) if text.isascii() and text.isdigit() else None
