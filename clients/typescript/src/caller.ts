import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { TradepostError } from "./error.js";
import { Accounts } from "./gen/accounts/v1/accounts_pb.js";
import { delayAfter, isPassing, pause, type RetryPolicy } from "./retry.js";

/** What can be said about one call. */
export interface CallOptions {
  /** Ends the call, and its waits between tries, with the code `canceled`. */
  signal?: AbortSignal;
  /** How long one try may take, in milliseconds. */
  timeoutMs?: number;
  /** Tries of this call, the first included. */
  tries?: number;
  /** The `idempotency-key` of a call that changes something, to repeat an earlier call; a new one otherwise. */
  idempotencyKey?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/** The workspace of requests that name none: one of the caller's choice, the one of its key, or none. */
export type Workspace = Uint8Array | "of the key" | "none";

/** Makes calls of one server: fills in the workspace, names writes, and tries again. */
export class Caller {
  private ofKey: Promise<Uint8Array | undefined> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly retry: RetryPolicy,
    private readonly workspace: Workspace,
  ) {}

  /** Makes a call, and again with the same idempotency key while it fails for a reason that passes. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const headers = headersOf(method, options);
    const message = await this.inWorkspace(method.input, request);
    const tries = options.tries ?? this.retry.tries;
    for (let failed = 1; ; failed += 1) {
      try {
        const answer = await this.transport.unary(method, options.signal, options.timeoutMs, headers, message);
        return answer.message;
      } catch (thrown) {
        const error = TradepostError.from(thrown);
        const delay = delayAfter(failed, error, this.retry);
        const isTooLong = (error.retryAfter ?? 0) * 1000 > this.retry.maxDelayMs;
        if (failed >= tries || isTooLong || !isPassing(error)) {
          throw error;
        }
        await pause(delay, options.signal);
        if (options.signal?.aborted) {
          throw TradepostError.from(new ConnectError("canceled between tries", Code.Canceled, undefined, undefined, error));
        }
      }
    }
  }

  /** Returns the request with the workspace of this client, where it takes one and names none. */
  private async inWorkspace<I extends DescMessage>(input: I, request: MessageInitShape<I>): Promise<MessageInitShape<I>> {
    const isNamed = "workspaceId" in request && request.workspaceId !== undefined;
    if (isNamed || this.workspace === "none" || !("workspaceId" in input.field)) {
      return request;
    }
    const workspaceId = this.workspace === "of the key" ? await this.workspaceOfKey() : this.workspace;
    return workspaceId === undefined ? request : { ...request, workspaceId };
  }

  /** Returns the one workspace in which the key works. A failed look-up is not kept. */
  private workspaceOfKey(): Promise<Uint8Array | undefined> {
    this.ofKey ??= this.lookUpWorkspaceOfKey().catch((error: unknown) => {
      this.ofKey = undefined;
      throw error;
    });
    return this.ofKey;
  }

  /** A key that may not list keys has to name its workspace: without it, the server says so. */
  private async lookUpWorkspaceOfKey(): Promise<Uint8Array | undefined> {
    try {
      const { apiKeys } = await this.call(Accounts.method.listAPIKeys, {});
      return apiKeys[0]?.workspaceId;
    } catch (error) {
      if (error instanceof TradepostError && error.reason === "PERMISSION_DENIED") {
        return undefined;
      }
      throw error;
    }
  }
}

function headersOf(method: DescMethodUnary, options: CallOptions): Headers {
  const headers = new Headers(options.headers);
  if (method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) {
    headers.set("idempotency-key", options.idempotencyKey ?? newIdempotencyKey());
  }
  return headers;
}

/** Returns 128 random bits. `crypto.randomUUID` is missing in pages that were not loaded securely. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
