import { Component, lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { Empty, NoRights, Notice, Skeleton } from "../ui/state.tsx";
import { Button } from "../ui/button.tsx";
import { ALL, allowed } from "./places.ts";

type PageModule = { default: ComponentType<{ id?: string }> };
const page = (load: () => Promise<PageModule>) => lazy(load);
const C = "contracts.v1.Contracts/",
  T = "trading.v1.Trading/",
  M = "markets.v1.Markets/",
  E = "events.v1.Events/";
/** Address, the right without which there is nothing to see, and the page. A page of the rail has its right in places.ts. */
const ROUTES: [path: string, needs: string, page: ReturnType<typeof page>][] = [
  ["/", "", page(() => import("../pages/overview/overview.tsx"))],
  ["/events", `${C}ListTransitions`, page(() => import("../pages/events.tsx"))],
  ["/purchases", "", page(() => import("../pages/purchases/list.tsx"))],
  ["/purchases/:id", `${C}GetPurchase`, page(() => import("../pages/purchases/detail.tsx"))],
  ["/items", "", page(() => import("../pages/items/list.tsx"))],
  ["/items/:id", `${C}GetInventoryItem`, page(() => import("../pages/items/detail.tsx"))],
  ["/problems", "", page(() => import("../pages/problems/list.tsx"))],
  ["/problems/:id", `${C}GetRemediation`, page(() => import("../pages/problems/detail.tsx"))],
  ["/approvals", "", page(() => import("../pages/approvals/list.tsx"))],
  ["/approvals/:id", `${C}GetIntent`, page(() => import("../pages/approvals/detail.tsx"))],
  ["/contracts", "", page(() => import("../pages/contracts/list.tsx"))],
  ["/contracts/new", `${C}CreateContract`, page(() => import("../pages/contracts/editor.tsx"))],
  ["/contracts/:id/edit", `${C}UpdateContract`, page(() => import("../pages/contracts/editor.tsx"))],
  ["/contracts/:id", `${C}GetContract`, page(() => import("../pages/contracts/detail.tsx"))],
  ["/filters", "", page(() => import("../pages/filters/list.tsx"))],
  ["/filters/new", `${C}CreateFilterSet`, page(() => import("../pages/filters/editor.tsx"))],
  ["/filters/:id", `${C}GetFilterSet`, page(() => import("../pages/filters/editor.tsx"))],
  ["/pools", "", page(() => import("../pages/pools/list.tsx"))],
  ["/pools/:id", `${C}GetPool`, page(() => import("../pages/pools/detail.tsx"))],
  ["/profit", "", page(() => import("../pages/profit.tsx"))],
  ["/market", "", page(() => import("../pages/market/market.tsx"))],
  ["/would-buys", "", page(() => import("../pages/would-buys.tsx"))],
  ["/accounts", "", page(() => import("../pages/accounts/list.tsx"))],
  ["/accounts/:id", `${T}GetAccount`, page(() => import("../pages/accounts/detail.tsx"))],
  ["/snapshots/:id", `${T}GetSnapshot`, page(() => import("../pages/snapshots/detail.tsx"))],
  ["/sessions", "", page(() => import("../pages/sessions/list.tsx"))],
  ["/sessions/:id", `${T}GetAccountSession`, page(() => import("../pages/sessions/detail.tsx"))],
  ["/renewals", "", page(() => import("../pages/renewals/list.tsx"))],
  ["/renewals/:id", `${T}GetRenewal`, page(() => import("../pages/renewals/detail.tsx"))],
  ["/changes", "", page(() => import("../pages/changes/list.tsx"))],
  ["/changes/:id", `${T}GetInventoryChange`, page(() => import("../pages/changes/detail.tsx"))],
  ["/imports", "", page(() => import("../pages/imports/list.tsx"))],
  ["/imports/new", "", page(() => import("../pages/imports/new.tsx"))],
  ["/imports/:id", `${T}GetImport`, page(() => import("../pages/imports/detail.tsx"))],
  ["/friends", "", page(() => import("../pages/friends/list.tsx"))],
  ["/friends/:id", `${T}GetFriend`, page(() => import("../pages/friends/detail.tsx"))],
  ["/chats", "", page(() => import("../pages/chats/list.tsx"))],
  ["/chats/:id", `${T}GetConversation`, page(() => import("../pages/chats/detail.tsx"))],
  ["/offers", "", page(() => import("../pages/offers/list.tsx"))],
  ["/offers/:id", `${T}GetTradeOffer`, page(() => import("../pages/offers/detail.tsx"))],
  ["/confirmations", "", page(() => import("../pages/confirmations/list.tsx"))],
  ["/confirmations/:id", `${T}GetConfirmation`, page(() => import("../pages/confirmations/detail.tsx"))],
  ["/providers", "", page(() => import("../pages/providers/list.tsx"))],
  ["/providers/:id", `${M}GetProvider`, page(() => import("../pages/providers/detail.tsx"))],
  ["/webhooks", "", page(() => import("../pages/webhooks/list.tsx"))],
  ["/webhooks/:id", `${E}GetWebhookEndpoint`, page(() => import("../pages/webhooks/detail.tsx"))],
  ["/alerts", "", page(() => import("../pages/alerts/list.tsx"))],
  ["/alerts/:id", "alerts.v1.Alerts/GetAlertChannel", page(() => import("../pages/alerts/detail.tsx"))],
  ["/members", "", page(() => import("../pages/members.tsx"))],
  ["/keys", "", page(() => import("../pages/keys.tsx"))],
  ["/audit", "", page(() => import("../pages/audit/audit.tsx"))],
  ["/usage", "", page(() => import("../pages/usage.tsx"))],
  ["/invitations", "", page(() => import("../pages/invitations/invitations.tsx"))],
  ["/linked", "", page(() => import("../pages/linked.tsx"))],
  ["/settings", "", page(() => import("../pages/settings/settings.tsx"))],
];

export function Pages() {
  const [path] = useLocation();
  return (
    <Broken key={path}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          {ROUTES.map(([path, needs, Page]) => (
            <Route key={path} path={path}>
              {({ id }: { id?: string }) =>
                !allowed(needs || ALL.find((p) => p.path === path)?.needs) ? (
                  <>
                    <h1 className="vh">{ALL.find((p) => p.path === path)?.name ?? "Not for your role"}</h1>
                    <NoRights />
                  </>
                ) : (
                  <Page key={id ?? ""} {...(id ? { id } : {})} />
                )
              }
            </Route>
          ))}
          <Route>
            <Empty icon="search" title="Nothing is at this address.">
              <h1 className="vh">Not found</h1>
              <p>
                <Link href="/" className="textlink">
                  Go to the overview
                </Link>
              </p>
            </Empty>
          </Route>
        </Switch>
      </Suspense>
    </Broken>
  );
}

/** A page that breaks says so and leaves the rest as it is; also after an update, when the files of the page have other names. */
class Broken extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const update = /dynamically imported|module script|preload/i.test(error.message);
    return (
      <Notice tone="bad">
        <b>{update ? "The console was updated." : "This page failed."}</b>{" "}
        {update ? "Load it again to go on." : `${error.message}. The other pages work.`}{" "}
        <Button onPress={() => location.reload()}>Load again</Button>
      </Notice>
    );
  }
}
