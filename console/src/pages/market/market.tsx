import { useSearchParams } from "wouter";
import { useState } from "react";
import { count, decimal, iso, when } from "../../core/format.ts";
import { may, useRecords } from "../../core/queries.ts";
import { countMarketObservations, getMarketObservations, listMarketObservations } from "../../gen/markets/v1/observation_calls.ts";
import type { MarketObservation } from "../../gen/markets/v1/observation_pb.ts";
import { useCall } from "../../core/queries.ts";
import { listWouldBuys } from "../../gen/contracts/v1/would_buy_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head, Money, Named } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty } from "../../ui/state.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Suggested, useVariantNames } from "../../ui/names.tsx";
import { Variant } from "./variant.tsx";
import { Overrides, PricingRulesCard } from "./rules.tsx";

const hrefOf = (o: MarketObservation) =>
  `/market?name=${encodeURIComponent(o.listing?.marketHashName ?? "")}${o.listing?.phase ? `&phase=${encodeURIComponent(o.listing.phase)}` : ""}&app=${o.listing?.appId ?? 730}`;
const COLUMNS: Column<MarketObservation>[] = [
  {
    id: "item",
    head: "Item",
    phone: "title",
    cell: (o) => <Named name={[o.listing?.marketHashName, o.listing?.phase].filter(Boolean).join(" · ")} />,
    text: (o) => o.listing?.marketHashName ?? "",
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
    id: "note",
    head: "Where",
    phone: "note",
    phoneOnly: true,
    cell: (o) => <span>{[o.listing?.phase, o.listing?.marketplace, when(o.listing?.observedAt)].filter(Boolean).join(", ")}</span>,
  },
];
export default function Market() {
  const [search, setSearch] = useSearchParams();
  const name = search.get("name") ?? "",
    phase = search.get("phase") ?? "",
    appId = Number(search.get("app") ?? 730) || 730;
  const [text, setText] = useState(name);
  const names = useVariantNames(text);
  const look = (n: string) => setSearch(n.trim() ? { name: n.trim() } : {});
  return (
    <>
      <Head
        title={name || "Market"}
        note={name ? [phase, `game ${appId}`].filter(Boolean).join(" · ") : "What items are worth, and what the marketplaces show."}
        {...(name ? { back: ["/market", "Market"] as [string, string] } : {})}
      >
        {!name && may(listWouldBuys) && <LinkButton href="/would-buys">Would have bought</LinkButton>}
        <form
          className="row look"
          onSubmit={(e) => {
            e.preventDefault();
            look(text);
          }}
        >
          <label className="search">
            <span className="vh">Whole name of an item</span>
            <Icon name="search" />
            <input
              type="search"
              list="variants"
              placeholder="Whole name of an item"
              value={text}
              onChange={(e) => {
                setText(e.target.value);
                if (names.includes(e.target.value)) look(e.target.value);
              }}
            />
          </label>
          <Suggested id="variants" names={names} />
          <button className="btn" type="submit">
            Look up
          </button>
        </form>
      </Head>
      {name ? <Variant key={`${appId}${name}${phase}`} name={name} phase={phase} appId={appId} /> : <Seen />}
    </>
  );
}
function Seen() {
  const counts = useCall(countMarketObservations, {}, { enabled: may(countMarketObservations) });
  const records = useRecords<MarketObservation>({
    name: "ListMarketObservations",
    filter: "all",
    enabled: may(listMarketObservations),
    list: async (cursor, signal) => {
      const a = await listMarketObservations({ limit: 100, cursor }, { signal });
      return { ids: a.observationIds, next: a.nextCursor };
    },
    get: async (observationIds, signal) => (await getMarketObservations({ observationIds }, { signal })).observations,
  });
  const total = counts.data?.counts.reduce((n, c) => n + (c.count ?? 0), 0);
  return (
    <div className="split">
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
          href={hrefOf}
          total={total ?? -1}
          empty={
            <Empty icon="market" title="Nothing was observed yet.">
              <p>An engine that runs reads the marketplaces of active contracts; other programs may record what they see.</p>
            </Empty>
          }
        />
      </Card>
      <div className="stack">
        <PricingRulesCard />
        <Overrides />
      </div>
    </div>
  );
}
