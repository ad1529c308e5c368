import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { count, percent, span, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { costOfOutage, downSince, useOutages } from "../../core/outages.ts";
import { useCall } from "../../core/queries.ts";
import { getContract } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus as S, ContractType as K, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { getFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { ProviderKind } from "../../gen/markets/v1/provider_pb.ts";
import { Card, Facts, Head, Meter, Money, Stat } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { PoolLink, Ref } from "../../ui/refs.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { ProblemsOf } from "../problems/problems-of.tsx";
import { ContractActions } from "./actions.tsx";
import { Evaluations } from "./evaluations.tsx";
import { Replay } from "./replay.tsx";
import { APPROVAL, MEANS, STATISTICS, WHY_STOPPED } from "./words.ts";

const VIEWS = [
  { id: "why", name: "Why and why not" },
  { id: "replay", name: "Replay" },
  { id: "history", name: "History" },
];
export default function ContractDetail({ id = "" }: { id?: string }) {
  const contractId = read(id);
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") ?? "why";
  const query = useCall(getContract, { contractId });
  const c = query.data?.contract;
  if (query.isError)
    return (
      <>
        <Head title="Contract" back={["/contracts", "Contracts"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!c)
    return (
      <>
        <Head title="Contract" back={["/contracts", "Contracts"]} />
        <Skeleton lines={8} />
      </>
    );
  return (
    <>
      <Head
        title={c.name}
        back={["/contracts", "Contracts"]}
        note={
          <>
            <Status name={S[c.status ?? 0]} /> {c.type === K.SELLING ? "Sells." : "Buys."} {MEANS[c.status ?? 0]}
          </>
        }
      >
        <ContractActions c={c} />
      </Head>
      <div className="stack">
        {c.statusReason && (
          <Notice tone={c.status === S.SUSPENDED ? "bad" : ""}>
            <b>{c.status === S.SUSPENDED ? "The service stopped it." : c.status === S.PAUSED ? "A person stopped it." : "It waits."}</b>{" "}
            {WHY_STOPPED[c.statusReason] ?? c.statusReason}
          </Notice>
        )}
        <ProblemsOf type={T.CONTRACT} id={contractId} brief={Boolean(c.statusReason)} />
        {c.status === S.ACTIVE && <Outages of={c} />}
        {c.buying ? <BuyingStats c={c} /> : <SellingStats c={c} />}
        <div className="split">
          <div className="stack">
            <div>
              <Segments label="View" choices={VIEWS} chosen={view} choose={(v) => setSearch(v === "why" ? {} : { view: v })} />
            </div>
            {view === "history" ? (
              <History type={T.CONTRACT} id={contractId} />
            ) : view === "replay" ? (
              <Replay c={c} />
            ) : (
              <Evaluations contractId={contractId} />
            )}
          </div>
          <div className="stack">
            <Limits c={c} />
            <Record c={c} />
          </div>
        </div>
      </div>
    </>
  );
}
/** An active contract whose marketplace does not answer does nothing, and nothing of its own says so. */
function Outages({ of: c }: { of: Contract }) {
  const down = useOutages().data?.filter(
    (p) => p.kind === ProviderKind.MARKETPLACE && (c.marketplaces.length === 0 || c.marketplaces.includes(p.name ?? "")),
  );
  return (
    <>
      {down?.map((p) => (
        <Notice key={show(p.id)} tone="bad">
          <b>{p.name} does not answer</b> {downSince(p)}. {costOfOutage(p)} <Link href={`/providers/${show(p.id)}`}>Open the provider</Link>
        </Notice>
      ))}
    </>
  );
}
const share = (part: bigint, whole: bigint | undefined, label: string): ReactNode => (
  <Meter part={Number(part)} whole={Number(whole ?? 0n)} label={label} tone={whole && part * 10n >= whole * 9n ? "warn" : ""} />
);

function BuyingStats({ c }: { c: Contract }) {
  const p = c.progress,
    b = c.buying!;
  const used = (p?.spentCents ?? 0n) + (p?.reservedCents ?? 0n);
  return (
    <div className="grid">
      <Stat
        name="Bought"
        value={
          <>
            {count(p?.filledQuantity)} <small className="muted">of {count(b.targetQuantity)}</small>
          </>
        }
        note={<Meter part={p?.filledQuantity ?? 0} whole={b.targetQuantity ?? 0} label="Share of the quantity" />}
      />
      <Stat name="Spent and reserved" value={<Money cents={used} />} note={<>{share(used, b.budgetCents, "Share of the budget")}</>} />
      <Stat
        name="Budget"
        value={<Money cents={b.budgetCents} />}
        note={
          b.dailyBudgetCents === undefined ? (
            "no daily limit"
          ) : (
            <>
              <Money cents={b.dailyBudgetCents} /> a day
            </>
          )
        }
      />
      <Stat
        name="Open purchases"
        value={count(p?.openQuantity)}
        note={b.maxOpenPurchases === undefined ? "no limit" : `at most ${count(b.maxOpenPurchases)} at a time`}
      />
    </div>
  );
}
function SellingStats({ c }: { c: Contract }) {
  return (
    <div className="grid">
      <Stat name="Sold" value={count(c.progress?.filledQuantity)} note="by this contract" />
      <Stat
        name="On sale"
        value={count(c.progress?.openQuantity)}
        note={c.selling?.maxListings === undefined ? "no limit" : `at most ${count(c.selling.maxListings)}`}
      />
      <Stat name="Floor price" value={<Money cents={c.selling?.floorPriceCents} />} note="never below it" />
      <Stat name="Least margin" value={percent(c.selling?.minMarginBps)} note="over cost, after fees" />
    </div>
  );
}

function Limits({ c }: { c: Contract }) {
  const b = c.buying,
    s = c.selling,
    r = c.priceReference;
  const opt = (name: string, v: ReactNode, has: unknown): [string, ReactNode] | undefined => (has === undefined ? undefined : [name, v]);
  return (
    <Card title="Limits">
      {b && (
        <Facts
          of={[
            ["Price with fee at most", <Money cents={b.maxBuyPriceCents} />],
            opt("Below its value at least", percent(b.minDiscountBps), b.minDiscountBps),
            opt("Expected margin at least", percent(b.minExpectedMarginBps), b.minExpectedMarginBps),
            opt("Items of one name", count(b.maxPerItemName), b.maxPerItemName),
            opt("Time between purchases", span(b.cooldownSeconds), b.cooldownSeconds),
            opt("Trade lock at most", `${b.maxTradeLockDays} d`, b.maxTradeLockDays),
            opt("Liquidity at least", b.minLiquidityScore, b.minLiquidityScore),
            opt("Seller delivers at least", percent(b.minSellerSuccessBps), b.minSellerSuccessBps),
            opt("Loss of a day at most", <Money cents={b.maxDailyLossCents} />, b.maxDailyLossCents),
          ]}
        />
      )}
      {s && (
        <Facts
          of={[
            ["Never below", <Money cents={s.floorPriceCents} />],
            opt("Never above", <Money cents={s.ceilingPriceCents} />, s.ceilingPriceCents),
            opt("Margin at least", percent(s.minMarginBps), s.minMarginBps),
            opt("Below others by", <Money cents={s.undercutCents} />, s.undercutCents),
            opt("Below others by", percent(s.undercutBps), s.undercutBps),
            opt("Below the value at most", percent(s.maxBelowValueBps), s.maxBelowValueBps),
            opt("Above the value at most", percent(s.maxAboveValueBps), s.maxAboveValueBps),
            opt("Time between changes", span(s.repriceIntervalSeconds), s.repriceIntervalSeconds),
            opt("Items on sale at most", count(s.maxListings), s.maxListings),
          ]}
        />
      )}
      {r && (
        <>
          <br />
          <h3>Where the value comes from</h3>
          <Facts
            of={[
              ["Sources", r.sources.join(", ") || "all of the workspace"],
              ["Taken from them", STATISTICS[r.statistic ?? 0]],
              r.maxAgeSeconds !== undefined && ["Not older than", span(r.maxAgeSeconds)],
              r.minConfidenceBps !== undefined && ["Confidence at least", percent(r.minConfidenceBps)],
            ]}
          />
        </>
      )}
    </Card>
  );
}
function Record({ c }: { c: Contract }) {
  const filter = useCall(
    getFilterSet,
    { filterSetId: c.filterSetId ?? new Uint8Array() },
    { enabled: Boolean(c.filterSetId?.length), staleTime: 60_000 },
  );
  return (
    <Card title="Record">
      <Facts
        of={[
          [
            "Filter set",
            c.filterSetId?.length ? (
              <Ref to="/filters" id={c.filterSetId} name={filter.data?.filterSet?.name ?? "Its filter set"} />
            ) : (
              "none: every item"
            ),
          ],
          ["Pool", <PoolLink id={c.poolId} />],
          Boolean(c.buying) && ["Purchases", <Link href={`/purchases?contract=${show(c.id)}`}>What it bought</Link>],
          ["Approval", APPROVAL[c.approvalMode ?? 0]],
          ["Marketplaces", c.marketplaces.length ? c.marketplaces.join(", ") : "all"],
          c.startsAt && ["Starts", when(c.startsAt)],
          c.endsAt && ["Ends", when(c.endsAt)],
          ["Written", when(c.createdAt)],
          ["Changed", when(c.updatedAt)],
          ["Version", count(c.version)],
          ["History", <Link href={`/contracts/${show(c.id)}?view=history`}>Each change of its status</Link>],
          ["Id", <span className="mono">{show(c.id)}</span>],
        ]}
      />
    </Card>
  );
}
