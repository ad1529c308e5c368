import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "wouter";
import { count, money, several, toneOf } from "../../core/format.ts";
import { marketNow, useClock } from "../../core/live.ts";
import { atCost, capitalOf, useCapital } from "../../core/money.ts";
import { place } from "../../core/place.ts";
import { may, useCall } from "../../core/queries.ts";
import { profitPicture } from "../../core/series.ts";
import { firstOf } from "../../core/zone.ts";
import { getProfitAndLoss, getProfitAndLossSeries } from "../../gen/contracts/v1/profit_and_loss_calls.ts";
import { ProfitAndLossBucket, ProfitAndLossGrouping as G } from "../../gen/contracts/v1/profit_and_loss_pb.ts";
import { countPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus as P } from "../../gen/contracts/v1/purchase_pb.ts";
import { countRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationStatus as R } from "../../gen/contracts/v1/remediation_pb.ts";
import { Card, figure, Head, Stat } from "../../ui/card.tsx";
import { ChartCard } from "../../ui/chart-card.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Loaded, NoRights, Skeleton } from "../../ui/state.tsx";
import { CapitalParts } from "./capital.tsx";
import { Equity, maySeeEquity, useEquity } from "./equity.tsx";

// Below the fold, and a table with its file: the first look at the page does not wait for it.
const ByMarketplace = lazy(() => import("./by-marketplace.tsx"));
// With them the names of all kinds of records.
const Feed = lazy(() => import("./feed.tsx"));
const OpenProblems = lazy(() => import("./open-problems.tsx"));
// Most days there is nothing to say.
const Standstill = lazy(() => import("./standstill.tsx"));
const SPANS = [
  { id: "30", name: "30 days" },
  { id: "90", name: "90 days" },
  { id: "365", name: "1 year" },
];

export default function Overview() {
  return may(getProfitAndLoss) ? <Shown /> : <WithoutMoney />;
}
const Live = ({ className }: { className: string }) => (
  <Card
    className={className}
    title="Live"
    flush
    extra={
      <Link href="/events" className="textlink muted">
        All events
      </Link>
    }
  >
    <Suspense
      fallback={
        <div className="body">
          <Skeleton lines={8} />
        </div>
      }
    >
      <Feed />
    </Suspense>
  </Card>
);
const Problems = () => (
  <Suspense
    fallback={
      <Card className="c4" title="Open problems">
        <Skeleton lines={4} />
      </Card>
    }
  >
    <OpenProblems />
  </Suspense>
);
const CONTRACTS = getProfitAndLoss.service;
/** For a role that shows no money: what keeps it from trading, what happens, and what is wrong, as far as the role shows it. */
function WithoutMoney() {
  const hasProblems = may({ service: CONTRACTS, method: "ListRemediations" });
  const hasFeed = may({ service: CONTRACTS, method: "ListTransitions" });
  return (
    <>
      <Head title="Overview" note={`${place.name}. Your role shows no money and no profit here.`} />
      <Suspense>
        <Standstill />
      </Suspense>
      {hasFeed || hasProblems ? (
        <div className="grid">
          {hasFeed && <Live className="c8" />}
          {hasProblems && <Problems />}
        </div>
      ) : (
        <Card>
          <NoRights what="money and trades" />
        </Card>
      )}
    </>
  );
}
function Shown() {
  const [days, setDays] = useState("30");
  const clock = useClock();
  // The day does not change under the hand: a time that moves with each render would ask again and again.
  const [from, fromUtc] = useMemo(() => firstOf(Number(days), marketNow()), [days, clock]);
  const timeZone = place.timeZone;
  const series = useCall(getProfitAndLossSeries, { from, timeZone, bucket: ProfitAndLossBucket.DAY }, { keep: true });
  const sum = useCall(getProfitAndLoss, { from, timeZone, groupBy: G.NONE }, { keep: true });
  const purchases = useCall(countPurchases, {});
  const problems = useCall(countRemediations, {});
  const equity = useEquity(fromUtc);
  const hasEquity = maySeeEquity();
  const capital = useCapital();
  const sums = capital.data?.capital;
  const parts = sums && capitalOf([sums]);
  const picture = useMemo(() => profitPicture(series.data?.points ?? [], "That day"), [series.data]);
  const all = sum.data?.rows[0];
  const realised = sum.data && (all?.realisedCents ?? 0n);
  const unrealised = sum.data && (all?.unrealisedCents ?? 0n);
  const unpriced = Number(all?.unpricedCount ?? 0n),
    open = Number(all?.openCount ?? 0n);
  const now = equity.data?.now;
  const inProgress = purchases.data?.counts
    .filter((c) => c.status! >= P.PENDING && c.status! <= P.TRADE_HELD)
    .reduce((n, c) => n + (c.count ?? 0), 0);
  const needs = problems.data ? (problems.data.counts.find((c) => c.status === R.NEEDS_OPERATOR)?.count ?? 0) : undefined;
  const span = SPANS.find((s) => s.id === days)!.name;
  const best = series.data?.points.reduce((m, p) => ((p.realisedCents ?? 0n) > m ? p.realisedCents! : m), 0n) ?? 0n;
  const worst = series.data?.points.reduce((m, p) => ((p.realisedCents ?? 0n) < m ? p.realisedCents! : m), 0n) ?? 0n;
  const realisedChart = (
    <ChartCard
      className="c8"
      title="Realised profit"
      query={series}
      picture={picture}
      empty="Nothing was sold in this time."
      summary={`Realised profit over ${span}: ${money(realised, true)}. Best day ${money(best, true)}, worst day ${money(worst, true)}.`}
    />
  );
  const whereItIs = (className: string) => (
    <Card className={className} title="Where the money is" note="At cost: what was paid, not what it would bring">
      <Loaded query={capital} lines={4}>
        {(c) => <CapitalParts capital={capitalOf(c.capital ? [c.capital] : [])} unpooled={c.capital?.unpooledInventoryAtCostCents} />}
      </Loaded>
    </Card>
  );
  return (
    <>
      <Head title="Overview" note={`All amounts in ${place.currency}, days in ${timeZone}.`}>
        <Segments label="Time" choices={SPANS} chosen={days} choose={setDays} />
      </Head>
      <Suspense>
        <Standstill />
      </Suspense>
      <div className="grid">
        {hasEquity ? (
          <Stat
            name="Equity"
            href="/profit"
            value={figure(equity, now && money(now.equityCents))}
            note={now ? `${money(now.capitalCents)} put in, ${money(now.profitCents, true)} of profit` : "Money and items together"}
          />
        ) : (
          <Stat
            name="In pools, at cost"
            href="/pools"
            value={figure(capital, parts && money(atCost(parts)))}
            note={
              sums
                ? `${money(sums.capitalCents ?? 0n)} put in, ${several(sums.poolCount ?? 0, "pool", "pools")}`
                : "Money and items together"
            }
          />
        )}
        <Stat
          name={`Realised, ${span}`}
          href="/profit"
          value={figure(sum, realised === undefined ? undefined : money(realised, true))}
          tone={toneOf(realised)}
          note={
            all
              ? `${count(all.soldCount)} final sales, ${money((all.buyFeesCents ?? 0n) + (all.saleFeesCents ?? 0n))} in fees`
              : "Final sales less cost and fees"
          }
        />
        <Stat
          name="Unrealised"
          href="/items"
          value={figure(sum, unrealised === undefined ? undefined : open > 0 && unpriced === open ? "No prices" : money(unrealised, true))}
          tone={unpriced === open ? "" : toneOf(unrealised)}
          note={
            sum.data
              ? `${several(open, "item", "items")} held${unpriced ? `, ${count(unpriced)} without a price` : ""}`
              : "What is held, at its value now"
          }
        />
        <Stat
          name="Needs you"
          href="/problems?status=NEEDS_OPERATOR"
          value={figure(problems, needs === undefined ? undefined : count(needs))}
          tone={needs ? "loss" : ""}
          note={inProgress === undefined ? "" : `${several(inProgress, "purchase", "purchases")} in progress`}
        />
        {hasEquity ? <Equity from={fromUtc} className="c8" /> : realisedChart}
        <Live className="c4" />
        {hasEquity ? realisedChart : whereItIs("c8")}
        <Problems />
        {hasEquity && whereItIs("c12")}
        <Suspense>
          <ByMarketplace from={from} />
        </Suspense>
      </div>
    </>
  );
}
