"""What a call that does not succeed raises: one exception for each code of docs/reference/errors.md."""

from __future__ import annotations

# Reasons that promise that the same call may succeed when it is repeated. The last one is about a call whose outcome is unknown:
# the idempotency key makes it safe to repeat.
_TRANSIENT_REASONS = frozenset(
    {"CONFLICT", "STORAGE_UNAVAILABLE", "IDEMPOTENCY_IN_PROGRESS", "OUTCOME_UNKNOWN"},
)
_TOO_MANY_REQUESTS = 429


class TradepostError(Exception):
    """A call failed, or the server rejected it.

    Attributes:
        code: The code, such as `not_found`. Where no answer came it is `unavailable`, or `deadline_exceeded` after the timeout.
        reason: The stable name of the case, such as `VERSION_MISMATCH`; empty if no tradepost server answered.
        detail: What went wrong, for people. It may change between versions.
        retry_after: Seconds to wait before the next attempt, where the server names them.
        request_id: The identifier of the call in the server's log; empty if the server did not answer.
        idempotency_key: The key of a call that changes something. Repeating the call with it has its effect once.
        attempts: How many times the call was sent.
    """

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        reason: str = "",
        retry_after: float | None = None,
        request_id: str = "",
        http_status: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.reason = reason
        self.detail = detail
        self.retry_after = retry_after
        self.request_id = request_id
        self.http_status = http_status
        self.idempotency_key: str | None = None
        self.attempts = 1

    def __str__(self) -> str:
        return f"{self.reason or self.code}: {self.detail}"

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later, and the client repeats it."""
        # An `unknown` with a reason is a rejection by the server, such as of an HTTP method. Without one it comes from a proxy.
        lost = self.code == "unavailable" or (self.code == "unknown" and not self.reason)
        return lost or self.http_status == _TOO_MANY_REQUESTS or self.reason in _TRANSIENT_REASONS


class InvalidArgument(TradepostError):
    """The request is malformed; `detail` names the field."""


class FailedPrecondition(TradepostError):
    """The state of the records does not allow the call."""


class Unauthenticated(TradepostError):
    """The key is missing, unknown, revoked or expired."""


class PermissionDenied(TradepostError):
    """The key is valid, and its policies do not allow the call."""


class NotFound(TradepostError):
    """The workspace has no such record."""


class AlreadyExists(TradepostError):
    """The record exists already."""


class ResourceExhausted(TradepostError):
    """A limit is reached; `retry_after` is the time to wait."""


class DeadlineExceeded(TradepostError):
    """The timeout of the call was over before its answer came. It may have had its effect."""


class Unavailable(TradepostError):
    """The server cannot be reached, or the connection was lost. The call may have had its effect."""


class InternalError(TradepostError):
    """The server failed; its operator finds the call in the log by `request_id`."""


CLASSES: dict[str, type[TradepostError]] = {
    "invalid_argument": InvalidArgument,
    "failed_precondition": FailedPrecondition,
    "unauthenticated": Unauthenticated,
    "permission_denied": PermissionDenied,
    "not_found": NotFound,
    "already_exists": AlreadyExists,
    "resource_exhausted": ResourceExhausted,
    "deadline_exceeded": DeadlineExceeded,
    "unavailable": Unavailable,
    "internal": InternalError,
}
