import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { EquityPoint, GetEquitySeriesResponse } from "../gen/contracts/v1/profit_and_loss_pb.ts";
import type { Picture } from "../ui/chart.tsx";
import { drawn } from "./series.ts";

export type EquityView = "worth" | "profit";
const at = (p: EquityPoint): number => (p.at ? timestampDate(p.at).getTime() / 1000 : 0);

/** The daily marks, and today as it is now. Without a mark there is nothing to draw: one moment is not a series. */
export function marksOf(series: GetEquitySeriesResponse | undefined): EquityPoint[] {
  const { points = [], now } = series ?? {};
  const last = points.at(-1);
  if (!last) return [];
  return now && at(now) > at(last) ? [...points, now] : points;
}
const above = (of: (p: EquityPoint) => bigint | undefined) => (p: EquityPoint) => drawn((of(p) ?? 0n) + (p.drawdownCents ?? 0n));
const equity = (p: EquityPoint) => p.equityCents;
const profit = (p: EquityPoint) => p.profitCents;

/** The value with the band up to its highest so far: how far it is down is the height of the band. */
export function equityPicture(marks: readonly EquityPoint[], view: EquityView): Picture {
  const values = (of: (p: EquityPoint) => bigint | undefined) => marks.map((p) => drawn(of(p)));
  const worth = view === "worth";
  return {
    at: marks.map(at),
    zero: !worth,
    bands: [[1, 0]],
    lines: [
      worth
        ? { name: "Equity", kind: "line", colour: "--chart-1", values: values(equity) }
        : { name: "Profit", kind: "line", colour: "--chart-1", values: values(profit), signed: true },
      {
        name: "Peak",
        kind: "line",
        colour: "--chart-axis",
        dash: true,
        values: marks.map(above(worth ? equity : profit)),
        signed: !worth,
      },
      ...(worth
        ? [{ name: "Put in", kind: "step", colour: "--chart-2", values: values((p) => p.capitalCents) } as const]
        : [
            { name: "Realised", kind: "line", colour: "--chart-2", values: values((p) => p.realisedCents), signed: true } as const,
            {
              name: "Unrealised",
              kind: "line",
              colour: "--chart-3",
              dash: true,
              values: values((p) => p.unrealisedCents),
              signed: true,
            } as const,
          ]),
    ],
  };
}
