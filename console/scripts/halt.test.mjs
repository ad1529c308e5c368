// What "Halt" and "Stop everything" of the console stop at a demo that does not trade, where nothing changes by itself.
import assert from "node:assert/strict";
import { openDesk, page, server, story, to } from "./desk.mjs";
import { sendOffer } from "./run.mjs";

openDesk({ port: 18_960 });

/** Opens the window of "Stop everything" with a reason in it. Its list does not come before what is returned is called. */
async function stopWithoutList(reason) {
  await to("/pools");
  let goOn;
  const held = new Promise((then) => (goOn = then));
  await page.route("**/ListInventoryItems", (route) => held.then(() => route.continue()).catch(() => {}));
  await page.getByRole("button", { name: "Stop everything" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill(reason);
  return goOn;
}
/** Presses "Halt now". The page gets the answer after the list that was asked for before. */
async function haltBehindList(goOn, answer) {
  // The list ends with what the server counts.
  const listed = page.waitForResponse(/\/CountInventoryItems$/);
  await page.route("**/SetTradingHalt", async (route) => {
    const what = await answer(route);
    goOn();
    await listed;
    await route.fulfill(what);
  });
  await page.getByRole("dialog").getByRole("button", { name: "Halt now" }).click();
}
async function closeStop() {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
}
async function resume() {
  await page.getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("button", { name: "Halt", exact: true }).waitFor();
}

story("a trader who stops everything halts at once while the list of what to stop does not come", async () => {
  const goOn = await stopWithoutList("the list does not come");
  const dialog = page.getByRole("dialog");
  // The button has another name while the answer is awaited: that it is missing says nothing.
  const halted = page.waitForResponse(/\/SetTradingHalt$/);
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await halted;
  const { workspace } = await server.call("accounts.v1.Accounts/GetWorkspace", {});
  assert.equal(workspace.tradingHalt.reason, "the list does not come");
  goOn();
  await dialog.getByText("trading is halted already, and stays so").waitFor();
  await closeStop();
  await resume();
});

story("a list that comes while trading is being halted is not shown: the one from after the halt is", async () => {
  const goOn = await stopWithoutList("the list comes first");
  await haltBehindList(goOn, async (route) => ({ response: await route.fetch() }));
  await page.getByRole("dialog").getByText("trading is halted already, and stays so").waitFor();
  await closeStop();
  await resume();
});

story("a halt that fails says so above the list that has come by then, which has the halt", async () => {
  const goOn = await stopWithoutList("the halt fails");
  const body = JSON.stringify({ code: "internal", message: "internal error" });
  await haltBehindList(goOn, () => ({ status: 500, contentType: "application/json", body }));
  await page.getByRole("dialog").getByText("halts trading: nothing new is bought").waitFor();
  await page.getByRole("dialog").getByRole("alert").getByText("The server failed.").waitFor();
  await closeStop();
});

story("a trader stops everything, loses the connection, and goes on where it broke off", async () => {
  const C = "contracts.v1.Contracts/";
  const itemsIn = async (status) => (await server.call(`${C}ListInventoryItems`, { status, limit: 200 })).inventoryItemIds ?? [];
  const selling = { type: "CONTRACT_TYPE_SELLING", limit: 200 };
  const sellingIn = async (status) => (await server.call(`${C}ListContracts`, { ...selling, status })).contractIds ?? [];
  const inventoryItemIds = await itemsIn("INVENTORY_ITEM_STATUS_LISTED");
  assert.ok(inventoryItemIds.length > 5);
  const sellers = await sellingIn("CONTRACT_STATUS_ACTIVE");
  assert.ok(sellers.length > 1);
  const { accountIds } = await server.call("trading.v1.Trading/ListAccounts", { limit: 1 });
  const offer = await sendOffer(server.call, accountIds[0], "104");
  await to("/pools");
  await page.getByRole("button", { name: "Stop everything" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(`pauses ${sellers.length} selling contracts`, { exact: false }).waitFor();
  await dialog.getByText("cancels 1 trade offer that was not sent").waitFor();
  await dialog.getByText(`requests to delist ${inventoryItemIds.length} items`).waitFor();
  let sent = 0;
  await page.route("**/DelistItem", (r) => (++sent > 3 ? r.abort() : r.continue()));
  await dialog.getByLabel("Reason").fill("prices look wrong");
  await dialog.getByRole("button", { name: "Stop everything" }).click();
  await dialog.getByText("The server cannot be reached.", { exact: false }).waitFor();
  await page.unroute("**/DelistItem");
  await dialog.getByRole("button", { name: /^Continue with the other/ }).click();
  // No engine runs here, so what is being listed never comes on sale.
  const { length: coming } = await itemsIn("INVENTORY_ITEM_STATUS_LISTING");
  await dialog.getByText(`${coming} items are still being listed. Look again once they are on sale.`).waitFor();
  await dialog.getByRole("button", { name: "Look again" }).waitFor();
  await dialog.getByText(`${inventoryItemIds.length} items are asked to be delisted`, { exact: false }).waitFor();
  assert.deepEqual(await sellingIn("CONTRACT_STATUS_ACTIVE"), []);
  assert.deepEqual((await sellingIn("CONTRACT_STATUS_PAUSED")).sort(), sellers.sort());
  const { tradeOffer } = await server.call("trading.v1.Trading/GetTradeOffer", { tradeOfferId: offer.id });
  assert.equal(tradeOffer.status, "TRADE_OFFER_STATUS_CANCELLED");
  const { workspace } = await server.call("accounts.v1.Accounts/GetWorkspace", {});
  assert.equal(workspace.tradingHalt.reason, "prices look wrong");
  const { intentIds } = await server.call("contracts.v1.Contracts/ListIntents", { kind: "INTENT_KIND_DELIST", limit: 200 });
  assert.equal(intentIds.length, inventoryItemIds.length);
});
