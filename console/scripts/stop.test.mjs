// What "Stop everything" of the console stops at a demo that trades. TRADEPOST_BIN names the binary; without it, or without Chromium, the
// story is left out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { missing, openBrowser, QUICK, signIn, startDemo } from "./run.mjs";

const C = "contracts.v1.Contracts/";
const story = (name, run) => test(name, { skip: missing() || false, timeout: 400_000 }, run);
let server, browser, page;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ live: true, port: 18_930, speed: QUICK });
    ({ browser, page } = await openBrowser(server));
    await signIn(page, server);
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});

const itemsIn = async (status) =>
  (await server.call(`${C}ListInventoryItems`, { status: `INVENTORY_ITEM_STATUS_${status}`, limit: 200 })).inventoryItemIds ?? [];
const sellingIn = async (status) => {
  const asked = { type: "CONTRACT_TYPE_SELLING", status: `CONTRACT_STATUS_${status}`, limit: 200 };
  return (await server.call(`${C}ListContracts`, asked)).contractIds ?? [];
};
/** The items that the engine could put on sale: those of the sample data are of accounts that it does not serve. */
const itemsToSell = async () => {
  const { inventoryItems } = await server.call(`${C}GetInventoryItems`, { inventoryItemIds: await itemsIn("IN_INVENTORY") });
  const now = await marketNow();
  return inventoryItems.filter((i) => i.accountName.startsWith("live-") && !(Date.parse(i.lockedUntil) > now));
};
const newestListing = async () => (await server.call(`${C}ListIntents`, { kind: "INTENT_KIND_LIST", limit: 1 })).intentIds[0];
const marketNow = async () => Date.parse((await server.call("accounts.v1.Accounts/GetWorkspace", {})).simulatedClock.now);
/** Asks again and again until it is so. */
async function until(what, isSo) {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 480) throw new Error(`not within 4 min: ${what}`);
    await page.waitForTimeout(500);
  }
}
const DAY = 86_400_000;

story("after a trader has stopped everything no item is listed again, while the market runs on for a day", async () => {
  // What was bought can be sold a week of the market later.
  await until("items are on sale", async () => (await itemsIn("LISTED")).length > 1);
  const sellers = await sellingIn("ACTIVE");
  await page.getByRole("button", { name: "Stop everything" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop everything" });
  await dialog.getByText(`pauses ${sellers.length} selling contracts`, { exact: false }).waitFor();
  await dialog.getByLabel("Reason").fill("prices look wrong");
  await dialog.getByRole("button", { name: "Stop everything" }).click();
  // A buyer may be faster than the window: such an item is refused with its reason, and is no longer on sale either.
  await dialog
    .getByText("All of it was done.")
    .or(dialog.getByText("refused for the reason above", { exact: false }))
    .first()
    .waitFor({ timeout: 120_000 });
  const { workspace } = await server.call("accounts.v1.Accounts/GetWorkspace", {});
  assert.equal(workspace.tradingHalt.reason, "prices look wrong");
  assert.deepEqual(await sellingIn("ACTIVE"), []);
  assert.deepEqual((await sellingIn("PAUSED")).sort(), sellers.sort());

  await until("the engine has delisted every item", async () => (await itemsIn("LISTED")).length === 0);
  assert.deepEqual(await itemsIn("LISTING"), []);
  const [listing, stoppedAt] = [await newestListing(), await marketNow()];
  await until("the market has run on for a day", async () => {
    assert.deepEqual(await itemsIn("LISTED"), []);
    return (await marketNow()) >= stoppedAt + DAY;
  });
  assert.equal(await newestListing(), listing, "an item was proposed for sale");
  assert.ok((await itemsToSell()).length > 0, "no item is left that could be listed again");
});
