// README.md as a reader follows it: its commands in a shell, its programs in a project with the packed package.
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { PROGRAM } from "./demo.js";

const PACKAGE = new URL("..", import.meta.url).pathname;
const NOT_COPIED = new Set(["build", "dist", "node_modules"]);

const [pack, install, start, environment, develop, ...furtherCommands] = blocks("sh");
const programs = new Map(blocks("ts").map((text) => [/^\/\/ (\S+\.mjs)$/m.exec(text)?.[1] ?? "", text]));

/** What each program prints. */
const PRINTED: Record<string, RegExp> = {
  "first.mjs": /^SETTLED \d+$/m,
  "paging.mjs": /^([\w+/]{22}== \d{4}-\d\d-\d\dT\S+Z \d+\.\d\d \S.*\n)+$/,
  "watch.mjs": /^([\w+/]{22}== (new|[A-Z_]+) -> [A-Z_]+\n){5}$/,
  "money.mjs": /^20n items, and 4\.00 remain\n$/,
  "errors.mjs": /^not_found NOT_FOUND contract not found undefined\n$/,
  "contract.mjs": /^contract ACTIVE\n(.*\n)*PAID .+ \d+\.\d\d\n(.*\n)*contract COMPLETED\nbought 2 for \d+\.\d\d\n$/,
};

let folder: string;
let demo: ChildProcess | undefined;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "tradepost-readme-"));
  const copied = join(folder, "tradepost/clients/typescript");
  mkdirSync(copied, { recursive: true });
  cpSync(PACKAGE, copied, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  mkdirSync(join(folder, "project"));
  mkdirSync(join(folder, "bin"));
  symlinkSync(PROGRAM, join(folder, "bin/tradepost"));
});

after(async () => {
  if (demo?.pid !== undefined) {
    const ended = once(demo, "exit");
    // The shell and the demo are a group of processes of their own.
    process.kill(-demo.pid, "SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true });
});

function blocks(language: string): string[] {
  const page = readFileSync(join(PACKAGE, "README.md"), "utf8");
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

function env(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, npm_config_prefer_offline: "true" };
}

/** Runs commands in a shell, and returns what they print. */
async function run(commands: string | undefined, cwd: string): Promise<string> {
  assert.ok(commands, "the page has fewer commands than expected");
  const { stdout } = await promisify(execFile)("sh", ["-ec", commands], { cwd: join(folder, cwd), env: env() });
  return stdout;
}

test("every block of the page is known to this test", () => {
  assert.deepEqual([...programs.keys()], Object.keys(PRINTED));
  assert.ok(develop?.includes("npm test"));
  assert.deepEqual(furtherCommands, []);
});

test("the package is built, packed and installed as the page says", async () => {
  await run(pack, "tradepost");
  await run(install, "project");
});

test("the programs are valid TypeScript", async () => {
  for (const [name, text] of programs) {
    writeFileSync(join(folder, "project", name), text);
    writeFileSync(join(folder, "project", name.replace(/\.mjs$/, ".mts")), text);
  }
  const modules = join(PACKAGE, "node_modules");
  const options = ["--noEmit", "--strict", "--target es2022", "--module nodenext", "--types node", `--typeRoots ${modules}/@types`];
  await run(`${modules}/.bin/tsc ${options.join(" ")} *.mts`, "project");
});

test("the demo starts and prints where it is", async () => {
  assert.ok(start);
  demo = spawn("sh", ["-ec", start], { cwd: join(folder, "project"), env: env(), detached: true, stdio: "ignore" });
  const printed = join(folder, "project/demo.json");
  while (!(existsSync(printed) && readFileSync(printed, "utf8").endsWith("\n"))) {
    assert.equal(demo.exitCode, null, "the demo ended");
    await setTimeout(50);
  }
});

for (const [name, printed] of Object.entries(PRINTED)) {
  test(`${name} prints what the page says`, async () => {
    assert.match(await run(`${environment}\nnode ${name}`, "project"), printed);
  });
}
