"""The clients: every group of operations as an attribute, and the watch."""

from __future__ import annotations

import os
from collections.abc import Collection
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from pyqwest import Client as HttpClient
from pyqwest import SyncClient as SyncHttpClient

from . import ids
from ._calls import AsyncCalls, Calls, Settings
from ._gen.contracts.v1.transition_pb import TransitionSubjectType
from ._gen.services import AsyncServices, Services
from ._retry import Retry
from ._watch import AsyncWatch, Position, Wanted, Watch, endure

_DEFAULT_URL = "http://127.0.0.1:8080"


class Client(Services):
    """A blocking client. It may be shared by threads.

    Every operation is a method with keyword arguments: `client.purchases.get_purchase(purchase_id=…)`. The client adds the
    workspace. `timeout` is the time in seconds for one attempt; `idempotency_key` replaces the key that the client makes for
    every call that changes something.
    """

    def __init__(self, calls: Calls) -> None:
        super().__init__(calls)
        self._calls = calls

    @property
    def workspace_id(self) -> bytes:
        """The workspace of the key."""
        return self._calls.workspace()

    def watch(
        self,
        *,
        after: bytes | str | None = None,
        subject_types: Collection[TransitionSubjectType] = (),
        wait_seconds: int = 20,
        lost_for: float = 300.0,
    ) -> Watch:
        """Returns an endless iterator of changes of status, which begins with the next change.

        Args:
            after: The `position` of an earlier watch, to continue there; empty to begin with the changes of the last 31 days.
            subject_types: The kinds of records whose changes are returned; all that the key may read if empty.
            wait_seconds: How long the server waits for a change before it answers, 1 to 25.
            lost_for: After how many seconds of waiting for the server an interruption is raised.

        Raises:
            FailedPrecondition: With the reason `WATCH_EXPIRED`, if changes behind `after` are older than 31 days.
        """
        calls = self._calls.with_retry(endure(self._calls.settings.retry, lost_for))
        position = Position(after=ids.of(after or b""))
        if after is None:
            position.take(self.transitions.watch_transitions(from_end=True))
        return Watch(calls, Wanted.of(subject_types, wait_seconds), position)

    def close(self) -> None:
        """Ends the use of the client."""
        self._calls.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncServices):
    """A client for asyncio, with the methods of [`Client`][tradepost.Client] as coroutines."""

    def __init__(self, calls: AsyncCalls) -> None:
        super().__init__(calls)
        self._calls = calls

    async def workspace_id(self) -> bytes:
        """The workspace of the key."""
        return await self._calls.workspace()

    async def watch(
        self,
        *,
        after: bytes | str | None = None,
        subject_types: Collection[TransitionSubjectType] = (),
        wait_seconds: int = 20,
        lost_for: float = 300.0,
    ) -> AsyncWatch:
        """Returns an endless asynchronous iterator of changes of status; see `Client.watch`."""
        calls = self._calls.with_retry(endure(self._calls.settings.retry, lost_for))
        position = Position(after=ids.of(after or b""))
        if after is None:
            position.take(await self.transitions.watch_transitions(from_end=True))
        return AsyncWatch(calls, Wanted.of(subject_types, wait_seconds), position)

    async def close(self) -> None:
        """Ends the use of the client."""
        await self._calls.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


def connect(
    url: str | None = None,
    key: str | None = None,
    *,
    workspace: bytes | str | None = None,
    timeout: float = 30.0,
    retry: Retry | None = None,
    http_client: SyncHttpClient | None = None,
) -> Client:
    """Returns a client of a server. Nothing is sent until the first call.

    Args:
        url: Where the server is, such as `https://tradepost.example.com`. Default: `TRADEPOST_URL`, else `http://127.0.0.1:8080`.
        key: The API key. Default: `TRADEPOST_API_KEY`.
        workspace: The workspace, as bytes, UUID text or base64. Default: `TRADEPOST_WORKSPACE`, else that of the key. A key
            with neither the policy `analytics` nor `workspace` cannot read its own workspace and has to name it.
        timeout: How many seconds one attempt of a call may take.
        retry: How often and how long a call is repeated after a transient failure.
        http_client: A client of pyqwest, for certificates or a proxy of your own.

    Raises:
        ValueError: If there is no key, the address is none, or the workspace is not an identifier.
    """
    return Client(Calls(settings(url, key, workspace, timeout, retry), http_client))


def connect_async(
    url: str | None = None,
    key: str | None = None,
    *,
    workspace: bytes | str | None = None,
    timeout: float = 30.0,
    retry: Retry | None = None,
    http_client: HttpClient | None = None,
) -> AsyncClient:
    """Returns a client for asyncio. The arguments are those of `connect`."""
    return AsyncClient(AsyncCalls(settings(url, key, workspace, timeout, retry), http_client))


def settings(
    url: str | None,
    key: str | None,
    workspace: bytes | str | None,
    timeout: float,
    retry: Retry | None,
) -> Settings:
    """What is given, completed by the variables that the command line reads too."""
    key = key or os.environ.get("TRADEPOST_API_KEY")
    if not key:
        raise ValueError("there is no API key: pass it as `key`, or set TRADEPOST_API_KEY")
    workspace = workspace or os.environ.get("TRADEPOST_WORKSPACE") or None
    return Settings(
        url=address(url or os.environ.get("TRADEPOST_URL") or _DEFAULT_URL),
        key=key,
        workspace=None if workspace is None else ids.of(workspace),
        timeout=timeout,
        retry=retry or Retry(),
    )


def address(url: str) -> str:
    """Returns the address of a server as calls use it: `http://` or `https://`, a host, and no slash at its end."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except (ValueError, TypeError, AttributeError):
        is_valid = False
    if not is_valid:
        raise ValueError(f"{url!r} is not the address of a server: pass `url`, or set TRADEPOST_URL, such as {_DEFAULT_URL}")
    return url.rstrip("/")
