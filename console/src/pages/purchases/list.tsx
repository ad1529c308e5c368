import { useContractChoices } from "../../core/contract-choices.ts";
import { decimal, iso, money, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { dayStart } from "../../core/zone.ts";
import { countPurchases, getPurchases, listPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus as P, type Purchase } from "../../gen/contracts/v1/purchase_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { SaveRows } from "../../ui/copy.tsx";
import { Card, Head, Money, Named } from "../../ui/card.tsx";
import {
  ClearFilters,
  FilterChoice,
  FilterDay,
  FilterText,
  numbersOf,
  sizeOf,
  StatusesFacets,
  totalOf,
  useFilters,
} from "../../ui/filters.tsx";
import { Search } from "../../ui/search.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
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
    from: "xl",
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
    text: (p) => iso(p.createdAt),
  },
  { id: "when", head: "Recorded", phone: "note", phoneOnly: true, cell: (p) => <span>{when(p.createdAt)}</span> },
];

const FILTERS = ["status", "q", "marketHashName", "marketplace", "account", "contract", "from", "to"];
export default function Purchases() {
  const filters = useFilters(FILTERS);
  const statuses = numbersOf<P>(P, filters.of("status"));
  const text = filters.of("q");
  const contracts = useContractChoices(filters.of("contract"));
  const filter = {
    nameContains: text,
    marketHashName: filters.of("marketHashName"),
    marketplace: filters.of("marketplace"),
    accountName: filters.of("account"),
    contractId: read(filters.of("contract")),
    from: dayStart(filters.of("from")),
    to: dayStart(filters.of("to"), 1),
  };
  const counts = useCall(countPurchases, filter, { keep: true });
  const records = useRecords<Purchase>({
    name: "ListPurchases",
    filter: { statuses, ...filter },
    subject: T.PURCHASE,
    list: async (cursor, signal) => {
      const a = await listPurchases({ limit: 100, cursor, statuses, ...filter }, { signal });
      return { ids: a.purchaseIds, next: a.nextCursor };
    },
    get: async (purchaseIds, signal) => (await getPurchases({ purchaseIds }, { signal })).purchases,
  });
  const { rows } = records;
  return (
    <>
      <Head title="Purchases" note={sizeOf(counts.data, P, statuses)}>
        <SaveRows name="purchases" columns={COLUMNS} of={records} />
      </Head>
      <div className="tools">
        <Search label="Parts of the item's name" value={text} change={(q) => filters.set("q", q)} />
        <FilterText label="Marketplace" name="marketplace" filters={filters} seen={rows.map((p) => p.marketplace ?? "")} />
        <FilterText label="Account" name="account" filters={filters} seen={rows.map((p) => p.accountName ?? "")} />
        <FilterChoice label="Contract" name="contract" filters={filters} choices={contracts} />
        <div className="pair">
          <FilterDay label="From" name="from" filters={filters} />
          <FilterDay label="To" name="to" filters={filters} />
        </div>
        <ClearFilters filters={filters} />
      </div>
      <StatusesFacets statuses={P} counts={counts.data} filters={filters} />
      <Card flush>
        <RecordTable
          label="Purchases"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(p) => `/purchases/${show(p.id)}`}
          total={counts.data && !counts.data.truncated ? totalOf(counts.data, statuses) : -1}
          empty={
            filters.any ? (
              <Empty icon="search" title="No purchase is like that.">
                <p>Choose other filters, or none. The command bar (Ctrl-K) finds a purchase by its order, listing or trade.</p>
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
