"""Amounts are converted exactly."""

import base64
import uuid

import pytest

from tradepost import ids, money


@pytest.mark.parametrize(
    ("text", "cents"),
    [("12.34", 1234), ("12.3", 1230), ("12", 1200), ("0.05", 5), ("-0.05", -5), ("+7.00", 700), (" 1.10 ", 110)],
)
def test_a_text_with_up_to_two_decimals_is_parsed(text: str, cents: int) -> None:
    assert money.parse(text) == cents


@pytest.mark.parametrize(
    "text", ["", ".", "1.", ".5", "1.234", "1,00", "1,234.00", "1e3", "0x10", "--1", "1 2", "١٢.٣٤", "12.34 USD"]
)
def test_any_other_text_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        money.parse(text)


def test_a_float_is_neither_parsed_nor_formatted() -> None:
    with pytest.raises(TypeError):
        money.parse(12.34)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        money.format(12.34)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        money.format(True)


@pytest.mark.parametrize("cents", [0, 1, 99, 100, -1, -100, -12345, 10**13, 29 * 10**15 + 1])
def test_what_is_formatted_is_parsed_back(cents: int) -> None:
    assert money.parse(money.format(cents)) == cents


def test_the_currency_follows_the_amount() -> None:
    assert money.format(1234, "USD") == "12.34 USD"
    assert money.format(-5) == "-0.05"


def test_a_share_is_rounded_up() -> None:
    assert money.percent(1000, 250) == 25
    assert money.percent(1001, 250) == 26


def test_identifiers_are_read_in_every_form_of_base64() -> None:
    identifier = bytes(range(240, 256))
    text = base64.b64encode(identifier).decode()
    assert "/" in text
    for form in (text, text.rstrip("="), text.replace("+", "-").replace("/", "_")):
        assert ids.parse(form) == identifier


def test_identifiers_are_written_and_read_as_the_command_line_prints_them() -> None:
    identifier = bytes(range(240, 256))
    text = str(uuid.UUID(bytes=identifier))
    assert ids.format(identifier) == text
    assert ids.parse(text) == ids.parse(f" {text.upper()}\n") == identifier


def test_a_missing_identifier_is_written_as_nothing() -> None:
    assert ids.format(b"") == ""


@pytest.mark.parametrize("text", ["", "AAAA", "not base64!", "A" * 23, "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfef"])
def test_what_names_no_16_bytes_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="not an identifier"):
        ids.parse(text)
