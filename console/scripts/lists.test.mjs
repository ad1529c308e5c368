// Lists that are longer than a page, what is found in them, and actions for many of their rows.
import assert from "node:assert/strict";
import { card, context, fileOf, openDesk, page, server, story, to } from "./desk.mjs";
import { answerLongList, scrollLongList } from "./long-list.mjs";
import { urlId } from "./pages.mjs";
import { escape, sendOffer, settled } from "./run.mjs";

openDesk({ port: 18_890 });
const C = "contracts.v1.Contracts/";

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
    await escape(page, opened);
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

story("of 100,000 purchases 20 pages are scrolled with at most 40 rows in the document", async (t) => {
  const done = await answerLongList(page);
  const { times, most } = await scrollLongList(page);
  await done();
  assert.ok(most <= 40, `${most} rows`);
  // How long a page may take is for an idle machine: `npm run nightly` says so.
  t.diagnostic(`milliseconds a page: ${times.join(", ")}`);
});
