import { Code, ConnectError } from "@connectrpc/connect";

/** What went wrong, in words for the person in front of the screen. */
export interface Trouble {
  title: string;
  text: string;
  reason: string;
  id: string;
  denied: boolean;
  missing: boolean;
}

const BY_REASON: Record<string, string> = {
  VERSION_MISMATCH: "The record has changed since this page read it. Read it again, then decide again.",
  IDEMPOTENCY_ANSWER_GONE: "It was done. Reload the page to see the result.",
  IDEMPOTENCY_MISMATCH: "It was done when it was sent before. Reload the page to see the result.",
  OUTCOME_UNKNOWN: "It may have been done. Look the record up before you try again.",
  STORAGE_UNAVAILABLE: "Nothing was changed. Try again.",
  CONFLICT: "Others kept changing the same record. Try again.",
  CALLER_CHANGED: "Your rights changed during the call, and nothing was done. Try again.",
  STEP_UP_REQUIRED: "This needs your second factor. Nothing was done.",
  REAUTH_REQUIRED: "This needs your password again. Nothing was done.",
  RISKS_NOT_ACKNOWLEDGED: "The risks of trading accounts have to be read first. Nothing was stored.",
  ORIGIN_REFUSED: "The server does not know this address. Open the console at the address of the settings.",
};

const sentence = (text: string) => (text ? text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");

export const reasonOf = (e: unknown): string => ConnectError.from(e).metadata.get("x-error-reason") ?? "";
/** Whether it is not known what came of a call: every answer of the server has a reason, and two of them say that it does not know either. */
const isUnknown = (e: ConnectError) => ["", "OUTCOME_UNKNOWN", "DEADLINE_EXCEEDED"].includes(reasonOf(e));
// Answers from before the server has looked for the key, or without its looking: they say nothing of an earlier call with the same one.
const UNSETTLED = [Code.Unauthenticated, Code.ResourceExhausted, Code.Internal, Code.DeadlineExceeded];
/**
 * Whether the answer says that a call with this key was not carried out, now or before. IDEMPOTENCY_ANSWER_GONE and its like say that one
 * was: with another key it would be done twice. What a page itself says is about no call.
 */
export const settles = (error: unknown): boolean =>
  !(error instanceof ConnectError) || (!isUnknown(error) && !UNSETTLED.includes(error.code) && !reasonOf(error).startsWith("IDEMPOTENCY_"));

/** With `sent` the error is of a change that has the same idempotency key when it is sent again (core/keys.ts). */
export function trouble(error: unknown, sent = false): Trouble {
  const e = ConnectError.from(error);
  const reason = reasonOf(e);
  const wait = Number(e.metadata.get("retry-after"));
  const rest = {
    reason,
    id: e.metadata.get("x-request-id") ?? "",
    denied: e.code === Code.PermissionDenied,
    missing: e.code === Code.NotFound,
  };
  const again =
    sent && isUnknown(e) ? "Whether it was done is not known. Press again with the same values: it is not done twice." : undefined;
  const say = (title: string, text: string): Trouble => ({ title, text: again ?? BY_REASON[reason] ?? text, ...rest });
  // What a page itself says: no call was refused.
  if (error instanceof Error && !(error instanceof ConnectError)) return { title: "Not done", text: sentence(error.message), ...rest };
  switch (e.code) {
    case Code.PermissionDenied:
      return say("Not allowed", sentence(e.rawMessage) || "Your role does not allow this in this workspace.");
    case Code.NotFound:
      return say("Not found", "There is no such record in this workspace.");
    case Code.ResourceExhausted:
      return say("Too many requests", wait > 0 ? `The server takes the next one in ${wait} s.` : "Wait a few seconds, then try again.");
    case Code.Unauthenticated:
      return say("Signed out", "Sign in again to continue.");
    case Code.Unimplemented:
      return say("Not offered", "This server is of an earlier version and does not offer this.");
    case Code.Internal:
      return say("The server failed", "Try again. If it happens again, give the id below to the operator.");
    case Code.DeadlineExceeded:
      return say("No answer in time", "The server is slow. Try again; look a change up before you repeat it.");
    case Code.InvalidArgument:
    case Code.FailedPrecondition:
    case Code.AlreadyExists:
      return say("Not done", sentence(e.rawMessage));
    case Code.Unavailable:
      return say("The server cannot be reached", "Check that it runs and that you are connected.");
    default:
      return say(
        "The server cannot be reached",
        /fetch|network/i.test(e.rawMessage) ? "Check that it runs and that you are connected." : sentence(e.rawMessage),
      );
  }
}

const PASSING = [Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted];
/** Whether asking again, without the person, can help. */
export const passing = (error: unknown): boolean => PASSING.includes(ConnectError.from(error).code);
/** The browser got no answer at all: whether the call arrived is not known. */
export const unreached = (error: unknown): boolean => {
  const e = ConnectError.from(error);
  return e.code === Code.Unknown && /fetch|network|load failed/i.test(e.rawMessage);
};
export const waitFor = (attempt: number, error: unknown): number => {
  const wait = Number(ConnectError.from(error).metadata.get("retry-after"));
  return wait > 0 ? wait * 1000 : Math.min(1000 * 2 ** attempt, 15_000);
};
