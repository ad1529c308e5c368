import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferDirection as D, TradeOfferStatus as S } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Status } from "../../ui/status.tsx";

/** The trade offers of an item. Without any there is nothing to show, and no card. */
export function OffersOf({ inventoryItemId }: { inventoryItemId: Uint8Array }) {
  const query = useQuery({
    queryKey: ["ListTradeOffers", "of", show(inventoryItemId)],
    enabled: may(listTradeOffers),
    queryFn: ({ signal }) =>
      wholeList(
        async (asked) => {
          const a = await listTradeOffers({ inventoryItemId, ...asked }, { signal });
          return { ids: a.tradeOfferIds, next: a.nextCursor };
        },
        async (tradeOfferIds) => (await getTradeOffers({ tradeOfferIds }, { signal })).tradeOffers,
      ),
  });
  if (!query.data?.length) return null;
  return (
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
  );
}
