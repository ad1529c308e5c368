"""Every message and every enum of the interface, such as `Purchase` and `PurchaseStatus`."""

from ._gen.types import *  # noqa: F403
from ._gen.types import __all__ as __all__
