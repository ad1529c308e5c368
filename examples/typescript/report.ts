// Purchases, settled purchases, and profit and loss by contract and day: a table on the terminal, and CSV for a spreadsheet.
//
//     TRADEPOST_URL=… TRADEPOST_API_KEY=… node report.js [--from 2026-11-01] [--to 2026-12-01] [--csv report.csv]
//
// Days are those of UTC, the last 30 by default; `--to` is excluded. A key with the policy `analytics` is enough.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  connect,
  type Contract,
  formatCents,
  ProfitAndLossBucket,
  PurchaseStatus,
  timestampDate,
  timestampFromDate,
  type Tradepost,
} from "tradepost";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The days of a report: from one midnight of UTC to another, which is excluded. */
interface Period {
  from: Date;
  to: Date;
}

/** What happened under one contract on one day. */
interface Row {
  day: string;
  contract: string;
  /** Purchases that were recorded. */
  purchases: number;
  /** Purchases whose trade can no longer be reversed since this day. */
  settled: number;
  /** Sales that became final. */
  sold: bigint;
  realisedCents: bigint;
  writeOffsCents: bigint;
}

type Sums = Omit<Row, "day" | "contract">;

const COLUMNS = ["day", "contract", "purchases", "settled", "sold", "realised", "write-offs"];

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function nothing(): Sums {
  return { purchases: 0, settled: 0, sold: 0n, realisedCents: 0n, writeOffsCents: 0n };
}

function isEmpty(row: Sums): boolean {
  return row.purchases + row.settled === 0 && row.sold === 0n && row.realisedCents === 0n && row.writeOffsCents === 0n;
}

/** Returns the rows of every contract, the days of each in order; a day on which nothing happened has none. */
async function report(tradepost: Tradepost, period: Period): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const contract of tradepost.contracts.contracts()) {
    const days = await profitAndLoss(tradepost, contract, period);
    await countPurchases(tradepost, contract, days);
    for (const [day, sums] of days) {
      if (!isEmpty(sums)) {
        rows.push({ day, contract: contract.name ?? "", ...sums });
      }
    }
  }
  return rows;
}

/** Returns every day of the period with what was earned and lost of what a contract bought. */
async function profitAndLoss(tradepost: Tradepost, { id: contractId }: Contract, { from, to }: Period): Promise<Map<string, Sums>> {
  const { points } = await tradepost.contracts.getProfitAndLossSeries({
    contractId,
    from: timestampFromDate(from),
    to: timestampFromDate(to),
    bucket: ProfitAndLossBucket.DAY,
  });
  const days = new Map<string, Sums>();
  for (const { at, realisedCents = 0n, soldCount: sold = 0n, writeOffsCents = 0n } of points) {
    if (at) {
      days.set(dayOf(timestampDate(at)), { ...nothing(), sold, realisedCents, writeOffsCents });
    }
  }
  return days;
}

/** Counts the purchases of a contract on the days on which they were recorded, and on which they settled. */
async function countPurchases(tradepost: Tradepost, { id: contractId }: Contract, days: Map<string, Sums>): Promise<void> {
  for await (const { createdAt, status, updatedAt } of tradepost.contracts.purchases({ contractId })) {
    const recorded = createdAt && days.get(dayOf(timestampDate(createdAt)));
    if (recorded) {
      recorded.purchases += 1;
    }
    // SETTLED is final, so the last change of the purchase is that it settled.
    const settled = status === PurchaseStatus.SETTLED && updatedAt && days.get(dayOf(timestampDate(updatedAt)));
    if (settled) {
      settled.settled += 1;
    }
  }
}

function total(rows: Row[]): Sums {
  const sums = nothing();
  for (const row of rows) {
    sums.purchases += row.purchases;
    sums.settled += row.settled;
    sums.sold += row.sold;
    sums.realisedCents += row.realisedCents;
    sums.writeOffsCents += row.writeOffsCents;
  }
  return sums;
}

function cells(row: Row): string[] {
  const { contract, day, purchases, realisedCents, settled, sold, writeOffsCents } = row;
  return [day, contract, `${purchases}`, `${settled}`, `${sold}`, formatCents(realisedCents), formatCents(writeOffsCents)];
}

/** Draws a table: texts to the left, numbers to the right. */
function table(lines: string[][]): string {
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const pad = (cell: string, column: number) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** Writes CSV after RFC 4180. A text with which a formula could begin gets an apostrophe, so that no spreadsheet calculates it. */
function csv(lines: string[][]): string {
  const cell = (text: string, column: number) => {
    const safe = column < 2 && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** Reads a day such as `2026-11-01` as its midnight of UTC. */
function midnight(day: string): Date {
  const time = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) {
    throw new RangeError(`not a day such as 2026-11-01: "${day}"`);
  }
  return time;
}

const { values } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" }, csv: { type: "string" } } });
const to = midnight(values.to ?? dayOf(new Date(Date.now() + DAY_MS)));
const from = values.from === undefined ? new Date(to.getTime() - 30 * DAY_MS) : midnight(values.from);

const rows = await report(connect(), { from, to });
console.log(table([COLUMNS, ...rows.map(cells), cells({ day: "total", contract: "", ...total(rows) })]));
if (values.csv !== undefined) {
  writeFileSync(values.csv, csv([COLUMNS, ...rows.map(cells)]));
}
