import { parseBps, parseCents } from "../../core/format.ts";
import { read } from "../../core/ids.ts";
import { writeOffItem } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus as I, type InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { delistItem, listItemForSale, repriceItem, transferItem } from "../../gen/contracts/v1/intent_calls.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import type { Spec, Values } from "../../ui/field.tsx";
import { HOLD, OFFERS } from "../offers/words.ts";
import { MOVES } from "./actions.tsx";

const old = ["GetInventoryItem", "GetInventoryItems", "ListInventoryItems", "CountInventoryItems", "ListIntents", "CountIntents"];
type ValueOf = (i: InventoryItem) => bigint | undefined;

/** A price for each item: of its value, its cost or what is asked now, by a share more or less; or one for all. */
function priceOf(i: InventoryItem, v: Values, valueOf: ValueOf): bigint {
  if (v.basis === "fixed") return parseCents(v.price!)!;
  const [base, missing] =
    v.basis === "value"
      ? [valueOf(i), "Its value is not known now, so it has no price of it."]
      : v.basis === "cost"
        ? [i.buyPriceCents, "What it was bought for is not known."]
        : [i.listPriceCents, "What is asked for it now is not known."];
  if (base === undefined) throw new Error(missing);
  const price = (base * BigInt(10_000 + parseBps(v.share || "0")!) + 5_000n) / 10_000n;
  if (price <= 0n) throw new Error("The price has to be more than nothing.");
  return price;
}
const BASES: [string, string][] = [
  ["value", "Its value now"],
  ["cost", "What it was bought for"],
  ["asked", "What is asked now"],
  ["fixed", "One price for all"],
];
const priceFields = (bases: readonly string[]): Spec[] => [
  { name: "basis", label: "Price", kind: "select", options: BASES.filter(([b]) => bases.includes(b)) },
  {
    name: "share",
    label: "More or less by",
    kind: "percent",
    placeholder: "0",
    hint: "5 is 5% more, -2.5 is 2.5% less.",
    when: (v) => v.basis !== "fixed",
    check: (t) => ((parseBps(t) ?? 0) <= -10_000 ? "At most 100% less." : undefined),
  },
  {
    name: "price",
    label: "Price of each",
    kind: "money",
    required: true,
    when: (v) => v.basis === "fixed",
    check: (t) => (parseCents(t) === 0n ? "The price has to be more than nothing." : undefined),
  },
];

type Choices = readonly (readonly [string, string])[];
export const bulk = (places: readonly string[], accounts: Choices, valueOf: ValueOf): readonly BulkAction<InventoryItem>[] => [
  {
    label: "Sell",
    call: listItemForSale,
    can: (i) => i.status === I.IN_INVENTORY,
    text: <p>A proposal to put it on sale is made for each, which the engine carries out.</p>,
    start: { market: places[0] ?? "", basis: "value" },
    fields: [
      places.length
        ? { name: "market", label: "Marketplace", kind: "select", wide: true, options: places.map((n) => [n, n]) }
        : { name: "market", label: "Marketplace", required: true, wide: true },
      ...priceFields(["value", "cost", "fixed"]),
    ],
    run: async (i, v, key) =>
      listItemForSale({ inventoryItemId: i.id!, marketplace: v.market!, priceCents: priceOf(i, v, valueOf) }, { key }),
    old,
  },
  {
    label: "Change the price",
    call: repriceItem,
    can: (i) => i.status === I.LISTED,
    text: <p>A proposal to change the price is made for each, which the engine carries out.</p>,
    start: { basis: "asked" },
    fields: priceFields(["asked", "value", "cost", "fixed"]),
    run: async (i, v, key) => repriceItem({ inventoryItemId: i.id!, priceCents: priceOf(i, v, valueOf) }, { key }),
    old,
  },
  {
    label: "Delist",
    call: delistItem,
    can: (i) => i.status === I.LISTED,
    text: <p>A proposal to delist it is made for each. A selling contract may put it on sale again.</p>,
    run: (i, _v, key) => delistItem({ inventoryItemId: i.id! }, { key }),
    old,
  },
  {
    label: "Move",
    call: transferItem,
    can: (i) => i.status === I.IN_INVENTORY && accounts.length > 1,
    text: <p>{MOVES}</p>,
    start: { account: accounts[0]?.[0] ?? "" },
    fields: [{ name: "account", label: "To", kind: "select", wide: true, options: accounts }, HOLD],
    run: (i, v, key) => transferItem({ inventoryItemId: i.id!, accountId: read(v.account!), acceptHold: v.hold === "yes" }, { key }),
    old: [...old, ...OFFERS],
  },
  {
    label: "Write off",
    danger: true,
    call: writeOffItem,
    can: (i) => i.status === I.MISSING,
    text: <p>Their cost is booked as lost, and they are no longer searched for. This cannot be undone.</p>,
    fields: [{ name: "reason", label: "Reason", required: true, wide: true, max: 200, hint: "The audit log keeps it." }],
    run: (i, v, key) => writeOffItem({ inventoryItemId: i.id!, reason: v.reason!.trim(), expectedVersion: i.version }, { key }),
    old,
  },
];
