import { InventoryItemLockKind as L, InventoryItemStatus as I } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { RemediationKind, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import type { IconName } from "../../ui/icon.tsx";

export const MEANS: Record<I, string> = {
  [I.UNSPECIFIED]: "",
  [I.IN_INVENTORY]: "It is ours and not on sale.",
  [I.LISTING]: "It is being put on sale.",
  [I.LISTED]: "It is on sale.",
  [I.RESERVED]: "A buyer has it reserved.",
  [I.DELIVERING]: "A buyer has paid; it is being delivered.",
  [I.HELD]: "It is delivered; the platform holds the trade.",
  [I.SOLD]: "It is delivered; the sale can still be reversed.",
  [I.SETTLED]: "It is sold, and the sale is final.",
  [I.MISSING]: "It is not where it should be.",
  [I.REVERTED]: "Its purchase was reversed.",
  [I.WRITTEN_OFF]: "It is accepted as lost.",
};
/** It is ours, and no buyer has paid for it. */
export const OPEN: readonly I[] = [I.IN_INVENTORY, I.LISTING, I.LISTED, I.RESERVED];
/** Where the item is lost only together with its account. */
export const WITH_ACCOUNT: readonly I[] = [I.IN_INVENTORY, I.DELIVERING, I.HELD];
/**
 * Whether the item is lost, so that it can be written off: it is missing, its buyer has it and the money too, or its account is banned.
 * `problems` are those of the item that are not solved.
 */
export const isLost = (status: I | undefined, problems: readonly Remediation[], isBanned: boolean): boolean =>
  status === I.MISSING ||
  (status === I.SOLD && problems.some((r) => r.kind === RemediationKind.MISSING_ITEM)) ||
  (isBanned && WITH_ACCOUNT.includes(status ?? I.UNSPECIFIED));
export const LOCKS: Record<L, string> = {
  [L.UNSPECIFIED]: "",
  [L.TRADE_PROTECTION]: "Trade protection",
  [L.TRADE_HOLD]: "Trade hold",
  [L.MARKET_RESTRICTION]: "Market restriction",
};
/** What showed an asset id, as a sentence and an outline. */
export const SOURCES: Record<string, [sentence: string, icon: IconName]> = {
  listing: ["Seen on sale", "listing"],
  purchase_trade: ["Came by the purchase's trade", "offers"],
  inventory: ["Seen in the inventory", "inventory"],
  transfer: ["Moved between accounts", "offers"],
  sale_listing: ["Put on sale", "listing"],
  sale_trade: ["Given to the buyer", "offers"],
  sale_return: ["Came back from the sale", "return"],
  purchase_reversal: ["Went back to the seller", "return"],
  import: ["Imported", "down"],
  sale_elsewhere: ["Sold elsewhere, as an import says", "listing"],
};
export const SOURCE_WORDS: Record<string, string> = {
  listing: "listing",
  purchase_trade: "trade",
  inventory: "reading",
  transfer: "trade",
  sale_listing: "listing",
  sale_trade: "trade",
  sale_return: "trade",
  purchase_reversal: "trade",
  import: "import",
  sale_elsewhere: "import",
};
