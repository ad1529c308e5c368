import { count, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countImports, createImport, getImports, listImports } from "../../gen/trading/v1/import_calls.ts";
import { ImportStatus as S, type Import } from "../../gen/trading/v1/import_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { formatOf, nameOf, STATUS_ORDER, thingsOf } from "./words.ts";

const COLUMNS: Column<Import>[] = [
  { id: "name", head: "Import", phone: "title", cell: (i) => <span className="clip">{nameOf(i)}</span>, text: nameOf },
  {
    id: "status",
    head: "Status",
    width: "10rem",
    phone: "status",
    cell: (i) => <Status name={S[i.status ?? 0]} />,
    text: (i) => wordOf(S[i.status ?? 0]),
  },
  {
    id: "kind",
    head: "Brings",
    width: "8rem",
    from: "lg",
    cell: (i) => <span className="muted">{thingsOf(i)[1]}</span>,
    text: (i) => thingsOf(i)[1],
  },
  {
    id: "format",
    head: "Format",
    width: "14rem",
    from: "md",
    cell: (i) => <span className="clip muted">{formatOf(i.format).name}</span>,
    text: (i) => formatOf(i.format).name,
  },
  {
    id: "rows",
    head: "Rows",
    width: "7rem",
    end: true,
    phone: "end",
    cell: (i) => <span className="num">{count(i.rows)}</span>,
    text: (i) => String(i.rows ?? ""),
  },
  {
    id: "rejected",
    head: "Refused",
    width: "7rem",
    end: true,
    from: "md",
    cell: (i) => <span className={`num ${i.rejected ? "loss" : "muted"}`}>{count(i.rejected)}</span>,
    text: (i) => String(i.rejected ?? ""),
  },
  {
    id: "at",
    head: "Created",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (i) => <span className="num muted">{when(i.createdAt)}</span>,
    text: (i) => iso(i.createdAt),
  },
  {
    id: "note",
    head: "Created",
    phone: "note",
    phoneOnly: true,
    cell: (i) => (
      <span className="clip">
        {when(i.createdAt)}
        {i.rejected ? `, ${count(i.rejected)} refused` : ""}
      </span>
    ),
  },
];
export default function Imports() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countImports, {});
  const records = useRecords<Import>({
    name: "ListImports",
    filter: status,
    subject: T.IMPORT,
    list: async (cursor, signal) => {
      const a = await listImports({ limit: 100, cursor, status }, { signal });
      return { ids: a.importIds, next: a.nextCursor };
    },
    get: async (importIds, signal) => (await getImports({ importIds }, { signal })).imports,
  });
  const of = (s: S) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = STATUS_ORDER.reduce((n, s) => n + of(s), 0);
  return (
    <>
      <Head
        title="Imports"
        note="Accounts of another program, items that accounts hold, and purchases and sales made elsewhere, with what came of each."
        back={["/accounts", "Accounts"]}
      >
        <SaveRows name="imports" columns={COLUMNS} of={records} />
        {may(createImport) && (
          <LinkButton href="/imports/new" kind="primary">
            <Icon name="plus" /> Import
          </LinkButton>
        )}
      </Head>
      {total > 0 && <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} order={STATUS_ORDER} />}
      <Card flush>
        <RecordTable
          label="Imports"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(i) => `/imports/${show(i.id)}`}
          total={status ? of(status) : total}
          empty={
            <Empty icon="accounts" title={status ? "No import has this status." : "Nothing was imported yet."}>
              <p>
                {status
                  ? "Choose another one, or all."
                  : "Accounts of another program come in with their secrets at once, and so do items that accounts hold, and past purchases and sales. You see what would be created before anything is."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
