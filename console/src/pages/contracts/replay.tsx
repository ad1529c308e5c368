import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { count, daysAgo, money, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { simulateContract } from "../../gen/contracts/v1/evaluation_calls.ts";
import { ContractType as K, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Meter } from "../../ui/card.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Bought } from "./replay-bought.tsx";
import { ReplayChart } from "./replay-chart.tsx";
import { RULES } from "./words.ts";

const DAYS = [
  { id: "1", name: "1 day" },
  { id: "7", name: "7 days" },
  { id: "30", name: "30 days" },
];
const MOST = 10_000;
/** What the contract would have bought of what was observed. Nothing is bought, and nothing is kept. */
export function Replay({ c }: { c: Contract }) {
  const [days, setDays] = useState("7");
  const [asked, setAsked] = useState("");
  const run = useQuery({
    queryKey: ["SimulateContract", show(c.id), asked, String(c.version)],
    enabled: asked !== "" && c.type !== K.SELLING,
    staleTime: Infinity,
    retry: false,
    queryFn: ({ signal }) =>
      simulateContract({ contractId: c.id!, from: daysAgo(Number(asked), marketNow()), limit: MOST }, { signal, timeoutMs: 30_000 }),
  });
  if (c.type === K.SELLING)
    return (
      <Card title="Replay">
        <Empty icon="contracts" title="Only contracts that buy can be replayed." />
      </Card>
    );
  const d = run.data;
  const most = Math.max(1, ...(d?.topReasons.map((r) => r.count ?? 0) ?? []));
  return (
    <>
      <Card
        title="Replay"
        note="What it would have bought of what was observed; nothing is bought"
        extra={
          <>
            <Segments label="Time" choices={DAYS} chosen={days} choose={setDays} />
            <Button onPress={() => (asked === days ? void run.refetch() : setAsked(days))} isPending={run.isFetching}>
              {run.isFetching ? "Replaying…" : "Replay"}
            </Button>
          </>
        }
      >
        {!asked ? (
          <p className="muted">Choose a time and replay. The limits of the pool and the balance are not looked at.</p>
        ) : run.isError ? (
          <Failed error={run.error} again={run.refetch} />
        ) : !d ? (
          <Skeleton lines={4} />
        ) : (
          <div className="stack">
            {d.truncated && (
              <Notice>
                Only the first {count(d.observed)} observations, up to {when(d.until)}.
              </Notice>
            )}
            <dl className="evidence">
              <div>
                <dt>Observed</dt>
                <dd>{count(d.observed)}</dd>
              </div>
              <div>
                <dt>Passed the filter</dt>
                <dd>{count(d.matched)}</dd>
              </div>
              <div>
                <dt>Would buy</dt>
                <dd className="gain">{count(d.wouldBuy)}</dd>
              </div>
              <div>
                <dt>For</dt>
                <dd className="num">{money(d.spendCents)}</dd>
              </div>
            </dl>
            {(d.wouldBuy ?? 0) > 0 && d.until && <ReplayChart c={c} days={Number(asked)} whole={d} />}
            {d.topReasons.length > 0 && (
              <>
                <h3>What stopped the others</h3>
                <ul className="meters">
                  {d.topReasons.map((r) => (
                    <li key={r.code}>
                      <span>{RULES[r.code ?? ""]?.[0] ?? r.code}</span>
                      <Meter part={r.count ?? 0} whole={most} label={`${r.count} of ${d.observed}`} tone="warn" />
                      <span className="num">{count(r.count)}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
        )}
      </Card>
      {!run.isError && d && d.wouldHaveBought.length > 0 && <Bought name={c.name ?? ""} days={Number(asked)} whole={d} />}
    </>
  );
}
