import { place } from "../core/place.ts";
import type { IconName } from "../ui/icon.tsx";

export interface Place {
  path: string;
  name: string;
  icon: IconName;
  counted?: "problems" | "open" | "approvals";
  needs: string;
  key?: string;
  /** Pages that are reached from this one, and have no place of their own in the rail. */
  also?: RegExp;
}
/** The pages, and the call without whose right there is nothing to see. Both the rail and the command bar are made of it. */
export const PLACES: readonly [title: string, places: readonly Place[]][] = [
  [
    "Trading",
    [
      { path: "/", name: "Overview", icon: "overview", needs: "", key: "o" },
      {
        path: "/approvals",
        name: "Approvals",
        icon: "approvals",
        counted: "approvals",
        needs: "contracts.v1.Contracts/ListIntents",
        key: "a",
      },
      {
        path: "/problems",
        name: "Problems",
        icon: "problems",
        counted: "problems",
        needs: "contracts.v1.Contracts/ListRemediations",
        key: "r",
      },
      { path: "/contracts", name: "Contracts", icon: "contracts", needs: "contracts.v1.Contracts/ListContracts", key: "c" },
      { path: "/filters", name: "Filter sets", icon: "filters", needs: "contracts.v1.Contracts/ListFilterSets", key: "f" },
      {
        path: "/purchases",
        name: "Purchases",
        icon: "purchases",
        counted: "open",
        needs: "contracts.v1.Contracts/ListPurchases",
        key: "p",
      },
      { path: "/items", name: "Inventory", icon: "inventory", needs: "contracts.v1.Contracts/ListInventoryItems", key: "i" },
      { path: "/changes", name: "Inventory changes", icon: "changes", needs: "trading.v1.Trading/ListInventoryChanges" },
    ],
  ],
  [
    "Money",
    [
      { path: "/pools", name: "Pools and ledger", icon: "pools", needs: "contracts.v1.Contracts/ListPools", key: "l" },
      { path: "/profit", name: "Profit and loss", icon: "profit", needs: "contracts.v1.Contracts/GetProfitAndLoss", key: "b" },
      { path: "/market", name: "Market", icon: "market", needs: "markets.v1.Markets/GetPrice", key: "m", also: /^\/would-buys\b/ },
    ],
  ],
  [
    "Connections",
    [
      {
        path: "/accounts",
        name: "Accounts",
        icon: "accounts",
        needs: "trading.v1.Trading/ListAccounts",
        also: /^\/(snapshots|imports|sessions|renewals)\b/,
      },
      { path: "/friends", name: "Friends", icon: "chats", needs: "trading.v1.Trading/ListFriends", also: /^\/chats\b/ },
      { path: "/offers", name: "Trade offers", icon: "offers", needs: "trading.v1.Trading/ListTradeOffers", also: /^\/confirmations\b/ },
      { path: "/providers", name: "Providers", icon: "providers", needs: "markets.v1.Markets/ListProviders" },
      { path: "/webhooks", name: "Webhooks", icon: "webhooks", needs: "events.v1.Events/ListWebhookEndpoints" },
      { path: "/alerts", name: "Alerts", icon: "alerts", needs: "alerts.v1.Alerts/ListAlertChannels" },
    ],
  ],
  [
    "Workspace",
    [
      { path: "/members", name: "Members", icon: "members", needs: "accounts.v1.Accounts/ListMemberships" },
      { path: "/keys", name: "API keys", icon: "keys", needs: "accounts.v1.Accounts/ListAPIKeys" },
      { path: "/audit", name: "Audit", icon: "audit", needs: "accounts.v1.Accounts/ListAuditEvents" },
      { path: "/usage", name: "Usage", icon: "usage", needs: "accounts.v1.Accounts/GetUsage" },
      { path: "/settings", name: "Settings", icon: "settings", needs: "", key: "s" },
    ],
  ],
];
/** The command bar goes to these too. */
const OTHERS: readonly Place[] = [
  { path: "/invitations", name: "Invitations", icon: "members", needs: "" },
  { path: "/confirmations", name: "Confirmations", icon: "approvals", needs: "trading.v1.Trading/ListConfirmations" },
  { path: "/would-buys", name: "Would have bought", icon: "market", needs: "contracts.v1.Contracts/ListWouldBuys" },
  { path: "/chats", name: "Chats", icon: "chats", needs: "trading.v1.Trading/ListConversations" },
  { path: "/sessions", name: "Account sessions", icon: "accounts", needs: "trading.v1.Trading/ListAccountSessions" },
  { path: "/renewals", name: "Renewals", icon: "accounts", needs: "trading.v1.Trading/ListRenewals" },
  { path: "/imports", name: "Imports", icon: "down", needs: "trading.v1.Trading/ListImports" },
  { path: "/imports/new", name: "Import accounts", icon: "down", needs: "trading.v1.Trading/CreateImport" },
];
export const ALL: readonly Place[] = [...PLACES.flatMap(([, p]) => p), ...OTHERS];
export const isAt = (path: string, p: Place): boolean =>
  p.path === "/"
    ? path === "/" || path.startsWith("/events")
    : path === p.path || path.startsWith(`${p.path}/`) || Boolean(p.also?.test(path));
/** Whether the person may make the call; what needs no right is for everyone. */
export const allowed = (needs: string | undefined): boolean => !needs || place.operations.has(needs);
