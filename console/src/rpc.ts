import { create, type DescMessage, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { send } from "./core/transport.ts";

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** The call is not about the workspace in which the person works. */
  everywhere?: boolean;
  /** The idempotency key: a call that is sent again with it is answered, and not done twice. Without one it is that of the window (`keyed`). */
  key?: string;
}

/** One operation of the server. `operation` is its name as the server's rights have it. */
export interface Call<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> {
  (request: MessageInitShape<I>, options?: CallOptions): Promise<MessageShape<O>>;
  readonly service: string;
  readonly method: string;
  readonly reads: boolean;
}

/** Makes a call from the two messages alone, so that a page carries the descriptors of what it calls and of nothing else. */
export function rpc<I extends DescMessage, O extends DescMessage>(
  service: string,
  name: string,
  input: I,
  output: O,
  reads: boolean,
): Call<I, O> {
  const method = {
    kind: "rpc",
    methodKind: "unary",
    name,
    localName: name,
    parent: { typeName: service },
    input,
    output,
    idempotency: reads ? 1 : 0,
  } as unknown as DescMethodUnary<I, O>;
  const call = (request: MessageInitShape<I>, options: CallOptions = {}) => send(method, create(input, request), reads, options);
  return Object.assign(call, { service, method: name, reads });
}
