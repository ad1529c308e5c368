import { IntentKind as K, FollowUpOutcome as F, type FollowUp, type Intent } from "../../gen/contracts/v1/intent_pb.ts";

export const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "Action",
  [K.BUY]: "Buy",
  [K.LIST]: "Put on sale",
  [K.REPRICE]: "Change a price",
  [K.DELIST]: "Delist",
  [K.DELIVER]: "Deliver",
  [K.ACCEPT_OFFER]: "Accept an offer",
  [K.TRANSFER]: "Move to another account",
};
export const priceOf = (i: Intent): bigint | undefined => i.listing?.priceCents ?? i.item?.priceCents;
export const nameOf = (i: Intent): string => i.listing?.marketHashName || KINDS[i.kind ?? 0];
/** How far below the value the price is, in basis points. */
export const discount = (i: Intent): bigint | undefined => {
  const price = priceOf(i),
    value = i.fairValueCents;
  return price !== undefined && value !== undefined && value > 0n ? ((value - price) * 10_000n) / value : undefined;
};

/** Whether a listing could still have been bought ten minutes after the decision. */
export const OUTCOMES: Record<F, string> = {
  [F.UNSPECIFIED]: "Not looked at yet",
  [F.ON_SALE]: "Still on sale",
  [F.PRICE_RAISED]: "Price raised",
  [F.OFF_SALE]: "Sold or withdrawn",
  [F.NOT_SHOWN]: "Not shown",
};
export const outcomeOf = (f: FollowUp | undefined): string => OUTCOMES[f?.outcome ?? F.UNSPECIFIED];
