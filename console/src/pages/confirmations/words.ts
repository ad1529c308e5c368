import { ConfirmationKind as K, ConfirmationStatus as S, type Confirmation } from "../../gen/trading/v1/confirmation_pb.ts";

/** The calls whose answers are old after a confirmation was answered. */
export const CONFIRMATIONS = ["ListConfirmations", "CountConfirmations", "GetConfirmation", "GetConfirmations", "ListTransitions"];
const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "Confirmation",
  [K.TRADE_OFFER]: "Trade offer",
  [K.MARKET_LISTING]: "Listing at the platform's market",
  [K.API_KEY]: "API key of the platform",
  [K.PHONE]: "Phone number",
  [K.RECOVERY]: "Recovery of the account",
  [K.FAMILY]: "Family",
  [K.OTHER]: "Another kind",
};
export const kindOf = (c: Confirmation): string => KINDS[c.kind ?? K.UNSPECIFIED];
/** What the text for people says, on one line. */
export const saidOf = (c: Confirmation): string => [c.headline, ...c.summary].filter(Boolean).join(". ");
/** What a status means. */
export const MEANS: Record<S, string> = {
  [S.UNSPECIFIED]: "",
  [S.SEEN]: "The platform shows it. The engine has not allowed it.",
  [S.MATCHED]: "Every check holds. The engine allows it in one of its next passes.",
  [S.ALLOWING]: "It is being allowed. The offer shows what came of it.",
  [S.ALLOWED]: "It was allowed.",
  [S.DENYING]: "It is being denied.",
  [S.DENIED]: "It was denied.",
  [S.VANISHED]: "The platform shows it no longer, and its offer has ended.",
  [S.UNCERTAIN]: "The answer may have counted. The engine reads the offer again.",
  [S.STRANGE]: "It is not of the engine's doing. You decide.",
};
const CHECKS: Record<string, string> = {
  HALT: "Nothing is halted",
  SESSION: "Our own session read the list lately",
  KIND: "It is about a trade offer",
  CREATOR: "The offer was drafted here",
  STATUS: "The offer waits for it",
  PARTNER: "The partner is that of the draft",
  GIVES: "It gives the items of the draft",
  RECEIVES: "It receives the items of the draft",
  INTENT: "The sale or the request is open",
  ITEM: "The items are held for this offer",
  ANNOUNCED: "The marketplace expects the offer",
  SUMMARY: "The text does not contradict",
  BUDGET: "It is within the account's limits",
};
export const checkName = (code: string | undefined): string => CHECKS[code ?? ""] ?? code ?? "";

/** Whether allowing it would change who controls the account: that is done in the platform's own app, never here. */
export const changesAccount = (c: Confirmation): boolean => [K.API_KEY, K.PHONE, K.RECOVERY, K.FAMILY].includes(c.kind ?? K.UNSPECIFIED);
export const canDeny = (c: Confirmation): boolean => [S.SEEN, S.MATCHED, S.STRANGE].includes(c.status ?? S.UNSPECIFIED);
export const canApprove = (c: Confirmation): boolean => canDeny(c) && !changesAccount(c);
