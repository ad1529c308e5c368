// What the pages of trading accounts, their imports, inventories, friends, chats and sessions calculate themselves: modules of the sources,
// without a browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { day, startModules } from "./modules.mjs";

let modules, snapshots, changes, match, content, imports, friends, confirmations, sessions, renewals, chats, accounts, accountFields;
before(async () => {
  modules = await startModules();
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
  accounts = await modules.load("/src/pages/accounts/words.ts");
  accountFields = await modules.load("/src/pages/accounts/fields.ts");
});
after(() => modules?.close());

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

test("a row of a holding shows its item and what it cost, and says where that is unknown", () => {
  const fields = [
    { name: "asset_id", value: "27348562871" },
    { name: "market_hash_name", value: "Glove Case" },
  ];
  const row = { number: 3, key: "27348562871", fields, reasons: [] };
  assert.deepEqual([imports.rowName(row), imports.remarkOf(row)], ["Glove Case", "Its cost is unknown"]);
  const priced = (name, value) => imports.remarkOf({ ...row, fields: [...fields, { name, value }] });
  assert.deepEqual([priced("price", "12.50"), priced("price_cents", "1250")], ["Bought for 12.50", "Bought for 1250 cents"]);
});

test("a row of a sale shows what its item was sold for", () => {
  const fields = [
    { name: "asset_id", value: "27348562871" },
    { name: "price", value: "15.00" },
    { name: "sold_at", value: "2026-05-30" },
  ];
  const row = { number: 3, key: "27348562871", fields, reasons: [] };
  assert.deepEqual([imports.rowName(row), imports.remarkOf(row)], ["27348562871", "Sold for 15.00"]);
});

test("a row of a purchase shows what its item was bought for, and what it was sold for", () => {
  const fields = [
    { name: "market_hash_name", value: "Glove Case" },
    { name: "price_cents", value: "1250" },
    { name: "held", value: "yes" },
  ];
  const row = { number: 3, key: "csfloat:A-1", fields, reasons: [] };
  assert.deepEqual([imports.rowName(row), imports.remarkOf(row)], ["Glove Case", "Bought for 1250 cents"]);
  const sale = [
    { name: "sold_at", value: "2026-05-30" },
    { name: "sale_price", value: "15.00" },
  ];
  assert.equal(imports.remarkOf({ ...row, fields: [...fields.slice(0, 2), ...sale] }), "Bought for 1250 cents, sold for 15.00");
});

test("every reason of a row and every format has its words", () => {
  const codes =
    "NUMBER_INVALID NUMBER_TWICE NAME_INVALID NAME_TAKEN SECRET_INVALID TOKEN_INVALID FILE_INVALID FILE_ENCRYPTED ACCOUNT_ELSEWHERE GROUP_FULL " +
    "ACCOUNT_UNKNOWN ASSET_INVALID ASSET_TWICE ASSET_KNOWN HOLDING_DIFFERS FIELD_INVALID PRICE_INVALID ORDER_TAKEN TIME_INVALID " +
    "ITEM_UNKNOWN ITEM_NOT_HELD SALE_DIFFERS PURCHASE_DIFFERS SALE_MISSING";
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

test("open renewals are chosen by the days within which they are due, and any other text of an address chooses nothing", () => {
  const now = 20_000 * 86_400_000;
  assert.deepEqual(
    renewals.DUE.map(([days]) => (renewals.dueBefore(days, now).getTime() - now) / 86_400_000),
    [1, 7, 30],
  );
  for (const other of ["", "2", "30d", "-1"]) assert.equal(renewals.dueBefore(other, now), undefined);
});

test("an account is offered to be signed in as long as it is not, and something is stored to sign it in by", () => {
  const those = (rest) => [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((status) => accounts.canSignIn({ status, ...rest }));
  const [NEW, VALIDATING, NEEDS_LOGIN] = [1, 2, 5];
  assert.deepEqual(those({ hasSecrets: true }), [NEW, VALIDATING, NEEDS_LOGIN]);
  assert.deepEqual(those({ hasSecrets: false }), []);
});

test("a giving limit that a person leaves as it is shown is the one that the account has by now", () => {
  const limited = (maxGiveCentsPerHour, maxGiveCentsPerDay) => ({ givingLimits: { maxGiveCentsPerHour, maxGiveCentsPerDay } });
  const [shown, now] = [limited(5000n, undefined), limited(7000n, 20000n)];
  const given = (typed) => accountFields.givingOver(shown, { ...accountFields.givingStartOf(shown), ...typed }, now);
  assert.deepEqual(given({ perHour: "60.00" }), { maxGiveCentsPerHour: 6000n, maxGiveCentsPerDay: 20000n });
  assert.deepEqual(given({ perHour: "" }), { maxGiveCentsPerHour: undefined, maxGiveCentsPerDay: 20000n });
  assert.deepEqual(given({ perDay: "9.00" }), { maxGiveCentsPerHour: 7000n, maxGiveCentsPerDay: 900n });
});

test("a new account has giving limits only if one is typed, and a limit of nothing is one", () => {
  const of = accountFields.newGivingOf;
  assert.deepEqual([of({}), of({ perHour: "", perDay: " " })], [{}, {}]);
  const limited = (maxGiveCentsPerHour, maxGiveCentsPerDay) => ({ givingLimits: { maxGiveCentsPerHour, maxGiveCentsPerDay } });
  assert.deepEqual(of({ perHour: "0" }), limited(0n, undefined));
  assert.deepEqual(of({ perHour: "50", perDay: "200.00" }), limited(5000n, 20000n));
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
