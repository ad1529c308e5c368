import { money, parseCents, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { atCost, capitalOf } from "../../core/money.ts";
import { useCall } from "../../core/queries.ts";
import {
  adjustPoolFunds,
  archivePool,
  getPool,
  getPoolBalance,
  pausePool,
  resumePool,
  updatePool,
} from "../../gen/contracts/v1/pool_calls.ts";
import { PoolStatus as S, type Pool, type PoolBalance } from "../../gen/contracts/v1/pool_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Facts, Head, Money } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { CapitalParts } from "../overview/capital.tsx";
import { Assignments } from "./assignments.tsx";
import { LIMITS, limitsOf, limitsStart } from "./fields.ts";
import { Ledger } from "./ledger.tsx";

const OLD = ["GetPool", "GetPools", "ListPools", "GetPoolBalance", "GetCapital", "ListLedgerEntries", "ListTransitions"];
export default function PoolDetail({ id = "" }: { id?: string }) {
  const poolId = read(id);
  const query = useCall(getPool, { poolId });
  const balance = useCall(getPoolBalance, { poolId });
  const p = query.data?.pool;
  if (query.isError)
    return (
      <>
        <Head title="Pool" back={["/pools", "Pools and ledger"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!p)
    return (
      <>
        <Head title="Pool" back={["/pools", "Pools and ledger"]} />
        <Skeleton lines={8} />
      </>
    );
  const l = p.limits;
  return (
    <>
      <Head
        title={p.name}
        back={["/pools", "Pools and ledger"]}
        note={
          <>
            <Status name={S[p.status ?? 0]} /> {p.currency}
          </>
        }
      >
        <Actions p={p} balance={balance.data?.balance} />
      </Head>
      <div className="split">
        <div className="stack">
          <Card title="Where the money is" note="At cost">
            <Loaded query={balance} lines={5}>
              {(b) => <CapitalParts capital={capitalOf(b.balance ? [b.balance] : [])} />}
            </Loaded>
          </Card>
          <Assignments poolId={poolId} />
          <Ledger poolId={poolId} />
        </div>
        <div className="stack">
          <Card title="Balance">
            <Loaded query={balance} lines={4}>
              {({ balance: b }) => (
                <>
                  <p className="big">{b ? money(atCost(capitalOf([b]))) : "–"}</p>
                  <p className="muted">at cost, of {money(b?.capitalCents)} put in</p>
                  <br />
                  <Facts
                    of={[
                      ["Realised", <Money cents={b?.realisedCents} signed />],
                      ["Written off", <Money cents={b?.writeOffsCents} />],
                    ]}
                  />
                </>
              )}
            </Loaded>
          </Card>
          <Card title="Limits">
            <Facts
              of={[
                ["Funds at most", <Money cents={l?.budgetCents} />],
                ["One purchase", l?.maxPerPurchaseCents === undefined ? "no limit" : <Money cents={l.maxPerPurchaseCents} />],
                ["One item name", l?.maxExposurePerItemCents === undefined ? "no limit" : <Money cents={l.maxExposurePerItemCents} />],
                ["A day", l?.dailyLimitCents === undefined ? "no limit" : <Money cents={l.dailyLimitCents} />],
              ]}
            />
          </Card>
          <Card title="Record">
            <Facts
              of={[
                ["Created", when(p.createdAt)],
                ["Changed", when(p.updatedAt)],
                p.lateBookedAt && ["Late entry", when(p.lateBookedAt)],
                ["Version", String(p.version ?? "")],
                ["Id", <span className="mono">{show(p.id)}</span>],
              ]}
            />
          </Card>
          <History type={T.POOL} id={poolId} />
        </div>
      </div>
    </>
  );
}
function Actions({ p, balance }: { p: Pool; balance: PoolBalance | undefined }) {
  const rest = { poolId: p.id!, expectedVersion: p.version };
  const s = p.status;
  return (
    <>
      {s !== S.ARCHIVED && (
        <Action
          label="Put in or take out"
          kind="primary"
          call={adjustPoolFunds}
          title="Put in or take out"
          confirm="Book it"
          done="Booked."
          old={OLD}
          start={{ way: "in" }}
          text={
            <p>
              Books what you paid in at, or took out of, the marketplaces. It moves no money by itself, and asks for your second factor.
            </p>
          }
          fields={[
            {
              name: "way",
              label: "What you did",
              kind: "select",
              options: [
                ["in", "Put money in"],
                ["out", "Took money out"],
              ],
            },
            {
              name: "amount",
              label: "Amount",
              kind: "money",
              required: true,
              check: (v, a) => {
                const c = parseCents(v);
                return c === 0n
                  ? "It has to be more than nothing."
                  : a.way === "out" && c !== undefined && balance && c > (balance.availableCents ?? 0n)
                    ? `Only ${money(balance.availableCents)} is free.`
                    : undefined;
              },
            },
            { name: "reason", label: "Reason", required: true, wide: true, max: 200, hint: "The ledger keeps it." },
          ]}
          run={async (v) => {
            const c = parseCents(v.amount!)!;
            await adjustPoolFunds({ poolId: p.id!, deltaCents: v.way === "out" ? -c : c, reason: v.reason!.trim() });
          }}
        />
      )}
      {s !== S.ARCHIVED && (
        <Action
          label="Edit"
          call={updatePool}
          title="Edit the pool"
          confirm="Save"
          done="Saved."
          old={OLD}
          wide
          start={{ name: p.name ?? "", ...limitsStart(p.limits) }}
          fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64 }, ...LIMITS]}
          run={async (v) => void (await updatePool({ ...rest, name: v.name!.trim(), limits: limitsOf(v) }))}
        />
      )}
      {s === S.ACTIVE && (
        <Action
          label="Pause"
          call={pausePool}
          title="Pause this pool?"
          confirm="Pause"
          done="Paused."
          old={OLD}
          text={<p>Its contracts are suspended until it is resumed.</p>}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
          run={async (v) => void (await pausePool({ ...rest, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      )}
      {s === S.PAUSED && (
        <Action
          label="Resume"
          icon="play"
          call={resumePool}
          confirm="Resume"
          title="Resume this pool?"
          done="Active again."
          old={OLD}
          run={async () => void (await resumePool(rest))}
        />
      )}
      {s === S.PAUSED && (
        <Action
          label="Archive"
          kind="danger"
          danger
          call={archivePool}
          title="Archive this pool?"
          confirm="Archive"
          done="Archived."
          old={OLD}
          text={<p>It is kept for its ledger and never used again. It has to be empty.</p>}
          run={async () => void (await archivePool(rest))}
        />
      )}
    </>
  );
}
