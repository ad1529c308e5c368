// Every page, every door and every window over a page at 320 px, at 200 % zoom and by keyboard alone: nothing scrolls sideways, each stop of
// the tabulator is seen, and none is left out. Each page's action is done with the keys, each door's form is sent by Enter, and each window
// is left by Escape. Arguments: names of pages, doors and windows, or nothing for all.
import { DOORS, showSecondFactor, WINDOWS } from "./doors.mjs";
import { pages } from "./pages.mjs";
import { addConnections, enter, openBrowser, pressOn, session, settled, startTraded, still } from "./run.mjs";
import { actWithKeys, goByCommand, leaveWithEscape, rememberFocus, scopeOf, sendWithEnter, sidewaysOf, walk } from "./keys.mjs";

const only = process.argv.slice(2);
const isWanted = (name) => !only.length || only.includes(name);
const wanted = (named) => Object.entries(named).filter(([name]) => isWanted(name));
const server = await startTraded({ port: 18_760 });
const { browser, page } = await openBrowser(server, session());
const faults = [];
const fault = (name, text) => {
  faults.push(`${name}: ${text}`);
  console.log(`${name}: ${text}`);
};
/** A window of 1440 x 900 at 200 % has half of its pixels each way. The last one is the narrowest that has every column of a table. */
const SIZES = { "320 px": [320, 640], "200 %": [720, 450], "1210 px": [1210, 900] };
let stops = 0;
async function reach(name, { at = page, scope = "main" } = {}) {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await at.setViewportSize({ width, height });
    await still(at);
    for (const s of await sidewaysOf(at, scope)) fault(name, `${size}: ${s}`);
    let seen = await walk(at, scope);
    // A list that is live may lose the row that has the focus: what is wrong is wrong again.
    if (seen.faults.length) seen = await walk(at, scope);
    stops += seen.stops;
    for (const f of seen.faults) fault(name, `${size}: ${f}`);
  }
}
async function reachDoor(name, at = page) {
  await reach(name, { at });
  for (const f of await sendWithEnter(at)) fault(name, f);
}
async function reachWindow(name, [path, open, shown]) {
  // Where it is opened, each of its buttons is seen.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(server.url + path);
  await settled(page);
  await rememberFocus(page);
  await open(page);
  await shown(page).waitFor();
  const scope = await scopeOf(shown(page));
  await reach(name, { scope });
  await page.setViewportSize({ width: 1440, height: 900 });
  if (await page.locator(scope).and(page.getByRole("region")).count()) return;
  for (const f of await leaveWithEscape(page, scope)) fault(name, f);
}
// A running demo may be one whose session the browser has.
for (const [name, show] of process.env.DEMO ? [] : wanted(DOORS)) {
  await show(page, server);
  await reachDoor(name);
}
if (process.env.TRADEPOST_BIN && isWanted("second factor"))
  await showSecondFactor({ port: 18_731 }, (at) => reachDoor("second factor", at));
await enter(page, server);
await addConnections(server);
for (const [name, path] of await pages(server, { only })) {
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await settled(page);
  await pressOn(page, name);
  await reach(name);
  const acted = await actWithKeys(page, server.url + path);
  if (!acted.done.length) fault(name, "nothing can be done with the keys");
  for (const f of acted.faults) fault(name, f);
}
if (!only.length) for (const f of await goByCommand(page)) fault("command bar", f);
if (isWanted("bar")) await reach("bar", { scope: ".bar" });
for (const [name, window] of wanted(WINDOWS)) await reachWindow(name, window);
await browser.close();
await server.stop();
console.log(`${stops} stops, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
