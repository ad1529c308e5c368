import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, formatId, TransitionSubjectType, type Tradepost, type Transition } from "tradepost";
import { startDemo, type Demo } from "./demo.js";
import { Proxy } from "./proxy.js";

let demo: Demo;

before(async () => {
  demo = await startDemo("--still");
});

after(() => demo.stop());

/** Makes one transition, of a new pool. */
async function makeTransition(tradepost: Tradepost): Promise<string> {
  const { pool } = await tradepost.contracts.createPool({ name: `Pool ${crypto.randomUUID()}`, limits: { budgetCents: 1n } });
  return formatId(pool?.id ?? new Uint8Array());
}

function poolOf(transition: Transition): string {
  assert.equal(transition.subjectType, TransitionSubjectType.POOL);
  return formatId(transition.subjectId ?? new Uint8Array());
}

async function next(watch: AsyncGenerator<Transition, void>): Promise<Transition> {
  const { value } = await watch.next();
  assert.ok(value, "the watch has ended");
  return value;
}

test("a watch yields what comes after a position, in order", async () => {
  const tradepost = demo.connect();
  const position = await tradepost.lastTransitionId();
  const made = [await makeTransition(tradepost), await makeTransition(tradepost)];
  const watch = tradepost.watch({ after: position });
  assert.deepEqual([poolOf(await next(watch)), poolOf(await next(watch))], made);
  await watch.return();
});

test("a watch continues after any transition that it yielded", async () => {
  const tradepost = demo.connect();
  const position = await tradepost.lastTransitionId();
  await makeTransition(tradepost);
  const second = await makeTransition(tradepost);
  const first = await next(tradepost.watch({ after: position }));
  assert.equal(poolOf(await next(tradepost.watch({ after: first.id }))), second);
});

test("a watch from the start yields what the server has kept", async () => {
  const transition = await next(demo.connect().watch({ after: "start" }));
  assert.ok(transition.toStatus);
});

test("a watch resumes after a lost connection, misses none and repeats none", async () => {
  const direct = demo.connect();
  const proxy = await Proxy.before(demo.baseUrl);
  const interruptions: string[] = [];
  const watch = connect(proxy.url, demo.apiKey, { retry: { firstDelayMs: 0, maxDelayMs: 50 } }).watch({
    after: await direct.lastTransitionId(),
    onInterruption: (error) => interruptions.push(error.code),
  });
  const made = [await makeTransition(direct)];
  const seen = [poolOf(await next(watch))];

  const waiting = next(watch);
  await proxy.down();
  made.push(await makeTransition(direct), await makeTransition(direct));
  await proxy.up();
  seen.push(poolOf(await waiting), poolOf(await next(watch)));

  proxy.answersToLose = 1;
  made.push(await makeTransition(direct));
  seen.push(poolOf(await next(watch)));

  assert.deepEqual(seen, made);
  assert.ok(interruptions.length >= 2, `${interruptions.length} interruptions`);
  await watch.return();
  await proxy.down();
});

test("an abort ends a watch that waits", async () => {
  const abort = new AbortController();
  const tradepost = demo.connect();
  const watch = tradepost.watch({ after: await tradepost.lastTransitionId(), signal: abort.signal });
  const waiting = watch.next();
  abort.abort();
  assert.deepEqual(await waiting, { value: undefined, done: true });
});

test("a watch with a key that is not valid fails at once", async () => {
  const tradepost = connect(demo.baseUrl, "tpk_unknown", { workspaceId: demo.workspaceId });
  await assert.rejects(tradepost.watch().next(), { code: "unauthenticated", reason: "UNAUTHENTICATED" });
});
