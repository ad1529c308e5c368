import { Link } from "wouter";
import { iso, when } from "../../core/format.ts";
import { show, uuid } from "../../core/ids.ts";
import { usePages } from "../../core/pages.ts";
import { listSnapshotItems } from "../../gen/trading/v1/snapshot_calls.ts";
import type { Snapshot, SnapshotItem } from "../../gen/trading/v1/snapshot_pb.ts";
import { Card, Named } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { PageTable } from "../../ui/page-table.tsx";
import { Empty } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { contextName, MEANS } from "./words.ts";

const isOurs = (i: SnapshotItem): boolean => Boolean(i.inventoryItemId?.length);
const nameOf = (i: SnapshotItem): string => [i.marketHashName, i.phase].filter(Boolean).join(", ");
const traits = (i: SnapshotItem): string =>
  [i.floatValue, i.paintSeed === undefined ? "" : `seed ${i.paintSeed}`].filter(Boolean).join(", ");
const lock = (i: SnapshotItem): string =>
  i.lockedUntil ? `until ${when(i.lockedUntil)}` : i.tradable === false ? "cannot be traded" : "–";
const Ours = ({ i }: { i: SnapshotItem }) =>
  isOurs(i) ? (
    <Link href={`/items/${show(i.inventoryItemId)}`} className="textlink" aria-label={`The record of ${i.marketHashName ?? "the item"}`}>
      <Badge tone="gain">Ours</Badge>
    </Link>
  ) : (
    <Badge tone="warn" shape="ring">
      No record
    </Badge>
  );
const COLUMNS: Column<SnapshotItem>[] = [
  { id: "name", head: "Item", phone: "title", cell: (i) => <Named name={nameOf(i)} />, text: nameOf },
  {
    id: "ours",
    head: "In our records",
    width: "9rem",
    phone: "status",
    cell: (i) => <Ours i={i} />,
    text: (i) => (isOurs(i) ? uuid(i.inventoryItemId!) : ""),
  },
  {
    id: "asset",
    head: "Asset id",
    width: "10rem",
    from: "md",
    cell: (i) => <span className="mono muted clip">{i.assetId}</span>,
    text: (i) => i.assetId ?? "",
  },
  {
    id: "context",
    head: "Where",
    width: "11.5rem",
    from: "lg",
    cell: (i) => <span className="clip muted">{contextName(i.contextId)}</span>,
    text: (i) => contextName(i.contextId),
  },
  {
    id: "traits",
    head: "Wear and seed",
    width: "15rem",
    from: "xl",
    cell: (i) => <span className="clip mono muted">{traits(i) || "–"}</span>,
  },
  { id: "float", head: "Wear", phoneOnly: true, cell: () => null, text: (i) => i.floatValue ?? "" },
  { id: "seed", head: "Seed", phoneOnly: true, cell: () => null, text: (i) => String(i.paintSeed ?? "") },
  {
    id: "lock",
    head: "Lock",
    width: "13.5rem",
    end: true,
    from: "md",
    cell: (i) => <span className="num muted">{lock(i)}</span>,
    text: (i) => iso(i.lockedUntil),
  },
  {
    id: "note",
    head: "Asset id",
    phone: "note",
    phoneOnly: true,
    cell: (i) => (
      <span className="clip">
        <span className="mono">{i.assetId}</span>
        {i.lockedUntil || i.tradable === false ? `, ${lock(i)}` : ""}
      </span>
    ),
  },
];
/** Every item that a snapshot showed, and whether a record of ours has it. */
export function Items({ of: s }: { of: Snapshot }) {
  const list = usePages<SnapshotItem>({
    name: "ListSnapshotItems",
    filter: `${show(s.id)} ${s.version ?? ""}`,
    page: async (cursor, signal) => {
      const a = await listSnapshotItems({ snapshotId: s.id!, limit: 200, cursor }, { signal });
      return { rows: a.items, next: a.nextCursor };
    },
  });
  return (
    <Card
      title="Items"
      note="Those without a record came without the engine, or their record has another asset id"
      flush
      extra={<SaveRows name="snapshot" columns={COLUMNS} of={list} />}
    >
      <PageTable
        label="Items of the snapshot"
        columns={COLUMNS}
        rows={list}
        id={(i) => `${i.appId} ${i.contextId} ${i.assetId}`}
        total={s.itemCount ?? -1}
        empty={
          <Empty icon="inventory" title="It shows no item.">
            <p>{MEANS[s.status ?? 0]}</p>
          </Empty>
        }
      />
    </Card>
  );
}
