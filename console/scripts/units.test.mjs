// What the pages calculate themselves: modules of the sources, without a browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startModules } from "./modules.mjs";

let modules,
  rule,
  equity,
  problems,
  secrets,
  zone,
  files,
  copyAs,
  snapshots,
  changes,
  match,
  content,
  imports,
  friends,
  chats,
  confirmations,
  sessions,
  renewals,
  terms,
  wire,
  whole,
  marks,
  items,
  accounts,
  approvals;
before(async () => {
  modules = await startModules();
  rule = await modules.load("/src/pages/alerts/rule.ts");
  equity = await modules.load("/src/core/equity.ts");
  problems = await modules.load("/src/pages/problems/words.ts");
  secrets = await modules.load("/src/core/secrets.ts");
  zone = await modules.load("/src/core/zone.ts");
  files = await modules.load("/src/ui/copy.tsx");
  copyAs = await modules.load("/src/shell/copy-as.tsx");
  snapshots = await modules.load("/src/pages/snapshots/words.ts");
  changes = await modules.load("/src/pages/changes/words.ts");
  match = await modules.load("/src/pages/changes/match.ts");
  content = await modules.load("/src/pages/imports/content.ts");
  imports = await modules.load("/src/pages/imports/words.ts");
  friends = await modules.load("/src/pages/friends/words.ts");
  confirmations = await modules.load("/src/pages/confirmations/words.ts");
  sessions = await modules.load("/src/pages/sessions/words.ts");
  renewals = await modules.load("/src/pages/renewals/words.ts");
  chats = await modules.load("/src/pages/chats/words.ts");
  terms = await modules.load("/src/pages/contracts/terms.ts");
  wire = await modules.load("/src/gen/contracts/v1/contract_pb.ts");
  whole = await modules.load("/src/core/whole.ts");
  marks = await modules.load("/src/pages/market/marks.ts");
  items = await modules.load("/src/pages/items/words.ts");
  accounts = await modules.load("/src/pages/accounts/words.ts");
  approvals = await modules.load("/src/pages/approvals/words.ts");
});
after(() => modules?.close());

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
  for (const none of ["", "2026-02-31x"]) assert.equal(zone.dayStart(none, 0, "UTC"), undefined);
  assert.equal(zone.dayStart("9999-12-31", 1, "UTC"), undefined);
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

const [APPEARED, DISAPPEARED, RENAMED, MOVED, LOCKED] = [1, 2, 3, 4, 5];
test("a change says what was before and what is after, and of the side that has no item nothing", () => {
  const line = (c) => snapshots.lineOf(c);
  assert.equal(line({ kind: APPEARED, contextId: 2n }), "now: Inventory");
  assert.equal(line({ kind: DISAPPEARED, contextId: 16n }), "was: Under trade protection");
  assert.equal(line({ kind: RENAMED, assetId: "7", newAssetId: "9", contextId: 2n, newContextId: 2n }), "7 → 9");
  assert.equal(line({ kind: MOVED, contextId: 16n, newContextId: 2n }), "Under trade protection → Inventory");
  assert.equal(line({ kind: MOVED, contextId: 16n, newContextId: 33n }), "Under trade protection → Context 33");
  assert.match(line({ kind: LOCKED, lockedUntil: day(20_000) }), /^locked until .+ → not locked$/);
  assert.equal(line({ kind: 99 }), "–");
  assert.deepEqual(snapshots.sidesOf({ kind: APPEARED, contextId: 2n }).before, undefined);
});

test("what explains a change is a sentence, and an open one is explained by nothing", () => {
  const of = (status, reason) => changes.explanationOf({ status, reason });
  assert.equal(of(1, ""), "Nothing explains it yet.");
  assert.equal(of(2, "a trade moved it"), "A trade moved it.");
  assert.equal(of(4, "a gift"), "A person ignored it: a gift");
  assert.ok([APPEARED, DISAPPEARED, RENAMED, MOVED, LOCKED].every((kind) => changes.NEXT[kind]));
});

test("the item that a change most likely belongs to is a missing one, and one that is over is not offered", () => {
  const [IN_INVENTORY, MISSING, SETTLED] = [1, 9, 8];
  const item = (n, status, paintSeed) => ({ id: new Uint8Array([n]), status, paintSeed, currentAssetId: String(n) });
  const items = [item(1, IN_INVENTORY, 3), item(2, SETTLED, 7), item(3, IN_INVENTORY, 7), item(4, MISSING, 3)];
  const order = (found) => found.map((i) => i.id[0]);
  const likeliest = match.likeliest(items, { paintSeed: 7 });
  assert.deepEqual(order(likeliest), [4, 3, 1]);
  const start = (inventoryItemId) => match.startOf(likeliest, { inventoryItemId }).item;
  assert.equal(start(new Uint8Array([3])), "Aw");
  assert.equal(start(undefined), "BA");
  const fields = match.fieldsOf(likeliest);
  assert.deepEqual(fields[0].options.at(-1), ["", "Another one"]);
  assert.deepEqual([fields[1].when({ item: "Aw" }), fields[1].when({ item: "" })], [false, true]);
  assert.equal(match.fieldsOf([])[0].name, "asset");
});

const [MAFILE, BUNDLE, CLI, ASF, WINAUTH, JSON_, CSV] = [1, 2, 3, 4, 5, 6, 7];
const file = (name, text) => ({ name, bytes: new TextEncoder().encode(text) });
const made = (format, chosen) => new TextDecoder().decode(content.contentOf(format, chosen));
test("a folder is an object of the files that the format has, and one file is sent as it is", () => {
  const folder = [file("manifest.json", '{"encrypted":true}'), file("1.maFile", "AAAA"), file("notes.txt", "no")];
  assert.deepEqual(JSON.parse(made(BUNDLE, folder)), { "manifest.json": '{"encrypted":true}', "1.maFile": "AAAA" });
  assert.deepEqual(JSON.parse(made(BUNDLE, [folder[1]])), { "1.maFile": "AAAA" });
  assert.equal(made(BUNDLE, [file("folder.json", "{}")]), "{}");
  assert.equal(made(BUNDLE, content.pasted('{"1.maFile":{}}')), '{"1.maFile":{}}');
  assert.deepEqual(JSON.parse(made(ASF, [file("bot.json", "{}"), file("bot.db", "[]")])), { "bot.json": "{}", "bot.db": "[]" });
  assert.equal(made(CLI, [file("1.maFile", "{}")]), "{}");
  assert.deepEqual(JSON.parse(made(CLI, [file("1.maFile", "{}"), file("2.maFile", "{}")])), { "1.maFile": "{}", "2.maFile": "{}" });
  assert.equal(made(CSV, [file("a.csv", "name\nbot")]), "name\nbot");
  assert.equal(content.isEncrypted(folder), true);
  assert.equal(content.isEncrypted([file("manifest.json", "no JSON")]), false);
});

test("files that make no content say why", () => {
  const wrong = (format, chosen) => assert.throws.bind(assert, () => content.contentOf(format, chosen));
  wrong(MAFILE, [])(/Choose a file/);
  wrong(MAFILE, [file("a", "")])(/nothing in it/);
  wrong(MAFILE, [file("a.maFile", "{}"), file("b.maFile", "{}")])(/one file/);
  wrong(BUNDLE, [file("notes.txt", "no")])(/None of these files ends in \.maFile or \.json/);
  wrong(BUNDLE, [{ name: "all.zip", bytes: new Uint8Array([0x50, 0x4b, 3, 4]) }])(/ZIP/);
  wrong(ASF, [{ name: "bot.db", bytes: new Uint8Array([0xff, 0xfe]) }])(/bot\.db is not a text/);
  wrong(JSON_, [{ name: "a.json", bytes: new Uint8Array(content.MOST_BYTES + 1) }])(/4 MiB/);
});

test("the names of files say which format they most likely have", () => {
  assert.equal(content.guess([file("1.maFile", "{}")]), MAFILE);
  assert.equal(content.guess([file("manifest.json", "{}"), file("1.maFile", "{}")]), BUNDLE);
  assert.equal(content.guess([file("bot.json", "{}"), file("bot.db", "{}")]), ASF);
  assert.equal(content.guess([file("export.txt", "otpauth://totp/Steam:a")]), WINAUTH);
  assert.equal(content.guess([file("a.csv", "name")]), CSV);
  assert.deepEqual([content.guess([file("a.txt", "?")]), content.guess([])], [undefined, undefined]);
  assert.deepEqual(
    [content.nameFor([]), content.nameFor([file("a.csv", "")]), content.nameFor([file("a", ""), file("b", "")])],
    ["", "a.csv", "2 files"],
  );
});

test("a row of an import says why it is refused, else what was understood of it, and never a value of a secret", () => {
  const fields = [
    { name: "platform_user_id", value: "76561198000000001" },
    { name: "name", value: "bot-1" },
    { name: "shared_secret", value: "given" },
    { name: "password", value: "missing" },
  ];
  const row = { number: 3, key: "76561198000000001", fields, reasons: [] };
  assert.deepEqual([imports.rowName(row), imports.remarkOf(row)], ["bot-1", "Shared secret"]);
  assert.equal(imports.rowName({ ...row, fields: [] }), "76561198000000001");
  assert.equal(imports.rowName({ ...row, key: "", fields: [] }), "Row 3");
  const refused = { ...row, reasons: [{ code: "NAME_TAKEN", detail: "another account, or an earlier row, has the name" }] };
  assert.equal(imports.remarkOf(refused), "Another account, or an earlier row, has its name.");
  assert.equal(
    imports.remarkOf({ ...row, reasons: [{ code: "OF_LATER", detail: "what a later server says" }] }),
    "What a later server says",
  );
});

test("every reason of a row and every format has its words", () => {
  const codes =
    "NUMBER_INVALID NUMBER_TWICE NAME_INVALID NAME_TAKEN SECRET_INVALID TOKEN_INVALID FILE_INVALID FILE_ENCRYPTED ACCOUNT_ELSEWHERE GROUP_FULL";
  for (const code of codes.split(" ")) assert.ok(imports.reasonOf({ code, detail: "" }).next, code);
  const wrong = imports.reasonOf({ code: "SECRET_INVALID", detail: "shared_secret is not 20 bytes in Base64" });
  assert.equal(wrong.detail, "Shared secret is not 20 bytes in Base64");
  assert.deepEqual([...imports.FORMAT_ORDER].sort(), [MAFILE, BUNDLE, CLI, ASF, WINAUTH, JSON_, CSV]);
  for (const format of imports.FORMAT_ORDER) assert.ok(imports.formatOf(format).what, String(format));
});

const [THEY_ASKED, WE_ASKED, FRIEND, BLOCKED, IGNORED, NONE] = [1, 2, 3, 4, 5, 6];
const [ADD, ACCEPT, REMOVE, BLOCK, UNBLOCK] = [1, 2, 3, 4, 5];
test("a relation offers what the server does in it, and nothing while the last call has no answer", () => {
  const [REQUESTED, UNCERTAIN, DONE] = [1, 2, 3];
  const offered = (f) => [ADD, ACCEPT, REMOVE, BLOCK, UNBLOCK].filter((action) => friends.can(f, action));
  assert.deepEqual(offered({ relation: THEY_ASKED }), [ACCEPT, REMOVE, BLOCK]);
  assert.deepEqual(offered({ relation: WE_ASKED }), [REMOVE, BLOCK]);
  assert.deepEqual(offered({ relation: FRIEND, action: ADD, actionState: DONE }), [REMOVE, BLOCK]);
  assert.deepEqual(offered({ relation: BLOCKED }), [UNBLOCK]);
  assert.deepEqual(offered({ relation: IGNORED }), [ADD, REMOVE, BLOCK]);
  assert.deepEqual(offered({ relation: NONE, action: ADD, actionState: REQUESTED }), [BLOCK]);
  assert.deepEqual(offered({ relation: NONE, action: ADD, actionState: UNCERTAIN }), []);
  assert.deepEqual(offered({}), []);
});

test("what was asked for of a friend is a sentence until it is done", () => {
  const of = (actionState, failure) => friends.askedOf({ action: ACCEPT, actionState, failure });
  assert.equal(of(1), "Accepting the request waits for the engine.");
  assert.match(of(2), /had no answer.+before anything is repeated/);
  assert.deepEqual([of(3), friends.askedOf({})], ["", ""]);
  assert.match(of(4, "LIST_FULL"), /failed: the list of friends of the account is full/);
  assert.equal(of(4, "ODD"), "Accepting the request failed: ODD.");
  assert.equal(friends.nameOf({ name: "", platformUserId: "7" }), "7");
});

test("a message without an answer says that it is not sent again, and its text has no link", () => {
  const [RECEIVED, DRAFT, SENT, LOST, FAILED] = [1, 2, 3, 4, 5];
  const of = (status, failure) => chats.troubleOf({ status, failure });
  assert.deepEqual([of(RECEIVED), of(SENT)], ["", ""]);
  assert.match(of(DRAFT), /sends it once/);
  assert.match(of(LOST), /may have been sent.+not sent again/);
  assert.match(of(FAILED, "NOT_SHOWN"), /It is not sent again/);
  assert.equal(of(FAILED, ""), "It was not sent: the reason is not known.");
  assert.deepEqual(chats.linesOf("a https://example.com\nb"), ["a https://example.com", "b"]);
  assert.deepEqual([chats.isUnread({ unread: 2 }), chats.isUnread({})], [true, false]);
});

test("a confirmation that changes the account can be denied and not approved", () => {
  const [TRADE_OFFER, API_KEY, SEEN, ALLOWED, STRANGE] = [1, 3, 1, 4, 9];
  const can = (kind, status) => [confirmations.canApprove({ kind, status }), confirmations.canDeny({ kind, status })];
  assert.deepEqual(can(TRADE_OFFER, SEEN), [true, true]);
  assert.deepEqual(can(TRADE_OFFER, STRANGE), [true, true]);
  assert.deepEqual(can(TRADE_OFFER, ALLOWED), [false, false]);
  assert.deepEqual(can(API_KEY, STRANGE), [false, true]);
});

const [STARTING, AWAITING_CODE, AWAITING_APPROVAL, ACTIVE, RENEWING, EXPIRED, FAILED, REVOKED, CLOSED] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const SESSION_STATUSES = [STARTING, AWAITING_CODE, AWAITING_APPROVAL, ACTIVE, RENEWING, EXPIRED, FAILED, REVOKED, CLOSED];
const session = (status, rest = {}) => ({ status, guards: [], ...rest });
test("a session offers what the server does in its status", () => {
  const those = (can) => SESSION_STATUSES.filter((status) => can(session(status)));
  assert.deepEqual(those(sessions.canStart), [EXPIRED, FAILED, REVOKED, CLOSED]);
  assert.equal(sessions.canStart(null), true);
  assert.deepEqual(those(sessions.canEnd), [STARTING, AWAITING_CODE, AWAITING_APPROVAL, ACTIVE, RENEWING, EXPIRED]);
  assert.deepEqual(those(sessions.works), [ACTIVE, RENEWING]);
  assert.deepEqual(those(sessions.takesCode), [AWAITING_CODE]);
  assert.deepEqual([...sessions.STATUS_ORDER].sort(), SESSION_STATUSES);
  for (const status of SESSION_STATUSES) assert.ok(sessions.MEANS[status], String(status));
});

const [EMAIL_CODE, DEVICE_CODE, DEVICE_APPROVAL, EMAIL_APPROVAL] = [1, 2, 3, 4];
test("what a platform asks for is a sentence that says where a code is", () => {
  const asked = (guards, emailDomain = "") => sessions.askedOf(session(AWAITING_CODE, { guards, emailDomain }));
  assert.equal(asked([EMAIL_CODE], "example.com"), "Type the code that the platform has mailed to an address at example.com.");
  assert.equal(asked([EMAIL_CODE]), "Type the code that the platform has mailed.");
  assert.equal(
    asked([DEVICE_CODE, DEVICE_APPROVAL]),
    "Type the code that the mobile authenticator of the account shows, or approve the sign-in in the platform's app.",
  );
  assert.equal(asked([EMAIL_APPROVAL], "example.com"), "Open the link that the platform has mailed to an address at example.com.");
  assert.equal(asked([]), "");
});

test("the engine makes a code of the mobile authenticator twice, and none that was mailed", () => {
  const made = (rest) => sessions.isMadeHere(session(AWAITING_CODE, { guards: [DEVICE_CODE], usesStoredCode: true, ...rest }));
  assert.deepEqual([made({}), made({ codesGiven: 1 }), made({ codesGiven: 2 })], [true, true, false]);
  assert.deepEqual([made({ usesStoredCode: false }), made({ guards: [EMAIL_CODE] }), made({ status: STARTING })], [false, false, false]);
});

test("a code has 5 to 8 letters and digits", () => {
  const wrong = (code) => Boolean(sessions.CODE.check(code));
  assert.deepEqual(["R7KQ2", "123456", "abcdefgh"].map(wrong), [false, false, false]);
  assert.deepEqual(["R7KQ", "123456789", "R7-KQ2", "ÄBCDE"].map(wrong), [true, true, true, true]);
});

test("a failed sign-in says why and what to do, a refused code asks for another one, and what is over says nothing", () => {
  const [WRONG_PASSWORD, WRONG_CODE, TOO_MANY, , , OTHER] = [1, 2, 3, 4, 5, 6];
  for (let failure = 1; failure <= 8; failure += 1)
    for (const text of sessions.troubleOf(session(FAILED, { failure }))) assert.match(text, /\.$/, String(failure));
  const next = (failure) => sessions.troubleOf(session(FAILED, { failure }))[1];
  assert.match(next(WRONG_PASSWORD), /Replace secrets, then start a session again\. The engine does not/);
  assert.match(next(TOO_MANY), /^Wait 15 min or longer.+by itself/);
  assert.doesNotMatch(next(OTHER), /by itself/);
  assert.equal(sessions.troubleOf(session(AWAITING_CODE, { failure: WRONG_CODE }))[1], "Type another one.");
  assert.match(sessions.troubleOf(session(EXPIRED))[1], /start a session again/);
  for (const status of [STARTING, ACTIVE, RENEWING, REVOKED, CLOSED])
    assert.equal(sessions.troubleOf(session(status, { failure: WRONG_PASSWORD })), undefined);
});

test("a list says of a session what it waits for, why it failed, or that its tokens are being revoked", () => {
  assert.match(sessions.lineOf(session(AWAITING_CODE, { guards: [DEVICE_CODE] })), /mobile authenticator/);
  assert.match(sessions.lineOf(session(FAILED, { failure: 8 })), /No login name and password/);
  assert.equal(sessions.lineOf(session(ACTIVE, { endRequestedAt: day(1) })), "Its tokens are being revoked.");
  assert.equal(sessions.isEnding(session(EXPIRED, { endRequestedAt: day(1) })), false);
});

const [SCHEDULED, RUNNING, SUCCEEDED, RETRYING, UNCERTAIN, EXHAUSTED, CANCELLED] = [1, 2, 3, 4, 5, 6, 7];
const RENEWAL_STATUSES = [SCHEDULED, RUNNING, SUCCEEDED, RETRYING, UNCERTAIN, EXHAUSTED, CANCELLED];
test("a renewal offers what the server does in its status, and nothing while the platform is called", () => {
  const those = (can, rest = {}) => RENEWAL_STATUSES.filter((status) => can({ status, ...rest }));
  assert.deepEqual(those(renewals.isOpen), [SCHEDULED, RUNNING, RETRYING, UNCERTAIN]);
  assert.deepEqual(those(renewals.canRenew), [SCHEDULED, RETRYING]);
  assert.deepEqual(those(renewals.canRenew, { isRequested: true }), [RETRYING]);
  assert.deepEqual(those(renewals.canCancel), [SCHEDULED, RETRYING, UNCERTAIN]);
  assert.deepEqual([...renewals.STATUS_ORDER].sort(), RENEWAL_STATUSES);
  for (const status of RENEWAL_STATUSES) assert.ok(renewals.meaningOf({ status }), String(status));
});

test("a renewal says when it is due as long as it is open, and what the end of its token costs", () => {
  const [ACCESS, REFRESH] = [1, 2];
  const of = (status, rest = {}) => renewals.timesOf({ status, dueAt: day(20_000), expiresAt: day(20_001), ...rest });
  assert.match(of(SCHEDULED), /^due .+, the token ends .+2024/);
  assert.match(of(RETRYING, { attempts: 3 }), /, tried 3 times$/);
  assert.match(of(SUCCEEDED, { attempts: 1 }), /^the token ends .+, tried 1 time$/);
  const waits = (kind, isRequested) => renewals.meaningOf({ status: SCHEDULED, kind, isRequested });
  assert.equal(waits(ACCESS, false), "It waits for its time.");
  assert.match(waits(REFRESH, false), /only if a password is stored, or if a person asks/);
  assert.match(waits(REFRESH, true), /^A person asked for it/);
  assert.match(renewals.costOf({ kind: REFRESH, expiresAt: day(20_000) }), /and the session with it/);
  assert.doesNotMatch(renewals.costOf({ kind: ACCESS, expiresAt: day(20_000) }), /session/);
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

test("an account that gets no new work says why, what it costs, and what to do", () => {
  const [NEW, READY, DEGRADED, NEEDS_LOGIN, RESTRICTED, BANNED] = [1, 3, 4, 5, 6, 8];
  const of = (status, rest = {}) => accounts.troubleOf({ status, ...rest });
  for (const status of [DEGRADED, NEEDS_LOGIN, RESTRICTED, BANNED])
    for (const part of ["what", "cost", "next"]) assert.match(of(status)[part], /\.$/, `${status} ${part}`);
  assert.deepEqual(
    [DEGRADED, NEEDS_LOGIN, RESTRICTED, BANNED].map((status) => of(status).bad),
    [false, true, false, true],
  );
  for (const status of [NEW, READY, undefined]) assert.equal(of(status), undefined);
});

test("a restricted account says why and until when, or that the platform names no end", () => {
  const RESTRICTED = 6;
  const of = (lockReason, lockedUntil) => accounts.troubleOf({ status: RESTRICTED, lockReason, lockedUntil });
  const reasons = [1, 2, 3, 4].map((reason) => of(reason, day(20_000)).what);
  assert.equal(new Set(reasons).size, 4);
  for (const what of reasons) assert.match(what, / until .*2024/);
  assert.match(of(2, day(20_000)).next, /authenticator/);
  const endless = of(1, { seconds: 253_402_300_799n, nanos: 999_999_000 });
  assert.match(endless.what, /names no end\.$/);
  assert.match(endless.next, /^See the account at the platform\./);
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
