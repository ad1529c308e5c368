import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { decimal, money, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { atCost, capitalOf, useCapital } from "../../core/money.ts";
import { place } from "../../core/place.ts";
import { createPool, getPoolBalance, getPools, listPools } from "../../gen/contracts/v1/pool_calls.ts";
import { PoolStatus as S, type Pool, type PoolBalance } from "../../gen/contracts/v1/pool_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { CapitalParts } from "../overview/capital.tsx";
import { LIMITS, limitsOf } from "./fields.ts";
import { Ledger } from "./ledger.tsx";

type Row = { pool: Pool; balance: PoolBalance | undefined };
const amount = (of: (b: PoolBalance) => bigint | undefined) => (r: Row) => (r.balance ? decimal(of(r.balance) ?? 0n) : "");
const FILE = [
  { head: "Pool", text: (r: Row) => r.pool.name ?? "" },
  { head: "Status", text: (r: Row) => wordOf(S[r.pool.status ?? 0]) },
  { head: "Free to spend", text: amount((b) => b.availableCents) },
  { head: "At cost", text: amount((b) => atCost(capitalOf([b]))) },
  { head: "Put in", text: amount((b) => b.capitalCents) },
  { head: "Realised", text: amount((b) => b.realisedCents) },
  { head: "Written off", text: amount((b) => b.writeOffsCents) },
  { head: "Changed", text: (r: Row) => when(r.pool.updatedAt) },
];
const usePools = () =>
  useQuery({
    queryKey: ["GetPools", "balances"],
    queryFn: async ({ signal }) => {
      const { poolIds } = await listPools({ limit: 100 }, { signal });
      const pools = poolIds.length ? (await getPools({ poolIds }, { signal })).pools : [];
      return Promise.all(pools.map(async (pool) => ({ pool, balance: (await getPoolBalance({ poolId: pool.id! }, { signal })).balance })));
    },
  });

export default function Pools() {
  const pools = usePools();
  const capital = useCapital();
  return (
    <>
      <Head title="Pools and ledger" note={`Money that contracts spend, in ${place.currency}, and every entry that moved it.`}>
        <Action
          label="New pool"
          icon="plus"
          kind="primary"
          call={createPool}
          title="New pool"
          confirm="Create the pool"
          done="The pool is there. Put funds into it."
          old={["GetPools", "ListPools", "GetPoolBalance"]}
          wide
          text={<p>A pool is money apart from other money: contracts spend from it, and accounts are assigned to it.</p>}
          fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64 }, ...LIMITS]}
          run={async (v) => void (await createPool({ name: v.name!.trim(), currency: place.currency, limits: limitsOf(v) }))}
        />
      </Head>
      <div className="stack">
        <Card title="All pools together" note="At cost">
          <Loaded query={capital} lines={3}>
            {(c) => <CapitalParts capital={c.capital} />}
          </Loaded>
        </Card>
        <Card title="Pools" flush extra={<SaveRows name="pools" columns={FILE} rows={pools.data ?? []} />}>
          {pools.isError ? (
            <div className="body">
              <Failed error={pools.error} again={pools.refetch} />
            </div>
          ) : !pools.data ? (
            <div className="body">
              <Skeleton lines={4} />
            </div>
          ) : pools.data.length === 0 ? (
            <Empty icon="pools" title="There is no pool yet.">
              <p>Contracts that buy need one. Create it, then put funds into it.</p>
            </Empty>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Pools">
              <table className="rows">
                <thead>
                  <tr>
                    <th scope="col">Pool</th>
                    <th scope="col">Status</th>
                    <th scope="col" className="end">
                      Free to spend
                    </th>
                    <th scope="col" className="end">
                      At cost
                    </th>
                    <th scope="col" className="end">
                      Put in
                    </th>
                    <th scope="col" className="end">
                      Realised
                    </th>
                    <th scope="col" className="end">
                      Written off
                    </th>
                    <th scope="col" className="end">
                      Changed
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {pools.data.map(({ pool, balance }) => (
                    <tr key={show(pool.id)}>
                      <th scope="row">
                        <Link href={`/pools/${show(pool.id)}`} className="textlink">
                          {pool.name}
                        </Link>
                      </th>
                      <td>
                        <Status name={S[pool.status ?? 0]} />
                      </td>
                      <td className="end">
                        <Money cents={balance?.availableCents} />
                      </td>
                      <td className="num end">{balance ? money(atCost(capitalOf([balance]))) : "–"}</td>
                      <td className="end">
                        <Money cents={balance?.capitalCents} />
                      </td>
                      <td className="end">
                        <Money cents={balance?.realisedCents} signed />
                      </td>
                      <td className="end">
                        <Money cents={balance?.writeOffsCents} />
                      </td>
                      <td className="num end muted">{when(pool.updatedAt)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Card>
        <Ledger />
      </div>
    </>
  );
}
