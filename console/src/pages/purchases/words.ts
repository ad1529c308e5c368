import { PurchaseFailureCode as F, PurchaseStatus as P } from "../../gen/contracts/v1/purchase_pb.ts";

/** What a status means for the person who has the money in it. */
export const MEANS: Record<P, string> = {
  [P.UNSPECIFIED]: "",
  [P.PENDING]: "The money is reserved; nothing was sent yet.",
  [P.SUBMITTED]: "The order was sent; its answer is awaited.",
  [P.UNCERTAIN]: "The marketplace gave no definite answer. The money stays reserved until it is known.",
  [P.PAID]: "The marketplace says bought. The seller has to send the item.",
  [P.OFFERED]: "The seller's trade offer was seen.",
  [P.TRADE_HELD]: "The platform holds the trade for some days.",
  [P.TRADED]: "The item is ours. The trade can still be reversed.",
  [P.SETTLED]: "The item is ours, and the trade can no longer be reversed.",
  [P.FAILED]: "Nothing was bought, and the money is free again.",
  [P.CANCELLED]: "It was cancelled before it was sent.",
  [P.REFUND_PENDING]: "The item does not come; the money is owed to us.",
  [P.REFUNDED]: "The money came back.",
  [P.REVERTED]: "The trade was reversed after the item had come.",
  [P.WRITTEN_OFF]: "The money is accepted as lost.",
};
export const FAILURES: Record<F, string> = {
  [F.UNSPECIFIED]: "",
  [F.SOLD_ALREADY]: "Another buyer was faster",
  [F.PRICE_CHANGED]: "The price had changed",
  [F.BALANCE_TOO_LOW]: "The balance was too low",
  [F.ACCOUNT_BLOCKED]: "The account may not buy",
  [F.NOT_PLACED]: "The order was never placed",
  [F.SELLER_LATE]: "The seller did not deliver in time",
  [F.CANCELLED_BY_MARKETPLACE]: "The marketplace cancelled it",
  [F.OFFER_ENDED]: "The trade offer ended",
  [F.ESCROW_ROLLED_BACK]: "The held trade was returned",
  [F.OTHER]: "Another cause",
};
/** Whether nothing more follows. */
export const over = (s: P | undefined): boolean =>
  [P.SETTLED, P.FAILED, P.CANCELLED, P.REFUNDED, P.REVERTED, P.WRITTEN_OFF].includes(s ?? 0);
