import { useQuery } from "@tanstack/react-query";
import { may } from "../../core/queries.ts";
import { getMarketObservations, listMarketObservations } from "../../gen/markets/v1/observation_calls.ts";

/** The phases of the newest observed listings of a name, in their order; "" of a listing without one. No call names all phases of a name. */
export async function phasesOf(marketHashName: string, signal: AbortSignal): Promise<string[]> {
  const { observationIds } = await listMarketObservations({ marketHashName, limit: 200 }, { signal });
  if (observationIds.length === 0) return [];
  const { observations } = await getMarketObservations({ observationIds }, { signal });
  return [...new Set(observations.map((o) => o.listing?.phase ?? ""))].sort();
}
export const usePhases = (name: string) =>
  useQuery({
    queryKey: ["ListMarketObservations", "phases", name],
    enabled: may(listMarketObservations),
    staleTime: 60_000,
    queryFn: ({ signal }) => phasesOf(name, signal),
  });
