// Screenshots of every page in both themes and three widths into shots/. Arguments: names of pages, or nothing for all.
// SIZES=1440 or THEMES=light take fewer. URL and DEMO (a file with the demo's JSON line) use a server that runs.
import fs from "node:fs";
import { openBrowser, pages, settled, signIn, startDemo } from "./run.mjs";

const only = process.argv.slice(2);
const sizes = (process.env.SIZES ?? "1440,1024,390").split(",").map(Number);
const themes = (process.env.THEMES ?? "light,dark").split(",");
const out = new URL("../shots/", import.meta.url).pathname;
fs.mkdirSync(out, { recursive: true });
const server = process.env.URL ? running() : await startDemo();
function running() {
  const demo = JSON.parse(fs.readFileSync(process.env.DEMO, "utf8").split("\n")[0]);
  const call = async (method, body) =>
    (
      await fetch(`${demo.baseUrl}/${method}`, {
        method: "POST",
        headers: { authorization: `Bearer ${demo.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ workspaceId: demo.workspaceId, ...body }),
      })
    ).json();
  return { demo, url: process.env.URL, call, stop: async () => {} };
}
const state = `${out}state.json`;
const { browser, context, page, said } = await openBrowser({
  colorScheme: "light",
  ...(process.env.URL && fs.existsSync(state) ? { storageState: state } : {}),
});
await page.goto(server.url, { timeout: 90_000 });
await page.getByRole("heading", { name: /Sign in|Overview/ }).waitFor({ timeout: 90_000 });
if (await page.getByRole("heading", { name: "Sign in" }).isVisible()) {
  if (only.length === 0) {
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const w of sizes) {
        await page.setViewportSize({ width: w, height: 900 });
        await page.screenshot({ path: `${out}signin-${theme}-${w}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await signIn(page, server);
}
await context.storageState({ path: state });
for (const [name, path] of await pages(server)) {
  if (only.length && !only.includes(name)) continue;
  // Within the page: loading the whole console for each picture would take most of the time.
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await settled(page);
  for (const w of sizes) {
    await page.setViewportSize({ width: w, height: w < 600 ? 844 : 900 });
    await page.waitForTimeout(300);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(120);
      await page.screenshot({ path: `${out}${name}-${theme}-${w}.png`, fullPage: process.env.FULL === "1" });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) console.log(`${name} at ${w}: ${wide} px wider than the window`);
  }
  if (said.length) console.log(name, [...new Set(said.splice(0))].join(" | "));
}
await browser.close();
await server.stop();
