// A member of the demo whose policies the owner's key gives, and what each page offers to the member. For the stories of the test and of the night.
import assert from "node:assert/strict";
import { pages } from "./pages.mjs";
import { escape, settled, stepUp } from "./run.mjs";

/** A person of the demo; its password is that of everyone there. */
const ANALYST = "analyst@example.com";
/** On every page. */
const READING = ["CSV", "Show table", "Show earlier"];
/** What else each page offers to someone who may only read: what is about the person, and what leads to another page. */
const MAY_PRESS = {
  problem: ["Open the purchase"],
  item: ["Ask a contract"],
  profit: ["Export"],
  "profit-by-account": ["Export"],
  market: ["Would have bought"],
  "market-listings": ["Would have bought"],
  "market-decisions": ["Would have bought"],
  "contract-replay": ["Replay"],
  variant: ["Look up", "Observed listings"],
  accounts: ["Imports", "Sessions"],
  account: ["Friends", "Chats", "Sessions", "Renewals", "Trade offers"],
  "account-snapshots": ["Inventory changes"],
  change: ["Compare the two"],
  provider: ["Test"],
  sessions: ["Renewals"],
  session: ["Open the account"],
  friends: ["Chats"],
  webhook: ["Refresh"],
  alerts: ["New channel"],
  "alerts-own": ["New channel"],
  alert: ["Refresh"],
  keys: ["Report a leaked key", "Revoke"],
  audit: ["Verify the chain"],
  invitations: ["Show the invitation"],
  linked: ["Go to the settings"],
  settings: ["Edit", "Change", "Delete"],
  "settings-security": ["Add a passkey", "Add an authenticator app", "Change the password"],
  "settings-sessions": ["End all others"],
  "settings-workspace": ["New workspace", "Leave"],
};
/** The windows of rows that no page shows: where, and what one may offer besides. */
const ROWS = { "/members": [], "/keys": ["Revoke"] };
// What chooses what is shown, and what opens a row, changes nothing.
const BUTTONS = ":is(button, [role=button], a.btn):not([role=radio], [aria-pressed], [aria-expanded], th *)";
const labelsOf = async (part, expected) => {
  const known = new Set(["Close", ...expected]);
  const all = await part
    .locator(BUTTONS)
    .evaluateAll((all) => all.filter((e) => e.checkVisibility()).map((e) => e.getAttribute("aria-label") ?? e.innerText.trim()));
  return [...new Set(all)].filter((label) => !known.has(label));
};
/** A policy opens few operations that only read. The others are those whose buttons a member has besides. */
const READS = /\.(Compare|Count|Estimate|Evaluate|Export|Find|Get|List|Resolve|Search|Simulate|Test|Verify|Watch)\w*$/;
const reads = (operation) => READS.test(operation) && !/(LoginCode|ForSale)$/.test(operation);

/** The user with this address. Others are shown without their addresses, so the person is signed in and says who it is. */
async function userOf(server, email) {
  const body = { email, password: server.demo.password };
  const { sessionToken } = await server.call("accounts.v1.Accounts/SignIn", { workspaceId: undefined, ...body });
  const { user } = await server.call("accounts.v1.Accounts/GetCurrentUser", { workspaceId: undefined }, sessionToken);
  // The session would be one more of those that the settings list.
  await server.call("accounts.v1.Accounts/SignOut", { workspaceId: undefined }, sessionToken);
  return user.id;
}

/** Signs the member in that may only read, in a browser of its own. */
export async function startMember(server, browser) {
  const A = "accounts.v1.Accounts/";
  await stepUp(server);
  const userId = await userOf(server, ANALYST);
  const { membershipIds } = await server.call(`${A}ListMemberships`, { status: "MEMBERSHIP_STATUS_ACCEPTED" });
  const { memberships } = await server.call(`${A}GetMemberships`, { membershipIds });
  const { id: membershipId } = memberships.find((m) => m.userId === userId);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", timezoneId: "UTC" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const refused = [];
  page.on("response", (r) => r.status() === 403 && refused.push(r.url().split("/").at(-1)));
  await page.goto(server.url);
  await page.getByLabel("E-mail address").fill(ANALYST);
  await page.getByLabel("Password").fill(server.demo.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const to = async (path) => {
    await page.evaluate((p) => history.pushState(null, "", p), path);
    await settled(page);
  };
  return {
    page,
    refused,
    to,
    /** Gives the member these policies, and no others. */
    give: (...policies) =>
      server.call(`${A}UpdateMembership`, { workspaceId: undefined, membershipId, role: "MEMBERSHIP_ROLE_MEMBER", policies }),
    /** Loads the console again. With `readsOnly` it takes from the answer of the server all operations but those that read. */
    async load({ readsOnly = false } = {}) {
      await context.unrouteAll({ behavior: "ignoreErrors" });
      if (readsOnly)
        await context.route("**/GetEffectivePermissions", async (route) => {
          const response = await route.fetch();
          const json = await response.json();
          await route.fulfill({ response, json: { ...json, operations: json.operations.filter(reads) } });
        });
      await page.goto(server.url);
      await settled(page);
    },
    /** Goes to each page. It does not go on loading, makes no call that is refused, and, of one who only reads, has no button but those. */
    async visit(which, { readsOnly = true } = {}) {
      for (const [name, at] of await pages(server, which)) {
        await to(at);
        const others = readsOnly ? await labelsOf(page.locator("main"), [...READING, ...(MAY_PRESS[name] ?? [])]) : [];
        assert.deepEqual([name, others, refused], [name, [], []]);
      }
    },
    /** Opens the window of the first row of the pages whose rows have no page of their own. */
    async openRows() {
      for (const [at, expected] of Object.entries(ROWS)) {
        await to(at);
        const row = page.locator("main th button.plainlink").first();
        if (!(await row.count())) continue;
        await row.click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        assert.deepEqual([at, await labelsOf(dialog, expected), refused], [at, [], []]);
        await escape(page, dialog);
        await dialog.waitFor({ state: "detached" });
      }
    },
    /** Goes everywhere that the command bar leads to for a name. */
    async followName() {
      for (let n = 0; ; n += 1) {
        await page.keyboard.press("Control+k");
        const bar = page.getByRole("dialog", { name: "Search or go to" });
        await bar.getByRole("combobox").fill("AK-47");
        const ways = bar.getByRole("option").filter({ hasText: "“AK-47”" });
        if (n >= (await ways.count())) break;
        await ways.nth(n).click();
        await settled(page);
        assert.equal(await page.locator("main").getByText("Your role does not show", { exact: false }).count(), 0, page.url());
      }
      await page.keyboard.press("Escape");
    },
    close: () => context.close(),
  };
}
