import { count, decimal, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { atCost, capitalOf, useCapital } from "../../core/money.ts";
import { place } from "../../core/place.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { someAtOnce } from "../../core/whole.ts";
import {
  archivePool,
  countPools,
  createPool,
  getPoolBalance,
  getPools,
  listPools,
  pausePool,
  resumePool,
} from "../../gen/contracts/v1/pool_calls.ts";
import { PoolStatus as S, type Pool, type PoolBalance } from "../../gen/contracts/v1/pool_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Card, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { useNew } from "../../ui/opened.ts";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { CapitalParts } from "../overview/capital.tsx";
import { LIMITS, limitsOf } from "./fields.ts";
import { Ledger } from "./ledger.tsx";

/** Each has a call for its balance. */
const PAGE = 50;
type Row = { id: Uint8Array | undefined; pool: Pool; balance: PoolBalance | undefined };
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
const OLD = ["GetPool", "GetPools", "ListPools", "GetPoolBalance", "GetCapital", "CountPools"];
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
const rowOf = async (pool: Pool, signal: AbortSignal | undefined): Promise<Row> => ({
  id: pool.id,
  pool,
  balance: (await getPoolBalance({ poolId: pool.id! }, { signal })).balance,
});
const usePools = () =>
  useRecords<Row>({
    name: "ListPools",
    subject: T.POOL,
    list: async (cursor, signal) => {
      const a = await listPools({ limit: PAGE, cursor }, { signal });
      return { ids: a.poolIds, next: a.nextCursor };
    },
    get: async (poolIds, signal) => someAtOnce((await getPools({ poolIds }, { signal })).pools, (pool) => rowOf(pool, signal)),
  });

export default function Pools() {
  const records = usePools();
  const isNew = useNew();
  const counts = useCall(countPools, {}, { enabled: may(countPools) });
  const total = counts.data?.counts.reduce((n, c) => n + (c.count ?? 0), 0);
  const capital = useCapital();
  return (
    <>
      <Head title="Pools and ledger" note={`Money that contracts spend, in ${place.currency}, and every entry that moved it.`}>
        <Action
          label="New pool"
          begins={isNew}
          icon="plus"
          kind="primary"
          call={createPool}
          title="New pool"
          confirm="Create the pool"
          done="The pool is there. Put funds into it."
          old={OLD}
          wide
          text={<p>A pool is money apart from other money: contracts spend from it, and accounts are assigned to it.</p>}
          fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64 }, ...LIMITS]}
          run={async (v) => void (await createPool({ name: v.name!.trim(), currency: place.currency, limits: limitsOf(v) }))}
        />
      </Head>
      <div className="stack">
        <Card title="All pools together" note="At cost">
          <Loaded query={capital} lines={6}>
            {(c) => <CapitalParts capital={capitalOf(c.capital ? [c.capital] : [])} unpooled={c.capital?.unpooledInventoryAtCostCents} />}
          </Loaded>
        </Card>
        <Card
          title="Pools"
          note={total === undefined ? "The newest first" : `${count(total)} in all, the newest first`}
          flush
          extra={<SaveRows name="pools" columns={COLUMNS} of={records} />}
        >
          <RecordTable
            label="Pools"
            columns={COLUMNS}
            records={records}
            bulk={BULK}
            byHand
            lines={3}
            href={(r) => `/pools/${show(r.id)}`}
            total={total ?? -1}
            empty={
              <Empty icon="pools" title="There is no pool yet.">
                <p>Contracts that buy need one. Create it, then put funds into it.</p>
              </Empty>
            }
          />
        </Card>
        <Ledger />
      </div>
    </>
  );
}
