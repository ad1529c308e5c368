import { plainly, when } from "../../core/format.ts";
import { InventoryChangeKind as K } from "../../gen/trading/v1/inventory_change_pb.ts";
import { SnapshotStatus as S, SnapshotTrigger as T, type Snapshot } from "../../gen/trading/v1/snapshot_pb.ts";

/** Why a snapshot was taken. */
export const TRIGGERS: Record<T, string> = {
  [T.UNSPECIFIED]: "Not known here",
  [T.SCHEDULE]: "By the schedule",
  [T.TRADE]: "After a trade",
  [T.PERSON]: "Asked for by a person",
};
export const triggerOf = (s: Snapshot): string => TRIGGERS[s.trigger ?? T.UNSPECIFIED];
export const isTaking = (s: Snapshot): boolean => s.status === S.TAKING;
/** Since when its items are as they are shown; of one that shows none, since when it is asked for. */
export const timeOf = (s: Snapshot) => s.takenAt ?? s.createdAt;
/** What a person has to know about a snapshot before they rely on it. */
export const MEANS: Record<S, string> = {
  [S.UNSPECIFIED]: "",
  [S.TAKING]: "The engine takes it in one of its next passes. This page shows it then.",
  [S.COMPLETE]: "The platform showed every item.",
  [S.PARTIAL]: "The platform showed a part of the inventory. An item that is not here may still be there, so nothing is compared with it.",
  [S.FAILED]: "The inventory could not be read, so there is nothing to see. The next one is taken by the schedule.",
};
export const failureOf = (s: Snapshot): string => plainly(s.failure).replace(/^./, (c) => c.toUpperCase());

/** The contexts of the platform, as far as they are known here. */
const CONTEXTS: Record<string, string> = { "2": "Inventory", "16": "Under trade protection" };
export const contextName = (id: bigint | undefined): string => CONTEXTS[String(id)] ?? `Context ${id ?? "–"}`;

/** The kinds of changes, as words of a list. */
export const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "Not known here",
  [K.APPEARED]: "Appeared",
  [K.DISAPPEARED]: "Disappeared",
  [K.ASSET_ID_CHANGED]: "Another asset id",
  [K.CONTEXT_CHANGED]: "Moved",
  [K.LOCK_CHANGED]: "Another lock",
};

/** What two snapshots showed of one item: an inventory change and a difference have the same fields. */
export interface Changed {
  kind?: K | undefined;
  assetId?: string | undefined;
  newAssetId?: string | undefined;
  contextId?: bigint | undefined;
  newContextId?: bigint | undefined;
  lockedUntil?: Parameters<typeof when>[0];
  newLockedUntil?: Parameters<typeof when>[0];
}
const lock = (at: Changed["lockedUntil"]): string => (at ? `locked until ${when(at)}` : "not locked");
/** What the earlier snapshot and the later one show of it; undefined for the one that does not show it. */
export function sidesOf(c: Changed): { before: string | undefined; after: string | undefined } {
  switch (c.kind) {
    case K.APPEARED:
      return { before: undefined, after: contextName(c.contextId) };
    case K.DISAPPEARED:
      return { before: contextName(c.contextId), after: undefined };
    case K.ASSET_ID_CHANGED:
      return { before: c.assetId, after: c.newAssetId };
    case K.CONTEXT_CHANGED:
      return { before: contextName(c.contextId), after: contextName(c.newContextId) };
    case K.LOCK_CHANGED:
      return { before: lock(c.lockedUntil), after: lock(c.newLockedUntil) };
    default:
      return { before: undefined, after: undefined };
  }
}
/** The same in one line of a list. */
export function lineOf(c: Changed): string {
  const { before, after } = sidesOf(c);
  if (before === undefined) return after === undefined ? "–" : `now: ${after}`;
  return after === undefined ? `was: ${before}` : `${before} → ${after}`;
}
/** What happened to the item, as a sentence. */
export function sentenceOf(c: Changed): string {
  const { before, after } = sidesOf(c);
  switch (c.kind) {
    case K.APPEARED:
      return "The later snapshot shows it, and the earlier one does not.";
    case K.DISAPPEARED:
      return "The earlier snapshot shows it, and the later one does not.";
    case K.ASSET_ID_CHANGED:
      return "The same item has another asset id.";
    case K.CONTEXT_CHANGED:
      return c.contextId === 16n && c.newContextId === 2n
        ? "Its trade protection is over, so it is in the ordinary inventory now."
        : `It was in “${before}”, and is in “${after}” now.`;
    case K.LOCK_CHANGED:
      return c.newLockedUntil ? "It can be traded from another time on." : "It is no longer locked.";
    default:
      return "";
  }
}
