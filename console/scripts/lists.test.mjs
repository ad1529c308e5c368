// Lists that are longer than a page, actions for many of their rows, and pages whose answers are slow or not for the person's role.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { urlId } from "./pages.mjs";
import { missing, openBrowser, settled, signIn, startDemo } from "./run.mjs";
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

story("a trader cancels two trade offers at once that the engine has not sent yet", async () => {
  const { accountIds } = await server.call("trading.v1.Trading/ListAccounts", { limit: 1 });
  const offer = (assetId) => ({
    accountId: accountIds[0],
    partner: "https://steamcommunity.com/tradeoffer/new/?partner=1000701&token=AbCdEfGh",
    receives: [{ appId: 730, contextId: "2", assetId }],
  });
  const made = [];
  for (const assetId of ["101", "102", "103"]) {
    made.push((await server.call("trading.v1.Trading/SendTradeOffer", offer(assetId))).tradeOffer.id);
  }
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
