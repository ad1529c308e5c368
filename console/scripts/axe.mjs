// Runs axe on every page in both themes, and fails when a page has a violation. Arguments: names of pages, or nothing for all.
import fs from "node:fs";
import { createRequire } from "node:module";
import { openBrowser, pages, settled, signIn, startDemo } from "./run.mjs";

const only = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const server = await startDemo({ port: 18_720 });
const { browser, page, said } = await openBrowser({ colorScheme: "light" });
let violations = 0;
async function check(name) {
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    // A colour in transition from one theme to the other is not what people see.
    await page.waitForTimeout(150);
    await page.waitForFunction(() => document.getAnimations().length === 0);
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
    console.log(`${name} ${theme}: ${found.length}${found.length ? ` ${found.join(" | ").slice(0, 700)}` : ""}`);
  }
}
await page.goto(server.url, { timeout: 90_000 });
await page.getByRole("heading", { name: "Sign in" }).waitFor();
await check("sign in");
await signIn(page, server);
said.length = 0;
for (const [name, path] of await pages(server)) {
  if (only.length && !only.includes(name)) continue;
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await settled(page);
  await check(name);
}
if (!only.length) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await check("command bar");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Halt" }).click();
  await page.getByRole("dialog").waitFor();
  await check("halt");
}
if (said.length) console.log([...new Set(said)].join("\n"));
await browser.close();
await server.stop();
console.log(`${violations} violations`);
process.exit(violations ? 1 : 0);
