import { useState } from "react";
import { show, uuid } from "../../core/ids.ts";
import { usePages } from "../../core/pages.ts";
import { listImportRows } from "../../gen/trading/v1/import_calls.ts";
import { ImportRowOutcome as O, type Import, type ImportRow } from "../../gen/trading/v1/import_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import Window from "../../ui/dialog.tsx";
import { numbersOf, useFilters } from "../../ui/filters.tsx";
import { PageTable } from "../../ui/page-table.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import { Outcome, Row } from "./row.tsx";
import { isOfItems, keyName, outcomeLook, outcomesOf, reasonOf, remarkOf, rowName, thingsOf } from "./words.ts";

const columns = (open: (r: ImportRow) => void, head: string, key: string): Column<ImportRow>[] => [
  {
    id: "name",
    head,
    width: "15rem",
    phone: "title",
    cell: (r) => (
      <button type="button" className="plainlink clip" onClick={() => open(r)}>
        {rowName(r)}
      </button>
    ),
    text: rowName,
  },
  {
    id: "outcome",
    head: "Outcome",
    width: "9.5rem",
    phone: "end",
    cell: (r) => <Outcome of={r} />,
    text: (r) => outcomeLook(r.outcome)[0],
  },
  {
    id: "remark",
    head: "Why not, or what was understood",
    from: "md",
    cell: (r) => <span className={`clip ${r.reasons.length ? "loss" : "muted"}`}>{remarkOf(r)}</span>,
  },
  {
    id: "number",
    head: key,
    width: "12rem",
    from: "lg",
    cell: (r) => <span className="mono muted clip">{r.key || "–"}</span>,
    text: (r) => r.key ?? "",
  },
  {
    id: "row",
    head: "Row",
    width: "5rem",
    end: true,
    from: "md",
    cell: (r) => <span className="num muted">{r.number}</span>,
    text: (r) => String(r.number ?? ""),
  },
  { id: "why", head: "Why not", phoneOnly: true, cell: () => null, text: (r) => r.reasons.map((w) => reasonOf(w).what).join(" ") },
  {
    id: "account",
    head: "Id of the account",
    phoneOnly: true,
    cell: () => null,
    text: (r) => (r.accountId?.length ? uuid(r.accountId) : ""),
  },
  { id: "note", head: "Why not", phone: "note", phoneOnly: true, cell: (r) => <span className="clip">{remarkOf(r)}</span> },
];
/** The rows of an import, with what applying does, or did, with each. */
export function Rows({ of: i }: { of: Import }) {
  const filters = useFilters(["outcome"]);
  const [open, setOpen] = useState<ImportRow>();
  const [outcome = O.UNSPECIFIED] = numbersOf<O>(O, filters.of("outcome"));
  const list = usePages<ImportRow>({
    name: "ListImportRows",
    filter: `${show(i.id)} ${outcome}`,
    page: async (cursor, signal) => {
      const a = await listImportRows({ importId: i.id!, limit: 200, cursor, outcome }, { signal });
      return { rows: a.rows, next: a.nextCursor };
    },
  });
  const shown = columns(setOpen, isOfItems(i) ? "Item" : "Account", keyName(i));
  return (
    <>
      <Facets
        label="Outcome"
        chosen={String(outcome)}
        choose={(id) => filters.set("outcome", Number(id) ? O[Number(id)]! : "")}
        choices={[{ id: "0", name: "All", count: i.rows }, ...outcomesOf(i).map((o) => ({ id: String(o), name: outcomeLook(o)[0] }))]}
      />
      <Card
        title="Rows"
        note={`One for each ${thingsOf(i)[0]}, in the order of the content`}
        flush
        extra={<SaveRows name="import" columns={shown} of={list} />}
      >
        <PageTable
          label="Rows of the import"
          columns={shown}
          rows={list}
          id={(r) => String(r.number)}
          total={outcome ? -1 : (i.rows ?? -1)}
          empty={
            <Empty icon="accounts" title={outcome ? "No row has this outcome." : "It has no row."}>
              <p>{outcome ? "Choose another one, or all." : `Nothing in the content is of the ${thingsOf(i)[1]} to import.`}</p>
            </Empty>
          }
        />
      </Card>
      {open && (
        <Window title={rowName(open)} close={() => setOpen(undefined)} wide>
          <Row r={open} />
          <footer>
            <Button kind="primary" onPress={() => setOpen(undefined)}>
              Close
            </Button>
          </footer>
        </Window>
      )}
    </>
  );
}
