import { useQuery } from "@tanstack/react-query";
import { getProviders, listProviders } from "../gen/markets/v1/provider_calls.ts";
import { BreakerState, ProviderKind as K, type Provider } from "../gen/markets/v1/provider_pb.ts";
import { when } from "./format.ts";
import { may } from "./queries.ts";
import { wholeList } from "./whole.ts";

export const isDown = (p: Provider): boolean => Boolean(p.enabled) && p.health?.breakerState === BreakerState.OPEN;
/** No change of a record says that a provider answers no longer, so it is asked for again. */
const EVERY = 30_000;
const down = (found: Provider[]): Provider[] => found.filter(isDown);
const all = () => ({
  queryKey: ["GetProviders", "all"],
  enabled: may(listProviders),
  refetchInterval: EVERY,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    wholeList(
      async (asked) => {
        const a = await listProviders(asked, { signal });
        return { ids: a.providerIds, next: a.nextCursor };
      },
      async (providerIds) => (await getProviders({ providerIds }, { signal })).providers,
    ),
});
export const useProviders = () => useQuery(all());
/** The providers that do not answer now. */
export const useOutages = () => useQuery({ ...all(), select: down });
const COST: Record<K, string> = {
  [K.UNSPECIFIED]: "",
  [K.MARKETPLACE]:
    "Nothing is bought there, and no price is changed. What is on sale there stays on sale, and open purchases are followed once it answers.",
  [K.PRICE_SOURCE]: "Values are calculated without it. A contract that is left with fewer than two sources stops until they report again.",
  [K.GAME_PLATFORM]: "No item is received or delivered until it answers.",
};
/** What it costs that a provider does not answer. */
export const costOfOutage = (p: Provider): string => COST[p.kind ?? K.UNSPECIFIED];
/** Since when it does not answer, as far as that is known. */
export const downSince = (p: Provider): string => {
  const last = p.health?.lastSuccessAt ?? p.lastSuccessAt;
  return last ? `since ${when(last)}` : "and never has";
};
