import { several, when } from "../../core/format.ts";
import { RenewalKind as K, RenewalStatus as S, type Renewal } from "../../gen/trading/v1/renewal_pb.ts";

/** The calls whose answers are old after a renewal was asked for or cancelled. */
export const RENEWALS = ["ListRenewals", "CountRenewals", "GetRenewal", "GetAccountSession", "GetAccountReadiness", "ListTransitions"];
export const KIND_ORDER = [K.ACCESS_TOKEN, K.REFRESH_TOKEN];
export const STATUS_ORDER = [S.SCHEDULED, S.RUNNING, S.RETRYING, S.UNCERTAIN, S.EXHAUSTED, S.CANCELLED, S.SUCCEEDED];
export const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "Token",
  [K.ACCESS_TOKEN]: "Access token",
  [K.REFRESH_TOKEN]: "Refresh token",
};
export const kindOf = (r: Renewal): string => KINDS[r.kind ?? K.UNSPECIFIED];
const has = (r: Renewal, ...statuses: readonly S[]): boolean => statuses.includes(r.status ?? S.UNSPECIFIED);
export const isOpen = (r: Renewal): boolean => has(r, S.SCHEDULED, S.RUNNING, S.RETRYING, S.UNCERTAIN);
/** While the platform is called, and until a lost answer is settled, nothing can be asked for. */
export const canRenew = (r: Renewal): boolean => has(r, S.RETRYING) || (has(r, S.SCHEDULED) && !r.isRequested);
export const canCancel = (r: Renewal): boolean => has(r, S.SCHEDULED, S.RETRYING, S.UNCERTAIN);

/** What a status means for the token. */
export function meaningOf(r: Renewal): string {
  switch (r.status) {
    case S.SCHEDULED:
      return r.isRequested
        ? "A person asked for it. The engine renews the token in one of its next passes."
        : r.kind === K.REFRESH_TOKEN
          ? "It waits for its time. The engine renews the token only if a password is stored, or if a person asks for it."
          : "It waits for its time.";
    case S.RUNNING:
      return "The engine is calling the platform.";
    case S.SUCCEEDED:
      return "The new token is in use.";
    case S.RETRYING:
      return "A try had no effect. Another one follows.";
    case S.UNCERTAIN:
      return "The answer of the platform was lost. The engine tries the old token, which shows whether it is still accepted.";
    case S.EXHAUSTED:
      return "It was tried 30 times, or the platform accepts no token for it.";
    case S.CANCELLED:
      return "A person cancelled it, or its session ended.";
    default:
      return "";
  }
}
/** When it is tried, when its token ends and how often it was tried, on one line. */
export const timesOf = (r: Renewal): string =>
  [
    isOpen(r) && `due ${when(r.dueAt)}`,
    `the token ends ${when(r.expiresAt)}`,
    r.attempts && `tried ${several(r.attempts, "time", "times")}`,
  ]
    .filter(Boolean)
    .join(", ");

const DAY = 86_400_000;
/** The spans within which open renewals are due, by the days that the address has. */
export const DUE: readonly (readonly [days: string, name: string])[] = [
  ["1", "within a day"],
  ["7", "within 7 days"],
  ["30", "within 30 days"],
];
/** The time before which they are due; nothing for any other text of an address. */
export const dueBefore = (days: string, now: number): Date | undefined =>
  DUE.some(([known]) => known === days) ? new Date(now + Number(days) * DAY) : undefined;

/** What a renewal asked for now may cost. */
export const RISKS: Record<K, string> = {
  [K.UNSPECIFIED]: "",
  [K.ACCESS_TOKEN]: "The session works with the old token until the new one is stored.",
  [K.REFRESH_TOKEN]: "If the answer of the platform is lost, the account may have to sign in again.",
};
export const costOf = (r: Renewal): string =>
  r.kind === K.REFRESH_TOKEN
    ? `The token ends ${when(r.expiresAt)}, and the session with it: the account trades no longer then. Renew now schedules it again.`
    : `The token ends ${when(r.expiresAt)}. Renew now schedules it again.`;
