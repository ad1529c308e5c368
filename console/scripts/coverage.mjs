// Compares the operations of the interface with those that the console calls. An operation that it does not call is in UNUSED with the
// reason; the list is short, and has nothing in it that the console calls. Plain Node: nothing has to be built or started.
import fs from "node:fs";
import path from "node:path";

const MOST = 15;
const A = "accounts.v1.Accounts/",
  C = "contracts.v1.Contracts/",
  M = "markets.v1.Markets/";
const MAIL = "the page behind the link of its mail calls it, which the server has without the console";
const ONE = "the console asks for many at once, or has the record by the list";
const UNUSED = {
  [`${A}VerifyEmail`]: MAIL,
  [`${A}ConfirmEmailChange`]: MAIL,
  [`${A}RevertEmailChange`]: MAIL,
  [`${A}GetUser`]: ONE,
  [`${A}GetAPIKey`]: ONE,
  [`${A}CountAPIKeys`]: "GetQuotas has the number and the most of them",
  [`${A}GetStepUpStatus`]: "a call says itself that it needs a second factor",
  [`${C}GetAssignment`]: ONE,
  [`${C}GetTransition`]: ONE,
  [`${C}AppendAssetIDLink`]: "a person appends a link by the action of the problem that shows it is missing, with its evidence",
  [`${C}CreateIntent`]: "a program proposes; a person lists, reprices and delists an item by the operations of their own",
  [`${M}GetMarketObservation`]: ONE,
  [`${M}RecordMarketObservations`]: "a program records what it saw at a marketplace",
  "trading.v1.Trading/GetAccountGroup": ONE,
};

const root = new URL("../../", import.meta.url).pathname;
const src = path.join(root, "console/src");
const operations = Object.keys(JSON.parse(fs.readFileSync(path.join(root, "docs/openapi.json"), "utf8")).paths).map((p) => p.slice(1));
const sources = fs
  .readdirSync(src, { recursive: true })
  .filter((f) => /\.tsx?$/.test(f) && !f.startsWith(`gen${path.sep}`))
  .map((f) => fs.readFileSync(path.join(src, f), "utf8"));

/** "getPool" of contracts/v1/pool_calls.ts is contracts.v1.…/GetPool. */
const called = new Set();
for (const text of sources)
  for (const [, names, folder] of text.matchAll(/import \{([^}]+)\} from "[./]*gen\/([\w/]+)\/\w+_calls\.ts"/g))
    for (const name of names
      .split(",")
      .map((n) => n.trim())
      .filter(Boolean))
      called.add(`${folder.replaceAll("/", ".")} ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
const isCalled = (operation) => {
  const [service, method] = operation.split("/");
  return called.has(`${service.slice(0, service.lastIndexOf("."))} ${method}`);
};

const missing = operations.filter((o) => !isCalled(o) && !UNUSED[o]);
const wrong = [
  ...missing.map((o) => `${o} is not called by the console: use it, or give the reason in UNUSED`),
  ...Object.keys(UNUSED)
    .filter((o) => !operations.includes(o) || isCalled(o))
    .map((o) => `${o} is in UNUSED, but ${operations.includes(o) ? "the console calls it" : "there is no such operation"}: take it out`),
  ...(Object.keys(UNUSED).length > MOST ? [`UNUSED has ${Object.keys(UNUSED).length} operations, and may have ${MOST}`] : []),
];
console.log(
  `the console calls ${operations.filter(isCalled).length} of ${operations.length} operations; ${Object.keys(UNUSED).length} have a reason`,
);
if (operations.length === 0 || wrong.length) {
  console.error(wrong.join("\n") || "docs/openapi.json names no operation");
  process.exit(1);
}
