import { useQuery } from "@tanstack/react-query";
import { ms, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { usePages } from "../../core/pages.ts";
import { wholeList } from "../../core/whole.ts";
import { compareSnapshots, getSnapshots, listSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import { SnapshotStatus as S, type Snapshot, type SnapshotDifference } from "../../gen/trading/v1/snapshot_pb.ts";
import { Card, Named } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { PageTable } from "../../ui/page-table.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import { Kind } from "./kind.tsx";
import { KINDS, lineOf, sidesOf, timeOf } from "./words.ts";

const COLUMNS: Column<SnapshotDifference>[] = [
  { id: "name", head: "Item", phone: "title", cell: (d) => <Named name={d.marketHashName} />, text: (d) => d.marketHashName ?? "" },
  {
    id: "kind",
    head: "Change",
    width: "11rem",
    phone: "status",
    cell: (d) => <Kind kind={d.kind} />,
    text: (d) => KINDS[d.kind ?? 0],
  },
  {
    id: "asset",
    head: "Asset id",
    width: "10rem",
    from: "lg",
    cell: (d) => <span className="mono muted clip">{d.assetId}</span>,
    text: (d) => d.assetId ?? "",
  },
  { id: "line", head: "Before and after", width: "27rem", from: "md", cell: (d) => <span className="clip">{lineOf(d)}</span> },
  { id: "before", head: "Before", phoneOnly: true, cell: () => null, text: (d) => sidesOf(d).before ?? "" },
  { id: "after", head: "After", phoneOnly: true, cell: () => null, text: (d) => sidesOf(d).after ?? "" },
  { id: "note", head: "Before and after", phone: "note", phoneOnly: true, cell: (d) => <span className="clip">{lineOf(d)}</span> },
];
/** The other complete snapshots of the account, the newest first: those with which this one can be compared. */
const useOthers = (s: Snapshot) =>
  useQuery({
    queryKey: ["ListSnapshots", "complete", show(s.accountId)],
    queryFn: ({ signal }) =>
      wholeList(
        async (asked) => {
          const a = await listSnapshots({ accountId: s.accountId!, status: S.COMPLETE, ...asked }, { signal });
          return { ids: a.snapshotIds, next: a.nextCursor };
        },
        async (snapshotIds) => (await getSnapshots({ snapshotIds }, { signal })).snapshots,
      ),
  });
/** What differs between this snapshot and another one of the account. Of any two the earlier one is that before. */
export function Compare({ of: s, other, choose }: { of: Snapshot; other: string; choose: (id: string) => void }) {
  const query = useOthers(s);
  if (query.isError)
    return (
      <Card title="Differences">
        <Failed error={query.error} again={query.refetch} />
      </Card>
    );
  if (!query.data)
    return (
      <Card title="Differences">
        <Skeleton lines={6} />
      </Card>
    );
  const others = query.data.filter((o) => show(o.id) !== show(s.id));
  const before = others.find((o) => ms(timeOf(o)) < ms(timeOf(s)));
  // A link may name one that is too old for the list; the server says so if it was deleted.
  const chosen = others.find((o) => show(o.id) === other) ?? (other ? undefined : (before ?? others.at(-1)));
  const id = other || show(chosen?.id);
  if (!id)
    return (
      <Card title="Differences">
        <Empty icon="inventory" title="There is no other complete snapshot of the account.">
          <p>Two complete ones can be compared. The engine takes the next one by its schedule.</p>
        </Empty>
      </Card>
    );
  const later = chosen !== undefined && ms(timeOf(chosen)) > ms(timeOf(s));
  return (
    <Differences
      key={id}
      from={later ? s.id! : read(id)}
      to={later ? read(id) : s.id!}
      note={
        chosen
          ? `From ${when(timeOf(later ? s : chosen))} to ${when(timeOf(later ? chosen : s))}. They are calculated, and nothing is recorded.`
          : "They are calculated, and nothing is recorded."
      }
      choice={
        <Choice label="Compared with" value={other} choose={choose} none={before ? "The complete one before" : "The oldest complete one"}>
          {others.map((o) => (
            <option key={show(o.id)} value={show(o.id)}>
              {when(timeOf(o))}
            </option>
          ))}
          {other && !chosen && <option value={other}>An older one</option>}
        </Choice>
      }
    />
  );
}
function Differences({ from, to, note, choice }: { from: Uint8Array; to: Uint8Array; note: string; choice: React.ReactNode }) {
  const list = usePages<SnapshotDifference>({
    name: "CompareSnapshots",
    filter: `${show(from)} ${show(to)}`,
    page: async (cursor, signal) => {
      const a = await compareSnapshots({ fromSnapshotId: from, toSnapshotId: to, limit: 200, cursor }, { signal });
      return { rows: a.differences, next: a.nextCursor };
    },
  });
  return (
    <Card
      title="Differences"
      note={note}
      flush
      extra={
        <div className="choices">
          {choice}
          <SaveRows name="differences" columns={COLUMNS} of={list} />
        </div>
      }
    >
      <PageTable
        label="Differences"
        columns={COLUMNS}
        rows={list}
        id={(d) => `${d.appId} ${d.kind} ${d.assetId} ${d.newAssetId}`}
        empty={
          <Empty icon="check" title="Both show the same.">
            <p>Every item is in both, at the same place and with the same lock.</p>
          </Empty>
        }
      />
    </Card>
  );
}
