import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, TradepostError, type ConnectOptions } from "tradepost";
import { delayAfter, DEFAULT_RETRY } from "../dist/retry.js";

const WORKSPACE = "AZt22qgAcACAEbxSuwXyyQ==";

/** One answer of a server, or no answer at all. */
type Answer = { status: number; body: object; headers?: Record<string, string> } | "connection lost";

const CONTRACT: Answer = { status: 200, body: { contract: { name: "x" } } };

function failure(status: number, code: string, headers: Record<string, string>): Answer {
  return { status, body: { code, message: "why" }, headers };
}

/** A client of a server that gives these answers, one after the other, and the requests that it was sent. */
function serverThatAnswers(answers: Answer[], options: ConnectOptions = {}) {
  const requests: Request[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests.push(new Request(input, init));
    const answer = answers.shift();
    assert.ok(answer, "one call more than expected");
    if (answer === "connection lost") {
      throw new TypeError("fetch failed");
    }
    const headers = { "content-type": "application/json", ...answer.headers };
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
  };
  const retry = { firstDelayMs: 0 };
  const tradepost = connect("http://tradepost.example.com/", "tpk_test", { workspaceId: WORKSPACE, fetch, retry, ...options });
  return { tradepost, requests, keys: () => requests.map((request) => request.headers.get("idempotency-key")) };
}

async function errorOf(call: Promise<unknown>): Promise<TradepostError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof TradepostError);
    return error;
  }
  throw new assert.AssertionError({ message: "the call succeeded" });
}

test("a write keeps its idempotency key over all tries", async () => {
  const server = serverThatAnswers(["connection lost", failure(503, "unavailable", {}), CONTRACT]);
  await server.tradepost.contracts.createContract({ name: "x" });
  const [key, ...others] = server.keys();
  assert.match(key ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(others, [key, key]);
});

test("two writes have two keys, and a caller can choose one", async () => {
  const server = serverThatAnswers([CONTRACT, CONTRACT, CONTRACT]);
  await server.tradepost.contracts.createContract({ name: "x" });
  await server.tradepost.contracts.createContract({ name: "x" });
  await server.tradepost.contracts.createContract({ name: "x" }, { idempotencyKey: "mine" });
  const [first, second, third] = server.keys();
  assert.notEqual(first, second);
  assert.equal(third, "mine");
});

test("a read has no idempotency key and is tried again as well", async () => {
  const server = serverThatAnswers(["connection lost", CONTRACT]);
  await server.tradepost.contracts.getContract({ contractId: new Uint8Array(16) });
  assert.deepEqual(server.keys(), [null, null]);
});

test("a request carries the key, the workspace and JSON", async () => {
  const server = serverThatAnswers([CONTRACT]);
  await server.tradepost.contracts.createContract({ name: "x", buying: { budgetCents: 2n ** 60n } });
  const [request] = server.requests;
  assert.equal(request?.url, "http://tradepost.example.com/contracts.v1.Contracts/CreateContract");
  assert.equal(request?.headers.get("authorization"), "Bearer tpk_test");
  assert.equal(request?.headers.get("x-workspace-id"), WORKSPACE);
  const body = { workspaceId: WORKSPACE, name: "x", buying: { budgetCents: "1152921504606846976" } };
  assert.deepEqual(await request?.json(), body);
});

test("a call is tried four times and then fails", async () => {
  const server = serverThatAnswers(Array<Answer>(4).fill("connection lost"));
  const error = await errorOf(server.tradepost.contracts.getContract());
  assert.equal(error.code, "unavailable");
  assert.equal(error.reason, undefined);
  assert.equal(server.requests.length, 4);
});

test("a call can have tries of its own", async () => {
  const server = serverThatAnswers(["connection lost"]);
  await errorOf(server.tradepost.contracts.getContract({}, { tries: 1 }));
  assert.equal(server.requests.length, 1);
});

test("a rate limit is waited for", async () => {
  const limited = failure(429, "resource_exhausted", { "x-error-reason": "RATE_LIMITED", "retry-after": "0" });
  const server = serverThatAnswers([limited, CONTRACT]);
  await server.tradepost.contracts.getContract();
  assert.equal(server.requests.length, 2);
});

test("a wait beyond the policy is left to the caller", async () => {
  const limited = failure(429, "resource_exhausted", { "x-error-reason": "RATE_LIMITED", "retry-after": "3600" });
  const server = serverThatAnswers([limited]);
  const error = await errorOf(server.tradepost.contracts.getContract());
  assert.equal(error.code, "resource_exhausted");
  assert.equal(error.retryAfter, 3600);
});

test("an uncertain outcome is resolved by the same idempotency key", async () => {
  const uncertain = failure(500, "internal", { "x-error-reason": "OUTCOME_UNKNOWN" });
  const server = serverThatAnswers([uncertain, CONTRACT]);
  await server.tradepost.contracts.createContract({ name: "x" });
  assert.equal(new Set(server.keys()).size, 1);
});

test("an error that does not pass is thrown at once", async () => {
  const headers = { "x-error-reason": "INVALID_FIELD", "x-request-id": "7f" };
  const server = serverThatAnswers([failure(400, "invalid_argument", headers)]);
  const error = await errorOf(server.tradepost.contracts.createContract());
  assert.equal(error.code, "invalid_argument");
  assert.equal(error.reason, "INVALID_FIELD");
  assert.equal(error.detail, "why");
  assert.equal(error.retryAfter, undefined);
  assert.equal(error.requestId, "7f");
  assert.equal(error.message, "INVALID_FIELD: why");
});

test("an abort ends a wait between two tries", async () => {
  const abort = new AbortController();
  const server = serverThatAnswers(["connection lost"], { retry: { firstDelayMs: 2 ** 30, maxDelayMs: 2 ** 30 } });
  const call = errorOf(server.tradepost.contracts.getContract({}, { signal: abort.signal }));
  abort.abort();
  assert.equal((await call).code, "canceled");
});

test("waits double up to a limit, at random, and are never shorter than the server asks", async () => {
  const server = serverThatAnswers(["connection lost", failure(429, "resource_exhausted", { "retry-after": "3" })]);
  const lost = await errorOf(server.tradepost.contracts.getContract({}, { tries: 1 }));
  const limited = await errorOf(server.tradepost.contracts.getContract({}, { tries: 1 }));
  const longest = [1, 2, 3, 20].map((failed) => delayAfter(failed, lost, DEFAULT_RETRY, () => 1));
  assert.deepEqual(longest, [200, 400, 800, 20_000]);
  assert.equal(delayAfter(1, lost, DEFAULT_RETRY, () => 0.5), 100);
  assert.equal(delayAfter(1, limited, DEFAULT_RETRY, () => 0.5), 3_100);
});
