import { Component, lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { place } from "../core/place.ts";
import { Empty, NoRights, Notice, Skeleton } from "../ui/state.tsx";
import { Button } from "../ui/button.tsx";

type PageModule = { default: ComponentType<{ id?: string }> };
const page = (load: () => Promise<PageModule>) => lazy(load);
const C = "contracts.v1.Contracts/",
  A = "accounts.v1.Accounts/",
  T = "trading.v1.Trading/",
  M = "markets.v1.Markets/",
  E = "events.v1.Events/";
/** Address, the right without which there is nothing to see, and the page. */
const ROUTES: [path: string, needs: string, page: ReturnType<typeof page>][] = [
  ["/", "", page(() => import("../pages/overview/overview.tsx"))],
  ["/events", `${C}ListTransitions`, page(() => import("../pages/events.tsx"))],
  ["/purchases", `${C}ListPurchases`, page(() => import("../pages/purchases/list.tsx"))],
  ["/purchases/:id", `${C}GetPurchase`, page(() => import("../pages/purchases/detail.tsx"))],
  ["/items", `${C}ListInventoryItems`, page(() => import("../pages/items/list.tsx"))],
  ["/items/:id", `${C}GetInventoryItem`, page(() => import("../pages/items/detail.tsx"))],
  ["/problems", `${C}ListRemediations`, page(() => import("../pages/problems/list.tsx"))],
  ["/problems/:id", `${C}GetRemediation`, page(() => import("../pages/problems/detail.tsx"))],
  ["/approvals", `${C}ListIntents`, page(() => import("../pages/approvals/list.tsx"))],
  ["/approvals/:id", `${C}GetIntent`, page(() => import("../pages/approvals/detail.tsx"))],
  ["/contracts", `${C}ListContracts`, page(() => import("../pages/contracts/list.tsx"))],
  ["/contracts/new", `${C}CreateContract`, page(() => import("../pages/contracts/editor.tsx"))],
  ["/contracts/:id/edit", `${C}UpdateContract`, page(() => import("../pages/contracts/editor.tsx"))],
  ["/contracts/:id", `${C}GetContract`, page(() => import("../pages/contracts/detail.tsx"))],
  ["/filters", `${C}ListFilterSets`, page(() => import("../pages/filters/list.tsx"))],
  ["/filters/new", `${C}CreateFilterSet`, page(() => import("../pages/filters/editor.tsx"))],
  ["/filters/:id", `${C}GetFilterSet`, page(() => import("../pages/filters/editor.tsx"))],
  ["/pools", `${C}ListPools`, page(() => import("../pages/pools/list.tsx"))],
  ["/pools/:id", `${C}GetPool`, page(() => import("../pages/pools/detail.tsx"))],
  ["/profit", `${C}GetProfitAndLoss`, page(() => import("../pages/profit.tsx"))],
  ["/market", `${M}GetPrice`, page(() => import("../pages/market/market.tsx"))],
  ["/accounts", `${T}ListAccounts`, page(() => import("../pages/accounts/list.tsx"))],
  ["/accounts/:id", `${T}GetAccount`, page(() => import("../pages/accounts/detail.tsx"))],
  ["/offers", `${T}ListTradeOffers`, page(() => import("../pages/offers/list.tsx"))],
  ["/offers/:id", `${T}GetTradeOffer`, page(() => import("../pages/offers/detail.tsx"))],
  ["/providers", `${M}ListProviders`, page(() => import("../pages/providers/list.tsx"))],
  ["/providers/:id", `${M}GetProvider`, page(() => import("../pages/providers/detail.tsx"))],
  ["/webhooks", `${E}ListWebhookEndpoints`, page(() => import("../pages/webhooks/list.tsx"))],
  ["/webhooks/:id", `${E}GetWebhookEndpoint`, page(() => import("../pages/webhooks/detail.tsx"))],
  ["/members", `${A}ListMemberships`, page(() => import("../pages/members.tsx"))],
  ["/keys", `${A}ListAPIKeys`, page(() => import("../pages/keys.tsx"))],
  ["/audit", `${A}ListAuditEvents`, page(() => import("../pages/audit.tsx"))],
  ["/usage", `${A}GetUsage`, page(() => import("../pages/usage.tsx"))],
  // The mail's link has the word in the singular, and what follows its # is the token.
  ["/invitation", "", page(() => import("../pages/invitations/invitations.tsx"))],
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
                needs && !place.operations.has(needs) ? <NoRights /> : <Page key={id ?? ""} {...(id ? { id } : {})} />
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
