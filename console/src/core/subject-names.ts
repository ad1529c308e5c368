import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getContracts } from "../gen/contracts/v1/contract_calls.ts";
import { getIntents } from "../gen/contracts/v1/intent_calls.ts";
import type { Intent } from "../gen/contracts/v1/intent_pb.ts";
import { getInventoryItems } from "../gen/contracts/v1/inventory_item_calls.ts";
import { getPools } from "../gen/contracts/v1/pool_calls.ts";
import { getPurchases } from "../gen/contracts/v1/purchase_calls.ts";
import { getRemediations } from "../gen/contracts/v1/remediation_calls.ts";
import { RemediationKind } from "../gen/contracts/v1/remediation_pb.ts";
import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";
import { getProviders } from "../gen/markets/v1/provider_calls.ts";
import { getAccounts } from "../gen/trading/v1/account_calls.ts";
import { getTradeOffers } from "../gen/trading/v1/trade_offer_calls.ts";
import type { OfferedAsset } from "../gen/trading/v1/trade_offer_pb.ts";
import { several, words } from "./format.ts";
import { show } from "./ids.ts";
import { may } from "./queries.ts";
import { packsOf } from "./whole.ts";

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
const assetsOf = ([first, ...rest]: readonly OfferedAsset[]): string =>
  `${first?.marketHashName ?? ""}${rest.length ? ` and ${several(rest.length, "other", "others")}` : ""}`;
/** The item of ours that a proposal is about. One to buy names its listing instead. */
export const itemOf = (i: Intent): Subject => ({ subjectType: T.INVENTORY_ITEM, subjectId: i.item?.inventoryItemId });
/** A proposal is called as the item is that it would buy, sell or move. */
const intentNames: Asks = async (intentIds, signal) => {
  const { intents } = await getIntents({ intentIds }, { signal });
  const inventoryItemIds = idsOf(intents.map(itemOf), T.INVENTORY_ITEM);
  const items = inventoryItemIds.length && may(getInventoryItems) ? await getInventoryItems({ inventoryItemIds }, { signal }) : undefined;
  const names = new Map(items?.inventoryItems.map((i) => [show(i.id), i.marketHashName]));
  return intents.map((i) => [i.id, i.listing?.marketHashName || names.get(show(i.item?.inventoryItemId))]);
};
// Records of the last kinds are rare in the overview, which a browser gets first: what names them is loaded with the first of them.
const TRADING = "trading.v1.Trading";
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
  [T.POOL, may(getPools), async (poolIds, signal) => (await getPools({ poolIds }, { signal })).pools.map((p) => [p.id, p.name])],
  [T.INTENT, may(getIntents), intentNames],
  [
    T.TRADE_OFFER,
    may(getTradeOffers),
    async (tradeOfferIds, signal) =>
      (await getTradeOffers({ tradeOfferIds }, { signal })).tradeOffers.map((o) => [o.id, assetsOf([...o.gives, ...o.receives])]),
  ],
  [
    T.REMEDIATION,
    may(getRemediations),
    async (remediationIds, signal) =>
      (await getRemediations({ remediationIds }, { signal })).remediations.map((r) => [r.id, words(RemediationKind[r.kind ?? 0])]),
  ],
  [
    T.PROVIDER,
    may(getProviders),
    async (providerIds, signal) => (await getProviders({ providerIds }, { signal })).providers.map((p) => [p.id, p.name]),
  ],
  [
    T.INVENTORY_CHANGE,
    may({ service: TRADING, method: "GetInventoryChanges" }),
    async (ids, signal) => (await import("./rare-names.ts")).changeNames(ids, signal),
  ],
  [
    T.IMPORT,
    may({ service: TRADING, method: "GetImports" }),
    async (ids, signal) => (await import("./rare-names.ts")).importNames(ids, signal),
  ],
  [
    T.FRIEND,
    may({ service: TRADING, method: "GetFriends" }),
    async (ids, signal) => (await import("./rare-names.ts")).friendNames(ids, signal),
  ],
  [
    T.CONFIRMATION,
    may({ service: TRADING, method: "GetConfirmations" }),
    async (ids, signal) => (await import("./rare-names.ts")).confirmationNames(ids, signal),
  ],
  [
    T.ACCOUNT_SESSION,
    may({ service: TRADING, method: "GetAccountSessions" }),
    async (ids, signal) => (await import("./rare-names.ts")).sessionNames(ids, signal),
  ],
  [
    T.RENEWAL,
    may({ service: TRADING, method: "GetRenewals" }),
    async (ids, signal) => (await import("./rare-names.ts")).renewalNames(ids, signal),
  ],
];
const idsOf = (subjects: readonly Subject[], type: T): Uint8Array[] => {
  const ids = new Map<string, Uint8Array>();
  for (const s of subjects) if (s.subjectType === type && s.subjectId?.length) ids.set(show(s.subjectId), s.subjectId);
  return [...ids.values()];
};

/** What is known of records, and since when: a list that grows asks for its new ones alone. */
const known = new Map<string, Known & { since: number }>();
const FRESH = 60_000;
async function learn(ids: Uint8Array[], ask: Asks, signal: AbortSignal): Promise<void> {
  const since = Date.now();
  const wanted = ids.filter((id) => since - (known.get(show(id))?.since ?? 0) > FRESH);
  for (const pack of packsOf(wanted)) {
    const found = new Map((await ask(pack, signal)).map(([id, name, paidCents]) => [show(id), { name: name ?? "", paidCents }]));
    for (const id of pack) known.set(show(id), { ...(found.get(show(id)) ?? { name: "" }), since });
  }
}

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
      await Promise.all(wanted.map(([ids, ask]) => learn(ids, ask, signal)));
      const found = wanted.flatMap(([ids]) => ids.map((id) => [show(id), known.get(show(id))!] as const));
      return new Map<string, Known>(found.filter(([, k]) => k.name));
    },
  });
  return query.data ?? new Map<string, Known>();
}
