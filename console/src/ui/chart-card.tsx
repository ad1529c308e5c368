import { lazy, Suspense, useState, type ReactNode } from "react";
import { dayLong, moment, money } from "../core/format.ts";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import type { Picture } from "./chart.tsx";
import { Empty, Failed, Skeleton } from "./state.tsx";

const Chart = lazy(() => import("./chart.tsx"));
const SaveRows = lazy(() => import("./copy.tsx").then((m) => ({ default: m.SaveRows<number> })));
interface Asked {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A chart with its legend, its states, and the same numbers as a table. */
export function ChartCard({
  title,
  note,
  query,
  picture,
  summary,
  empty,
  className,
  extra,
  low,
}: {
  title: string;
  note?: ReactNode;
  query: Asked;
  picture: Picture;
  summary: string;
  empty: string;
  className?: string;
  extra?: ReactNode;
  low?: boolean;
}) {
  const [table, setTable] = useState(false);
  const legend = picture.lines.length > 1 && (
    <span className="legend">
      {picture.lines.map((l) => (
        <span key={l.name} className={`${l.kind} ${{ "--chart-2": "c2", "--chart-3": "c3", "--chart-axis": "dim" }[l.colour] ?? ""}`}>
          {l.name}
        </span>
      ))}
    </span>
  );
  const waiting = (
    <div className={low ? "chart low" : "chart"}>
      <Skeleton lines={6} />
    </div>
  );
  const inner = query.isError ? (
    <Failed error={query.error} again={query.refetch} />
  ) : query.isPending ? (
    waiting
  ) : picture.at.length === 0 ? (
    <div className={low ? "chart low" : "chart"}>
      <Empty icon="profit" title={empty} />
    </div>
  ) : table ? (
    <div className={`chart table-view ${low ? "low" : ""}`} tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table className="rows inset">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {picture.lines.map((l) => (
              <th key={l.name} scope="col" className="end">
                {l.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {picture.at.map((t, i) => (
            <tr key={i}>
              <th scope="row">{picture.hours ? moment(t * 1000) : dayLong(t)}</th>
              {picture.lines.map((l) => (
                <td key={l.name} className="num end">
                  {l.values[i] == null ? "–" : money(BigInt(Math.round(l.values[i] * 100)), l.signed ?? false)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ) : (
    <Suspense fallback={waiting}>
      <Chart picture={picture} summary={summary} low={low ?? false} />
    </Suspense>
  );
  return (
    <Card
      className={className ?? ""}
      title={title}
      note={note}
      extra={
        <>
          {legend}
          {extra}
          {table && (
            <Suspense>
              <SaveRows
                name={title.toLowerCase().replaceAll(" ", "-")}
                rows={picture.at.map((_, i) => i)}
                columns={[
                  { head: "Time", text: (i) => new Date(picture.at[i]! * 1000).toISOString() },
                  ...picture.lines.map((l) => ({ head: l.name, text: (i: number) => l.values[i]?.toFixed(2) ?? "" })),
                ]}
              />
            </Suspense>
          )}
          <Button kind="quiet" onPress={() => setTable(!table)}>
            {table ? "Show chart" : "Show table"}
          </Button>
        </>
      }
    >
      {inner}
    </Card>
  );
}
