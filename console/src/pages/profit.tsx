import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { count, decimal, money, toneOf } from "../core/format.ts";
import { marketNow, useClock } from "../core/live.ts";
import { useContractNames, usePoolNames } from "../core/names.ts";
import { place } from "../core/place.ts";
import { useCall } from "../core/queries.ts";
import { drawdownPicture, profitPicture } from "../core/series.ts";
import { firstOf } from "../core/zone.ts";
import { exportProfitAndLoss, getProfitAndLoss, getProfitAndLossSeries } from "../gen/contracts/v1/profit_and_loss_calls.ts";
import {
  ProfitAndLossBucket as B,
  ProfitAndLossFormat,
  ProfitAndLossGrouping as G,
  type ProfitAndLossRow,
} from "../gen/contracts/v1/profit_and_loss_pb.ts";
import { Action } from "../ui/action.tsx";
import { Card, figure, Head, Money, Stat } from "../ui/card.tsx";
import { ChartCard } from "../ui/chart-card.tsx";
import { save, SaveRows } from "../ui/copy.tsx";
import { Segments } from "../ui/segments.tsx";
import { Empty, Failed, Notice, Skeleton } from "../ui/state.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Equity, maySeeEquity } from "./overview/equity.tsx";

const cents = (
  id: string,
  head: string,
  of: (r: ProfitAndLossRow) => bigint | undefined,
  more: Partial<Column<ProfitAndLossRow>>,
  signed = false,
): Column<ProfitAndLossRow> => ({
  id,
  head,
  width: "9.25rem",
  end: true,
  cell: (r) => <Money cents={of(r)} signed={signed} />,
  text: (r) => decimal(of(r) ?? 0n),
  ...more,
});
const SPANS = [
  { id: "7", name: "7 days" },
  { id: "30", name: "30 days" },
  { id: "90", name: "90 days" },
  { id: "365", name: "1 year" },
];
const BUCKETS = [
  { id: String(B.DAY), name: "Day" },
  { id: String(B.WEEK), name: "Week" },
  { id: String(B.MONTH), name: "Month" },
];
const GROUPS: [G, string][] = [
  [G.CONTRACT, "Contract"],
  [G.SELLING_CONTRACT, "Selling contract"],
  [G.POOL, "Pool"],
  [G.ACCOUNT, "Account"],
  [G.BUY_MARKETPLACE, "Bought on"],
  [G.SELL_MARKETPLACE, "Sold on"],
  [G.ITEM_NAME, "Item"],
];
const STEP: Record<string, string> = { [B.DAY]: "That day", [B.WEEK]: "That week", [B.MONTH]: "That month" };
const urlKey = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fees = (r: ProfitAndLossRow) => (r.buyFeesCents ?? 0n) + (r.saleFeesCents ?? 0n);

export default function Profit() {
  const [search, setSearch] = useSearchParams();
  const days = search.get("days") ?? "30",
    bucket = search.get("by") ?? String(B.DAY),
    group = Number(search.get("group") ?? G.BUY_MARKETPLACE) as G;
  const set = (change: Record<string, string>) => setSearch({ days, by: bucket, group: String(group), ...change });
  const clock = useClock();
  const [from, fromUtc] = useMemo(() => firstOf(Number(days), marketNow()), [days, clock]);
  const timeZone = place.timeZone;
  const sum = useCall(getProfitAndLoss, { from, timeZone, groupBy: G.NONE }, { keep: true });
  const series = useCall(getProfitAndLossSeries, { from, timeZone, bucket: Number(bucket) as B }, { keep: true });
  const rows = useCall(getProfitAndLoss, { from, timeZone, groupBy: group }, { keep: true });
  const contracts = useContractNames(),
    pools = usePoolNames();
  const picture = useMemo(() => profitPicture(series.data?.points ?? [], STEP[bucket] ?? "Step"), [series.data, bucket]);
  const down = useMemo(() => drawdownPicture(series.data?.points ?? []), [series.data]);
  const all = sum.data?.rows[0];
  const one = (cents: bigint | undefined, signed = true) => figure(sum, sum.data && money(cents ?? 0n, signed));
  const worst = Math.min(0, ...(down.lines[0]?.values.map((v) => v ?? 0) ?? []));
  const nameOf = (r: ProfitAndLossRow) =>
    !r.key
      ? "None"
      : group === G.CONTRACT || group === G.SELLING_CONTRACT
        ? (contracts.data?.get(urlKey(r.key))?.name ?? r.key)
        : group === G.POOL
          ? (pools.data?.get(urlKey(r.key))?.name ?? r.key)
          : r.key;
  const columns: Column<ProfitAndLossRow>[] = [
    {
      id: "name",
      head: GROUPS.find(([g]) => g === group)?.[1] ?? "",
      phone: "title",
      cell: (r) => <span className="clip">{nameOf(r)}</span>,
      text: nameOf,
    },
    {
      id: "sold",
      head: "Final sales",
      width: "7rem",
      end: true,
      from: "md",
      cell: (r) => <span className="num">{count(r.soldCount)}</span>,
      text: (r) => String(r.soldCount ?? 0n),
    },
    cents("cost", "Cost", (r) => r.costSoldCents, { from: "lg" }),
    cents("proceeds", "Proceeds", (r) => r.proceedsCents, { from: "xl" }),
    cents("fees", "Fees", fees, { from: "lg" }),
    cents("realised", "Realised", (r) => r.realisedCents, { phone: "end" }, true),
    cents("pending", "Pending", (r) => r.pendingCents, { from: "md" }, true),
    cents("off", "Written off", (r) => r.writeOffsCents, { from: "xl" }),
    {
      id: "open",
      head: "Unrealised",
      width: "8rem",
      end: true,
      from: "md",
      cell: (r) =>
        (r.openCount ?? 0n) > 0n && r.unpricedCount === r.openCount ? (
          <span className="muted">no price</span>
        ) : (
          <Money cents={r.unrealisedCents} signed />
        ),
      text: (r) => (r.unrealisedCents === undefined ? "" : decimal(r.unrealisedCents)),
    },
    { id: "note", head: "Final sales", phone: "note", phoneOnly: true, cell: (r) => <span>{count(r.soldCount)} final sales</span> },
  ];
  const summary = `Realised profit: ${money(all?.realisedCents, true)}.`;
  return (
    <>
      <Head title="Profit and loss" note={`Final sales count on the day they became final. Days in ${timeZone}.`}>
        <Segments label="Time" choices={SPANS} chosen={days} choose={(v) => set({ days: v })} />
        <Action
          label="Export"
          icon="down"
          call={exportProfitAndLoss}
          title="Export as a file"
          confirm="Export"
          start={{ format: String(ProfitAndLossFormat.CSV) }}
          text={<p>All rows by {GROUPS.find(([g]) => g === group)?.[1].toLowerCase()} of the time that is shown, amounts in cents.</p>}
          fields={[
            {
              name: "format",
              label: "Format",
              kind: "select",
              wide: true,
              options: [
                [String(ProfitAndLossFormat.CSV), "Comma-separated values"],
                [String(ProfitAndLossFormat.JSON), "JSON"],
              ],
            },
          ]}
          old={["-"]}
          run={async (v) => {
            const f = Number(v.format) as ProfitAndLossFormat;
            const a = await exportProfitAndLoss({ from, timeZone, groupBy: group, format: f });
            save(
              f === ProfitAndLossFormat.JSON ? "profit.json" : "profit.csv",
              a.content ?? "",
              f === ProfitAndLossFormat.JSON ? "application/json" : "text/csv",
            );
          }}
        />
      </Head>
      <div className="grid">
        <Stat
          name="Realised"
          value={one(all?.realisedCents)}
          tone={toneOf(all?.realisedCents)}
          note={sum.data ? `${count(all?.soldCount ?? 0n)} final sales` : "Final sales less cost and fees"}
        />
        <Stat name="Pending" value={one(all?.pendingCents)} tone={toneOf(all?.pendingCents)} note="Sales that can still be reversed" />
        <Stat
          name="Fees"
          value={one(all && fees(all), false)}
          note={all ? `${money(all.buyFeesCents)} buying, ${money(all.saleFeesCents)} selling` : ""}
        />
        <Stat
          name="Written off"
          value={one(all?.writeOffsCents, false)}
          tone={all?.writeOffsCents ? "loss" : ""}
          note="Items and money accepted as lost"
        />
        {maySeeEquity() && <Equity from={fromUtc} className="c12" />}
        <ChartCard
          className="c12"
          title="Realised profit"
          query={series}
          picture={picture}
          summary={summary}
          empty="Nothing was sold in this time."
          extra={<Segments label="Step" choices={BUCKETS} chosen={bucket} choose={(v) => set({ by: v })} />}
        />
        <ChartCard
          className="c12"
          low
          title="Realised, below its peak"
          note="How far the realised total is under its highest point so far"
          query={series}
          picture={down}
          summary={`The total was at most ${money(BigInt(Math.round(worst * 100)))} below its peak.`}
          empty="Nothing was sold in this time."
        />
        <Card
          className="c12"
          title="By"
          flush
          extra={
            <>
              <Segments
                label="Grouping"
                choices={GROUPS.map(([g, name]) => ({ id: String(g), name }))}
                chosen={String(group)}
                choose={(v) => set({ group: v })}
              />
              <SaveRows name="profit-by-group" columns={columns} rows={rows.data?.rows ?? []} />
            </>
          }
        >
          {rows.data?.truncated && (
            <div className="body">
              <Notice>Only the first rows are shown. The export has all of them.</Notice>
            </div>
          )}
          {rows.isError ? (
            <div className="body">
              <Failed error={rows.error} again={rows.refetch} />
            </div>
          ) : !rows.data ? (
            <div className="body">
              <Skeleton lines={6} />
            </div>
          ) : rows.data.rows.length === 0 ? (
            <Empty icon="profit" title="Nothing was sold or held in this time." />
          ) : (
            <Table label="Profit and loss" columns={columns} rows={rows.data.rows} id={(r) => r.key ?? ""} />
          )}
        </Card>
      </div>
    </>
  );
}
