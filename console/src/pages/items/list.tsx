import { useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { useContractChoices } from "../../core/contract-choices.ts";
import { decimal, iso, money, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { trouble } from "../../core/trouble.ts";
import {
  countInventoryItems,
  findInventoryItemByAssetID,
  getInventoryItems,
  listInventoryItems,
} from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus as I, type InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getPrices } from "../../gen/markets/v1/pricing_calls.ts";
import { SaveRows } from "../../ui/copy.tsx";
import { Card, Head, Money, Named } from "../../ui/card.tsx";
import { ClearFilters, FilterChoice, FilterText, numbersOf, sizeOf, StatusesFacets, totalOf, useFilters } from "../../ui/filters.tsx";
import { Search } from "../../ui/search.tsx";
import { Empty, Notice } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { useMarketplaces } from "./actions.tsx";
import { bulk } from "./bulk.tsx";
import { OPEN } from "./words.ts";

const LOCKS = [
  ["", "any"],
  ["yes", "locked"],
  ["no", "not locked"],
] as const;
const variantOf = (i: InventoryItem) => `${i.appId}|${i.marketHashName}|${i.phase ?? ""}`;
const columns = (values: ReadonlyMap<string, bigint>): Column<InventoryItem>[] => {
  const value = (i: InventoryItem) => (OPEN.includes(i.status ?? 0) ? values.get(variantOf(i)) : undefined);
  const text = (c: bigint | undefined) => (c === undefined ? "" : decimal(c));
  return [
    { id: "item", head: "Item", phone: "title", cell: (i) => <Named name={i.marketHashName} />, text: (i) => i.marketHashName ?? "" },
    {
      id: "status",
      head: "Status",
      width: "8.5rem",
      phone: "status",
      cell: (i) => <Status name={I[i.status ?? 0]} />,
      text: (i) => wordOf(I[i.status ?? 0]),
    },
    {
      id: "account",
      head: "Account",
      width: "7.5rem",
      from: "lg",
      cell: (i) => <span className="clip muted">{i.accountName || "–"}</span>,
      text: (i) => i.accountName ?? "",
    },
    {
      id: "asset",
      head: "Asset id",
      width: "9.5rem",
      from: "xl",
      cell: (i) => <span className="mono muted clip">{i.currentAssetId || "–"}</span>,
      text: (i) => i.currentAssetId ?? "",
    },
    {
      id: "bought",
      head: "Bought for",
      width: "8.25rem",
      end: true,
      phone: "end",
      cell: (i) => <Money cents={i.buyPriceCents} />,
      text: (i) => text(i.buyPriceCents),
    },
    {
      id: "value",
      head: "Value now",
      width: "8.25rem",
      end: true,
      from: "md",
      cell: (i) => <span className="num muted">{money(value(i))}</span>,
      text: (i) => text(value(i)),
    },
    {
      id: "ask",
      head: "Asked",
      width: "8.25rem",
      end: true,
      from: "md",
      cell: (i) => <span className="num">{money(i.sellPriceCents ?? i.listPriceCents)}</span>,
      text: (i) => text(i.sellPriceCents ?? i.listPriceCents),
    },
    {
      id: "at",
      head: "Received",
      width: "11.5rem",
      end: true,
      from: "xl",
      cell: (i) => <span className="num muted">{when(i.createdAt)}</span>,
      text: (i) => iso(i.createdAt),
    },
    { id: "when", head: "Received", phone: "note", phoneOnly: true, cell: (i) => <span>{when(i.createdAt)}</span> },
  ];
};

const FILTERS = ["status", "q", "marketHashName", "marketplace", "account", "contract", "locked"];
export default function Items() {
  const filters = useFilters(FILTERS);
  const [, go] = useLocation();
  const [wrong, setWrong] = useState("");
  const statuses = numbersOf<I>(I, filters.of("status"));
  const text = filters.of("q");
  const asset = /^\d{4,20}$/.test(text.trim());
  const locked = { yes: true, no: false }[filters.of("locked")];
  const filter = {
    nameContains: asset ? "" : text,
    marketHashName: filters.of("marketHashName"),
    saleMarketplace: filters.of("marketplace"),
    accountName: filters.of("account"),
    contractId: read(filters.of("contract")),
    ...(locked === undefined ? {} : { locked }),
  };
  const counts = useCall(countInventoryItems, filter, { keep: true });
  const records = useRecords<InventoryItem>({
    name: "ListInventoryItems",
    filter: { statuses, ...filter },
    subject: T.INVENTORY_ITEM,
    list: async (cursor, signal) => {
      const a = await listInventoryItems({ limit: 100, cursor, statuses, ...filter }, { signal });
      return { ids: a.inventoryItemIds, next: a.nextCursor };
    },
    get: async (inventoryItemIds, signal) => (await getInventoryItems({ inventoryItemIds }, { signal })).inventoryItems,
  });
  const wanted = [...new Map(records.rows.filter((i) => OPEN.includes(i.status ?? 0)).map((i) => [variantOf(i), i])).values()].slice(
    0,
    200,
  );
  const values = useQuery({
    queryKey: ["GetPrices", wanted.map(variantOf).sort().join()],
    enabled: wanted.length > 0 && may(getPrices),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { prices } = await getPrices(
        { variants: wanted.map((i) => ({ appId: i.appId ?? 0, marketHashName: i.marketHashName ?? "", phase: i.phase ?? "" })) },
        { signal },
      );
      return new Map(
        prices
          .filter((p) => p.fairValueCents !== undefined)
          .map((p) => [`${p.variant?.appId}|${p.variant?.marketHashName}|${p.variant?.phase ?? ""}`, p.fairValueCents!]),
      );
    },
  });
  const { rows } = records;
  const find = async () => {
    setWrong("");
    try {
      go(`/items/${show((await findInventoryItemByAssetID({ assetId: text.trim() })).inventoryItemId)}`);
    } catch (e) {
      setWrong(trouble(e).missing ? `No item has, or had, the asset id ${text.trim()}.` : trouble(e).text);
    }
  };
  const places = useMarketplaces();
  const { accounts } = useAccountChoices();
  const contracts = useContractChoices(filters.of("contract"));
  const cols = columns(values.data ?? new Map());
  return (
    <>
      <Head title="Inventory" note={sizeOf(counts.data, I, statuses, locked ? "those locked longest" : "the newest")}>
        <SaveRows name="inventory" columns={cols} of={records} />
      </Head>
      <form
        className="tools"
        onSubmit={(e) => {
          e.preventDefault();
          if (asset) void find();
        }}
      >
        <Search
          label="Part of the name, or an asset id"
          value={text}
          change={(q) => {
            setWrong("");
            filters.set("q", q);
          }}
        />
        {asset ? (
          <button className="btn" type="submit">
            Find the asset id
          </button>
        ) : null}
        <FilterText label="On sale at" name="marketplace" filters={filters} seen={places.data ?? []} />
        <FilterText label="Account" name="account" filters={filters} seen={rows.map((i) => i.accountName ?? "")} />
        <FilterChoice label="Contract" name="contract" filters={filters} choices={contracts} />
        <FilterChoice label="Lock" name="locked" filters={filters} choices={LOCKS} />
        <ClearFilters filters={filters} />
      </form>
      {wrong && (
        <div className="tools">
          <Notice>{wrong}</Notice>
        </div>
      )}
      <StatusesFacets statuses={I} counts={counts.data} filters={filters} />
      <Card flush>
        <RecordTable
          label="Items"
          columns={cols}
          records={records}
          bulk={bulk(places.data ?? [], accounts, (i) => values.data?.get(variantOf(i)))}
          href={(i) => `/items/${show(i.id)}`}
          total={counts.data && !counts.data.truncated ? totalOf(counts.data, statuses) : -1}
          empty={
            <Empty icon="inventory" title={filters.any ? "No item is like that." : "The inventory is empty."}>
              <p>{filters.any ? "Choose other filters, or none." : "Items appear here once a purchase brings them."}</p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
