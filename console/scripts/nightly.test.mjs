// The stories that take long: a server that is killed and comes back, every page without a word of complaint, and another browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { firefox } from "./bidi.mjs";
import { scrollLongList } from "./long-list.mjs";
import { pages, propose, TRADED, urlId } from "./pages.mjs";
import { startMember } from "./rights.mjs";
import { addConnections, missing, openBrowser, settled, signIn, startBooks, startDemo, startTraded, nextCode } from "./run.mjs";

const story = (name, run) => test(name, { skip: missing() || false, timeout: 600_000 }, run);

story("a server that is killed and started again is noticed, and the feed shows what happened before it was found again", async () => {
  const keep = fs.mkdtempSync(path.join(os.tmpdir(), "tradepost-story-"));
  const of = { port: 18_840, keep };
  let server = await startDemo(of);
  const { browser, page } = await openBrowser(server);
  try {
    await signIn(page, server);
    // That of the overview's feed is shorter.
    const listed = page.waitForResponse((r) => r.url().endsWith("/ListTransitions") && r.request().postDataJSON().limit === 100);
    await page.evaluate(() => history.pushState(null, "", "/events"));
    const log = await (await listed).json();
    await page.locator('.live[data-state="live"]').waitFor();
    const proposals = page.locator('main a[href^="/approvals/"]');
    const hrefs = () => proposals.evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    await page.locator("main ol.feed li").first().waitFor();
    const before = await hrefs();
    await server.kill();
    await page.locator('.live[data-state="lost"]').waitFor();
    await page.getByText("Reconnecting").waitFor();
    // The console reads its lists again once it has found the server. The log that it gets then is the one from before, so that only the feed
    // can show the step.
    let readAgain = 0;
    await page.route("**/ListTransitions", (route) => (readAgain++, route.fulfill({ json: log })));
    server = await startDemo(of);
    // Before the browser has found the server again: its next try is seconds away.
    const intent = await propose(server, "nightly-1");
    const own = `/approvals/${urlId(intent.id)}`;
    assert.ok(!before.includes(own));
    await page.locator('.live[data-state="live"]').waitFor();
    await page.locator(`main a[href="${own}"]`).first().waitFor();
    const after = await hrefs();
    assert.deepEqual(after.slice(after.length - before.length), before);
    assert.ok(readAgain > 0, "the list was not read again, so the answer from before was not needed");
    assert.equal(await page.getByRole("heading", { name: "Sign in" }).count(), 0);
  } finally {
    await browser.close();
    await server.stop();
    fs.rmSync(keep, { recursive: true, force: true });
  }
});

story("no page makes the browser report an error or a break of the security policy, from the first visit on", async () => {
  const server = await startTraded({ port: 18_850 });
  const { browser, page, said } = await openBrowser(server);
  try {
    await page.addInitScript(() =>
      document.addEventListener("securitypolicyviolation", (e) => console.error(`security policy: ${e.violatedDirective} ${e.blockedURI}`)),
    );
    await signIn(page, server);
    await addConnections(server);
    for (const [name, at] of await pages(server)) {
      await page.goto(server.url + at);
      await settled(page);
      assert.deepEqual(said.splice(0), [], name);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
});

story("on the pages of what an engine has traded no role sees a button without its right, and none goes on loading", async () => {
  const server = await startTraded({ port: 18_920 });
  const { browser } = await openBrowser(server);
  try {
    const member = await startMember(server, browser);
    for (const policy of ["analytics", "accounts", "trading"]) {
      await member.give(policy);
      await member.load({ readsOnly: true });
      await member.visit({ only: TRADED });
    }
  } finally {
    await browser.close();
    await server.stop();
  }
});

story("of 100,000 purchases each page is there within 300 ms, with at most 40 rows in the document", async (t) => {
  const server = await startBooks({ port: 18_890 });
  const { browser, page } = await openBrowser(server);
  try {
    await signIn(page, server);
    const { times, most } = await scrollLongList(page);
    t.diagnostic(`milliseconds a page: ${times.join(", ")}`);
    assert.ok(most <= 40, `${most} rows`);
    assert.ok(Math.max(...times) <= 300, `a page took ${Math.max(...times)} ms`);
  } finally {
    await browser.close();
    await server.stop();
  }
});

story("in Firefox a trader signs in and every page shows its heading", async () => {
  // What cannot be checked has not passed.
  const fox = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((f) => fs.existsSync(f));
  assert.ok(fox, "there is no Firefox: install firefox-esr");
  assert.notEqual(typeof WebSocket, "undefined", "Node has no WebSocket: --experimental-websocket");
  const server = await startTraded({ port: 18_860 });
  await addConnections(server);
  const tab = await firefox(fox);
  try {
    const [front] = Object.values(server.fronts);
    await tab.go(front ? `http://localhost:${front}` : server.url);
    await tab.wait(`document.querySelector("h1")?.textContent === "Sign in" && document.activeElement.name === "email"`);
    await tab.type(`${server.demo.email}\uE004${server.demo.password}\uE006`);
    await tab.wait(`document.querySelector("h1")?.textContent === "Code from your app"`);
    await tab.type(`${await nextCode(server.demo)}\uE006`);
    await tab.wait(`document.querySelector("h1")?.textContent === "Overview"`);
    for (const [name, at] of await pages(server)) {
      await tab.run(`history.pushState(null, "", ${JSON.stringify(at)})`);
      await tab.wait(`document.querySelector("main h1") && !document.querySelector("main .skel")`, name);
      const wide = await tab.run("document.documentElement.scrollWidth - innerWidth");
      assert.ok(wide <= 0, `${name} is ${wide} px wider than the window`);
      // No identity was waiting to be linked, and that page says so.
      assert.equal(await tab.run(`document.querySelectorAll("main .notice.bad").length`), name === "linked" ? 1 : 0, name);
    }
  } finally {
    await tab.close();
    await server.stop();
  }
});
