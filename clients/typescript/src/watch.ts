import type { Caller } from "./caller.js";
import { TradepostError } from "./error.js";
import { Contracts } from "./gen/contracts/v1/contracts_pb.js";
import type { Transition, WatchTransitionsResponse } from "./gen/contracts/v1/transition_pb.js";
import { delayAfter, isPassing, pause, type RetryPolicy } from "./retry.js";

/** Where a watch begins, and how it ends. */
export interface WatchOptions {
  /** Continues after the transition with this id; `"start"` begins 31 days ago, `"end"` with what comes next. Default `"end"`. */
  after?: Uint8Array | "start" | "end";
  /** The workspace, where the client has none of its own. */
  workspaceId?: Uint8Array;
  /** Ends the watch: the loop over it ends as if there were no further transition. */
  signal?: AbortSignal;
  /** Learns of each interruption before the watch resumes. */
  onInterruption?: (error: TradepostError) => void;
}

const WAIT_SECONDS = 20;
/** Time of one call. A connection that broke without notice is dropped this much after the server should have answered. */
const TIMEOUT_MS = WAIT_SECONDS * 1000 + 10_000;
/** Failures after which the wait no longer grows; the exponent has to stay finite. */
const LONGEST_AFTER = 16;

/** Returns the id of the latest transition, to continue after it. */
export async function lastTransitionId(caller: Caller, options: Pick<WatchOptions, "workspaceId" | "signal">) {
  const { signal, workspaceId } = options;
  const answer = await caller.call(Contracts.method.watchTransitions, { workspaceId, fromEnd: true }, { signal });
  return answer.lastTransitionId ?? new Uint8Array();
}

/**
 * Yields transitions in the order in which they were committed. It resumes after a lost connection from the last one that it
 * yielded, for as long as the server is away.
 */
export async function* watch(caller: Caller, retry: RetryPolicy, options: WatchOptions): AsyncGenerator<Transition, void, undefined> {
  let after = options.after ?? "end";
  let failures = 0;
  while (!options.signal?.aborted) {
    let answer: WatchTransitionsResponse;
    try {
      answer = await caller.call(Contracts.method.watchTransitions, requestAfter(after, options.workspaceId), {
        signal: options.signal,
        timeoutMs: TIMEOUT_MS,
        tries: 1,
      });
      failures = 0;
    } catch (thrown) {
      const error = TradepostError.from(thrown);
      if (options.signal?.aborted) {
        return;
      }
      if (!isPassing(error) && error.code !== "deadline_exceeded") {
        throw error;
      }
      options.onInterruption?.(error);
      failures = Math.min(failures + 1, LONGEST_AFTER);
      await pause(delayAfter(failures, error, retry), options.signal);
      continue;
    }
    yield* answer.transitions;
    after = answer.lastTransitionId ?? "start";
  }
}

function requestAfter(after: Uint8Array | "start" | "end", workspaceId: Uint8Array | undefined) {
  if (after === "end") {
    return { workspaceId, fromEnd: true };
  }
  return { workspaceId, waitSeconds: WAIT_SECONDS, afterTransitionId: after === "start" ? new Uint8Array() : after };
}
