import type { KeyboardEvent } from "react";
import { Icon } from "./icon.tsx";

/** The rows that are selected, and why those among them that were refused were. */
export interface Picks<T> {
  chosen: ReadonlyMap<string, T>;
  choose: (next: ReadonlyMap<string, T>) => void;
  refused: ReadonlyMap<string, string>;
  refuse: (next: ReadonlyMap<string, string>) => void;
}
interface At<T> {
  rows: readonly T[];
  id: (row: T) => string;
  picks: Picks<T>;
}

/** From where Shift selects: the row that was selected or deselected last. */
let anchor = "";
/** Selects or deselects a row; with Shift all between it and the last one, too. */
function pick<T>(at: number, through: boolean, { rows, id, picks }: At<T>) {
  const next = new Map(picks.chosen);
  const on = !next.has(id(rows[at]!));
  const from = through ? rows.findIndex((r) => id(r) === anchor) : -1;
  const [low, high] = from < 0 ? [at, at] : [Math.min(from, at), Math.max(from, at)];
  for (const row of rows.slice(low, high + 1))
    if (on) next.set(id(row), row);
    else next.delete(id(row));
  anchor = id(rows[at]!);
  picks.choose(next);
}

/**
 * Keys of a table: Space selects the row, Shift with an arrow also the next, Ctrl-A all that are loaded, Escape none. Says whether the key
 * was one of these.
 */
export function selecting<T>(e: KeyboardEvent, at: number, rows: readonly T[], id: (row: T) => string, picks: Picks<T>): boolean {
  const box = (e.target as HTMLElement).matches("input");
  if (e.key === " " && (!box || e.shiftKey)) {
    if ((e.target as HTMLElement).matches("button")) return false;
    pick(at, e.shiftKey, { rows, id, picks });
    return true;
  }
  if (e.key.toLowerCase() === "a" && (e.ctrlKey || e.metaKey)) {
    picks.choose(new Map(rows.map((r) => [id(r), r])));
    return true;
  }
  if (e.key === "Escape" && picks.chosen.size > 0) {
    picks.choose(new Map());
    return true;
  }
  const step = e.shiftKey ? { ArrowDown: 1, ArrowUp: -1 }[e.key] : undefined;
  if (step) {
    const to = rows[at + step] ?? rows[at]!;
    picks.choose(new Map(picks.chosen).set(id(rows[at]!), rows[at]!).set(id(to), to));
    anchor = id(to);
  }
  return false;
}

export function SelectAll<T>({ rows, id, picks }: At<T>) {
  const some = picks.chosen.size > 0;
  const all = some && rows.every((r) => picks.chosen.has(id(r)));
  return (
    <th role="columnheader" scope="col" className="pick">
      <label className="cell">
        <input
          type="checkbox"
          aria-label="Select all that are loaded"
          checked={all}
          ref={(e) => {
            if (e) e.indeterminate = some && !all;
          }}
          onChange={() => picks.choose(new Map(all ? [] : rows.map((r) => [id(r), r])))}
        />
        <span aria-hidden="true">Select all that are loaded</span>
      </label>
    </th>
  );
}

/** The box of a row that is in no table. */
export function PickOne<T>({ row, id, name, picks }: { row: T; id: string; name: string; picks: Picks<T> }) {
  const flip = () => {
    const next = new Map(picks.chosen);
    if (!next.delete(id)) next.set(id, row);
    picks.choose(next);
  };
  return <input type="checkbox" aria-label={`Select ${name}`} checked={picks.chosen.has(id)} onChange={flip} />;
}
export function SelectRow<T>({ at, name, isStop, ...of }: At<T> & { at: number; name: string; isStop: boolean }) {
  const key = of.id(of.rows[at]!);
  const chosen = of.picks.chosen.has(key);
  const why = chosen ? of.picks.refused.get(key) : undefined;
  return (
    <td role="cell" className="pick">
      <label className="cell" title={why}>
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          tabIndex={isStop ? 0 : -1}
          checked={chosen}
          onChange={(e) => pick(at, (e.nativeEvent as MouseEvent).shiftKey, of)}
        />
        {why && (
          <span className="loss">
            <Icon name="problems" />
            <span className="vh">Refused: {why}</span>
          </span>
        )}
      </label>
    </td>
  );
}
