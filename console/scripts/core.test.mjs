// What every window and every list of the console has in common: the keys under which a window sends, and how far a list is loaded.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { focusManager, InfiniteQueryObserver } from "@tanstack/react-query";
import { startModules } from "./modules.mjs";

let modules, keys, trouble, lists, cut, audit;
before(async () => {
  modules = await startModules();
  keys = await modules.load("/src/core/keys.ts");
  trouble = await modules.load("/src/core/trouble.ts");
  lists = await modules.load("/src/core/queries.ts");
  cut = await modules.load("/src/ui/cut.tsx");
  audit = await modules.load("/src/pages/audit/types.ts");
});
after(() => modules?.close());

const LOST = new ConnectError("Failed to fetch", Code.Unknown);
const SLOW = new ConnectError("the operation timed out", Code.DeadlineExceeded);
const refusal = (reason, code = Code.FailedPrecondition) => new ConnectError("no", code, { "x-error-reason": reason });
const UNKNOWN = refusal("OUTCOME_UNKNOWN", Code.Internal);
/**
 * Presses the button of one window once for each end: what the call throws, or undefined where it succeeds. Gives for each call its key, the
 * press that its run was made at, and its values.
 */
async function press(ends, valuesOf = () => ({ amount: "12" })) {
  const send = keys.sender();
  const sent = [];
  const runOf = (madeAt) => async (values) => {
    const end = ends[sent.length];
    sent.push({ key: keys.keyOf("AdjustPoolFunds"), madeAt, ...values });
    if (end) throw end;
  };
  for (const n of ends.keys()) await send(valuesOf(n), runOf(n)).catch(() => {});
  return sent;
}
const distinct = (sent) => new Set(sent.map((s) => s.key)).size;

test("a window whose answer was lost sends the same run with the same key until it is answered, and then takes another one", async () => {
  const sent = await press([LOST, SLOW, UNKNOWN, undefined, undefined]);
  assert.deepEqual(
    sent.map((s) => s.madeAt),
    [0, 0, 0, 0, 4],
  );
  assert.equal(distinct(sent.slice(0, 4)), 1);
  assert.notEqual(sent[3].key, sent[4].key);
});

test("a refusal by the operation ends the key and the run of a window", async () => {
  const [lost, refused, next] = await press([LOST, refusal("VERSION_MISMATCH"), undefined]);
  assert.deepEqual([refused.key === lost.key, next.key === refused.key, refused.madeAt, next.madeAt], [true, false, 0, 2]);
});

test("other values have another key, and so have the first ones afterwards", async () => {
  const sent = await press([LOST, LOST, LOST], (n) => ({ amount: n === 1 ? "13" : "12" }));
  assert.equal(distinct(sent), 3);
  assert.deepEqual(
    sent.map((s) => s.amount),
    ["12", "13", "12"],
  );
});

test("an answer that says nothing of an earlier press keeps the key of a window, and so does one that says that it was done", async () => {
  const kept = [
    refusal("UNAUTHENTICATED", Code.Unauthenticated),
    refusal("RATE_LIMITED", Code.ResourceExhausted),
    refusal("STORAGE_UNAVAILABLE", Code.Internal),
    refusal("IDEMPOTENCY_IN_PROGRESS"),
    refusal("IDEMPOTENCY_ANSWER_GONE"),
    refusal("IDEMPOTENCY_MISMATCH", Code.InvalidArgument),
  ];
  assert.equal(distinct(await press([LOST, ...kept, LOST])), 1);
});

test("what a page says itself ends the key, because no call is without an answer", async () => {
  assert.equal(distinct(await press([new Error("The browser made no passkey."), undefined])), 2);
});

test("a second call of one operation in a run has a key of its own, which is the same at the next press", async () => {
  const send = keys.sender();
  const sent = [];
  const run = async () => {
    sent.push(["A", "B", "A"].map((operation) => keys.keyOf(operation)));
    throw LOST;
  };
  for (const _ of [1, 2]) await send({}, run).catch(() => {});
  const [[a, b, again], second] = sent;
  assert.ok(a === b && again !== a);
  assert.deepEqual(second, sent[0]);
});

test("a call of no window has a key of its own, also after one of a window", async () => {
  const [sent] = await press([LOST]);
  const own = [1, 2].map(() => keys.keyOf("AdjustPoolFunds"));
  assert.equal(new Set([sent.key, ...own]).size, 3);
});

test("a window says of a lost answer that pressing again is safe, and a page that only reads does not", () => {
  const again = "Whether it was done is not known. Press again with the same values: it is not done twice.";
  for (const error of [LOST, SLOW, UNKNOWN]) {
    assert.equal(trouble.trouble(error, true).text, again);
    assert.notEqual(trouble.trouble(error).text, again);
  }
  assert.match(trouble.trouble(refusal("VERSION_MISMATCH"), true).text, /has changed/);
  assert.equal(trouble.trouble(new Error("no passkey"), true).text, "No passkey.");
});

/** A list without an end, 100 rows a page, and how often it was asked. */
function endless(options = {}) {
  const calls = { count: 0 };
  const observer = new InfiniteQueryObserver(lists.queries, {
    ...lists.BY_PAGES,
    queryKey: ["endless", Math.random()],
    queryFn: async ({ pageParam }) => {
      calls.count += 1;
      const at = Number(pageParam || 0);
      return { rows: Array.from({ length: 100 }, (_, n) => at + n), next: String(at + 100) };
    },
    ...options,
  });
  return { observer, calls, stop: observer.subscribe(() => {}) };
}

test("a list ends at 10,000 rows, has its first row still, and says that there are more", async () => {
  const { observer, calls, stop } = endless();
  let list = await observer.refetch();
  assert.deepEqual([lists.progressOf(list).complete, lists.progressOf(list).cut], [false, false]);
  while (list.hasNextPage) list = await observer.fetchNextPage();
  const rows = list.data.pages.flatMap((p) => p.rows);
  assert.deepEqual([rows.length, rows[0], rows.at(-1)], [10_000, 0, 9_999]);
  const progress = lists.progressOf(list);
  assert.deepEqual([progress.complete, progress.cut], [true, true]);
  const before = calls.count;
  progress.more();
  assert.equal(calls.count, before);
  stop();
});

test("the line below a list that was cut says how many rows it has, and what finds the others", () => {
  const said = cut.Cut({ of: { cut: true } });
  assert.match([said.props.children].flat().join(""), /^Showing the first 10.000\. Choose filters to see others\.$/);
  assert.ok(!cut.Cut({ of: { cut: false } }));
});

test("a list that is loaded by pages is not fetched again at the focus of the window, and another query is", async () => {
  lists.queries.mount();
  const paged = endless({ staleTime: 0 });
  const other = endless({ staleTime: 0, refetchOnWindowFocus: true });
  try {
    for (const { observer } of [paged, other]) await observer.refetch();
    const before = [paged.calls.count, other.calls.count];
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    // They are asked in the order in which they were made.
    for (let n = 0; n < 1000 && other.calls.count === before[1]; n += 1) await new Promise((then) => setImmediate(then));
    assert.deepEqual([paged.calls.count - before[0], other.calls.count - before[1]], [0, 1]);
  } finally {
    focusManager.setFocused(undefined);
    paged.stop();
    other.stop();
    lists.queries.unmount();
  }
});

test("the audit log is filtered by every type that the documents have, each with words of its own", () => {
  const page = fs.readFileSync(new URL("../../docs/reference/audit-events.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| `([a-z_.]+)`/gm)].map((m) => m[1]);
  assert.ok(documented.length > 100);
  assert.deepEqual([...audit.TYPES].sort(), documented.sort());
  const words = audit.typeChoices().map(([, label]) => label);
  assert.equal(new Set(words).size, words.length);
});
