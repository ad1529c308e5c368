import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { count, percent } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { costOfOutage, downSince, useOutages } from "../../core/outages.ts";
import { may, useCall } from "../../core/queries.ts";
import { getContract } from "../../gen/contracts/v1/contract_calls.ts";
import { listContractVersions } from "../../gen/contracts/v1/contract_version_calls.ts";
import { ContractStatus as S, ContractType as K, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { ProviderKind } from "../../gen/markets/v1/provider_pb.ts";
import { Head, Meter, Money, Stat } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { ProblemsOf } from "../problems/problems-of.tsx";
import { ContractActions } from "./actions.tsx";
import { Evaluations } from "./evaluations.tsx";
import { Limits, Record } from "./limits.tsx";
import { Replay } from "./replay.tsx";
import { Versions } from "./versions.tsx";
import { MEANS, WHY_STOPPED } from "./words.ts";

const VIEWS = [
  { id: "why", name: "Why and why not" },
  { id: "replay", name: "Replay" },
  { id: "versions", name: "Versions" },
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
              <Segments
                label="View"
                choices={VIEWS.filter((v) => v.id !== "versions" || may(listContractVersions))}
                chosen={view}
                choose={(v) => setSearch(v === "why" ? {} : { view: v })}
              />
            </div>
            {view === "history" ? (
              <History type={T.CONTRACT} id={contractId} />
            ) : view === "replay" ? (
              <Replay c={c} />
            ) : view === "versions" ? (
              <Versions c={c} />
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
