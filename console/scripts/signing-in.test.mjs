// How people sign in, confirm that it is they, and stay signed in, as a browser does it: the setup link, linked identities, passkeys, and a
// step-up in many tabs. One demo for all.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { propose, urlId } from "./pages.mjs";
import { confirm, missing, nextCode, openBrowser, session, signIn, startDemo, startFirst, startPlatform, totp } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
let server, browser, page, context, said;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_900 });
    ({ browser, page, context, said } = await openBrowser(server, session()));
    follow(page);
    await signIn(page, server);
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});
const to = (path, on = page) => on.evaluate((p) => history.pushState(null, "", p), path);

/** The next call of a method is refused as if the second factor were too old, so that the real step-up runs. */
async function askForStepUp(method) {
  let asked = 0;
  await context.route(new RegExp(`/${method}$`), async (route) => {
    if (asked++) return route.continue();
    await route.fulfill({
      status: 400,
      contentType: "application/json",
      headers: { "x-error-reason": "STEP_UP_REQUIRED" },
      body: JSON.stringify({ code: "failed_precondition", message: "confirm with the second factor" }),
    });
  });
  return () => context.unroute(new RegExp(`/${method}$`));
}
const byPasskey = (on) => on.getByRole("button", { name: "Use a passkey" }).click();
const byCode = (code) => async (on) => {
  await on.getByLabel("Six digits").fill(code);
  await on.keyboard.press("Enter");
};
async function makeKey(name, on = page, stepUp = byPasskey) {
  await to("/keys", on);
  await on.getByRole("button", { name: "New key" }).click();
  await on.getByLabel("Name").fill(name);
  const restore = await askForStepUp("CreateAPIKey");
  await on.getByRole("button", { name: "Create the key" }).click();
  await stepUp(on);
  assert.match(await on.getByTestId("secret").innerText(), /^tpk_/);
  await on.getByRole("button", { name: "Done" }).click();
  await restore();
}

/** A passkey of the device, which agrees at once. */
async function addAuthenticator(on) {
  // A browser gives passkeys only to the page in front.
  await on.bringToFront();
  const cdp = await on.context().newCDPSession(on);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const PASSWORD = "copper lantern under seven bridges";
/** Sets the password of the owner of a new server by its setup link. */
async function setPassword(at, first) {
  await at.goto(first.setupUrl);
  await at.getByLabel("The owner's address").fill(first.email);
  for (const name of ["New password", "The same once more"]) await at.getByLabel(name).fill(PASSWORD);
  await at.getByRole("button", { name: "Save it and sign in" }).click();
  await at.getByRole("heading", { name: "Add a second factor" }).waitFor();
}
/** Adds the passkey of the device on the page that comes then. */
async function addPasskey(at) {
  await at.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = at.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("first");
  await dialog.locator("button[type=submit]").click();
  await at.getByText("A passkey is added.").waitFor();
}
async function signOut(at) {
  await at.getByRole("button", { name: "You and the workspace" }).click();
  await at.getByRole("menuitem", { name: "Sign out" }).click();
  await at.getByRole("heading", { name: "Sign in" }).waitFor();
}

story("an owner sets the first password by the setup link, and adds a passkey and an app before the console opens", async () => {
  const first = await startFirst({ port: 18_790 });
  const own = await openBrowser(first);
  const at = own.page;
  try {
    await addAuthenticator(at);
    await setPassword(at, first);
    assert.ok(!at.url().includes("#"), "the address still has the token");
    await at.getByRole("button", { name: "Later" }).waitFor();
    await addPasskey(at);
    const dialog = at.getByRole("dialog");
    await at.getByRole("button", { name: "Add an authenticator app" }).click();
    await at.getByRole("button", { name: "Use a passkey" }).click();
    const secret = (await dialog.locator(".secret code").innerText()).replaceAll(" ", "");
    await dialog.getByLabel("Six digits").fill(totp(secret));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByTestId("codes").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await at.getByText("The authenticator app is added.").waitFor();
    await at.getByRole("button", { name: "Go to the console" }).click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    // The browser reports the call that asked for the passkey.
    assert.deepEqual(
      own.said.filter((s) => !s.includes("status of 400")),
      [],
    );
  } finally {
    await own.browser.close();
    await first.stop();
  }
});

story("a person whose only second factor is a passkey is asked for it after the password, and for no code", async () => {
  const first = await startFirst({ port: 18_785 });
  const own = await openBrowser(first);
  const at = own.page;
  const known = () => at.evaluate(() => localStorage.getItem("tp.device"));
  try {
    await addAuthenticator(at);
    await setPassword(at, first);
    await addPasskey(at);
    await at.getByRole("button", { name: "Go to the console" }).click();
    await signOut(at);
    await at.evaluate(() => localStorage.removeItem("tp.device"));
    await at.getByLabel("E-mail address").fill(first.email);
    await at.getByLabel("Password").fill(PASSWORD);
    await at.keyboard.press("Enter");
    await at.getByRole("heading", { name: "Your passkey" }).waitFor();
    assert.equal(await at.locator("main input").count(), 0);
    assert.equal(await known(), null);
    await at.getByRole("button", { name: "Use a passkey" }).click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    assert.ok(await known(), "the answer's device token was not kept");
  } finally {
    await own.browser.close();
    await first.stop();
  }
});

story("a person without the phone signs in with a recovery code, and the same code opens nothing a second time", async () => {
  const first = await startFirst({ port: 18_786 });
  const own = await openBrowser(first);
  const at = own.page;
  const dialog = at.getByRole("dialog");
  const signInWith = async (code) => {
    await signOut(at);
    await at.getByLabel("E-mail address").fill(first.email);
    await at.getByLabel("Password").fill(PASSWORD);
    await at.keyboard.press("Enter");
    await at.getByRole("button", { name: "I do not have the app at hand" }).click();
    await at.getByLabel("Recovery code").fill(code);
    await at.keyboard.press("Enter");
  };
  try {
    await setPassword(at, first);
    await at.getByRole("button", { name: "Add an authenticator app" }).click();
    await dialog.getByRole("img", { name: "Code to scan with the authenticator app" }).waitFor();
    const secret = (await dialog.locator(".secret code").innerText()).replaceAll(" ", "");
    await dialog.getByLabel("Six digits").fill(totp(secret));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    const code = await dialog.getByTestId("codes").locator("li").first().innerText();
    await dialog.getByRole("button", { name: "Done" }).click();
    await at.getByRole("button", { name: "Go to the console" }).click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    await signInWith(code);
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    await signInWith(code);
    await at.getByText("That code is not right.", { exact: false }).waitFor();
  } finally {
    await own.browser.close();
    await first.stop();
  }
});

story("a linked sign-in ends in the browser that began it, and signs no one in in another one", async () => {
  const port = 18_795;
  const platform = await startPlatform({ port });
  const first = await startFirst({ port, settings: platform.settings });
  const own = await openBrowser(first);
  const at = own.page;
  const cookies = async (of) => (await of.cookies()).filter((c) => c.name.startsWith("__Host-"));
  const named = async (of, kind) => (await cookies(of)).find((c) => c.name.startsWith(`__Host-${kind}-`));
  try {
    await setPassword(at, first);
    await at.getByRole("button", { name: "Later" }).click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    await to("/settings?view=security", at);
    await at.getByRole("button", { name: "Link Steam" }).click();
    await at.getByRole("link", { name: "Agree" }).click();
    await at.getByText("You can sign in with Steam from now on.").waitFor();
    await signOut(at);

    await at.getByRole("button", { name: "Sign in with Steam" }).click();
    const agree = at.getByRole("link", { name: "Agree" });
    const address = await agree.getAttribute("href");
    const begun = await named(own.context, "tpl");
    assert.ok(begun.httpOnly && begun.secure && begun.sameSite === "Strict" && begun.path === "/");
    assert.ok(begun.expires - Date.now() / 1000 <= 600, "the cookie of a begun sign-in is good for longer than the sign-in");

    // Another browser has the address alone, or also what the tab keeps of the sign-in: a page of this origin could write that.
    for (const link of [undefined, begun.value]) {
      const stranger = await own.browser.newContext();
      const tab = await stranger.newPage();
      const kept = link && JSON.stringify({ linkId: link, provider: 2, purpose: "sign-in" });
      if (kept) await tab.addInitScript((text) => sessionStorage.setItem("tp.link", text), kept);
      const answers = [];
      tab.on("response", (r) => r.url().endsWith("/FinishLinkedSignIn") && answers.push(r));
      await tab.goto(address);
      await tab.getByText("It was not begun in this", { exact: false }).waitFor();
      assert.deepEqual(
        answers.map((r) => [r.status(), r.headers()["x-error-reason"]]),
        link ? [[400, "LINK_INVALID"]] : [],
      );
      assert.equal(await named(stranger, "tps"), undefined);
      await tab.goto(first.url);
      await tab.getByRole("heading", { name: "Sign in" }).waitFor();
      await stranger.close();
    }
    assert.equal(platform.confirmed, 1, "the platform was asked about a sign-in of another browser");

    await agree.click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    assert.deepEqual([platform.confirmed, (await cookies(own.context)).length], [2, 1]);
    assert.ok(await named(own.context, "tps"));
  } finally {
    await own.browser.close();
    await first.stop();
    platform.stop();
  }
});

story("a person registers a passkey, signs in with it, and confirms a step-up with it", async () => {
  await addAuthenticator(page);
  await to("/settings?view=security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("story");
  await dialog.locator("button[type=submit]").click();
  await confirm(page, server.demo, page.getByText("The passkey was added."));
  await page.getByRole("row", { name: "story" }).first().waitFor();
  await signOut(page);
  assert.equal((await context.cookies()).filter((c) => c.name.startsWith("__Host-")).length, 0, "signing out leaves the cookie");
  const answered = page.waitForResponse(/FinishPasskeySignIn$/);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const answer = await answered;
  assert.ok(!(await answer.json()).sessionToken, "the answer has the token");
  const set = (await answer.headersArray()).find((h) => h.name.toLowerCase() === "set-cookie").value;
  for (const part of ["__Host-", "HttpOnly", "Secure", "SameSite=Strict", "Path=/", "Max-Age="])
    assert.ok(set.includes(part), `${part} in ${set}`);
  await page.getByRole("navigation", { name: "Workspace" }).waitFor();
  await makeKey("by passkey");
});

story("a person without the phone sets a new password with a recovery code", async () => {
  const other = await browser.newContext();
  const tab = await other.newPage();
  const asked = [];
  // The demo prints no recovery code of its owner: the answers are made here.
  await tab.route("**/ResetPassword", async (route) => {
    asked.push(route.request().postDataJSON());
    if (asked.at(-1).code) return route.fulfill({ json: {} });
    await route.fulfill({
      status: 400,
      contentType: "application/json",
      headers: { "x-error-reason": "CODE_REQUIRED" },
      body: JSON.stringify({ code: "failed_precondition", message: "a code is needed" }),
    });
  });
  try {
    await tab.goto(`${server.url}/reset-password#tpe_story`);
    for (const name of ["New password", "The same once more"]) await tab.getByLabel(name).fill(PASSWORD);
    const save = tab.getByRole("button", { name: "Save the password" });
    await save.click();
    await tab.getByLabel("Six digits").waitFor();
    await tab.getByRole("button", { name: "I do not have the app at hand" }).click();
    await tab.getByLabel("Recovery code").fill("7K4M2Q9ZT5W8");
    await save.click();
    await tab.getByText("The new password is set.").waitFor();
    assert.deepEqual(
      asked.map(({ method, code }) => [method, code]),
      [
        [undefined, undefined],
        ["TWO_FACTOR_METHOD_RECOVERY_CODE", "7K4M2Q9ZT5W8"],
      ],
    );
  } finally {
    await other.close();
  }
});

story("an owner who has deleted the only workspace is offered to restore it", async () => {
  const { workspace } = await server.call("accounts.v1.Accounts/GetWorkspace", {});
  const tab = await context.newPage();
  let restored = "";
  // Deleting it would end the stories that follow: the answers are made here.
  await tab.route("**/ListWorkspaces", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (!restored) for (const w of json.workspaces) w.deletedAt = new Date().toISOString();
    await route.fulfill({ response, json });
  });
  await tab.route("**/RestoreWorkspace", async (route) => {
    restored = route.request().postDataJSON().workspaceId;
    await route.fulfill({ json: {} });
  });
  try {
    await tab.goto(server.url);
    await tab.getByRole("button", { name: `Restore ${workspace.name}`, exact: true }).click();
    await tab.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.equal(restored, server.demo.workspaceId);
  } finally {
    await tab.close();
  }
});

/** The calls that wait for changes, each with its tab. */
const waiting = new Map();
function follow(tab) {
  tab.on("request", (r) => r.url().endsWith("/WatchTransitions") && waiting.set(r, tab));
  for (const end of ["requestfinished", "requestfailed"]) tab.on(end, (r) => waiting.delete(r));
}
/** Between two calls there is none for a moment. */
async function onlyTheFirstWaits(tabs) {
  for (let tries = 0; waiting.size === 0 && tries < 100; tries += 1) await page.waitForTimeout(50);
  assert.deepEqual(
    [...waiting.values()].map((tab) => tabs.indexOf(tab)),
    [0],
  );
}
const sessionOf = async () => (await context.cookies()).find((c) => c.name.startsWith("__Host-tps-")).value;
const proposalIn = (tab, intent) => tab.locator(`main a[href="/approvals/${urlId(intent.id)}"]`).first();
/** Every tab is signed in, and shows a change that happens now. */
async function allGoOn(tabs, listingId) {
  await Promise.all(
    tabs.map(async (tab, n) => {
      await to(["/purchases", "/items", "/contracts"][n % 3], tab);
      await tab.locator("main tr.goes").first().waitFor();
      await to("/events", tab);
      // Under the pointer, which is where the last press was, the feed does not change.
      await tab.mouse.move(0, 0);
      await tab.locator("main ol.feed li").first().waitFor();
    }),
  );
  const intent = await propose(server, listingId);
  for (const tab of tabs) {
    await proposalIn(tab, intent).waitFor();
    await tab.locator('.live[data-state="live"]').waitFor();
    assert.equal(await tab.getByRole("heading", { name: "Sign in" }).count(), 0);
  }
  await onlyTheFirstWaits(tabs);
}
story("of eight tabs one has the waiting call, and a step-up in any of them signs no other out and loses no change", async () => {
  const tabs = [page];
  for (let n = 0; n < 7; n += 1) {
    const tab = await context.newPage();
    follow(tab);
    tabs.push(tab);
  }
  await Promise.all(tabs.slice(1).map((tab) => tab.goto(server.url)));
  await Promise.all(tabs.map((tab) => tab.locator('.live[data-state="live"]').waitFor()));
  await onlyTheFirstWaits(tabs);
  // In the tab that waits for all: it ends its call.
  await makeKey("in the first of eight");
  await allGoOn(tabs, "tabs-1");

  // In another one, while the first tab's call is with the token that is replaced: its answer is held until then. A proposal ends the call
  // that waits now, and the next one is held.
  const code = await nextCode(server.demo);
  let goOn, isSent;
  const held = new Promise((then) => (goOn = then));
  const sent = new Promise((then) => (isSent = then));
  await page.route("**/WatchTransitions", async (route) => {
    const answer = route.fetch();
    isSent();
    const response = await answer;
    await held;
    await route.fulfill({ response });
  });
  await propose(server, "tabs-2");
  await sent;
  const token = await sessionOf();
  await makeKey("in the fourth of eight", tabs[3], byCode(code));
  assert.notEqual(await sessionOf(), token, "the step-up has not replaced the token");
  goOn();
  await allGoOn(tabs, "tabs-3");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await Promise.all(tabs.slice(1).map((t) => t.close()));
});

story("when the tab that waits for all is closed, the next one misses nothing that happens before it asks", async () => {
  const own = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: await context.storageState() });
  try {
    const [first, next] = [await own.newPage(), await own.newPage()];
    for (const tab of [first, next]) {
      await tab.goto(`${server.url}/events`);
      await tab.locator('.live[data-state="live"]').waitFor();
    }
    let goOn;
    const held = new Promise((r) => (goOn = r));
    await next.route("**/WatchTransitions", (route) => held.then(() => route.continue()));
    const asked = next.waitForRequest(/\/WatchTransitions$/);
    await first.close();
    await asked;
    const intent = await propose(server, "session-1");
    goOn();
    await proposalIn(next, intent).waitFor();
  } finally {
    await own.close();
  }
});

story("nothing of these stories made the browser report an error or a break of the security policy", () => {
  // Those that a refused call brings about are meant.
  const meant = /status of (400|401|403)|ERR_FAILED|net::ERR/;
  assert.deepEqual(
    said.filter((s) => !meant.test(s)),
    [],
  );
});
