import { useEffect, useRef, useState } from "react";
import { count } from "../core/format.ts";
import { uuid } from "../core/ids.ts";
import { MOST_ROWS as MOST, type Page } from "../core/queries.ts";
import { passing, trouble, waitFor } from "../core/trouble.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

export function Copy({ text, label = "Copy", kind = "" }: { text: string; label?: string; kind?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <Button kind={kind} onPress={() => void copy()}>
      <Icon name={done ? "check" : "copy"} /> {done ? "Copied" : label}
    </Button>
  );
}

/** Saves text as a file, made in the browser. */
export function save(name: string, text: string, type = "text/csv"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = Object.assign(document.createElement("a"), { href: url, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
/** A program for tables takes a text that begins like this for a formula, unless it is a number. */
const safe = (t: string) => (/^[=+\-@\t\r]/.test(t) && !/^-?\d+(\.\d+)?$/.test(t) ? `'${t}` : t);
const quote = (t: string) => (/[",\n\r]/.test(t) ? `"${t.replaceAll('"', '""')}"` : t);
export const csv = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((r) => r.map((t) => quote(safe(t))).join(",")).join("\r\n");

/** The rows of all pages, up to the most that a file gets. */
async function allOf<T>(page: Paged<T>["page"], seen: (rows: number) => void, stop: AbortSignal): Promise<{ rows: T[]; more: boolean }> {
  const rows: T[] = [];
  for (let cursor = "", tries = 0; ;) {
    try {
      const p = await page(cursor, stop);
      rows.push(...p.rows);
      seen(rows.length);
      if (!p.next || rows.length >= MOST) return { rows: rows.slice(0, MOST), more: Boolean(p.next) || rows.length > MOST };
      cursor = p.next;
      tries = 0;
    } catch (e) {
      if (stop.aborted || !passing(e) || ++tries > 3) throw e;
      await new Promise((then) => setTimeout(then, waitFor(tries - 1, e)));
    }
  }
}
/** A list of which some pages are loaded. */
interface Paged<T> {
  rows: readonly T[];
  complete: boolean;
  /** There are further rows than those that a list loads. */
  cut: boolean;
  page: (cursor: string, signal: AbortSignal) => Promise<Page<T>>;
}
interface Saved<T> {
  name: string;
  columns: readonly { head: string; text?: (row: T) => string }[];
  /** Rows that are all there; or a list, whose other pages are loaded for the file. */
  rows?: readonly T[];
  of?: Paged<T>;
}
const idOf = (row: unknown) => (row as { id?: unknown } | undefined)?.id;
/** Offers a list as a file: every row of the present filter, with its id. */
export function SaveRows<T>({ name, columns, rows: given, of }: Saved<T>) {
  const [seen, setSeen] = useState<number>();
  const [note, setNote] = useState("");
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);
  const loaded = given ?? of?.rows ?? [];
  const write = (rows: readonly T[]) => {
    const ids = idOf(rows[0]) instanceof Uint8Array ? [{ head: "Id", text: (r: T) => uuid(idOf(r) as Uint8Array) }] : [];
    const written = [...ids, ...columns.filter((c) => c.text)];
    save(
      `${name}.csv`,
      csv(
        written.map((c) => c.head),
        rows.map((r) => written.map((c) => c.text!(r))),
      ),
    );
  };
  const more = () => setNote(`The file has the first ${count(MOST)} rows. There are more: choose filters.`);
  const start = async () => {
    setNote("");
    if (!of || of.complete) {
      write(of?.cut ? loaded.slice(0, MOST) : loaded);
      if (of?.cut) more();
      return;
    }
    const stop = (run.current = new AbortController());
    setSeen(0);
    try {
      const all = await allOf(of.page, setSeen, stop.signal);
      if (stop.signal.aborted) return;
      write(all.rows);
      if (all.more) more();
    } catch (e) {
      if (!stop.signal.aborted) setNote(`No file: ${trouble(e).text}`);
    } finally {
      setSeen(undefined);
    }
  };
  return (
    <>
      {note && (
        <small className="muted" role="status">
          {note}
        </small>
      )}
      <Button isDisabled={loaded.length === 0} onPress={() => (seen === undefined ? void start() : run.current?.abort())}>
        <Icon name={seen === undefined ? "down" : "close"} /> {seen === undefined ? "CSV" : `Stop at ${count(seen)} rows`}
      </Button>
    </>
  );
}
