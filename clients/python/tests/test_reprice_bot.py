"""The example of a bot: its strategy as a calculation, and its effect on the records of a demo that trades."""

from __future__ import annotations

import itertools
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
from tradepost.types import ContractStatus, ContractType, IntentKind, IntentStatus, InventoryItem, TransitionSubjectType

EXAMPLES = REPOSITORY / "examples/python"
BOT = EXAMPLES / "reprice_bot.py"
ACCOUNT = "live-1"
STEP_CENTS = 150
MARGIN_BPS = 2000
SECONDS = 60.0


@contextmanager
def running_bot(demo: Demo, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ["--account", ACCOUNT, "--list", "4", "--above-bps", "4000", "--margin-bps", str(MARGIN_BPS)]
    pace = ["--step", money.format(STEP_CENTS), "--every", "0.3"]
    with output.open("wb") as printed:
        bot = subprocess.Popen(
            [sys.executable, str(BOT), *arguments, *pace],
            env={**os.environ, **demo.environment},
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        try:
            yield bot
        finally:
            bot.send_signal(signal.SIGINT)
            bot.wait(timeout=10)


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


def asks(client: tradepost.Client, item_id: bytes) -> list[int]:
    """The prices that were asked for an item, the first one first."""
    kinds = (IntentKind.LIST, IntentKind.REPRICE)
    done = [intent for intent in client.intents.iterate(status=IntentStatus.SUCCEEDED) if intent.kind in kinds]
    own = [intent.item for intent in done if intent.item is not None and intent.item.inventory_item_id == item_id]
    return [item.price_cents for item in reversed(own)]


def reach_the_floor(client: tradepost.Client, watch: tradepost.Watch) -> InventoryItem:
    """Waits until an item was lowered to its floor in at least two steps. The watch reports when an intent has succeeded."""
    for transition in watch:
        if transition.to_status != "SUCCEEDED":
            continue
        intent = client.intents.get_intent(intent_id=transition.subject_id).intent
        if intent is None or intent.kind != IntentKind.REPRICE or intent.item is None:
            continue
        item = client.inventory_items.get_inventory_item(inventory_item_id=intent.item.inventory_item_id).inventory_item
        assert item is not None
        if intent.item.price_cents == lowest_ask(client, item) and len(asks(client, item.id)) > 2:
            return item
    raise AssertionError("a watch has no end")


def test_the_bot_lowers_its_listings_step_by_step_to_cost_and_margin(live: Demo, tmp_path: Path) -> None:
    client = live.client()
    # The demo's own contract would list the same items.
    for contract in client.contracts.iterate(type=ContractType.SELLING, status=ContractStatus.ACTIVE):
        if list(contract.marketplaces) == ["simulated"]:
            client.contracts.pause_contract(contract_id=contract.id)
    watch = client.watch(subject_types=[TransitionSubjectType.INTENT])
    output = tmp_path / "bot.txt"
    found: list[InventoryItem] = []
    with running_bot(live, output) as bot:
        waiting = threading.Thread(target=lambda: found.append(reach_the_floor(client, watch)), daemon=True)
        waiting.start()
        waiting.join(timeout=SECONDS)
        assert found, f"no item reached its floor in {SECONDS} s:\n{output.read_text()}"
        assert bot.poll() is None, output.read_text()
    assert output.read_text().endswith("ended\n")
    assert bot.returncode == 0
    (item,) = found
    prices = asks(client, item.id)
    steps = [before - after for before, after in itertools.pairwise(prices)]
    assert all(step == STEP_CENTS for step in steps[:-1])
    assert 0 < steps[-1] <= STEP_CENTS
    assert prices[-1] == lowest_ask(client, item)
    # What the server has on record of the item is what the bot asked for last.
    read = client.inventory_items.get_inventory_item(inventory_item_id=item.id).inventory_item
    assert read is not None
    assert read.list_price_cents == prices[-1]
    assert tradepost.ids.format(item.id) in output.read_text()


def test_an_ask_falls_by_the_step_to_the_floor_and_never_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from reprice_bot import Strategy

    strategy = Strategy(above_bps=1000, step_cents=40, margin_bps=300)
    assert strategy.first_ask(1000, 900) == 1100
    assert strategy.first_ask(1000, 1200) == 1200
    assert [strategy.next_ask(ask, 900) for ask in (1000, 930, 900, 850)] == [960, 900, 900, 850]
    assert strategy.least_proceeds(1001) == 1032
