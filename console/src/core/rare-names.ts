import { getConfirmations } from "../gen/trading/v1/confirmation_calls.ts";
import { getFriends } from "../gen/trading/v1/friend_calls.ts";
import { getImports } from "../gen/trading/v1/import_calls.ts";
import { getInventoryChanges } from "../gen/trading/v1/inventory_change_calls.ts";

type Ask = (ids: Uint8Array[], signal: AbortSignal) => Promise<(readonly [Uint8Array | undefined, string | undefined])[]>;
export const changeNames: Ask = async (inventoryChangeIds, signal) =>
  (await getInventoryChanges({ inventoryChangeIds }, { signal })).inventoryChanges.map((c) => [c.id, c.marketHashName]);
export const importNames: Ask = async (importIds, signal) =>
  (await getImports({ importIds }, { signal })).imports.map((i) => [i.id, i.name || "accounts"]);
export const friendNames: Ask = async (friendIds, signal) =>
  (await getFriends({ friendIds }, { signal })).friends.map((f) => [f.id, f.name || f.platformUserId]);
export const confirmationNames: Ask = async (confirmationIds, signal) =>
  (await getConfirmations({ confirmationIds }, { signal })).confirmations.map((c) => [c.id, c.headline || c.accountName]);
