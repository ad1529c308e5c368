// Fails when what a browser has to load is above its budget: the files that index.html names, with all that they import, the overview with the
// parts that it loads at once, and each lazy file.
// TRADEPOST_DIST names the folder of another build.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const dist = path.resolve(process.env.TRADEPOST_DIST ?? new URL("../../crates/app/console-dist/", import.meta.url).pathname);
const BUDGET = { js: 170, whole: 245, css: 12, lazy: 60, all: 3 * 1024 };
const kib = (bytes) => bytes / 1024;
const files = fs.readdirSync(path.join(dist, "assets"));
const size = (f) => kib(gzipSync(fs.readFileSync(path.join(dist, "assets", f)), { level: 9 }).length);
const read = (f) => fs.readFileSync(path.join(dist, "assets", f), "utf8");
const imports = (f) => [...read(f).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map((m) => m[1]);
/** What a file loads later. */
const lazies = (f) => [...read(f).matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]\s*\)/g)].map((m) => m[1]);
/** The one file of a module. Without it the budget would be kept by what was not counted. */
function fileOf(name) {
  const found = files.filter((f) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(f));
  if (found.length !== 1) throw new Error(`the build has ${found.length} files of ${name}: size.mjs does not know what is loaded first`);
  return found[0];
}
const first = new Set();
const add = (f) => {
  if (!first.has(f)) {
    first.add(f);
    imports(f).forEach(add);
  }
};
[...fs.readFileSync(path.join(dist, "index.html"), "utf8").matchAll(/assets\/([^"]+\.js)"/g)].forEach((m) => add(m[1]));
// The first page is the overview; it is lazy, and yet every sign-in loads it.
const overview = fileOf("overview");
const sum = () => [...first].reduce((s, f) => s + size(f), 0);
const shell = sum();
add(overview);
const js = sum();
const initial = new Set(first);
// Its parts follow without anyone's asking: those that it names, and what the shell and the chart load for it.
const parts = lazies(overview);
if (parts.length === 0) throw new Error("the overview loads no part later: size.mjs does not know how the build writes that");
[...parts, ...["chart", "counter", "invited"].map(fileOf)].forEach(add);
const whole = sum();
const css = files.filter((f) => f.endsWith(".css")).reduce((s, f) => s + size(f), 0);
const lazy = files
  .filter((f) => f.endsWith(".js") && !initial.has(f))
  .map((f) => [f, size(f)])
  .sort((a, b) => b[1] - a[1]);
const all = fs
  .readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile())
  .reduce((s, e) => s + kib(fs.statSync(path.join(e.parentPath, e.name)).size), 0);
console.log(
  `shell ${shell.toFixed(1)} KiB gz, with the overview ${js.toFixed(1)} of ${BUDGET.js}, with its parts ${whole.toFixed(1)} of ${BUDGET.whole}; css ${css.toFixed(1)} of ${BUDGET.css}; largest lazy ${lazy
    .slice(0, 3)
    .map(([f, s]) => `${f} ${s.toFixed(1)}`)
    .join(", ")} of ${BUDGET.lazy}; all files ${all.toFixed(0)} of ${BUDGET.all} KiB`,
);
const over = [
  js > BUDGET.js && "initial JavaScript",
  whole > BUDGET.whole && "JavaScript of the whole overview",
  css > BUDGET.css && "CSS",
  lazy[0]?.[1] > BUDGET.lazy && lazy[0][0],
  all > BUDGET.all && "all files",
].filter(Boolean);
if (over.length) {
  console.error(`above the budget: ${over.join(", ")}`);
  process.exit(1);
}
