import type { ProfitAndLossPoint } from "../gen/contracts/v1/profit_and_loss_pb.ts";
import type { Picture } from "../ui/chart.tsx";
import { dateOf } from "./zone.ts";

/** Cents as a number of units, for drawing only: doubles hold 90 trillion of cents exactly, and nothing is booked by them. */
export const drawn = (cents: bigint | undefined): number => Number(cents ?? 0n) / 100;

/** The steps, or none where nothing was sold in any: a flat line at zero says less than a sentence. */
const sold = (points: readonly ProfitAndLossPoint[]): readonly ProfitAndLossPoint[] =>
  points.some((p) => p.soldCount || p.realisedCents) ? points : [];
/** The realised profit: each step, and its sum. */
export function profitPicture(all: readonly ProfitAndLossPoint[], step: string): Picture {
  const points = sold(all);
  let sum = 0n;
  const totals = points.map((p) => drawn((sum += p.realisedCents ?? 0n)));
  return {
    at: points.map((p) => dateOf(p.at)),
    lines: [
      { name: step, kind: "bars", colour: "--chart-2", values: points.map((p) => drawn(p.realisedCents)), signed: true },
      { name: "Total", kind: "line", colour: "--chart-1", values: totals, fill: true, signed: true },
    ],
  };
}
/** How far the total is below its highest point so far. */
export function drawdownPicture(all: readonly ProfitAndLossPoint[]): Picture {
  const points = sold(all);
  let sum = 0n,
    peak = 0n;
  return {
    below: true,
    at: points.map((p) => dateOf(p.at)),
    lines: [
      {
        name: "Below the peak",
        kind: "line",
        colour: "--chart-3",
        signed: true,
        values: points.map((p) => {
          sum += p.realisedCents ?? 0n;
          if (sum > peak) peak = sum;
          return drawn(sum - peak);
        }),
      },
    ],
  };
}
