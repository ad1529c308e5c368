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
/** Makes a call of a window: `sent` gets its key, and what it throws is the answer. */
const called = (operation, request, sent) =>
  keys.keyed(
    operation,
    () => JSON.stringify(request),
    async (key) => sent(key) ?? {},
  );
/**
 * Presses the button of one window once for each end: what the call throws, or undefined where it succeeds. Gives for each call its key, the
 * press that its run was made at, and its values.
 */
async function press(ends, valuesOf = () => ({ amount: "12" })) {
  const send = keys.sender();
  const sent = [];
  const runOf = (madeAt) => (values) =>
    called("AdjustPoolFunds", values, (key) => {
      const end = ends[sent.length];
      sent.push({ key, madeAt, ...values });
      if (end) throw end;
    });
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

test("other values have another key, and the first ones have theirs again", async () => {
  const sent = await press([LOST, LOST, LOST], (n) => ({ amount: n === 1 ? "13" : "12" }));
  assert.deepEqual([distinct(sent), sent[2].key === sent[0].key], [2, true]);
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
  const lost = (key) => {
    sent.push(key);
    throw LOST;
  };
  const run = async () => {
    await Promise.allSettled([1, 2].map(() => called("SendMessage", { text: "the same" }, lost)));
    throw LOST;
  };
  for (const _ of [1, 2]) await send({}, run).catch(() => {});
  assert.notEqual(sent[0], sent[1]);
  assert.deepEqual(sent.slice(2), sent.slice(0, 2));
});

/**
 * Presses the button of one window once for each list of values. Its run makes a call for each value, one after the other. `ends` has what
 * the calls throw in the order in which they are sent. Gives what each press sent, each call with its key.
 */
async function pressMany(presses, ends) {
  const send = keys.sender();
  const sent = presses.map(() => []);
  for (const [at, values] of presses.entries()) {
    const run = async () => {
      for (const [operation, value] of Object.entries(values))
        await called(operation.replace(/\d$/, ""), value, (key) => {
          sent[at].push({ value, key });
          const end = ends.shift();
          if (end) throw end;
        });
    };
    await send(values, run).catch(() => {});
  }
  return sent;
}
const valuesOf = (sent) => sent.map((calls) => calls.map((c) => c.value));

test("a window whose later call was refused goes on with that call when it is pressed again", async () => {
  const both = { Add: "b", Remove: "a" };
  const sent = await pressMany([both, both, both], [undefined, refusal("CONFLICT"), undefined, undefined, undefined]);
  // The second press ends what the window began, so the third one begins again.
  assert.deepEqual(valuesOf(sent), [["b", "a"], ["a"], ["b", "a"]]);
  assert.equal(distinct(sent.flat()), 5);
});

test("other values make a new call of the step that they are in, and the other steps stay done", async () => {
  const presses = [
    { Add: "b", Remove: "a" },
    { Add: "b", Remove: "c" },
    { Add: "d", Remove: "c" },
  ];
  const sent = await pressMany(presses, [undefined, refusal("CONFLICT"), LOST]);
  assert.deepEqual(valuesOf(sent), [["b", "a"], ["c"], ["d", "c"]]);
  assert.equal(sent[2][1].key, sent[1][0].key);
});

test("a call of a window that has succeeded is not sent again when another one comes before it", async () => {
  const presses = [
    { Assign1: "a", Assign2: "b" },
    { Assign1: "new", Assign2: "a", Assign3: "b" },
  ];
  const sent = await pressMany(presses, [undefined, LOST]);
  assert.deepEqual(valuesOf(sent), [
    ["a", "b"],
    ["new", "b"],
  ]);
  assert.equal(sent[1][1].key, sent[0][1].key);
});

test("a call that succeeded gives its first answer to the run that goes on after it", async () => {
  const send = keys.sender();
  const answers = [];
  const run = async () => {
    const { id } = await keys.keyed(
      "CreateContract",
      () => "{}",
      async () => ({ id: answers.length }),
    );
    answers.push(id);
    await called("ActivateContract", { id }, () => {
      if (answers.length === 1) throw refusal("CONFLICT");
    });
  };
  for (const _ of [1, 2]) await send({}, run).catch(() => {});
  assert.deepEqual(answers, [0, 0]);
});

test("a call of no window has a key of its own, also after one of a window", async () => {
  const [sent] = await press([LOST]);
  const own = [];
  for (const _ of [1, 2]) await called("AdjustPoolFunds", { amount: "12" }, (key) => void own.push(key));
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

test("a change of any kind of record makes what was answered of it old, and the page of events can be asked for each kind", async () => {
  const { TransitionSubjectType } = await modules.load("/src/gen/contracts/v1/transition_pb.ts");
  const { OLD } = await modules.load("/src/core/live.ts");
  const { TYPES } = await modules.load("/src/pages/events.tsx");
  const kinds = Object.values(TransitionSubjectType).filter((n) => typeof n === "number" && n !== TransitionSubjectType.UNSPECIFIED);
  assert.deepEqual(
    kinds.filter((kind) => !OLD[kind]?.length),
    [],
  );
  assert.deepEqual([...TYPES].sort(), kinds.sort());
});
