// What keeps a session safe, as a browser does it: the cookie, and pages of other origins. One demo for all.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { missing, openBrowser, session, signIn, startDemo } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
let server, browser, page, context, said;
before(
  async () => {
    if (missing()) return;
    server = await startDemo({ port: 18_780 });
    ({ browser, page, context, said } = await openBrowser(server, session()));
    await signIn(page, server);
  },
  { timeout: 180_000 },
);
after(async () => {
  await browser?.close();
  await server?.stop();
});
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

story("nothing of these stories made the browser report an error or a break of the security policy", () => {
  // Those that a hostile page and a refused call bring about are in their own pages, or are meant.
  const meant = /status of (400|401|403)|ERR_FAILED|net::ERR/;
  assert.deepEqual(
    said.filter((s) => !meant.test(s)),
    [],
  );
});
