// What holds for pages of every kind: figures and days are those of the server and of the market, what is typed is checked at once, every table
// has a file, and a person's look is kept.
import assert from "node:assert/strict";
import { card, openDesk, page, server, story, to } from "./desk.mjs";
import { PAGES, pages, urlId } from "./pages.mjs";
import { addConnections, confirm, settled } from "./run.mjs";

openDesk({ port: 18_970 });

const C = "contracts.v1.Contracts/";
const DAY = 86_400_000;

/** An amount as the console writes it. */
const written = (cents, signDisplay = "auto") => {
  const style = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", signDisplay };
  return new Intl.NumberFormat("en-GB", style).format(Number(cents) / 100).replace("-", "−\u2060");
};
const tile = (name) => page.locator("dl.stat", { has: page.getByText(name, { exact: true }) });
/** The next answer of an operation, to a request of which `is` holds. */
async function answerOf(method, is = () => true) {
  const answer = await page.waitForResponse((r) => r.url().endsWith(`/${method}`) && is(r.request().postDataJSON()));
  return answer.json();
}

story("the figures of the overview are those of the server, in all and by what the money is in", async () => {
  const asked = [
    answerOf("GetEquitySeries"),
    answerOf("GetProfitAndLoss", ({ groupBy }) => groupBy === "PROFIT_AND_LOSS_GROUPING_NONE"),
    answerOf("GetCapital"),
  ];
  await page.goto(server.url);
  const [{ now }, { rows }, { capital }] = await Promise.all(asked);
  await tile("Equity").getByText(written(now.equityCents), { exact: true }).waitFor();
  await tile("Realised, 30 days").getByText(written(rows[0].realisedCents, "exceptZero"), { exact: true }).waitFor();
  await tile("Unrealised").getByText(written(rows[0].unrealisedCents, "exceptZero"), { exact: true }).waitFor();
  const parts = {
    "Free to spend": capital.availableCents,
    "Reserved for purchases": capital.reservedCents,
    "Paid, not delivered": capital.paidInTransitCents,
    "Refunds due": capital.refundDueCents,
    "Items held": capital.inventoryAtCostCents,
    "Delivered to buyers": capital.deliveredAtCostCents,
    "Sales to be paid out": capital.receivableCents,
  };
  for (const [name, cents] of Object.entries(parts)) {
    const part = page.locator("main .capital li", { has: page.getByText(name, { exact: true }) });
    await part.getByText(written(cents), { exact: true }).waitFor();
  }
});

story("the overview shows the last days of the market, whose clock it learns once the page is there", async () => {
  const there = Date.parse("2031-05-06T12:00:00Z");
  let goOn;
  const held = new Promise((then) => (goOn = then));
  await page.route("**/GetWorkspace", async (route) => {
    const response = await route.fetch();
    const simulatedClock = { now: new Date(there).toISOString(), speed: 0 };
    await held;
    await route.fulfill({ response, json: { ...(await response.json()), simulatedClock } });
  });
  const asked = () => page.waitForRequest(/\/GetProfitAndLossSeries$/);
  const daysBefore = (request) => (there - Date.parse(request.postDataJSON().from)) / DAY;
  const before = asked();
  await page.goto(server.url);
  assert.ok(daysBefore(await before) > 31, "the clock of the market was known before the page");
  const now = asked();
  goOn();
  assert.equal(Math.floor(daysBefore(await now)), 29);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(server.url);
});

story("a limit of a contract is explained, and says what is wrong with it while a trader types", async () => {
  await to("/contracts/new");
  const [price, budget] = ["Price with fee at most", "Budget"].map((name) => page.getByLabel(name, { exact: true }));
  await page.getByText("The most to spend in all.").waitFor();
  await budget.fill("a lot");
  await page.getByText("Write an amount such as 12.50.").waitFor();
  await price.fill("20");
  await budget.fill("10");
  await page.getByText("It is less than one item may cost.").waitFor();
  await budget.fill("20");
  await page.getByText("It is less than one item may cost.").waitFor({ state: "detached" });
  for (const field of [price, budget]) await field.fill("");
});

story("a trader sees while typing which of the newest listings the rules of a filter set let through", async () => {
  const M = "markets.v1.Markets/";
  const { observationIds } = await server.call(`${M}ListMarketObservations`, { limit: 100 });
  const { observations } = await server.call(`${M}GetMarketObservations`, { observationIds });
  const names = observations.map((o) => o.listing.marketHashName.toLowerCase());
  const [part] = names[0].split(" |");
  const passed = names.filter((name) => name.includes(part)).length;
  await to("/filters/new");
  const parts = page.getByLabel("Parts of names");
  await parts.fill(part);
  await card("Test").getByText(`${passed} of ${names.length}`, { exact: true }).waitFor();
  await parts.fill("");
  await card("Test").getByText("Set a rule", { exact: false }).waitFor();
});

story("a person creates a key with an end, and removes the end", async () => {
  const kept = async () => {
    const { apiKeys } = await server.call("accounts.v1.Accounts/ListAPIKeys", { workspaceId: undefined });
    return apiKeys.find((k) => k.name === "Nightly report");
  };
  const dialog = page.getByRole("dialog");
  await to("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await dialog.getByLabel("Name").fill("Nightly report");
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  await dialog.getByRole("button", { name: "Done" }).click();
  assert.ok((await kept()).expiresAt);
  const row = page.locator("main tr", { has: page.getByRole("button", { name: "Nightly report", exact: true }) });
  await row.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("It never ends").check();
  await dialog.getByLabel("Ends after").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await confirm(page, server.demo, page.getByText("Saved.", { exact: true }));
  assert.equal((await kept()).expiresAt, undefined);
});

story("the link of an alert opens its problem, and opening it acknowledges nothing", async () => {
  const { remediationIds } = await server.call(`${C}ListRemediations`, { limit: 1 });
  const [remediationId] = remediationIds;
  const problem = async () => (await server.call(`${C}GetRemediation`, { remediationId })).remediation;
  const before = await problem();
  const path = `/problems/${urlId(remediationId)}`;
  await page.goto(`${server.url}${path}?workspace=${urlId(server.demo.workspaceId)}`);
  await page.waitForURL((url) => url.pathname === path && url.search === "");
  await page.locator("main").getByText(urlId(remediationId), { exact: true }).waitFor();
  await settled(page);
  assert.deepEqual(await problem(), before);
});

const SALES = [
  ["INTENT_KIND_LIST", { status: "INVENTORY_ITEM_STATUS_IN_INVENTORY", locked: false }, "Sell", "Put on sale", "to sell it"],
  ["INTENT_KIND_REPRICE", { status: "INVENTORY_ITEM_STATUS_LISTED" }, "Change the price", "Change the price", "to change the price"],
];
for (const [kind, asked, label, confirmed, what] of SALES)
  story(`a trader presses "${label}" on the page of an item, and the price that is typed is proposed`, async () => {
    const { inventoryItemIds } = await server.call(`${C}ListInventoryItems`, { limit: 1, ...asked });
    await to(`/items/${urlId(inventoryItemIds[0])}`);
    await page.getByRole("button", { name: label, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Price", { exact: true }).fill("9999");
    // It is chosen where a marketplace that sells is on record.
    const marketplace = dialog.getByRole("textbox", { name: "Marketplace" });
    if (await marketplace.count()) await marketplace.fill("simulator");
    await dialog.getByRole("button", { name: confirmed, exact: true }).click();
    await page.getByText(`A proposal ${what} was made.`, { exact: true }).waitFor();
    const { intentIds } = await server.call(`${C}ListIntents`, { kind, limit: 1 });
    const { intent } = await server.call(`${C}GetIntent`, { intentId: intentIds[0] });
    assert.deepEqual([intent.item.inventoryItemId, intent.item.priceCents], [inventoryItemIds[0], "999900"]);
  });

/** Tables whose rows nothing can be done to: "Many calls" in RULES.md. */
const UNSELECTED = [
  "Audit",
  "Calls by key",
  "Calls by operation",
  "Differences",
  "Items of the snapshot",
  "Messages",
  "Observed listings",
  "Profit and loss",
  "Rows of the import",
  "Snapshots",
  "Variants",
  "What contracts would have bought",
];
story("every table of a page can be saved as a file, and the rows of every list that can be changed can be selected", async () => {
  await addConnections(server);
  for (const [name, at] of await pages(server, { without: Object.keys(PAGES) })) {
    await to(at);
    await settled(page);
    // A chart has the table of its library, which is not shown.
    const tables = await page.locator('main table:not([role="img"] *)').evaluateAll((all) =>
      all.map((table) => {
        const savers = [table.closest("section.card"), document.querySelector("main .head")];
        return {
          label: table.getAttribute("aria-label") ?? table.closest("section.card")?.querySelector("h2")?.textContent ?? "",
          isSaved: savers.some((place) => [...(place?.querySelectorAll("button") ?? [])].some((b) => b.innerText.trim() === "CSV")),
          isList: table.getAttribute("role") === "table",
          isSelected: table.querySelector("input[type=checkbox]") !== null,
        };
      }),
    );
    const of = (which) => tables.filter(which).map((t) => t.label);
    assert.deepEqual([name, of((t) => !t.isSaved)], [name, []]);
    assert.deepEqual([name, of((t) => t.isList && !t.isSelected && !UNSELECTED.includes(t.label))], [name, []]);
  }
});

story("the theme and the density that a person chooses are kept by the browser", async () => {
  const look = () => page.evaluate(() => ["theme", "density"].map((name) => document.documentElement.dataset[name] ?? ""));
  const choose = (name) => page.getByRole("radio", { name, exact: true }).click();
  await to("/settings?view=look");
  await choose("Dark");
  await choose("Compact");
  await page.reload();
  await page.getByRole("radio", { name: "Compact", exact: true, checked: true }).waitFor();
  assert.deepEqual(await look(), ["dark", "compact"]);
  await choose("As the system");
  await choose("Comfortable");
  assert.deepEqual(await look(), ["", "comfortable"]);
});
