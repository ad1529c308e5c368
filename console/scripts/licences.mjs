// Writes public/licences.txt: the licences of all that the built files contain. Run it after a change of the dependencies.
import fs from "node:fs";
import path from "node:path";

const root = new URL("../node_modules/", import.meta.url).pathname;
const seen = new Map();
function visit(name) {
  const dir = path.join(root, name);
  if (seen.has(name) || !fs.existsSync(dir)) return;
  const pkg = JSON.parse(fs.readFileSync(path.join(dir, "package.json"), "utf8"));
  const file = fs.readdirSync(dir).find((f) => /^(licen[cs]e|copying)/i.test(f));
  seen.set(name, {
    title: `${name} ${pkg.version} (${pkg.license ?? "see below"})`,
    text: file ? fs.readFileSync(path.join(dir, file), "utf8").trim() : "",
  });
  for (const d of Object.keys(pkg.dependencies ?? {})) visit(d);
}
const { dependencies } = JSON.parse(fs.readFileSync(new URL("../package.json", import.meta.url), "utf8"));
Object.keys(dependencies).forEach(visit);
const byText = new Map();
for (const { title, text } of [...seen.values()].sort((a, b) => a.title.localeCompare(b.title)))
  byText.set(text, [...(byText.get(text) ?? []), title]);
const out = [...byText].map(([text, titles]) => `${titles.join("\n")}\n\n${text}`).join(`\n\n${"-".repeat(80)}\n\n`);
fs.writeFileSync(new URL("../public/licences.txt", import.meta.url), `The console contains these works.\n\n${out}\n`);
console.log(`${seen.size} packages, ${out.length} bytes`);
