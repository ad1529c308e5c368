import { Link } from "wouter";
import { count, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countTradeOffers, getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferDirection as D, TradeOfferStatus as S, type TradeOffer } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { OfferActions } from "./send.tsx";

const names = (o: TradeOffer) => [...o.gives, ...o.receives].map((a) => a.marketHashName || a.assetId).join(", ") || "No items";
const way = (o: TradeOffer) => (o.direction === D.SENT ? "Sent" : "Received");
const COLUMNS: Column<TradeOffer>[] = [
  { id: "items", head: "Items", phone: "title", cell: (o) => <span className="clip">{names(o)}</span>, text: names },
  { id: "way", head: "Way", width: "6.5rem", phone: "end", cell: way, text: way },
  {
    id: "status",
    head: "Status",
    width: "11rem",
    phone: "status",
    cell: (o) => <Status name={S[o.status ?? 0]} />,
    text: (o) => wordOf(S[o.status ?? 0]),
  },
  {
    id: "account",
    head: "Account",
    width: "8rem",
    from: "md",
    cell: (o) => <span className="clip muted">{o.accountName}</span>,
    text: (o) => o.accountName ?? "",
  },
  {
    id: "partner",
    head: "Partner",
    width: "11.5rem",
    from: "lg",
    cell: (o) => <span className="mono muted clip">{o.partner}</span>,
    text: (o) => o.partner ?? "",
  },
  {
    id: "at",
    head: "Made",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (o) => <span className="num muted">{when(o.createdAt)}</span>,
    text: (o) => iso(o.createdAt),
  },
  {
    id: "note",
    head: "Made",
    phone: "note",
    phoneOnly: true,
    cell: (o) => (
      <span>
        {o.accountName}, {when(o.createdAt)}
      </span>
    ),
  },
];
export default function Offers() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countTradeOffers, {});
  const records = useRecords<TradeOffer>({
    name: "ListTradeOffers",
    filter: status,
    subject: T.TRADE_OFFER,
    list: async (cursor, signal) => {
      const a = await listTradeOffers({ limit: 100, cursor, status }, { signal });
      return { ids: a.tradeOfferIds, next: a.nextCursor };
    },
    get: async (tradeOfferIds, signal) => (await getTradeOffers({ tradeOfferIds }, { signal })).tradeOffers,
  });
  const shown = counts.data?.counts.filter((c) => (c.count ?? 0) > 0) ?? [];
  const total = shown.reduce((n, c) => n + (c.count ?? 0), 0);
  return (
    <>
      <Head
        title="Trade offers"
        note={`${counts.data ? `${count(total)} in all: what` : "What"} was sent to others and received from them.`}
      >
        <SaveRows name="trade-offers" columns={COLUMNS} of={records} />
        <OfferActions />
      </Head>
      {total > 0 && <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} />}
      <Card flush>
        <RecordTable
          label="Trade offers"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(o) => `/offers/${show(o.id)}`}
          total={total}
          empty={
            <Empty icon="offers" title={status ? "No offer has this status." : "No trade offer was seen yet."}>
              <p>
                Offers appear here once an engine follows the deliveries of{" "}
                <Link href="/purchases" className="textlink">
                  purchases
                </Link>{" "}
                and sales.
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
