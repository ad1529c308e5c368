import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { setTradingHalt } from "../../gen/accounts/v1/workspace_calls.ts";
import { cancelIntent, delistItem, getIntents, listIntents } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentKind, IntentStatus, type Intent } from "../../gen/contracts/v1/intent_pb.ts";
import { getInventoryItems, listInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { cancelPurchase, getPurchases, listPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus } from "../../gen/contracts/v1/purchase_pb.ts";

export type Part = "halt" | "intents" | "purchases" | "items";
/** One thing that is stopped. */
export interface Target {
  part: Part;
  id: Uint8Array;
  name: string;
  href: string;
  version?: bigint | undefined;
}
export interface Plan {
  targets: Target[];
  /** Sent and not over: these are followed to their end. */
  sent: number;
  /** Being listed, reserved or in delivery to a buyer: these cannot be delisted. */
  bound: number;
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

const intentsIn = (status: IntentStatus, kind: IntentKind = IntentKind.UNSPECIFIED, options = {}) =>
  all<Intent>(
    async (cursor) => {
      const a = await listIntents({ status, kind, cursor, limit: 200 }, options);
      return { ids: a.intentIds, next: a.nextCursor };
    },
    async (intentIds) => (await getIntents({ intentIds }, options)).intents,
  );
const purchasesIn = (status: PurchaseStatus, options = {}) =>
  all(
    async (cursor) => {
      const a = await listPurchases({ status, cursor, limit: 200 }, options);
      return { ids: a.purchaseIds, next: a.nextCursor };
    },
    async (purchaseIds) => (await getPurchases({ purchaseIds }, options)).purchases,
  );
const itemsIn = (status: InventoryItemStatus, options = {}) =>
  all(
    async (cursor) => {
      const a = await listInventoryItems({ status, cursor, limit: 200 }, options);
      return { ids: a.inventoryItemIds, next: a.nextCursor };
    },
    async (inventoryItemIds) => (await getInventoryItems({ inventoryItemIds }, options)).inventoryItems,
  );

const KINDS: Partial<Record<IntentKind, string>> = {
  [IntentKind.BUY]: "Buy",
  [IntentKind.LIST]: "Put on sale",
  [IntentKind.REPRICE]: "Change a price",
};
async function openIntents(options: object): Promise<Target[]> {
  const found = [...(await intentsIn(IntentStatus.PROPOSED, 0, options)), ...(await intentsIn(IntentStatus.APPROVED, 0, options))];
  return found
    .filter((i) => i.kind !== IntentKind.DELIST)
    .map((i) => ({
      part: "intents",
      id: i.id!,
      name: [KINDS[i.kind ?? 0] ?? "Proposal", i.listing?.marketHashName].filter(Boolean).join(": "),
      href: `/approvals/${show(i.id)}`,
    }));
}
async function unsentPurchases(options: object): Promise<Target[]> {
  return (await purchasesIn(PurchaseStatus.PENDING, options)).map((p) => ({
    part: "purchases",
    id: p.id!,
    name: p.marketHashName ?? "Purchase",
    href: `/purchases/${show(p.id)}`,
  }));
}
/** What is on sale, without what was asked to be delisted before: a second request would be refused. */
async function listedItems(options: object): Promise<{ targets: Target[]; leaving: number }> {
  const asked = may(listIntents)
    ? [
        ...(await intentsIn(IntentStatus.APPROVED, IntentKind.DELIST, options)),
        ...(await intentsIn(IntentStatus.EXECUTING, IntentKind.DELIST, options)),
      ]
    : [];
  const leaving = new Set(asked.map((i) => show(i.item?.inventoryItemId)));
  const found = await itemsIn(InventoryItemStatus.LISTED, options);
  const targets = found
    .filter((i) => !leaving.has(show(i.id)))
    .map((i): Target => ({ part: "items", id: i.id!, name: i.marketHashName ?? "Item", href: `/items/${show(i.id)}` }));
  return { targets, leaving: found.length - targets.length };
}

const SENT = [PurchaseStatus.SUBMITTED, PurchaseStatus.UNCERTAIN, PurchaseStatus.PAID, PurchaseStatus.OFFERED, PurchaseStatus.TRADE_HELD];
const BOUND = [InventoryItemStatus.LISTING, InventoryItemStatus.RESERVED, InventoryItemStatus.DELIVERING, InventoryItemStatus.HELD];
type Counted = { counts: { status?: number | undefined; count?: number | undefined }[] };
export const sum = (of: Counted | undefined, statuses: readonly number[]): number =>
  of?.counts.reduce((n, c) => n + (statuses.includes(c.status ?? 0) ? (c.count ?? 0) : 0), 0) ?? 0;

/** What can be stopped now, and what cannot. */
export async function planOf(
  halted: boolean,
  counts: { purchases: () => Promise<Counted>; items: () => Promise<Counted> },
  signal: AbortSignal,
): Promise<Plan> {
  const options = { signal };
  const intents = may(cancelIntent) && may(listIntents);
  const purchases = may(cancelPurchase) && may(listPurchases);
  const items = may(delistItem) && may(listInventoryItems);
  const listed = items ? await listedItems(options) : { targets: [], leaving: 0 };
  return {
    targets: [
      ...(halted ? [] : [{ part: "halt", id: new Uint8Array(), name: "Halt trading", href: "/" } as const]),
      ...(intents ? await openIntents(options) : []),
      ...(purchases ? await unsentPurchases(options) : []),
      ...listed.targets,
    ],
    sent: sum(await counts.purchases(), SENT),
    bound: sum(await counts.items(), BOUND),
    leaving: listed.leaving,
    refused: [
      ...(intents ? [] : (["intents"] as const)),
      ...(purchases ? [] : (["purchases"] as const)),
      ...(items ? [] : (["items"] as const)),
    ],
  };
}

/** Stops one. */
export function stop(t: Target, reason: string, key: string): Promise<unknown> {
  switch (t.part) {
    case "halt":
      return setTradingHalt({ halted: true, reason }, { key });
    case "intents":
      return cancelIntent({ intentId: t.id, reason }, { key });
    case "purchases":
      return cancelPurchase({ purchaseId: t.id, reason }, { key });
    case "items":
      return delistItem({ inventoryItemId: t.id }, { key });
  }
}
