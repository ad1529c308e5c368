import { money, percent } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import type { Known } from "../../core/subject-names.ts";
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
/** What the item is called that would be bought, sold or moved. `names` are those of items of ours; without its name it is what is to be done. */
export const nameOf = (i: Intent, names?: ReadonlyMap<string, Known>): string =>
  i.listing?.marketHashName || names?.get(show(i.item?.inventoryItemId))?.name || KINDS[i.kind ?? 0];
/** What is to be done, to which item, for how much and to which account. */
export const whatOf = (i: Intent, name: string): string => {
  const kind = KINDS[i.kind ?? 0];
  const price = priceOf(i);
  const rest = `${price === undefined ? "" : ` for ${money(price)}`}${i.item?.toAccountName ? `, to ${i.item.toAccountName}` : ""}`;
  return `${kind}${name === kind ? "" : `: ${name}`}${rest}`;
};
/** How far below the value the price is, in basis points. */
export const discount = (i: Intent): bigint | undefined => {
  const price = priceOf(i),
    value = i.fairValueCents;
  return price !== undefined && value !== undefined && value > 0n ? ((value - price) * 10_000n) / value : undefined;
};
/** The price against the value, in words. */
export const ofValue = (i: Intent): string => {
  const below = discount(i);
  if (below === undefined) return "No value is known";
  return below < 0n ? `${percent(-below)} above its value` : `${percent(below)} below its value`;
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
