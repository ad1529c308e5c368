import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { dayLong, dayMonth, moment, money } from "../core/format.ts";
import { place } from "../core/place.ts";

export interface Line {
  name: string;
  kind: "line" | "bars" | "dots" | "step";
  colour: string;
  values: (number | null)[];
  fill?: boolean;
  dash?: boolean;
  signed?: boolean;
}
export interface Picture {
  at: number[];
  lines: Line[];
  zero?: boolean;
  /** Between two of the lines, the upper one first: drawn as a loss. */
  bands?: readonly [upper: number, lower: number][];
  /** No value is above zero. */
  below?: boolean;
  hours?: boolean;
  /** Within a day or two: the axis has the time of the day. */
  clock?: boolean;
}

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/** light-dark() and oklch are resolved by the browser: a canvas takes what a probe element computed. */
function colours(names: string[]): string[] {
  const probe = document.createElement("i");
  document.body.append(probe);
  const out = names.map((n) => {
    probe.style.color = `var(${n})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return out;
}
const inUnits = (v: number, digits: number, compact: boolean) =>
  v
    .toLocaleString(undefined, {
      ...(compact ? { notation: "compact" } : {}),
      style: "currency",
      currency: place.currency,
      currencyDisplay: "narrowSymbol",
      maximumFractionDigits: compact ? 1 : digits,
      minimumFractionDigits: compact ? 0 : digits,
    })
    .replace("-", "−");

function seriesOf(l: Line, [colour, fill, loss]: string[]): uPlot.Series {
  const common = { label: l.name, stroke: colour!, ...(l.dash ? { dash: [5, 4] } : {}) };
  if (l.kind === "dots") return { ...common, width: 0, paths: () => null, points: { show: true, size: 8, fill: colour!, stroke: colour! } };
  if (l.kind === "bars") {
    return {
      ...common,
      fill: colour!,
      width: 0,
      points: { show: false },
      paths: uPlot.paths.bars!({
        size: [0.55, 14],
        radius: 0.2,
        disp: {
          fill: { unit: 3, values: (u: uPlot) => (u.data.at(-1) && l.values.map((v) => ((v ?? 0) < 0 ? loss! : colour!))) as never },
        },
      }),
    };
  }
  const path = l.kind === "step" ? uPlot.paths.stepped!({ align: 1 }) : uPlot.paths.spline!();
  return {
    ...common,
    // The line of the page is the strongest: the others say where it comes from.
    width: l.colour === "--chart-1" ? 2.75 : 1.5,
    spanGaps: true,
    points: { show: l.values.filter((v) => v !== null).length < 3, size: 6 },
    paths: path,
    ...(l.fill ? { fill: fill! } : {}),
  };
}

/** The one chart of the console. The picture is decoration to a screen reader, which gets the sentence and the table. */
export default function Chart({ picture, summary, low }: { picture: Picture; summary: string; low?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    let plot: uPlot | undefined;
    const point = (u: uPlot) => {
      const t = tip.current,
        i = u.cursor.idx;
      if (!t) return;
      t.hidden = i == null || (u.cursor.left ?? -1) < 0;
      if (t.hidden || i == null) return;
      const title = picture.hours ? moment(picture.at[i]! * 1000) : dayLong(picture.at[i]!);
      const rows = picture.lines
        .filter((l) => l.values[i] != null)
        .map((l) => [l.name, money(BigInt(Math.round(l.values[i]! * 100)), l.signed ?? false)]);
      t.replaceChildren(
        ...[[title, ""], ...rows].map(([a, b]) => {
          const d = document.createElement("div");
          d.append(
            Object.assign(document.createElement("span"), { textContent: a }),
            Object.assign(document.createElement("b"), { className: "num", textContent: b }),
          );
          return d;
        }),
      );
      t.style.insetInlineStart = `${Math.max(8, Math.min((u.cursor.left ?? 0) + 76, u.width - 200))}px`;
      t.style.insetBlockStart = "12px";
    };
    const draw = () => {
      plot?.destroy();
      const [grid, axis, loss, soft, fill, ...strokes] = colours([
        "--chart-grid",
        "--chart-axis",
        "--loss",
        "--loss-soft",
        "--chart-fill",
        ...picture.lines.map((l) => l.colour),
      ]);
      const font = `500 11px ${css("--font-sans")}`;
      const axes = { stroke: axis!, font, ticks: { show: false }, grid: { stroke: grid!, width: 1 } };
      // What bounds a band is drawn after it: the first line would otherwise lose its half below it.
      const [main, ...others] = picture.lines;
      const lines = picture.bands && main ? [...others, main] : picture.lines;
      const of = new Map(picture.lines.map((l, i) => [l, strokes[i]!]));
      const at = (line: number) => lines.indexOf(picture.lines[line]!) + 1;
      const all = picture.lines.flatMap((l) => l.values.filter((v): v is number => v !== null));
      const small = all.length > 0 && Math.max(...all.map(Math.abs)) < 20;
      const zero = picture.zero ?? true;
      plot = new uPlot(
        {
          width: el.clientWidth,
          height: el.clientHeight,
          padding: [12, 18, 0, 0],
          cursor: { y: false, points: { size: 7, width: 2 }, drag: { x: false, y: false } },
          scales: {
            x: { time: true, range: (_u, lo, hi) => (lo === hi ? [lo - 43_200, hi + 43_200] : [lo, hi]) },
            y: {
              range: (_u, lo, hi) => {
                const pad = Math.max((hi - lo) * 0.08, small ? 0.05 : 1);
                if (!zero) return [lo - pad, hi + pad];
                if (lo === 0 && hi === 0) return picture.below ? [-1, 0] : [0, 1];
                return [lo < 0 ? lo - pad : 0, hi > 0 ? hi + pad : 0];
              },
            },
          },
          axes: [
            {
              ...axes,
              grid: { show: false },
              space: 80,
              size: 34,
              values: (_u, ts) =>
                ts.map((t, i) =>
                  picture.clock ? moment(t * 1000, { timeStyle: "short" }) : i && dayMonth(t) === dayMonth(ts[i - 1]!) ? "" : dayMonth(t),
                ),
            },
            {
              ...axes,
              size: 62,
              space: 40,
              values: (_u, vs) =>
                vs.map((v) => inUnits(v, small || vs.some((x) => !Number.isInteger(x)) ? 2 : 0, Math.max(...vs.map(Math.abs)) >= 100_000)),
            },
          ],
          series: [{}, ...lines.map((l) => seriesOf(l, [of.get(l)!, fill!, loss!]))],
          bands: (picture.bands ?? []).map(([upper, lower]) => ({ series: [at(upper), at(lower)], fill: soft! })),
          hooks: { setCursor: [point] },
        },
        [picture.at, ...lines.map((l) => l.values)] as uPlot.AlignedData,
        el,
      );
    };
    draw();
    const size = new ResizeObserver(() => plot?.setSize({ width: el.clientWidth, height: el.clientHeight }));
    size.observe(el);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const theme = new MutationObserver(draw);
    dark.addEventListener("change", draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      size.disconnect();
      theme.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [picture]);
  return (
    <div className={low ? "chart low" : "chart"} role="img" aria-label={summary}>
      <div ref={box} />
      <div ref={tip} className="tip" hidden />
    </div>
  );
}
