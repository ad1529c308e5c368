"""What a request has to be before it is sent: ids as bytes, and every value of the type of its field.

The encoder rejects values as well, but names no field.
"""

from __future__ import annotations

from protobuf import (
    DescEnum,
    DescFieldValueEnum,
    DescFieldValueList,
    DescFieldValueMessage,
    DescFieldValueScalar,
    DescMessage,
    Enum,
    Message,
    ScalarType,
)

from . import ids

_TYPES: dict[ScalarType, type | tuple[type, ...]] = {
    ScalarType.BOOL: bool,
    ScalarType.STRING: str,
    ScalarType.BYTES: (bytes, bytearray),
    ScalarType.INT32: int,
    ScalarType.INT64: int,
}
_BITS = {ScalarType.INT32: 32, ScalarType.INT64: 64}
_WANTED = {ScalarType.BOOL: "True or False", ScalarType.STRING: "a str", ScalarType.BYTES: "the 16 bytes of an id, or its text"}


def prepare(operation: str, request: Message) -> None:
    """Converts ids that are texts, in place, and checks every value.

    Raises:
        TypeError: If a value has another type than its field.
        OverflowError: If a number is too large for its field.
        ValueError: If a text in the field of an id is none.
    """
    _prepare(request, f"{operation}: ")


def _prepare(message: Message, path: str) -> None:
    for field in message.desc().fields:
        name, value = field.local_name, getattr(message, field.local_name)
        match field.value:
            case DescFieldValueScalar(scalar=kind) | DescFieldValueEnum(enum=kind) | DescFieldValueMessage(message=kind):
                # A message that is missing reads as nothing.
                if value is not None and (made := _made(kind, value, path + name)) is not value:
                    setattr(message, name, made)
            case DescFieldValueList(element=kind):
                if not isinstance(value, list):
                    raise TypeError(f"{path}{name} has the type {type(value).__name__}: pass a list")
                setattr(message, name, [_made(kind, each, f"{path}{name}[{at}]") for at, each in enumerate(value)])


def _made(kind: ScalarType | DescEnum | DescMessage, value: object, path: str) -> object:
    if kind is ScalarType.BYTES and isinstance(value, str):
        try:
            return ids.parse(value)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    if not _has_type(kind, value):
        # A value in the place of a text or a message may be a secret.
        shown = f"value {value!r} of " if isinstance(kind, DescEnum) or kind in _BITS else ""
        raise TypeError(f"{path} has the {shown}type {type(value).__name__}: pass {_wanted(kind, path)}")
    if kind in _BITS and isinstance(value, int):
        most = 2 ** (_BITS[kind] - 1) - 1
        if not -most - 1 <= value <= most:
            raise OverflowError(f"{path} has the value {value}: pass a number of at most {most:,}")
    if isinstance(value, Message):
        _prepare(value, f"{path}.")
    return value


def _has_type(kind: ScalarType | DescEnum | DescMessage, value: object) -> bool:
    match kind:
        case DescMessage():
            return isinstance(value, Message) and value.desc().type_name == kind.type_name
        case DescEnum():
            is_of_another = isinstance(value, Enum) and type(value).__name__ != kind.name
            return isinstance(value, int) and not isinstance(value, bool) and not is_of_another
        case _:
            is_number = not isinstance(value, bool) or kind is ScalarType.BOOL
            return is_number and isinstance(value, _TYPES.get(kind, object))


def _wanted(kind: ScalarType | DescEnum | DescMessage, path: str) -> str:
    match kind:
        case DescMessage(name="Timestamp"):
            return "a Timestamp, such as Timestamp.from_datetime(…)"
        case DescMessage():
            return f"a tradepost.types.{kind.name}"
        case DescEnum():
            return " or ".join(f"{kind.name}.{value.local_name}" for value in kind.values if value.number)
        case _:
            amount = 'whole cents, such as tradepost.money.parse("12.50")' if path.endswith("_cents") else "an int"
            return _WANTED.get(kind, amount)
