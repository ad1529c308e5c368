import { useSearchParams } from "wouter";
import { count, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useRecords } from "../../core/queries.ts";
import { listInventoryChanges } from "../../gen/trading/v1/inventory_change_calls.ts";
import { createSnapshot, getSnapshots, listSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import { SnapshotStatus as S, type Snapshot } from "../../gen/trading/v1/snapshot_pb.ts";
import type { Account } from "../../gen/trading/v1/account_pb.ts";
import { Action } from "../../ui/action.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { useCurrent } from "./current.ts";
import { isTaking, timeOf, triggerOf } from "./words.ts";

const STATUSES = [S.TAKING, S.COMPLETE, S.PARTIAL, S.FAILED];
const known = (s: Snapshot, n: number | undefined) => (isTaking(s) || s.status === S.FAILED ? undefined : n);
const COLUMNS: Column<Snapshot>[] = [
  {
    id: "at",
    head: "Taken",
    phone: "title",
    cell: (s) => <span className="num">{s.takenAt ? when(s.takenAt) : `asked for ${when(s.createdAt)}`}</span>,
    text: (s) => iso(timeOf(s)),
  },
  {
    id: "status",
    head: "Status",
    width: "9rem",
    phone: "status",
    cell: (s) => <Status name={S[s.status ?? 0]} />,
    text: (s) => wordOf(S[s.status ?? 0]),
  },
  {
    id: "why",
    head: "Why",
    width: "14rem",
    from: "md",
    cell: (s) => <span className="clip muted">{triggerOf(s)}</span>,
    text: triggerOf,
  },
  {
    id: "items",
    head: "Items",
    width: "7rem",
    end: true,
    phone: "end",
    cell: (s) => <span className="num">{count(known(s, s.itemCount))}</span>,
    text: (s) => String(known(s, s.itemCount) ?? ""),
  },
  {
    id: "changes",
    head: "Changes",
    width: "7rem",
    end: true,
    from: "md",
    cell: (s) => <span className={`num ${s.changeCount ? "" : "muted"}`}>{count(known(s, s.changeCount))}</span>,
    text: (s) => String(known(s, s.changeCount) ?? ""),
  },
  {
    id: "note",
    head: "Why",
    phone: "note",
    phoneOnly: true,
    cell: (s) => (
      <span className="clip">
        {triggerOf(s)}
        {s.changeCount ? `, ${count(s.changeCount)} changed` : ""}
      </span>
    ),
  },
];
/** What can be done besides looking at them: see what changed between them, and have one taken. */
export const SnapshotActions = ({ account: a }: { account: Account }) => (
  <>
    {may(listInventoryChanges) && <LinkButton href={`/changes?account=${show(a.id)}`}>Inventory changes</LinkButton>}
    <Action
      label="Take a snapshot"
      icon="plus"
      kind="primary"
      call={createSnapshot}
      title={`Take a snapshot of ${a.name}`}
      confirm="Take it"
      done="The engine takes it in one of its next passes."
      old={["ListSnapshots", "CountSnapshots"]}
      text={
        <p>
          The platform is asked for every item of the account, and the snapshot is compared with the complete one before. Nothing is bought,
          sold or moved. It waits until an engine runs that trades with this account.
        </p>
      }
      run={async () => void (await createSnapshot({ accountId: a.id! }))}
    />
  </>
);
/** The snapshots of an account, the newest first. */
export function SnapshotsOf({ account }: { account: Account }) {
  const [search, setSearch] = useSearchParams();
  const status = (S[(search.get("status") ?? "") as keyof typeof S] ?? S.UNSPECIFIED) as S;
  const accountId = account.id!;
  const choose = (name: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (name) after.set("status", name);
      else after.delete("status");
      return after;
    });
  const list = useRecords<Snapshot>({
    name: "ListSnapshots",
    filter: [show(accountId), status],
    list: async (cursor, signal) => {
      const a = await listSnapshots({ accountId, limit: 100, cursor, status }, { signal });
      return { ids: a.snapshotIds, next: a.nextCursor };
    },
    get: async (snapshotIds, signal) => (await getSnapshots({ snapshotIds }, { signal })).snapshots,
  });
  const records = { ...list, rows: useCurrent(list.rows) };
  return (
    <Card
      title="Snapshots"
      note="After every trade, and about every 30 minutes. Of days before the last two, one is kept"
      flush
      extra={
        <>
          <Choice label="Status of the snapshots" value={status ? S[status] : ""} choose={choose} none="Every status">
            {STATUSES.map((s) => (
              <option key={s} value={S[s]}>
                {wordOf(S[s])}
              </option>
            ))}
          </Choice>
          <SaveRows name={`snapshots-${account.name ?? ""}`} columns={COLUMNS} of={records} />
        </>
      }
    >
      <RecordTable
        label="Snapshots"
        columns={COLUMNS}
        records={records}
        href={(s) => `/snapshots/${show(s.id)}`}
        empty={
          <Empty icon="inventory" title={status ? "No snapshot has this status." : "No snapshot was taken yet."}>
            <p>
              {status
                ? "Choose another one, or every status."
                : "Once the account works, the engine takes one after each trade, about every 30 minutes if it has items, and when a person asks."}
            </p>
          </Empty>
        }
      />
    </Card>
  );
}
