import { useEffect } from "react";
import { useSearchParams } from "wouter";
import { count, decimal, money, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { countPurchases, getPurchases, listPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus as P, type Purchase } from "../../gen/contracts/v1/purchase_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { SaveRows } from "../../ui/copy.tsx";
import { Card, Head, Money, Named } from "../../ui/card.tsx";
import { Search } from "../../ui/search.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { BULK } from "./bulk.tsx";

const price = (p: Purchase) => p.executedPriceCents ?? p.listingPriceCents;
const COLUMNS: Column<Purchase>[] = [
  { id: "item", head: "Item", phone: "title", cell: (p) => <Named name={p.marketHashName} />, text: (p) => p.marketHashName ?? "" },
  {
    id: "status",
    head: "Status",
    width: "9.5rem",
    phone: "status",
    cell: (p) => <Status name={P[p.status ?? 0]} />,
    text: (p) => wordOf(P[p.status ?? 0]),
  },
  {
    id: "market",
    head: "Marketplace",
    width: "8rem",
    from: "md",
    cell: (p) => <span className="clip">{p.marketplace || "–"}</span>,
    text: (p) => p.marketplace ?? "",
  },
  {
    id: "account",
    head: "Account",
    width: "7.5rem",
    from: "lg",
    cell: (p) => <span className="clip muted">{p.accountName || "–"}</span>,
    text: (p) => p.accountName ?? "",
  },
  {
    id: "price",
    head: "Price",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (p) => <Money cents={price(p)} />,
    text: (p) => (price(p) === undefined ? "" : decimal(price(p)!)),
  },
  {
    id: "max",
    head: "At most",
    width: "8.25rem",
    end: true,
    from: "lg",
    cell: (p) => <span className="num muted">{money(p.maxBuyPriceCents)}</span>,
    text: (p) => (p.maxBuyPriceCents === undefined ? "" : decimal(p.maxBuyPriceCents)),
  },
  {
    id: "fee",
    head: "Fee",
    width: "6rem",
    end: true,
    from: "xl",
    cell: (p) => <span className="num muted">{money(p.platformFeeCents)}</span>,
    text: (p) => (p.platformFeeCents === undefined ? "" : decimal(p.platformFeeCents)),
  },
  {
    id: "at",
    head: "Recorded",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (p) => <span className="num muted">{when(p.createdAt)}</span>,
    text: (p) => when(p.createdAt),
  },
  { id: "when", head: "Recorded", phone: "note", phoneOnly: true, cell: (p) => <span>{when(p.createdAt)}</span> },
];

export default function Purchases() {
  const [search, setSearch] = useSearchParams();
  const [status, choose] = useStatus<P>(P);
  const text = search.get("q") ?? "";
  const counts = useCall(countPurchases, {});
  const records = useRecords<Purchase>({
    name: "ListPurchases",
    filter: status,
    subject: T.PURCHASE,
    list: async (cursor, signal) => {
      const a = await listPurchases({ limit: 100, cursor, status }, { signal });
      return { ids: a.purchaseIds, next: a.nextCursor };
    },
    get: async (purchaseIds, signal) => (await getPurchases({ purchaseIds }, { signal })).purchases,
  });
  const shown = counts.data?.counts.filter((c) => (c.count ?? 0) > 0) ?? [];
  const total = shown.reduce((n, c) => n + (c.count ?? 0), 0);
  const n = status ? (shown.find((c) => c.status === status)?.count ?? 0) : total;
  const needle = text.toLowerCase();
  const rows = needle
    ? records.rows.filter((p) =>
        [p.marketHashName, p.listingId, p.providerOrderId, p.tradeId, p.accountName].some((v) => v?.toLowerCase().includes(needle)),
      )
    : records.rows;
  const set = (change: { status?: string; q?: string }) =>
    setSearch(Object.fromEntries(Object.entries({ status: status ? P[status]! : "", q: text, ...change }).filter(([, v]) => v)));
  // A search goes on through the list by itself, up to 2,000 purchases, because the server has no search by part of a name yet.
  useEffect(() => {
    if (needle && rows.length < 20 && records.rows.length < 2000) records.more();
  });
  return (
    <>
      <Head
        title="Purchases"
        note={`${counts.data ? `${count(n)} ${status ? wordOf(P[status]).toLowerCase() : "in all"}, the newest` : "The newest"} first.`}
      >
        <SaveRows name="purchases" columns={COLUMNS} rows={rows} />
      </Head>
      <div className="tools">
        <Search label="Item, order, listing, trade or account" value={text} change={(q) => set({ q })} />
        {needle && (
          <span className="muted">
            {count(rows.length)} found in the newest {count(records.rows.length)}
          </span>
        )}
      </div>
      <StatusFacets statuses={P} counts={counts.data?.counts} chosen={status} choose={choose} />
      <Card flush>
        <RecordTable
          label="Purchases"
          columns={COLUMNS}
          records={{ ...records, rows }}
          bulk={BULK}
          href={(p) => `/purchases/${show(p.id)}`}
          total={n}
          empty={
            needle || status ? (
              <Empty icon="search" title="No purchase is like that.">
                <p>Choose another status, or search for less.</p>
              </Empty>
            ) : (
              <Empty icon="purchases" title="Nothing was bought yet.">
                <p>An active contract buys what its filter set lets through.</p>
                <LinkButton href="/contracts">Go to the contracts</LinkButton>
              </Empty>
            )
          }
        />
      </Card>
    </>
  );
}
