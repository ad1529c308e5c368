// Runs axe on every page in both themes and in each state, and fails when a page has a violation. Arguments: names of pages, or nothing for
// all. STATES=full,empty takes fewer.
import fs from "node:fs";
import { createRequire } from "node:module";
import { DOORS, showSecondFactor, WINDOWS } from "./doors.mjs";
import { pages } from "./pages.mjs";
import { addConnections, enter, openBrowser, pressOn, session, settled, startTraded, still } from "./run.mjs";
import { setState, showIn } from "./states.mjs";

const only = process.argv.slice(2);
const states = (process.env.STATES ?? "full,empty,odd,broken,loading,denied,busy,lost").split(",");
// These differ from "broken" by the words of one notice, and the console asks three times before it shows the last two: a list and a record do.
const FEW = { denied: ["overview", "purchases", "contract"], busy: ["purchases", "contract"], lost: ["purchases", "contract"] };
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const server = await startTraded({ port: 18_720 });
const { browser, context, page } = await openBrowser(server, { colorScheme: "light", ...session() });
let violations = 0;
let runs = 0;
async function check(name, on = page) {
  for (const theme of ["light", "dark"]) {
    await on.emulateMedia({ colorScheme: theme });
    await still(on);
    // Into the page's own world by evaluate: the content security policy lets no script in by a tag.
    const found = await on
      .evaluate(
        async ([source, tags]) => {
          if (!window.axe) (0, eval)(source);
          return (await window.axe.run(document, { runOnly: tags })).violations.map(
            (v) => `${v.id} x${v.nodes.length}: ${v.nodes[0].target} ${v.nodes[0].any[0]?.message ?? v.help}`,
          );
        },
        [axe, tags],
      )
      .catch((e) => [`axe did not run: ${e.message}`]);
    violations += found.length;
    runs += 1;
    if (found.length) console.log(`${name} ${theme}: ${found.length} ${found.join(" | ").slice(0, 700)}`);
  }
}
await addConnections(server);
const all = await pages(server, { only });
if (!only.length) {
  // A running demo may be one whose session the browser has.
  for (const [name, show] of Object.entries(process.env.DEMO ? {} : DOORS)) {
    await show(page, server);
    await check(name);
  }
  if (process.env.TRADEPOST_BIN)
    await showSecondFactor({ port: 18_730, options: { colorScheme: "light" } }, (at) => check("second factor", at));
}
await enter(page, server);
for (const state of states) {
  await setState(context, state);
  for (const [name, path] of all) {
    if (FEW[state] && !FEW[state].includes(name)) continue;
    if (state === "full") {
      await page.evaluate((to) => history.pushState(null, "", to), path);
      await settled(page);
      await pressOn(page, name);
    } else await showIn(page, server.url + path, state);
    await check(`${name}, ${state}`);
  }
}
await setState(context, "full");
if (!only.length) {
  for (const [name, [path, open, shown]] of Object.entries(WINDOWS)) {
    await page.goto(server.url + path);
    await settled(page);
    await open(page);
    await shown(page).waitFor();
    await check(name);
  }
}
await browser.close();
await server.stop();
console.log(`${runs} runs of axe, ${violations} violations`);
process.exit(violations ? 1 : 0);
