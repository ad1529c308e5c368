"""A transport that answers by a script, and a client over it for which no time passes."""

from __future__ import annotations

from pyqwest import Client, Headers, Request, Response, SyncClient, SyncRequest, SyncResponse

from tradepost._calls import AsyncCalls, Calls, Settings
from tradepost._client import AsyncClient
from tradepost._client import Client as Blocking
from tradepost._retry import Retry

WORKSPACE = bytes(range(16))
Answer = tuple[int, dict[str, str], bytes]


class Script:
    """Answers each request by the next entry, and keeps the keys and credentials of the requests."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.keys: list[str | None] = []
        self.authorizations: list[str | None] = []
        self.bodies: list[bytes] = []
        self.slept: list[float] = []

    def next(self, headers: Headers) -> Answer:
        self.keys.append(headers.get("idempotency-key"))
        self.authorizations.append(headers.get("authorization"))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def execute_sync(self, request: SyncRequest) -> SyncResponse:
        content = request.content
        self.bodies.append(content if isinstance(content, bytes) else b"".join(content))
        status, headers, content = self.next(request.headers)
        return SyncResponse(status=status, headers=Headers(headers.items()), content=content)

    async def execute(self, request: Request) -> Response:
        status, headers, content = self.next(request.headers)
        return Response(status=status, headers=Headers(headers.items()), content=content)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def settings(self, retry: Retry) -> Settings:
        return Settings(url="http://tradepost.example.com", key="tpk_test", workspace=WORKSPACE, retry=retry)

    def blocking(self, retry: Retry | None = None) -> Blocking:
        return Blocking(Calls(self.settings(retry or Retry()), SyncClient(self), self.slept.append))

    def asynchronous(self) -> AsyncClient:
        return AsyncClient(AsyncCalls(self.settings(Retry()), Client(self), self.sleep))
