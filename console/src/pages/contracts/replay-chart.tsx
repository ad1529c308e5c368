import { lazy, Suspense, useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { count, dayLong, daysAgo, decimal, moment, money, ms } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { drawn } from "../../core/series.ts";
import { simulateContract } from "../../gen/contracts/v1/evaluation_calls.ts";
import type { SimulateContractResponse } from "../../gen/contracts/v1/evaluation_pb.ts";
import type { Contract } from "../../gen/contracts/v1/contract_pb.ts";
import type { Picture } from "../../ui/chart.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";

const Chart = lazy(() => import("../../ui/chart.tsx"));
const MOST = 10_000;
const STEPS: Record<number, number> = { 1: 12, 7: 14, 30: 15 };

interface Step {
  /** The end of the step. */
  at: number;
  observed: number;
  bought: number;
  spent: bigint;
  total: bigint;
}
/** What came of each step: a replay up to its end, less a replay up to its beginning. */
function stepsOf(ends: readonly number[], runs: readonly SimulateContractResponse[]): Step[] {
  return runs.map((r, i) => {
    const before = runs[i - 1];
    return {
      at: ends[i]!,
      observed: (r.observed ?? 0) - (before?.observed ?? 0),
      bought: (r.wouldBuy ?? 0) - (before?.wouldBuy ?? 0),
      spent: (r.spendCents ?? 0n) - (before?.spendCents ?? 0n),
      total: r.spendCents ?? 0n,
    };
  });
}

/** The times at which the steps end; the last one is that of the whole replay. */
function endsOf(days: number, until: number): number[] {
  const from = ms(daysAgo(days, marketNow()));
  const n = STEPS[days] ?? 12;
  const inner = Array.from({ length: n - 1 }, (_, i) => Math.round(from + ((until - from) * (i + 1)) / n));
  return [...inner, until];
}

/** When the contract would have bought, and for how much: drawn, and as a table. */
export function ReplayChart({ c, days, whole }: { c: Contract; days: number; whole: SimulateContractResponse }) {
  const until = ms(whole.until) + 1;
  const ends = useMemo(() => endsOf(days, until), [days, until]);
  const query = useQuery({
    queryKey: ["SimulateContract", "steps", show(c.id), days, String(c.version), until],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const from = daysAgo(days, marketNow());
      const runs: SimulateContractResponse[] = [];
      // One after the other: each reads up to 10,000 observations.
      for (const end of ends.slice(0, -1))
        runs.push(
          await simulateContract({ contractId: c.id!, from, to: timestampFromMs(end), limit: MOST }, { signal, timeoutMs: 30_000 }),
        );
      return stepsOf(ends, [...runs, whole]);
    },
  });
  const steps = query.data ?? [];
  const picture = useMemo<Picture>(
    () => ({
      at: steps.map((s) => s.at / 1000),
      hours: true,
      clock: days === 1,
      lines: [
        { name: "In the step", kind: "bars", colour: "--chart-2", values: steps.map((s) => drawn(s.spent)) },
        { name: "Spent in all", kind: "step", colour: "--chart-1", values: steps.map((s) => drawn(s.total)), fill: true },
      ],
    }),
    [query.data],
  );
  if (query.isError) return <Failed error={query.error} again={query.refetch} />;
  if (!query.data)
    return (
      <div className="chart low">
        <Skeleton lines={6} />
      </div>
    );
  return (
    <div className="stack">
      <span className="legend">
        <span className="bars">In the step</span>
        <span>Spent in all</span>
      </span>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Chart picture={picture} summary={sentence(c, days, steps, whole)} low />
      </Suspense>
      <StepTable steps={steps} days={days} name={c.name ?? ""} />
    </div>
  );
}

function sentence(c: Contract, days: number, steps: readonly Step[], whole: SimulateContractResponse): string {
  const most = steps.reduce((a, b) => (b.bought > a.bought ? b : a));
  return `In ${days === 1 ? "a day" : `${days} days`} ${c.name ?? "the contract"} would have bought ${count(whole.wouldBuy)} of ${count(whole.observed)} observed listings for ${money(whole.spendCents)}. Most were in the step that ends ${moment(most.at)}: ${count(most.bought)} for ${money(most.spent)}.`;
}

const COLUMNS = [
  { head: "Until", text: (s: Step) => new Date(s.at).toISOString() },
  { head: "Observed", text: (s: Step) => String(s.observed) },
  { head: "Would buy", text: (s: Step) => String(s.bought) },
  { head: "For", text: (s: Step) => decimal(s.spent) },
  { head: "In all", text: (s: Step) => decimal(s.total) },
];
const StepTable = ({ steps, days, name }: { steps: readonly Step[]; days: number; name: string }) => (
  <>
    <div className="scroll tall" tabIndex={0} role="region" aria-label="The replay as a table">
      <table className="rows inset">
        <thead>
          <tr>
            {COLUMNS.map(({ head }, i) => (
              <th key={head} scope="col" className={i ? "end" : ""}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((s) => (
            <tr key={s.at}>
              <th scope="row" className="num">
                {days === 30 ? dayLong(s.at / 1000) : moment(s.at)}
              </th>
              <td className="num end">{count(s.observed)}</td>
              <td className={`num end ${s.bought ? "gain" : "muted"}`}>{count(s.bought)}</td>
              <td className="num end">{money(s.spent)}</td>
              <td className="num end">{money(s.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <div className="row">
      <SaveRows name={`replay-${name}`} columns={COLUMNS} rows={steps} />
    </div>
  </>
);
