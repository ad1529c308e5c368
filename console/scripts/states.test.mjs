// What pages say whose answers are slow, missing, or not for the person's role, and how a window keeps what is typed.
import assert from "node:assert/strict";
import { card, context, openDesk, page, server, story } from "./desk.mjs";
import { urlId } from "./pages.mjs";
import { escape, settled } from "./run.mjs";
import { setState } from "./states.mjs";

openDesk({ port: 18_950 });

story("a page of which a part fails says so of that part, and shows it once it is asked again", async () => {
  const asked = { status: "INVENTORY_ITEM_STATUS_IN_INVENTORY", limit: 1 };
  const { inventoryItemIds } = await server.call("contracts.v1.Contracts/ListInventoryItems", asked);
  const body = JSON.stringify({ code: "internal", message: "internal error" });
  const fail = (route) => route.fulfill({ status: 500, contentType: "application/json", body });
  const failed = "The server failed.";
  for (const method of ["ListTradeOffers", "ListRemediations", "GetItemProfitAndLoss"]) await page.route(`**/${method}`, fail);
  await page.goto(`${server.url}/items/${urlId(inventoryItemIds[0])}`);
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
  assert.equal(await card("Pools").getByRole("link").count(), 0);
  // While nothing is answered: the browser sends on what is held once no route holds it.
  const asked = page.waitForRequest(/Contracts\/ListPools$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await asked;
  await setState(context, "full");
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
  await escape(page, opened);
  await asked.getByRole("button", { name: "Stay here" }).click();
  await opened.getByRole("button", { name: "Close" }).click();
  await asked.getByRole("button", { name: "Stay here" }).click();
  assert.equal(await opened.getByLabel("Name", { exact: true }).inputValue(), "Half typed");
  await escape(page, opened);
  await asked.getByRole("button", { name: "Leave" }).click();
  await opened.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New pool" }).click();
  assert.equal(await opened.getByLabel("Name", { exact: true }).inputValue(), "");
  await opened.getByLabel("Name", { exact: true }).fill("Half typed");
  await opened.getByRole("button", { name: "Cancel" }).click();
  await opened.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New pool" }).click();
  await escape(page, opened);
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
