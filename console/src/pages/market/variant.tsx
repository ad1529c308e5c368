import { useMemo, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ago, count, daysAgo, decimal, iso, money, ms, parseCents, percent, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow, useClock } from "../../core/live.ts";
import { may, useCall } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { getInventoryItems, listInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import type { InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { countMarketObservations, getOrderBook, listMarketObservations, listPriceHistory } from "../../gen/markets/v1/observation_calls.ts";
import { PriceBucket as B } from "../../gen/markets/v1/observation_pb.ts";
import { getPrice, setPriceOverride } from "../../gen/markets/v1/pricing_calls.ts";
import type { Price, SourcePrice } from "../../gen/markets/v1/pricing_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, Money, Stat } from "../../ui/card.tsx";
import { ChartCard } from "../../ui/chart-card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { OPEN } from "../items/words.ts";
import { marksOf, pictureOf } from "./marks.ts";

interface Of {
  name: string;
  phase: string;
  appId: number;
}
const BUCKETS = [
  { id: String(B.HOUR), name: "7 days" },
  { id: String(B.DAY), name: "90 days" },
];

type Level = readonly [side: string, cents: bigint | undefined, where: string | undefined, seen: string];
const BOOK = [
  { head: "Side", text: (l: Level) => l[0] },
  { head: "Price", text: (l: Level) => decimal(l[1] ?? 0n) },
  { head: "Where", text: (l: Level) => l[2] ?? "" },
  { head: "Seen", text: (l: Level) => l[3] },
];
const countsOf = (s: SourcePrice) => (s.stale ? "Too old" : s.outlier ? "Far from the others" : "Counts");
const SOURCES = [
  { head: "Source", text: (s: SourcePrice) => s.name ?? "" },
  { head: "State", text: countsOf },
  { head: "Price", text: (s: SourcePrice) => (s.priceCents === undefined ? "" : decimal(s.priceCents)) },
  { head: "Observed", text: (s: SourcePrice) => iso(s.observedAt) },
];
function noteOf(p: Price | undefined): string {
  if (!p) return "";
  if (p.overridden) return "set by hand";
  if (p.unpriced) return words(p.unpriced);
  const selling = p.sellingValueCents === p.fairValueCents ? "" : `${money(p.sellingValueCents)} for selling, `;
  return `${selling}as of ${ago(p.computedAt, marketNow())}`;
}
export function Variant({ name, phase, appId }: Of) {
  const request = { marketHashName: name, phase, appId };
  const price = useCall(getPrice, request);
  const book = useCall(getOrderBook, request, { enabled: may(getOrderBook) });
  const p = price.data?.price;
  if (price.isError) return <Failed error={price.error} again={price.refetch} />;
  const wait = <Skeleton lines={1} />;
  return (
    <div className="grid">
      <Stat name="Value" value={!p ? wait : p.fairValueCents === undefined ? "No price" : money(p.fairValueCents)} note={noteOf(p)} />
      <Stat name="Lowest ask" value={p ? money(p.bestAskCents) : wait} note="the cheapest that is offered" />
      <Stat name="Highest bid" value={p ? money(p.bestBidCents) : wait} note="the most that a buyer wants to pay" />
      <Stat
        name="Confidence"
        value={p ? percent(p.confidenceBps) : wait}
        note={p?.liquidityScore === undefined ? "liquidity not known" : `liquidity ${p.liquidityScore} of 100`}
      />
      <History name={name} phase={phase} appId={appId} />
      <Card
        className="c4"
        title="Sources"
        note="Why each counts, or does not"
        flush
        extra={<SaveRows name="price-sources" columns={SOURCES} rows={p?.sources ?? []} />}
      >
        {p ? (
          <Sources p={p} />
        ) : (
          <div className="body">
            <Skeleton />
          </div>
        )}
        {may(setPriceOverride) && (
          <div className="body">
            <SetByHand {...{ name, phase, appId }} p={p} />
          </div>
        )}
      </Card>
      <Card
        className="c12"
        title="Order book"
        note="What was seen in the last 15 minutes"
        flush
        extra={
          <>
            {may(listMarketObservations) && (
              <LinkButton kind="quiet" href={`/market?${new URLSearchParams({ view: "listings", marketHashName: name })}`}>
                Observed listings
              </LinkButton>
            )}
            {book.data && (
              <SaveRows
                name="order-book"
                columns={BOOK}
                rows={[
                  ...book.data.asks.map((a) => ["Offered", a.priceCents, a.marketplace, iso(a.seenAt)] as const),
                  ...book.data.bids.map((b) => ["Wanted", b.priceCents, b.source, iso(b.observedAt)] as const),
                ]}
              />
            )}
          </>
        }
      >
        <Loaded query={book}>
          {(b) =>
            b.asks.length + b.bids.length === 0 ? (
              <Empty icon="market" title="Nothing is offered that was observed lately." />
            ) : (
              <div className="book body">
                <Side
                  title="Offered"
                  rows={b.asks.map((a) => [show(a.observationId) || a.listingId!, a.priceCents, a.marketplace, ago(a.seenAt, marketNow())])}
                />
                <Side title="Wanted" rows={b.bids.map((a, n) => [String(n), a.priceCents, a.source, ago(a.observedAt, marketNow())])} />
              </div>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}
/** The most that the server gives of a side. */
const MOST = 200;
/** What is shown of a side at first. */
const FIRST = 15;
type Row = [id: string, cents: bigint | undefined, where: string | undefined, seen: string];
function Side({ title, rows }: { title: string; rows: Row[] }) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, rows.length - FIRST);
  return (
    <div>
      <h3>
        {title} <span className="count">{rows.length >= MOST ? `the first ${count(MOST)}` : count(rows.length)}</span>
      </h3>
      {rows.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <table className="rows inset">
          <thead className="vh">
            <tr>
              <th scope="col">Price</th>
              <th scope="col">Where</th>
              <th scope="col">Seen</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rows.length - hidden).map(([id, cents, where, seen]) => (
              <tr key={id}>
                <th scope="row">
                  <Money cents={cents} />
                </th>
                <td>{where}</td>
                <td className="end muted">{seen}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hidden > 0 && (
        <>
          <br />
          <Button onPress={() => setAll(true)}>Show the other {count(hidden)}</Button>
        </>
      )}
    </div>
  );
}
function Sources({ p }: { p: Price }) {
  if (p.sources.length === 0) return <Empty icon="market" title="No source knows this item." />;
  return (
    <div className="scroll">
      <table className="rows">
        <thead className="vh">
          <tr>
            <th scope="col">Source, and whether it counts</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {p.sources.map((s) => (
            <tr key={s.name}>
              <th scope="row" className="two">
                {s.name} <Badge tone={s.stale || s.outlier ? "warn" : "gain"}>{countsOf(s)}</Badge>
                <small className="muted">{when(s.observedAt)}</small>
              </th>
              <td className="end">
                <Money cents={s.priceCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
const SetByHand = ({ name, phase, appId, p }: Of & { p: Price | undefined }) => (
  <Action
    label="Set by hand"
    call={setPriceOverride}
    title="Set the value by hand"
    confirm="Set the value"
    done="The value is set."
    old={["GetPrice", "GetPrices", "ListPriceOverrides"]}
    start={{ days: "7" }}
    text={
      <p>
        Until it ends, contracts take this as the value of {name}, whatever the sources say. Now: {money(p?.fairValueCents)}.
      </p>
    }
    fields={[
      {
        name: "price",
        label: "Value",
        kind: "money",
        required: true,
        check: (v) => (parseCents(v) === 0n ? "It has to be more than nothing." : undefined),
      },
      { name: "days", label: "For", kind: "whole", suffix: "days", required: true },
      { name: "reason", label: "Reason", required: true, wide: true, max: 200 },
    ]}
    run={async (v) =>
      void (await setPriceOverride({
        marketHashName: name,
        phase,
        appId,
        priceCents: parseCents(v.price!),
        reason: v.reason!.trim(),
        // The server judges it by the time of the market.
        expiresAt: timestampFromDate(new Date(marketNow() + Number(v.days) * 86_400_000)),
      }))
    }
  />
);

/** How many items of a variant are ours, how many were, and how many buys and sells the chart shows. */
function ownText(own: readonly InventoryItem[], { bought, sold }: ReturnType<typeof marksOf>): string {
  const sales = own.filter((i) => i.soldAt).length;
  const held = own.filter((i) => OPEN.includes(i.status ?? 0)).length;
  return `${count(held)} of yours now, ${count(sales)} sold. In this time ${count(bought.length)} bought, ${count(sold.length)} sold`;
}
function History({ name, phase, appId }: Of) {
  const [marketplace, setMarketplace] = useState("");
  const places = useCall(countMarketObservations, {}, { enabled: may(countMarketObservations), staleTime: 60_000 });
  const [bucket, setBucket] = useState(String(B.HOUR));
  const clock = useClock();
  const from = useMemo(() => daysAgo(bucket === String(B.HOUR) ? 7 : 90, marketNow()), [bucket, clock]);
  const query = useCall(
    listPriceHistory,
    { marketHashName: name, phase, appId, marketplace, bucket: Number(bucket) as B, from },
    { keep: true },
  );
  const own = useQuery({
    queryKey: ["ListInventoryItems", "name", name],
    enabled: may(listInventoryItems),
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      wholeList(
        async (asked) => {
          const a = await listInventoryItems({ marketHashName: name, ...asked }, { signal });
          return { ids: a.inventoryItemIds, next: a.nextCursor };
        },
        async (inventoryItemIds) => (await getInventoryItems({ inventoryItemIds }, { signal })).inventoryItems,
      ),
  });
  // The list is by name: a pattern of the same name has prices of its own for each phase.
  const same = useMemo(() => own.data?.filter((i) => (i.phase ?? "") === phase && i.appId === appId), [own.data, phase, appId]);
  const [marks, picture] = useMemo(
    () => {
      const shown = marksOf(same ?? [], ms(from));
      return [shown, pictureOf(query.data?.points ?? [], shown, bucket === String(B.HOUR))] as const;
    },
    // Until the points of another time are there, the old ones are shown.
    [query.data, same],
  );
  const last = query.data?.points.at(-1);
  return (
    <ChartCard
      className="c8"
      title="Prices"
      note={
        same?.length ? (
          <Link href={`/items?${new URLSearchParams({ marketHashName: name })}`} className="textlink">
            {ownText(same, marks)}
          </Link>
        ) : (
          "What was asked for listings"
        )
      }
      query={query}
      picture={picture}
      summary={`Observed prices of ${name}; the last lowest is ${money(last?.lowCents)}.`}
      empty="No price was observed in this time."
      extra={
        <span className="row">
          {(places.data?.counts.length ?? 0) > 1 && (
            <Choice label="Marketplace" none="All marketplaces" value={marketplace} choose={setMarketplace}>
              {places.data?.counts.map((c) => (
                <option key={c.marketplace}>{c.marketplace}</option>
              ))}
            </Choice>
          )}
          <Segments label="Time" choices={BUCKETS} chosen={bucket} choose={setBucket} />
        </span>
      }
    />
  );
}
