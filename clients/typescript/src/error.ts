import { Code, ConnectError } from "@connectrpc/connect";

/** The code of an error, as the Connect protocol writes it. */
export type ErrorCode =
  | "canceled"
  | "unknown"
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "failed_precondition"
  | "aborted"
  | "out_of_range"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "data_loss"
  | "unauthenticated";

/** A call that failed. Decide by `reason`, which is stable; `detail` is for people. */
export class TradepostError extends Error {
  override readonly name = "TradepostError";
  /** One of the codes of the Connect protocol. */
  readonly code: ErrorCode;
  /** The stable name of the case, such as `NOT_FOUND`. Missing when no server answered. */
  readonly reason: string | undefined;
  /** What happened, for people. */
  readonly detail: string;
  /** Seconds to wait before the next try, where the server says so. */
  readonly retryAfter: number | undefined;
  /** The id under which the call is in the server's log. Missing when no server answered. */
  readonly requestId: string | undefined;

  private constructor(error: ConnectError) {
    const reason = error.metadata.get("x-error-reason") ?? undefined;
    const code = nameOf(error.code);
    super(`${reason ?? code}: ${error.rawMessage}`, { cause: error.cause ?? error });
    this.code = code;
    this.reason = reason;
    this.detail = error.rawMessage;
    this.retryAfter = seconds(error.metadata.get("retry-after"));
    this.requestId = error.metadata.get("x-request-id") ?? undefined;
  }

  /** Returns what was thrown as an error of this type. */
  static from(thrown: unknown): TradepostError {
    return thrown instanceof TradepostError ? thrown : new TradepostError(ConnectError.from(thrown));
  }
}

/** `NotFound` is `not_found`. */
function nameOf(code: Code): ErrorCode {
  const words = Code[code].replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`);
  return words.toLowerCase() as ErrorCode;
}

/** Reads `Retry-After` in seconds. A date, which proxies may send, is left out: clocks differ. */
function seconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
