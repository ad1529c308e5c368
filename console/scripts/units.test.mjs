// What the pages calculate themselves: modules of the sources, which Vite loads without a browser. Needs what `npm run generate` makes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createServer } from "vite";

let vite, rule, equity, problems, secrets, zone, files, copyAs;
before(async () => {
  vite = await createServer({
    configFile: false,
    root: new URL("..", import.meta.url).pathname,
    server: { middlewareMode: true, hmr: false, watch: null },
    appType: "custom",
    logLevel: "error",
  });
  rule = await vite.ssrLoadModule("/src/pages/alerts/rule.ts");
  equity = await vite.ssrLoadModule("/src/core/equity.ts");
  problems = await vite.ssrLoadModule("/src/pages/problems/words.ts");
  secrets = await vite.ssrLoadModule("/src/core/secrets.ts");
  zone = await vite.ssrLoadModule("/src/core/zone.ts");
  files = await vite.ssrLoadModule("/src/ui/copy.tsx");
  copyAs = await vite.ssrLoadModule("/src/shell/copy-as.tsx");
});
after(() => vite?.close());

const day = (n) => ({ seconds: BigInt(n * 86_400), nanos: 0 });
const point = (n, equityCents, profitCents, drawdownCents) => ({
  at: day(n),
  equityCents,
  profitCents,
  drawdownCents,
  capitalCents: 1000n,
});

test("a rule survives the way through its form", () => {
  const made = {
    topics: [1, 4, 6],
    urgentTopics: [4],
    problemKinds: [7, 4],
    minSeverity: 2,
    silentMinutes: 15,
    pace: 3,
    timeZone: "Europe/Zurich",
    quietFrom: "22:00",
    quietTo: "07:00",
    dailyAt: "09:30",
  };
  assert.deepEqual(rule.ruleOf(rule.valuesOf(made)), made);
});

test("a part of a rule that its topics do not need is not sent", () => {
  const sent = rule.ruleOf({ topics: "7\n8", kinds: "7", severity: "3", silent: "30", pace: "1", quietTo: "07:00", daily: "08:00" });
  assert.deepEqual(sent.topics, [7, 8]);
  assert.deepEqual([sent.problemKinds, sent.minSeverity, sent.silentMinutes, sent.quietTo, sent.dailyAt], [[], 0, 0, "", ""]);
});

test("a rule says when it sends, with the zone of its hours", () => {
  const at = (r) => rule.whenSent({ topics: [1], urgentTopics: [], ...r });
  assert.equal(at({ pace: 1 }), "at once");
  assert.equal(at({ pace: 2 }), "together, every full hour");
  assert.equal(at({ pace: 3, dailyAt: "09:30", timeZone: "Europe/Zurich" }), "together, every day at 09:30 (Europe/Zurich)");
  assert.equal(at({ pace: 1, quietFrom: "22:00", quietTo: "07:00" }), "at once, not from 22:00 to 07:00 (UTC)");
});

test("the marks of equity end with today, and one moment alone is no series", () => {
  const points = [point(1, 900n, -100n, 0n), point(2, 800n, -200n, 100n)];
  const now = point(3, 850n, -150n, 50n);
  assert.equal(equity.marksOf({ points, now }).length, 3);
  assert.equal(equity.marksOf({ points, now: points[1] }).length, 2);
  assert.deepEqual(equity.marksOf({ points: [], now }), []);
  assert.deepEqual(equity.marksOf(undefined), []);
});

test("the band of the drawdown is between the value and its peak", () => {
  const marks = [point(1, 1100n, 100n, 0n), point(2, 1020n, 20n, 80n)];
  const worth = equity.equityPicture(marks, "worth");
  assert.deepEqual(worth.at, [86_400, 172_800]);
  assert.deepEqual(
    [worth.lines[0].values, worth.lines[1].values],
    [
      [11, 10.2],
      [11, 11],
    ],
  );
  assert.deepEqual(worth.bands, [[1, 0]]);
  const profit = equity.equityPicture(marks, "profit");
  assert.deepEqual(
    [profit.lines[0].values, profit.lines[1].values],
    [
      [1, 0.2],
      [1, 1],
    ],
  );
  assert.equal(profit.zero, true);
});

test("a call that is shown again has no secret in it", () => {
  const text = secrets.withoutSecrets({
    name: "bot-1",
    tradeToken: "4243",
    newSigningSecret: true,
    secrets: { loginName: "login-name", password: "pass-word", sharedSecret: "shared", apiKey: "a-key" },
    credentials: [{ name: "key", secret: "sealed" }],
  });
  assert.doesNotMatch(text, /login-name|pass-word|shared"|a-key|sealed/);
  assert.deepEqual(JSON.parse(text).credentials, [{ name: "key", secret: "…" }]);
  assert.deepEqual([JSON.parse(text).tradeToken, JSON.parse(text).newSigningSecret], ["4243", true]);
});

test("the evidence of a loss is written as amounts, and an asset id is not", () => {
  const of = (kind, expected, found) => problems.evidenceOf({ kind, evidence: { expected, found, shownBy: "" } });
  assert.match(of(18, "20000", "21240").expected, /200[.,]00/);
  assert.match(of(18, "20000", "21240").found, /212[.,]40/);
  assert.equal(problems.problemName({ kind: 18, evidence: { expected: "20000" } }), "Loss limit of the day reached");
  assert.equal(of(18, "", "PRICE_CHANGED").found, "Price changed");
  assert.equal(of(7, "30000000351", "").expected, "30000000351");
});

test("a typed time is a time of the person's zone, in summer and in winter", () => {
  const at = (text, name) => new Date(Number(zone.timeOf(text, name).seconds) * 1000).toISOString();
  assert.equal(at("2026-07-01T12:00", "Europe/Zurich"), "2026-07-01T10:00:00.000Z");
  assert.equal(at("2026-01-01T00:30", "Europe/Zurich"), "2025-12-31T23:30:00.000Z");
  assert.equal(at("2026-01-01T12:00", "Asia/Kathmandu"), "2026-01-01T06:15:00.000Z");
  for (const text of ["2026-03-29T01:59", "2026-03-29T03:00", "2026-10-25T03:00"])
    assert.equal(zone.typedTime(zone.timeOf(text, "Europe/Zurich"), "Europe/Zurich"), text);
  assert.equal(zone.timeOf("", "UTC"), undefined);
});

test("no cell of a file is a formula, and an amount stays a number", () => {
  assert.equal(
    files.csv(["a"], [["=1+1"], ["-12.50"], ["+x"], ["@y"], ["\tz"], ["a\rb"], ["-x"]]),
    ["a", "'=1+1", "-12.50", "'+x", "'@y", "'\tz", '"a\rb"', "'-x"].join("\r\n"),
  );
});

test("no text of a page ends the text of a copied call", () => {
  globalThis.location ??= { origin: "http://localhost:8080", pathname: "/" };
  const name = `'\'\'\');import os#"\\ \u202e\u0007 \\'`;
  const body = JSON.stringify({ nameContains: name });
  const written = (language) => copyAs.write({ service: "s", method: "m", body }, language);
  const shell = /-d '([^']*)'$/.exec(written("curl"))[1];
  assert.deepEqual(JSON.parse(shell), { nameContains: name });
  const python = /json\.loads\((".*")\)\)/.exec(written("python"))[1];
  assert.deepEqual(JSON.parse(JSON.parse(python)), { nameContains: name });
  assert.doesNotMatch(written("rust"), /\\u[0-9a-f]{4}|[\u202e\u0007]/);
});
