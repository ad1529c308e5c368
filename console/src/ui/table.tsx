import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Link, useSearch } from "wouter";
import { count, several } from "../core/format.ts";
import { show } from "../core/ids.ts";
import { useChanged } from "../core/live.ts";
import { may, type Records } from "../core/queries.ts";
import type { BulkAction } from "./bulk.tsx";
import { Button } from "./button.tsx";
import { Cut } from "./cut.tsx";
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
const WIDTHS = [
  ["md", "(min-width: 48.01rem)"],
  ["lg", "(min-width: 75.01rem)"],
  ["xl", "(min-width: 105.01rem)"],
] as const;
const NARROW = "(max-width: 40rem)";
const widths = () =>
  matchMedia(NARROW).matches
    ? "narrow"
    : WIDTHS.filter(([, q]) => matchMedia(q).matches)
        .map(([w]) => w)
        .join(" ");
/** "narrow" on a telephone, otherwise the widths that the window has. */
function useWidths() {
  const [now, set] = useState(widths);
  useEffect(() => {
    const queries = [NARROW, ...WIDTHS.map(([, q]) => q)].map((q) => matchMedia(q));
    const on = () => set(widths());
    queries.forEach((m) => m.addEventListener("change", on));
    return () => queries.forEach((m) => m.removeEventListener("change", on));
  }, []);
  return now;
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
  // The place in front of the rows is never longer than all of them: what is below the table would be pushed down without end.
  return [body, Math.min(total, range[0]), Math.min(total, range[1])] as const;
}

/** Whether the page is below a width at which columns appear. */
export const useBelow = (width: (typeof WIDTHS)[number][0]): boolean => !useWidths().includes(width);

// What a name needs, and what a column without a width, in rem.
const NAME = 9;
const ANY = 7;
const PICK = 3;
/** The columns that there is room for in addition to the first one: those go first that appear last. */
function fitting<T>(columns: readonly Column<T>[], room: number): readonly Column<T>[] {
  let needed = columns.reduce((sum, c, n) => sum + (n === 0 ? NAME : c.width ? parseFloat(c.width) : ANY), 0);
  const left = new Set(columns);
  for (const from of ["xl", "lg", "md"])
    for (const c of columns.toReversed())
      if (needed > room && c.from === from) {
        needed -= c.width ? parseFloat(c.width) : ANY;
        left.delete(c);
      }
  return columns.filter((c) => left.has(c));
}
/** How wide an element is, in rem; unbounded before it is there. */
function useRoom(): readonly [RefObject<HTMLTableElement | null>, number] {
  const element = useRef<HTMLTableElement>(null);
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const look = () =>
      setRoom((element.current?.parentElement?.clientWidth ?? Infinity) / parseFloat(getComputedStyle(document.documentElement).fontSize));
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  return [element, room];
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
  const wide = useWidths();
  const narrow = wide === "narrow";
  // Those that there is no room for are not there at all: the last one shown has the edge of the card.
  const [table, room] = useRoom();
  const columns = narrow
    ? all.filter((c) => c.phone)
    : fitting(
        all.filter((c) => !c.phoneOnly && (!c.from || wide.includes(c.from))),
        room - (picks ? PICK : 0),
      );
  const height = rowHeight(narrow);
  const [body, first, last] = useWindow(rows.length, height);
  const changed = useChanged();
  // One row is a stop of the tabulator, however many there are; the arrows go from row to row.
  const [active, setActive] = useState(0);
  const stop = active >= first && active < last ? active : Math.min(first + (first > 0 ? 4 : 0), last - 1);
  const about = useId();
  useEffect(() => {
    if (more && last > rows.length - 25) more();
  }, [more, last, rows.length]);
  // Of a long table one row is a stop of the tabulator, with the links in it: what follows the table is reached.
  useLayoutEffect(() => {
    if (!href && !picks) return;
    for (const e of body.current?.querySelectorAll<HTMLElement>("tr[data-at] td :is(a, button)") ?? [])
      e.tabIndex = e.closest("tr")!.dataset.at === String(stop) ? 0 : -1;
  });
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
  return (
    <>
      <table
        ref={table}
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
                ref={(e) => {
                  if (e && c.width) e.style.inlineSize = c.width;
                }}
              />
            ))}
          </colgroup>
        )}
        <thead role="rowgroup" className={narrow ? (picks ? "all" : "vh") : undefined}>
          <tr role="row">
            {picks && <SelectAll rows={rows} id={id} picks={picks} />}
            {columns.map((c) => (
              <th key={c.id} role="columnheader" scope="col" className={c.end ? "end" : undefined}>
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
                onFocus={() => setActive(first + i)}
                className={`${href ? "goes" : ""} ${changed.has(key) ? "changed" : ""} ${picks?.chosen.has(key) ? "chosen" : ""}`}
              >
                {picks && (
                  <SelectRow
                    at={first + i}
                    isStop={first + i === stop}
                    rows={rows}
                    id={id}
                    picks={picks}
                    name={all[0]?.text?.(r) ?? "row"}
                  />
                )}
                {columns.map((c, n) => {
                  const inner = c.cell(r);
                  const cls = `${c.end ? "end" : ""} ${c.phone ? `p-${c.phone}` : ""}`;
                  return n === 0 ? (
                    <th key={c.id} role="rowheader" scope="row" className={cls}>
                      {href ? (
                        <Link href={href(r)} className="cell" tabIndex={first + i === stop ? 0 : -1} aria-describedby={about}>
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
              <td role="cell" colSpan={columns.length + (picks ? 1 : 0)} className="muted wait">
                Loading more…
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {href && (
        <p className="vh" id={about}>
          The arrow keys go from row to row.
        </p>
      )}
    </>
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
  /** What the list is called: a page may have two. */
  label: string;
  picks: Picks<T> | undefined;
  actions: readonly BulkAction<T>[];
  rows: readonly T[];
  id: (r: T) => string;
  name: (r: T) => string;
  href?: ((r: T) => string) | undefined;
}) =>
  p.picks && p.picks.chosen.size > 0 ? (
    <Suspense>
      <Bulk
        label={p.label}
        picks={p.picks}
        actions={p.actions}
        rows={p.rows}
        id={p.id}
        name={p.name}
        {...(p.href ? { href: p.href } : {})}
      />
    </Suspense>
  ) : null;

/**
 * A table of records with its states. `empty` says what is not there and what to do about it. With `byHand` a button loads the next page:
 * what is below a table that grows by itself is not reached, and moves away from the keys.
 */
export function RecordTable<T extends { id?: Uint8Array | undefined }>({
  records,
  empty,
  bulk = [],
  byHand = false,
  lines = 12,
  ...rest
}: { records: Records<T>; empty: ReactNode; bulk?: readonly BulkAction<T>[]; byHand?: boolean; lines?: number } & Omit<
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
        <Table
          {...rest}
          rows={rows}
          id={id}
          {...(byHand ? {} : { more: records.more })}
          loadingMore={records.loadingMore}
          {...(picks ? { picks } : {})}
        />
      ) : query.isPending ? (
        <div className="body">
          <Skeleton lines={lines} />
        </div>
      ) : query.isError ? null : (
        empty
      )}
      {query.isError && (
        <div className="body">
          <Failed error={query.error} again={query.refetch} />
        </div>
      )}
      {records.fresh > 0 && !picks?.chosen.size && (
        <div className="bulk row" role="region" aria-label="New records">
          <span className="grow">
            <b className="num">{count(records.fresh)}</b> new since this list was read
          </span>
          <Button onPress={records.renew}>Show {records.fresh > 1 ? "them" : "it"}</Button>
        </div>
      )}
      <Cut of={records} />
      {byHand && rows.length > 0 && !records.complete && (
        <p className="row body">
          <Button onPress={records.more} isPending={records.loadingMore}>
            Show earlier
          </Button>
          <span className="muted">
            {rest.total && rest.total > 0
              ? `${count(rows.length)} of ${count(rest.total)} are shown.`
              : `${several(rows.length, "is", "are")} shown.`}
          </span>
        </p>
      )}
      <Selected
        label={rest.label}
        picks={picks}
        actions={bulk}
        rows={rows}
        id={id}
        name={(r) => rest.columns[0]?.text?.(r) ?? ""}
        href={rest.href}
      />
    </>
  );
}
