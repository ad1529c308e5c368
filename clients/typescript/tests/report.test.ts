// examples/typescript/report.ts against sample data, and its sums against the server's own profit and loss.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { parseCents, ProfitAndLossGrouping, PurchaseStatus, timestampFromDate, type Tradepost } from "tradepost";
import { startDemo, type Demo } from "./demo.js";

const PACKAGE = new URL("..", import.meta.url).pathname;
const EXAMPLES = join(PACKAGE, "../../examples/typescript");
/** Inside of the package, where its own name is found. */
const COPY = join(PACKAGE, "build/examples");
const run = promisify(execFile);

/** Days that all samples lie in, whatever the time of day is. */
const DAY_MS = 24 * 60 * 60 * 1000;
const FROM = day(-100);
const TO = day(2);

let demo: Demo;
let tradepost: Tradepost;
let printed: string[];
let rows: Row[];

interface Row {
  day: string;
  contract: string;
  purchases: number;
  settled: number;
  sold: bigint;
  realised: bigint;
  writeOffs: bigint;
}

before(async () => {
  demo = await startDemo("--still");
  tradepost = demo.connect();
  mkdirSync(COPY, { recursive: true });
  for (const file of ["report.ts", "tsconfig.json"]) {
    cpSync(join(EXAMPLES, file), join(COPY, file));
  }
  await run(join(PACKAGE, "node_modules/.bin/tsc"), { cwd: COPY });
  const report = ["build/report.js", "--from", FROM, "--to", TO, "--csv", "report.csv"];
  const env = { ...process.env, TRADEPOST_URL: demo.baseUrl, TRADEPOST_API_KEY: demo.readOnlyApiKey };
  const { stdout } = await run(process.execPath, report, { cwd: COPY, env });
  printed = stdout.trimEnd().split("\n");
  const [columns, ...lines] = readFileSync(join(COPY, "report.csv"), "utf8").trimEnd().split("\r\n");
  assert.equal(columns, "day,contract,purchases,settled,sold,realised,write-offs");
  rows = lines.map(rowOf);
});

after(() => demo.stop());

function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}

function rowOf(line: string): Row {
  const [day = "", contract = "", purchases, settled, sold = "", realised = "", writeOffs = ""] = line.split(",");
  return {
    day,
    contract,
    purchases: Number(purchases),
    settled: Number(settled),
    sold: BigInt(sold),
    realised: parseCents(realised),
    writeOffs: parseCents(writeOffs),
  };
}

function sums(rows: Row[]) {
  return {
    sold: rows.reduce((sum, row) => sum + row.sold, 0n),
    realised: rows.reduce((sum, row) => sum + row.realised, 0n),
    writeOffs: rows.reduce((sum, row) => sum + row.writeOffs, 0n),
  };
}

/** What the server says of everything, or of one contract. */
async function profitAndLoss(contractId?: Uint8Array) {
  const time = (day: string) => timestampFromDate(new Date(`${day}T00:00:00Z`));
  const request = { contractId, from: time(FROM), to: time(TO), groupBy: ProfitAndLossGrouping.NONE };
  const { rows } = await tradepost.contracts.getProfitAndLoss(request);
  const { realisedCents: realised = 0n, soldCount: sold = 0n, writeOffsCents: writeOffs = 0n } = rows[0] ?? {};
  return { sold, realised, writeOffs };
}

test("the report sums up to the profit and loss of the workspace", async () => {
  const expected = await profitAndLoss();
  assert.deepEqual(sums(rows), expected);
  assert.ok(expected.sold > 0n && expected.realised !== 0n && expected.writeOffs > 0n, "the samples have all of them");
});

test("the rows of a contract sum up to its profit and loss", async () => {
  let compared = 0;
  for await (const { id, name } of tradepost.contracts.contracts()) {
    const own = rows.filter((row) => row.contract === name);
    assert.deepEqual(sums(own), await profitAndLoss(id), name);
    compared += own.length;
  }
  assert.equal(compared, rows.length);
});

test("the report counts every purchase once, and those that settled", async () => {
  const { counts } = await tradepost.contracts.countPurchases();
  const all = counts.reduce((sum, { count = 0 }) => sum + count, 0);
  const settled = counts.find(({ status }) => status === PurchaseStatus.SETTLED)?.count;
  assert.equal(rows.reduce((sum, row) => sum + row.purchases, 0), all);
  assert.equal(rows.reduce((sum, row) => sum + row.settled, 0), settled);
});

test("the table on the terminal has the rows of the file, and a total", () => {
  assert.equal(printed.length, rows.length + 2);
  assert.match(printed[0] ?? "", /^day +contract +purchases +settled +sold +realised +write-offs$/);
  assert.match(printed.at(-1) ?? "", /^total +\d+ +\d+ +\d+ +-?\d+\.\d\d +-?\d+\.\d\d$/);
  assert.equal(new Set(printed.map((line) => line.length)).size, 1);
});
