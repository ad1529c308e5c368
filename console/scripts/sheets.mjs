// Makes the pictures that are committed: docs/images/console/, a contact sheet of every door and page in each theme, and the pages that the docs
// show. They are of a demo that trades. sources.json has what they were made of; `npm test` fails when that is no longer so.
import fs from "node:fs";
import path from "node:path";
import { DOORS, showSecondFactor } from "./doors.mjs";
import { PAGES, pages, propose } from "./pages.mjs";
import { addConnections, enter, openBrowser, pressOn, QUICK, settled, startDemo, still, untilTraded } from "./run.mjs";
import { digest, IMAGES } from "./sources.mjs";

const WIDTH = 1440;
const HEIGHT = 900;
const SHOWN = ["overview", "contract", "purchase", "item", "profit"];
fs.mkdirSync(IMAGES, { recursive: true });
const server = await startDemo({ live: true, port: 18_820, speed: QUICK });
const { browser, page } = await openBrowser(server, { viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light" });
const pictures = { light: [], dark: [] };
async function take(name, at = page) {
  for (const theme of ["light", "dark"]) {
    await at.emulateMedia({ colorScheme: theme });
    await still(at);
    pictures[theme].push([name, (await at.screenshot()).toString("base64")]);
  }
}
for (const [name, show] of Object.entries(DOORS)) {
  await show(page, server);
  await take(name);
}
if (process.env.TRADEPOST_BIN)
  await showSecondFactor({ port: 18_821, options: { viewport: { width: WIDTH, height: HEIGHT } } }, (at) => take("second factor", at));
await enter(page, server);
await untilTraded(server);
await propose(server, "sheets-1");
await addConnections(server);
// A contract that trades has more to show than one of the records.
const { contractIds } = await server.call("contracts.v1.Contracts/ListContracts", { type: "CONTRACT_TYPE_BUYING", limit: 1 });
server.demo.contractId = contractIds[0];
// The market goes on: a record is looked up just before its page, so that it is still kept.
for (const only of Object.keys(PAGES)) {
  for (const [name, at] of await pages(server, { only: [only] })) {
    await page.evaluate((to) => history.pushState(null, "", to), at);
    await settled(page);
    await pressOn(page, name);
    if (await page.getByText("There is no such record").count()) throw new Error(`the page ${name} has no record`);
    await take(name);
  }
}
// Composed by the browser itself, which writes WebP without another program.
const studio = await browser.newPage();
const compose = (list, columns, width, quality) =>
  studio.evaluate(
    async ([list, columns, width, quality, ratio]) => {
      const pad = 16;
      const label = columns > 1 ? 26 : 0;
      const height = Math.round(width * ratio);
      const rows = Math.ceil(list.length / columns);
      const canvas = document.createElement("canvas");
      canvas.width = columns > 1 ? columns * (width + pad) + pad : width;
      canvas.height = columns > 1 ? rows * (height + label + pad) + pad : height;
      const draw = canvas.getContext("2d");
      draw.fillStyle = "#8b8d86";
      draw.fillRect(0, 0, canvas.width, canvas.height);
      draw.font = "600 15px system-ui, sans-serif";
      draw.imageSmoothingQuality = "high";
      for (const [n, [name, png]] of list.entries()) {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob(), {
          resizeWidth: width,
          resizeHeight: height,
          resizeQuality: "high",
        });
        const x = columns > 1 ? pad + (n % columns) * (width + pad) : 0;
        const y = columns > 1 ? pad + Math.floor(n / columns) * (height + label + pad) : 0;
        draw.fillStyle = "#ffffff";
        if (label) draw.fillText(name, x, y + 17);
        draw.drawImage(image, x, y + label);
      }
      return canvas.toDataURL("image/webp", quality).split(",")[1];
    },
    [list, columns, width, quality, HEIGHT / WIDTH],
  );
const write = (name, base64) => fs.writeFileSync(path.join(IMAGES, name), Buffer.from(base64, "base64"));
for (const [theme, list] of Object.entries(pictures)) {
  write(`pages-${theme}.webp`, await compose(list, 4, 560, 0.6));
  for (const [name, png] of list)
    if (theme === "light" ? SHOWN.includes(name) : name === "overview")
      write(`${name}-${theme}.webp`, await compose([[name, png]], 1, 1280, 0.8));
}
await browser.close();
await server.stop();
const taken = pictures.light.map(([name]) => name);
fs.writeFileSync(path.join(IMAGES, "sources.json"), `${JSON.stringify({ digest: digest(), pages: taken }, null, 2)}\n`);
const all = fs.readdirSync(IMAGES).reduce((sum, f) => sum + fs.statSync(path.join(IMAGES, f)).size, 0);
console.log(`${taken.length} pages, ${Math.round(all / 1024)} KiB in all`);
