import { useEffect } from "react";
import { useQuery } from "@tanstack/react-query";
import { show } from "../../core/ids.ts";
import { refresh } from "../../core/queries.ts";
import { getSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import type { Snapshot } from "../../gen/trading/v1/snapshot_pb.ts";
import { isTaking } from "./words.ts";

/** No step in the live feed says that a snapshot was taken, so it is asked for again. */
export const EVERY = 3_000;
/** Snapshots that are being taken are asked for again, and only these: the list itself stays. */
export function useCurrent(rows: readonly Snapshot[]): Snapshot[] {
  const snapshotIds = rows
    .filter(isTaking)
    .map((s) => s.id!)
    .slice(0, 200);
  const query = useQuery<Snapshot[]>({
    queryKey: ["GetSnapshots", snapshotIds.map(show).join()],
    enabled: snapshotIds.length > 0,
    refetchInterval: (q) => (q.state.data?.some(isTaking) === false ? false : EVERY),
    queryFn: async ({ signal }) => (await getSnapshots({ snapshotIds }, { signal })).snapshots,
  });
  const ended = query.data?.filter((s) => !isTaking(s)).length ?? 0;
  // What was taken may have shown changes.
  useEffect(() => {
    if (ended) void refresh("CountInventoryChanges", "ListInventoryChanges");
  }, [ended]);
  const now = new Map(query.data?.map((s) => [show(s.id), s]));
  return rows.map((s) => now.get(show(s.id)) ?? s);
}
