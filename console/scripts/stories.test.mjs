// What people do in the console, as a browser does it. TRADEPOST_BIN names the binary; without it, or without Chromium, the stories are left out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { PAGES, pages, propose, urlId } from "./pages.mjs";
import { confirm, escape, missing, openBrowser, settled, signIn, startDemo, typeCode } from "./run.mjs";

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

story("a call that is copied from a page answers a shell, Python and Node as it answers the page", async () => {
  const expected = await server.call("contracts.v1.Contracts/CountPurchases", {});
  await to("/purchases");
  await page.locator("main tr.goes").first().waitFor();
  await page.getByRole("button", { name: "Copy the calls of this page" }).click();
  const dialog = page.getByRole("dialog", { name: "The calls of this page" });
  await dialog.getByLabel("Call", { exact: true }).selectOption({ label: "CountPurchases" });
  const run = async (language, program, ...flags) => {
    await dialog.getByRole("radio", { name: language }).click();
    const text = await dialog.getByLabel("The call as a program").innerText();
    return execFileSync(program, [...flags, text], {
      env: { ...process.env, TRADEPOST_KEY: server.demo.apiKey },
      encoding: "utf8",
      stdio: "pipe",
    });
  };
  const answered = JSON.parse(await run("curl", "sh", "-c"));
  const statuses = ({ counts }) => counts.map((c) => c.status);
  assert.deepEqual(statuses(answered), statuses(expected));
  // Python writes the values of JSON in its own way.
  const said = (await run("Python", "python3", "-c")).replaceAll("'", '"').replace(/\b(True|False)\b/g, (word) => word.toLowerCase());
  assert.deepEqual(JSON.parse(said), answered);
  const printed = await run("TypeScript", process.execPath, "--input-type=module", "-e");
  assert.match(printed, new RegExp(`count: '?${answered.counts[0].count}'?`));
  await escape(page, dialog);
  await dialog.waitFor({ state: "detached" });
});

/** Calls by which a person gets in and a page stays live: no page asks for what it shows by them alone. */
const OF_DOOR = ["GetServerInfo", "GetCurrentUser", "ListWorkspaces", "GetEffectivePermissions", "WatchTransitions"];
story("every call that a page makes can be copied from it", async () => {
  const heard = new Set();
  const listen = (r) => r.method() === "POST" && heard.add(r.url().split("/").at(-1));
  page.on("request", listen);
  const dialog = page.getByRole("dialog", { name: "The calls of this page" });
  for (const [name, address] of await pages(server, { without: Object.keys(PAGES) })) {
    await page.goto("about:blank");
    heard.clear();
    await page.goto(server.url + address);
    await settled(page);
    await page.getByRole("button", { name: "Copy the calls of this page" }).click();
    const calls = dialog.getByLabel("Call", { exact: true });
    await calls.waitFor();
    const offered = await calls.locator("option").allInnerTexts();
    const left = [...heard].filter((m) => !OF_DOOR.includes(m) && !offered.includes(m));
    assert.deepEqual(left, [], name);
    await escape(page, dialog);
    await dialog.waitFor({ state: "detached" });
  }
  page.off("request", listen);
});

story("a trader finds a purchase by a part of its item's name and its marketplace, and a reload keeps the filters", async () => {
  const { purchase } = await server.call("contracts.v1.Contracts/GetPurchase", { purchaseId: server.demo.purchaseId });
  const row = page.locator(`a[href="/purchases/${urlId(server.demo.purchaseId)}"]`);
  await to("/purchases");
  await page.getByRole("searchbox").fill(purchase.marketHashName.slice(0, 6).toLowerCase());
  await page.getByLabel("Marketplace", { exact: true }).fill(purchase.marketplace);
  await page.waitForURL(/q=.*marketplace=|marketplace=.*q=/);
  await row.waitFor();
  await page.reload();
  await row.waitFor();
  assert.equal(await page.getByLabel("Marketplace", { exact: true }).inputValue(), purchase.marketplace);
  await page.getByLabel("Marketplace", { exact: true }).fill("another.example.com");
  await page.getByText("No purchase is like that.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(/\/purchases$/);
  await page.getByText("in all, the newest first.").waitFor();
});

story("a trader finds the AK that was bought last week, and none that was bought before", async () => {
  const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const from = day(7);
  const { purchaseIds } = await server.call("contracts.v1.Contracts/ListPurchases", { nameContains: "AK", limit: 200 });
  const { purchases } = await server.call("contracts.v1.Contracts/GetPurchases", { purchaseIds });
  const isLate = (p) => p.createdAt.slice(0, 10) >= from;
  const hrefs = (of) => of.map((p) => `/purchases/${urlId(p.id)}`).sort();
  const late = purchases.filter(isLate);
  assert.ok(late.some((p) => p.marketHashName.startsWith("AK-47")) && late.length < purchases.length);
  await to("/purchases");
  await page.getByRole("searchbox").fill("AK");
  await page.getByLabel("From", { exact: true }).fill(from);
  await page.getByLabel("To", { exact: true }).fill(day(0));
  await page.waitForURL((url) => ["q", "from", "to"].every((name) => url.searchParams.get(name)));
  await page
    .getByText(`${late.length} found`)
    .or(page.getByText(`${late.length} in all`))
    .first()
    .waitFor();
  const shown = await page.locator("main tr.goes a.cell").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  assert.deepEqual(shown.sort(), hrefs(late));
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

story("a list that is shown says that a record has come since, and shows it when a trader asks", async () => {
  const rowOf = (intent) => page.locator(`main a[href="/approvals/${urlId(intent.id)}"]`);
  await to("/approvals");
  // An empty list shows it at once.
  await rowOf(await propose(server, "story-2")).waitFor();
  const row = rowOf(await propose(server, "story-3"));
  const bar = page.getByRole("region", { name: "New records" });
  await bar.getByText("1 new since").waitFor();
  assert.equal(await row.count(), 0);
  await bar.getByRole("button", { name: "Show it" }).click();
  await row.waitFor();
  await bar.waitFor({ state: "detached" });
});

story("a trader changes a budget, and sees under Versions what it was, what it is, and who changed it", async () => {
  const { contractId } = server.demo;
  const { contract } = await server.call("contracts.v1.Contracts/GetContract", { contractId });
  const { user } = await server.call("accounts.v1.Accounts/GetCurrentUser", { workspaceId: undefined });
  const amount = (cents) => `$${(cents / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 })}`;
  const before = Number(contract.buying.budgetCents);
  await to(`/contracts/${urlId(contractId)}?view=versions`);
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await versions.first().waitFor();
  const known = await versions.count();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Budget", { exact: true }).fill(String((before - 100) / 100));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Versions" }).click();
  await versions.nth(known).waitFor();
  const newest = versions.first();
  // Names are asked for once the versions are there.
  await newest.locator("b", { hasText: user.displayName }).waitFor();
  await newest.getByText("changed 1 term").waitFor();
  assert.equal(await newest.locator("dt").innerText(), "Budget");
  assert.match(await newest.locator("dd").innerText(), new RegExp(`${amount(before)}[^]*${amount(before - 100)}`.replaceAll("$", "\\$")));
  // The approval was changed by the key of the stories before.
  assert.match(await versions.nth(1).innerText(), /^API key .*changed 1 term[^]*Approval[^]*By hand/);
  await versions.last().getByText("The first terms").waitFor();
});

/** Changes the answers of an operation before the browser gets them. */
const changed = (operation, change) =>
  page.route(`**/${operation}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    change(json);
    await route.fulfill({ response, json });
  });
story("in a crisis the overview says what happened, what it costs and what to do, and a trader halts and resumes trading", async () => {
  const { providerIds } = await server.call("markets.v1.Markets/ListProviders", { limit: 200 });
  const known = await server.call("markets.v1.Markets/GetProviders", { providerIds });
  const marketplace = known.providers.find((p) => p.kind === "PROVIDER_KIND_MARKETPLACE" && p.enabled);
  // A marketplace that does not answer, and a contract that has lost on a day what it may lose.
  await changed("GetProviders", ({ providers }) => {
    const health = { breakerState: "BREAKER_STATE_OPEN", lastSuccessAt: "2026-01-02T03:04:05Z" };
    for (const p of providers.filter((p) => p.id === marketplace.id)) p.health = { ...p.health, ...health };
  });
  await changed("CountContracts", ({ counts }) => {
    counts.find((c) => c.status === "CONTRACT_STATUS_SUSPENDED").count = 1;
  });
  await page.goto(server.url);
  const lines = page.locator(".standstill .notice");
  const stopped = lines.filter({ hasText: "The service stopped 1 contract." });
  const outage = lines.filter({ hasText: `${marketplace.name} does not answer since` });
  await stopped.getByText("It buys nothing; what was bought goes on.", { exact: false }).waitFor();
  const cause = stopped.getByRole("link", { name: "See why, and resume what may go on" });
  assert.equal(await cause.getAttribute("href"), "/contracts?status=SUSPENDED");
  await outage.getByText("Nothing is bought there, and no price is changed.", { exact: false }).waitFor();
  await outage.getByText("The service asks again by itself.", { exact: false }).waitFor();
  const provider = outage.getByRole("link", { name: "Open the provider" });
  assert.equal(await provider.getAttribute("href"), `/providers/${urlId(marketplace.id)}`);
  await page.getByRole("button", { name: "Halt" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Selling continues", { exact: false }).waitFor();
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
  await page.getByText("Contracts that sell and are not paused go on selling.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume trading" }).click();
  await page.getByRole("button", { name: "Halt", exact: true }).waitFor();
  assert.equal((await server.call("accounts.v1.Accounts/GetWorkspace", {})).workspace.tradingHalt, undefined);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("a trader records with the second factor that money came back", async () => {
  const statuses = ["PURCHASE_STATUS_PAID", "PURCHASE_STATUS_REFUND_PENDING", "PURCHASE_STATUS_OFFERED"];
  const { purchaseIds } = await server.call("contracts.v1.Contracts/ListPurchases", { statuses });
  assert.ok(purchaseIds.length);
  const purchaseId = purchaseIds[0];
  await to(`/purchases/${urlId(purchaseId)}`);
  await page.getByRole("button", { name: "Record the outcome" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount that came back").fill("0.01");
  await dialog.getByLabel("Evidence").fill("balance of the marketplace, entry 4711");
  await dialog.getByRole("button", { name: "Record it" }).click();
  await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await confirm(page, server.demo, page.getByText("Recorded.", { exact: true }));
  const { purchase } = await server.call("contracts.v1.Contracts/GetPurchase", { purchaseId });
  assert.equal(purchase.refundedCents, "1");
});

story("money is booked once however often a trader presses after the answer was lost, and once more in a new window", async () => {
  const { poolIds } = await server.call("contracts.v1.Contracts/ListPools", { status: "POOL_STATUS_ACTIVE" });
  const poolId = poolIds[0];
  const capital = async () => Number((await server.call("contracts.v1.Contracts/GetPoolBalance", { poolId })).balance.capitalCents);
  const before = await capital();
  const dialog = page.getByRole("dialog");
  const fill = async () => {
    await page.getByRole("button", { name: "Put in or take out" }).click();
    await dialog.getByLabel("Amount").fill("12.34");
    await dialog.getByLabel("Reason").fill("paid in at the marketplace");
  };
  const press = () => dialog.getByRole("button", { name: "Book it" }).click();
  // The server books it, and its answer is cut off on the way. That it asks for the second factor first is not.
  const keys = [];
  await page.route("**/AdjustPoolFunds", async (route) => {
    const response = await route.fetch();
    if (response.ok()) keys.push(route.request().headers()["idempotency-key"]);
    return response.ok() && keys.length === 1 ? route.abort() : route.fulfill({ response });
  });
  await to(`/pools/${urlId(poolId)}`);
  await fill();
  await press();
  await confirm(
    page,
    server.demo,
    dialog.getByText("Whether it was done is not known. Press again with the same values", { exact: false }),
  );
  assert.equal(await capital(), before + 1234);
  await press();
  await dialog.waitFor({ state: "detached" });
  assert.ok(keys.length === 2 && keys[0] && keys[0] === keys[1], keys.join(" "));
  assert.equal(await capital(), before + 1234);
  await page.unroute("**/AdjustPoolFunds");
  await fill();
  await press();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await capital(), before + 2468);
});

let secret = "";
story("a key is created once with the second factor, and the same window goes on after it", async () => {
  await to("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("story");
  await page.getByRole("button", { name: "Create the key" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  secret = await page.getByTestId("secret").innerText();
  assert.match(secret, /^tpk_/);
  await page.getByRole("button", { name: "Done" }).click();
});

story("a trader reports a leaked key, and it ends at once", async () => {
  assert.ok(await server.call("contracts.v1.Contracts/CountPurchases", {}, secret));
  await to("/keys");
  await page.getByRole("button", { name: "Report a leaked key" }).click();
  await page.getByLabel("Whole keys").fill(secret);
  await page.getByRole("button", { name: "End them" }).click();
  await page.getByText("Every one of them that is a key has ended.").waitFor();
  await assert.rejects(server.call("contracts.v1.Contracts/CountPurchases", {}, secret));
});

story("nothing that was typed is lost at the way to another page, nor when the session ends", async () => {
  await to("/contracts/new");
  await page.getByLabel("Name", { exact: true }).fill("kept");
  await page.getByRole("link", { name: "Purchases" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay here" }).click();
  await page.goBack();
  await dialog.getByRole("button", { name: "Stay here" }).click();
  assert.match(page.url(), /\/contracts\/new$/);
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "kept");
  await page.evaluate(() =>
    fetch("/accounts.v1.Accounts/SignOut", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "tradepost-session": "cookie" },
    }),
  );
  const door = page.getByRole("dialog", { name: "Sign in" });
  await door.getByLabel("E-mail address").waitFor();
  await door.getByLabel("E-mail address").fill(server.demo.email);
  await door.getByLabel("Password").fill(server.demo.password);
  await door.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Code from your app" }).waitFor();
  await typeCode(page, server.demo);
  await door.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "kept");
  await page.locator('.live[data-state="live"]').waitFor();
  await page.getByRole("link", { name: "Purchases" }).first().click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Purchases" }).waitFor();
});

story("a trader creates a webhook endpoint, sees its secret once, sees why a test failed, and disables it", async () => {
  await to("/webhooks");
  await page.getByText("There is no webhook endpoint yet.").waitFor();
  await page.getByRole("button", { name: "New endpoint" }).click();
  await page.getByLabel("Address").fill("https://localhost:8443/hook");
  await page.getByLabel("Description").fill("Bookkeeping");
  await page.getByRole("checkbox", { name: "Everything" }).click();
  await page.locator("summary", { hasText: "Purchase" }).click();
  await page.getByRole("checkbox", { name: "purchase.traded" }).click();
  await page.getByRole("button", { name: "Create the endpoint" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  assert.match(await page.getByTestId("secret").innerText(), /^whsec_/);
  await page.getByRole("link", { name: "Open the endpoint" }).click();
  await page.getByRole("heading", { level: 1, name: "Bookkeeping" }).waitFor();
  assert.equal(await page.getByTestId("secret").count(), 0);
  await page.getByRole("button", { name: "Send a test" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Send it now" }).click();
  await dialog.getByText("It is tried again", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "endpoint.test" }).waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  await page.getByText("A person disabled it.", { exact: false }).waitFor();
  const { endpointIds } = await server.call("events.v1.Events/ListWebhookEndpoints", { status: "WEBHOOK_ENDPOINT_STATUS_DISABLED" });
  const { endpoint } = await server.call("events.v1.Events/GetWebhookEndpoint", { endpointId: endpointIds[0] });
  assert.deepEqual(endpoint.types, ["purchase.traded"]);
});

story("a trader creates an alert channel, adds a rule, edits it, and deletes both", async () => {
  const A = "alerts.v1.Alerts/";
  const { channelIds: before = [] } = await server.call(`${A}ListAlertChannels`, {});
  const dialog = page.getByRole("dialog");
  const rules = page.locator("section.card", { has: page.getByRole("heading", { name: "Rules" }) });
  await to("/alerts");
  await page.getByRole("button", { name: "New channel" }).click();
  await dialog.getByLabel("Kind").selectOption("Webhook");
  await dialog.getByLabel("Name").fill("Night desk");
  await dialog.getByLabel("Address").fill("https://localhost:8443/alerts");
  await dialog.getByRole("button", { name: "Create the channel" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  await page.getByRole("link", { name: "Open the channel" }).click();
  await page.getByRole("heading", { level: 1, name: "Night desk" }).waitFor();
  await rules.getByText("It has no rule, so it sends nothing.").waitFor();

  await rules.getByRole("button", { name: "New rule" }).click();
  await dialog.getByRole("checkbox", { name: "An item was sold" }).check();
  await dialog.getByLabel("Quiet hours from").fill("22:00");
  await dialog.getByLabel("to", { exact: true }).fill("07:00");
  await dialog.getByRole("button", { name: "Create the rule" }).click();
  await rules.getByText("Sent at once, not from 22:00 to 07:00", { exact: false }).waitFor();

  await rules.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("When").selectOption("together, every full hour");
  await dialog.getByRole("button", { name: "Save" }).click();
  await rules.getByText("Sent together, every full hour, not from 22:00 to 07:00", { exact: false }).waitFor();
  const { channelIds } = await server.call(`${A}ListAlertChannels`, {});
  const channelId = channelIds.find((id) => !before.includes(id));
  const { ruleIds } = await server.call(`${A}ListAlertRules`, { channelId });
  const { rules: made } = await server.call(`${A}GetAlertRules`, { ruleIds });
  assert.deepEqual(
    made.map((r) => [r.pace, r.topics.includes("ALERT_TOPIC_SOLD"), r.quietFrom, r.quietTo]),
    [["ALERT_PACE_HOURLY", true, "22:00", "07:00"]],
  );

  await rules.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete the rule" }).click();
  await rules.getByText("It has no rule, so it sends nothing.").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete the channel" }).click();
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
  const left = await server.call(`${A}ListAlertChannels`, {});
  assert.deepEqual(left.channelIds ?? [], before);
});

story("a trader accepts an invitation by the link of its mail", async () => {
  const mails = fs.readdirSync(server.demo.mailDir).map((f) => JSON.parse(fs.readFileSync(path.join(server.demo.mailDir, f), "utf8")));
  const mail = mails.find((m) => m.to === server.demo.email && /invited/.test(m.subject));
  await page.getByRole("link", { name: "1 invitation" }).click();
  await page.getByLabel("Link of the mail").fill(/https?:\S+#\S+/.exec(mail.text)[0]);
  await page.getByRole("button", { name: "Show the invitation" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("You are a member of Other desk now.").waitFor();
  const { membershipIds } = await server.call(
    "accounts.v1.Accounts/ListMemberships",
    { workspaceId: server.demo.otherWorkspaceId, status: "MEMBERSHIP_STATUS_ACCEPTED" },
    server.demo.otherApiKey,
  );
  assert.ok(membershipIds.includes(server.demo.invitedMembershipId));
});

story("the link of an alert opens its problem in the workspace that it names, whichever the person worked in last", async () => {
  const bar = page.getByRole("region", { name: "State and settings" });
  for (const [id, name] of [
    [server.demo.otherWorkspaceId, "Other desk"],
    [server.demo.workspaceId, "Demo trading"],
  ]) {
    await page.goto(`${server.url}/problems?workspace=${urlId(id)}`);
    await page.waitForURL(/\/problems$/);
    await page.getByRole("heading", { level: 1, name: "Problems" }).waitFor();
    await bar.getByText(name, { exact: true }).waitFor();
  }
});

story("a trader cancels many purchases at once, saves why one is refused, and that one stays selected with its reason", async () => {
  const status = "PURCHASE_STATUS_PENDING";
  const { purchaseIds } = await server.call("contracts.v1.Contracts/ListPurchases", { status });
  assert.ok(purchaseIds.length >= 2);
  await to("/purchases?status=PENDING");
  await page.locator(`a[href="/purchases/${urlId(purchaseIds[0])}"]`).focus();
  await page.keyboard.press("Space");
  for (let n = 1; n < purchaseIds.length; n++) await page.keyboard.press("Shift+ArrowDown");
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByText(`${purchaseIds.length} selected`).waitFor();
  await bar.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  // Another person is faster with the first one.
  await server.call("contracts.v1.Contracts/CancelPurchase", { purchaseId: purchaseIds[0] });
  await dialog.getByRole("button", { name: `Cancel ${purchaseIds.length}` }).click();
  await dialog.getByText("1 was refused and stays selected.").waitFor();
  const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "CSV" }).click()]);
  const [head, refused, ...others] = fs.readFileSync(await saved.path(), "utf8").split("\r\n");
  assert.deepEqual([head, others], ["Id,Record,Reason", []]);
  assert.match(refused, /^[0-9a-f-]{36},.+,"The record has changed since this page read it\. .+"$/);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await bar.getByText("1 selected").waitFor();
  await bar.getByText("The record has changed since this page read it.", { exact: false }).waitFor();
  const left = (await server.call("contracts.v1.Contracts/ListPurchases", { status })).purchaseIds ?? [];
  assert.equal(left.length, 0);
});
