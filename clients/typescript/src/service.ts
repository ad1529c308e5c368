import type { DescMessage, DescMethod, DescMethodUnary, DescService, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Caller, CallOptions } from "./caller.js";

/** A service: a function for each method, and one for each list that goes through all of its pages. */
export type Service<S extends DescService> = Methods<S> & Lists<S>;

type Methods<S extends DescService> = {
  [K in keyof S["method"]]: S["method"][K] extends DescMethodUnary<infer I, infer O>
    ? (request?: MessageInitShape<I>, options?: CallOptions) => Promise<MessageShape<O>>
    : never;
};

/** `listPurchases` and `getPurchases` make `purchases`, which yields the records of every page. */
type Lists<S extends DescService> = {
  [K in keyof S["method"] as NameOfList<S, K>]: S["method"][K] extends DescMethodUnary<infer I, infer O>
    ? (request?: MessageInitShape<I>, options?: CallOptions) => AsyncGenerator<RecordOf<S, K, O>, void, undefined>
    : never;
};

type NameOfList<S extends DescService, K> = K extends `list${infer Records}`
  ? K extends keyof S["method"]
    ? S["method"][K] extends DescMethodUnary<DescMessage, infer O>
      ? "nextCursor" extends keyof MessageShape<O>
        ? Uncapitalize<Records>
        : never
      : never
    : never
  : never;

/** The record of a list: what its batch get answers, or else what the list itself does. */
type RecordOf<S extends DescService, K, O extends DescMessage> = K extends `list${infer Records}`
  ? `get${Records}` extends keyof S["method"]
    ? S["method"][`get${Records}`] extends DescMethodUnary<DescMessage, infer Batch>
      ? Element<MessageShape<Batch>>
      : never
    : Element<MessageShape<O>>
  : never;

type Element<M> = { [F in keyof M]-?: M[F] extends (infer E)[] ? (E extends Message ? E : never) : never }[keyof M];

const LIST = /^list(.)(.*)$/;
/** The largest page that the server gives, so that a list takes the fewest calls. */
const LARGEST_PAGE = 200;

/** Makes the functions of a service. */
export function serviceOf<S extends DescService>(service: S, caller: Caller): Service<S> {
  const functions: Record<string, unknown> = {};
  for (const method of Object.values(service.method).map(unary)) {
    functions[method.localName] = (request: Record<string, unknown> = {}, options?: CallOptions) => caller.call(method, request, options);
    const [, first, rest] = LIST.exec(method.localName) ?? [];
    if (first !== undefined && "nextCursor" in method.output.field) {
      functions[first.toLowerCase() + rest] = listOf(service, method, caller);
    }
  }
  return functions as Service<S>;
}

interface Page {
  nextCursor?: string;
  [field: string]: unknown;
}

/** Makes the function that yields the records of every page of a list. */
function listOf(service: DescService, list: DescMethodUnary, caller: Caller) {
  const sameInBatches = service.method[list.localName.replace(/^list/, "get")];
  const batch = sameInBatches === undefined ? undefined : unary(sameInBatches);
  const listed = repeatedField(list.output, batch === undefined ? "message" : "scalar");
  const got = batch === undefined ? undefined : repeatedField(batch.output, "message");
  return async function* (request: { workspaceId?: Uint8Array; cursor?: string } = {}, options?: CallOptions) {
    let cursor = request.cursor ?? "";
    do {
      const page = (await caller.call(list, { limit: LARGEST_PAGE, ...request, cursor }, options)) as Page;
      const found = page[listed] as unknown[];
      if (batch === undefined || got === undefined) {
        yield* found;
      } else if (found.length > 0) {
        const ids = { ...("workspaceId" in request ? { workspaceId: request.workspaceId } : {}), [listed]: found };
        yield* ((await caller.call(batch, ids, options)) as Page)[got] as unknown[];
      }
      cursor = page.nextCursor ?? "";
    } while (cursor !== "");
  };
}

/** Returns the name of the first repeated field of a kind: the ids of a list, the records of a batch get. */
function repeatedField(message: DescMessage, kind: "scalar" | "message"): string {
  const field = message.fields.find((field) => field.fieldKind === "list" && field.listKind === kind);
  if (field === undefined) {
    throw new TypeError(`${message.typeName} has no list of ${kind} fields`);
  }
  return field.localName;
}

/** No method of tradepost streams. */
function unary(method: DescMethod): DescMethodUnary {
  if (method.methodKind !== "unary") {
    throw new TypeError(`${method.name} streams`);
  }
  return method as DescMethodUnary;
}
