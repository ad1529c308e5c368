// What people do in the console with accounts of other programs, with snapshots, inventory changes, friends and chats, at a demo that trades.
// TRADEPOST_BIN names the binary; without it, or without Chromium, the stories are left out.
import assert from "node:assert/strict";
import { createCipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { urlId } from "./pages.mjs";
import { confirm, escape, missing, openBrowser, signIn, startDemo } from "./run.mjs";

const T = "trading.v1.Trading/";
const story = (name, run) => test(name, { skip: missing() || false, timeout: 240_000 }, run);
let server, browser, page, accountId;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ live: true, port: 18_770 });
    ({ browser, page } = await openBrowser(server));
    await signIn(page, server);
    accountId = (await server.call(`${T}ListAccounts`, { limit: 1 })).accountIds[0];
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});
const to = (path) => page.evaluate((p) => history.pushState(null, "", p), path);
const dialog = () => page.getByRole("dialog");

const PASSPHRASE = "a passphrase of the folder";
const SECRETS = { shared_secret: randomBytes(20).toString("base64"), identity_secret: randomBytes(20).toString("base64") };
const CODE = "R54321";
const NUMBER = "76561198000002001";
/** A folder of Steam Desktop Authenticator with one encrypted file, as that program writes it. */
function folder() {
  const [salt, iv] = [randomBytes(8), randomBytes(16)];
  const cipher = createCipheriv("aes-256-cbc", pbkdf2Sync(PASSPHRASE, salt, 50_000, 32, "sha1"), iv);
  const plain = JSON.stringify({ ...SECRETS, account_name: "login-of-2001", revocation_code: CODE, Session: { SteamID: NUMBER } });
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]).toString("base64");
  const filename = `${NUMBER}.maFile`;
  const entry = { filename, steamid: NUMBER, encryption_salt: salt.toString("base64"), encryption_iv: iv.toString("base64") };
  const file = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
  return [file("manifest.json", JSON.stringify({ encrypted: true, entries: [entry] })), file(filename, sealed)];
}
/** What the page keeps where it could be read later: its address, the browser's storage, and its calls. */
async function kept() {
  await page.getByRole("button", { name: "Copy the calls of this page" }).click();
  const calls = dialog().getByLabel("Call", { exact: true });
  await calls.waitFor();
  const texts = [];
  for (const value of await calls.locator("option").evaluateAll((all) => all.map((o) => o.value))) {
    await calls.selectOption(value);
    texts.push(await dialog().locator("pre").innerText());
  }
  await escape(page, dialog());
  await dialog().waitFor({ state: "detached" });
  const stored = await page.evaluate(() => JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }]));
  return texts.join("\n") + stored;
}

story("a trader imports an encrypted folder, sees what would be created, applies it, and no secret stays on the page", async () => {
  await to("/accounts");
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByLabel("Files", { exact: true }).setInputFiles(folder());
  await page.getByRole("button", { name: "Read and check" }).click();
  // The manifest says that they are encrypted.
  await page.getByText("This is needed.").waitFor();
  await page.getByLabel("Passphrase").fill("another one");
  await page.getByRole("button", { name: "Read and check" }).click();
  await confirm(page, server.demo, page.getByText("it opens none", { exact: false }));
  await page.getByLabel("Passphrase").fill(PASSPHRASE);
  await page.getByRole("button", { name: "Read and check" }).click();
  await page.getByRole("heading", { level: 1, name: "Import of 2 files" }).waitFor();
  await page.getByText("Nothing is created yet.").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Import accounts" }).waitFor();
  assert.equal(await page.getByLabel("Passphrase").inputValue(), "");
  const left = await kept();
  assert.match(left, /CreateImport/);
  for (const secret of [PASSPHRASE, "another one", SECRETS.shared_secret, CODE, Buffer.from(NUMBER).toString("base64").slice(0, 16)])
    assert.ok(!left.includes(secret), secret);
  await page.goForward();
  await page.getByRole("button", { name: NUMBER }).click();
  await dialog().getByText("Revocation code").waitFor();
  assert.ok(!(await dialog().innerText()).includes(CODE));
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Apply" }).click();
  await dialog().getByRole("button", { name: "Apply 1 row" }).click();
  await confirm(page, server.demo, page.getByText("It is applied.", { exact: false }));
  const { importIds } = await server.call(`${T}ListImports`, { limit: 1 });
  const { rows } = await server.call(`${T}ListImportRows`, { importId: importIds[0] });
  assert.deepEqual([rows.length, rows[0].outcome], [1, "IMPORT_ROW_OUTCOME_CREATED"]);
  const { account } = await server.call(`${T}GetAccount`, { accountId: rows[0].accountId });
  assert.deepEqual([account.platformUserId, account.hasSecrets], [NUMBER, true]);
});

story("a trader sees the revocation code of an imported account once, after the second factor", async () => {
  const { importIds } = await server.call(`${T}ListImports`, { limit: 1 });
  const { rows } = await server.call(`${T}ListImportRows`, { importId: importIds[0] });
  await to(`/accounts/${urlId(rows[0].accountId)}`);
  await page.getByRole("button", { name: "Show the revocation code" }).click();
  await dialog().getByRole("button", { name: "Show it" }).click();
  await confirm(page, server.demo, page.getByTestId("secret"));
  assert.equal(await page.getByTestId("secret").innerText(), CODE);
  await page.getByRole("button", { name: "Done" }).click();
  await dialog().waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(CODE));
  assert.ok(!(await kept()).includes(CODE));
});

story("a trader imports a table, sees in plain words why a row is refused, and cancels the import", async () => {
  await to("/imports/new");
  await page.getByLabel("Format").selectOption({ label: "CSV" });
  await page.getByRole("radio", { name: "Paste the text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("platform_user_id,name\n12,too-short\n76561198000002002,kept-2002\n");
  await page.getByLabel("Name of the import").fill("two of them");
  await page.getByRole("button", { name: "Read and check" }).click();
  await confirm(page, server.demo, page.getByRole("heading", { level: 1, name: "Import of two of them" }));
  await page.getByRole("radio", { name: "Refused" }).click();
  await page.waitForURL(/outcome=REFUSED/);
  await page.getByRole("button", { name: "too-short" }).click();
  await dialog().getByText("It has 17 digits and begins with 7656119.", { exact: false }).waitFor();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await dialog().getByRole("button", { name: "Cancel the import" }).click();
  await page.getByText("A person cancelled it.", { exact: false }).waitFor();
  await to("/imports?status=CANCELLED");
  await page.getByText("two of them").first().waitFor();
  const { counts } = await server.call(`${T}CountImports`, {});
  assert.equal(counts.find((c) => c.status === "IMPORT_STATUS_CANCELLED").count, 1);
});

story("a trader has a snapshot taken, sees its items, and compares it with the one before", async () => {
  await to(`/accounts/${urlId(accountId)}`);
  await page.getByRole("radio", { name: "Snapshots" }).click();
  await page.waitForURL(/view=snapshots/);
  const rows = page.locator('table[aria-label="Snapshots"] tbody tr');
  for (const _ of [1, 2]) {
    await page.getByRole("button", { name: "Take a snapshot" }).click();
    await dialog().getByRole("button", { name: "Take it" }).click();
    await dialog().waitFor({ state: "detached" });
    // The list shows by itself that the engine has taken it.
    await rows
      .first()
      .locator(".badge", { hasText: /Complete|Partial/ })
      .waitFor({ timeout: 120_000 });
  }
  await rows.filter({ hasText: "Asked for by a person" }).first().waitFor();
  // The engine goes on taking snapshots, so what the page shows need not be the latest.
  const link = rows.filter({ hasText: "Complete" }).first().locator('a[href^="/snapshots/"]').first();
  const href = await link.getAttribute("href");
  const listed = await server.call(`${T}ListSnapshots`, { accountId, status: "SNAPSHOT_STATUS_COMPLETE", limit: 50 });
  const snapshotIds = listed.snapshotIds.slice(listed.snapshotIds.findIndex((id) => href === `/snapshots/${urlId(id)}`)).slice(0, 2);
  assert.equal(snapshotIds.length, 2);
  await link.click();
  await page.getByRole("heading", { level: 1, name: /^Snapshot of / }).waitFor();
  const { items } = await server.call(`${T}ListSnapshotItems`, { snapshotId: snapshotIds[0], limit: 1 });
  await page.getByText(items[0].assetId).first().waitFor();
  await page.getByRole("radio", { name: "Compare" }).click();
  await page.getByRole("heading", { level: 2, name: "Differences" }).waitFor();
  await page.getByText("nothing is recorded", { exact: false }).waitFor();
  await page.getByLabel("Compared with").selectOption(urlId(snapshotIds[1]));
  await page.waitForURL(new RegExp(`with=${urlId(snapshotIds[1])}`));
  await page.getByRole("table", { name: "Differences" }).or(page.getByText("Both show the same.")).first().waitFor();
});

story("a trader filters inventory changes, and a reload keeps the filters", async () => {
  await to("/changes");
  await page.getByRole("heading", { level: 1, name: "Inventory changes" }).waitFor();
  await page.getByRole("combobox", { name: "Change" }).selectOption({ label: "Disappeared" });
  await page.getByRole("radio", { name: /^Explained/ }).click();
  await page.waitForURL(/kind=DISAPPEARED.*status=EXPLAINED|status=EXPLAINED.*kind=DISAPPEARED/);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Inventory changes" }).waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Change" }).inputValue(), "DISAPPEARED");
  const asked = { kind: "INVENTORY_CHANGE_KIND_DISAPPEARED", status: "INVENTORY_CHANGE_STATUS_EXPLAINED", limit: 1 };
  const { inventoryChangeIds = [] } = await server.call(`${T}ListInventoryChanges`, asked);
  await (inventoryChangeIds.length ? page.locator('a[href^="/changes/"]').first() : page.getByText("No change is like that.")).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(/\/changes$/);
});

// In a demo every change is explained, so this one is made of the answers before the browser gets them.
const ID = "BQAAAAAAAAAAAAAAAAAB9A==";
async function openChange(asked) {
  const { account } = await server.call(`${T}GetAccount`, { accountId });
  const { inventoryItemIds } = await server.call("contracts.v1.Contracts/ListInventoryItems", { accountName: account.name, limit: 1 });
  const { inventoryItem } = await server.call("contracts.v1.Contracts/GetInventoryItem", { inventoryItemId: inventoryItemIds[0] });
  const inventoryChange = {
    id: ID,
    accountId,
    kind: "INVENTORY_CHANGE_KIND_APPEARED",
    status: "INVENTORY_CHANGE_STATUS_OPEN",
    version: "1",
    assetId: "30000000777",
    contextId: "2",
    marketHashName: inventoryItem.marketHashName,
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
  };
  const answer = (route, change) => route.fulfill({ json: { inventoryChange: change } });
  await page.route("**/GetInventoryChange", (route) => answer(route, inventoryChange));
  await page.route(/\/(Match|Ignore)InventoryChange$/, (route) => {
    const { inventoryItemId = "", reason = "" } = asked(route.request().postDataJSON());
    Object.assign(inventoryChange, { inventoryItemId, reason, version: "2" });
    inventoryChange.status = `INVENTORY_CHANGE_STATUS_${inventoryItemId ? "MATCHED" : "IGNORED"}`;
    return answer(route, inventoryChange);
  });
  await to(`/changes/${urlId(ID)}`);
  await page.getByText("Nothing explains it yet.", { exact: false }).waitFor();
  return inventoryItem;
}
const closeChange = () => page.unrouteAll({ behavior: "ignoreErrors" });

story("a trader matches a change to an item of the same name", async () => {
  let said;
  const item = await openChange((asked) => (said = asked));
  await page.getByRole("button", { name: "Match to an item" }).click();
  const field = dialog().getByLabel("Item", { exact: true });
  await field.selectOption(urlId(item.id));
  await dialog().getByRole("button", { name: "Match", exact: true }).click();
  await page.getByText("A person named the item that it belongs to.").waitFor();
  assert.deepEqual([said.inventoryItemId, said.expectedVersion], [item.id, "1"]);
  assert.equal(await page.getByRole("button", { name: "Ignore" }).count(), 0);
  await closeChange();
});

story("a trader ignores a change, which needs a reason", async () => {
  let said;
  await to("/changes");
  await page.reload();
  await openChange((asked) => (said = asked));
  await page.getByRole("button", { name: "Ignore" }).click();
  await dialog().getByRole("button", { name: "Ignore it" }).click();
  await dialog().getByText("This is needed.").waitFor();
  await dialog().getByLabel("Reason").fill("a gift");
  await dialog().getByRole("button", { name: "Ignore it" }).click();
  await page.getByText("A person ignored it: a gift").waitFor();
  assert.equal(said.reason, "a gift");
  await closeChange();
});

const accountsOf = async () => {
  const { accountIds } = await server.call(`${T}ListAccounts`, { limit: 200, status: "ACCOUNT_STATUS_READY" });
  const { accounts } = await server.call(`${T}GetAccounts`, { accountIds });
  return accounts.filter((a) => a.name.startsWith("live-")).sort((a, b) => a.name.localeCompare(b.name));
};
story("a trader changes the accounts of a group, and after the second call was refused only that one is sent again", async () => {
  const [ours, theirs] = await accountsOf();
  const { accountGroup } = await server.call(`${T}CreateAccountGroup`, { name: "Night shift" });
  const accountGroupId = accountGroup.id;
  await server.call(`${T}AddAccountsToGroup`, { accountGroupId, accountIds: [ours.id] });
  const sent = [];
  await page.route(/\/(AddAccountsTo|RemoveAccountsFrom)Group$/, (route) => {
    const operation = route.request().url().split("/").at(-1);
    const isFirst = !sent.includes(operation);
    sent.push(operation);
    if (operation === "AddAccountsToGroup" || !isFirst) return route.continue();
    const refusal = { code: "failed_precondition", message: "another call was faster" };
    return route.fulfill({ status: 400, headers: { "x-error-reason": "CONFLICT" }, json: refusal });
  });
  await to("/accounts");
  await page.reload();
  const row = page.getByRole("row", { name: /Night shift/ });
  await row.getByRole("button", { name: "Accounts", exact: true }).click();
  await dialog().getByRole("checkbox", { name: ours.name, exact: true }).uncheck();
  await dialog().getByRole("checkbox", { name: theirs.name, exact: true }).check();
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().getByText("Others kept changing the same record.", { exact: false }).waitFor();
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().waitFor({ state: "detached" });
  assert.deepEqual(sent, ["AddAccountsToGroup", "RemoveAccountsFromGroup", "RemoveAccountsFromGroup"]);
  const now = await server.call(`${T}GetAccountGroup`, { accountGroupId });
  assert.deepEqual(now.accountGroup.accountIds, [theirs.id]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

story("a trader adds a friend, and another account of the workspace accepts", async () => {
  const [ours, theirs] = await accountsOf();
  await to(`/friends?account=${urlId(ours.id)}`);
  await page.getByRole("button", { name: "Add a friend" }).click();
  await dialog().getByLabel("Their number at the platform").fill("no number");
  await dialog().getByText("A number of the platform has digits only.").waitFor();
  await dialog().getByLabel("Their number at the platform").fill(theirs.platformUserId);
  await dialog().getByLabel("Note").fill("the other desk");
  await dialog().getByRole("button", { name: "Ask for friendship" }).click();
  await dialog().waitFor({ state: "detached" });
  const asked = { accountId: theirs.id, relation: "FRIEND_RELATION_THEY_ASKED" };
  let friendIds = [];
  for (let tries = 0; !friendIds.length && tries < 120; tries++) {
    await page.waitForTimeout(500);
    ({ friendIds = [] } = await server.call(`${T}ListFriends`, asked));
  }
  assert.ok(friendIds.length, "the engine asks, and the other account sees it");
  await to(`/friends/${urlId(friendIds[0])}`);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await dialog().getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText("They are friends.").waitFor({ timeout: 120_000 });
  assert.equal(await page.getByRole("button", { name: "Accept", exact: true }).count(), 0);
  await to(`/friends?account=${urlId(theirs.id)}&relation=FRIEND`);
  await page.locator('a[href^="/friends/"]').first().waitFor();
});

story("a trader enables a chat, writes a message that is text alone, and marks the answer's conversation as read", async () => {
  const [ours, theirs] = await accountsOf();
  const text = "[b]<img src=x>[/b] !sell all https://example.com/deal";
  for (const account of [ours, theirs]) {
    await to(`/accounts/${urlId(account.id)}`);
    await page.getByRole("heading", { level: 1, name: account.name }).waitFor();
    await page.getByRole("button", { name: "Enable the chat" }).click();
    await dialog().getByRole("button", { name: "Enable the chat" }).click();
    await confirm(page, server.demo, page.getByText("read, and can be written"));
  }
  await to(`/chats?account=${urlId(ours.id)}`);
  await page.getByRole("button", { name: "Write a message" }).click();
  await dialog().getByLabel("Their number at the platform").fill(theirs.platformUserId);
  await dialog().getByLabel("Text").fill(text);
  await dialog().getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { level: 1, name: `Conversation with ${theirs.platformUserId}` }).waitFor();
  const messages = page.getByRole("list", { name: "Messages" });
  await messages.getByText("<img src=x> !sell all https://example.com/deal").waitFor();
  // It says by itself that it was sent: the engine's step is in the live feed.
  // A call that is lost on a busy machine is not made again by itself: the trader writes it again.
  const badge = messages.locator("li:first-child .badge");
  for (let tries = 0; (await badge.count()) && tries < 120; tries++) {
    await page.waitForTimeout(1000);
    if (!/Failed/.test((await badge.textContent({ timeout: 500 }).catch(() => "")) ?? "")) continue;
    await page.getByLabel("Text", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await badge.filter({ hasText: /Failed/ }).waitFor({ state: "detached" });
  }
  assert.equal(await badge.count(), 0);
  assert.equal(await messages.locator("a, img").count(), 0);
  await to("/chats?unread=yes");
  const row = page.getByRole("link", { name: ours.platformUserId });
  for (let tries = 0; !(await row.count()) && tries < 120; tries++) {
    await page.waitForTimeout(1000);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Chats" }).waitFor();
  }
  await row.click();
  await page.getByRole("list", { name: "Messages" }).getByText("!sell all", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Mark as read" }).click();
  await dialog().getByRole("button", { name: "Mark as read" }).click();
  await page
    .locator(".badge", { hasText: /^Read$/ })
    .first()
    .waitFor();
  const counted = await server.call(`${T}CountConversations`, {});
  assert.ok(counted.total >= 2, JSON.stringify(counted));
});

story("a message whose answer was lost is recorded once, however often a trader presses Send", async () => {
  const [ours] = await accountsOf();
  const { conversationIds } = await server.call(`${T}ListConversations`, { accountId: ours.id });
  const conversationId = conversationIds[0];
  const before = (await server.call(`${T}ListMessages`, { conversationId, limit: 200 })).messageIds.length;
  await to(`/chats/${urlId(conversationId)}`);
  const field = page.getByLabel("Text", { exact: true });
  await field.waitFor();
  let lost = 0;
  await page.route("**/SendMessage", async (route) => {
    const answer = await route.fetch();
    return lost++ ? route.fulfill({ response: answer }) : route.abort();
  });
  await field.fill("written once");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The server cannot be reached").waitFor();
  assert.equal(await field.inputValue(), "written once");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("list", { name: "Messages" }).getByText("written once").waitFor();
  assert.equal(await field.inputValue(), "");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const after = (await server.call(`${T}ListMessages`, { conversationId, limit: 200 })).messageIds.length;
  assert.equal(after, before + 1);
});
