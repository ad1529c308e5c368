import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { plainly, several } from "../core/format.ts";
import { oneByOne, tasksOf, type End, type Task } from "../core/runs.ts";
import { trouble } from "../core/trouble.ts";
import { SaveRows } from "./copy.tsx";
import { Notice } from "./state.tsx";

export interface Run<T> {
  busy: boolean;
  end: End | undefined;
  done: readonly T[];
  refused: readonly (readonly [T, unknown])[];
  left: number;
  go: (act: (row: T, key: string) => Promise<unknown>) => Promise<void>;
  stop: () => void;
}

/** Many calls, one after the other. `go` begins, and goes on with what is left after an interruption. */
export function useRun<T>(rows: readonly T[]): Run<T> {
  const [busy, setBusy] = useState(false);
  const [end, setEnd] = useState<End>();
  const [done, setDone] = useState<readonly T[]>([]);
  const [refused, setRefused] = useState<Run<T>["refused"]>([]);
  const tasks = useRef<Task<T>[]>(undefined);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const go: Run<T>["go"] = async (act) => {
    abort.current = new AbortController();
    setBusy(true);
    setEnd(undefined);
    const how = await oneByOne(
      (tasks.current ??= tasksOf(rows)),
      act,
      (row, error) => (error === undefined ? setDone((d) => [...d, row]) : setRefused((f) => [...f, [row, error]])),
      abort.current.signal,
    );
    setEnd(how);
    setBusy(false);
  };
  return { busy, end, done, refused, left: rows.length - done.length - refused.length, go, stop: () => abort.current?.abort() };
}

/** Why the run ended before all were done. */
export function Interrupted({ end, left }: { end: End | undefined; left: number }) {
  const open = left ? `${several(left, "is", "are")} not done yet.` : "Whether something is left is not known.";
  switch (end) {
    case "lost":
      return (
        <Notice tone="bad">The server cannot be reached. {open} Continue once it is there again; what was done is not done twice.</Notice>
      );
    case "unconfirmed":
      return <Notice tone="bad">You did not confirm that it is you. {open}</Notice>;
    case "stopped":
      return <Notice>You stopped here. {open}</Notice>;
    default:
      return null;
  }
}

interface Refusal {
  id: unknown;
  name: string;
  reason: string;
}
const FILE = [
  { head: "Record", text: (r: Refusal) => r.name },
  { head: "Reason", text: (r: Refusal) => r.reason },
];
/** What was refused, each with its reason. */
export function Refusals<T>({
  of,
  name,
  href,
  go,
}: {
  of: Run<T>["refused"];
  name: (row: T) => string;
  href?: (row: T) => string;
  go?: () => void;
}) {
  if (of.length === 0) return null;
  return (
    <section aria-label="Refused">
      <div className="row">
        <h3 className="grow">{several(of.length, "was", "were")} refused</h3>
        <SaveRows
          name="refused"
          columns={FILE}
          rows={of.map(([row, error]) => ({ id: (row as { id?: unknown }).id, name: name(row), reason: reasonText(error) }))}
        />
      </div>
      <div className="scroll tall" tabIndex={0} role="region" aria-label="What was refused, and why">
        <table className="rows inset">
          <tbody>
            {of.map(([row, error], i) => (
              <tr key={i}>
                <th scope="row">
                  {href ? (
                    <Link href={href(row)} className="textlink" {...(go ? { onClick: go } : {})}>
                      {name(row)}
                    </Link>
                  ) : (
                    name(row)
                  )}
                </th>
                <td className="loss">{reasonText(error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
export const reasonText = (error: unknown): string => plainly(trouble(error).text);
