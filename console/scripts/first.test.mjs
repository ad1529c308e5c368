// The first hour of an owner, from the setup link to the first item, as a browser does it: at a server that was never started before, and a
// world whose hours pass in seconds. TRADEPOST_BIN names the binary; without it, or without Chromium, the story is left out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { confirm, missing, openBrowser, startFirst, startWorld, typeCode } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 90_000 }, run);
const PASSWORD = "copper lantern under seven bridges";
const owner = { totpSecret: "" };
let world, server, browser, page, context, said;
/** A second tab, which shows the overview from the first sign-in on and is never loaded again. */
let watch;
before(
  async () => {
    if (missing()) return;
    world = await startWorld();
    const settings = { TRADEPOST_TRADING__WORLDS__MAIN: world.url, TRADEPOST_TRADING__INTERVAL_MILLISECONDS: "100" };
    server = await startFirst({ port: 18_800, settings });
    ({ browser, page, context, said } = await openBrowser(server));
  },
  { timeout: 60_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
  await world?.stop();
});
const dialog = () => page.getByRole("dialog");
const STEPS = ["Connect a marketplace", "Add a trading account", "Create a pool and fund it", "Write a filter set"];
const LAST_STEP = "Write a contract and activate it";
const steps = (on = watch) => on.getByRole("list", { name: "First steps" }).getByRole("listitem");
/** Waits until the overview of a tab marks these steps, and no other one. */
async function stepsDone(names, on = watch) {
  await steps(on).first().waitFor();
  for (const name of names) await steps(on).filter({ hasText: name }).getByText("Done", { exact: true }).waitFor();
  assert.equal(await steps(on).getByText("Done", { exact: true }).count(), names.length);
}
const go = (name) => page.locator(".rail").getByRole("link", { name, exact: true }).click();
/** Opens the window of an action, fills its fields in, and confirms it, with the second factor where that is asked for. */
async function act(label, fields, confirmed) {
  await page.getByRole("button", { name: label, exact: true }).click();
  for (const [name, value] of Object.entries(fields)) {
    // The label of one that may be empty says so.
    const field = dialog().getByLabel(new RegExp(`^${name}(\\s*optional)?$`));
    if ((await field.evaluate((e) => e.tagName)) === "SELECT") await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await dialog().getByRole("button", { name: confirmed, exact: true }).click();
}
const addProvider = async (driver, name, fields) => {
  await act(
    "Add a provider",
    { Driver: `simulator: ${driver}`, Name: name, "Its currency": "USD", world: "main", ...fields },
    "Add the provider",
  );
  await confirm(page, owner, page.getByRole("link", { name }));
};

story("an owner sets the first password by the setup link and adds an authenticator app", async () => {
  await page.goto(server.setupUrl);
  await page.getByLabel("The owner's address").fill(server.email);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same once more").fill(PASSWORD);
  await page.getByRole("button", { name: "Save it and sign in" }).click();
  await page.getByRole("button", { name: "Add an authenticator app" }).click();
  owner.totpSecret = (await dialog().locator(".secret code").innerText()).replaceAll(" ", "");
  await dialog().getByLabel("Six digits").focus();
  await typeCode(page, owner);
  await dialog().getByTestId("codes").waitFor();
  await dialog().getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Go to the console" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

story("the overview of a new workspace lists the first steps, and says that a marketplace is missing", async () => {
  watch = await context.newPage();
  await watch.goto(server.url);
  await watch.getByText("Nothing trades yet: connect a marketplace.").waitFor();
  assert.deepEqual(await steps().getByRole("link").allInnerTexts(), [...STEPS, LAST_STEP]);
  await stepsDone([]);
});

story("the owner adds the providers of a world, reads the risks, and adds an account", async () => {
  await go("Providers");
  await page.getByText("There is no provider yet.").waitFor();
  await addProvider("game platform", "steam", { customer: "alpha" });
  await addProvider("marketplace", "simulated", { customer: "alpha" });
  await steps().getByText("Missing: two price sources.", { exact: false }).waitFor();
  for (const name of ["index", "guide"]) await addProvider("price source", name, {});
  await go("Accounts");
  const account = { Name: "bot-1", Platform: "steam", "Its id at the platform": "76561198000000001", "Trade token": "token001" };
  await act("Add an account", { ...account, "Shared secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQ=" }, "Add the account");
  const risks = page.getByRole("dialog", { name: "Before the first secret is stored" });
  await confirm(page, owner, risks);
  await risks.getByText("The platform can lock an account").waitFor();
  assert.ok(await risks.getByRole("button", { name: "Acknowledge and store" }).isDisabled());
  await risks.getByLabel("I have read this").check();
  await risks.getByRole("button", { name: "Acknowledge and store" }).click();
  const row = page.getByRole("link", { name: "bot-1" });
  await row.click();
  await page.getByRole("heading", { level: 1, name: "bot-1" }).waitFor();
  await act("Accept the notice", {}, "Accept");
  await page.getByText("No one has accepted the platform's notice for it.").waitFor({ state: "detached" });
  await stepsDone(STEPS.slice(0, 2));
});

story("the owner adds a pool with funds that the account serves", async () => {
  await go("Pools and ledger");
  await act("New pool", { Name: "bargains", "Funds at most": "5000" }, "Create the pool");
  const row = page.getByRole("link", { name: "bargains" });
  await confirm(page, owner, row);
  await steps().getByText("The pool is empty.", { exact: false }).waitFor();
  await row.click();
  await act("Put in or take out", { Amount: "5000", Reason: "paid in at the marketplace" }, "Book it");
  await confirm(page, owner, page.getByText("of $5,000.00 put in"));
  await act("Assign", { "Account or group": "bot-1" }, "Assign");
  await page.getByRole("table", { name: "Assigned accounts" }).getByRole("link", { name: "bot-1" }).waitFor();
  // The feed names no deposit, so the other tab shows it when it is looked at again.
  await go("Overview");
  await stepsDone(STEPS.slice(0, 3), page);
});

story("the owner activates a contract, and opens the first item that it has bought", async () => {
  await go("Contracts");
  await page.getByRole("link", { name: "New contract" }).first().click();
  const terms = { Name: "Bargains", Quantity: "5", "Price with fee at most": "200", Budget: "5000", "Below its value at least": "1" };
  for (const [name, value] of Object.entries(terms)) await page.getByLabel(new RegExp(`^${name}(\\s*optional)?$`)).fill(value);
  await page.getByLabel(/^Pool/).selectOption({ label: "bargains" });
  await page.getByLabel(/^Approval/).selectOption({ label: "Automatic: it acts by itself" });
  await page.getByRole("button", { name: "Keep the draft" }).click();
  await page.getByRole("heading", { level: 1, name: "Bargains" }).waitFor();
  await steps().getByText("1 draft is written.", { exact: false }).waitFor();
  await act("Activate", {}, "Activate");
  await confirm(page, owner, page.locator("h1 + *, .badge", { hasText: "Active" }).first());
  await watch.getByRole("heading", { name: "First steps" }).waitFor({ state: "detached" });
  await go("Inventory");
  // The list is empty at first, and shows what comes without being asked.
  const item = page.locator("main tr.goes", { hasText: "In inventory" }).first().locator("a.cell").first();
  const name = (await item.innerText()).split("\n").at(-1);
  await item.click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.getByText("In inventory").first().waitFor();
  // The browser reports the calls that asked for the second factor.
  assert.deepEqual(
    said.filter((s) => !s.includes("status of 400")),
    [],
  );
});
