import { useQuery } from "@tanstack/react-query";
import { decimal, money, parseCents, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, useCall } from "../../core/queries.ts";
import { getInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { cancelPurchase, getPurchase, reconcilePurchase, recordPurchaseOutcome } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseOutcome as O, PurchaseStatus as P, type Purchase } from "../../gen/contracts/v1/purchase_pb.ts";
import { search } from "../../gen/contracts/v1/search_calls.ts";
import { SearchKind } from "../../gen/contracts/v1/search_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Chip, Facts, Head, Money } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { ContractLink, Ref } from "../../ui/refs.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { ProblemsOf } from "../problems/problems-of.tsx";
import { FAILURES, MEANS, over } from "./words.ts";

const OLD = ["GetPurchase", "ListPurchases", "CountPurchases", "ListTransitions", "GetPoolBalance", "GetCapital"];

export default function PurchaseDetail({ id = "" }: { id?: string }) {
  const purchaseId = read(id);
  const query = useCall(getPurchase, { purchaseId });
  const p = query.data?.purchase;
  if (query.isError)
    return (
      <>
        <Head title="Purchase" back={["/purchases", "Purchases"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!p)
    return (
      <>
        <Head title="Purchase" back={["/purchases", "Purchases"]} />
        <Skeleton lines={8} />
      </>
    );
  return (
    <>
      <Head
        title={p.marketHashName}
        back={["/purchases", "Purchases"]}
        mark={<Chip big name={p.marketHashName ?? ""} />}
        note={
          <>
            <Status name={P[p.status ?? 0]} /> {MEANS[p.status ?? 0]}
          </>
        }
      >
        <Actions p={p} />
      </Head>
      <div className="split">
        <div className="stack">
          <ProblemsOf type={T.PURCHASE} id={purchaseId} />
          <History type={T.PURCHASE} id={purchaseId} />
        </div>
        <div className="stack">
          <Card title="Money">
            <p className="big">{isUnknown(p) ? "Unknown" : money(p.executedPriceCents ?? p.listingPriceCents)}</p>
            <p className="muted">
              {isUnknown(p)
                ? "imported without a price"
                : p.executedPriceCents === undefined
                  ? "asked by the listing"
                  : "charged, without fee"}
            </p>
            <br />
            <Facts
              of={[
                ["Listing price", <Money cents={p.listingPriceCents} />],
                ["At most, with fee", <Money cents={p.maxBuyPriceCents} />],
                ["Fee", <Money cents={p.platformFeeCents} />],
                p.expectedFeeCents !== undefined && ["Fee expected", <Money cents={p.expectedFeeCents} />],
                p.refundedCents !== undefined && ["Refunded", <Money cents={p.refundedCents} />],
                p.exchangeRate && ["Rate", `${Number(p.exchangeRate.rateMicros ?? 0n) / 1e6} ${p.exchangeRate.currency ?? ""}`],
              ]}
            />
          </Card>
          <Card title="Where from">
            <Facts
              of={[
                ["Contract", <ContractLink id={p.contractId} />],
                Boolean(p.intentId?.length) && ["Proposal", <Ref to="/approvals" id={p.intentId} name="Its decision" />],
                ["Marketplace", p.marketplace],
                ["Account", p.accountName],
                ["Item", <ItemOf p={p} />],
                p.failureCode ? ["Why it failed", FAILURES[p.failureCode]] : undefined,
                p.heldUntil && ["Held until", when(p.heldUntil)],
                p.protectedUntil && ["Reversible until", when(p.protectedUntil)],
              ]}
            />
          </Card>
          <Card title="Record">
            <Facts
              of={[
                ["Listing", <span className="mono">{p.listingId}</span>],
                p.listingAssetId ? ["Asset id of it", <span className="mono">{p.listingAssetId}</span>] : undefined,
                p.providerOrderId ? ["Order", <span className="mono">{p.providerOrderId}</span>] : undefined,
                p.tradeOfferId ? ["Trade offer", <span className="mono">{p.tradeOfferId}</span>] : undefined,
                p.tradeId ? ["Trade", <span className="mono">{p.tradeId}</span>] : undefined,
                ["Recorded", when(p.createdAt)],
                ["Changed", when(p.updatedAt)],
                ["Version", String(p.version ?? "")],
                ["Id", <span className="mono">{show(p.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

/** An imported purchase has no contract, and no price where what it cost is not known. */
const isUnknown = (p: Purchase): boolean => !p.contractId?.length && p.executedPriceCents === undefined;

/** The most that a search takes and gives. */
const LONGEST = 100;
const MOST = 50;
/** The item that the purchase brought, if it did. The search for an identifier of a purchase finds its item, too. */
function ItemOf({ p }: { p: Purchase }) {
  const text = [p.listingId, p.providerOrderId, p.tradeId].find((id) => id && id.length <= LONGEST);
  const item = useQuery({
    queryKey: ["GetInventoryItem", "of", show(p.id)],
    enabled: may(search) && may(getInventoryItems),
    queryFn: async ({ signal }) => {
      if (!text) throw new Error("No identifier of this purchase can be searched for.");
      const { results } = await search({ text, limit: MOST }, { signal });
      const inventoryItemIds = results.flatMap((r) => (r.kind === SearchKind.INVENTORY_ITEM && r.id?.length ? [r.id] : []));
      const found = inventoryItemIds.length ? (await getInventoryItems({ inventoryItemIds }, { signal })).inventoryItems : [];
      const own = found.find((i) => show(i.purchaseId) === show(p.id));
      if (!own && results.length >= MOST) throw new Error("More was found than a search gives.");
      return own ?? null;
    },
  });
  if (item.isError) return <>Not known</>;
  return item.data ? <Ref to="/items" id={item.data.id} name="In the inventory" /> : <>{item.isPending ? "…" : "None yet"}</>;
}

function Actions({ p }: { p: Purchase }) {
  const purchaseId = p.id!;
  const expectedVersion = p.version;
  return (
    <>
      {!over(p.status) && (
        <Action
          label="Reconcile"
          call={reconcilePurchase}
          text={<p>Asks the marketplace and the platform for its outcome, and takes the steps that they show.</p>}
          confirm="Ask now"
          done="Reconciled."
          old={OLD}
          run={async () => void (await reconcilePurchase({ purchaseId }))}
        />
      )}
      {p.status === P.PENDING && (
        <Action
          label="Cancel"
          kind="danger"
          danger
          call={cancelPurchase}
          title="Cancel this purchase?"
          text={<p>It was not sent yet. The money that it reserved is free again.</p>}
          confirm="Cancel the purchase"
          done="Cancelled."
          old={OLD}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
          run={async (v) => void (await cancelPurchase({ purchaseId, expectedVersion, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      )}
      {![P.PENDING, P.CANCELLED].includes(p.status ?? 0) && (
        <Action
          label="Record the outcome"
          call={recordPurchaseOutcome}
          title="Record its outcome"
          wide
          confirm="Record it"
          done="Recorded."
          old={OLD}
          start={{ outcome: String(O.REFUNDED) }}
          text={
            <p>
              For what you saw at the marketplace or the platform and the service did not. It moves money in the ledger, so it asks for your
              second factor.
            </p>
          }
          fields={[
            {
              name: "outcome",
              label: "What happened",
              kind: "select",
              wide: true,
              options: [
                [String(O.REFUNDED), "The money came back"],
                [String(O.DELIVERED), "The item was delivered"],
                [String(O.WRITTEN_OFF), "The money is lost"],
              ],
            },
            {
              name: "amount",
              label: "Amount that came back",
              kind: "money",
              required: true,
              placeholder: p.executedPriceCents === undefined ? "" : decimal(p.executedPriceCents),
              when: (v) => v.outcome === String(O.REFUNDED),
            },
            { name: "asset", label: "Asset id of the item", required: true, when: (v) => v.outcome === String(O.DELIVERED) },
            {
              name: "evidence",
              label: "Evidence",
              kind: "area",
              required: true,
              max: 500,
              hint: "Where you saw it: a number of the marketplace, of the trade, of the mail. The ledger keeps it.",
            },
          ]}
          run={async (v) =>
            void (await recordPurchaseOutcome({
              purchaseId,
              expectedVersion,
              outcome: Number(v.outcome) as O,
              evidence: v.evidence!.trim(),
              assetId: v.outcome === String(O.DELIVERED) ? v.asset!.trim() : "",
              ...(v.outcome === String(O.REFUNDED) ? { amountCents: parseCents(v.amount ?? "") } : {}),
            }))
          }
        />
      )}
    </>
  );
}
