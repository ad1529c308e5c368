import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getContracts } from "../gen/contracts/v1/contract_calls.ts";
import { getInventoryItems } from "../gen/contracts/v1/inventory_item_calls.ts";
import { getPurchases } from "../gen/contracts/v1/purchase_calls.ts";
import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";
import { getProviders } from "../gen/markets/v1/provider_calls.ts";
import { getAccounts } from "../gen/trading/v1/account_calls.ts";
import { show } from "./ids.ts";
import { may } from "./queries.ts";

interface Subject {
  subjectType?: T | undefined;
  subjectId?: Uint8Array | undefined;
}
/** What a record is called; of a purchase and an item what was paid for it, as far as it is known. */
export interface Known {
  name: string;
  paidCents?: bigint | undefined;
}
type Named = readonly [id: Uint8Array | undefined, name: string | undefined, paidCents?: bigint];
type Asks = (ids: Uint8Array[], signal: AbortSignal) => Promise<Named[]>;
/** Of each kind of record the names, for those who may read it. */
const asks = (): readonly [T, boolean, Asks][] => [
  [
    T.CONTRACT,
    may(getContracts),
    async (contractIds, signal) => (await getContracts({ contractIds }, { signal })).contracts.map((c) => [c.id, c.name]),
  ],
  [
    T.PURCHASE,
    may(getPurchases),
    async (purchaseIds, signal) =>
      (await getPurchases({ purchaseIds }, { signal })).purchases.map((p) => [p.id, p.marketHashName, p.executedPriceCents]),
  ],
  [
    T.INVENTORY_ITEM,
    may(getInventoryItems),
    async (inventoryItemIds, signal) =>
      (await getInventoryItems({ inventoryItemIds }, { signal })).inventoryItems.map((i) => [i.id, i.marketHashName, i.buyPriceCents]),
  ],
  [
    T.ACCOUNT,
    may(getAccounts),
    async (accountIds, signal) => (await getAccounts({ accountIds }, { signal })).accounts.map((a) => [a.id, a.name]),
  ],
  [
    T.PROVIDER,
    may(getProviders),
    async (providerIds, signal) => (await getProviders({ providerIds }, { signal })).providers.map((p) => [p.id, p.name]),
  ],
];
/** The most that one call gives. */
const AT_ONCE = 200;
const idsOf = (subjects: readonly Subject[], type: T): Uint8Array[] => {
  const ids = new Map<string, Uint8Array>();
  for (const s of subjects) if (s.subjectType === type && s.subjectId?.length) ids.set(show(s.subjectId), s.subjectId);
  return [...ids.values()];
};
const packs = (ids: Uint8Array[]): Uint8Array[][] => (ids.length ? [ids.slice(0, AT_ONCE), ...packs(ids.slice(AT_ONCE))] : []);

/** What the records are called that other records speak of, by their ids: one call for each kind among them. */
export function useSubjectNames(subjects: readonly Subject[]): ReadonlyMap<string, Known> {
  const wanted = asks()
    .filter(([, mayAsk]) => mayAsk)
    .map(([type, , ask]) => [idsOf(subjects, type), ask] as const)
    .filter(([ids]) => ids.length > 0);
  const query = useQuery({
    queryKey: ["names", wanted.map(([ids]) => ids.map(show).join()).join(" ")],
    staleTime: 60_000,
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(wanted.flatMap(([ids, ask]) => packs(ids).map((pack) => ask(pack, signal))));
      return new Map<string, Known>(found.flat().map(([id, name, paidCents]) => [show(id), { name: name ?? "", paidCents }]));
    },
  });
  return query.data ?? new Map<string, Known>();
}
