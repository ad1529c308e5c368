// Fails when what a browser has to load is above its budget: the files that index.html names, with all that they import, and each lazy file.
// TRADEPOST_DIST names the folder of another build.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const dist = path.resolve(process.env.TRADEPOST_DIST ?? new URL("../../crates/app/console-dist/", import.meta.url).pathname);
const BUDGET = { js: 170, css: 12, lazy: 60, all: 3 * 1024 };
const kib = (bytes) => bytes / 1024;
const files = fs.readdirSync(path.join(dist, "assets"));
const size = (f) => kib(gzipSync(fs.readFileSync(path.join(dist, "assets", f)), { level: 9 }).length);
const imports = (f) =>
  [...fs.readFileSync(path.join(dist, "assets", f), "utf8").matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map((m) => m[1]);
const first = new Set();
const add = (f) => {
  if (!first.has(f)) {
    first.add(f);
    imports(f).forEach(add);
  }
};
[...fs.readFileSync(path.join(dist, "index.html"), "utf8").matchAll(/assets\/([^"]+\.js)"/g)].forEach((m) => add(m[1]));
// The first page is the overview; it is lazy, and yet every sign-in loads it.
const overview = files.filter((f) => /^overview-.*\.js$/.test(f));
const shell = [...first].reduce((s, f) => s + size(f), 0);
overview.forEach(add);
const js = [...first].reduce((s, f) => s + size(f), 0);
const css = files.filter((f) => f.endsWith(".css")).reduce((s, f) => s + size(f), 0);
const lazy = files
  .filter((f) => f.endsWith(".js") && !first.has(f))
  .map((f) => [f, size(f)])
  .sort((a, b) => b[1] - a[1]);
const all = fs
  .readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile())
  .reduce((s, e) => s + kib(fs.statSync(path.join(e.parentPath, e.name)).size), 0);
console.log(
  `shell ${shell.toFixed(1)} KiB gz, with the overview ${js.toFixed(1)} of ${BUDGET.js}; css ${css.toFixed(1)} of ${BUDGET.css}; largest lazy ${lazy
    .slice(0, 3)
    .map(([f, s]) => `${f} ${s.toFixed(1)}`)
    .join(", ")} of ${BUDGET.lazy}; all files ${all.toFixed(0)} of ${BUDGET.all} KiB`,
);
const over = [
  js > BUDGET.js && "initial JavaScript",
  css > BUDGET.css && "CSS",
  lazy[0]?.[1] > BUDGET.lazy && lazy[0][0],
  all > BUDGET.all && "all files",
].filter(Boolean);
if (over.length) {
  console.error(`above the budget: ${over.join(", ")}`);
  process.exit(1);
}
