// Screenshots of every page in both themes and three widths into shots/. Arguments: names of pages, or nothing for all.
// SIZES=1440 or THEMES=light take fewer. STATE=empty, loading, denied, busy, broken or lost shows that state (states.mjs).
import fs from "node:fs";
import { pages } from "./pages.mjs";
import { addConnections, enter, openBrowser, pressOn, session, settled, startTraded, still } from "./run.mjs";
import { setState, showIn } from "./states.mjs";

const only = process.argv.slice(2);
const sizes = (process.env.SIZES ?? "1440,1024,390").split(",").map(Number);
const themes = (process.env.THEMES ?? "light,dark").split(",");
const out = new URL("../shots/", import.meta.url).pathname;
fs.mkdirSync(out, { recursive: true });
const server = await startTraded();
const { browser, context, page, said } = await openBrowser(server, { colorScheme: "light", ...session() });
await page.goto(server.url, { timeout: 90_000 });
await page.getByRole("heading", { name: /Sign in|Overview/ }).waitFor({ timeout: 90_000 });
if (await page.getByRole("heading", { name: "Sign in" }).isVisible()) {
  if (only.length === 0) {
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await still(page);
      for (const w of sizes) {
        await page.setViewportSize({ width: w, height: 900 });
        await page.screenshot({ path: `${out}signin-${theme}-${w}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}
await enter(page, server);
await addConnections(server);
const all = await pages(server, { only });
const state = process.env.STATE ?? "full";
const mark = state === "full" ? "" : `${state}-`;
await setState(context, state);
for (const [name, path] of all) {
  // Within the page: loading the whole console for each picture would take most of the time.
  if (state === "full") {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await settled(page);
    await pressOn(page, name);
  } else await showIn(page, server.url + path, state);
  for (const w of sizes) {
    await page.setViewportSize({ width: w, height: w < 600 ? 844 : 900 });
    await page.waitForTimeout(300);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await still(page);
      await page.screenshot({ path: `${out}${mark}${name}-${theme}-${w}.png`, fullPage: process.env.FULL === "1" });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) console.log(`${name} at ${w}: ${wide} px wider than the window`);
  }
  if (said.length) console.log(name, [...new Set(said.splice(0))].join(" | "));
}
await browser.close();
await server.stop();
