// What people do in the console, as a browser does it. TRADEPOST_BIN names the binary; without it, or without Chromium, the stories are left out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { propose, urlId } from "./pages.mjs";
import { confirm, missing, openBrowser, signIn, startDemo } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
let server, browser, page, context;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_740 });
    ({ browser, page, context } = await openBrowser(server));
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});
const to = (path) => page.evaluate((p) => history.pushState(null, "", p), path);

story("a trader signs in with password and authenticator by keyboard alone, and no script can read the session", async () => {
  await signIn(page, server);
  assert.equal(await page.evaluate(() => document.cookie), "");
  assert.deepEqual(
    (await page.evaluate(() => Object.keys(localStorage))).filter((k) => !k.startsWith("tp.")),
    [],
  );
  const cookie = (await context.cookies()).find((c) => c.name.startsWith("__Host-"));
  assert.ok(cookie?.httpOnly && cookie.secure && cookie.sameSite === "Strict");
  await page.locator('.live[data-state="live"]').waitFor();
});

story("a trader finds a purchase by a part of its item's name and opens it with its item", async () => {
  const { purchase } = await server.call("contracts.v1.Contracts/GetPurchase", { purchaseId: server.demo.purchaseId });
  await to("/purchases");
  await page.getByRole("searchbox").fill(purchase.marketHashName.slice(3, 14));
  const row = page.locator(`a[href="/purchases/${urlId(server.demo.purchaseId)}"]`);
  await row.waitFor();
  await row.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: purchase.marketHashName }).waitFor();
  await page.getByText("History").waitFor();
});

story("a trader approves by hand what a contract proposes", async () => {
  const { inventoryItemIds } = await server.call("contracts.v1.Contracts/ListInventoryItems", {
    status: "INVENTORY_ITEM_STATUS_IN_INVENTORY",
    limit: 20,
  });
  assert.ok(inventoryItemIds.length);
  const intent = await propose(server, "story-1");
  assert.equal(intent.status, "INTENT_STATUS_PROPOSED");
  await to("/approvals");
  await page.locator(`a[href="/approvals/${urlId(intent.id)}"]`).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await page.getByText("Approved.").waitFor();
  const after = await server.call("contracts.v1.Contracts/GetIntent", { intentId: intent.id });
  assert.notEqual(after.intent.status, "INTENT_STATUS_PROPOSED");
});

story("a trader halts trading with a reason, and resumes it", async () => {
  await to("/");
  await page.getByRole("button", { name: "Halt" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Halt trading" }).click();
  await dialog.getByText("This is needed.").waitFor();
  await dialog.getByLabel("Reason").fill("prices look wrong");
  await dialog.getByRole("button", { name: "Halt trading" }).click();
  await page
    .getByText("Trading is halted since", { exact: false })
    .or(page.getByText("Trading is halted", { exact: true }))
    .first()
    .waitFor();
  assert.equal((await server.call("accounts.v1.Accounts/GetWorkspace", {})).workspace.tradingHalt.reason, "prices look wrong");
  await page.getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("button", { name: "Halt", exact: true }).waitFor();
  assert.equal((await server.call("accounts.v1.Accounts/GetWorkspace", {})).workspace.tradingHalt, undefined);
});

story("a key is created once with the second factor, and the same window goes on after it", async () => {
  await to("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("story");
  await page.getByRole("button", { name: "Create the key" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  assert.match(await page.getByTestId("secret").innerText(), /^tpk_/);
  await page.getByRole("button", { name: "Done" }).click();
});
