// What keeps a session safe and alive, as a browser does it: passkeys, many tabs, pages of other origins, and a long list. One demo for all.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { answerLongList, scrollLongList } from "./long-list.mjs";
import { propose, urlId } from "./pages.mjs";
import { confirm, missing, nextCode, openBrowser, session, signIn, startDemo, startFirst, startPlatform, totp } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
let server, browser, page, context, said;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_780 });
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
const own = (path, init, on = page) =>
  on.evaluate(
    async ([path, init]) => {
      const a = await fetch(path, { method: "POST", body: "{}", ...init });
      return { status: a.status, reason: a.headers.get("x-error-reason"), headers: Object.fromEntries(a.headers), body: await a.text() };
    },
    [path, init],
  );
const ME = "/accounts.v1.Accounts/GetCurrentUser";
const JSON_TYPE = { "content-type": "application/json" };
const COOKIE = { ...JSON_TYPE, "tradepost-session": "cookie" };

story("a call takes the session's cookie only if it says so, from the page itself, with no other credentials", async () => {
  const good = await own(ME, { headers: COOKIE });
  assert.equal(good.status, 200);
  assert.equal(good.headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(good.headers["x-content-type-options"], "nosniff");
  assert.equal(good.headers["set-cookie"], undefined);
  assert.equal((await own(ME, { headers: JSON_TYPE })).status, 401);
  const both = await own(ME, { headers: { ...COOKIE, authorization: `Bearer ${server.demo.apiKey}` } });
  assert.deepEqual([both.status, both.reason, JSON.parse(both.body).code], [400, "INVALID_FIELD", "invalid_argument"]);
  assert.deepEqual(await own(ME, { headers: { ...COOKIE, "content-type": "text/plain" } }).then((a) => [a.status, a.reason]), [
    403,
    "ORIGIN_REFUSED",
  ]);
  const get = await own(`${ME}?encoding=json&message=%7B%7D&connect=v1`, {
    method: "GET",
    body: undefined,
    headers: { "tradepost-session": "cookie" },
  });
  assert.deepEqual([get.status, get.reason], [403, "ORIGIN_REFUSED"]);
});

/** The operations whose answers set a cookie. */
const SETS_COOKIES = ["BeginLinkedSignIn", "CompleteSignIn", "CompleteStepUp", "FinishLinkedSignIn", "FinishPasskeySignIn", "SignIn"];
story("what sets a cookie takes no idempotency key of a page, because an answer that is replayed has no cookie", async () => {
  const { email, password } = server.demo;
  for (const method of SETS_COOKIES) {
    const init = { headers: { ...COOKIE, "idempotency-key": "k" }, body: JSON.stringify(method === "SignIn" ? { email, password } : {}) };
    const answer = await own(`/accounts.v1.Accounts/${method}`, init);
    assert.deepEqual([method, answer.status, answer.reason], [method, 400, "INVALID_FIELD"]);
    assert.match(answer.body, /idempotency-key/);
  }
});

story("an answer under an idempotency key is given again to its own session, and not to another one of the same person", async () => {
  const body = JSON.stringify({ workspaceId: server.demo.workspaceId, name: "Once", currency: "USD", limits: { budgetCents: "100000" } });
  const create = async (on) => {
    const answer = await own("/contracts.v1.Contracts/CreatePool", { headers: { ...COOKIE, "idempotency-key": "once" }, body }, on);
    assert.equal(answer.status, 200, answer.body);
    return { id: JSON.parse(answer.body).pool.id, replayed: answer.headers["idempotency-replayed"] };
  };
  const first = await create(page);
  assert.equal(first.replayed, undefined);
  assert.deepEqual(await create(page), { id: first.id, replayed: "true" });
  const other = await browser.newContext();
  try {
    const tab = await other.newPage();
    await signIn(tab, server);
    const theirs = await create(tab);
    assert.equal(theirs.replayed, undefined);
    assert.notEqual(theirs.id, first.id);
  } finally {
    await other.close();
  }
});

// That no handler and no line of a log has the cookie is not seen from a browser: `no_handler_sees_a_cookie` of adapters-connect sees it.
story("a call that is refused leaves the cookie where it is: it may be late, and the cookie newer than its own", async () => {
  const cookie = (await context.cookies()).find((c) => c.name.startsWith("__Host-"));
  const stranger = await browser.newContext();
  try {
    await stranger.addCookies([{ ...cookie, value: `${cookie.value.slice(0, -4)}AAAA` }]);
    const tab = await stranger.newPage();
    await tab.goto(`${server.url}/favicon.svg`);
    const answered = tab.waitForResponse((r) => r.url().endsWith(ME));
    const status = await tab.evaluate(
      ([url, headers]) => fetch(url, { method: "POST", body: "{}", headers }).then((a) => a.status),
      [server.url + ME, COOKIE],
    );
    const headers = await (await answered).headersArray();
    assert.deepEqual([status, headers.filter((h) => h.name.toLowerCase() === "set-cookie")], [401, []]);
    assert.equal((await stranger.cookies()).find((c) => c.name === cookie.name).value, `${cookie.value.slice(0, -4)}AAAA`);
  } finally {
    await stranger.close();
  }
});

story("a device token that was stolen opens nothing without the password", async () => {
  const { email, password } = server.demo;
  const deviceToken = await page.evaluate(() => localStorage.getItem("tp.device"));
  assert.ok(deviceToken, "the browser has no device token");
  const thief = await browser.newContext();
  try {
    const tab = await thief.newPage();
    await tab.goto(`${server.url}/favicon.svg`);
    const signInWith = (body) =>
      tab.evaluate(
        async ([url, headers, body]) => {
          const a = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
          return [a.status, a.headers.get("x-error-reason"), await a.json()];
        },
        [`${server.url}/accounts.v1.Accounts/SignIn`, COOKIE, body],
      );
    const [status, reason] = await signInWith({ email, password: `${password}x`, deviceToken });
    assert.deepEqual([status, reason], [401, "WRONG_CREDENTIALS"]);
    // Nor does it spare the second factor.
    const [, , answer] = await signInWith({ email, password, deviceToken });
    assert.ok(answer.challengeId && !answer.sessionToken, JSON.stringify(answer));
    assert.deepEqual(await thief.cookies(), []);
  } finally {
    await thief.close();
  }
});

/** A page of another origin. `localhost` with another port is the same site, `127.0.0.1` is another one. */
async function hostile(host, use, of = context) {
  const evil = http.createServer((_ask, answer) => {
    answer.writeHead(200, { "content-type": "text/html" });
    answer.end("<!doctype html><title>hostile</title><h1>hostile</h1>");
  });
  await new Promise((ready) => evil.listen(0, "127.0.0.1", ready));
  const other = await of.newPage();
  try {
    await other.goto(`http://${host}:${evil.address().port}/`);
    await use(other);
  } finally {
    await other.close();
    evil.close();
  }
}
for (const host of ["localhost", "127.0.0.1"]) {
  story(`a page at another origin of ${host} reads nothing, changes nothing, and frames nothing`, async () => {
    const HALT = "/accounts.v1.Accounts/SetTradingHalt";
    const body = JSON.stringify({ workspaceId: server.demo.workspaceId, halted: true, reason: "hostile" });
    await hostile(host, async (other) => {
      const answers = [];
      other.on("response", (r) => r.url().startsWith(server.url) && answers.push([r.request().method(), r.status()]));
      const tried = await other.evaluate(
        async ([url, halt, me, body]) => {
          const out = {};
          const attempt = async (name, call) => {
            out[name] = await call().then(
              (a) => `${a.type} ${a.status}`,
              (e) => e.name,
            );
          };
          const json = { "content-type": "application/json" };
          const post = { method: "POST", credentials: "include", body };
          await attempt("with the header", () => fetch(url + halt, { ...post, headers: { ...json, "tradepost-session": "cookie" } }));
          await attempt("as JSON", () => fetch(url + halt, { ...post, headers: json }));
          await attempt("as text", () => fetch(url + halt, { ...post, mode: "no-cors", headers: { "content-type": "text/plain" } }));
          await attempt("read", () => fetch(url + me, { credentials: "include" }));
          const shown = (tag, src) =>
            new Promise((r) => {
              const e = document.createElement(tag);
              e.onload = () => r("loaded");
              e.onerror = () => r("error");
              e.src = src;
              document.body.append(e);
              setTimeout(() => r("nothing"), 1000);
            });
          out.script = await shown("script", `${url}/theme.js`);
          out.picture = await shown("img", `${url}/favicon.svg`);
          const frame = document.createElement("iframe");
          frame.src = url;
          document.body.append(frame);
          await new Promise((r) => ((frame.onload = r), setTimeout(r, 1500)));
          out.frame = frame.contentDocument === null ? "closed" : "open";
          return out;
        },
        [server.url, HALT, ME, body],
      );
      assert.equal(tried["with the header"], "TypeError");
      assert.equal(tried["as JSON"], "TypeError");
      assert.equal(tried.read, "TypeError");
      // The browser shows a page nothing of an answer that it may not read; what the server said is seen from outside of the page.
      assert.ok(["opaque 0", "TypeError"].includes(tried["as text"]), tried["as text"]);
      assert.equal(tried.picture, "error");
      assert.equal(tried.script, "error");
      assert.equal(other.frames().filter((f) => f.url().startsWith(server.url)).length, 0, "the frame shows the console");
      for (const [method, status] of answers) if (method !== "GET") assert.ok(status >= 400, `${method} was answered with ${status}`);
      // A form: it navigates, with the cookie left at home by SameSite=Strict, and without the header in any case.
      await other.evaluate(
        ([action, body]) => {
          const form = Object.assign(document.createElement("form"), { method: "POST", action, enctype: "text/plain" });
          form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
          document.body.append(form);
          form.submit();
        },
        [server.url + HALT, body],
      );
      await other.waitForURL((u) => u.href.startsWith(server.url));
      assert.ok(answers.at(-1)[1] >= 400, `a form was answered with ${answers.at(-1)[1]}`);
    });
    const { workspace } = await server.call("accounts.v1.Accounts/GetWorkspace", {});
    assert.equal(workspace.tradingHalt, undefined);
  });
}

story("of two cookies of the session's name, one set by a page at another port, neither counts", async () => {
  // The pages of the other stories go on asking with the one cookie.
  const signedIn = await browser.newContext({ storageState: await context.storageState() });
  try {
    const tab = await signedIn.newPage();
    await tab.goto(`${server.url}/favicon.svg`);
    const status = async () => (await own(ME, { headers: COOKIE }, tab)).status;
    const named = async () => (await signedIn.cookies()).filter((c) => c.name.startsWith("__Host-tps-"));
    const [{ name, value }] = await named();
    assert.equal(await status(), 200);
    await hostile(
      "localhost",
      async (other) => {
        const set = (to, age) =>
          other.evaluate(([to, age]) => (document.cookie = `${to}; Path=/; Secure; Partitioned; Max-Age=${age}`), [to, age]);
        // A script cannot write over the cookie, but it can add one that is kept apart from it.
        await set(`${name}=of-the-attacker`, 600);
        assert.deepEqual((await named()).map((c) => c.value).sort(), [value, "of-the-attacker"].sort());
        assert.equal(await status(), 401);
        await set(`${name}=`, 0);
      },
      signedIn,
    );
    assert.equal(await status(), 200);
  } finally {
    await signedIn.close();
  }
});

story("at an address without TLS the page says that no session is kept there, and what to do", async () => {
  const other = await context.newPage();
  try {
    // A server on loopback answers to no other name. Here it does, as one does whose operator has opened it to a network.
    const insecure = server.url.replace("localhost", "insecure.example.com");
    await other.route(`${insecure}/**`, async (route) => {
      const url = route.request().url().replace("insecure.example.com", "localhost");
      const headers = { ...route.request().headers(), origin: server.url };
      await route.fulfill({ response: await route.fetch({ url, headers }) });
    });
    await other.goto(insecure);
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.getByText("was not opened over TLS").waitFor();
    assert.equal(await other.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
  } finally {
    await other.close();
  }
});

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

story("an owner sets the first password by the setup link, and adds a passkey and an app before the console opens", async () => {
  const first = await startFirst({ port: 18_790 });
  const own = await openBrowser(first);
  const at = own.page;
  try {
    await addAuthenticator(at);
    await at.goto(first.setupUrl);
    await at.getByLabel("The owner's address").fill(first.email);
    await at.getByLabel("New password").fill("copper lantern under seven bridges");
    await at.getByLabel("The same once more").fill("copper lantern under seven bridges");
    await at.getByRole("button", { name: "Save it and sign in" }).click();
    await at.getByRole("heading", { name: "Add a second factor" }).waitFor();
    assert.ok(!at.url().includes("#"), "the address still has the token");
    await at.getByRole("button", { name: "Later" }).waitFor();
    await at.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = at.getByRole("dialog");
    await dialog.getByRole("textbox").first().fill("first");
    await dialog.locator("button[type=submit]").click();
    await at.getByText("A passkey is added.").waitFor();
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

story("a linked sign-in ends in the browser that began it, and signs no one in in another one", async () => {
  const port = 18_795;
  const platform = await startPlatform({ port });
  const first = await startFirst({ port, settings: platform.settings });
  const own = await openBrowser(first);
  const at = own.page;
  const cookies = async (of) => (await of.cookies()).filter((c) => c.name.startsWith("__Host-"));
  const named = async (of, kind) => (await cookies(of)).find((c) => c.name.startsWith(`__Host-${kind}-`));
  try {
    await at.goto(first.setupUrl);
    await at.getByLabel("The owner's address").fill(first.email);
    for (const name of ["New password", "The same once more"]) await at.getByLabel(name).fill("copper lantern under seven bridges");
    await at.getByRole("button", { name: "Save it and sign in" }).click();
    await at.getByRole("button", { name: "Later" }).click();
    await at.getByRole("heading", { name: "Overview" }).waitFor();
    await to("/settings?view=security", at);
    await at.getByRole("button", { name: "Link Steam" }).click();
    await at.getByRole("link", { name: "Agree" }).click();
    await at.getByText("You can sign in with Steam from now on.").waitFor();
    await at.getByRole("button", { name: "You and the workspace" }).click();
    await at.getByRole("menuitem", { name: "Sign out" }).click();

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
  await page.getByRole("button", { name: "You and the workspace" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
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

story("of 100,000 purchases 20 pages are scrolled with at most 40 rows in the document", async (t) => {
  const done = await answerLongList(page);
  const { times, most } = await scrollLongList(page);
  await done();
  assert.ok(most <= 40, `${most} rows`);
  // How long a page may take is for an idle machine: `npm run nightly` says so.
  t.diagnostic(`milliseconds a page: ${times.join(", ")}`);
});

story("nothing of these stories made the browser report an error or a break of the security policy", () => {
  // Those that a hostile page and a refused call bring about are in their own pages, or are meant.
  const meant = /status of (400|401|403)|ERR_FAILED|net::ERR/;
  assert.deepEqual(
    said.filter((s) => !meant.test(s)),
    [],
  );
});
