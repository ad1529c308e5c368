// What the committed pictures were made of. Run by itself it fails when a page has no picture, or when the sources are others now.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { missingRoutes, PAGES } from "./pages.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
export const IMAGES = path.join(ROOT, "../docs/images/console");
const MOST = 2 * 1024 * 1024;

/** Of all that a picture shows: the sources but for what is generated of the protocol, the document, and the exact packages. */
export function digest() {
  const files = ["index.html", "public/theme.js", "public/favicon.svg", "package-lock.json", "scripts/pages.mjs"];
  for (const entry of fs.readdirSync(path.join(ROOT, "src"), { recursive: true, withFileTypes: true })) {
    const file = path.relative(ROOT, path.join(entry.parentPath, entry.name));
    if (entry.isFile() && !file.startsWith(path.join("src", "gen"))) files.push(file);
  }
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${file}\n`).update(fs.readFileSync(path.join(ROOT, file)));
  return hash.digest("hex");
}
/** What is wrong with the pictures. */
export function faults() {
  const found = missingRoutes().map((r) => `scripts/pages.mjs has no page for the route ${r}`);
  const file = path.join(IMAGES, "sources.json");
  if (!fs.existsSync(file)) return [...found, "there are no pictures"];
  const made = JSON.parse(fs.readFileSync(file, "utf8"));
  found.push(
    ...Object.keys(PAGES)
      .filter((name) => !made.pages.includes(name))
      .map((name) => `the page ${name} has no picture`),
  );
  if (made.digest !== digest()) found.push("the pictures were made of other sources");
  const size = fs.readdirSync(IMAGES).reduce((sum, f) => sum + fs.statSync(path.join(IMAGES, f)).size, 0);
  if (size > MOST) found.push(`the pictures have ${Math.round(size / 1024)} KiB, and ${MOST / 1024} are allowed`);
  return found;
}
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = faults();
  if (found.length) {
    console.error(`${found.join("\n")}\nMake them again: TRADEPOST_BIN=... npm run sheets`);
    process.exit(1);
  }
}
