import { RemediationAction as A, RemediationKind as K } from "../../gen/contracts/v1/remediation_pb.ts";
import { words } from "../../core/format.ts";

/** What happened, what it costs, and what to do: in the words of a person who sees it for the first time. */
const KINDS: Partial<Record<K, [name: string, what: string, next: string]>> = {
  [K.OUTCOME_UNKNOWN]: [
    "Outcome of a purchase unknown",
    "The marketplace gave no definite answer. The money stays reserved until it is known.",
    "Look the order up at the marketplace. Reconcile asks it again; release only if the order surely does not exist.",
  ],
  [K.PAID_NOT_DELIVERED]: [
    "Paid, not delivered",
    "The purchase is paid for, and the item is late.",
    "Reconcile asks the marketplace and the platform again. If the money came back, record the refund.",
  ],
  [K.LATE_DELIVERY]: [
    "Delivered after the end",
    "An item came in for a purchase that had failed, was refunded or written off.",
    "Compare the ledger with the marketplace, then reconcile.",
  ],
  [K.OVERPAID]: [
    "More charged than allowed",
    "The marketplace charged more than the purchase's maximum.",
    "Claim the difference from the marketplace, then dismiss this with what came of it.",
  ],
  [K.DUPLICATE_SUSPECT]: [
    "Maybe bought twice",
    "An order appeared for a purchase that was proven absent. The contract was suspended.",
    "Compare the orders at the marketplace before you resume the contract.",
  ],
  [K.MISSING_ITEM]: [
    "Item is missing",
    "Two readings of the whole inventory do not show the item.",
    "Look for its new asset id in the platform's history and append it; write it off only if it is surely lost.",
  ],
  [K.ASSET_ID_MISMATCH]: [
    "Another asset id than recorded",
    "What was seen has another asset id than the item's record.",
    "Check the trade, then append the id that is right.",
  ],
  [K.CHAIN_INVALID]: [
    "Asset id chain is broken",
    "The chain of the item's asset ids breaks a law.",
    "Look at the step that the evidence names, then append what is missing.",
  ],
  [K.TRADE_REVERSED]: [
    "Trade was reversed",
    "The trade that brought the item was taken back by the platform.",
    "If the marketplace returned the money, record the refund; else reconcile.",
  ],
  [K.CONFIRMATION_STUCK]: [
    "Confirmation is stuck",
    "The mobile confirmation of an offer did not appear within 10 min.",
    "The service cancels the offer and sends it again. Nothing to do, unless it comes back.",
  ],
  [K.SESSION_FAILED]: [
    "Account is signed out",
    "The platform rejects the account's session, or has banned it.",
    "Check the account's secrets, and enable it again.",
  ],
  [K.BALANCE_MISMATCH]: [
    "Balance differs from the ledger",
    "For 30 min the marketplace has shown another balance than the ledger.",
    "Was money paid in or out by hand? Adjust the pool's funds, or dismiss this: the balance shown becomes the new base.",
  ],
  [K.FEE_MISMATCH]: [
    "Fee differs",
    "The fee that was booked is not the one that was calculated.",
    "Check the fees in the provider's settings.",
  ],
  [K.PRICE_SOURCE_STALE]: [
    "Prices are stale",
    "Too few sources report prices, so the contract is suspended.",
    "It resumes by itself once they report. Check the sources under Providers.",
  ],
  [K.PROVIDER_DOWN]: [
    "Provider does not answer",
    "A marketplace or a price source has not answered for 5 min.",
    "Its state is under Providers. Nothing is lost: open purchases are followed once it answers.",
  ],
  [K.BREAKER_OPEN]: [
    "Contract stopped itself",
    "Ten purchases failed in a row, or the loss limit of the day was reached.",
    "Find the cause in the contract's purchases, then resume it.",
  ],
  [K.LISTING_MISMATCH]: [
    "Listing differs",
    "What is on sale differs from what is recorded.",
    "List it again, or check the sale at the marketplace.",
  ],
  [K.TRAITS_DIFFER]: [
    "Item differs from its listing",
    "The item that came has other traits than the listing showed.",
    "Claim it from the marketplace, then dismiss this with what came of it.",
  ],
  [K.NOT_SERVED]: [
    "Contract is not served",
    "No running engine serves a marketplace of the contract.",
    "Start an engine with that marketplace, or check its settings.",
  ],
};
export const kindName = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[0] ?? words(K[k ?? 0]);
export const kindWhat = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[1] ?? "";
export const kindNext = (k: K | undefined): string => KINDS[k ?? K.UNSPECIFIED]?.[2] ?? "";

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
