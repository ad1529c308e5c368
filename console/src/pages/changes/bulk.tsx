import { ignoreInventoryChange } from "../../gen/trading/v1/inventory_change_calls.ts";
import type { InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import type { Spec } from "../../ui/field.tsx";
import { CHANGES, isOpen } from "./words.ts";

export const WHY: Spec = {
  name: "reason",
  label: "Reason",
  required: true,
  wide: true,
  max: 200,
  hint: "Where the item came from, or where it went. The audit log keeps it.",
};
export const BULK: readonly BulkAction<InventoryChange>[] = [
  {
    label: "Ignore",
    call: ignoreInventoryChange,
    can: isOpen,
    text: <p>They are closed with the reason. No record is changed, and an item without a record is not sold.</p>,
    fields: [WHY],
    run: (c, v, key) => ignoreInventoryChange({ inventoryChangeId: c.id!, reason: v.reason!.trim(), expectedVersion: c.version }, { key }),
    old: CHANGES,
  },
];
