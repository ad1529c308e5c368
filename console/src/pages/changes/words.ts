import { InventoryChangeKind as K, InventoryChangeStatus as S, type InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";

/** The calls whose answers are old after a change was matched or ignored. */
export const CHANGES = [
  "ListInventoryChanges",
  "CountInventoryChanges",
  "GetInventoryChange",
  "ListTransitions",
  "GetInventoryItem",
  "ListInventoryItems",
  "CountInventoryItems",
  "ListRemediations",
  "CountRemediations",
];
export const KIND_ORDER = [K.APPEARED, K.DISAPPEARED, K.ASSET_ID_CHANGED, K.CONTEXT_CHANGED, K.LOCK_CHANGED];
export const STATUS_ORDER = [S.OPEN, S.EXPLAINED, S.MATCHED, S.IGNORED];
export const isOpen = (c: InventoryChange): boolean => c.status === S.OPEN;

/** The server's clause as a sentence: "a trade moved it". */
const sentence = (text: string | undefined): string =>
  text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}` : "";
/** Why a change needs no one, in words; of an open one that nothing explains it. */
export function explanationOf(c: InventoryChange): string {
  switch (c.status) {
    case S.EXPLAINED:
      return sentence(c.reason) || "The records explain it.";
    case S.MATCHED:
      return "A person named the item that it belongs to.";
    case S.IGNORED:
      return `A person ignored it${c.reason ? `: ${c.reason}` : "."}`;
    default:
      return "Nothing explains it yet.";
  }
}
/** What a person can do about an open change. */
export const NEXT: Record<K, string> = {
  [K.UNSPECIFIED]: "",
  [K.APPEARED]:
    "Is it an item of yours that is missing, or whose asset id the records do not have? Match the change to it. If it needs no record, such as a gift, ignore the change and say why. Within 10 minutes a trade may still explain it; after that it is a problem.",
  [K.DISAPPEARED]:
    "If a record has the item, the service looks for it and reports it as missing. Match the change to the record if you know which it is, or ignore the change and say where the item went.",
  [K.ASSET_ID_CHANGED]: "Match the change to the record of the item, or ignore it and say why.",
  [K.CONTEXT_CHANGED]: "Match the change to the record of the item, or ignore it and say why.",
  [K.LOCK_CHANGED]: "Match the change to the record of the item, or ignore it and say why.",
};
