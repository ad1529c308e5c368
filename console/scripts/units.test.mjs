// What the pages calculate themselves: modules of the sources, without a browser. Those of trading accounts are in fleet-units.test.mjs.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { day, startModules } from "./modules.mjs";

let modules, rule, equity, problems, secrets, zone, place, series, files, copyAs, terms, wire, whole, marks, items, approvals, stopping;
before(async () => {
  modules = await startModules();
  rule = await modules.load("/src/pages/alerts/rule.ts");
  equity = await modules.load("/src/core/equity.ts");
  problems = await modules.load("/src/pages/problems/words.ts");
  secrets = await modules.load("/src/core/secrets.ts");
  zone = await modules.load("/src/core/zone.ts");
  place = (await modules.load("/src/core/place.ts")).place;
  series = await modules.load("/src/core/series.ts");
  files = await modules.load("/src/ui/copy.tsx");
  copyAs = await modules.load("/src/shell/copy-as.tsx");
  terms = await modules.load("/src/pages/contracts/terms.ts");
  wire = await modules.load("/src/gen/contracts/v1/contract_pb.ts");
  whole = await modules.load("/src/core/whole.ts");
  marks = await modules.load("/src/pages/market/marks.ts");
  items = await modules.load("/src/pages/items/words.ts");
  approvals = await modules.load("/src/pages/approvals/words.ts");
  stopping = await modules.load("/src/shell/stop/rounds.ts");
});
after(() => modules?.close());

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
  assert.equal(at({ pace: 1, topics: [1, 9], dailyAt: "09:30", timeZone: "UTC" }), "at once, summaries at 09:30 (UTC)");
});

test("the marks of equity end with today, and one moment alone is not a series", () => {
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
    content: "YSBmaWxl",
    passphrase: "open-it",
  });
  assert.doesNotMatch(text, /login-name|pass-word|shared"|a-key|sealed|YSBmaWxl|open-it/);
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

test("a filter's day begins and ends with that of the workspace's time zone", () => {
  const span = (day, name) => [0, 1].map((more) => new Date(Number(zone.dayStart(day, more, name).seconds) * 1000).toISOString());
  assert.deepEqual(span("2026-07-01", "UTC"), ["2026-07-01T00:00:00.000Z", "2026-07-02T00:00:00.000Z"]);
  assert.deepEqual(span("2026-07-01", "Asia/Shanghai"), ["2026-06-30T16:00:00.000Z", "2026-07-01T16:00:00.000Z"]);
  // 23 hours, and a day whose first hour the clock skips.
  assert.deepEqual(span("2026-03-29", "Europe/Zurich"), ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]);
  assert.deepEqual(span("2026-03-29", "Asia/Beirut"), ["2026-03-28T22:00:00.000Z", "2026-03-29T21:00:00.000Z"]);
  assert.deepEqual(span("2026-09-06", "America/Santiago"), ["2026-09-06T04:00:00.000Z", "2026-09-07T03:00:00.000Z"]);
  // 25 hours, and a midnight that the clock shows twice.
  assert.deepEqual(span("2026-10-25", "Europe/Zurich"), ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
  assert.deepEqual(span("2026-11-01", "America/Havana"), ["2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"]);
  for (const none of ["", "2026-02-31x"]) assert.equal(zone.dayStart(none, 0, "UTC"), undefined);
  assert.equal(zone.dayStart("9999-12-31", 1, "UTC"), undefined);
});

test("profit is asked for and drawn by days of the workspace, and equity by days of UTC", () => {
  const at = (text) => ({ seconds: BigInt(Date.parse(text) / 1000), nanos: 0 });
  place.timeZone = "Asia/Shanghai";
  try {
    const first = zone.firstOf(2, Date.parse("2026-07-01T17:00:00Z")).map((t) => new Date(Number(t.seconds) * 1000).toISOString());
    assert.deepEqual(first, ["2026-06-30T16:00:00.000Z", "2026-06-30T00:00:00.000Z"]);
    const picture = series.profitPicture([{ at: at("2026-06-30T16:00:00Z"), realisedCents: 5n, soldCount: 1n }], "That day");
    assert.deepEqual(picture.at, [Date.parse("2026-07-01T00:00:00Z") / 1000]);
  } finally {
    place.timeZone = "UTC";
  }
});

test("no cell of a file is a formula, and an amount stays a number", () => {
  assert.equal(
    files.csv(["a"], [["=1+1"], ["-12.50"], ["+x"], ["@y"], ["\tz"], ["a\rb"], ["-x"]]),
    ["a", "'=1+1", "-12.50", "'+x", "'@y", "'\tz", '"a\rb"', "'-x"].join("\r\n"),
  );
});

test("no text of a page ends the text of a copied call", () => {
  globalThis.location ??= { origin: "http://localhost:8080", pathname: "/" };
  const name = `'\'\'\');import os#"##\\ \u202e\u0007 \\'`;
  const body = JSON.stringify({ nameContains: name });
  const written = (language) => copyAs.write({ service: "s", method: "m", body }, language);
  const shell = /-d '([^']*)'$/.exec(written("curl"))[1];
  assert.deepEqual(JSON.parse(shell), { nameContains: name });
  const python = /json\.loads\((".*")\)\)/.exec(written("python"))[1];
  assert.deepEqual(JSON.parse(JSON.parse(python)), { nameContains: name });
  const [, signs, rust] = /\.body\(r(#+)"([^]*)"\1\)\n/.exec(written("rust"));
  assert.deepEqual(JSON.parse(rust), { nameContains: name });
  assert.ok(!rust.includes(`"${signs}`) && !/[\u202e\u0007]/.test(rust));
});

test("a call that is copied as Rust has the text that the tests of the server compile and run", () => {
  globalThis.location ??= { origin: "http://localhost:8080", pathname: "/" };
  const file = new URL("../../tests/src/bin/copied_call/call.txt", import.meta.url);
  const [, text] = /^\{\n([^]*)\n\}\n$/.exec(fs.readFileSync(file, "utf8"));
  const [, workspaceId] = /the workspace is (\S+)/.exec(text);
  const description = `Say "#1" in the desk's \\ chat`;
  place.workspaceId = new Uint8Array(Buffer.from(workspaceId, "base64"));
  try {
    const body = JSON.stringify({ workspaceId, description });
    assert.equal(copyAs.write({ service: "accounts.v1.Accounts", method: "UpdateWorkspace", body }, "rust"), text);
  } finally {
    place.workspaceId = new Uint8Array();
  }
});

test("the problem of a token that ends has its end as a time, and ends by itself", () => {
  const TOKEN_EXPIRING = 26;
  const found = (text) => problems.evidenceOf({ kind: TOKEN_EXPIRING, evidence: { expected: "", found: text, shownBy: "" } }).found;
  assert.match(found("2026-03-01T12:00:00Z"), /^ends .*2026/);
  assert.equal(found(""), "");
  assert.equal(problems.endsByItself(TOKEN_EXPIRING), true);
  assert.match(problems.kindNext(TOKEN_EXPIRING), /account's page/);
});

const [BUYS, SELLS] = [1, 2];
const buyer = (buying, rest = {}) => ({ type: BUYS, name: "Bargains", approvalMode: 1, marketplaces: [], buying, ...rest });
/** Each change as a line: the term, what it was, what it is. */
const changed = (before, after) =>
  terms.changesOf(before, after).map((t) => `${t.name}: ${t.text(before) ?? t.none} → ${t.text(after) ?? t.none}`);
test("a change of terms is said in the words of the page, and what stayed is left out", () => {
  const before = buyer({ targetQuantity: 5, budgetCents: 20_000n, cooldownSeconds: 60 });
  const after = buyer({ targetQuantity: 5, budgetCents: 30_000n, dailyBudgetCents: 5_000n }, { marketplaces: ["a", "b"] });
  const lines = changed(before, after).map((l) => l.replaceAll(",", "."));
  assert.equal(lines.length, 4);
  assert.equal(lines[0], "Marketplaces: all → a. b");
  assert.match(lines[1], /^Budget: \D*200\.00\D* → \D*300\.00\D*$/);
  assert.match(lines[2], /^Budget of a day: no limit → \D*50\.00\D*$/);
  assert.equal(lines[3], "Time between two purchases: 1 min → no limit");
  assert.deepEqual(changed(before, before), []);
});

test("a change names what a contract without the term has, and its filter set by id", () => {
  const id = (n) => new Uint8Array([n]);
  const own = (rest) => ({ sources: [], statistic: 1, ...rest });
  const value = (before, after) => changed(buyer({}, before), buyer({}, after));
  assert.deepEqual(value({}, { priceReference: own({ maxAgeSeconds: 3600 }) }), [
    "Sources of the value: as in the workspace → all of the workspace",
    "Taken from the sources: as in the workspace → Median of the sources",
    "Value not older than: as in the workspace → 1 h",
    "Confidence at least: as in the workspace → no limit",
  ]);
  assert.deepEqual(value({ priceReference: own({ maxAgeSeconds: 3600 }) }, { priceReference: own({}) }), [
    "Value not older than: 1 h → no limit",
  ]);
  const [change, ...others] = terms.changesOf(buyer({}, { filterSetId: id(1) }), buyer({}, { filterSetId: id(2) }));
  assert.deepEqual([change.id(buyer({}, { filterSetId: id(2) })), change.page, others], [id(2), "/filters", []]);
  assert.deepEqual(value({ filterSetId: id(1) }, { filterSetId: new Uint8Array() }), ["Filter set: AQ → none: every item"]);
  assert.deepEqual(value({}, { endsAt: day(20_000) })[0].slice(0, 14), "Ends: never → ");
  const seller = (selling) => ({ ...buyer(undefined), type: SELLS, selling });
  assert.deepEqual(changed(seller({ undercutBps: 100 }), seller({ maxBelowValueBps: 250 })), [
    "Below the cheapest other by a share: 1% → no share",
    "Below its value at most: 50% → 2.5%",
  ]);
});

test("every field of the terms on the wire is a term with a name of its own", () => {
  const valueOf = (field) => (field.scalar === 3 ? 7n : field.fieldKind === "list" ? ["x"] : 7);
  const all = [
    [wire.BuyingTermsSchema, (f) => buyer(f)],
    [wire.SellingTermsSchema, (f) => ({ ...buyer(undefined), type: SELLS, selling: f })],
    [wire.PriceReferenceSchema, (f) => buyer({}, { priceReference: { sources: [], statistic: 1, ...f } })],
  ];
  for (const [schema, of] of all)
    for (const field of schema.fields) {
      const set = of({ [field.localName]: field.localName === "statistic" ? 2 : valueOf(field) });
      assert.equal(terms.changesOf(of({}), set).length, 1, field.localName);
    }
  for (const of of [buyer({}), { ...buyer(undefined), type: SELLS }]) {
    const names = terms.termsOf(of).map((t) => t.name);
    assert.equal(new Set(names).size, names.length);
  }
  const file = terms.termsOf(buyer({})).map((t) => t.file(buyer({ budgetCents: 20_000n, minDiscountBps: 250 })));
  assert.ok(file.includes("200.00") && file.includes("2.5%"));
});

/** A message with every field of a schema set; `of` has the values of messages in it. */
const filled = (schema, of = {}) =>
  Object.fromEntries(
    schema.fields.map((f, n) => {
      const number = 100 * (n + 1);
      if (f.localName in of) return [f.localName, of[f.localName]];
      if (f.fieldKind === "list") return [f.localName, f.scalar === 9 ? ["Two", "names"] : [1, 2]];
      return [f.localName, f.fieldKind === "enum" ? 2 : f.scalar === 9 ? "0.25" : f.scalar === 3 ? BigInt(number) : number];
    }),
  );
test("every term of a contract survives the way through its form", async () => {
  const { poolOf, startOf, termsOf } = await modules.load("/src/pages/contracts/fields.ts");
  const [filterSetId, poolId] = [1, 2].map((n) => new Uint8Array([n]));
  const [startsAt, endsAt] = [20_000, 20_001].map(day);
  const made = {
    name: "Bargains",
    filterSetId,
    approvalMode: 2,
    marketplaces: ["a", "b"],
    priceReference: filled(wire.PriceReferenceSchema),
  };
  for (const [type, part, schema] of [
    [BUYS, "buying", wire.BuyingTermsSchema],
    [SELLS, "selling", wire.SellingTermsSchema],
  ]) {
    const typed = startOf({ ...made, type, poolId, startsAt, endsAt, [part]: filled(schema) });
    const { startsAt: from, endsAt: to, ...sent } = termsOf(typed);
    assert.deepEqual(sent, { ...made, [part]: filled(schema) });
    assert.deepEqual([from.seconds, to.seconds, poolOf(typed)], [startsAt.seconds, endsAt.seconds, poolId]);
  }
});

test("every rule of a filter set survives the way through its form, and so do its exceptions", async () => {
  const { rulesOf, startOf } = await modules.load("/src/pages/filters/rules.ts");
  const { FilterExclusionsSchema, FilterRulesSchema } = await modules.load("/src/gen/contracts/v1/filter_set_pb.ts");
  const stickers = [{ name: "Crown (Foil)", minCount: 2, maxWear: "0.1" }, { name: "Team | Katowice 2014" }];
  const made = filled(FilterRulesSchema, { stickers, exclude: filled(FilterExclusionsSchema, { stickers }) });
  assert.deepEqual(rulesOf(startOf("Knives", made)), made);
});

test("every limit of a contract is explained, and is checked as it is typed", async () => {
  const { sectionsOf, startOf } = await modules.load("/src/pages/contracts/fields.ts");
  const { problemOf } = await modules.load("/src/ui/field.tsx");
  const LIMITS = ["money", "percent", "whole"];
  for (const [type, wrong] of [
    [
      BUYS,
      [
        { quantity: "0" },
        { max: "0" },
        { max: "20", budget: "10" },
        { budget: "10", daily: "11" },
        { discount: "100.01" },
        { liquidity: "101" },
        { starts: "2026-02-01T00:00", ends: "2026-01-01T00:00" },
      ],
    ],
    [SELLS, [{ floor: "0" }, { floor: "2", ceiling: "1" }, { undercutShare: "1", undercut: "1" }, { below: "101" }, { listings: "0" }]],
  ]) {
    const start = { ...startOf(undefined), type: String(type), own: "yes" };
    const specs = sectionsOf(start, [], [], "new").flatMap((s) => s.fields);
    const limits = specs.filter((s) => LIMITS.includes(s.kind));
    assert.ok(limits.length > 10);
    for (const spec of limits) {
      assert.ok(spec.hint, `${spec.name} is not explained`);
      assert.ok(problemOf(spec, { ...start, [spec.name]: "many" }), spec.name);
    }
    // The last one that was typed says what is wrong.
    for (const typed of wrong) {
      const last = specs.find((s) => s.name === Object.keys(typed).at(-1));
      assert.ok(problemOf(last, { ...start, ...typed }), JSON.stringify(typed));
    }
  }
});

test("a provider whose last setting was emptied has none from then on", async () => {
  const { settingsOf } = await modules.load("/src/pages/providers/words.ts");
  const one = { name: "region", value: "eu" };
  assert.deepEqual(settingsOf([one], [one]), { settings: [one] });
  assert.deepEqual(settingsOf([], [one]), { noSettings: true });
  assert.deepEqual(settingsOf([], []), { settings: [] });
});

/** A list of so many records, 200 a page, and how many calls it answered at once. */
function longList(length) {
  const calls = { now: 0, most: 0 };
  const list = async ({ limit, cursor }) => {
    const at = Number(cursor || 0);
    const ids = Array.from({ length: Math.min(limit, length - at) }, (_, n) => at + n);
    return { ids, next: at + limit < length ? String(at + limit) : undefined };
  };
  const get = async (ids) => {
    calls.most = Math.max(calls.most, ++calls.now);
    await Promise.resolve();
    calls.now--;
    return ids.map((id) => ({ id }));
  };
  return { list, get, calls };
}
test("a whole list has the records of all its pages in their order, and asks for few of them at once", async () => {
  const { list, get, calls } = longList(2_001);
  const found = await whole.wholeList(list, get);
  assert.deepEqual(
    found.map((r) => r.id),
    Array.from({ length: 2_001 }, (_, n) => n),
  );
  assert.equal(calls.most, 4);
});
test("a whole list ends at 5,000 records", async () => {
  const { list, get } = longList(7_000);
  assert.equal((await whole.wholeList(list, get)).length, 5_000);
});

test("two buys within an hour are two marks at their own times, and what was before the time that is shown is none", () => {
  const at = (seconds) => ({ seconds: BigInt(seconds), nanos: 0 });
  const HOUR = 3600;
  const points = [1, 2].map((n) => ({ time: at(n * HOUR), highCents: 1_500n, lowCents: 1_000n }));
  const own = [
    { createdAt: at(HOUR + 60), buyPriceCents: 1_100n },
    { createdAt: at(HOUR + 120), buyPriceCents: 1_200n, soldAt: at(2 * HOUR + 60), sellPriceCents: 1_400n },
    { createdAt: at(HOUR / 2), buyPriceCents: 900n, soldAt: undefined },
  ];
  const shown = marks.marksOf(own, HOUR * 1000);
  assert.deepEqual([shown.bought.length, shown.sold.length], [2, 1]);
  const picture = marks.pictureOf(points, shown, true);
  assert.deepEqual(picture.at, [HOUR, HOUR + 60, HOUR + 120, 2 * HOUR, 2 * HOUR + 60]);
  const values = (name) => picture.lines.find((l) => l.name === name).values;
  assert.deepEqual(values("Bought"), [null, 11, 12, null, null]);
  assert.deepEqual(values("Sold"), [null, null, null, null, 14]);
  assert.deepEqual(values("Lowest"), [10, null, null, 10, null]);
});

test("an item is written off where the server takes it: missing, kept by its buyer, or with a banned account", () => {
  const STATUSES = { IN_INVENTORY: 1, LISTING: 2, LISTED: 3, RESERVED: 4, DELIVERING: 5, HELD: 6, SOLD: 7, SETTLED: 8, MISSING: 9 };
  const [MISSING_ITEM, CHAIN_INVALID] = [7, 9];
  const lost = (kinds, isBanned) =>
    Object.keys(STATUSES).filter((s) =>
      items.isLost(
        STATUSES[s],
        kinds.map((kind) => ({ kind })),
        isBanned,
      ),
    );
  assert.deepEqual(lost([], false), ["MISSING"]);
  assert.deepEqual(lost([CHAIN_INVALID], false), ["MISSING"]);
  assert.deepEqual(lost([MISSING_ITEM], false), ["SOLD", "MISSING"]);
  assert.deepEqual(lost([], true), ["IN_INVENTORY", "DELIVERING", "HELD", "MISSING"]);
  assert.equal(items.isLost(undefined, [], true), false);
});

test("a proposal is called as its item is, and says what is done to it, for how much and to which account", () => {
  const [LIST, DELIST, TRANSFER] = [2, 4, 7];
  const inventoryItemId = new Uint8Array([1]);
  const names = new Map([["AQ", { name: "AK-47 | Redline" }]]);
  const proposal = (kind, item = {}) => ({ kind, item: { inventoryItemId, ...item } });
  const what = (i, known = names) => approvals.whatOf(i, approvals.nameOf(i, known));
  assert.equal(approvals.nameOf(proposal(LIST), names), "AK-47 | Redline");
  assert.match(what(proposal(LIST, { priceCents: 1_200n })), /^Put on sale: AK-47 \| Redline for .*12[.,]00/);
  assert.equal(what(proposal(DELIST)), "Delist: AK-47 | Redline");
  assert.equal(what(proposal(TRANSFER, { toAccountName: "bot-2" })), "Move to another account: AK-47 | Redline, to bot-2");
  assert.equal(what(proposal(DELIST), new Map()), "Delist");
  assert.equal(approvals.nameOf({ kind: 1, listing: { marketHashName: "Case" } }, names), "Case");
});

test("of the problems that are selected those are reconciled that allow it", async () => {
  const { bulk } = await modules.load("/src/pages/problems/bulk.tsx");
  const [reconcile] = bulk([]);
  const [RECONCILE, WRITE_OFF] = [1, 7];
  assert.equal(reconcile.label, "Reconcile");
  const can = (...allowedActions) => reconcile.can({ allowedActions });
  assert.deepEqual([can(RECONCILE, WRITE_OFF), can(WRITE_OFF), can()], [true, false, false]);
});

const target = (part, n) => ({ part, id: new Uint8Array([n]), name: `${part} ${n}`, href: "/" });
const planOf = (targets, coming = 0) => ({ targets, sent: 0, bound: 0, coming, leaving: 0, refused: [] });
/** Stops what the first plan has. Each look finds the next of `later`, and the last of them again and again. `act` makes a call. */
async function stopAll(first, later, act = () => {}) {
  const sent = [];
  let looks = 0;
  const look = async () => later[Math.min(looks++, later.length - 1)];
  const run = stopping.rounds(first, look, 0);
  const call = async (t) => {
    sent.push(t.name);
    await act(t);
  };
  const end = await run.go(call, new AbortController().signal, () => {});
  const { done, refused, isOpen } = run.now();
  return { sent, looks, end, isOpen, done: done.map((t) => t.name), refused: refused.map(([t]) => t.name) };
}

test("stopping everything looks again after the halt: what that has ended is done, and what was listed since is delisted", async () => {
  const [halt, contract, proposal, item] = [target("halt", 0), target("contracts", 1), target("intents", 2), target("items", 3)];
  const listed = target("items", 4);
  const ended = await stopAll(planOf([halt, contract, proposal, item]), [planOf([item, listed]), planOf([])]);
  assert.deepEqual(ended.sent, ["halt 0", "contracts 1", "items 3", "items 4"]);
  assert.deepEqual([...ended.done].sort(), ["contracts 1", "halt 0", "intents 2", "items 3", "items 4"]);
  assert.deepEqual([ended.end, ended.isOpen, ended.looks], ["done", false, 2]);
});

test("stopping everything tries an item again that was being repriced, and none that is refused for another reason", async () => {
  const [repriced, closed] = [target("items", 1), target("items", 2)];
  const reasons = { "items 1": ["INTENT_EXISTS"], "items 2": ["ITEM_CLOSED", "ITEM_CLOSED"] };
  const both = planOf([repriced, closed]);
  const ended = await stopAll(both, [both, both, planOf([closed])], ({ name }) => {
    const reason = reasons[name].shift();
    if (reason) throw new ConnectError("no", Code.FailedPrecondition, { "x-error-reason": reason });
  });
  assert.deepEqual(ended.sent, ["items 1", "items 2", "items 1"]);
  assert.deepEqual([ended.done, ended.refused, ended.isOpen], [["items 1"], ["items 2"], false]);
});

test("stopping everything does not end as done while an item is being listed, and looks a limited number of times", async () => {
  const ended = await stopAll(planOf([target("halt", 0)]), [planOf([], 1)]);
  assert.deepEqual([ended.end, ended.isOpen, ended.done], ["done", true, ["halt 0"]]);
  assert.ok(ended.looks > 1 && ended.looks < 20, `${ended.looks} looks`);
});
