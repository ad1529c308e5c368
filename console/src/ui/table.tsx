import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Link, useSearch } from "wouter";
import { show } from "../core/ids.ts";
import { useChanged } from "../core/live.ts";
import { may, type Records } from "../core/queries.ts";
import type { BulkAction } from "./bulk.tsx";
import { selecting, SelectAll, SelectRow, type Picks } from "./picks.tsx";
import { Failed, Skeleton } from "./state.tsx";

const Bulk = lazy(() => import("./bulk.tsx")) as unknown as typeof import("./bulk.tsx").default;

export interface Column<T> {
  id: string;
  head: string;
  cell: (row: T) => ReactNode;
  /** For a file of comma-separated values. */
  text?: (row: T) => string;
  end?: boolean;
  width?: string;
  /** Left out below this width of the page. On a telephone a row has two lines: title and end, note and status. */
  from?: "md" | "lg" | "xl";
  phone?: "title" | "end" | "note" | "status";
  phoneOnly?: boolean;
}
const NARROW = "(max-width: 40rem)";
export function useNarrow() {
  const [narrow, set] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const m = matchMedia(NARROW);
    const on = () => set(m.matches);
    m.addEventListener("change", on);
    return () => m.removeEventListener("change", on);
  }, []);
  return narrow;
}
const rowHeight = (narrow: boolean) => (narrow ? 60 : document.documentElement.dataset.density === "compact" ? 32 : 40);

/** Which rows are near the part of the page that is seen. Only these are in the document, however long the list is. */
function useWindow(total: number, height: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 30]);
  useLayoutEffect(() => {
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / height) - 4);
      const next: [number, number] = [first, first + Math.ceil(innerHeight / height) + 8];
      setRange((r) => (r[0] === next[0] && r[1] === next[1] ? r : next));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [height, total]);
  return [body, range[0], Math.min(total, range[1])] as const;
}

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  href?: (row: T) => string;
  id: (row: T) => string;
  more?: () => void;
  loadingMore?: boolean;
  total?: number;
  picks?: Picks<T>;
}
export function Table<T>({ label, columns: all, rows, href, id, more, loadingMore, total, picks }: Props<T>) {
  const narrow = useNarrow();
  const columns = all.filter((c) => !c.phoneOnly);
  const height = rowHeight(narrow);
  const [body, first, last] = useWindow(rows.length, height);
  const changed = useChanged();
  useEffect(() => {
    if (more && last > rows.length - 25) more();
  }, [more, last, rows.length]);
  const keys = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[e.key];
    const at = Number((document.activeElement?.closest("tr") as HTMLElement | null)?.dataset.at ?? NaN);
    if (Number.isNaN(at)) return;
    if (picks && selecting(e, at, rows, id, picks)) e.preventDefault();
    const focus = document.activeElement?.matches("input") || !href ? "input" : "a";
    if (step === undefined || (!href && !picks)) return;
    e.preventDefault();
    const to = Math.max(0, Math.min(rows.length - 1, at + step));
    const top = (body.current?.getBoundingClientRect().top ?? 0) + to * height;
    if (top < 120 || top > innerHeight - 80) scrollBy({ top: top - innerHeight / 2 });
    requestAnimationFrame(() =>
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`tr[data-at="${to}"] ${focus}`)?.focus({ preventScroll: true })),
    );
  };
  const shownColumns = narrow ? all.filter((c) => c.phone) : columns;
  return (
    <table
      className={`table ${narrow ? "phone" : ""} ${picks ? "picks" : ""}`}
      role="table"
      aria-label={label}
      aria-rowcount={total ?? -1}
      onKeyDown={keys}
    >
      {!narrow && (
        <colgroup>
          {picks && <col className="pick" />}
          {columns.map((c) => (
            <col
              key={c.id}
              className={c.from}
              ref={(e) => {
                if (e && c.width) e.style.inlineSize = c.width;
              }}
            />
          ))}
        </colgroup>
      )}
      <thead role="rowgroup" className={narrow ? "vh" : undefined}>
        <tr role="row">
          {picks && <SelectAll rows={rows} id={id} picks={picks} />}
          {shownColumns.map((c) => (
            <th key={c.id} role="columnheader" scope="col" className={`${c.end ? "end" : ""} ${c.from ?? ""}`}>
              {c.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        {first > 0 && (
          <tr role="presentation" aria-hidden="true">
            <td
              ref={(e) => {
                if (e) e.style.blockSize = `${first * height}px`;
              }}
            />
          </tr>
        )}
        {rows.slice(first, last).map((r, i) => {
          const key = id(r);
          return (
            <tr
              key={key}
              role="row"
              aria-rowindex={first + i + 2}
              data-at={first + i}
              className={`${href ? "goes" : ""} ${changed.has(key) ? "changed" : ""} ${picks?.chosen.has(key) ? "chosen" : ""}`}
            >
              {picks && <SelectRow at={first + i} rows={rows} id={id} picks={picks} name={all[0]?.text?.(r) ?? "row"} />}
              {shownColumns.map((c, n) => {
                const inner = c.cell(r);
                const cls = `${c.end ? "end" : ""} ${c.from ?? ""} ${c.phone ? `p-${c.phone}` : ""}`;
                return n === 0 ? (
                  <th key={c.id} role="rowheader" scope="row" className={cls}>
                    {href ? (
                      <Link href={href(r)} className="cell">
                        {inner}
                      </Link>
                    ) : (
                      <span className="cell">{inner}</span>
                    )}
                  </th>
                ) : (
                  <td key={c.id} role="cell" className={cls}>
                    <span className="cell">{inner}</span>
                  </td>
                );
              })}
            </tr>
          );
        })}
        {last < rows.length && (
          <tr role="presentation" aria-hidden="true">
            <td
              ref={(e) => {
                if (e) e.style.blockSize = `${(rows.length - last) * height}px`;
              }}
            />
          </tr>
        )}
        {loadingMore && (
          <tr role="row">
            <td role="cell" colSpan={shownColumns.length + (picks ? 1 : 0)} className="muted wait">
              Loading more…
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** What of a list is selected. It is cleared when the list becomes another one. */
export function usePicks<T>(actions: readonly BulkAction<T>[]): Picks<T> | undefined {
  const [chosen, choose] = useState<ReadonlyMap<string, T>>(new Map());
  const [refused, refuse] = useState<ReadonlyMap<string, string>>(new Map());
  const search = useSearch();
  useEffect(() => {
    choose(new Map());
    refuse(new Map());
  }, [search]);
  return actions.some((a) => may(a.call)) ? { chosen, choose, refused, refuse } : undefined;
}
/** The bar with what can be done to the selected rows. */
export const Selected = <T,>(p: {
  picks: Picks<T> | undefined;
  actions: readonly BulkAction<T>[];
  rows: readonly T[];
  id: (r: T) => string;
  name: (r: T) => string;
  href?: ((r: T) => string) | undefined;
}) =>
  p.picks && p.picks.chosen.size > 0 ? (
    <Suspense>
      <Bulk picks={p.picks} actions={p.actions} rows={p.rows} id={p.id} name={p.name} {...(p.href ? { href: p.href } : {})} />
    </Suspense>
  ) : null;

/** A table of records with its states. `empty` says what is not there and what to do about it. */
export function RecordTable<T extends { id?: Uint8Array | undefined }>({
  records,
  empty,
  bulk = [],
  ...rest
}: { records: Records<T>; empty: ReactNode; bulk?: readonly BulkAction<T>[] } & Omit<
  Props<T>,
  "rows" | "id" | "more" | "loadingMore" | "picks"
>) {
  const { query, rows } = records;
  const id = (r: T) => show(r.id);
  const picks = usePicks(bulk);
  // The bar has one place whatever the list shows: it would lose its window otherwise.
  return (
    <>
      {rows.length > 0 ? (
        <Table {...rest} rows={rows} id={id} more={records.more} loadingMore={records.loadingMore} {...(picks ? { picks } : {})} />
      ) : query.isPending ? (
        <div className="body">
          <Skeleton lines={12} />
        </div>
      ) : query.isError ? null : (
        empty
      )}
      {query.isError && (
        <div className="body">
          <Failed error={query.error} again={query.refetch} />
        </div>
      )}
      <Selected picks={picks} actions={bulk} rows={rows} id={id} name={(r) => rest.columns[0]?.text?.(r) ?? ""} href={rest.href} />
    </>
  );
}
