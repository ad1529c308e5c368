import { getAccounts } from "../gen/trading/v1/account_calls.ts";
import { getAccountSessions } from "../gen/trading/v1/account_session_calls.ts";
import { getConfirmations } from "../gen/trading/v1/confirmation_calls.ts";
import { getFriends } from "../gen/trading/v1/friend_calls.ts";
import { getImports } from "../gen/trading/v1/import_calls.ts";
import { getInventoryChanges } from "../gen/trading/v1/inventory_change_calls.ts";
import { getRenewals } from "../gen/trading/v1/renewal_calls.ts";
import { show } from "./ids.ts";

type Ask = (ids: Uint8Array[], signal: AbortSignal) => Promise<(readonly [Uint8Array | undefined, string | undefined])[]>;
export const changeNames: Ask = async (inventoryChangeIds, signal) =>
  (await getInventoryChanges({ inventoryChangeIds }, { signal })).inventoryChanges.map((c) => [c.id, c.marketHashName]);
export const importNames: Ask = async (importIds, signal) =>
  (await getImports({ importIds }, { signal })).imports.map((i) => [i.id, i.name || "accounts"]);
export const friendNames: Ask = async (friendIds, signal) =>
  (await getFriends({ friendIds }, { signal })).friends.map((f) => [f.id, f.name || f.platformUserId]);
export const confirmationNames: Ask = async (confirmationIds, signal) =>
  (await getConfirmations({ confirmationIds }, { signal })).confirmations.map((c) => [c.id, c.headline || c.accountName]);

interface OfAccount {
  id?: Uint8Array | undefined;
  accountId?: Uint8Array | undefined;
}
/** Those that have no name of their own are called as their account. */
async function namesOfAccounts(records: readonly OfAccount[], signal: AbortSignal) {
  const accountIds = [...new Map(records.flatMap((r) => (r.accountId ? [[show(r.accountId), r.accountId] as const] : []))).values()];
  const { accounts } = accountIds.length ? await getAccounts({ accountIds }, { signal }) : { accounts: [] };
  const names = new Map(accounts.map((a) => [show(a.id), a.name]));
  return records.map((r) => [r.id, names.get(show(r.accountId))] as const);
}
export const sessionNames: Ask = async (accountSessionIds, signal) =>
  namesOfAccounts((await getAccountSessions({ accountSessionIds }, { signal })).accountSessions, signal);
export const renewalNames: Ask = async (renewalIds, signal) =>
  namesOfAccounts((await getRenewals({ renewalIds }, { signal })).renewals, signal);
