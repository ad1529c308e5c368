"""A bot that sells by a strategy of its own: it asks for more than an item is worth, and less with every hour.

    reprice_bot.py --marketplace simulated --list 5 --above-bps 1000 --step 0.25 --margin-bps 300 --every 3600

On `tradepost demo` an hour of the market takes a second, so use `--every 5` there.

It lists items that can be traded, lowers the ask of each of its listings by a step per round, and stops at the price that returns
the cost and the margin after the fee of the marketplace. Listings of contracts are left to their contracts. The bot keeps nothing
itself: after a restart it continues with the listings that it finds. `TRADEPOST_URL` and `TRADEPOST_API_KEY` name the server.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import tradepost
from tradepost import money
from tradepost.types import InventoryItem, InventoryItemStatus

# What may happen between the look at an item and the call: it was sold, or an earlier call is still in progress.
PASSING = {"ILLEGAL_STEP", "INTENT_EXISTS", "OTHER_CONTRACT", "VERSION_MISMATCH", "PROVIDER_DISABLED"}


@dataclass(frozen=True)
class Strategy:
    """How the ask begins, falls and ends. Amounts are cents, shares are basis points."""

    above_bps: int
    step_cents: int
    margin_bps: int

    def first_ask(self, value_cents: int, floor_cents: int) -> int:
        return max(value_cents + money.percent(value_cents, self.above_bps), floor_cents)

    def next_ask(self, ask_cents: int, floor_cents: int) -> int:
        """The ask of the next round. It never rises: a listing below the floor stays where it is."""
        return min(ask_cents, max(ask_cents - self.step_cents, floor_cents))

    def least_proceeds(self, cost_cents: int) -> int:
        return cost_cents + money.percent(cost_cents, self.margin_bps)


class Bot:
    """The strategy, applied to the items of one marketplace."""

    def __init__(self, client: tradepost.Client, marketplace: str, account: str, strategy: Strategy) -> None:
        self.client = client
        self.marketplace = marketplace
        self.account = account
        self.strategy = strategy
        self._floors: dict[bytes, int] = {}

    def round(self, list_up_to: int) -> int:
        """Lowers every listing by one step, lists further items while there are too few, and returns the listings before it."""
        listings = self.listings()
        for item in listings:
            self.lower(item)
        wanted = list_up_to - len(listings)
        if wanted > 0:
            self.list_items(wanted)
        return len(listings)

    def listings(self) -> list[InventoryItem]:
        listed = self.client.inventory_items.iterate(status=InventoryItemStatus.LISTED, account_name=self.account)
        return [item for item in listed if item.sale_marketplace == self.marketplace and not item.selling_contract_id]

    def lower(self, item: InventoryItem) -> None:
        ask = item.list_price_cents
        target = self.strategy.next_ask(ask, self.floor(item))
        if target == ask:
            return
        try:
            self.client.intents.reprice_item(inventory_item_id=item.id, price_cents=target)
        except tradepost.TradepostError as error:
            self.pass_over(item, error)
        else:
            self.report("lowered", item, f"{money.format(ask)} -> {money.format(target)}")

    def list_items(self, wanted: int) -> None:
        stock = self.client.inventory_items.iterate(status=InventoryItemStatus.IN_INVENTORY, account_name=self.account)
        # The oldest items come last, and their locks end first.
        for item in reversed(list(stock)):
            if wanted == 0:
                return
            value = self.value(item)
            if value is None:
                continue
            ask = self.strategy.first_ask(value, self.floor(item))
            try:
                self.client.intents.list_item_for_sale(
                    inventory_item_id=item.id,
                    marketplace=self.marketplace,
                    price_cents=ask,
                )
            except tradepost.TradepostError as error:
                if error.reason == "ITEM_LOCKED":
                    return
                self.pass_over(item, error)
            else:
                wanted -= 1
                self.report("listed", item, f"at {money.format(ask)}, not below {money.format(self.floor(item))}")

    def value(self, item: InventoryItem) -> int | None:
        price = self.client.pricing.get_price(
            market_hash_name=item.market_hash_name,
            phase=item.phase,
            app_id=item.app_id,
        ).price
        return price.selling_value_cents if price is not None and price.has_field("selling_value_cents") else None

    def floor(self, item: InventoryItem) -> int:
        """The lowest ask that returns the cost and the margin after the fee. Both are known once an item was bought."""
        if item.id not in self._floors:
            self._floors[item.id] = self.ask_for(item, self.strategy.least_proceeds(self.cost(item)))
        return self._floors[item.id]

    def cost(self, item: InventoryItem) -> int:
        purchase = self.client.purchases.get_purchase(purchase_id=item.purchase_id).purchase
        return item.buy_price_cents + (purchase.platform_fee_cents if purchase is not None else 0)

    def ask_for(self, item: InventoryItem, proceeds_cents: int) -> int:
        ask = proceeds_cents
        while True:
            estimate = self.client.providers.estimate_sale(
                inventory_item_id=item.id,
                marketplace=self.marketplace,
                price_cents=ask,
            )
            missing = proceeds_cents - estimate.net_cents
            if missing <= 0:
                return ask
            ask += missing

    def pass_over(self, item: InventoryItem, error: tradepost.TradepostError) -> None:
        if error.reason not in PASSING:
            raise error
        self.report("passed over", item, error.reason)

    def report(self, event: str, item: InventoryItem, detail: str) -> None:
        print(f"{event}: {item.market_hash_name} {tradepost.ids.format(item.id)} {detail}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Lower the asks of listings step by step, down to cost and margin")
    parser.add_argument("--marketplace", default="simulated", help="where to sell [default: simulated]")
    parser.add_argument("--account", default="", help="the trading account whose items are sold [default: all]")
    parser.add_argument("--list", type=int, default=5, metavar="N", help="list items until there are N listings [default: 5]")
    parser.add_argument("--above-bps", type=int, default=1000, metavar="BPS", help="first ask above the value [default: 1000]")
    parser.add_argument("--step", type=money.parse, default="0.25", metavar="AMOUNT", help="step of a round [default: 0.25]")
    parser.add_argument("--margin-bps", type=int, default=300, metavar="BPS", help="least margin over cost [default: 300]")
    parser.add_argument("--every", type=float, default=3600.0, metavar="SECONDS", help="time between rounds [default: 3600]")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="end after N rounds [default: endless]")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    strategy = Strategy(above_bps=given.above_bps, step_cents=given.step, margin_bps=given.margin_bps)
    with tradepost.connect() as client:
        bot = Bot(client, given.marketplace, given.account, strategy)
        done = 0
        while True:
            found = bot.round(given.list)
            done += 1
            print(f"round {done}: {found} listings before it", flush=True)
            if done == given.rounds:
                return
            time.sleep(given.every)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("ended")
