import { TradepostError } from "./error.js";

/** How often a call is tried, and how long it waits in between. */
export interface RetryPolicy {
  /** Tries of one call, the first included. Default 4. */
  tries: number;
  /** The longest wait before the second try, in milliseconds; it doubles with each further try. Default 200. */
  firstDelayMs: number;
  /** The longest wait before any try, in milliseconds. A longer `Retry-After` is left to the caller. Default 20,000. */
  maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { tries: 4, firstDelayMs: 200, maxDelayMs: 20_000 };

/** Reasons whose meaning is "try again": nothing was done, or the idempotency key lets it happen once. */
const PASSING: ReadonlySet<string> = new Set([
  "BUSY",
  "CALLER_CHANGED",
  "CONFLICT",
  "IDEMPOTENCY_IN_PROGRESS",
  "KEY_ENCRYPTION_UNAVAILABLE",
  "OUTCOME_UNKNOWN",
  "OVERLOADED",
  "RATE_LIMITED",
  "STORAGE_UNAVAILABLE",
]);

/** Returns whether the same call can succeed later: no server answered, or it asked for another try. */
export function isPassing(error: TradepostError): boolean {
  if (error.reason !== undefined) {
    return PASSING.has(error.reason);
  }
  return error.code === "unavailable" || error.code === "unknown" || error.code === "resource_exhausted";
}

/**
 * Returns how long to wait after a failed try, in milliseconds.
 *
 * The wait is random below a limit that doubles, so that clients which failed together do not return together.
 */
export function delayAfter(failedTries: number, error: TradepostError, policy: RetryPolicy, random = Math.random): number {
  const limit = Math.min(policy.firstDelayMs * 2 ** (failedTries - 1), policy.maxDelayMs);
  return (error.retryAfter ?? 0) * 1000 + random() * limit;
}

/** Waits, and returns early once the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) {
      done();
    }
  });
}
