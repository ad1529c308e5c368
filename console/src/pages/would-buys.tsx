import { Link } from "wouter";
import { useContractChoices } from "../core/contract-choices.ts";
import { count, decimal, iso, money, percent, several, when } from "../core/format.ts";
import { read, show } from "../core/ids.ts";
import { useContractNames } from "../core/names.ts";
import { usePages } from "../core/pages.ts";
import { useCall } from "../core/queries.ts";
import { FollowUpOutcome as F, type Intent } from "../gen/contracts/v1/intent_pb.ts";
import { getWouldBuyReport, listWouldBuys } from "../gen/contracts/v1/would_buy_calls.ts";
import type { GetWouldBuyReportResponse } from "../gen/contracts/v1/would_buy_pb.ts";
import { Card, Head, Money, Named, Stat } from "../ui/card.tsx";
import { SaveRows } from "../ui/copy.tsx";
import { ClearFilters, FilterChoice, useFilters } from "../ui/filters.tsx";
import { Empty, Loaded } from "../ui/state.tsx";
import { Badge } from "../ui/status.tsx";
import { RecordTable, type Column } from "../ui/table.tsx";
import { discount, OUTCOMES, outcomeOf, nameOf, priceOf } from "./approvals/words.ts";

const TONES = { [F.UNSPECIFIED]: "", [F.ON_SALE]: "gain", [F.PRICE_RAISED]: "warn", [F.OFF_SALE]: "", [F.NOT_SHOWN]: "" } as const;
const costOf = (i: Intent) => (i.listing?.priceCents ?? 0n) + (i.listing?.platformFeeCents ?? 0n);
const columns = (names: ReadonlyMap<string, { name?: string | undefined }>): Column<Intent>[] => [
  { id: "item", head: "Item", phone: "title", cell: (i) => <Named name={nameOf(i)} />, text: nameOf },
  {
    id: "market",
    head: "Marketplace",
    width: "8rem",
    from: "xl",
    cell: (i) => <span className="clip">{i.listing?.marketplace}</span>,
    text: (i) => i.listing?.marketplace ?? "",
  },
  {
    id: "outcome",
    head: "Ten minutes later",
    width: "10rem",
    phone: "status",
    cell: (i) => <Badge tone={TONES[i.followUp?.outcome ?? F.UNSPECIFIED]}>{outcomeOf(i.followUp)}</Badge>,
    text: (i) => outcomeOf(i.followUp),
  },
  {
    id: "contract",
    head: "Contract",
    width: "11rem",
    from: "xl",
    cell: (i) => <span className="clip muted">{names.get(show(i.contractId))?.name ?? "–"}</span>,
    text: (i) => names.get(show(i.contractId))?.name ?? "",
  },
  {
    id: "price",
    head: "Price",
    width: "6.5rem",
    end: true,
    phone: "end",
    cell: (i) => <Money cents={priceOf(i)} />,
    text: (i) => decimal(priceOf(i) ?? 0n),
  },
  { id: "cost", head: "With fee", phoneOnly: true, cell: () => null, text: (i) => decimal(costOf(i)) },
  {
    id: "value",
    head: "Value",
    width: "6.5rem",
    end: true,
    from: "md",
    cell: (i) => <Money cents={i.fairValueCents} />,
    text: (i) => (i.fairValueCents === undefined ? "" : decimal(i.fairValueCents)),
  },
  {
    id: "below",
    head: "Below value",
    width: "7rem",
    end: true,
    from: "lg",
    cell: (i) => <span className="num muted">{percent(discount(i))}</span>,
  },
  {
    id: "at",
    head: "Decided",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (i) => <span className="num muted">{when(i.createdAt)}</span>,
    text: (i) => iso(i.createdAt),
  },
  {
    id: "note",
    head: "Where",
    phone: "note",
    phoneOnly: true,
    cell: (i) => (
      <span>
        {i.listing?.marketplace}, {when(i.createdAt)}
      </span>
    ),
  },
];

/** What contracts would have bought at marketplaces that are only read. */
const FILTERS = ["contract"];
export default function WouldBuys() {
  const filters = useFilters(FILTERS);
  const contract = filters.of("contract");
  const contracts = useContractChoices(contract);
  const contractId = read(contract);
  const names = useContractNames();
  const report = useCall(getWouldBuyReport, { contractId });
  const records = usePages<Intent>({
    name: "ListWouldBuys",
    filter: contract,
    page: async (cursor, signal) => {
      const a = await listWouldBuys({ limit: 100, cursor, contractId }, { signal });
      return { rows: a.intents, next: a.nextCursor };
    },
  });
  const shown = columns(names.data ?? new Map());
  return (
    <>
      <Head
        title="Would have bought"
        back={["/market", "Market"]}
        note="What active contracts would have bought at marketplaces that are only read. Nothing was bought."
      >
        <SaveRows name="would-have-bought" columns={shown} of={records} />
      </Head>
      <div className="tools">
        <FilterChoice label="Contract" name="contract" filters={filters} choices={contracts} />
        <ClearFilters filters={filters} />
      </div>
      <div className="stack">
        <Loaded query={report} lines={2}>
          {(a) => <Report of={a} />}
        </Loaded>
        <Card flush>
          <RecordTable
            label="What contracts would have bought"
            columns={shown}
            records={records}
            href={(i) => `/approvals/${show(i.id)}`}
            empty={
              <Empty
                icon="market"
                title={contract ? "This contract would have bought nothing yet." : "No contract would have bought anything yet."}
              >
                <p>
                  Add a marketplace that is only read to the{" "}
                  <Link href="/providers" className="textlink">
                    providers
                  </Link>
                  , and activate a contract that names it.
                </p>
              </Empty>
            }
          />
        </Card>
      </div>
    </>
  );
}
/** The sum of 30 days, and its parts by the second look at the listings. */
function Report({ of }: { of: GetWouldBuyReportResponse }) {
  const sumOf = (...outcomes: F[]) =>
    of.sums
      .filter((s) => outcomes.length === 0 || outcomes.includes(s.outcome ?? F.UNSPECIFIED))
      .reduce((all, s) => ({ items: all.items + (s.count ?? 0), cost: all.cost + (s.costCents ?? 0n) }), { items: 0, cost: 0n });
  const unknown = sumOf(F.UNSPECIFIED, F.NOT_SHOWN).items;
  const all = sumOf();
  return (
    <div className="grid">
      <Stat
        name="Cost in 30 days"
        value={<Money cents={all.cost} />}
        note={`${several(all.items, "item", "items")} with fees${unknown ? `, ${count(unknown)} not looked at yet or not shown` : ""}`}
      />
      {[F.ON_SALE, F.PRICE_RAISED, F.OFF_SALE].map((outcome) => {
        const { items, cost } = sumOf(outcome);
        return <Stat key={outcome} name={OUTCOMES[outcome]} value={count(items)} note={`after ten minutes, for ${money(cost)}`} />;
      })}
    </div>
  );
}
