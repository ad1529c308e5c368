import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { reasonOf } from "../../core/trouble.ts";
import { setTradingHalt } from "../../gen/accounts/v1/workspace_calls.ts";
import { getContracts, listContracts, pauseContract } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus, ContractType } from "../../gen/contracts/v1/contract_pb.ts";
import { cancelIntent, delistItem, getIntents, listIntents } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentKind, IntentStatus, type Intent } from "../../gen/contracts/v1/intent_pb.ts";
import { countInventoryItems, getInventoryItems, listInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { cancelPurchase, countPurchases, getPurchases, listPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus } from "../../gen/contracts/v1/purchase_pb.ts";
import { cancelTradeOffer, getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferRequest, TradeOfferStatus } from "../../gen/trading/v1/trade_offer_pb.ts";
import type { CallOptions } from "../../rpc.ts";

/** In the order in which they are stopped: a selling contract that is not paused lists again what was delisted. */
export const PARTS = ["halt", "contracts", "intents", "purchases", "offers", "items"] as const;
export type Part = (typeof PARTS)[number];
/** One thing that is stopped. */
export interface Target {
  part: Part;
  id: Uint8Array;
  name: string;
  href: string;
}
export interface Plan {
  targets: Target[];
  /** Sent and not over: these are followed to their end. */
  sent: number;
  /** Reserved or in delivery to a buyer: these cannot be delisted. */
  bound: number;
  /** Being listed: these can be delisted once they are on sale. */
  coming: number;
  /** On sale, and asked to be delisted before. */
  leaving: number;
  /** What the rights of the person do not allow. */
  refused: Part[];
}

type Ids = { ids: Uint8Array[]; next?: string | undefined };
/** All records of a list. */
async function all<R>(list: (cursor: string) => Promise<Ids>, get: (ids: Uint8Array[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  let cursor = "";
  do {
    const { ids, next } = await list(cursor);
    if (ids.length) found.push(...(await get(ids)));
    cursor = next ?? "";
  } while (cursor);
  return found;
}

const intentsIn = (status: IntentStatus, kind: IntentKind, options: CallOptions) =>
  all<Intent>(
    async (cursor) => {
      const a = await listIntents({ status, kind, cursor, limit: 200 }, options);
      return { ids: a.intentIds, next: a.nextCursor };
    },
    async (intentIds) => (await getIntents({ intentIds }, options)).intents,
  );
const purchasesIn = (status: PurchaseStatus, options: CallOptions) =>
  all(
    async (cursor) => {
      const a = await listPurchases({ status, cursor, limit: 200 }, options);
      return { ids: a.purchaseIds, next: a.nextCursor };
    },
    async (purchaseIds) => (await getPurchases({ purchaseIds }, options)).purchases,
  );
const listItems =
  (status: InventoryItemStatus, options: CallOptions) =>
  async (cursor: string): Promise<Ids> => {
    const a = await listInventoryItems({ status, cursor, limit: 200 }, options);
    return { ids: a.inventoryItemIds, next: a.nextCursor };
  };
const itemsIn = (status: InventoryItemStatus, options: CallOptions) =>
  all(listItems(status, options), async (inventoryItemIds) => (await getInventoryItems({ inventoryItemIds }, options)).inventoryItems);

/** A halt suspends the contracts that buy, and no contract that sells. */
async function sellingContracts(options: CallOptions): Promise<Target[]> {
  const found = await all(
    async (cursor) => {
      const a = await listContracts({ type: ContractType.SELLING, status: ContractStatus.ACTIVE, cursor, limit: 200 }, options);
      return { ids: a.contractIds, next: a.nextCursor };
    },
    async (contractIds) => (await getContracts({ contractIds }, options)).contracts,
  );
  return found.map((c) => ({ part: "contracts", id: c.id!, name: c.name ?? "Contract", href: `/contracts/${show(c.id)}` }));
}
const KINDS: Partial<Record<IntentKind, string>> = {
  [IntentKind.BUY]: "Buy",
  [IntentKind.LIST]: "Put on sale",
  [IntentKind.REPRICE]: "Change a price",
  [IntentKind.DELIST]: "Delist",
};
/** Whether a person asked for it, so that no contract that is paused withdraws it. */
const isOwn = (i: Intent): boolean => !i.contractId?.length;
async function openIntents(options: CallOptions): Promise<Target[]> {
  const any = IntentKind.UNSPECIFIED;
  const found = [...(await intentsIn(IntentStatus.PROPOSED, any, options)), ...(await intentsIn(IntentStatus.APPROVED, any, options))];
  return found
    .filter((i) => i.kind !== IntentKind.DELIST || !isOwn(i))
    .map((i) => ({
      part: "intents",
      id: i.id!,
      name: [KINDS[i.kind ?? 0] ?? "Proposal", i.listing?.marketHashName].filter(Boolean).join(": "),
      href: `/approvals/${show(i.id)}`,
    }));
}
async function unsentPurchases(options: CallOptions): Promise<Target[]> {
  return (await purchasesIn(PurchaseStatus.PENDING, options)).map((p) => ({
    part: "purchases",
    id: p.id!,
    name: p.marketHashName ?? "Purchase",
    href: `/purchases/${show(p.id)}`,
  }));
}
async function unsentOffers(options: CallOptions): Promise<Target[]> {
  const drafts = await all(
    async (cursor) => {
      const a = await listTradeOffers({ status: TradeOfferStatus.DRAFT, cursor, limit: 200 }, options);
      return { ids: a.tradeOfferIds, next: a.nextCursor };
    },
    async (tradeOfferIds) => (await getTradeOffers({ tradeOfferIds }, options)).tradeOffers,
  );
  return drafts
    .filter((o) => o.request === TradeOfferRequest.SEND)
    .map((o) => ({ part: "offers", id: o.id!, name: `Trade offer of ${o.accountName} to ${o.partner}`, href: `/offers/${show(o.id)}` }));
}
/**
 * What is on sale, without what is to be delisted already: a second request would be refused. And what comes on sale, which is asked for
 * first: an item that is listed in between is found on sale.
 */
async function itemsOnSale(options: CallOptions): Promise<Pick<Plan, "targets" | "coming" | "leaving">> {
  const asked = async (status: IntentStatus, kind: IntentKind): Promise<Intent[]> =>
    may(listIntents) ? intentsIn(status, kind, options) : [];
  const itemOf = (i: Intent) => show(i.item?.inventoryItemId);
  const delisting = [
    ...(await asked(IntentStatus.APPROVED, IntentKind.DELIST)).filter(isOwn),
    ...(await asked(IntentStatus.EXECUTING, IntentKind.DELIST)),
  ];
  const leaving = new Set(delisting.map(itemOf));
  const coming = new Set((await asked(IntentStatus.EXECUTING, IntentKind.LIST)).map(itemOf));
  for (const id of await all(listItems(InventoryItemStatus.LISTING, options), async (ids) => ids)) coming.add(show(id));
  const found = await itemsIn(InventoryItemStatus.LISTED, options);
  for (const i of found) coming.delete(show(i.id));
  const targets = found
    .filter((i) => !leaving.has(show(i.id)))
    .map((i): Target => ({ part: "items", id: i.id!, name: i.marketHashName ?? "Item", href: `/items/${show(i.id)}` }));
  return { targets, coming: coming.size, leaving: found.length - targets.length };
}

const SENT = [PurchaseStatus.SUBMITTED, PurchaseStatus.UNCERTAIN, PurchaseStatus.PAID, PurchaseStatus.OFFERED, PurchaseStatus.TRADE_HELD];
const BOUND = [InventoryItemStatus.RESERVED, InventoryItemStatus.DELIVERING, InventoryItemStatus.HELD];
type Counted = { counts: { status?: number | undefined; count?: number | undefined }[] };
const sum = (of: Counted, statuses: readonly number[]): number =>
  of.counts.reduce((n, c) => n + (statuses.includes(c.status ?? 0) ? (c.count ?? 0) : 0), 0);
const HALT: Target = { part: "halt", id: new Uint8Array(), name: "Halt trading", href: "/" };

/** What can be stopped now, and what cannot. */
export async function planOf(halted: boolean, signal?: AbortSignal): Promise<Plan> {
  const options: CallOptions = { signal };
  const allowed = {
    contracts: may(pauseContract) && may(listContracts),
    intents: may(cancelIntent) && may(listIntents),
    purchases: may(cancelPurchase) && may(listPurchases),
    offers: may(cancelTradeOffer) && may(listTradeOffers),
    items: may(delistItem) && may(listInventoryItems),
  };
  const [contracts, intents, purchases, offers] = await Promise.all([
    allowed.contracts ? sellingContracts(options) : [],
    allowed.intents ? openIntents(options) : [],
    allowed.purchases ? unsentPurchases(options) : [],
    allowed.offers ? unsentOffers(options) : [],
  ]);
  const items = allowed.items ? await itemsOnSale(options) : { targets: [], coming: 0, leaving: 0 };
  return {
    targets: [...(halted ? [] : [HALT]), ...contracts, ...intents, ...purchases, ...offers, ...items.targets],
    sent: may(countPurchases) ? sum(await countPurchases({}, options), SENT) : 0,
    bound: may(countInventoryItems) ? sum(await countInventoryItems({}, options), BOUND) : 0,
    coming: items.coming,
    leaving: items.leaving,
    refused: PARTS.filter((part) => part !== "halt" && !allowed[part]),
  };
}

function send(t: Target, reason: string, key: string): Promise<unknown> {
  switch (t.part) {
    case "halt":
      return setTradingHalt({ halted: true, reason }, { key });
    case "contracts":
      return pauseContract({ contractId: t.id, reason }, { key });
    case "intents":
      return cancelIntent({ intentId: t.id, reason }, { key });
    case "purchases":
      return cancelPurchase({ purchaseId: t.id, reason }, { key });
    case "offers":
      return cancelTradeOffer({ tradeOfferId: t.id }, { key });
    case "items":
      return delistItem({ inventoryItemId: t.id }, { key });
  }
}
const WITHOUT_EFFECT = [IntentStatus.FAILED, IntentStatus.DENIED, IntentStatus.REJECTED, IntentStatus.EXPIRED, IntentStatus.CANCELLED];
/** Whether it was stopped by other means: the halt, a paused contract, the engine, or another person. */
async function isStopped({ part, id }: Target): Promise<boolean> {
  switch (part) {
    case "halt":
      return false;
    case "contracts":
      return (await getContracts({ contractIds: [id] })).contracts.every((c) => c.status !== ContractStatus.ACTIVE);
    case "intents":
      return (await getIntents({ intentIds: [id] })).intents.every((i) => WITHOUT_EFFECT.includes(i.status ?? 0));
    case "purchases":
      return (await getPurchases({ purchaseIds: [id] })).purchases.every((p) => p.status === PurchaseStatus.CANCELLED);
    case "offers":
      return (await getTradeOffers({ tradeOfferIds: [id] })).tradeOffers.every((o) => o.status === TradeOfferStatus.CANCELLED);
    case "items":
      return (await getInventoryItems({ inventoryItemIds: [id] })).inventoryItems.every(
        (i) => i.status === InventoryItemStatus.IN_INVENTORY,
      );
  }
}
/** Stops one. One that was stopped by other means counts as done. */
export async function stop(t: Target, reason: string, key: string): Promise<void> {
  try {
    await send(t, reason, key);
  } catch (error) {
    if (reasonOf(error) !== "ILLEGAL_STEP" || !(await isStopped(t))) throw error;
  }
}
