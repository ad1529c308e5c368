import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { getTrade, getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferDirection as D, TradeOfferStatus as S, type TradeOffer } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Failed } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { TradeCard } from "./trade-card.tsx";

const FILE = [
  { head: "Way", text: (o: TradeOffer) => (o.direction === D.SENT ? "Sent" : "Received") },
  { head: "Partner", text: (o: TradeOffer) => o.partner ?? "" },
  { head: "Account", text: (o: TradeOffer) => o.accountName ?? "" },
  { head: "Status", text: (o: TradeOffer) => wordOf(S[o.status ?? 0]) },
  { head: "Trade", text: (o: TradeOffer) => o.tradeId ?? "" },
  { head: "Made", text: (o: TradeOffer) => iso(o.createdAt) },
];
type Which = { inventoryItemId: Uint8Array } | { purchaseId: Uint8Array };
/** The trade offers by which an item came and went, and the trades that they led to. Without any there is nothing to show, and no card. */
export function OffersOf({ inventoryItemId, purchaseId }: { inventoryItemId: Uint8Array; purchaseId: Uint8Array | undefined }) {
  const query = useQuery({
    // Not as the list is called, which is never fetched again as a whole.
    queryKey: ["GetTradeOffer", "of", show(inventoryItemId)],
    enabled: may(listTradeOffers),
    queryFn: async ({ signal }) => {
      const offersOf = (which: Which) =>
        wholeList(
          async (asked) => {
            const a = await listTradeOffers({ ...which, ...asked }, { signal });
            return { ids: a.tradeOfferIds, next: a.nextCursor };
          },
          async (tradeOfferIds) => (await getTradeOffers({ tradeOfferIds }, { signal })).tradeOffers,
        );
      return [...(await offersOf({ inventoryItemId })), ...(purchaseId?.length ? await offersOf({ purchaseId }) : [])];
    },
  });
  if (query.isLoadingError)
    return (
      <Card title="Trade offers">
        <Failed error={query.error} again={query.refetch} />
      </Card>
    );
  if (!query.data?.length) return null;
  return (
    <>
      <Card title="Trade offers" flush extra={<SaveRows name="trade-offers" columns={FILE} rows={query.data} />}>
        <ol className="feed">
          {query.data.map((o) => (
            <li key={show(o.id)}>
              <Status name={S[o.status ?? 0]} />
              <span className="what">
                <Link href={`/offers/${show(o.id)}`}>
                  {o.direction === D.SENT ? "Sent to" : "Received from"} <span className="mono">{o.partner}</span>
                </Link>
                <small>by {o.accountName}</small>
              </span>
              <time>{when(o.createdAt)}</time>
            </li>
          ))}
        </ol>
      </Card>
      {may(getTrade) &&
        query.data.map(
          (o) =>
            o.tradeId && (
              <TradeCard
                key={o.tradeId}
                tradeId={o.tradeId}
                title={o.inventoryItemId?.length ? "Trade with the buyer" : "Trade with the seller"}
              />
            ),
        )}
    </>
  );
}
