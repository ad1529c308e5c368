import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { getTrade, getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferDirection as D, TradeOfferStatus as S } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Status } from "../../ui/status.tsx";
import { TradeCard } from "./trade-card.tsx";

type Which = { inventoryItemId: Uint8Array } | { purchaseId: Uint8Array };
/** The trade offers by which an item came and went, and the trades that they led to. Without any there is nothing to show, and no card. */
export function OffersOf({ inventoryItemId, purchaseId }: { inventoryItemId: Uint8Array; purchaseId: Uint8Array | undefined }) {
  const query = useQuery({
    queryKey: ["ListTradeOffers", "of", show(inventoryItemId)],
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
  if (!query.data?.length) return null;
  return (
    <>
      <Card title="Trade offers" flush>
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
