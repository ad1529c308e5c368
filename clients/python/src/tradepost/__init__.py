"""A typed client of tradepost.

`connect` returns a blocking client and `connect_async` one for asyncio. Both have every operation as a typed method.
"""

from . import ids, money, types
from ._client import AsyncClient, Client, connect, connect_async
from ._errors import (
    AlreadyExists,
    DeadlineExceeded,
    FailedPrecondition,
    InternalError,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    TradepostError,
    Unauthenticated,
    Unavailable,
)
from ._retry import Retry
from ._watch import AsyncWatch, Watch

__version__ = "0.1.0"

__all__ = [
    "AlreadyExists",
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "DeadlineExceeded",
    "FailedPrecondition",
    "InternalError",
    "InvalidArgument",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "Retry",
    "TradepostError",
    "Unauthenticated",
    "Unavailable",
    "Watch",
    "connect",
    "connect_async",
    "ids",
    "money",
    "types",
]
