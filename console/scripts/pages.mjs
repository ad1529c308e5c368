// Every page of the console, for the scripts that visit them all. A route of shell/routes.tsx that is not here fails `npm test`.
import fs from "node:fs";

export const urlId = (base64) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const C = "contracts.v1.Contracts/";
const T = "trading.v1.Trading/";
const M = "markets.v1.Markets/";
const E = "events.v1.Events/";
const TAKEN = { status: "SNAPSHOT_STATUS_COMPLETE" };
/**
 * The name of a page, its address, and where an address has an id: where it is from (a field of the demo's facts, or a list and its field,
 * and which record of the list shows the most).
 */
export const PAGES = {
  overview: ["/"],
  events: ["/events"],
  approvals: ["/approvals"],
  approval: ["/approvals/:id", `${C}ListIntents`, "intentIds"],
  problems: ["/problems"],
  problem: ["/problems/:id", `${C}ListRemediations`, "remediationIds"],
  contracts: ["/contracts"],
  contract: ["/contracts/:id", "contractId"],
  "contract-versions": ["/contracts/:id?view=versions", "contractId"],
  "contract-replay": ["/contracts/:id?view=replay", "contractId"],
  "contract-history": ["/contracts/:id?view=history", "contractId"],
  "contract-edit": ["/contracts/:id/edit", "contractId"],
  "contract-new": ["/contracts/new"],
  filters: ["/filters"],
  filter: ["/filters/:id", `${C}ListFilterSets`, "filterSetIds"],
  "filter-new": ["/filters/new"],
  purchases: ["/purchases"],
  purchase: ["/purchases/:id", "purchaseId"],
  items: ["/items"],
  item: ["/items/:id", "inventoryItemId"],
  pools: ["/pools"],
  pool: ["/pools/:id", `${C}ListPools`, "poolIds"],
  profit: ["/profit"],
  "profit-by-account": ["/profit?group=5"],
  market: ["/market"],
  "market-listings": ["/market?view=listings"],
  "market-decisions": ["/market?view=decisions"],
  variant: [`/market?name=${encodeURIComponent("AK-47 | Redline (Field-Tested)")}`],
  "would-buys": ["/would-buys"],
  accounts: ["/accounts"],
  account: ["/accounts/:id", `${T}ListAccounts`, "accountIds"],
  "account-snapshots": ["/accounts/:id?view=snapshots", `${T}ListAccounts`, "accountIds"],
  snapshot: ["/snapshots/:id", `${T}ListSnapshots`, "snapshotIds", TAKEN],
  "snapshot-compare": ["/snapshots/:id?view=compare", `${T}ListSnapshots`, "snapshotIds", TAKEN],
  sessions: ["/sessions"],
  session: ["/sessions/:id", `${T}ListAccountSessions`, "accountSessionIds"],
  renewals: ["/renewals"],
  renewal: ["/renewals/:id", `${T}ListRenewals`, "renewalIds"],
  changes: ["/changes"],
  change: ["/changes/:id", `${T}ListInventoryChanges`, "inventoryChangeIds"],
  imports: ["/imports"],
  "import-new": ["/imports/new"],
  import: ["/imports/:id", `${T}ListImports`, "importIds"],
  "import-record": ["/imports/:id?view=record", `${T}ListImports`, "importIds"],
  friends: ["/friends"],
  friend: ["/friends/:id", `${T}ListFriends`, "friendIds"],
  chats: ["/chats"],
  chat: ["/chats/:id", `${T}ListConversations`, "conversationIds"],
  offers: ["/offers"],
  offer: ["/offers/:id", `${T}ListTradeOffers`, "tradeOfferIds"],
  confirmations: ["/confirmations"],
  confirmation: ["/confirmations/:id", `${T}ListConfirmations`, "confirmationIds"],
  providers: ["/providers"],
  provider: ["/providers/:id", `${M}ListProviders`, "providerIds"],
  webhooks: ["/webhooks"],
  webhook: ["/webhooks/:id", `${E}ListWebhookEndpoints`, "endpointIds"],
  alerts: ["/alerts"],
  "alerts-own": ["/alerts?whose=own"],
  alert: ["/alerts/:id", "alerts.v1.Alerts/ListAlertChannels", "channelIds"],
  members: ["/members"],
  keys: ["/keys"],
  audit: ["/audit"],
  usage: ["/usage"],
  invitations: ["/invitations"],
  linked: ["/linked"],
  settings: ["/settings"],
  "settings-security": ["/settings?view=security"],
  "settings-sessions": ["/settings?view=sessions"],
  "settings-workspace": ["/settings?view=workspace"],
  "settings-look": ["/settings?view=look"],
  "not-found": ["/nothing-is-here"],
};
/** The button that a page waits for before it shows what it is for. */
export const PRESSED = { "contract-replay": "Replay" };
/** Pages of records that only an engine makes: a demo that never traded has none. */
export const TRADED = ["change", "offer", "confirmation", "renewal"];
/** Name and address of each page of a started demo, or of those in `only`. Fails where the demo has no record for one that is not in `without`. */
export async function pages({ demo, call }, { only = [], without = [] } = {}) {
  const found = [];
  for (const [name, [path, from, field, best]] of Object.entries(PAGES)) {
    if (only.length && !only.includes(name)) continue;
    if (!from) found.push([name, path]);
    else {
      const first = async (which) => (await call(from, { limit: 1, ...which }))[field]?.[0];
      const id = field ? ((await first(best)) ?? (best && (await first()))) : demo[from];
      if (id) found.push([name, path.replace(":id", urlId(id))]);
      else if (!without.includes(name)) throw new Error(`the demo has no record for the page ${name} (${from})`);
    }
  }
  return found;
}
/** The routes of the sources that no page here shows. */
export function missingRoutes() {
  const source = fs.readFileSync(new URL("../src/shell/routes.tsx", import.meta.url), "utf8");
  const routes = [...source.matchAll(/^ {2}\["(\/[^"]*)",/gm)].map((m) => m[1]);
  if (routes.length < 20) throw new Error("routes.tsx is written in another way: pages.mjs finds no routes in it");
  const shown = new Set(Object.values(PAGES).map(([path]) => path.split("?")[0]));
  return routes.filter((r) => !shown.has(r));
}
/** Lets the demo's contract propose instead of buy, and gives the proposal. */
export async function propose({ demo, call }, listingId) {
  const { contractId } = demo;
  await call(`${C}UpdateContract`, { contractId, approvalMode: "APPROVAL_MODE_MANUAL" });
  const { intent } = await call(`${C}CreateIntent`, {
    contractId,
    kind: "INTENT_KIND_BUY",
    listing: {
      marketplace: "simulator",
      listingId,
      listingAssetId: "990001",
      marketHashName: "AK-47 | Redline (Field-Tested)",
      priceCents: "100",
      platformFeeCents: "1",
      maxBuyPriceCents: "105",
    },
  });
  return intent;
}
