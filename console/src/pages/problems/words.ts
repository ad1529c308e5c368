import { moment, money, words } from "../../core/format.ts";
import { RemediationAction as A, RemediationKind as K, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";

/** What happened, what it costs, and what to do: in the words of a person who sees it for the first time. */
const KINDS: Partial<Record<K, [name: string, what: string, cost: string, next: string]>> = {
  [K.OUTCOME_UNKNOWN]: [
    "Outcome of a purchase unknown",
    "The marketplace gave no definite answer to an order.",
    "The money stays reserved until it is known, and is not spent twice.",
    "Look the order up at the marketplace. Reconcile asks it again; release only if the order surely does not exist.",
  ],
  [K.PAID_NOT_DELIVERED]: [
    "Paid, not delivered",
    "The purchase is paid for, and the item is late.",
    "Its price, until the item or the money comes.",
    "Reconcile asks the marketplace and the platform again. If the money came back, record the refund.",
  ],
  [K.LATE_DELIVERY]: [
    "Delivered after the end",
    "An item came in for a purchase that had failed, was refunded or written off.",
    "An item is in hand whose purchase counts as failed, refunded or lost.",
    "Compare the ledger with the marketplace, then reconcile.",
  ],
  [K.OVERPAID]: [
    "More charged than allowed",
    "The marketplace charged more than the purchase's maximum.",
    "The difference, unless the marketplace returns it.",
    "Claim the difference from the marketplace, then dismiss this with what came of it.",
  ],
  [K.DUPLICATE_SUSPECT]: [
    "Maybe bought twice",
    "An order appeared for a purchase that was proven absent. The contract was suspended.",
    "Maybe the price of one more item than was wanted. The contract buys nothing in the meantime.",
    "Compare the orders at the marketplace before you resume the contract.",
  ],
  [K.ORPHAN_ITEM]: [
    "Item without a record",
    "An inventory shows an item that nothing explains and that no record names.",
    "It is not sold, and counts in no value, as long as no record has it.",
    "Is it one that is missing, under a new asset id? Match the change to it. If it needs no record, ignore the change with a reason.",
  ],
  [K.MISSING_ITEM]: [
    "Item is missing",
    "Two readings of the whole inventory do not show the item.",
    "What was paid for the item, if it is not found again.",
    "Look for its new asset id in the platform's history and append it; write it off only if it is surely lost.",
  ],
  [K.ASSET_ID_MISMATCH]: [
    "Another asset id than recorded",
    "What was seen has another asset id than the item's record.",
    "With a wrong id the item cannot be delivered to a buyer.",
    "Check the trade, then append the id that is right.",
  ],
  [K.CHAIN_INVALID]: [
    "Asset id chain is broken",
    "The chain of the item's asset ids breaks a law.",
    "With a wrong id the item cannot be delivered to a buyer.",
    "Look at the step that the evidence names, then append what is missing.",
  ],
  [K.TRADE_REVERSED]: [
    "Trade was reversed",
    "The platform reversed the trade that brought the item.",
    "The item, and its price too unless the marketplace refunds it.",
    "If the marketplace returned the money, record the refund; else reconcile.",
  ],
  [K.CONFIRMATION_STUCK]: [
    "Confirmation is stuck",
    "The mobile confirmation of an offer did not appear within 10 min.",
    "Time only: a buyer or a seller waits longer.",
    "The service cancels the offer and sends it again. Nothing to do, unless it comes back.",
  ],
  [K.SESSION_FAILED]: [
    "Account is signed out",
    "The platform rejects the account's session, or has banned it.",
    "Nothing is bought for it and nothing is delivered from it. Its items stay where they are.",
    "Replace its secrets if they changed, and start a session on the account's page. If another program signs it in, sign it in there. This ends once it works.",
  ],
  [K.BALANCE_MISMATCH]: [
    "Balance differs from the ledger",
    "For 30 min the marketplace has shown another balance than the ledger.",
    "The difference between the two, until it is explained.",
    "Was money paid in or out by hand? Adjust the pool's funds, or dismiss this: the balance shown becomes the new base.",
  ],
  [K.FEE_MISMATCH]: [
    "Fee differs",
    "The fee that was booked is not the one that was calculated.",
    "The difference between the two fees.",
    "Check the fees in the provider's settings.",
  ],
  [K.PRICE_SOURCE_STALE]: [
    "Prices are stale",
    "Too few sources report prices, so the contract is suspended.",
    "It buys nothing until then. What it bought goes on.",
    "It resumes by itself once they report. Check the sources under Providers.",
  ],
  [K.PROVIDER_DOWN]: [
    "Provider does not answer",
    "A marketplace or a price source has not answered for 5 min, or it or a game platform refuses this server.",
    "At a marketplace nothing is bought and no price is changed; what is on sale stays on sale. Without a price source values are less sure.",
    "See its state, and whether it says that it is down. The service asks again by itself, and this ends once it answers. If it lasts, disable it.",
  ],
  [K.BREAKER_OPEN]: [
    "Contract stopped itself",
    "Ten purchases failed in a row, or the loss limit of the day was reached.",
    "It buys nothing until a person resumes it. What it bought goes on.",
    "Find the cause in its purchases. Then resume it, with another limit if this one is too small.",
  ],
  [K.LISTING_MISMATCH]: [
    "Listing differs",
    "What is on sale differs from what is recorded, or what was sold is not delivered.",
    "Maybe it is sold at a price that was not wanted, or not at all.",
    "List it again, or check the sale at the marketplace. If the platform would hold the delivery, dismiss this to have it sent all the same.",
  ],
  [K.TRAITS_DIFFER]: [
    "Item differs from its listing",
    "The item that came has other traits than the listing showed.",
    "Maybe the item is worth less than what was paid.",
    "Claim it from the marketplace, then dismiss this with what came of it.",
  ],
  [K.STRANGE_OFFER]: [
    "Trade offer from elsewhere",
    "A trade offer gives items of ours, and was not sent from here.",
    "The items, if its recipient accepts it. The engine cancels it unless the account keeps such offers, and never confirms it.",
    "Change the account's password at the platform, revoke its sessions and its API key, and replace its secrets. If another program sent it on purpose, dismiss this.",
  ],
  [K.UNEXPECTED_CONFIRMATION]: [
    "Unexpected confirmation",
    "A mobile confirmation waits that the engine did not cause.",
    "The items of the account, or the account itself, if it is allowed. Nothing is allowed by itself, and one that would change the account stops what it gives.",
    "Open the confirmation. Deny it unless you know who caused it; then change the account's password at the platform and revoke its sessions and its API key.",
  ],
  [K.ACKNOWLEDGE_TRADES]: [
    "Notice not accepted",
    "No one has accepted the platform's notice that trades can be reversed.",
    "The account neither buys nor sells.",
    "Open the account, read the notice and accept it.",
  ],
  [K.TOKEN_EXPIRING]: [
    "Token of an account ends soon",
    "The token by which a trading account stays signed in ends within 14 days, and is not renewed yet. In the last 3 days this is critical.",
    "At its end the account is signed out. Nothing is bought for it and nothing is delivered from it then.",
    "Renew the refresh token now on the account's page, or end its session there and start a new one. The engine renews the token by itself once a login name and a password are stored.",
  ],
  [K.GIVING_LIMIT_REACHED]: [
    "Account reached a giving limit",
    "A trading account would give more within an hour or a day than its limits allow, or an item whose value is not known.",
    "Nothing is lost: the offer is not made, or its confirmation waits. A sale is cancelled at its deadline.",
    "If you caused it, wait, or raise the limits on the account's page. A sale that exceeds a limit by itself waits until you approve its confirmation. If you did not cause it, let the account give nothing, and change its password at the platform. This ends once nothing waits.",
  ],
  [K.NOT_SERVED]: [
    "Contract is not served",
    "No running engine serves a marketplace of the contract.",
    "It neither buys nor sells.",
    "Start an engine with that marketplace, or check its settings.",
  ],
};
export const kindName = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[0] ?? words(K[k ?? 0]);
/** The kinds by name, for a filter. */
export const KIND_CHOICES: readonly (readonly [string, string])[] = Object.values(K)
  .filter((k): k is K => typeof k === "number" && k !== K.UNSPECIFIED)
  .map((k) => [K[k], kindName(k)] as const)
  .sort((a, b) => a[1].localeCompare(b[1]));
export const kindWhat = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[1] ?? "";
/** What it costs as long as it lasts. */
export const kindCost = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[2] ?? "";
export const kindNext = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[3] ?? "";

/** Those that the service ends by itself once the cause is over: nothing has to be dismissed. */
const ENDS: readonly K[] = [
  K.SESSION_FAILED,
  K.PRICE_SOURCE_STALE,
  K.PROVIDER_DOWN,
  K.BREAKER_OPEN,
  K.NOT_SERVED,
  K.CONFIRMATION_STUCK,
  K.STRANGE_OFFER,
  K.UNEXPECTED_CONFIRMATION,
  K.BALANCE_MISMATCH,
  K.ORPHAN_ITEM,
  K.ACKNOWLEDGE_TRADES,
  K.TOKEN_EXPIRING,
  K.GIVING_LIMIT_REACHED,
];
export const endsByItself = (k: K | undefined): boolean => ENDS.includes(k ?? K.UNSPECIFIED);

/** A contract stops itself for one of two reasons; its evidence has a limit if it is the loss of a day. */
const isLoss = (r: Remediation): boolean => r.kind === K.BREAKER_OPEN && /^\d+$/.test(r.evidence?.expected ?? "");
export const problemName = (r: Remediation): string => (isLoss(r) ? "Loss limit of the day reached" : kindName(r.kind));
export const problemWhat = (r: Remediation): string =>
  isLoss(r)
    ? "The contract lost as much on a day as it may lose, or more."
    : r.kind === K.BREAKER_OPEN
      ? "Ten of its purchases failed in a row."
      : kindWhat(r.kind);
const AMOUNTS: readonly K[] = [K.OVERPAID, K.FEE_MISMATCH, K.BALANCE_MISMATCH, K.BREAKER_OPEN, K.LISTING_MISMATCH, K.GIVING_LIMIT_REACHED];
const isAmount = (text: string | undefined) => /^-?\d+$/.test(text ?? "");
/** What was expected and what was found: amounts are written in cents, codes in capitals, and the end of a token as a time. */
export function evidenceOf(r: Remediation): { expected: string; found: string; shownBy: string } {
  const { expected = "", found = "", shownBy = "" } = r.evidence ?? {};
  const both = AMOUNTS.includes(r.kind ?? K.UNSPECIFIED) && isAmount(expected) && isAmount(found);
  const isTime = r.kind === K.TOKEN_EXPIRING && !Number.isNaN(Date.parse(found));
  const text = (t: string) => (both ? money(BigInt(t)) : /^[A-Z]+(_[A-Z]+)+$/.test(t) ? words(t) : t);
  return { expected: text(expected), found: isTime ? `ends ${moment(Date.parse(found))}` : text(found), shownBy };
}

export const ACTIONS: Partial<Record<A, [label: string, what: string]>> = {
  [A.RECONCILE]: ["Reconcile", "Asks the marketplace and the platform again, now."],
  [A.APPEND_LINK]: ["Append an asset id", "Adds a step to the item's chain, with what shows it."],
  [A.RELEASE_RESERVATION]: [
    "Release the reservation",
    "Gives the reserved money back to the pool. Only if the order surely does not exist: otherwise the item may be bought twice.",
  ],
  [A.RECORD_REFUND]: ["Record a refund", "Books money that came back. It is booked once and cannot be undone."],
  [A.WRITE_OFF]: ["Write off", "Books the cost as lost. A written-off item is no longer searched for."],
  [A.RELIST]: ["List again", "Submits the price again, or lists the item at the marketplace."],
};
