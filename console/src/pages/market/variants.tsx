import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { count, decimal, money, percent, words } from "../../core/format.ts";
import { someAtOnce } from "../../core/whole.ts";
import { listVariants } from "../../gen/markets/v1/observation_calls.ts";
import { getPrices } from "../../gen/markets/v1/pricing_calls.ts";
import type { Price } from "../../gen/markets/v1/pricing_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { phasesOf } from "./phases.ts";
import { VariantName } from "./variant-name.tsx";
import { hrefOf, nameOf } from "./words.ts";

const MOST = 50;
const cents = (c: bigint | undefined) => (c === undefined ? "" : decimal(c));
const FILE = [
  { head: "Item", text: (p: Price) => p.variant?.marketHashName ?? "" },
  { head: "Phase", text: (p: Price) => p.variant?.phase ?? "" },
  { head: "Value", text: (p: Price) => cents(p.fairValueCents) },
  { head: "Value for selling", text: (p: Price) => cents(p.sellingValueCents) },
  { head: "Lowest ask", text: (p: Price) => cents(p.bestAskCents) },
  { head: "Highest bid", text: (p: Price) => cents(p.bestBidCents) },
  { head: "Confidence", text: (p: Price) => (p.confidenceBps === undefined ? "" : String(p.confidenceBps / 100)) },
  { head: "Liquidity", text: (p: Price) => String(p.liquidityScore ?? "") },
];
const COLUMNS: readonly Column<Price>[] = [
  { id: "item", head: "Item", phone: "title", cell: ({ variant: v }) => <VariantName name={v?.marketHashName} phase={v?.phase} /> },
  {
    id: "value",
    head: "Value",
    width: "7.5rem",
    end: true,
    phone: "end",
    cell: (p) => (p.unpriced ? <span className="muted">{words(p.unpriced)}</span> : <Money cents={p.fairValueCents} />),
  },
  { id: "ask", head: "Lowest ask", width: "7.5rem", end: true, from: "md", cell: (p) => <Money cents={p.bestAskCents} /> },
  { id: "bid", head: "Highest bid", width: "7.5rem", end: true, from: "md", cell: (p) => <Money cents={p.bestBidCents} /> },
  {
    id: "confidence",
    head: "Confidence",
    width: "7rem",
    end: true,
    from: "lg",
    cell: (p) => <span className="num muted">{percent(p.confidenceBps)}</span>,
  },
  {
    id: "liquidity",
    head: "Liquidity",
    width: "6rem",
    end: true,
    from: "xl",
    cell: (p) => <span className="num muted">{p.liquidityScore ?? "–"}</span>,
  },
  {
    id: "note",
    head: "Ask and bid",
    phone: "note",
    phoneOnly: true,
    cell: (p) => `asked ${money(p.bestAskCents)}, bid ${money(p.bestBidCents)}`,
  },
];
const isKnown = (p: Price) => p.sources.length > 0 || p.fairValueCents !== undefined;
/** What the names that begin with a text are worth. A name that has prices only by phase is a row for each. */
async function variantsOf(prefix: string, signal: AbortSignal) {
  const { marketHashNames, truncated } = await listVariants({ prefix, limit: MOST }, { signal });
  if (marketHashNames.length === 0) return { rows: [], truncated: false };
  const priced = async (variants: { marketHashName: string; phase?: string }[]) => (await getPrices({ variants }, { signal })).prices;
  const byPhase = async (p: Price) => {
    const marketHashName = p.variant?.marketHashName ?? "";
    const phases = (await phasesOf(marketHashName, signal)).filter(Boolean);
    return phases.length ? priced(phases.map((phase) => ({ marketHashName, phase }))) : [p];
  };
  const prices = await priced(marketHashNames.map((marketHashName) => ({ marketHashName })));
  return { rows: (await someAtOnce(prices, async (p) => (isKnown(p) ? [p] : byPhase(p)))).flat(), truncated: Boolean(truncated) };
}

export function Variants({ prefix }: { prefix: string }) {
  const query = useQuery({
    queryKey: ["GetPrices", "variants", prefix],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => variantsOf(prefix, signal),
  });
  return (
    <Card
      title="Variants"
      note={query.data?.truncated ? `The first ${count(MOST)} names. Type how one begins.` : "What was observed, bought or held"}
      flush
      extra={<SaveRows name="variants" columns={FILE} rows={query.data?.rows ?? []} />}
    >
      <Loaded query={query} lines={12}>
        {({ rows }) =>
          rows.length > 0 ? (
            <Table label="Variants" columns={COLUMNS} rows={rows} id={(p) => nameOf(p.variant)} href={(p) => hrefOf(p.variant)} />
          ) : prefix ? (
            <Empty icon="market" title="No name begins like that.">
              <p>It was not observed, bought or held. A price source may know it by its whole name.</p>
              <LinkButton href={hrefOf({ marketHashName: prefix })}>Look it up</LinkButton>
            </Empty>
          ) : (
            <Empty icon="market" title="No variant is known yet.">
              <p>Names are here once a listing was observed, or an item was bought.</p>
            </Empty>
          )
        }
      </Loaded>
    </Card>
  );
}
