import { count, iso, when } from "../../core/format.ts";
import { read, short, show, uuid } from "../../core/ids.ts";
import { useAccountChoices } from "../../core/accounts.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countInventoryChanges, getInventoryChanges, listInventoryChanges } from "../../gen/trading/v1/inventory_change_calls.ts";
import { InventoryChangeKind as K, InventoryChangeStatus as S, type InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";
import { countSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import { SnapshotStatus } from "../../gen/trading/v1/snapshot_pb.ts";
import { Card, Head, Named } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { Kind } from "../snapshots/kind.tsx";
import { KINDS, lineOf } from "../snapshots/words.ts";
import { BULK } from "./bulk.tsx";
import { explanationOf, KIND_ORDER, STATUS_ORDER } from "./words.ts";

const columns = (accountOf: (c: InventoryChange) => string): Column<InventoryChange>[] => [
  { id: "name", head: "Item", phone: "title", cell: (c) => <Named name={c.marketHashName} />, text: (c) => c.marketHashName ?? "" },
  {
    id: "kind",
    head: "Change",
    width: "10.5rem",
    phone: "end",
    cell: (c) => <Kind kind={c.kind} />,
    text: (c) => KINDS[c.kind ?? 0],
  },
  {
    id: "status",
    head: "Status",
    width: "8rem",
    phone: "status",
    cell: (c) => <Status name={S[c.status ?? 0]} />,
    text: (c) => wordOf(S[c.status ?? 0]),
  },
  {
    id: "account",
    head: "Account",
    width: "8rem",
    from: "md",
    cell: (c) => <span className="clip muted">{accountOf(c)}</span>,
    text: accountOf,
  },
  {
    id: "line",
    head: "Before and after",
    width: "17rem",
    from: "lg",
    cell: (c) => <span className="clip">{lineOf(c)}</span>,
    text: lineOf,
  },
  {
    id: "why",
    head: "Explained by",
    width: "15rem",
    from: "xl",
    cell: (c) => <span className="clip muted">{explanationOf(c)}</span>,
    text: explanationOf,
  },
  { id: "asset", head: "Asset id", phoneOnly: true, cell: () => null, text: (c) => c.assetId ?? "" },
  {
    id: "record",
    head: "Id of the item",
    phoneOnly: true,
    cell: () => null,
    text: (c) => (c.inventoryItemId?.length ? uuid(c.inventoryItemId) : ""),
  },
  {
    id: "at",
    head: "Recorded",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (c) => <span className="num muted">{when(c.createdAt)}</span>,
    text: (c) => iso(c.createdAt),
  },
  {
    id: "note",
    head: "Account",
    phone: "note",
    phoneOnly: true,
    cell: (c) => (
      <span className="clip">
        {accountOf(c)}, {when(c.createdAt)}
      </span>
    ),
  },
];
const FILTERS = ["status", "account", "kind"];
export default function Changes() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const [status = S.UNSPECIFIED] = numbersOf<S>(S, filters.of("status"));
  const [kind = K.UNSPECIFIED] = numbersOf<K>(K, filters.of("kind"));
  const account = filters.of("account");
  const accountId = read(account);
  const counts = useCall(countInventoryChanges, {});
  const records = useRecords<InventoryChange>({
    name: "ListInventoryChanges",
    filter: [account, kind, status],
    subject: T.INVENTORY_CHANGE,
    list: async (cursor, signal) => {
      const a = await listInventoryChanges({ limit: 100, cursor, accountId, kind, status }, { signal });
      return { ids: a.inventoryChangeIds, next: a.nextCursor };
    },
    get: async (inventoryChangeIds, signal) => (await getInventoryChanges({ inventoryChangeIds }, { signal })).inventoryChanges,
  });
  const names = useSubjectNames(records.rows.map((c) => ({ subjectType: T.ACCOUNT, subjectId: c.accountId })));
  const shown = columns((c) => names.get(show(c.accountId))?.name ?? short(c.accountId));
  // The server counts all of a workspace: with another filter the numbers would be of other rows.
  const known = account || kind ? undefined : counts.data?.counts;
  const of = (s: S) => known?.find((c) => c.status === s)?.count ?? 0;
  const total = STATUS_ORDER.reduce((n, s) => n + of(s), 0);
  const open = counts.data?.counts.find((c) => c.status === S.OPEN)?.count ?? 0;
  return (
    <>
      <Head
        title="Inventory changes"
        note={
          !counts.data || (known && total === 0)
            ? "What changed in the inventories, and what explains it."
            : open
              ? `Nothing explains ${count(open)} of them yet. The others need no one.`
              : "What changed in the inventories. All of it is explained."
        }
      >
        <SaveRows name="inventory-changes" columns={shown} of={records} />
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <FilterChoice
          label="Change"
          name="kind"
          filters={filters}
          choices={[["", "any"], ...KIND_ORDER.map((k) => [K[k], KINDS[k]] as const)]}
        />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Status"
        chosen={String(status)}
        choose={(s) => filters.set("status", Number(s) ? S[Number(s)]! : "")}
        choices={[
          { id: "0", name: "All", count: known && total },
          ...STATUS_ORDER.map((s) => ({ id: String(s), name: wordOf(S[s]), count: known && of(s) })),
        ]}
      />
      <Card flush>
        <RecordTable
          label="Inventory changes"
          columns={shown}
          records={records}
          bulk={BULK}
          href={(c) => `/changes/${show(c.id)}`}
          total={!known ? -1 : status ? of(status) : total}
          empty={<None filtered={filters.any} open={status === S.OPEN && !account && !kind} />}
        />
      </Card>
    </>
  );
}
/** Why there is no change: without two complete snapshots none can be seen. */
function None({ filtered, open }: { filtered: boolean; open: boolean }) {
  const counts = useCall(countSnapshots, {}, { enabled: !filtered && may(countSnapshots) });
  const complete = counts.data?.counts.find((c) => c.status === SnapshotStatus.COMPLETE)?.count;
  if (open)
    return (
      <Empty icon="check" title="Everything is explained.">
        <p>A change is here as long as no trade, no record and no person explains it.</p>
      </Empty>
    );
  return (
    <Empty icon="inventory" title={filtered ? "No change is like that." : "No inventory has changed yet."}>
      <p>
        {filtered
          ? "Choose other filters, or none."
          : complete !== undefined && complete < 2
            ? "Changes are found between two complete snapshots of an account. There are none to compare yet: take one on the account's page."
            : "Two complete snapshots of an account that follow each other are compared, and what differs is recorded here."}
      </p>
    </Empty>
  );
}
