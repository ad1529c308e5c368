import { useMemo, useState } from "react";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { equityPicture, marksOf, type EquityView } from "../../core/equity.ts";
import { dayOf, money, percent, several } from "../../core/format.ts";
import { place } from "../../core/place.ts";
import { may, useCall } from "../../core/queries.ts";
import { getEquitySeries } from "../../gen/contracts/v1/profit_and_loss_calls.ts";
import type { EquityPoint, GetEquitySeriesResponse } from "../../gen/contracts/v1/profit_and_loss_pb.ts";
import { ChartCard } from "../../ui/chart-card.tsx";
import { Segments } from "../../ui/segments.tsx";

const VIEWS = [
  { id: "worth", name: "Worth" },
  { id: "profit", name: "Profit" },
];
export const maySeeEquity = (): boolean => may(getEquitySeries);
export const useEquity = (from: Timestamp) => useCall(getEquitySeries, { from }, { enabled: maySeeEquity(), keep: true });

/** How deep the series went. */
function depthOf(series: GetEquitySeriesResponse | undefined): string {
  if (!series?.points.length) return "Money, items at their last known value, and profit that is pending";
  const { maxDrawdownCents = 0n, maxDrawdownBps } = series;
  return maxDrawdownCents > 0n
    ? `At most ${money(maxDrawdownCents)} (${percent(maxDrawdownBps)}) below the peak`
    : "Never below the peak in this time";
}
/** The series in one sentence, with what of the present value is not known. */
function sentence(marks: readonly EquityPoint[], series: GetEquitySeriesResponse | undefined): string {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return "";
  const unpriced = series?.now?.unpricedCount ?? 0n;
  const way = `Equity from ${money(first.equityCents)} on ${dayOf(first.at)} to ${money(last.equityCents)} on ${dayOf(last.at)}`;
  return `${way}. ${depthOf(series)}. ${unpriced ? `${several(unpriced, "item counts", "items count")} at cost.` : ""}`;
}
/** What everything is worth day by day, with the band of its drawdown; and the profit in it by its parts. */
export function Equity({ from, className }: { from: Timestamp; className: string }) {
  const [view, setView] = useState<EquityView>("worth");
  const query = useEquity(from);
  const marks = useMemo(() => marksOf(query.data), [query.data]);
  const picture = useMemo(() => equityPicture(marks, view), [marks, view]);
  return (
    <ChartCard
      className={className}
      title="Equity"
      note={`${depthOf(query.data)}${place.timeZone === "UTC" ? "" : ". Days in UTC"}`}
      query={query}
      picture={picture}
      empty="The first daily mark is taken tonight."
      summary={sentence(marks, query.data)}
      extra={<Segments label="What is drawn" choices={VIEWS} chosen={view} choose={(v) => setView(v as EquityView)} />}
    />
  );
}
