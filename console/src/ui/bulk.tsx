import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { count, several } from "../core/format.ts";
import { may, refresh } from "../core/queries.ts";
import type { Call } from "../rpc.ts";
import { Button } from "./button.tsx";
import { Meter } from "./card.tsx";
import Window from "./dialog.tsx";
import { Fields, firstProblem, isTyped, type Spec, type Values } from "./field.tsx";
import type { Picks } from "./picks.tsx";
import { Interrupted, reasonText, Refusals, useRun } from "./run.tsx";
import { Notice } from "./state.tsx";

/** What can be done to many rows, one call each. */
export interface BulkAction<T> {
  label: string;
  /** The call whose right it needs. */
  call: Pick<Call, "service" | "method">;
  /** Which rows it can be done to. */
  can: (row: T) => boolean;
  text: ReactNode;
  danger?: boolean;
  fields?: readonly Spec[];
  start?: Values;
  run: (row: T, v: Values, key: string) => Promise<unknown>;
  /** Names of the calls whose answers are old afterwards. */
  old: readonly string[];
}
interface Props<T> {
  /** What the list is called. */
  label: string;
  picks: Picks<T>;
  actions: readonly BulkAction<T>[];
  rows: readonly T[];
  id: (row: T) => string;
  name: (row: T) => string;
  href?: (row: T) => string;
}

/** The number of selected rows and what can be done to them. */
export default function Bulk<T>({ label, picks, actions, rows, id, name, href }: Props<T>) {
  const [open, setOpen] = useState<{ action: BulkAction<T>; rows: readonly T[] }>();
  const now = new Map(rows.map((r) => [id(r), r]));
  // A row is taken as the list has it now. The state of one that left the list is not known here, so nothing is offered for it.
  const chosen = [...picks.chosen].map(([key, row]) => now.get(key) ?? row);
  const away = [...picks.chosen.keys()].filter((key) => !now.has(key)).length;
  const refused = chosen.filter((r) => picks.refused.has(id(r)));
  const possible = actions
    .filter((a) => may(a.call))
    .map((a) => [a, [...now].flatMap(([key, r]) => (picks.chosen.has(key) && a.can(r) ? [r] : []))] as const);
  return (
    <div className="bulk" role="region" aria-label={`Selected rows: ${label}`}>
      {refused.length > 0 && (
        <ul className="refusals">
          {refused.slice(0, 5).map((r) => (
            <li key={id(r)} className="loss">
              <b>{name(r)}</b>: {picks.refused.get(id(r))}
            </li>
          ))}
          {refused.length > 5 && <li className="loss">and {count(refused.length - 5)} more</li>}
        </ul>
      )}
      <div className="row">
        <span className="grow" role="status">
          <b className="num">{count(chosen.length)}</b> selected
          {away > 0 && <span className="muted">, {several(away, "of them is", "of them are")} not in this list now</span>}
        </span>
        {possible.map(
          ([action, those]) =>
            those.length > 0 && (
              <Button key={action.label} kind={action.danger ? "danger" : ""} onPress={() => setOpen({ action, rows: those })}>
                {action.label} {those.length < chosen.length && <span className="count">{count(those.length)}</span>}
              </Button>
            ),
        )}
        {possible.every(([, those]) => those.length === 0) && <span className="muted">Nothing can be done to these.</span>}
        <Button kind="quiet" onPress={() => picks.choose(new Map())}>
          Clear
        </Button>
      </div>
      {open && (
        <BulkWindow
          {...open}
          all={chosen.length}
          picks={picks}
          id={id}
          name={name}
          {...(href ? { href } : {})}
          close={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

function BulkWindow<T>({
  action,
  rows,
  all,
  picks,
  id,
  name,
  href,
  close,
}: Omit<Props<T>, "actions" | "label"> & { action: BulkAction<T>; all: number; close: () => void }) {
  const [values, setValues] = useState<Values>(action.start ?? {});
  const [show, setShow] = useState(false);
  const { busy, end, done, refused, left, go, stop } = useRun(rows);
  const started = busy || end !== undefined;
  const fields = action.fields ?? [];
  const typed = isTyped(fields, values, action.start);
  // Rows that were done are deselected; one that was refused stays selected with its reason.
  useEffect(() => {
    if (!end) return;
    const next = new Map(picks.chosen);
    for (const row of done) next.delete(id(row));
    const why = new Map(picks.refused);
    for (const row of rows) why.delete(id(row));
    for (const [row, error] of refused) why.set(id(row), reasonText(error));
    picks.refuse(why);
    // The bar, and with it this window, would go away with the last row: it does so when the window is closed.
    if (next.size > 0) picks.choose(next);
    void refresh(...action.old);
  }, [end]);
  const leave = () => {
    const over = new Set(done.map(id));
    if ([...picks.chosen.keys()].every((key) => over.has(key))) picks.choose(new Map());
    close();
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (!busy && !firstProblem(fields, values)) void go((row, key) => action.run(row, values, key));
  };
  return (
    <Window title={`${action.label}: ${count(rows.length)}`} close={leave} locked={busy} typed={typed && !started}>
      <form onSubmit={submit} noValidate>
        {!started && (
          <div className="prose">
            {action.text}
            {rows.length < all && <p>The other {count(all - rows.length)} selected are in another state, and stay as they are.</p>}
          </div>
        )}
        {!started && fields.length > 0 && (
          <Fields specs={fields} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
        )}
        {started && (
          <ul className="meters" aria-label="Progress">
            <li>
              <span>{action.label}</span>
              <Meter
                part={done.length + refused.length}
                whole={rows.length}
                label={`${done.length} done, ${refused.length} refused, of ${rows.length}`}
                tone={refused.length ? "loss" : ""}
              />
              <span className="num" role="status">
                {count(done.length)} of {count(rows.length)}
              </span>
            </li>
          </ul>
        )}
        <Refusals of={refused} name={name} {...(href ? { href } : {})} />
        <Interrupted end={end} left={left} />
        {end === "done" && (
          <Notice tone={refused.length ? "" : "good"} icon={refused.length ? "problems" : "check"}>
            {several(done.length, "was", "were")} done
            {refused.length
              ? `, ${several(refused.length, "was", "were")} refused and ${refused.length === 1 ? "stays" : "stay"} selected.`
              : "."}
          </Notice>
        )}
        <footer>
          {busy ? (
            <Button onPress={stop}>Stop here</Button>
          ) : (
            <Button onPress={leave} kind={end === "done" ? "primary" : ""}>
              {end ? "Close" : "Cancel"}
            </Button>
          )}
          {!busy && (end === undefined || left > 0) && (
            <Button type="submit" kind={action.danger ? "primary bad" : "primary"}>
              {end ? `Continue with the other ${count(left)}` : `${action.label} ${count(rows.length)}`}
            </Button>
          )}
        </footer>
      </form>
    </Window>
  );
}
