"""Identifiers: 16 bytes in messages, base64 in texts such as URLs, JSON and what the command line prints."""

from __future__ import annotations

import base64
import binascii

_BYTES = 16


def parse(text: str) -> bytes:
    """Returns the identifier that a text of base64 names, with or without padding, also in its URL-safe form.

    Raises:
        ValueError: If the text is not the base64 of 16 bytes.
    """
    plain = text.strip().rstrip("=").replace("-", "+").replace("_", "/")
    try:
        made = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(f"{text!r} is not an identifier: {error}") from error
    if len(made) != _BYTES:
        raise ValueError(f"{text!r} is not an identifier: it has {len(made)} bytes instead of {_BYTES}")
    return made


def format(identifier: bytes) -> str:
    """Returns the base64 of an identifier, as JSON shows it."""
    return base64.b64encode(identifier).decode("ascii")
