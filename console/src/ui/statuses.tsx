import { useSearchParams } from "wouter";
import { Facets } from "./segments.tsx";
import { wordOf } from "./status.tsx";

/** An enum of statuses: both directions between number and name. Its 0 means all of them. */
type Statuses = Record<string, string | number>;

/** The status that the address names, and how another one is chosen. What else the address has stays. */
export function useStatus<S extends number>(statuses: object): [S, (status: number) => void] {
  const [search, setSearch] = useSearchParams();
  const named = statuses as Statuses;
  const status = (named[search.get("status") ?? ""] ?? 0) as S;
  const choose = (next: number) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (next) after.set("status", String(named[next]));
      else after.delete("status");
      return after;
    });
  return [status, choose];
}

interface Props {
  statuses: object;
  /** How many records have each status; unknown while it is asked and after it failed. */
  counts: readonly { status?: number | undefined; count?: number | undefined }[] | undefined;
  chosen: number;
  choose: (status: number) => void;
  /** The order; without one it is that of the counts. */
  order?: readonly number[];
  /** Shown even where no record has it. */
  always?: number;
}
/** The statuses that records have, with their numbers. */
export function StatusFacets({ statuses, counts: known, chosen, choose, order, always }: Props) {
  const counts = known ?? [];
  const of = (status: number) => counts.find((c) => c.status === status)?.count ?? 0;
  const all = order ?? counts.map((c) => c.status ?? 0);
  const shown = all.filter((status) => status && (of(status) > 0 || status === always || status === chosen));
  return (
    <Facets
      label="Status"
      chosen={String(chosen)}
      choose={(id) => choose(Number(id))}
      choices={[
        { id: "0", name: "All", count: known && all.reduce((sum, status) => sum + of(status), 0) },
        ...shown.map((status) => ({
          id: String(status),
          name: wordOf(String((statuses as Statuses)[status])),
          count: known && of(status),
        })),
      ]}
    />
  );
}
