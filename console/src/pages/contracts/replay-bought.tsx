import { lazy, Suspense, useMemo } from "react";
import { count, daysAgo, decimal, iso, money, ms, percent, several, when } from "../../core/format.ts";
import { show, uuid } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { drawn } from "../../core/series.ts";
import type { SimulateContractResponse, WouldHaveBought } from "../../gen/contracts/v1/evaluation_pb.ts";
import { Card, Money, Named } from "../../ui/card.tsx";
import type { Picture } from "../../ui/chart.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Skeleton } from "../../ui/state.tsx";
import { Table, type Column } from "../../ui/table.tsx";

const Chart = lazy(() => import("../../ui/chart.tsx"));

const nameOf = (b: WouldHaveBought): string => [b.marketHashName, b.phase].filter(Boolean).join(" · ");
const amount = (cents: bigint | undefined): string => (cents === undefined ? "" : decimal(cents));
/** How far the cost is below the value, in hundredths of a percent: with the fee, as the rule of the contract counts it. */
function discount({ allInCostCents: cost, fairValueCents: value }: WouldHaveBought): bigint | undefined {
  return cost !== undefined && value ? ((value - cost) * 10_000n) / value : undefined;
}
const COLUMNS: Column<WouldHaveBought>[] = [
  { id: "item", head: "Item", phone: "title", cell: (b) => <Named name={nameOf(b)} />, text: nameOf },
  {
    id: "market",
    head: "Marketplace",
    width: "8rem",
    from: "lg",
    phone: "status",
    cell: (b) => <span className="clip muted">{b.marketplace}</span>,
    text: (b) => b.marketplace ?? "",
  },
  {
    id: "price",
    head: "Price",
    width: "6.5rem",
    end: true,
    phone: "end",
    cell: (b) => <Money cents={b.priceCents} />,
    text: (b) => amount(b.priceCents),
  },
  { id: "cost", head: "With fee", phoneOnly: true, cell: () => null, text: (b) => amount(b.allInCostCents) },
  {
    id: "value",
    head: "Value",
    width: "6.5rem",
    end: true,
    cell: (b) => <Money cents={b.fairValueCents} />,
    text: (b) => amount(b.fairValueCents),
  },
  {
    id: "below",
    head: "Below value",
    width: "7rem",
    end: true,
    from: "md",
    cell: (b) => <span className="num muted">{percent(discount(b))}</span>,
    text: (b) => amount(discount(b)),
  },
  {
    id: "at",
    head: "Time",
    width: "11.5rem",
    end: true,
    from: "md",
    phone: "note",
    cell: (b) => <span className="num muted">{when(b.createdAt)}</span>,
    text: (b) => iso(b.createdAt),
  },
  { id: "float", head: "Float", phoneOnly: true, cell: () => null, text: (b) => b.floatValue ?? "" },
  { id: "listing", head: "Listing", phoneOnly: true, cell: () => null, text: (b) => b.listingId ?? "" },
  { id: "observation", head: "Observation", phoneOnly: true, cell: () => null, text: (b) => uuid(b.observationId!) },
];

/** Each listing at its time and its price. The axis has the time of the whole replay, as the chart of its steps. */
function pictureOf(bought: readonly WouldHaveBought[], from: number, until: number, clock: boolean): Picture {
  const values = bought.map((b) => (b.fairValueCents === undefined ? null : drawn(b.fairValueCents)));
  const prices = bought.map((b) => drawn(b.priceCents));
  return {
    at: [from, ...bought.map((b) => ms(b.createdAt)), until].map((t) => t / 1000),
    zero: false,
    hours: true,
    clock,
    lines: [
      { name: "Value", kind: "dots", colour: "--chart-3", values: [null, ...values, null] },
      { name: "Price", kind: "dots", colour: "--chart-2", values: [null, ...prices, null] },
    ],
  };
}
function sentence(bought: readonly WouldHaveBought[]): string {
  const prices = bought.map((b) => b.priceCents ?? 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `Each listing that it would have bought, at its time and its price: ${several(bought.length, "listing", "listings")} from ${money(prices[0])} to ${money(prices.at(-1))}.`;
}

/** What the contract would have bought: each listing drawn by time and price, and as a table. */
export function Bought({ name, days, whole }: { name: string; days: number; whole: SimulateContractResponse }) {
  const bought = whole.wouldHaveBought;
  const picture = useMemo(() => pictureOf(bought, ms(daysAgo(days, marketNow())), ms(whole.until) + 1, days === 1), [bought, days]);
  const more = (whole.wouldBuy ?? 0) > bought.length;
  return (
    <Card
      title="What it would have bought"
      note={more ? `The first ${count(bought.length)} of ${count(whole.wouldBuy)} listings` : several(bought.length, "listing", "listings")}
      flush
      extra={<SaveRows name={`replay-${name}-listings`} columns={COLUMNS} rows={bought} />}
    >
      <div className="body stack">
        <span className="legend">
          <span className="dots c3">Value</span>
          <span className="dots c2">Price</span>
        </span>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Chart picture={picture} summary={sentence(bought)} low />
        </Suspense>
      </div>
      <Table label="What it would have bought" columns={COLUMNS} rows={bought} id={(b) => show(b.observationId)} />
    </Card>
  );
}
