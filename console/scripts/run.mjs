// Starts the binary with the demo's data and signs a browser in. The tests, the screenshots and the axe run share it.
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { chromium } from "playwright-core";

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

/**
 * The demo of TRADEPOST_BIN. TRADEPOST_FRONT may name a program that serves the console in front of it (arguments: files, port, address),
 * for a server that has no console of its own.
 */
export async function startDemo({ live = false, seed = 1, port = 18_700 } = {}) {
  const binary = process.env.TRADEPOST_BIN;
  if (!binary) throw new Error("TRADEPOST_BIN names the binary of tradepost");
  const server = spawn(binary, ["demo", ...(live ? [] : ["--still"]), "--seed", String(seed), "--listen", `127.0.0.1:${port}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const demo = await firstLine(server, (l) => {
    const d = JSON.parse(l);
    return d.totpSecret ? d : undefined;
  });
  const children = [server];
  let url = demo.baseUrl;
  if (process.env.TRADEPOST_FRONT) {
    const dist = new URL("../../crates/app/console-dist", import.meta.url).pathname;
    const front = spawn(process.execPath, [process.env.TRADEPOST_FRONT, dist, String(port + 1), demo.baseUrl], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await firstLine(front, (l) => (l ? true : undefined));
    children.push(front);
    url = `http://localhost:${port + 1}`;
  }
  const stop = () =>
    Promise.all(
      children.map(
        (c) =>
          new Promise((r) => {
            c.on("exit", r);
            c.kill("SIGINT");
            setTimeout(() => c.kill("SIGKILL"), 5000).unref();
          }),
      ),
    );
  const call = async (method, body, key = demo.apiKey) => {
    const answer = await fetch(`${demo.baseUrl}/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ workspaceId: demo.workspaceId, ...body }),
    });
    const value = await answer.json();
    if (!answer.ok) throw new Error(`${method}: ${value.message}`);
    return value;
  };
  return { demo, url, stop, call };
}

export async function openBrowser(options = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
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

/** By keyboard alone. A code of the app is good once, so a second sign-in of the same demo waits for the next one. */
let used = "";
export async function signIn(page, { demo, url }) {
  await page.goto(url, { timeout: 90_000 });
  await page.getByRole("heading", { name: "Sign in" }).waitFor({ timeout: 60_000 });
  await page.keyboard.type(demo.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Code from your app" }).waitFor({ timeout: 60_000 });
  await typeCode(page, demo);
  await page.getByRole("heading", { name: "Overview" }).waitFor({ timeout: 60_000 });
}
export async function typeCode(page, demo) {
  while (totp(demo.totpSecret) === used) await new Promise((r) => setTimeout(r, 500));
  used = totp(demo.totpSecret);
  await page.keyboard.type(used);
  await page.keyboard.press("Enter");
}

export const urlId = (base64) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
/** Every page with a name, for the screenshots and the axe run. */
export async function pages({ demo, call }) {
  const first = async (method, body, field) => (await call(method, { limit: 1, ...body }))[field]?.[0];
  const at = (path, id) => (id ? `${path}/${urlId(id)}` : undefined);
  const C = "contracts.v1.Contracts/";
  return Object.entries({
    overview: "/",
    events: "/events",
    approvals: "/approvals",
    problems: "/problems",
    problem: at("/problems", await first(`${C}ListRemediations`, {}, "remediationIds")),
    contracts: "/contracts",
    contract: at("/contracts", demo.contractId),
    "contract-edit": `${at("/contracts", demo.contractId)}/edit`,
    "contract-new": "/contracts/new",
    filters: "/filters",
    filter: at("/filters", await first(`${C}ListFilterSets`, {}, "filterSetIds")),
    purchases: "/purchases",
    purchase: at("/purchases", demo.purchaseId),
    items: "/items",
    item: at("/items", demo.inventoryItemId),
    pools: "/pools",
    pool: at("/pools", await first(`${C}ListPools`, {}, "poolIds")),
    profit: "/profit",
    market: "/market",
    variant: `/market?name=${encodeURIComponent("AK-47 | Redline (Field-Tested)")}`,
    accounts: "/accounts",
    account: at("/accounts", await first("trading.v1.Trading/ListAccounts", {}, "accountIds")),
    offers: "/offers",
    offer: at("/offers", await first("trading.v1.Trading/ListTradeOffers", {}, "tradeOfferIds")),
    providers: "/providers",
    provider: at("/providers", await first("markets.v1.Markets/ListProviders", {}, "providerIds")),
    members: "/members",
    keys: "/keys",
    audit: "/audit",
    usage: "/usage",
    invitations: "/invitations",
    settings: "/settings",
    "settings-security": "/settings?view=security",
    "settings-sessions": "/settings?view=sessions",
    "settings-workspace": "/settings?view=workspace",
    "settings-look": "/settings?view=look",
  }).filter(([, path]) => path);
}
/** Waits until nothing of the page says that it is loading. */
export async function settled(page) {
  await page.waitForLoadState("domcontentloaded");
  await page.locator("main h1").first().waitFor({ timeout: 20_000 });
  await page.waitForFunction(() => !document.querySelector("main .skel"), null, { timeout: 20_000 }).catch(() => {});
  await page.waitForTimeout(250);
}
