import { Link } from "wouter";
import { count, decimal, iso, when } from "../../core/format.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { listEvaluations } from "../../gen/contracts/v1/evaluation_calls.ts";
import { countMarketObservations, getMarketObservations, listMarketObservations } from "../../gen/markets/v1/observation_calls.ts";
import type { MarketObservation } from "../../gen/markets/v1/observation_pb.ts";
import { Card, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, type Filters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { VariantName } from "./variant-name.tsx";
import { hrefOf, nameOf } from "./words.ts";

const COLUMNS: Column<MarketObservation>[] = [
  {
    id: "item",
    head: "Item",
    phone: "title",
    cell: ({ listing: l }) => <VariantName name={l?.marketHashName} phase={l?.phase} />,
    text: (o) => nameOf(o.listing),
  },
  {
    id: "market",
    head: "Marketplace",
    width: "8rem",
    from: "md",
    cell: (o) => <span className="clip">{o.listing?.marketplace}</span>,
    text: (o) => o.listing?.marketplace ?? "",
  },
  {
    id: "float",
    head: "Float",
    width: "8rem",
    from: "xl",
    cell: (o) => <span className="mono muted clip">{o.listing?.floatValue?.slice(0, 10) || "–"}</span>,
    text: (o) => o.listing?.floatValue ?? "",
  },
  {
    id: "lock",
    head: "Lock",
    width: "5rem",
    end: true,
    from: "xl",
    cell: (o) => <span className="num muted">{o.listing?.tradeLockDays ? `${o.listing.tradeLockDays} d` : "none"}</span>,
    text: (o) => String(o.listing?.tradeLockDays ?? ""),
  },
  {
    id: "price",
    head: "Price",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (o) => <Money cents={o.listing?.priceCents} />,
    text: (o) => decimal(o.listing?.priceCents ?? 0n),
  },
  {
    id: "at",
    head: "Observed",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (o) => <span className="num muted">{when(o.listing?.observedAt)}</span>,
    text: (o) => iso(o.listing?.observedAt),
  },
  {
    id: "why",
    head: "Decisions",
    width: "6.5rem",
    end: true,
    from: "md",
    cell: ({ listing: l }) =>
      l?.listingId &&
      may(listEvaluations) && (
        <Link className="textlink" href={`/market?${new URLSearchParams({ view: "decisions", listing: l.listingId })}`}>
          See why
        </Link>
      ),
  },
  {
    id: "note",
    head: "Where",
    phone: "note",
    phoneOnly: true,
    cell: (o) => <span>{[o.listing?.marketplace, when(o.listing?.observedAt)].filter(Boolean).join(", ")}</span>,
  },
];
export function Seen({ filters }: { filters: Filters }) {
  const [marketplace, marketHashName] = [filters.of("marketplace"), filters.of("marketHashName")];
  const counts = useCall(countMarketObservations, {}, { enabled: may(countMarketObservations) });
  const records = useRecords<MarketObservation>({
    name: "ListMarketObservations",
    filter: { marketplace, marketHashName },
    enabled: may(listMarketObservations),
    list: async (cursor, signal) => {
      const a = await listMarketObservations({ limit: 100, cursor, marketplace, marketHashName }, { signal });
      return { ids: a.observationIds, next: a.nextCursor };
    },
    get: async (observationIds, signal) => (await getMarketObservations({ observationIds }, { signal })).observations,
  });
  const of = (place: string) => counts.data?.counts.reduce((n, c) => n + (place && place !== c.marketplace ? 0 : (c.count ?? 0)), 0);
  // The counts are by marketplace alone.
  const total = marketHashName ? undefined : of(marketplace);
  return (
    <div className="grow">
      <Facets
        label="Marketplace"
        chosen={marketplace}
        choose={(place) => filters.set("marketplace", place)}
        choices={[
          { id: "", name: "All", count: marketHashName ? undefined : of("") },
          ...(counts.data?.counts ?? []).map(({ marketplace: place = "" }) => ({
            id: place,
            name: place,
            count: marketHashName ? undefined : of(place),
          })),
        ]}
      />
      {filters.any && (
        <div className="tools">
          <ClearFilters filters={filters} />
        </div>
      )}
      <Card
        title="Observed listings"
        note={total === undefined ? "The newest first" : `${count(total)} in all, the newest first`}
        flush
        extra={<SaveRows name="observed-listings" columns={COLUMNS} of={records} />}
      >
        <RecordTable
          label="Observed listings"
          columns={COLUMNS}
          records={records}
          href={(o) => hrefOf(o.listing)}
          total={total ?? -1}
          empty={
            <Empty icon="market" title={filters.any ? "Nothing like that was observed." : "Nothing was observed yet."}>
              <p>An engine that runs reads the marketplaces of active contracts; other programs may record what they see.</p>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}
