import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Caller } from "./caller.js";
import { Accounts } from "./gen/accounts/v1/accounts_pb.js";
import { Alerts } from "./gen/alerts/v1/alerts_pb.js";
import { Contracts } from "./gen/contracts/v1/contracts_pb.js";
import type { Transition } from "./gen/contracts/v1/transition_pb.js";
import { Events } from "./gen/events/v1/events_pb.js";
import { Markets } from "./gen/markets/v1/markets_pb.js";
import { Trading } from "./gen/trading/v1/trading_pb.js";
import { formatId, parseId } from "./id.js";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.js";
import { serviceOf, type Service } from "./service.js";
import { lastTransitionId, watch, type WatchOptions } from "./watch.js";

/** What can be said about a client. */
export interface ConnectOptions {
  /**
   * The workspace of every request that names none, as bytes or in base64. By default that of the key, which the client looks up
   * once; a key needs the policy `analytics` or `workspace` for that. A session has to name it.
   */
  workspaceId?: Uint8Array | string;
  /** How long one try of a call may take, in milliseconds. Default 30,000. */
  timeoutMs?: number;
  /** How calls are tried again. */
  retry?: Partial<RetryPolicy>;
  /** The function that sends requests; the global `fetch` otherwise. */
  fetch?: typeof globalThis.fetch;
}

/** A server, called with one key. */
export interface Tradepost {
  /** Users, workspaces, members and keys. */
  readonly accounts: Service<typeof Accounts>;
  /** Alert channels, their rules and messages. */
  readonly alerts: Service<typeof Alerts>;
  /** Contracts and what is bought and sold under them. */
  readonly contracts: Service<typeof Contracts>;
  /** Types of events, webhook endpoints and deliveries. */
  readonly events: Service<typeof Events>;
  /** Observations, prices and providers. */
  readonly markets: Service<typeof Markets>;
  /** Trading accounts and trade offers. */
  readonly trading: Service<typeof Trading>;
  /**
   * Yields each change of a status in the order of commits. It resumes after a lost connection, misses none and repeats none.
   *
   * @throws TradepostError with the reason `WATCH_EXPIRED` when `after` is older than the server keeps that order.
   */
  watch(options?: WatchOptions): AsyncGenerator<Transition, void, undefined>;
  /** Returns the id of the latest transition: `watch({ after })` yields everything after this moment. */
  lastTransitionId(options?: Pick<WatchOptions, "workspaceId" | "signal">): Promise<Uint8Array>;
}

const TIMEOUT_MS = 30_000;
const KEY_PREFIX = "tpk_";
const DEFAULT_URL = "http://127.0.0.1:8080";

/**
 * Returns a client of the server at `url`. It sends nothing yet.
 *
 * @param url Default: `TRADEPOST_URL`, else `http://127.0.0.1:8080`.
 * @param key An API key, or the token of a session. Default: `TRADEPOST_API_KEY`.
 * @throws RangeError when there is no key, `url` is not the address of a server, or `workspaceId` is not the base64 of an id.
 */
export function connect(
  url: string | URL = variable("TRADEPOST_URL") ?? DEFAULT_URL,
  key: string | undefined = variable("TRADEPOST_API_KEY"),
  options: ConnectOptions = {},
): Tradepost {
  if (!key) {
    throw new RangeError("there is no API key: pass it as `key`, or set TRADEPOST_API_KEY");
  }
  const baseUrl = addressOf(url);
  const workspaceId = typeof options.workspaceId === "string" ? parseId(options.workspaceId) : options.workspaceId;
  const retry: RetryPolicy = { ...DEFAULT_RETRY, ...options.retry };
  const transport = createConnectTransport({
    baseUrl,
    interceptors: [withHeaders(key, workspaceId)],
    defaultTimeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    fetch: fetchFrom(baseUrl, options.fetch ?? globalThis.fetch),
    // Binary requests would let an older server drop a limit that it does not know; JSON requests are rejected instead.
    useBinaryFormat: false,
  });
  const caller = new Caller(transport, retry, workspaceId ?? (key.startsWith(KEY_PREFIX) ? "of the key" : "none"));
  return {
    accounts: serviceOf(Accounts, caller),
    alerts: serviceOf(Alerts, caller),
    contracts: serviceOf(Contracts, caller),
    events: serviceOf(Events, caller),
    markets: serviceOf(Markets, caller),
    trading: serviceOf(Trading, caller),
    watch: (options = {}) => watch(caller, retry, options),
    lastTransitionId: (options = {}) => lastTransitionId(caller, options),
  };
}

/** Operations on keys and members take the workspace of a session from a header; a key has its own. */
function withHeaders(key: string, workspaceId: Uint8Array | undefined): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    if (workspaceId !== undefined) {
      request.header.set("x-workspace-id", formatId(workspaceId));
    }
    return next(request);
  };
}

/** Reads a variable of the environment. Browsers have none, and an empty one counts as missing. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

function addressOf(url: string | URL): string {
  const text = String(url);
  if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text)) {
    throw new RangeError(`"${text}" is not the address of a server: pass \`url\`, or set TRADEPOST_URL, such as ${DEFAULT_URL}`);
  }
  return text.replace(/\/+$/, "");
}

/** Returns a `fetch` whose errors name the server. By itself it says "fetch failed" alone. */
function fetchFrom(baseUrl: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (cause) {
      if (init?.signal?.aborted || !(cause instanceof TypeError)) {
        throw cause;
      }
      // Where a name has several addresses, the message is empty and the code alone says why.
      const { code, message } = (cause.cause ?? {}) as { code?: string; message?: string };
      const why = message || code || cause.message;
      const detail = `no answer from ${baseUrl}: ${why}; start the server, or correct its address (TRADEPOST_URL)`;
      throw new ConnectError(detail, Code.Unavailable, undefined, undefined, cause);
    }
  };
}
