import { useState } from "react";
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
const quote = (t: string) => (/[",\n]/.test(t) ? `"${t.replaceAll('"', '""')}"` : t);
export const csv = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((r) => r.map(quote).join(",")).join("\r\n");

/** Offers the rows that are loaded as a file. */
export function SaveRows<T>({
  name,
  columns,
  rows,
}: {
  name: string;
  columns: readonly { head: string; text?: (row: T) => string }[];
  rows: readonly T[];
}) {
  const written = columns.filter((c) => c.text);
  return (
    <Button
      isDisabled={rows.length === 0}
      onPress={() =>
        save(
          `${name}.csv`,
          csv(
            written.map((c) => c.head),
            rows.map((r) => written.map((c) => c.text!(r))),
          ),
        )
      }
    >
      <Icon name="down" /> CSV
    </Button>
  );
}
