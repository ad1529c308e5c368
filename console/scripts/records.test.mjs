// What the pages of records say and offer, and the ways from one record to another.
import assert from "node:assert/strict";
import { card, fileOf, openDesk, page, server, story, to } from "./desk.mjs";
import { urlId } from "./pages.mjs";
import { confirm, settled } from "./run.mjs";

openDesk({ port: 18_940 });
const C = "contracts.v1.Contracts/";
const T = "trading.v1.Trading/";

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

story("a trader adds an account that gives a limited value, and its page shows the limit", async () => {
  await to("/accounts");
  await page.getByRole("button", { name: "Add an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an account" });
  const typed = { Name: "night-1", Platform: "steam", "Its id at the platform": "76561198000009999", "Gives within an hour at most": "50" };
  // The label of a field that may be empty says so behind its name.
  for (const [label, value] of Object.entries(typed)) await dialog.getByLabel(new RegExp(`^${label}`)).fill(value);
  await dialog.getByRole("button", { name: "Add the account" }).click();
  const row = page.getByRole("link", { name: "night-1" });
  await confirm(page, server.demo, row);
  await row.click();
  await card("Rights and limits").getByText("$50.00").waitFor();
  const { accountIds } = await server.call(`${T}ListAccounts`, { limit: 1 });
  const { account } = await server.call(`${T}GetAccount`, { accountId: accountIds[0] });
  const { maxGiveCentsPerHour, maxGiveCentsPerDay } = account.givingLimits;
  assert.deepEqual([account.name, maxGiveCentsPerHour, maxGiveCentsPerDay], ["night-1", "5000", undefined]);
});
