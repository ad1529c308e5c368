import { Link } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { count, iso, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countTradeOffers, getTradeOffers, listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeOfferDirection as D, TradeOfferStatus as S, type TradeOffer } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
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
const FILTERS = ["status", "account", "way"];
const WAYS: readonly (readonly [value: string, label: string])[] = [
  ["", "any"],
  [D[D.SENT], "Sent"],
  [D[D.RECEIVED], "Received"],
];
export default function Offers() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const [status = S.UNSPECIFIED] = numbersOf<S>(S, filters.of("status"));
  const [direction = D.UNSPECIFIED] = numbersOf<D>(D, filters.of("way"));
  const account = filters.of("account");
  const accountId = read(account);
  const counts = useCall(countTradeOffers, {});
  const records = useRecords<TradeOffer>({
    name: "ListTradeOffers",
    filter: [account, direction, status],
    subject: T.TRADE_OFFER,
    list: async (cursor, signal) => {
      const a = await listTradeOffers({ limit: 100, cursor, accountId, direction, status }, { signal });
      return { ids: a.tradeOfferIds, next: a.nextCursor };
    },
    get: async (tradeOfferIds, signal) => (await getTradeOffers({ tradeOfferIds }, { signal })).tradeOffers,
  });
  const all = counts.data?.counts.filter((c) => (c.count ?? 0) > 0 || (status && c.status === status)) ?? [];
  const total = all.reduce((n, c) => n + (c.count ?? 0), 0);
  // The server counts all of a workspace: with another filter the numbers would be of other rows.
  const isCounted = Boolean(counts.data) && !account && !direction;
  return (
    <>
      <Head
        title="Trade offers"
        note={`${counts.data ? `${count(total)} in all: what` : "What"} was sent to others and received from them.`}
      >
        <SaveRows name="trade-offers" columns={COLUMNS} of={records} />
        <OfferActions />
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <FilterChoice label="Way" name="way" filters={filters} choices={WAYS} />
        <ClearFilters filters={filters} />
      </div>
      {total > 0 && (
        <Facets
          label="Status"
          chosen={String(status)}
          choose={(s) => filters.set("status", Number(s) ? S[Number(s)]! : "")}
          choices={[
            { id: "0", name: "All", count: isCounted ? total : undefined },
            ...all.map((c) => ({ id: String(c.status), name: wordOf(S[c.status ?? 0]), count: isCounted ? c.count : undefined })),
          ]}
        />
      )}
      <Card flush>
        <RecordTable
          label="Trade offers"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(o) => `/offers/${show(o.id)}`}
          total={!isCounted ? -1 : status ? (all.find((c) => c.status === status)?.count ?? 0) : total}
          empty={
            <Empty icon="offers" title={filters.any ? "No offer is like that." : "No trade offer was seen yet."}>
              <p>
                {filters.any && "Choose other filters, or none. "}Offers appear here once an engine follows the deliveries of{" "}
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
