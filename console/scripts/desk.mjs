// The demo of a file of stories, with a browser that is signed in, and what stories do on many pages. Each file runs in its own process.
// TRADEPOST_BIN names the binary; without it, or without Chromium, the stories are left out.
import fs from "node:fs";
import { after, before, test } from "node:test";
import { missing, openBrowser, signIn, startDemo } from "./run.mjs";

export const story = (name, run) => test(name, { skip: missing() || false, timeout: 180_000 }, run);
/** Known while a story of `openDesk` runs. */
export let server, page, context;
let browser;
/** Starts a demo before the first story of the file and stops it after the last one. */
export function openDesk({ port }) {
  before(
    async () => {
      if (missing()) return;
      server = await startDemo({ port });
      ({ browser, page, context } = await openBrowser(server));
      await signIn(page, server);
    },
    { timeout: 180_000 },
  );
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
}

export const to = (path) => page.evaluate((p) => history.pushState(null, "", p), path);
export const card = (title) => page.locator("section.card", { has: page.getByRole("heading", { level: 2, name: title, exact: true }) });
/** The lines of the file that a card saves. */
export async function fileOf(title) {
  const [saved] = await Promise.all([page.waitForEvent("download"), card(title).getByRole("button", { name: "CSV" }).click()]);
  return fs.readFileSync(await saved.path(), "utf8").split("\r\n");
}
