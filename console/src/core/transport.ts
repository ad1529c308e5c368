import { toJson, type DescMessage, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { CallOptions } from "../rpc.ts";
import { base64 } from "./ids.ts";
import { keyed } from "./keys.ts";
import { place } from "./place.ts";
import { withoutSecrets } from "./secrets.ts";
import { session } from "./session.ts";
import { reasonOf } from "./trouble.ts";

// JSON, so that a person who opens the browser's tools can read what is said. POST only, because GET would put ids into logs.
const transport = createConnectTransport({ baseUrl: "/", useBinaryFormat: false, useHttpGet: false, defaultTimeoutMs: 15_000 });

/** What a person does before some operations: confirm a second factor, type the password again, read the risks. */
export type Asked = "step-up" | "password" | "risks";
const ASKED_BY: Record<string, Asked> = { STEP_UP_REQUIRED: "step-up", REAUTH_REQUIRED: "password", RISKS_NOT_ACKNOWLEDGED: "risks" };

/** What the application does about a session that ended, and about an operation that asks something of the person first. */
export const hooks = {
  /** Shows the door. True once the same person is in the same workspace again: the call is then sent again. */
  signedOut: async (): Promise<boolean> => false,
  stillSignedIn: async (): Promise<boolean> => false,
  ask: async (_what: Asked): Promise<boolean> => false,
  /** Reads again what the person may do: a call was refused, or a membership has changed. */
  rights: (): void => {},
};

/** The last calls of each page, for "Copy as curl": a page that is shown again has its answers still, and makes no call. */
export interface Said {
  service: string;
  method: string;
  body: string;
}
const saidBy = new Map<string, Said[]>();
export const lastCalls = (): readonly Said[] => saidBy.get(location.pathname) ?? [];
export const forgetCalls = (): void => saidBy.clear();
/** Calls that "copy as" leaves out. They have no idempotency key either: the server rejects one where the answer sets a cookie. */
const QUIET = new Set([
  "WatchTransitions",
  "BeginLinkedSignIn",
  "SignIn",
  "CompleteSignIn",
  "CompleteStepUp",
  "ChangePassword",
  "ResetPassword",
  "FinishPasskeySignIn",
  "FinishLinkedSignIn",
  "FinishAccountLink",
  "SignUp",
  "AddEmailCredential",
  "GetInvitation",
  "ReportLeakedAPIKey",
]);

function remember(method: DescMethodUnary, message: MessageShape<DescMessage>) {
  if (QUIET.has(method.name)) return;
  const body = withoutSecrets(toJson(method.input, message));
  const path = location.pathname;
  const said = saidBy.get(path) ?? [];
  saidBy.delete(path);
  saidBy.set(path, said);
  if (saidBy.size > 50) saidBy.delete(saidBy.keys().next().value!);
  // Of calls of one shape the newest: a page that is live asks for other ids again and again.
  const shape = (json: string) => Object.keys(JSON.parse(json) as object).join();
  const at = said.findIndex((s) => s.method === method.name && shape(s.body) === shape(body));
  if (at >= 0) said.splice(at, 1);
  said.unshift({ service: method.parent.typeName, method: method.name, body });
  said.length = Math.min(said.length, 40);
}

/** Sends a call. The session is a cookie that no script reads; the header says that the call comes from this page. */
export async function send<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  message: MessageShape<I>,
  reads: boolean,
  options: CallOptions,
): Promise<MessageShape<O>> {
  const filled = message as Record<string, unknown>;
  if (!options.everywhere && "workspaceId" in method.input.field && !(filled.workspaceId as Uint8Array | undefined)?.length)
    filled.workspaceId = place.workspaceId;
  const header = new Headers({ "tradepost-session": "cookie" });
  if (place.workspaceId.length) header.set("x-workspace-id", base64(place.workspaceId));
  remember(method, message);
  const once = async () => {
    const { message } = await transport.unary(method, options.signal, options.timeoutMs, header, filled as never);
    session.note(method.name);
    return message;
  };
  const signedInAgain = async (error: unknown) => {
    if (ConnectError.from(error).code !== Code.Unauthenticated || session.isOwn(method.name)) return false;
    // A step-up in another tab replaces the session while this call is sent: ask again before the person is shown the door.
    if (await hooks.stillSignedIn()) return true;
    // A page that is left does not wait for it.
    const left = new Promise<boolean>((answer) => options.signal?.addEventListener("abort", () => answer(false)));
    return Promise.race([hooks.signedOut(), left]);
  };
  // One call may ask for several things, each once: a second factor first, then whether the risks were read.
  const asked = new Set<string>();
  const answered = async () => {
    for (;;) {
      try {
        return await once();
      } catch (error) {
        const reason = reasonOf(error);
        const what = ASKED_BY[reason];
        if (ConnectError.from(error).code === Code.PermissionDenied || reason === "CALLER_CHANGED") hooks.rights();
        if (asked.has(reason) || !(await (what ? hooks.ask(what) : signedInAgain(error)))) throw error;
        asked.add(reason);
      }
    }
  };
  if (reads || !place.workspaceId.length || QUIET.has(method.name)) return answered();
  // The same key at every repetition of one call: a repeated write is answered and not done twice.
  const under = (key: string) => {
    header.set("idempotency-key", key);
    return answered();
  };
  // What begins an exchange, such as a challenge, is answered for one use: each press of a window begins again.
  const own = options.key ?? (method.name.startsWith("Begin") ? crypto.randomUUID() : undefined);
  return own ? under(own) : keyed(method.name, () => JSON.stringify(toJson(method.input, message)), under);
}
