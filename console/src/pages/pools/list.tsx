import { useQuery } from "@tanstack/react-query";
import { decimal, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { atCost, capitalOf, useCapital } from "../../core/money.ts";
import { place } from "../../core/place.ts";
import { archivePool, createPool, getPoolBalance, getPools, listPools, pausePool, resumePool } from "../../gen/contracts/v1/pool_calls.ts";
import { PoolStatus as S, type Pool, type PoolBalance } from "../../gen/contracts/v1/pool_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Card, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";
import { CapitalParts } from "../overview/capital.tsx";
import { LIMITS, limitsOf } from "./fields.ts";
import { Ledger } from "./ledger.tsx";

type Row = { pool: Pool; balance: PoolBalance | undefined };
const amount = (of: (b: PoolBalance) => bigint | undefined) => (r: Row) => (r.balance ? decimal(of(r.balance) ?? 0n) : "");
const cents = (id: string, head: string, of: (b: PoolBalance) => bigint | undefined, more: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  head,
  end: true,
  width: "8.5rem",
  cell: ({ balance }) => <Money cents={balance && of(balance)} />,
  text: amount(of),
  ...more,
});
const COLUMNS: Column<Row>[] = [
  { id: "name", head: "Pool", phone: "title", cell: (r) => <span className="clip">{r.pool.name}</span>, text: (r) => r.pool.name ?? "" },
  {
    id: "status",
    head: "Status",
    width: "8rem",
    phone: "status",
    cell: (r) => <Status name={S[r.pool.status ?? 0]} />,
    text: (r) => wordOf(S[r.pool.status ?? 0]),
  },
  cents("free", "Free to spend", (b) => b.availableCents, { phone: "end" }),
  cents("cost", "At cost", (b) => atCost(capitalOf([b])), { from: "md" }),
  cents("put", "Put in", (b) => b.capitalCents, { from: "lg" }),
  {
    ...cents("realised", "Realised", (b) => b.realisedCents, { from: "md" }),
    cell: ({ balance }) => <Money cents={balance?.realisedCents} signed />,
  },
  cents("lost", "Written off", (b) => b.writeOffsCents, { from: "xl" }),
  {
    id: "at",
    head: "Changed",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (r) => <span className="num muted">{when(r.pool.updatedAt)}</span>,
    text: (r) => iso(r.pool.updatedAt),
  },
  { id: "note", head: "Changed", phone: "note", phoneOnly: true, cell: (r) => <span>{when(r.pool.updatedAt)}</span> },
];
const idOf = (r: Row) => show(r.pool.id);
const OLD = ["GetPool", "GetPools", "ListPools", "GetPoolBalance", "GetCapital"];
const rest = (r: Row) => ({ poolId: r.pool.id!, expectedVersion: r.pool.version });
const BULK: readonly BulkAction<Row>[] = [
  {
    label: "Pause",
    call: pausePool,
    can: (r) => r.pool.status === S.ACTIVE,
    text: <p>Their contracts are suspended until they are resumed.</p>,
    fields: [{ name: "reason", label: "Reason", wide: true, max: 200 }],
    run: (r, v, key) => pausePool({ ...rest(r), ...(v.reason ? { reason: v.reason } : {}) }, { key }),
    old: OLD,
  },
  {
    label: "Resume",
    call: resumePool,
    can: (r) => r.pool.status === S.PAUSED,
    text: <p>Their contracts act again at the engine's next pass.</p>,
    run: (r, _v, key) => resumePool(rest(r), { key }),
    old: OLD,
  },
  {
    label: "Archive",
    danger: true,
    call: archivePool,
    can: (r) => r.pool.status === S.PAUSED,
    text: <p>They are kept for their ledger and never used again. Each has to be empty.</p>,
    run: (r, _v, key) => archivePool(rest(r), { key }),
    old: OLD,
  },
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
  const picks = usePicks(BULK);
  const rows = pools.data ?? [];
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
          old={["GetPools", "ListPools", "GetPoolBalance", "GetCapital"]}
          wide
          text={<p>A pool is money apart from other money: contracts spend from it, and accounts are assigned to it.</p>}
          fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64 }, ...LIMITS]}
          run={async (v) => void (await createPool({ name: v.name!.trim(), currency: place.currency, limits: limitsOf(v) }))}
        />
      </Head>
      <div className="stack">
        <Card title="All pools together" note="At cost">
          <Loaded query={capital} lines={3}>
            {(c) => <CapitalParts capital={capitalOf(c.capital ? [c.capital] : [])} unpooled={c.capital?.unpooledInventoryAtCostCents} />}
          </Loaded>
        </Card>
        <Card title="Pools" flush extra={<SaveRows name="pools" columns={COLUMNS} rows={rows} />}>
          {pools.isError ? (
            <div className="body">
              <Failed error={pools.error} again={pools.refetch} />
            </div>
          ) : !pools.data ? (
            <div className="body">
              <Skeleton lines={4} />
            </div>
          ) : rows.length === 0 ? (
            <Empty icon="pools" title="There is no pool yet.">
              <p>Contracts that buy need one. Create it, then put funds into it.</p>
            </Empty>
          ) : (
            <Table
              label="Pools"
              columns={COLUMNS}
              rows={rows}
              id={idOf}
              href={(r) => `/pools/${idOf(r)}`}
              total={rows.length}
              {...(picks ? { picks } : {})}
            />
          )}
          <Selected picks={picks} actions={BULK} rows={rows} id={idOf} name={(r) => r.pool.name ?? ""} href={(r) => `/pools/${idOf(r)}`} />
        </Card>
        <Ledger />
      </div>
    </>
  );
}
