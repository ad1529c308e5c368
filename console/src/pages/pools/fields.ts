import { decimal, parseCents } from "../../core/format.ts";
import type { PoolLimits } from "../../gen/contracts/v1/pool_pb.ts";
import type { Spec, Values } from "../../ui/field.tsx";

export const LIMITS: Spec[] = [
  { name: "budget", label: "Funds at most", kind: "money", required: true, hint: "The most capital that may be put in." },
  { name: "purchase", label: "One purchase at most", kind: "money" },
  { name: "item", label: "At stake in one item name", kind: "money", hint: "Money in items of one market name." },
  { name: "day", label: "Purchases of a day at most", kind: "money", hint: "A day of UTC." },
];
export const limitsOf = (v: Values) => ({
  budgetCents: parseCents(v.budget ?? ""),
  maxPerPurchaseCents: v.purchase ? parseCents(v.purchase) : undefined,
  maxExposurePerItemCents: v.item ? parseCents(v.item) : undefined,
  dailyLimitCents: v.day ? parseCents(v.day) : undefined,
});
const text = (c: bigint | undefined) => (c === undefined ? "" : decimal(c));
export const limitsStart = (l: PoolLimits | undefined): Values => ({
  budget: text(l?.budgetCents),
  purchase: text(l?.maxPerPurchaseCents),
  item: text(l?.maxExposurePerItemCents),
  day: text(l?.dailyLimitCents),
});
