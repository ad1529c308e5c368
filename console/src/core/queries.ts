import { QueryClient, useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { useEffect, useMemo, useState } from "react";
import type { Call } from "../rpc.ts";
import { place } from "./place.ts";
import { show } from "./ids.ts";
import { addPatcher } from "./live.ts";
import { passing, waitFor } from "./trouble.ts";

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, refetchOnWindowFocus: true, retry: (n, e) => n < 3 && passing(e), retryDelay: waitFor },
    mutations: { retry: false },
  },
});

/** Requests as parts of keys: bytes and bigints are no JSON. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_k, v: unknown) => (v instanceof Uint8Array ? show(v) : typeof v === "bigint" ? `${v}` : v)) ?? "";

export const may = (call: Pick<Call, "service" | "method">): boolean => place.operations.has(`${call.service}/${call.method}`);

/** Asks one reading call and keeps its answer under the call's name, so that the live feed can say that it is old. */
export function useCall<I extends DescMessage, O extends DescMessage>(
  call: Call<I, O>,
  request: MessageInitShape<I>,
  options: { enabled?: boolean; staleTime?: number; keep?: boolean } = {},
): UseQueryResult<MessageShape<O>> {
  return useQuery({
    queryKey: [call.method, plain(request)],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(request, { signal }),
    enabled: options.enabled ?? true,
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
    ...(options.keep ? { placeholderData: (old: MessageShape<O> | undefined) => old } : {}),
  } as never) as UseQueryResult<MessageShape<O>>;
}

/** Makes everything old that these calls answered. */
export const refresh = (...calls: string[]): Promise<void> =>
  queries.invalidateQueries({ predicate: (q) => calls.length === 0 || calls.includes(String(q.queryKey[0])) });

/**
 * Whether an answer is awaited for the first time. One that has failed asks again when its card is shown, and must not take the page away
 * for that.
 */
export const isAwaited = (q: { isLoading: boolean; errorUpdateCount: number }): boolean => q.isLoading && q.errorUpdateCount === 0;

export interface Records<R> {
  rows: R[];
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };
  more: () => void;
  loadingMore: boolean;
  /** Nothing further is loaded. */
  complete: boolean;
  /** There are further rows nevertheless: more than a list loads. */
  cut: boolean;
  /** How many records have come since: the rows stay where they are until the person asks for them. */
  fresh: number;
  renew: () => void;
  /** One page of the list, whatever is loaded. */
  page: (cursor: string, signal: AbortSignal) => Promise<Page<R>>;
}
export interface Page<R> {
  rows: R[];
  next: string;
}

/** What a list loads at most: to a person who scrolls further, filters say more. */
export const MOST_ROWS = 10_000;
const isFull = (pages: readonly Page<unknown>[]) => pages.reduce((sum, p) => sum + p.rows.length, 0) >= MOST_ROWS;
/**
 * What all lists have that are loaded page by page. The focus of the window fetches none again: that would be every loaded page in turn, and
 * the rows would move. What is new comes by the live feed.
 */
export const BY_PAGES = {
  initialPageParam: "",
  staleTime: 30_000,
  refetchOnWindowFocus: false,
  getNextPageParam: (last: Page<unknown>, all: readonly Page<unknown>[]) => (isFull(all) ? undefined : last.next || undefined),
} as const;
interface Scrolled {
  data: { pages: readonly Page<unknown>[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: (o: { cancelRefetch: boolean }) => unknown;
}
/** How far a list is loaded, and how it is loaded further. */
export function progressOf(list: Scrolled): Pick<Records<unknown>, "loadingMore" | "complete" | "cut" | "more"> {
  return {
    loadingMore: list.isFetchingNextPage,
    complete: !list.hasNextPage,
    cut: !list.hasNextPage && Boolean(list.data?.pages.at(-1)?.next),
    more: () => {
      if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage({ cancelRefetch: false });
    },
  };
}

type Loaded<R> = { pages: Page<R>[]; pageParams: unknown[] };
// In a busy market records that are not shown change all the time.
const LOOK_EVERY = 10_000;
/** A list gives ids and a batch gives the records: one page is both. Records that change are asked for again, never the whole list. */
export function useRecords<R extends { id?: Uint8Array | undefined }>(o: {
  name: string;
  filter?: unknown;
  subject?: number;
  /** The record whose steps these are: each is news. */
  steps?: { of: number; id: Uint8Array };
  enabled?: boolean;
  list: (cursor: string, signal: AbortSignal) => Promise<{ ids: Uint8Array[]; next?: string | undefined }>;
  get: (ids: Uint8Array[], signal?: AbortSignal) => Promise<R[]>;
}): Records<R> {
  const queryKey = [o.name, plain(o.filter ?? "")];
  const page = async (cursor: string, signal: AbortSignal): Promise<Page<R>> => {
    let { ids, next } = await o.list(cursor, signal);
    // A filter may find nothing on a page and more behind it.
    while (ids.length === 0 && next) ({ ids, next } = await o.list(next, signal));
    const found = ids.length ? await o.get(ids, signal) : [];
    const byId = new Map(found.map((r) => [show(r.id), r]));
    return { rows: ids.map((id) => byId.get(show(id))).filter((r): r is R => r !== undefined), next: next ?? "" };
  };
  const list = useInfiniteQuery({
    ...BY_PAGES,
    queryKey,
    enabled: o.enabled ?? true,
    queryFn: ({ pageParam, signal }) => page(pageParam, signal),
  });
  const { subject, steps, get } = o;
  const key = queryKey.join(" ");
  const shownIds = () => new Set(queries.getQueryData<Loaded<R>>(queryKey)?.pages.flatMap((p) => p.rows.map((r) => show(r.id))));
  const [first, setFirst] = useState<{ key: string; ids: string[] }>();
  useEffect(() => {
    if (!subject) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = 0;
    const look = async () => {
      timer = undefined;
      asked = Date.now();
      if (shownIds().size === 0) return queries.invalidateQueries({ queryKey, exact: true });
      const { ids } = await o.list("", new AbortController().signal);
      setFirst({ key, ids: ids.map(show) });
    };
    const remove = addPatcher(subject, async (changed) => {
      const shown = shownIds();
      const ids = [...changed].filter(([id]) => shown.has(id)).map(([, id]) => id);
      // One that is not shown may be new here: the first page says so.
      if (ids.length < changed.size) timer ??= setTimeout(() => void look().catch(() => {}), Math.max(0, asked + LOOK_EVERY - Date.now()));
      if (ids.length === 0) return;
      const now = new Map((await get(ids.slice(0, 200))).map((r) => [show(r.id), r]));
      queries.setQueryData<Loaded<R>>(
        queryKey,
        (d) => d && { ...d, pages: d.pages.map((p) => ({ ...p, rows: p.rows.map((r) => now.get(show(r.id)) ?? r) })) },
      );
    });
    return () => {
      remove();
      clearTimeout(timer);
    };
    // The key represents the filter; `get` and `list` are made again at every render and are the same.
  }, [key, subject]);
  useEffect(() => {
    if (!steps) return;
    return addPatcher(steps.of, async (changed) => {
      if (changed.has(show(steps.id))) await queries.invalidateQueries({ queryKey, exact: true });
    });
  }, [key]);
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.rows) ?? [], [list.data]);
  const fresh = useMemo(() => {
    const shown = new Set(rows.map((r) => show(r.id)));
    return first?.key === key ? first.ids.filter((id) => !shown.has(id)).length : 0;
  }, [first, key, rows]);
  return {
    rows,
    query: list,
    page,
    fresh,
    renew: () => {
      setFirst(undefined);
      // What was scrolled to is not asked for again.
      queries.setQueryData<Loaded<R>>(queryKey, (d) => d && { pages: d.pages.slice(0, 1), pageParams: d.pageParams.slice(0, 1) });
      void list.refetch();
    },
    ...progressOf(list),
  };
}
