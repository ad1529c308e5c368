import { money } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { InventoryItemStatus as I, type InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import type { InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";
import type { Spec, Values } from "../../ui/field.tsx";
import { wordOf } from "../../ui/status.tsx";

/** Those that a person most likely looks for come first: what is missing, then what has the same seed, then the newest. */
const score = (i: InventoryItem, c: InventoryChange): number =>
  (i.status === I.MISSING ? 2 : 0) + (c.paintSeed !== undefined && i.paintSeed === c.paintSeed ? 1 : 0);
/** Items that the change may belong to, the likeliest first. What is over, as far as the records know, is not among them. */
const OVER = [I.SETTLED, I.REVERTED, I.WRITTEN_OFF];
export const likeliest = (items: readonly InventoryItem[], c: InventoryChange): InventoryItem[] =>
  items.filter((i) => !OVER.includes(i.status ?? I.UNSPECIFIED)).sort((a, b) => score(b, c) - score(a, c));

const label = (i: InventoryItem): string =>
  [
    wordOf(I[i.status ?? 0]),
    i.currentAssetId ? `asset id ${i.currentAssetId}` : "no asset id",
    i.floatValue ? `wear ${i.floatValue}` : "",
    i.buyPriceCents === undefined ? "" : `bought for ${money(i.buyPriceCents)}`,
  ]
    .filter(Boolean)
    .join(", ");
const OTHER = "";
const isOther = (v: Values): boolean => (v.item ?? OTHER) === OTHER;
/** The window's fields: one of the items of the same name, or another one by any asset id that it has or had. */
export const fieldsOf = (items: readonly InventoryItem[]): readonly Spec[] => [
  ...(items.length
    ? [
        {
          name: "item",
          label: "Item",
          kind: "select" as const,
          wide: true,
          options: [...items.map((i) => [show(i.id), label(i)] as const), [OTHER, "Another one"] as const],
        },
      ]
    : []),
  {
    name: "asset",
    label: "Asset id of the item's record",
    required: true,
    wide: true,
    max: 20,
    when: isOther,
    hint: "One that the record has, or had before.",
    check: (t) => (/^\d{1,20}$/.test(t) ? undefined : "An asset id has digits only."),
  },
];
export const startOf = (items: readonly InventoryItem[], c: InventoryChange): Values => {
  const known = show(c.inventoryItemId);
  return { item: items.some((i) => show(i.id) === known) ? known : show(items[0]?.id) };
};
