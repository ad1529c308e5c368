import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";
import { show } from "./ids.ts";

const PATHS: Partial<Record<T, string>> = {
  [T.PURCHASE]: "/purchases/",
  [T.INVENTORY_ITEM]: "/items/",
  [T.CONTRACT]: "/contracts/",
  [T.REMEDIATION]: "/problems/",
  [T.INTENT]: "/approvals/",
  [T.ACCOUNT]: "/accounts/",
  [T.TRADE_OFFER]: "/offers/",
  [T.POOL]: "/pools/",
  [T.PROVIDER]: "/providers/",
  [T.IMPORT]: "/imports/",
  [T.INVENTORY_CHANGE]: "/changes/",
  [T.FRIEND]: "/friends/",
  [T.CONFIRMATION]: "/confirmations/",
  [T.ACCOUNT_SESSION]: "/sessions/",
  [T.RENEWAL]: "/renewals/",
};
export const NAMES: Record<T, string> = {
  [T.UNSPECIFIED]: "Record",
  [T.MEMBERSHIP]: "Member",
  [T.API_KEY]: "API key",
  [T.CONTRACT]: "Contract",
  [T.PURCHASE]: "Purchase",
  [T.INVENTORY_ITEM]: "Item",
  [T.POOL]: "Pool",
  [T.INTENT]: "Proposal",
  [T.ACCOUNT]: "Account",
  [T.REMEDIATION]: "Problem",
  [T.PROVIDER]: "Provider",
  [T.TRADE_OFFER]: "Trade offer",
  [T.IMPORT]: "Import",
  [T.INVENTORY_CHANGE]: "Inventory change",
  [T.FRIEND]: "Friend",
  [T.CHAT_MESSAGE]: "Chat message",
  [T.CONFIRMATION]: "Confirmation",
  [T.ACCOUNT_SESSION]: "Account session",
  [T.RENEWAL]: "Renewal",
};
/** The page of a record that another record speaks of. */
export const pathOf = (type: T | undefined, id: Uint8Array | undefined): string | undefined => {
  if (type === T.MEMBERSHIP) return "/members";
  if (type === T.API_KEY) return "/keys";
  const base = PATHS[type ?? T.UNSPECIFIED];
  return base && id?.length ? base + show(id) : undefined;
};
