// Largest contentful paint and layout shift of every page and door, and of those that change most while a demo trades: the median of 5 loads,
// each with a new profile. Fails above 1.2 s and 0.05 where the machine is idle; on a busy one the times say little, so the load is printed
// and LIMITS=off only reports. RUNS=1 takes fewer. Arguments: names of pages, or nothing for all.
import os from "node:os";
import { PAGES, pages } from "./pages.mjs";
import { addConnections, openBrowser, signIn, startDemo, startTraded } from "./run.mjs";

const only = process.argv.slice(2);
const RUNS = Number(process.env.RUNS ?? 5);
const MOST = { lcp: 1200, cls: 0.05 };
// What comes while a page is looked at moves it: the live feed is taken in every 2 s, and lists are asked every 10 s.
const LOOKED_AT = 15_000;
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
/** In the page: the largest paint, and the largest sum of shifts that are less than 1 s apart, within 5 s. */
function observe() {
  window.vitals = { lcp: 0, cls: 0, moved: [] };
  const on = (type, take) => new PerformanceObserver((l) => l.getEntries().forEach(take)).observe({ type, buffered: true });
  on("largest-contentful-paint", (e) => (window.vitals.lcp = e.startTime));
  let [begun, last, sum] = [0, 0, 0];
  on("layout-shift", (e) => {
    if (e.hadRecentInput) return;
    if (e.startTime - last > 1000 || e.startTime - begun > 5000) [begun, sum] = [e.startTime, 0];
    [last, sum] = [e.startTime, sum + e.value];
    window.vitals.cls = Math.max(window.vitals.cls, sum);
    if (e.value > 0.005) window.vitals.moved.push(...e.sources.map((s) => s.node?.className || s.node?.nodeName));
  });
}
async function load({ browser, url, state }, path, looked) {
  const fresh = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    ...(state ? { storageState: state } : {}),
  });
  const tab = await fresh.newPage();
  await tab.addInitScript(observe);
  await tab.goto(url + path);
  await tab.locator("main h1").first().waitFor();
  await tab.waitForFunction(() => !document.querySelector("main .skel"), null, { timeout: 30_000 });
  await tab.waitForTimeout(looked);
  const seen = await tab.evaluate(() => window.vitals);
  await fresh.close();
  return seen;
}
const slow = [];
async function measure(desk, of, looked = 500) {
  for (const [name, path] of of) {
    if (only.length && !only.includes(name)) continue;
    const seen = [];
    for (let n = 0; n < RUNS; n += 1) seen.push(await load(desk, path, looked));
    const lcp = median(seen.map((s) => s.lcp));
    const cls = median(seen.map((s) => s.cls));
    const bad = lcp > MOST.lcp || cls > MOST.cls || lcp === 0;
    if (bad) slow.push(name);
    const moved = cls > 0.01 ? ` moved: ${[...new Set(seen.flatMap((s) => s.moved))].slice(0, 4).join(", ")}` : "";
    console.log(`${bad ? "above" : "ok   "} ${name}: LCP ${Math.round(lcp)} ms, CLS ${cls.toFixed(3)}${moved}`);
  }
}
async function round(server, then) {
  const { browser, context, page } = await openBrowser(server);
  await signIn(page, server);
  await then({ browser, url: server.url, state: await context.storageState() });
  await browser.close();
  await server.stop();
}
console.log(
  `load ${os
    .loadavg()
    .map((l) => l.toFixed(1))
    .join(" ")} on ${os.cpus().length} processors`,
);
const traded = await startTraded({ port: 18_870 });
await addConnections(traded);
const still = await pages(traded);
await round(traded, async (desk) => {
  // Those who are not signed in see them.
  const doors = [
    ["sign-in", "/"],
    ["setup", "/setup#tpe_story"],
  ];
  await measure({ ...desk, state: undefined }, doors);
  await measure(desk, still);
});
// Those whose records change by themselves.
const MOVING = ["overview", "approvals", "problems", "contracts", "purchases", "items", "pools", "profit", "market", "offers", "events"];
const LIVE = MOVING.map((name) => [`${name}, trading`, PAGES[name][0]]);
await round(await startDemo({ port: 18_880, live: true }), (desk) => measure(desk, LIVE, LOOKED_AT));
console.log(
  `load ${os
    .loadavg()
    .map((l) => l.toFixed(1))
    .join(" ")}`,
);
if (slow.length) console.log(`above ${MOST.lcp} ms or ${MOST.cls}: ${slow.join(", ")}`);
process.exit(slow.length && process.env.LIMITS !== "off" ? 1 : 0);
