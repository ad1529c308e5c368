// Runs axe on every page in both themes and in each state, and fails when a page has a violation. Arguments: names of pages, or nothing for
// all. STATES=full,empty takes fewer.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pages } from "./pages.mjs";
import { addConnections, enter, openBrowser, session, settled, startDemo, still } from "./run.mjs";
import { setState, showIn } from "./states.mjs";

const only = process.argv.slice(2);
const states = (process.env.STATES ?? "full,empty,odd,broken,loading,denied,busy,lost").split(",");
// These differ from "broken" by the words of one notice, and the console asks three times before it shows the last two: a list and a record do.
const FEW = { denied: ["overview", "purchases", "contract"], busy: ["purchases", "contract"], lost: ["purchases", "contract"] };
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const server = await startDemo({ port: 18_720 });
const { browser, context, page, said } = await openBrowser(server, { colorScheme: "light", ...session() });
let violations = 0;
let runs = 0;
async function check(name) {
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    await still(page);
    // Into the page's own world by evaluate: the content security policy lets no script in by a tag.
    const found = await page
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
const all = (await pages(server)).filter(([name]) => !only.length || only.includes(name));
if (!only.length) {
  for (const [name, path, heading] of DOORS()) {
    await page.goto(server.url + path, { timeout: 90_000 });
    if (name === "forgotten") await page.getByRole("button", { name: "Forgot the password?" }).click();
    await page.getByRole("heading", { name: heading }).waitFor();
    await check(name);
  }
}
function DOORS() {
  const doors = [
    ["setup", "/setup#tpe_story", "Welcome"],
    ["new-password", "/reset-password", "New password"],
  ];
  return process.env.DEMO ? doors : [["sign-in", "/", "Sign in"], ["forgotten", "/", "New password"], ...doors];
}
await enter(page, server);
said.length = 0;
for (const state of states) {
  await setState(context, state);
  for (const [name, path] of all) {
    if (FEW[state] && !FEW[state].includes(name)) continue;
    if (state === "full") {
      await page.evaluate((to) => history.pushState(null, "", to), path);
      await settled(page);
    } else await showIn(page, server.url + path, state);
    await check(`${name}, ${state}`);
  }
}
await setState(context, "full");
if (!only.length) {
  await page.goto(server.url);
  await settled(page);
  for (const [name, open, role] of [
    ["command bar", () => page.keyboard.press("Control+k"), "combobox"],
    ["menu", () => page.getByRole("button", { name: "You and the workspace" }).click(), "menu"],
    ["calls of the page", () => page.getByRole("button", { name: "Copy the calls of this page" }).click(), "dialog"],
    ["halt", () => page.getByRole("button", { name: "Halt" }).click(), "dialog"],
  ]) {
    await open();
    await page.getByRole(role).first().waitFor();
    await check(name);
    await page.keyboard.press("Escape");
    await page.getByRole(role).first().waitFor({ state: "detached" });
  }
}
await browser.close();
await server.stop();
console.log(`${runs} runs of axe, ${violations} violations`);
process.exit(violations ? 1 : 0);
