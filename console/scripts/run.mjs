// Starts the binary with the demo's data and signs a browser in. The tests, the screenshots and the axe run share it.
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { startFront } from "./front.mjs";
import { PRESSED } from "./pages.mjs";

/** The six digits of an authenticator app. */
export function totp(secret, at = Date.now()) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/=+$/, "")].map((c) => alphabet.indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac("sha1", key).update(step).digest();
  return String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1e6).padStart(6, "0");
}

/** One line that a started program prints, which `read` makes into a value. */
const firstLine = (child, read) =>
  new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (d) => {
      text += d;
      const found = text
        .split("\n")
        .map((l) => {
          try {
            return read(l);
          } catch {
            return undefined;
          }
        })
        .find((v) => v !== undefined);
      if (found !== undefined) resolve(found);
    });
    child.on("exit", (code) => reject(new Error(`ended with ${code} before it was ready`)));
  });

/** Why there is no browser to run a story in; "" if there is one. */
export const missing = () =>
  !process.env.TRADEPOST_BIN && !process.env.DEMO
    ? "TRADEPOST_BIN is not set"
    : !fs.existsSync(process.env.CHROMIUM ?? "/usr/bin/chromium")
      ? "there is no Chromium"
      : "";
const caller =
  (demo) =>
  async (method, body, key = demo.apiKey) => {
    const answer = await fetch(`${demo.baseUrl}/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ workspaceId: demo.workspaceId, ...body }),
    });
    const value = await answer.json();
    if (!answer.ok) throw new Error(`${method}: ${value.message}`);
    return value;
  };
/** The console of the folder TRADEPOST_DIST (a build of the present sources: `npm run build:own`) in place of the one in the binary. */
async function frontOf(demo) {
  if (!process.env.TRADEPOST_DIST) return { fronts: {}, close: () => {} };
  const { port } = new URL(demo.baseUrl);
  const front = await startFront(path.resolve(process.env.TRADEPOST_DIST), `http://127.0.0.1:${port}`);
  return { fronts: { [port]: front.address().port }, close: () => front.close() };
}

/** The demo of TRADEPOST_BIN. With DEMO, the file of the line of JSON that a demo printed, it is that demo, which goes on afterwards. */
export async function startDemo({ live = false, seed = 1, port = 18_700, keep = "", speed = 0 } = {}) {
  if (process.env.DEMO) {
    const demo = JSON.parse(fs.readFileSync(process.env.DEMO, "utf8").split("\n")[0]);
    const { fronts, close } = await frontOf(demo);
    return { demo, url: demo.baseUrl, stop: close, call: caller(demo), fronts };
  }
  const binary = process.env.TRADEPOST_BIN;
  if (!binary) throw new Error("TRADEPOST_BIN names the binary of tradepost");
  const args = ["demo", ...(live ? [] : ["--still"]), "--seed", String(seed), "--listen", `127.0.0.1:${port}`];
  const more = [...(keep ? ["--keep", keep] : []), ...(speed ? ["--speed", String(speed)] : [])];
  const server = spawn(binary, [...args, ...more], { stdio: ["ignore", "pipe", "ignore"] });
  // A script that fails leaves no server behind.
  process.on("exit", () => server.kill("SIGKILL"));
  const demo = await firstLine(server, (l) => {
    const d = JSON.parse(l);
    return d.totpSecret ? d : undefined;
  });
  const { fronts, close } = await frontOf(demo);
  const end = (signal) =>
    new Promise((ended) => {
      server.on("exit", ended);
      server.kill(signal);
      setTimeout(() => server.kill("SIGKILL"), 5000).unref();
    });
  const stop = () => (close(), end("SIGINT"));
  return { demo, url: demo.baseUrl, stop, kill: () => end("SIGKILL"), call: caller(demo), fronts };
}

/** A demo that has traded until every page has a record to show, and that has stopped trading since. */
export async function startTraded({ port } = {}) {
  if (process.env.DEMO) return startDemo();
  const keep = fs.mkdtempSync(path.join(os.tmpdir(), "tradepost-traded-"));
  process.on("exit", () => fs.rmSync(keep, { recursive: true, force: true }));
  // An item can be sold a week after it came, and only a sale has a confirmation.
  const trading = await startDemo({ live: true, port, keep, speed: QUICK });
  await untilTraded(trading).finally(trading.stop);
  return startDemo({ port, keep });
}
/** Seconds of the market that pass in one of ours: a week passes in less than a minute. */
export const QUICK = 14_400;
/** Waits for the records that only an engine makes. */
export async function untilTraded({ call }) {
  const made = {
    ListTradeOffers: "tradeOfferIds",
    ListInventoryChanges: "inventoryChangeIds",
    ListConfirmations: "confirmationIds",
    ListRenewals: "renewalIds",
  };
  for (const [method, ids] of Object.entries(made))
    for (let tries = 0; !(await call(`trading.v1.Trading/${method}`, { limit: 1 }))[ids]?.length; tries += 1) {
      if (tries > 240) throw new Error(`the demo has no ${ids} after 4 min`);
      await new Promise((r) => setTimeout(r, 1000));
    }
}

/** A simulated world whose hours pass in seconds, with money for the customer `alpha` of its marketplace. */
export async function startWorld() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "tradepost-world-"));
  const scenario = path.join(home, "scenario.json");
  fs.writeFileSync(scenario, JSON.stringify([{ call: "pay_in", customer: "alpha", cents: 1_000_000 }]));
  const args = ["--data", path.join(home, "world"), "--scenario", scenario, "--listen", "127.0.0.1:0", "--speed", "1200"];
  const world = spawn(process.env.TRADEPOST_BIN, ["sim", "serve", ...args], { stdio: ["ignore", "pipe", "ignore"] });
  process.on("exit", () => world.kill("SIGKILL"));
  const { baseUrl } = await firstLine(world, (l) => JSON.parse(l));
  const stop = async () => {
    const ended = new Promise((done) => world.on("exit", done));
    world.kill("SIGKILL");
    await ended;
    fs.rmSync(home, { recursive: true, force: true });
  };
  return { url: baseUrl, stop };
}

/**
 * A server that was never started before, with what it wrote for its owner: `email` and `setupUrl`. It has no record but the first ones.
 * `settings` are variables of its environment.
 */
export async function startFirst({ port, settings = {} }) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "tradepost-first-"));
  const file = path.join(home, "data/initial-credentials");
  const env = { ...process.env, ...settings };
  const server = spawn(process.env.TRADEPOST_BIN, ["--listen", `127.0.0.1:${port}`], { cwd: home, stdio: "ignore", env });
  const served = await untilReady(server, port, () => fs.existsSync(file));
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  const stop = async () => {
    await served.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
  return {
    ...served,
    stop,
    ...Object.fromEntries(lines.map((l) => [l.slice(0, l.indexOf("=")), l.slice(l.indexOf("=") + 1)])),
  };
}

/** A server on the records in the folder TRADEPOST_BOOKS, which `cargo xtask books` has written, with their owner. */
export async function startBooks({ port }) {
  const folder = process.env.TRADEPOST_BOOKS;
  if (!folder) throw new Error("TRADEPOST_BOOKS names the folder of the records: cargo xtask books");
  const of = { TRADEPOST_DATABASE__URL: `sqlite://${folder}/tradepost.db`, TRADEPOST_SECRET__ROOT_FILE: `${folder}/root-secret` };
  const env = { ...process.env, ...of };
  const server = spawn(process.env.TRADEPOST_BIN, ["--listen", `127.0.0.1:${port}`], { cwd: folder, stdio: "ignore", env });
  const demo = { email: "owner@tradepost.example", password: "copper lantern under seven bridges" };
  return { ...(await untilReady(server, port)), demo };
}

/** A started server, once it is ready and so is what else is waited for. */
async function untilReady(server, port, isThere = () => true) {
  process.on("exit", () => server.kill("SIGKILL"));
  const url = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (a) => a.ok && isThere(),
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`ended with ${server.exitCode} before it was ready`);
    await new Promise((r) => setTimeout(r, 100));
  }
  const { fronts, close } = await frontOf({ baseUrl: url });
  const stop = async () => {
    close();
    const ended = new Promise((done) => server.on("exit", done));
    server.kill("SIGKILL");
    await ended;
  };
  return { url, fronts, stop };
}

const SIGNED = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"];
/**
 * A game platform on this machine that speaks OpenID 2.0 as Steam does, for one person. Its page has a link that agrees. `settings` let a
 * server on `port` offer it, and `confirmed` counts the answers that servers asked it to confirm.
 */
export async function startPlatform({ port, subject = "76561198000000042" }) {
  const platform = { confirmed: 0 };
  const signed = new Map();
  const agree = (asked) => {
    const fields = {
      ns: "http://specs.openid.net/auth/2.0",
      mode: "id_res",
      op_endpoint: `${base}/login`,
      claimed_id: `${base}/id/${subject}`,
      identity: `${base}/id/${subject}`,
      return_to: asked.get("openid.return_to"),
      response_nonce: `${new Date().toISOString().slice(0, 19)}Z${signed.size}`,
      assoc_handle: "story",
      signed: ["signed", ...SIGNED].join(),
      sig: `signature-${signed.size}`,
    };
    signed.set(fields.sig, fields);
    const to = new URL(fields.return_to);
    for (const [name, value] of Object.entries(fields)) to.searchParams.set(`openid.${name}`, value);
    return to;
  };
  const server = http.createServer(async (request, response) => {
    // A browser asks for a picture of the site, too.
    if (!request.url.startsWith("/login")) return void response.writeHead(404).end();
    if (request.method === "GET") {
      const href = agree(new URL(request.url, base).searchParams).href.replaceAll("&", "&amp;");
      response.setHeader("content-type", "text/html").end(`<!doctype html><title>Platform</title><a href="${href}">Agree</a>`);
      return;
    }
    let body = "";
    for await (const part of request) body += part;
    const given = new URLSearchParams(body);
    const own = signed.get(given.get("openid.sig"));
    const isOwn = own && SIGNED.every((name) => given.get(`openid.${name}`) === own[name]);
    platform.confirmed += 1;
    response.end(`ns:http://specs.openid.net/auth/2.0\nis_valid:${Boolean(isOwn)}\n`);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const base = `http://127.0.0.1:${server.address().port}`;
  platform.settings = {
    TRADEPOST_LINKING__REDIRECT_URIS: `[http://localhost:${port}/linked]`,
    TRADEPOST_LINKING__STEAM__ENABLED: "true",
    TRADEPOST_LINKING__STEAM__OPENID_URL: `${base}/login`,
    TRADEPOST_LINKING__STEAM__IDENTITY_URL: `${base}/id/`,
  };
  platform.stop = () => (server.closeAllConnections(), server.close());
  return platform;
}

/** A browser for a started demo. `options` are those of a context of Playwright. */
export async function openBrowser(server, options = {}) {
  // The second is a name of another machine, which a browser does not trust without TLS.
  const rules = Object.entries(server.fronts).flatMap(([port, front]) =>
    ["localhost", "insecure.example.com"].map((host) => `MAP ${host}:${port} 127.0.0.1:${front}`),
  );
  rules.push("MAP insecure.example.com 127.0.0.1");
  const args = ["--no-sandbox", `--host-resolver-rules=${rules.join(",")}`];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) said.push(m.text().slice(0, 300));
  });
  page.on("pageerror", (e) => said.push(`page error: ${e.message.slice(0, 300)}`));
  return { browser, context, page, said };
}

/** Gives the second factor if it is asked for, until `then` is there. */
export async function confirm(page, demo, then) {
  const asked = page.getByRole("heading", { name: "Confirm that it is you" });
  await asked.or(then).first().waitFor();
  if (await asked.isVisible()) {
    await page.getByLabel("Six digits").waitFor();
    await typeCode(page, demo);
  }
  await then.waitFor();
}
/** Where the session of a running demo (DEMO) is kept, so that the next script need not wait for the next code. */
const kept = () => (process.env.DEMO ? `${process.env.DEMO}.session` : "");
export const session = () => (kept() && fs.existsSync(kept()) ? { storageState: kept() } : {});
/** Signs in, or goes on with the session of a running demo. */
export async function enter(page, server) {
  await page.goto(server.url, { timeout: 90_000 });
  await page.getByRole("heading", { name: /Sign in|Overview/ }).waitFor({ timeout: 90_000 });
  if (await page.getByRole("heading", { name: "Sign in" }).isVisible()) await signIn(page, server);
  if (kept()) await page.context().storageState({ path: kept() });
}
export async function signIn(page, { demo, url }) {
  await page.goto(url, { timeout: 90_000 });
  await page.getByRole("heading", { name: "Sign in" }).waitFor({ timeout: 60_000 });
  await page.keyboard.type(demo.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo.password);
  await page.keyboard.press("Enter");
  if (demo.totpSecret) {
    await page.getByRole("heading", { name: "Code from your app" }).waitFor({ timeout: 60_000 });
    await typeCode(page, demo);
  }
  await page.getByRole("heading", { name: "Overview" }).waitFor({ timeout: 60_000 });
}
let used = 0;
/** A code is good once, and the server takes the one before and the one after: so a second code is there at once, and a third after 30 s. */
export async function nextCode(demo) {
  const step = () => Math.floor(Date.now() / 30_000);
  while (used > step()) await new Promise((r) => setTimeout(r, 500));
  used = Math.max(step(), used + 1);
  return totp(demo.totpSecret, used * 30_000);
}
export async function typeCode(page, demo) {
  await page.keyboard.type(await nextCode(demo));
  await page.keyboard.press("Enter");
}
/** Confirms the second factor of the demo's key: for 10 minutes it may do what asks for one. It is about the key, and about no workspace. */
export async function stepUp({ demo, call }) {
  const A = "accounts.v1.Accounts/";
  const workspaceId = undefined;
  const { challengeId } = await call(`${A}BeginStepUp`, { workspaceId });
  await call(`${A}CompleteStepUp`, { workspaceId, challengeId, method: "TWO_FACTOR_METHOD_TOTP", code: await nextCode(demo) });
}
/**
 * Creates a webhook endpoint, an alert channel with a rule, an import, a snapshot, a friend, a conversation and a session of an account,
 * unless there are such ones.
 * Each of the first two is sent a test, which fails: a demo posts nothing to its own machine. In a demo without trading the others wait
 * for an engine.
 */
export async function addConnections({ demo, call }) {
  const E = "events.v1.Events/";
  const N = "alerts.v1.Alerts/";
  const { endpointIds = [] } = await call(`${E}ListWebhookEndpoints`, {});
  const { channelIds = [] } = await call(`${N}ListAlertChannels`, {});
  const { importIds = [] } = await call("trading.v1.Trading/ListImports", {});
  const { friendIds = [] } = await call("trading.v1.Trading/ListFriends", {});
  const { conversationIds = [] } = await call("trading.v1.Trading/ListConversations", {});
  const { accountSessionIds = [] } = await call("trading.v1.Trading/ListAccountSessions", {});
  const all = [endpointIds, channelIds, importIds, friendIds, conversationIds, accountSessionIds];
  if (all.every((ids) => ids.length)) return;
  await stepUp({ demo, call });
  if (!endpointIds.length) {
    const asked = { url: "https://localhost:8443/tradepost", description: "Bookkeeping", types: ["purchase.*", "inventory_item.sold"] };
    const { endpoint } = await call(`${E}CreateWebhookEndpoint`, asked);
    await call(`${E}SendTestEvent`, { endpointId: endpoint.id });
  }
  if (!channelIds.length) {
    const asked = { kind: "ALERT_CHANNEL_KIND_WEBHOOK", name: "On call", target: "https://localhost:8443/alerts" };
    const { channel } = await call(`${N}CreateAlertChannel`, asked);
    const topics = ["ALERT_TOPIC_PROBLEM", "ALERT_TOPIC_LOSS_LIMIT", "ALERT_TOPIC_ENGINE_SILENT", "ALERT_TOPIC_DAILY_SUMMARY"];
    const hours = { timeZone: "Europe/Zurich", quietFrom: "22:00", quietTo: "07:00" };
    await call(`${N}CreateAlertRule`, { channelId: channel.id, topics, urgentTopics: topics.slice(1, 3), ...hours });
    await call(`${N}SendTestAlert`, { channelId: channel.id });
  }
  if (!importIds.length) {
    await importAccounts(call);
    const { accountIds } = await call("trading.v1.Trading/ListAccounts", { limit: 1 });
    await call("trading.v1.Trading/CreateSnapshot", { accountId: accountIds[0] });
  }
  const { accountIds } = await call("trading.v1.Trading/ListAccounts", { limit: 1 });
  if (!friendIds.length) await addFriend(call, accountIds[0]);
  if (!conversationIds.length) await writeMessage(call, accountIds[0]);
  if (!accountSessionIds.length) await startSession(call, accountIds[0]);
}

const PARTNER = "76561198000000701";
/** An account of the platform that one of ours asks for friendship. */
export const addFriend = (call, accountId) =>
  call("trading.v1.Trading/AddFriend", { accountId, platformUserId: PARTNER, note: "sold us knives" });
/** A message to it, of an account whose chat is enabled for it. */
export const writeMessage = async (call, accountId) => {
  await call("trading.v1.Trading/UpdateAccount", { accountId, chatEnabled: true });
  await call("trading.v1.Trading/SendMessage", { accountId, partner: PARTNER, text: "hi, thanks for the trade" });
};

/** A trade offer that asks a partner for an item. The engine sends it; where none runs it stays unsent. */
export const sendOffer = async (call, accountId, assetId) => {
  const partner = "https://steamcommunity.com/tradeoffer/new/?partner=1000701&token=AbCdEfGh";
  const receives = [{ appId: 730, contextId: "2", assetId }];
  return (await call("trading.v1.Trading/SendTradeOffer", { accountId, partner, receives })).tradeOffer;
};

/** A session of an account, which gets the login that a simulated platform takes. */
export const startSession = async (call, accountId) => {
  const { account } = await call("trading.v1.Trading/GetAccount", { accountId });
  await call("trading.v1.Trading/UpdateAccount", { accountId, secrets: { loginName: account.name, password: "simulated" } });
  await call("trading.v1.Trading/StartAccountSession", { accountId });
};

/** An import of three accounts, of which one cannot be applied. Nothing of it is applied. */
export const importAccounts = async (call) => {
  const account = (n) => ({ platform_user_id: `7656119800000100${n}`, name: `imported-${n}`, login_name: `login-${n}` });
  const accounts = [account(1), { ...account(2), revocation_code: "R12345" }, { ...account(3), platform_user_id: "12" }];
  const content = Buffer.from(JSON.stringify(accounts)).toString("base64");
  const asked = { kind: "IMPORT_KIND_ACCOUNTS", format: "IMPORT_FORMAT_JSON", content, name: "accounts.json" };
  return (await call("trading.v1.Trading/CreateImport", asked)).importRecord;
};

/** Waits until no colour changes from one theme to the other and nothing moves. What goes on for ever, as a place holder, is let be. */
export async function still(page) {
  await page.waitForTimeout(150);
  await page.waitForFunction(() => document.getAnimations().every((a) => a.effect?.getTiming().iterations === Infinity));
}
/** Waits until nothing of the page says that it is loading. A page that goes on loading fails the run: no one would look at what it shows. */
export async function settled(page) {
  await page.waitForLoadState("domcontentloaded");
  await page.locator("main h1").first().waitFor({ timeout: 20_000 });
  await page
    .waitForFunction(() => !document.querySelector("main .skel"), null, { timeout: 20_000 })
    .catch((cause) => Promise.reject(new Error(`${page.url()} is still loading after 20 s`, { cause })));
  await page.waitForTimeout(250);
}
/**
 * Presses Escape in a window. A window closes at a key that it gets itself: the focus comes into it after it is shown, and again a frame after
 * a window over it has closed.
 */
export async function escape(page, opened) {
  await opened.and(page.locator(":focus-within")).waitFor();
  await page.keyboard.press("Escape");
}
/** Presses what the page waits for, and waits for what comes of it. */
export async function pressOn(page, name) {
  if (!PRESSED[name]) return;
  await page.getByRole("button", { name: PRESSED[name], exact: true }).click();
  await settled(page);
}
