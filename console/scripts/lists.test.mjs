// Lists that are longer than a page, actions for many of their rows, what the pages of their records say and offer, and pages whose answers
// are slow or not for the person's role.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { answerLongList, scrollLongList } from "./long-list.mjs";
import { urlId } from "./pages.mjs";
import { confirm, missing, openBrowser, sendOffer, settled, signIn, startDemo } from "./run.mjs";
import { setState } from "./states.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
let server, browser, page, context;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_890 });
    ({ browser, page, context } = await openBrowser(server));
    await signIn(page, server);
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});
const C = "contracts.v1.Contracts/";
const T = "trading.v1.Trading/";
const to = (path) => page.evaluate((p) => history.pushState(null, "", p), path);
const card = (title) => page.locator("section.card", { has: page.getByRole("heading", { level: 2, name: title, exact: true }) });
/** The lines of the file that a card saves. */
async function fileOf(title) {
  const [saved] = await Promise.all([page.waitForEvent("download"), card(title).getByRole("button", { name: "CSV" }).click()]);
  return fs.readFileSync(await saved.path(), "utf8").split("\r\n");
}
/** Does to the selected rows what the bar offers, and closes its window. */
async function doToSelected(label, rows) {
  await page.getByRole("region", { name: "Selected rows" }).getByRole("button", { name: label }).click();
  const asked = page.getByRole("dialog");
  await asked.getByRole("button", { name: `${label} ${rows}` }).click();
  await asked.getByText(`${rows} were done.`).waitFor();
  await asked.getByRole("button", { name: "Close" }).last().click();
}

story("a trader reaches a pool behind the first page, and the file has all pools", async () => {
  const { poolIds } = await server.call("contracts.v1.Contracts/ListPools", {});
  const oldest = page.locator(`a[href="/pools/${urlId(poolIds.at(-1))}"]`);
  for (let n = 0; n < 50; n++) {
    await server.call("contracts.v1.Contracts/CreatePool", { name: `Pool ${n}`, currency: "USD", limits: { budgetCents: "100000" } });
  }
  await to("/pools");
  await card("Pools")
    .getByText(`${50 + poolIds.length} in all`)
    .waitFor();
  assert.equal((await fileOf("Pools")).length, 1 + 50 + poolIds.length);
  await card("Pools")
    .getByText(`50 of ${50 + poolIds.length} are shown.`)
    .waitFor();
  assert.equal(await oldest.count(), 0);
  await card("Pools").getByRole("button", { name: "Show earlier" }).click();
  await oldest.waitFor();
});

story("a trader removes two values that were set by hand at once", async () => {
  const names = ["★ Test Knife | One", "★ Test Knife | Two", "★ Test Knife | Three"];
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  for (const marketHashName of names)
    await server.call("markets.v1.Markets/SetPriceOverride", { marketHashName, priceCents: "1234", reason: "A sale", expiresAt });
  await to("/market");
  const values = card("Values set by hand");
  for (const name of names.slice(0, 2)) await values.getByLabel(`Select ${name}`).check();
  await doToSelected("Remove", 2);
  await values.getByLabel(`Select ${names[0]}`).waitFor({ state: "detached" });
  const { priceOverrides } = await server.call("markets.v1.Markets/ListPriceOverrides", {});
  assert.deepEqual(
    priceOverrides.map((o) => o.variant.marketHashName),
    names.slice(2),
  );
});

story("a value that is set by hand for a week lasts a week of the market, whose clock is not ours", async () => {
  const name = "AK-47 | Redline (Field-Tested)";
  const there = Date.parse("2031-05-06T12:00:00Z");
  await page.route("**/GetWorkspace", async (route) => {
    const response = await route.fetch();
    const simulatedClock = { now: new Date(there).toISOString(), speed: 0 };
    await route.fulfill({ response, json: { ...(await response.json()), simulatedClock } });
  });
  await page.route("**/SetPriceOverride", (route) => route.fulfill({ json: {} }));
  const answered = page.waitForResponse(/\/GetWorkspace$/);
  await page.goto(`${server.url}/market?name=${encodeURIComponent(name)}`);
  await answered;
  await settled(page);
  await page.getByRole("button", { name: "Set by hand" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Value").fill("12.34");
  await dialog.getByLabel("Reason").fill("A sale");
  const asked = page.waitForRequest(/\/SetPriceOverride$/);
  await dialog.getByRole("button", { name: "Set the value" }).click();
  assert.equal(Date.parse((await asked).postDataJSON().expiresAt) - there, 7 * 86_400_000);
  await dialog.waitFor({ state: "detached" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(server.url);
});

story("a trader finds variants by the beginning of their name, and goes from one phase to another", async () => {
  const marketHashName = "★ Test Knife | Doppler (Factory New)";
  const observed = (phase, priceCents) => ({
    marketplace: "simulator",
    listingId: `phase-${priceCents}`,
    marketHashName,
    phase,
    priceCents,
  });
  const observations = [observed("Phase 1", "12300"), observed("Phase 2", "45600")];
  await server.call("markets.v1.Markets/RecordMarketObservations", { observations });
  // The server lists a name once an engine has written its candles, and none does so here.
  await page.route("**/ListVariants", async (route) => {
    const { prefix = "" } = route.request().postDataJSON();
    await route.fulfill({ json: { marketHashNames: marketHashName.toLowerCase().startsWith(prefix) ? [marketHashName] : [] } });
  });
  await to("/market");
  await page.getByLabel("How the name begins").fill("★ test knife | d");
  const rows = card("Variants").locator("tr.goes");
  await rows.filter({ hasText: "Phase 1" }).getByText("$123.00").waitFor();
  assert.equal(await rows.count(), 2);
  assert.equal((await fileOf("Variants")).length, 3);
  await rows.filter({ hasText: "Phase 2" }).getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: marketHashName }).waitFor();
  await card("Order book").getByText("$456.00").waitFor();
  await page.getByRole("radio", { name: "Phase 1" }).click();
  await card("Order book").getByText("$123.00").waitFor();
  await card("Order book").getByRole("link", { name: "Observed listings" }).click();
  await card("Observed listings").getByText("$456.00").waitFor();
  assert.equal(await card("Observed listings").locator("tr.goes").count(), 2);
  await page.unroute("**/ListVariants");
});

story("a trader goes from an observed listing to what the contracts decided about it, and a reload keeps the filters", async () => {
  const decided = (is) => page.waitForRequest((r) => r.url().endsWith("/ListEvaluations") && is(r.postDataJSON()));
  const ofListing = decided((asked) => asked.listingId && !asked.contractId);
  await to("/market?view=listings");
  await card("Observed listings").getByRole("link", { name: "See why" }).first().click();
  const { listingId } = (await ofListing).postDataJSON();
  const skipped = decided((asked) => asked.decision === "EVALUATION_DECISION_SKIP" && asked.listingId === listingId);
  await page.getByRole("radio", { name: "Skip" }).click();
  await skipped;
  await page.waitForURL((url) => url.searchParams.get("decision") === "SKIP" && url.searchParams.get("listing") === listingId);
  await page.reload();
  const field = card("Decisions").getByLabel("Listing");
  assert.equal(await field.inputValue(), listingId);
  const ofContract = decided((asked) => asked.contractId === server.demo.contractId && asked.listingId === "another");
  await to(`/contracts/${urlId(server.demo.contractId)}`);
  await field.fill("another");
  await ofContract;
  await card("Decisions").getByText("No decision is like that.").waitFor();
});

story("a trader finds problems by kind and severity, and a reload keeps the filters", async () => {
  const { remediationIds } = await server.call("contracts.v1.Contracts/ListRemediations", { limit: 200 });
  const { remediations } = await server.call("contracts.v1.Contracts/GetRemediations", { remediationIds });
  const [{ kind, severity }] = remediations;
  const [alike, others] = [true, false].map((is) => remediations.filter((r) => (r.kind === kind && r.severity === severity) === is));
  assert.ok(others.length, "all problems of the demo are alike");
  const hrefs = (of) => of.map((r) => `/problems/${urlId(r.id)}`).sort();
  const choice = (name) => page.getByRole("combobox", { name });
  await to("/problems");
  await choice("Kind").selectOption(kind.replace("REMEDIATION_KIND_", ""));
  await choice("Severity").selectOption(severity.replace("REMEDIATION_SEVERITY_", ""));
  await page.waitForURL((url) => ["kind", "severity"].every((name) => url.searchParams.get(name)));
  await page.reload();
  await page.locator(`main a[href="${hrefs(alike)[0]}"]`).waitFor();
  const shown = await page.locator("main tr.goes a.cell").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  assert.deepEqual(shown.sort(), hrefs(alike));
  assert.equal(await choice("Severity").inputValue(), severity.replace("REMEDIATION_SEVERITY_", ""));
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(/\/problems$/);
});

story("an owner finds in the audit log what a member did of one type on one day, and a reload keeps the filters", async () => {
  const log = async (filter) => (await server.call("accounts.v1.Accounts/ListAuditEvents", { limit: 200, ...filter })).events;
  const { user } = await server.call("accounts.v1.Accounts/GetCurrentUser", { workspaceId: undefined });
  const newest = await log({});
  const dayOf = (e) => e.createdAt.slice(0, 10);
  const ofType = (type) => newest.filter((e) => e.type === type).length;
  const { type, actorUserId: actorId, createdAt } = newest.find((e) => e.actorUserId === user.id && ofType(e.type) < 10);
  const from = new Date(dayOf({ createdAt }));
  const wanted = await log({ type, actorId, from: from.toISOString(), to: new Date(from.getTime() + 86_400_000).toISOString() });
  assert.ok(wanted.length > 0 && wanted.length < 20, `${wanted.length} of ${type}`);
  await to("/audit");
  await page.getByRole("combobox", { name: "What" }).selectOption(type);
  await page.getByRole("combobox", { name: "Who" }).selectOption(urlId(actorId));
  for (const name of ["From", "To"]) await page.getByLabel(name, { exact: true }).fill(dayOf({ createdAt }));
  await page.waitForURL((url) => ["type", "actor", "from", "to"].every((name) => url.searchParams.get(name)));
  await page.reload();
  const rows = page.locator("main tbody tr[data-at]");
  await rows.first().waitFor();
  assert.equal(await rows.count(), wanted.length);
  assert.equal(await page.getByRole("combobox", { name: "What" }).inputValue(), type);
});

story("a trader finds a key by a part of its prefix and a member by the name, and begins a pool in the command bar", async () => {
  const { apiKeys } = await server.call("accounts.v1.Accounts/ListAPIKeys", { workspaceId: undefined });
  const [{ name, keyPrefix }] = apiKeys;
  const choose = async (text, what) => {
    await page.keyboard.press("Control+k");
    const bar = page.getByRole("dialog", { name: "Search or go to" });
    await bar.getByRole("combobox").fill(text);
    await bar.getByRole("option").filter({ hasText: what }).first().click();
  };
  const closed = async (title) => {
    const opened = page.getByRole("dialog", { name: title, exact: true });
    await opened.waitFor();
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "detached" });
  };
  await to("/");
  await choose(keyPrefix.slice(-5), `API key, ${keyPrefix}`);
  await page.getByRole("dialog", { name, exact: true }).getByText(keyPrefix).waitFor();
  await closed(name);
  await page.waitForURL(/\/keys$/);
  await choose("analyst", "member");
  await closed("Analyst");
  await choose("New pool", "new");
  await closed("New pool");
  await page.waitForURL(/\/pools$/);
});

story("a list that is loaded by pages is not read again when a person returns to the window, and its counts are", async () => {
  const tab = await context.newPage();
  try {
    await tab.addInitScript(() => {
      const now = Date.now.bind(Date);
      window.later = 0;
      Date.now = () => now() + window.later;
    });
    await tab.goto(`${server.url}/purchases`);
    await tab.locator("main tr.goes").first().waitFor();
    await settled(tab);
    const calls = [];
    tab.on("request", (r) => calls.push(r.url().split("/").at(-1)));
    const counted = tab.waitForResponse(/\/CountPurchases$/);
    await tab.evaluate(() => {
      // What was read is old by then.
      window.later = 60_000;
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await counted;
    assert.deepEqual(
      calls.filter((method) => /^(List|Get)Purchases$/.test(method)),
      [],
    );
  } finally {
    await tab.close();
  }
});

story("a trader cancels two trade offers at once that the engine has not sent yet", async () => {
  const { accountIds } = await server.call("trading.v1.Trading/ListAccounts", { limit: 1 });
  const made = [];
  for (const assetId of ["101", "102", "103"]) made.push((await sendOffer(server.call, accountIds[0], assetId)).id);
  await to("/offers?status=DRAFT");
  for (const assetId of ["101", "102"]) await page.getByLabel(`Select ${assetId}`).check();
  await doToSelected("Cancel", 2);
  const { tradeOffers } = await server.call("trading.v1.Trading/GetTradeOffers", { tradeOfferIds: made });
  const left = tradeOffers.filter((o) => o.status === "TRADE_OFFER_STATUS_DRAFT" && o.request === "TRADE_OFFER_REQUEST_SEND");
  assert.deepEqual(
    left.map((o) => o.id),
    made.slice(2),
  );
});

story("a trader reconciles two problems at once: one ends, and one goes on waiting", async () => {
  const { remediationIds } = await server.call(`${C}ListRemediations`, { kind: "REMEDIATION_KIND_OUTCOME_UNKNOWN" });
  assert.equal(remediationIds.length, 2);
  await to("/problems?kind=OUTCOME_UNKNOWN");
  const row = (id) => page.locator("main tr", { has: page.locator(`a[href="/problems/${urlId(id)}"]`) });
  for (const id of remediationIds) await row(id).getByRole("checkbox").check();
  await doToSelected("Reconcile", 2);
  const { remediations } = await server.call(`${C}GetRemediations`, { remediationIds });
  const statuses = remediations.map((r) => r.status.replace("REMEDIATION_STATUS_", ""));
  // The marketplace of the demo shows the order of one of the purchases.
  assert.deepEqual(statuses.sort(), ["RESOLVED", "WAITING"]);
});

const itemIn = async (status, rest = {}) => {
  const asked = { status: `INVENTORY_ITEM_STATUS_${status}`, limit: 1, ...rest };
  const { inventoryItemIds } = await server.call(`${C}ListInventoryItems`, asked);
  return (await server.call(`${C}GetInventoryItem`, { inventoryItemId: inventoryItemIds[0] })).inventoryItem;
};
/** The page of an item, with all that it asks for. */
async function openItem(item) {
  await to(`/items/${urlId(item.id)}`);
  await page.locator("main").getByText(urlId(item.id), { exact: true }).first().waitFor();
  await settled(page);
}
const writeOff = () => page.getByRole("button", { name: "Write off", exact: true });
story("a trader writes off an item that is missing, and is not offered it for one that is not lost", async () => {
  for (const status of ["IN_INVENTORY", "LISTED", "DELIVERING", "HELD", "SOLD"]) {
    await openItem(await itemIn(status));
    assert.equal(await writeOff().count(), 0, status);
  }
  const lost = await itemIn("MISSING");
  await openItem(lost);
  await page.getByText("Item is missing.", { exact: true }).waitFor();
  await writeOff().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("not found again");
  await dialog.getByRole("button", { name: /^Write off/ }).click();
  await confirm(page, server.demo, page.getByText("Written off.", { exact: true }));
  const { inventoryItem } = await server.call(`${C}GetInventoryItem`, { inventoryItemId: lost.id });
  assert.equal(inventoryItem.status, "INVENTORY_ITEM_STATUS_WRITTEN_OFF");
});

story("an item that is being delivered can be written off once its account is banned", async () => {
  const item = await itemIn("DELIVERING");
  const { accountIds } = await server.call(`${T}ListAccounts`, { limit: 200 });
  const { accounts } = await server.call(`${T}GetAccounts`, { accountIds });
  const { id } = accounts.find((a) => a.name === item.accountName);
  // Only a platform bans an account: the answer is made here.
  await page.route("**/ListAccounts", (route) =>
    route.request().postDataJSON().status === "ACCOUNT_STATUS_BANNED"
      ? route.fulfill({ json: { accountIds: [id], nextCursor: "" } })
      : route.continue(),
  );
  await page.goto(`${server.url}/items/${urlId(item.id)}`);
  await writeOff().waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("the page of a purchase has its item and its problems without reading those of others", async () => {
  const asked = new Set();
  const listen = (r) => {
    const [method] = /(ListInventoryItems|ListRemediations)$/.exec(r.url()) ?? [];
    if (method) asked.add([method, r.postDataJSON().subjectType, urlId(r.postDataJSON().subjectId ?? "")].join(" "));
  };
  page.on("request", listen);
  await page.goto(`${server.url}/purchases/${urlId(server.demo.purchaseId)}`);
  const link = card("Where from").getByRole("link", { name: "In the inventory" });
  await link.waitFor();
  await settled(page);
  page.off("request", listen);
  assert.equal(await link.getAttribute("href"), `/items/${urlId(server.demo.inventoryItemId)}`);
  assert.deepEqual([...asked], [`ListRemediations TRANSITION_SUBJECT_TYPE_PURCHASE ${urlId(server.demo.purchaseId)}`]);
});

story("a proposal to take an item off sale is called as the item is, in the list, on its page and in the live feed", async () => {
  const item = await itemIn("LISTED");
  const { intent } = await server.call(`${C}DelistItem`, { inventoryItemId: item.id });
  const href = `/approvals/${urlId(intent.id)}`;
  await to("/approvals?status=all");
  const row = page.locator(`main a[href="${href}"]`).filter({ hasText: item.marketHashName });
  await row.waitFor();
  await row.click();
  await page.getByRole("heading", { level: 1, name: item.marketHashName, exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(`Delist: ${item.marketHashName}. It was approved`, { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Cancel it" }).click();
  await dialog.waitFor({ state: "detached" });
  await to("/");
  const feed = page.getByRole("list", { name: "Changes, the newest first" });
  await feed.locator(`a[href="${href}"]`).filter({ hasText: item.marketHashName }).first().waitFor();
});

story("a trader goes from a contract to its items and its proposals, and filters these by what they do", async () => {
  const { contractId } = server.demo;
  const asked = (method, kind) =>
    page.waitForRequest((r) => {
      const body = r.url().endsWith(`/${method}`) ? r.postDataJSON() : {};
      return body.contractId === contractId && body.kind === kind;
    });
  const go = (name) => card("Record").getByRole("link", { name }).click();
  const contract = page.getByRole("combobox", { name: "Contract" });
  await to(`/contracts/${urlId(contractId)}`);
  const items = asked("ListInventoryItems");
  await go("The items of its purchases");
  await items;
  assert.equal(await contract.inputValue(), urlId(contractId));
  await page.goBack();
  const proposals = asked("ListIntents");
  await go("What it proposed");
  await proposals;
  assert.equal(await contract.inputValue(), urlId(contractId));
  const buys = asked("ListIntents", "INTENT_KIND_BUY");
  await page.getByRole("combobox", { name: "What" }).selectOption({ label: "Buy" });
  await buys;
  await page.waitForURL((url) => url.searchParams.get("kind") === "BUY" && url.searchParams.get("status") === "all");
});

story("the live list of the overview shows whole names, on a telephone and on a wide screen", async () => {
  // The most letters that fit for certain.
  const room = [
    [320, 34],
    [390, 46],
    [1440, 46],
  ];
  await page.goto(server.url);
  const names = page.getByRole("list", { name: "Changes, the newest first" }).locator(".what > [title]");
  try {
    for (const [width, letters] of room) {
      await page.setViewportSize({ width, height: 900 });
      await names.first().waitFor();
      const cut = (all, letters) =>
        all.map((e) => e.title !== e.textContent || (e.title.length <= letters && e.scrollWidth > e.clientWidth ? e.title : ""));
      assert.deepEqual([width, (await names.evaluateAll(cut, letters)).filter(Boolean)], [width, []]);
    }
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

story("the overview counts many open problems, and reads few of them, the critical ones first", async () => {
  const status = "REMEDIATION_STATUS_NEEDS_OPERATOR";
  const asked = [];
  await page.route("**/CountRemediations", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.counts.find((c) => c.status === status).count = 300;
    await route.fulfill({ response, json });
  });
  const listen = (r) => r.url().endsWith("/ListRemediations") && asked.push(r.postDataJSON());
  page.on("request", listen);
  await page.goto(server.url);
  await card("Open problems")
    .getByRole("link", { name: /^All 3\d\d problems$/ })
    .waitFor();
  await settled(page);
  page.off("request", listen);
  const first = asked[0];
  assert.deepEqual([first.status, first.severity], [status, "REMEDIATION_SEVERITY_CRITICAL"]);
  assert.ok(asked.every((a) => a.limit === 50 && !a.cursor));
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("a trader goes from an account to its pools and its trade offers, and filters them by the way they went", async () => {
  const { accountIds } = await server.call(`${T}ListAccounts`, { limit: 2, status: "ACCOUNT_STATUS_READY" });
  const receive = (accountId, assetId) => ({
    accountId,
    partner: "https://steamcommunity.com/tradeoffer/new/?partner=1000701&token=AbCdEfGh",
    receives: [{ appId: 730, contextId: "2", assetId }],
  });
  await server.call(`${T}SendTradeOffer`, receive(accountIds[0], "70001"));
  await server.call(`${T}SendTradeOffer`, receive(accountIds[1], "70002"));
  const { pool } = await server.call(`${C}CreatePool`, { name: "Served", currency: "USD", limits: { budgetCents: "100000" } });
  const roles = ["ASSIGNMENT_ROLE_BUY"];
  await server.call(`${C}CreateAssignment`, { poolId: pool.id, accountId: accountIds[1], roles, priority: 3 });
  await to(`/accounts/${urlId(accountIds[1])}`);
  const pools = page.getByRole("list", { name: "Pools" });
  await pools.getByRole("listitem").filter({ hasText: "Served" }).getByText("Buys: order 3").waitFor();
  assert.equal(await pools.getByRole("link", { name: "Served" }).getAttribute("href"), `/pools/${urlId(pool.id)}`);
  await card("Pools and offers").getByRole("link", { name: "Trade offers" }).click();
  await page.waitForURL(/\/offers\?account=/);
  const of = (assetId) => page.locator("main tr.goes").filter({ hasText: assetId });
  await of("70002").waitFor();
  assert.equal(await of("70001").count(), 0);
  const way = page.getByRole("combobox", { name: "Way" });
  await way.selectOption({ label: "Received" });
  await page.waitForURL(/way=RECEIVED/);
  await page.getByText("No offer is like that.").waitFor();
  await way.selectOption({ label: "Sent" });
  await of("70002").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(/\/offers$/);
  await of("70001").waitFor();
});

story("the overview says that an account is restricted, and its page says why, until when, what it costs, and what to do", async () => {
  const { accountIds } = await server.call(`${T}ListAccounts`, { limit: 1 });
  const status = "ACCOUNT_STATUS_RESTRICTED";
  // Only a platform restricts an account: the answers are changed before the browser gets them.
  const changed = (change) => async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    change(json);
    await route.fulfill({ response, json });
  };
  await page.route(
    "**/CountAccounts",
    changed((json) => (json.counts.find((c) => c.status === status).count = 1)),
  );
  const lock = { status, lockReason: "ACCOUNT_LOCK_REASON_REVERSAL_COOLDOWN", lockedUntil: "2031-05-06T12:00:00Z" };
  await page.route(
    "**/GetAccount",
    changed((json) => Object.assign(json.account, lock)),
  );
  await page.goto(server.url);
  const line = page.locator(".standstill .notice").filter({ hasText: "The platform restricts 1 account." });
  await line.waitFor();
  assert.equal(await line.getByRole("link").getAttribute("href"), "/accounts?status=RESTRICTED");
  await to(`/accounts/${urlId(accountIds[0])}`);
  const notice = page.locator("main .notice").filter({ hasText: "because one of its trades was reversed until 6 May 2031" });
  await notice.waitFor();
  assert.match(await notice.innerText(), /It buys nothing[^]*See which one under its trade offers[^]*every minute/);
  assert.equal(await page.getByText("ocked until", { exact: false }).count(), 0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("of 100,000 purchases 20 pages are scrolled with at most 40 rows in the document", async (t) => {
  const done = await answerLongList(page);
  const { times, most } = await scrollLongList(page);
  await done();
  assert.ok(most <= 40, `${most} rows`);
  // How long a page may take is for an idle machine: `npm run nightly` says so.
  t.diagnostic(`milliseconds a page: ${times.join(", ")}`);
});

story("a trader replays a contract, and sees what it would have bought as marks, as a chart and as a table", async () => {
  const HOUR = 3_600_000;
  const until = Date.now() - HOUR;
  const ago = (hours) => new Date(until - hours * HOUR).toISOString();
  const listings = [30, 20, 10].map((hours, n) => ({
    observationId: Buffer.alloc(16, n + 1).toString("base64"),
    marketplace: "simulator",
    listingId: `replay-${n}`,
    marketHashName: `Replayed ${n}`,
    priceCents: "1000",
    platformFeeCents: "20",
    allInCostCents: "1020",
    fairValueCents: "1200",
    observedAt: ago(hours),
    createdAt: ago(hours),
  }));
  // Which listings a demo has observed lately is not known: the answers are made here, that of each step up to its end.
  await page.route("**/SimulateContract", (route) => {
    const { to: end } = route.request().postDataJSON();
    const wouldHaveBought = listings.filter((l) => !end || Date.parse(l.createdAt) < Date.parse(end));
    const wouldBuy = wouldHaveBought.length;
    const spendCents = String(wouldBuy * 1020);
    const topReasons = [{ code: "BUY_PRICE", count: 4 }];
    return route.fulfill({
      json: { observed: wouldBuy * 10, matched: wouldBuy * 2, wouldBuy, spendCents, topReasons, until: ago(0), wouldHaveBought },
    });
  });
  await to(`/contracts/${urlId(server.demo.contractId)}?view=replay`);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("img", { name: /would have bought 3 of 30 observed listings/ }).waitFor();
  const steps = page.getByRole("region", { name: "The replay as a table" });
  assert.equal(await steps.locator("tbody tr").count(), 14);
  const bought = await steps.locator("td.gain").allInnerTexts();
  assert.equal(
    bought.reduce((sum, n) => sum + Number(n), 0),
    3,
  );
  const marks = card("What it would have bought");
  await marks.getByRole("img", { name: /3 listings from/ }).waitFor();
  assert.equal(await marks.locator("tbody tr[data-at]").count(), 3);
  assert.equal((await fileOf("What it would have bought")).length, 4);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("a page of which a part fails says so of that part, and shows it once it is asked again", async () => {
  const item = await itemIn("IN_INVENTORY");
  const body = JSON.stringify({ code: "internal", message: "internal error" });
  const fail = (route) => route.fulfill({ status: 500, contentType: "application/json", body });
  const failed = "The server failed.";
  for (const method of ["ListTradeOffers", "ListRemediations", "GetItemProfitAndLoss"]) await page.route(`**/${method}`, fail);
  await page.goto(`${server.url}/items/${urlId(item.id)}`);
  for (const title of ["Trade offers", "Ledger", "What it brings"]) await card(title).getByText(failed).waitFor();
  const unknown = page.locator("main .notice").filter({ hasText: "Whether it has open problems is not known." });
  await unknown.waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await unknown.getByRole("button", { name: "Try again" }).click();
  for (const title of ["Trade offers", "Ledger"]) await card(title).getByRole("button", { name: "Try again" }).click();
  await unknown.waitFor({ state: "detached" });
  await page.locator("main").getByText(failed).first().waitFor({ state: "detached" });
  await page.route("**/GetUsage", (route) => (route.request().postDataJSON().groupBy?.length ? fail(route) : route.continue()));
  await page.goto(`${server.url}/usage`);
  await card("By operation").getByText(failed).waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Without these the overview would look as it does where nothing keeps the workspace from trading.
  for (const method of ["GetProviders", "CountAccounts", "CountContracts"]) {
    await page.route(`**/${method}`, fail);
    await page.goto(server.url);
    const blind = page.locator(".standstill .notice").filter({ hasText: "Whether something keeps it from trading is not known." });
    await blind.waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await blind.getByRole("button", { name: "Try again" }).click();
    await blind.waitFor({ state: "detached" });
  }
});

story("a page without an answer says so once, and asks again when a person wants it to", async () => {
  await setState(context, "slow");
  await page.goto(`${server.url}/pools`);
  const sentence = page.getByText("The server is slow. Still waiting.");
  await sentence.waitFor();
  assert.equal(await sentence.count(), 1);
  await setState(context, "full");
  assert.equal(await card("Pools").getByRole("link").count(), 0);
  await page.getByRole("button", { name: "Try again" }).click();
  await card("Pools").getByRole("link").first().waitFor();
  await sentence.waitFor({ state: "detached" });
});

const DISTURBED = [
  ["busy", "Too many requests.", "The server takes the next one in 1 s."],
  ["broken", "The server failed.", "give the id below to the operator"],
];
for (const [state, title, advice] of DISTURBED) {
  story(
    `a page whose calls are refused because the server is ${state} says why and what to do, and shows the list once it is not`,
    async () => {
      await setState(context, state);
      await page.goto(`${server.url}/pools`);
      const notice = card("Pools").getByRole("alert");
      await notice.getByText(title).waitFor();
      await notice.getByText(advice).waitFor();
      await notice.getByText("01J9Z3K7Q5W8X2V4B6N8M0C1D3").waitFor();
      await setState(context, "full");
      await notice.getByRole("button", { name: "Try again" }).click();
      await card("Pools").getByRole("link").first().waitFor();
    },
  );
}

story("a window with something typed asks before it closes, by Escape and by the cross, and Cancel discards it", async () => {
  await page.goto(`${server.url}/pools`);
  const opened = page.getByRole("dialog", { name: "New pool" });
  const asked = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("button", { name: "New pool" }).click();
  await opened.getByLabel("Name", { exact: true }).fill("Half typed");
  await page.keyboard.press("Escape");
  await asked.getByRole("button", { name: "Stay here" }).click();
  await opened.getByRole("button", { name: "Close" }).click();
  await asked.getByRole("button", { name: "Stay here" }).click();
  assert.equal(await opened.getByLabel("Name", { exact: true }).inputValue(), "Half typed");
  await page.keyboard.press("Escape");
  await asked.getByRole("button", { name: "Leave" }).click();
  await opened.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New pool" }).click();
  assert.equal(await opened.getByLabel("Name", { exact: true }).inputValue(), "");
  await opened.getByLabel("Name", { exact: true }).fill("Half typed");
  await opened.getByRole("button", { name: "Cancel" }).click();
  await opened.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New pool" }).click();
  await page.keyboard.press("Escape");
  await opened.waitFor({ state: "detached" });
});

story("a role without money sees on the overview what happens and what is wrong", async () => {
  await context.route(/\/GetEffectivePermissions$/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.operations = json.operations.filter((o) => !/ProfitAndLoss|EquitySeries|GetCapital/.test(JSON.stringify(o)));
    await route.fulfill({ response, json });
  });
  await page.goto(server.url);
  await page.getByText("Your role shows no money").waitFor();
  await page.getByRole("list", { name: "Changes, the newest first" }).getByRole("listitem").first().waitFor();
  await page
    .getByRole("list", { name: /^Open problems/ })
    .getByRole("listitem")
    .first()
    .waitFor();
  await settled(page);
  assert.equal(await page.locator("main").getByText("$", { exact: false }).count(), 0);
});
