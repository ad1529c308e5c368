import { getCapital } from "../gen/contracts/v1/pool_calls.ts";
import type { Capital as Sums, PoolBalance } from "../gen/contracts/v1/pool_pb.ts";
import { useCall } from "./queries.ts";

export type Capital = Record<"put" | "available" | "reserved" | "transit" | "refund" | "inventory" | "delivered" | "receivable", bigint>;
const NONE: Capital = { put: 0n, available: 0n, reserved: 0n, transit: 0n, refund: 0n, inventory: 0n, delivered: 0n, receivable: 0n };

export const capitalOf = (balances: readonly (PoolBalance | Sums)[]): Capital =>
  balances.reduce<Capital>(
    (s, b) => ({
      put: s.put + (b.capitalCents ?? 0n),
      available: s.available + (b.availableCents ?? 0n),
      reserved: s.reserved + (b.reservedCents ?? 0n),
      transit: s.transit + (b.paidInTransitCents ?? 0n),
      refund: s.refund + (b.refundDueCents ?? 0n),
      inventory: s.inventory + (b.inventoryAtCostCents ?? 0n),
      delivered: s.delivered + (b.deliveredAtCostCents ?? 0n),
      receivable: s.receivable + (b.receivableCents ?? 0n),
    }),
    NONE,
  );
/** What the money of all pools is in, at cost. */
export const atCost = (c: Capital): bigint => c.available + c.reserved + c.transit + c.refund + c.inventory + c.delivered + c.receivable;

/** Where the money of all pools is together: one call, however many there are. */
export const useCapital = (enabled = true) => useCall(getCapital, {}, { enabled });
