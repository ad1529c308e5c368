import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useSearchParams } from "wouter";
import { count } from "../core/format.ts";
import { place } from "../core/place.ts";
import { Button } from "./button.tsx";
import { wordOf } from "./status.tsx";

/** An enum: both directions between number and name. Its 0 means all of them. */
type Enum = Record<string, string | number>;

export interface Filters {
  of: (name: string) => string;
  set: (name: string, value: string) => void;
  any: boolean;
  clear: () => void;
}
/** The filters of a list, which are in the address: a reload keeps them, and a link has them. */
export function useFilters(names: readonly string[]): Filters {
  const [search, setSearch] = useSearchParams();
  const change = (values: Record<string, string>) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values))
        if (value) after.set(name, value);
        else after.delete(name);
      return after;
    });
  return {
    of: (name) => search.get(name) ?? "",
    set: (name, value) => change({ [name]: value }),
    any: names.some((n) => search.get(n)),
    clear: () => change(Object.fromEntries(names.map((n) => [n, ""]))),
  };
}
/** The numbers that a filter of the address names, as "PAID,SETTLED". */
export const numbersOf = <S extends number>(kinds: object, value: string): S[] =>
  value
    .split(",")
    .map((name) => (kinds as Enum)[name])
    .filter((n): n is S => typeof n === "number" && n !== 0);
/** A field of a filter: the address has its value once the hand rests. `seen` are values that the rows have, as suggestions. */
export function FilterText({ label, name, filters, seen }: { label: string; name: string; filters: Filters; seen: readonly string[] }) {
  const id = useId();
  const value = filters.of(name);
  const [text, setText] = useState(value);
  const known = useRef(new Set<string>());
  for (const s of seen) if (s) known.current.add(s);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const t = setTimeout(() => filters.set(name, text.trim()), 400);
    return () => clearTimeout(t);
  }, [text]);
  return (
    <label className="filter">
      <span>{label}</span>
      <input list={id} value={text} placeholder="any" autoComplete="off" spellCheck={false} onChange={(e) => setText(e.target.value)} />
      <datalist id={id}>
        {[...known.current].sort().map((s) => (
          <option key={s} value={s} />
        ))}
      </datalist>
    </label>
  );
}
/** A day of the workspace. What is typed of one counts as none until it is whole. */
export const FilterDay = ({ label, name, filters }: { label: string; name: string; filters: Filters }) => (
  <label className="filter" title={`Days of ${place.timeZone}`}>
    <span>{label}</span>
    <input type="date" max="9999-12-31" value={filters.of(name)} onChange={(e) => filters.set(name, e.target.value)} />
  </label>
);
export const FilterChoice = ({
  label,
  name,
  filters,
  choices,
}: {
  label: string;
  name: string;
  filters: Filters;
  choices: readonly (readonly [value: string, label: string])[];
}) => (
  <label className="filter">
    <span>{label}</span>
    <select value={filters.of(name)} onChange={(e) => filters.set(name, e.target.value)}>
      {choices.map(([v, l]) => (
        <option key={v} value={v}>
          {l}
        </option>
      ))}
    </select>
  </label>
);
/** The one name that a link chose, and the button that takes all filters away. */
export const ClearFilters = ({ filters }: { filters: Filters }) => (
  <>
    {filters.of("marketHashName") && (
      <span className="clip">
        Only <b>{filters.of("marketHashName")}</b>
      </span>
    )}
    {filters.any && (
      <Button kind="quiet" onPress={filters.clear}>
        Clear filters
      </Button>
    )}
  </>
);

interface Many {
  label: string;
  kinds: object;
  name: string;
  filters: Filters;
  choices: readonly { id: number; name?: string; count?: number | undefined }[];
  all?: number | undefined;
  /** The counts are of the newest records only. */
  more?: boolean | undefined;
}
/** Several of many kinds; none chosen is all. One stop of the tabulator: the arrows go, Space chooses. */
export function ManyFacets({ label, kinds, name, filters, choices, all, more }: Many) {
  const chosen = numbersOf(kinds, filters.of(name));
  const [stop, setStop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  // Where there is no room for all of them, the first chosen one of the address is brought into view.
  useEffect(() => {
    const group = box.current;
    const at = group?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (group && at) group.scrollLeft = at.offsetLeft - group.offsetLeft - (group.clientWidth - at.offsetWidth) / 2;
  }, [choices.length]);
  const flip = (id: number) => {
    const next = !id ? [] : chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id];
    filters.set(name, next.map((n) => (kinds as Enum)[n]).join(","));
  };
  const shown = [{ id: 0, name: "All", count: all }, ...choices];
  const keys = (e: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    e.currentTarget.querySelectorAll("button")[(stop + step + shown.length) % shown.length]?.focus();
  };
  return (
    <div ref={box} className="facets" role="group" aria-label={label} onKeyDown={keys}>
      {shown.map((c, i) => (
        <button
          key={c.id}
          type="button"
          aria-pressed={c.id ? chosen.includes(c.id) : chosen.length === 0}
          tabIndex={i === Math.min(stop, shown.length - 1) ? 0 : -1}
          onFocus={() => setStop(i)}
          onClick={() => flip(c.id)}
        >
          {c.name ?? wordOf(String((kinds as Enum)[c.id]))}
          {c.count !== undefined && <span className="count">{atLeast(c.count, more && !c.id)}</span>}
        </button>
      ))}
    </div>
  );
}
/** A number, or "5,000+" where the server stopped counting. */
export const atLeast = (n: number, more: boolean | undefined): string => `${count(n)}${more ? "+" : ""}`;

type Counts = { counts: readonly { status?: number | undefined; count?: number | undefined }[]; truncated?: boolean | undefined };
/** Statuses with their numbers, those that no record has left out. */
export function StatusesFacets({ statuses, counts, filters }: { statuses: object; counts: Counts | undefined; filters: Filters }) {
  const chosen = numbersOf(statuses, filters.of("status"));
  const known = counts?.counts.filter((c) => c.status && ((c.count ?? 0) > 0 || chosen.includes(c.status)));
  return (
    <ManyFacets
      label="Status"
      kinds={statuses}
      name="status"
      filters={filters}
      choices={known?.map((c) => ({ id: c.status!, count: c.count ?? 0 })) ?? chosen.map((id) => ({ id }))}
      all={counts && totalOf(counts, [])}
      more={counts?.truncated}
    />
  );
}
/** How many records the chosen statuses have; all of them without one. */
export const totalOf = (counts: Counts, statuses: readonly number[]): number =>
  counts.counts.reduce((n, c) => n + (statuses.length === 0 || statuses.includes(c.status ?? 0) ? (c.count ?? 0) : 0), 0);
/** What a list says about its size: "1,204 settled or paid, the newest first." */
export const sizeOf = (counts: Counts | undefined, kinds: object, statuses: readonly number[], order = "the newest"): string => {
  if (!counts) return `${order.charAt(0).toUpperCase()}${order.slice(1)} first.`;
  const names = statuses.map((s) => wordOf(String((kinds as Enum)[s])).toLowerCase());
  return `${atLeast(totalOf(counts, statuses), counts.truncated)} ${names.join(" or ") || "in all"}, ${order} first.`;
};
