import { useMemo } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { BY_PAGES, progressOf, type Page, type Records } from "./queries.ts";

/** A list that gives its rows itself, without ids of records behind them: page by page, as far as one scrolls. */
export function usePages<R>(o: {
  name: string;
  filter: string;
  enabled?: boolean;
  page: (cursor: string, signal: AbortSignal) => Promise<{ rows: R[]; next?: string | undefined }>;
}): Records<R> {
  const page = async (cursor: string, signal: AbortSignal): Promise<Page<R>> => {
    let { rows, next } = await o.page(cursor, signal);
    // A filter may find nothing on a page and more behind it.
    while (rows.length === 0 && next) ({ rows, next } = await o.page(next, signal));
    return { rows, next: next ?? "" };
  };
  const list = useInfiniteQuery({
    ...BY_PAGES,
    queryKey: [o.name, o.filter],
    enabled: o.enabled ?? true,
    queryFn: ({ pageParam, signal }) => page(pageParam, signal),
  });
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.rows) ?? [], [list.data]);
  return {
    rows,
    query: list,
    page,
    // The feed names records, and these rows are none.
    fresh: 0,
    renew: () => void list.refetch(),
    ...progressOf(list),
  };
}
