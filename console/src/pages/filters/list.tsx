import { count, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { countFilterSets, createFilterSet, getFilterSets, listFilterSets } from "../../gen/contracts/v1/filter_set_calls.ts";
import type { FilterSet } from "../../gen/contracts/v1/filter_set_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/state.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { inWords } from "./rules.ts";

const COLUMNS: Column<FilterSet>[] = [
  {
    id: "name",
    head: "Filter set",
    width: "18rem",
    phone: "title",
    cell: (f) => <span className="clip">{f.name}</span>,
    text: (f) => f.name ?? "",
  },
  {
    id: "rules",
    head: "Lets through",
    from: "md",
    cell: (f) => <span className="clip muted">{inWords(f.rules)}</span>,
    text: (f) => inWords(f.rules),
  },
  {
    id: "used",
    head: "Contracts",
    width: "7rem",
    end: true,
    phone: "end",
    cell: (f) => <span className="num">{count(f.contractCount)}</span>,
    text: (f) => String(f.contractCount ?? 0),
  },
  {
    id: "version",
    head: "Version",
    width: "6rem",
    end: true,
    from: "lg",
    cell: (f) => <span className="num muted">{String(f.version ?? "")}</span>,
  },
  {
    id: "at",
    head: "Changed",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (f) => <span className="num muted">{when(f.updatedAt)}</span>,
    text: (f) => iso(f.updatedAt),
  },
  { id: "note", head: "Lets through", phone: "note", phoneOnly: true, cell: (f) => <span className="clip">{inWords(f.rules)}</span> },
];
export default function Filters() {
  const n = useCall(countFilterSets, {});
  const records = useRecords<FilterSet>({
    name: "ListFilterSets",
    list: async (cursor, signal) => {
      const a = await listFilterSets({ limit: 100, cursor }, { signal });
      return { ids: a.filterSetIds, next: a.nextCursor };
    },
    get: async (filterSetIds, signal) => (await getFilterSets({ filterSetIds }, { signal })).filterSets,
  });
  return (
    <>
      <Head title="Filter sets" note="Which items a contract looks at. One set can serve many contracts.">
        <SaveRows name="filter-sets" columns={COLUMNS} of={records} />
        {may(createFilterSet) && (
          <LinkButton href="/filters/new" kind="primary">
            <Icon name="plus" /> New filter set
          </LinkButton>
        )}
      </Head>
      <Card flush>
        <RecordTable
          label="Filter sets"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(f) => `/filters/${show(f.id)}`}
          total={n.data?.count ?? -1}
          empty={
            <Empty icon="filters" title="There is no filter set yet.">
              <p>A filter set says which items pass: names, exteriors, floats, prices, stickers.</p>
              {may(createFilterSet) && <LinkButton href="/filters/new">Write the first one</LinkButton>}
            </Empty>
          }
        />
      </Card>
    </>
  );
}
