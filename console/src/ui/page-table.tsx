import type { ReactNode } from "react";
import type { Records } from "../core/queries.ts";
import { Cut } from "./cut.tsx";
import { Failed, Skeleton } from "./state.tsx";
import { Table, type Column } from "./table.tsx";

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: Records<T>;
  id: (row: T) => string;
  empty: ReactNode;
  total?: number;
}
/** A table of rows that are no records of their own, with its states. */
export function PageTable<T>({ label, columns, rows: { rows, query, more, loadingMore, cut }, id, empty, total }: Props<T>) {
  return (
    <>
      {rows.length > 0 ? (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          id={id}
          more={more}
          loadingMore={loadingMore}
          {...(total === undefined ? {} : { total })}
        />
      ) : query.isPending ? (
        <div className="body">
          <Skeleton lines={8} />
        </div>
      ) : query.isError ? null : (
        empty
      )}
      {query.isError && (
        <div className="body">
          <Failed error={query.error} again={query.refetch} />
        </div>
      )}
      <Cut of={{ cut }} />
    </>
  );
}
