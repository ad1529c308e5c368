import {
  TradeOfferRequest as R,
  TradeOfferStrangeness as W,
  TradeOfferStatus as S,
  TradeOfferDirection as D,
  type TradeOffer,
} from "../../gen/trading/v1/trade_offer_pb.ts";
import type { Spec } from "../../ui/field.tsx";

/** Sends an offer that the platform would hold, too. */
export const HOLD: Spec = {
  name: "hold",
  label: "Even if the platform holds the items",
  kind: "check",
  hint: "Otherwise nothing is sent or accepted that would be held, and the offer says for how long.",
};
/** The calls whose answers are old once something was asked for. */
export const OFFERS = ["ListTradeOffers", "GetTradeOffers", "GetTradeOffer", "CountTradeOffers"];
const DOING: Partial<Record<R, string>> = {
  [R.SEND]: "The engine is to send this offer.",
  [R.ACCEPT]: "The engine is to accept this offer.",
  [R.DECLINE]: "The engine is to decline this offer.",
  [R.CANCEL]: "The engine is to cancel this offer.",
};
const STRANGE: Partial<Record<W, string>> = {
  [W.NOT_SENT_HERE]: "This offer gives items and was not sent from here. The session of the account may be stolen.",
  [W.CONTENT_DIFFERS]: "The platform showed other items than were asked for. Nothing was confirmed.",
};
/** What there is to say about an offer besides its status. */
export const notesOf = (o: TradeOffer): string[] =>
  [
    STRANGE[o.strangeness ?? W.UNSPECIFIED],
    DOING[o.request ?? R.UNSPECIFIED],
    o.requestFailure ? `The last request was not carried out: ${o.requestFailure}.` : undefined,
  ].filter((note) => note !== undefined);
const isFree = (o: TradeOffer) => !o.purchaseId?.length && !o.inventoryItemId?.length;
const isIdle = (o: TradeOffer) => (o.request ?? R.UNSPECIFIED) === R.UNSPECIFIED;
/** Whether a person may answer it: another account sent it, and it is for no purchase. */
export const canAnswer = (o: TradeOffer) => isFree(o) && isIdle(o) && o.direction === D.RECEIVED && o.status === S.ACTIVE;
/** Whether a person may cancel it. */
export const canCancel = (o: TradeOffer) =>
  isFree(o) &&
  (isIdle(o) || o.request === R.SEND) &&
  o.direction === D.SENT &&
  [S.DRAFT, S.SEND_UNCERTAIN, S.NEEDS_CONFIRMATION, S.ACTIVE].includes(o.status ?? S.UNSPECIFIED);
/** The items that are written one a line, as ASSET or GAME/CONTEXT/ASSET. */
export const assetsOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [game, context, asset] = line.includes("/") ? line.split("/") : ["730", "2", line];
      return { appId: Number(game), contextId: BigInt(context ?? "2"), assetId: asset ?? "" };
    });
/** What is wrong with such lines. */
export const wrongAssets = (text: string): string | undefined =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .every((line) => /^(\d{1,9}\/\d{1,9}\/)?[1-9]\d{0,19}$/.test(line))
    ? undefined
    : "Write one asset id a line, such as 27348562871 or 730/2/27348562871.";
