"""Identifiers: 16 bytes in messages, UUID text for people and on the command line, and base64 in JSON."""

from __future__ import annotations

import base64
import binascii
import re
import uuid

_BYTES = 16
_UUID = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def parse(text: str) -> bytes:
    """Returns the identifier that a text names: UUID text, or base64 with or without padding, also in its URL-safe form.

    Raises:
        ValueError: If the text is neither UUID text nor the base64 of 16 bytes.
    """
    if _UUID.fullmatch(text.strip()):
        return uuid.UUID(text.strip()).bytes
    plain = text.strip().rstrip("=").replace("-", "+").replace("_", "/")
    try:
        made = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(f"{text!r} is not an identifier: {error}") from error
    if len(made) != _BYTES:
        raise ValueError(f"{text!r} is not an identifier: it has {len(made)} bytes instead of {_BYTES}")
    return made


def format(identifier: bytes) -> str:
    """Returns the UUID text of an identifier, as the command line prints it; empty if the identifier is missing."""
    return str(uuid.UUID(bytes=identifier)) if identifier else ""


def of(identifier: bytes | str) -> bytes:
    """Returns the bytes of an identifier that may be a text."""
    return parse(identifier) if isinstance(identifier, str) else identifier
