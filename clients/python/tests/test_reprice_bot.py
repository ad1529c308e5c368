"""The example of a bot: its strategy as a calculation, and its effect on the records of a demo that trades."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import REPOSITORY, Demo

import tradepost
from tradepost import money
from tradepost.types import ContractStatus, ContractType, IntentKind, InventoryItem, TransitionSubjectType

EXAMPLES = REPOSITORY / "examples/python"
BOT = EXAMPLES / "reprice_bot.py"
ACCOUNT = "live-1"
STEP_CENTS = 150
MARGIN_BPS = 1500
# How long an item may take to its floor; the market buys some before.
SECONDS = 150.0


@contextmanager
def running_bot(demo: Demo, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ["--account", ACCOUNT, "--list", "6", "--above-bps", "8000", "--margin-bps", str(MARGIN_BPS)]
    pace = ["--step", money.format(STEP_CENTS), "--every", "0.3"]
    with output.open("wb") as printed:
        bot = subprocess.Popen(
            [sys.executable, str(BOT), *arguments, *pace],
            env={**os.environ, **demo.environment},
            stdout=printed,
            stderr=subprocess.STDOUT,
            # A shell starts jobs in the background with this signal ignored, and Python keeps it so.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            yield bot
        finally:
            bot.send_signal(signal.SIGINT)
            bot.wait(timeout=30)


def lowest_ask(client: tradepost.Client, item: InventoryItem) -> int:
    """The floor, calculated from the fee as the marketplace of the demo charges it, in another way than the bot does."""
    purchase = client.purchases.get_purchase(purchase_id=item.purchase_id).purchase
    assert purchase is not None
    cost = purchase.executed_price_cents + purchase.platform_fee_cents
    least = cost + money.percent(cost, MARGIN_BPS)

    def net(ask: int) -> int:
        estimate = client.providers.estimate_sale(inventory_item_id=item.id, marketplace="simulated", price_cents=ask)
        return estimate.net_cents

    low, high = least, least * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if net(middle) >= least else (middle + 1, high)
    return low


def reach_the_floor(client: tradepost.Client, watch: tradepost.Watch, output: Path) -> tuple[InventoryItem, int]:
    """Waits until the server has on record that an item of the bot was lowered to its floor in at least two steps.

    The watch reports when an intent has succeeded. Returns the item and its floor.
    """
    floors: dict[bytes, int] = {}
    for transition in watch:
        if transition.to_status != "SUCCEEDED":
            continue
        intent = client.intents.get_intent(intent_id=transition.subject_id).intent
        if intent is None or intent.item is None or intent.kind != IntentKind.REPRICE:
            continue
        identifier = intent.item.inventory_item_id
        steps = lowered(output.read_text(), identifier)
        if len(steps) < 2:
            continue
        item = client.inventory_items.get_inventory_item(inventory_item_id=identifier).inventory_item
        assert item is not None
        if identifier not in floors:
            floors[identifier] = lowest_ask(client, item)
        if item.list_price_cents == floors[identifier]:
            return item, floors[identifier]
    raise AssertionError("a watch has no end")


def lowered(printed: str, item_id: bytes) -> list[tuple[int, int]]:
    """The asks before and after each step that the bot reported of an item."""
    lines = (line.split() for line in printed.splitlines() if line.startswith("lowered: "))
    return [(money.parse(words[-3]), money.parse(words[-1])) for words in lines if words[-4] == tradepost.ids.format(item_id)]


def test_the_bot_lowers_its_listings_step_by_step_to_cost_and_margin(live: Demo, tmp_path: Path) -> None:
    client = live.client()
    # The demo's own contract would list the same items.
    for contract in client.contracts.iterate(type=ContractType.SELLING, status=ContractStatus.ACTIVE):
        if list(contract.marketplaces) == ["simulated"]:
            client.contracts.pause_contract(contract_id=contract.id)
    watch = client.watch(subject_types=[TransitionSubjectType.INTENT])
    output = tmp_path / "bot.txt"
    found: list[tuple[InventoryItem, int]] = []
    with running_bot(live, output) as bot:
        waiting = threading.Thread(target=lambda: found.append(reach_the_floor(client, watch, output)), daemon=True)
        waiting.start()
        waiting.join(timeout=SECONDS)
        assert found, f"no item reached its floor in {SECONDS} s:\n{output.read_text()}"
        assert bot.poll() is None, output.read_text()
    assert output.read_text().endswith("ended\n")
    assert bot.returncode == 0
    ((item, floor),) = found
    # A listing may end by itself and be listed once more, so that what counts is each step and not their sum.
    for before, after in lowered(output.read_text(), item.id):
        assert after == max(before - STEP_CENTS, floor)
    assert item.list_price_cents == floor


def test_an_ask_falls_by_the_step_to_the_floor_and_never_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from reprice_bot import Strategy

    strategy = Strategy(above_bps=1000, step_cents=40, margin_bps=300)
    assert strategy.first_ask(1000, 900) == 1100
    assert strategy.first_ask(1000, 1200) == 1200
    assert [strategy.next_ask(ask, 900) for ask in (1000, 930, 900, 850)] == [960, 900, 900, 850]
    assert strategy.least_proceeds(1001) == 1032
