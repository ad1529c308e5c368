import {
  AccountSessionStatus as S,
  SessionFailure as F,
  SessionGuard as G,
  type AccountSession,
} from "../../gen/trading/v1/account_session_pb.ts";
import type { Spec } from "../../ui/field.tsx";

/** The calls whose answers are old after a session was started, answered or ended: its renewals end with it. */
export const SESSIONS = [
  "ListAccountSessions",
  "CountAccountSessions",
  "GetAccountSession",
  "ListRenewals",
  "CountRenewals",
  "GetRenewal",
  "ListTransitions",
  "GetAccount",
  "GetAccountReadiness",
];
export const STATUS_ORDER = [
  S.AWAITING_CODE,
  S.AWAITING_APPROVAL,
  S.STARTING,
  S.ACTIVE,
  S.RENEWING,
  S.EXPIRED,
  S.FAILED,
  S.REVOKED,
  S.CLOSED,
];
/** What a status means. */
export const MEANS: Record<S, string> = {
  [S.UNSPECIFIED]: "",
  [S.STARTING]: "The engine signs the account in. It begins one sign-in every 10 s at most.",
  [S.AWAITING_CODE]: "The platform waits for a code.",
  [S.AWAITING_APPROVAL]: "The platform waits for an approval.",
  [S.ACTIVE]: "The session works.",
  [S.RENEWING]: "The session works, and one of its tokens is being renewed.",
  [S.EXPIRED]: "The platform no longer accepts the session.",
  [S.FAILED]: "The account was not signed in.",
  [S.REVOKED]: "The platform has revoked the tokens of the session.",
  [S.CLOSED]: "The session was ended here, or another one follows it.",
};
const has = (s: AccountSession, ...statuses: readonly S[]): boolean => statuses.includes(s.status ?? S.UNSPECIFIED);
export const works = (s: AccountSession): boolean => has(s, S.ACTIVE, S.RENEWING);
/** Whether the platform waits for a person. */
export const isAsked = (s: AccountSession): boolean => has(s, S.AWAITING_CODE, S.AWAITING_APPROVAL);
export const takesCode = (s: AccountSession): boolean => has(s, S.AWAITING_CODE);
const isOver = (s: AccountSession): boolean => has(s, S.FAILED, S.REVOKED, S.CLOSED);
export const canEnd = (s: AccountSession): boolean => !isOver(s);
/** Whether an account whose newest session this is can be signed in. */
export const canStart = (newest: AccountSession | null): boolean => !newest || isOver(newest) || has(newest, S.EXPIRED);

const sentence = (text: string): string => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");
/** What the platform asks for, as a sentence. Any one of several suffices. */
export function askedOf(s: AccountSession): string {
  const to = s.emailDomain ? ` to an address at ${s.emailDomain}` : "";
  const DOINGS: Record<G, string> = {
    [G.UNSPECIFIED]: "",
    [G.EMAIL_CODE]: `type the code that the platform has mailed${to}`,
    [G.DEVICE_CODE]: "type the code that the mobile authenticator of the account shows",
    [G.DEVICE_APPROVAL]: "approve the sign-in in the platform's app",
    [G.EMAIL_APPROVAL]: `open the link that the platform has mailed${to}`,
  };
  return sentence(s.guards.flatMap((g) => DOINGS[g] || []).join(", or "));
}
const MADE_CODES = 2;
/** Whether the engine makes the code of the stored secret, unless a person gives one first. */
export const isMadeHere = (s: AccountSession): boolean =>
  takesCode(s) &&
  Boolean(s.usesStoredCode) &&
  s.guards.find((g) => g === G.EMAIL_CODE || g === G.DEVICE_CODE) === G.DEVICE_CODE &&
  (s.codesGiven ?? 0) < MADE_CODES;

const START = "start a session again";
const AGAIN = "The engine also tries it again by itself, after 15 min at the earliest and at most 3 times a day.";
/** Why an account is not signed in, and what to do. */
const FAILURES: Record<F, [what: string, next: string]> = {
  [F.UNSPECIFIED]: ["", ""],
  [F.WRONG_PASSWORD]: [
    "The platform does not accept the login name and the password.",
    `Store the right ones by Replace secrets, then ${START}. The engine does not try them again by itself.`,
  ],
  [F.WRONG_CODE]: ["The platform did not accept five codes.", `Check the shared secret if one is stored, then ${START}. ${AGAIN}`],
  [F.TOO_MANY_ATTEMPTS]: ["The platform takes no further sign-in for a while.", `Wait 15 min or longer, then ${START}. ${AGAIN}`],
  [F.APPROVAL_DENIED]: [
    "The approval was denied.",
    `If you denied it by mistake, ${START} and approve it. If you do not know who denied it, change the password at the platform first.`,
  ],
  [F.EXPIRED]: ["No one answered within 10 min.", `Have the code or the app at hand, then ${START}. ${AGAIN}`],
  [F.OTHER_ACCOUNT]: [
    "The platform signed another account in. The engine revoked its tokens and keeps none.",
    `The stored login name is that of another account. Store the right one by Replace secrets, then ${START}.`,
  ],
  [F.PLATFORM_DOWN]: ["The platform did not answer, or refused for another reason.", `Once it answers, ${START}. ${AGAIN}`],
  [F.NO_SECRETS]: ["No login name and password are stored.", `Store them by Replace secrets, then ${START}.`],
};
/** What is wrong with a session that is not signed in, and what to do; nothing where nothing is, and where the past alone is. */
export function troubleOf(s: AccountSession): [what: string, next: string] | undefined {
  const [what, next] = FAILURES[s.failure ?? F.UNSPECIFIED] ?? ["", ""];
  if (has(s, S.FAILED)) return [what || MEANS[S.FAILED], next || `To sign the account in, ${START}.`];
  if (has(s, S.EXPIRED)) return ["The account is signed out.", `To sign the account in, ${START}. ${AGAIN}`];
  return takesCode(s) && s.failure === F.WRONG_CODE ? ["The platform did not accept the last code.", "Type another one."] : undefined;
}
/** Whether a person asked for its end, and the engine has not revoked its tokens yet. */
export const isEnding = (s: AccountSession): boolean => works(s) && Boolean(s.endRequestedAt);
/** What there is to know of a session, on one line of a list. */
export const lineOf = (s: AccountSession): string =>
  isEnding(s) ? "Its tokens are being revoked." : isAsked(s) ? askedOf(s) : (troubleOf(s)?.[0] ?? MEANS[s.status ?? S.UNSPECIFIED]);

export const CODE: Spec = {
  name: "code",
  label: "Code",
  required: true,
  max: 8,
  autoComplete: "one-time-code",
  check: (t) => (/^[0-9A-Za-z]{5,8}$/.test(t) ? undefined : "A code has 5 to 8 letters and digits."),
};
export const ASK: Spec = {
  name: "ask",
  label: "Ask me for codes",
  kind: "check",
  hint: "Otherwise the engine makes the codes of the mobile authenticator, if its shared secret is stored.",
};
export const REVOKE: Spec = {
  name: "revoke",
  label: "Revoke the tokens at the platform first",
  kind: "check",
  hint: (v) =>
    v.revoke
      ? "The session works until the engine has revoked them, in one of its next passes."
      : "The session ends at once. The tokens are deleted here alone, and the platform accepts them until they end.",
};
