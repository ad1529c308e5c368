// What a member is shown, by the policies that the membership has, as a browser does it. One demo for all.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { propose, TRADED } from "./pages.mjs";
import { startMember } from "./rights.mjs";
import { addConnections, missing, openBrowser, startDemo } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 300_000 }, run);
let server, browser, member;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_910 });
    ({ browser } = await openBrowser(server));
    await addConnections(server);
    await propose(server, "proposed-for-a-member");
    member = await startMember(server, browser);
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});

story("a member with the policy analytics sees no button that would be refused", async () => {
  const { page } = member;
  await member.visit({ without: TRADED });
  await member.openRows();
  // People may revoke their own keys.
  const revoke = (place) => place.getByRole("button", { name: "Revoke", exact: true }).count();
  await member.to("/keys");
  assert.equal(await revoke(page), await revoke(page.getByRole("row", { name: /\bYou\b/ })));
  assert.equal(await page.getByRole("button", { name: /^(Halt|Stop everything)$/ }).count(), 0);
});

/** Pages that show more to one who may change their record. */
const CHANGED = [
  "overview",
  "filter",
  "contract-edit",
  "contract",
  "pool",
  "item",
  "problem",
  "account",
  "import-new",
  "provider",
  "webhook",
  "alert",
  "keys",
];
for (const policy of ["trading", "accounts", "markets", "workspace"])
  story(`a member with the policy ${policy} alone sees no page that goes on loading, and no button without its right`, async () => {
    await member.give(policy);
    await member.load({ readsOnly: true });
    await member.visit({ without: TRADED });
    await member.openRows();
    await member.followName();
    await member.load();
    await member.visit({ only: CHANGED }, { readsOnly: false });
  });

story("a member whose rights were taken away while a window was open is refused once, and does not see the button again", async () => {
  const { page } = member;
  await member.give("trading");
  await member.load();
  await member.to("/pools");
  const button = page.getByRole("button", { name: "New pool" });
  await button.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Name/).fill("Too late");
  await dialog.getByLabel(/^Funds at most/).fill("10");
  await member.give("analytics");
  await dialog.getByRole("button", { name: "Create the pool" }).click();
  await dialog.getByText("Not allowed.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  // Nothing is hidden behind the window by then.
  await page.getByRole("heading", { level: 1, name: "Pools and ledger" }).waitFor();
  await button.waitFor({ state: "detached" });
  assert.deepEqual(member.refused.splice(0), ["CreatePool"]);
});
