"""Amounts: whole cents as integers, and texts with two decimals. No float is involved, so nothing is rounded."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9]+)(?:\.(?P<cents>[0-9]{1,2}))?")


def parse(text: str) -> int:
    """Returns the cents of an amount such as `12.34`, `12.3`, `12` or `-0.05`.

    Raises:
        ValueError: If the text is anything else, such as an amount with three decimals or with a separator of thousands.
        TypeError: If it is not a text. A float may have lost a cent already.
    """
    if not isinstance(text, str):
        raise TypeError(f"an amount is parsed from a text, not from {type(text).__name__}")
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not an amount: write it as 12.34")
    cents = int(match["whole"]) * 100 + int((match["cents"] or "").ljust(2, "0"))
    return -cents if match["sign"] == "-" else cents


def format(cents: int, currency: str = "") -> str:
    """Returns cents as a text with two decimals, followed by the currency if one is given: `12.34 USD`."""
    if not isinstance(cents, int) or isinstance(cents, bool):
        raise TypeError(f"an amount is a whole number of cents, not {type(cents).__name__}")
    whole, rest = divmod(abs(cents), 100)
    text = f"{'-' if cents < 0 else ''}{whole}.{rest:02}"
    return f"{text} {currency}" if currency else text


def percent(cents: int, basis_points: int) -> int:
    """Returns a share of an amount in cents, rounded up: 250 basis points are 2.5 %."""
    return -(-cents * basis_points // 10_000)
