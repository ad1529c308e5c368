// Every page at 320 px, at 200 % zoom and by keyboard alone: no page scrolls sideways, each stop of the tabulator is seen, none is left out,
// and each page's action is done with the keys. Arguments: names of pages, or nothing for all.
import { pages } from "./pages.mjs";
import { addConnections, enter, openBrowser, session, settled, startTraded } from "./run.mjs";
import { actWithKeys, goByCommand, sidewaysOf, walk } from "./keys.mjs";

const only = process.argv.slice(2);
const server = await startTraded({ port: 18_760 });
const { browser, page } = await openBrowser(server, session());
const faults = [];
const fault = (name, text) => {
  faults.push(`${name}: ${text}`);
  console.log(`${name}: ${text}`);
};
/** A window of 1440 x 900 at 200 % has half of its pixels each way. The last one is the narrowest that has every column of a table. */
const SIZES = { "320 px": [320, 640], "200 %": [720, 450], "1210 px": [1210, 900] };
await enter(page, server);
let stops = 0;
await addConnections(server);
for (const [name, path] of await pages(server, { only })) {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await settled(page);
    for (const s of await sidewaysOf(page)) fault(name, `${size}: ${s}`);
    const seen = await walk(page);
    stops += seen.stops;
    for (const f of seen.faults) fault(name, `${size}: ${f}`);
  }
  const acted = await actWithKeys(page, server.url + path);
  if (!acted.done.length) fault(name, "nothing can be done with the keys");
  for (const f of acted.faults) fault(name, f);
}
if (!only.length) for (const f of await goByCommand(page)) fault("command bar", f);
await browser.close();
await server.stop();
console.log(`${stops} stops, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
