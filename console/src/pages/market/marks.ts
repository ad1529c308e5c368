import { ms } from "../../core/format.ts";
import { drawn } from "../../core/series.ts";
import type { InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import type { PricePoint } from "../../gen/markets/v1/observation_pb.ts";
import type { Picture } from "../../ui/chart.tsx";

/** A buy or a sell of the workspace: when it was, in seconds, and for how much. */
export interface Mark {
  at: number;
  cents: bigint;
}
const markOf = (at: number, cents: bigint | undefined, from: number): Mark[] =>
  at >= from && at > 0 && cents !== undefined ? [{ at: at / 1000, cents }] : [];
/** What was bought and what was sold since a time in milliseconds, each at its own time. */
export const marksOf = (own: readonly InventoryItem[], from: number) => ({
  bought: own.flatMap((i) => markOf(ms(i.createdAt), i.buyPriceCents, from)),
  sold: own.flatMap((i) => markOf(ms(i.soldAt), i.sellPriceCents, from)),
});

interface Row {
  at: number;
  high?: number;
  low?: number;
  bought?: number;
  sold?: number;
}
/** Prices that were observed, and the workspace's own buys and sells. Each has a place of its own on the axis: several of an hour are apart. */
export function pictureOf(points: readonly PricePoint[], marks: ReturnType<typeof marksOf>, hours: boolean): Picture {
  const rows: Row[] = [
    ...points.map((p) => ({ at: ms(p.time) / 1000, high: drawn(p.highCents), low: drawn(p.lowCents) })),
    ...marks.bought.map((m) => ({ at: m.at, bought: drawn(m.cents) })),
    ...marks.sold.map((m) => ({ at: m.at, sold: drawn(m.cents) })),
  ].sort((a, b) => a.at - b.at);
  const of = (part: Exclude<keyof Row, "at">) => rows.map((r) => r[part] ?? null);
  return {
    at: rows.map((r) => r.at),
    zero: false,
    hours,
    lines: [
      { name: "Highest", kind: "line", colour: "--chart-axis", dash: true, values: of("high") },
      { name: "Lowest", kind: "line", colour: "--chart-1", values: of("low") },
      { name: "Bought", kind: "dots", colour: "--chart-2", values: of("bought") },
      { name: "Sold", kind: "dots", colour: "--chart-3", values: of("sold") },
    ],
  };
}
