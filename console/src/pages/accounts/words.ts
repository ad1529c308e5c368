import { ms, when } from "../../core/format.ts";
import { AccountLockReason as L, AccountStatus as S, type Account } from "../../gen/trading/v1/account_pb.ts";

/** What happened to an account that gets no new work, what it costs, and what to do. */
export interface AccountTrouble {
  what: string;
  cost: string;
  next: string;
  /** Nothing goes on with it before a person does something. */
  bad: boolean;
}
/** Why the platform restricts an account, and what a person can do about it. */
const RESTRICTIONS: Record<L, [why: string, next: string]> = {
  [L.UNSPECIFIED]: ["The platform restricts it", ""],
  [L.TRADE_HOLD]: ["The platform holds its trades", ""],
  [L.NEW_AUTHENTICATOR]: [
    "The platform restricts it because its authenticator is new",
    "Leave the authenticator as it is: one that is added again begins with its first day. ",
  ],
  [L.NEW_DEVICE]: ["The platform restricts it because it was signed in from a new device", "Sign it in from no other device until then. "],
  [L.REVERSAL_COOLDOWN]: [
    "The platform restricts it because one of its trades was reversed",
    "See which one under its trade offers, and whether the purchase has its refund. ",
  ],
};
/** A platform that names no end is recorded with the last time there is. */
const NO_END = Date.UTC(9999, 0);
function restriction(a: Account): AccountTrouble {
  const [why, next] = RESTRICTIONS[a.lockReason ?? L.UNSPECIFIED];
  const hasEnd = a.lockedUntil && ms(a.lockedUntil) < NO_END;
  return {
    what: hasEnd ? `${why} until ${when(a.lockedUntil)}.` : `${why} and names no end.`,
    cost: "It buys nothing and puts nothing on sale. What it began goes on as far as the platform allows, and its items stay where they are.",
    next: hasEnd
      ? `${next}The engine looks at it every minute, and it gets work again once the platform shows it without restriction.`
      : `${next}See the account at the platform. It gets work again once the platform shows it without restriction.`,
    bad: false,
  };
}
/** Whether signing it in is what it waits for: it is not signed in, and something is stored to sign it in by. */
export const canSignIn = (a: Account): boolean =>
  Boolean(a.hasSecrets) && [S.NEW, S.VALIDATING, S.NEEDS_LOGIN].includes(a.status ?? S.UNSPECIFIED);
/** What a person has to know of an account that cannot trade. */
export function troubleOf(a: Account): AccountTrouble | undefined {
  switch (a.status) {
    case S.NEEDS_LOGIN:
      return {
        what: "The platform does not accept its session.",
        cost: "Nothing is bought for it and nothing is delivered from it; its items stay where they are.",
        next: "Replace its secrets if they changed, and start a session below. If another program signs it in, sign it in there. It is ready once it works.",
        bad: true,
      };
    case S.BANNED:
      return {
        what: "The platform has banned it.",
        cost: "Its items cannot be moved.",
        next: "Ask the platform; write its items off once they are surely lost, then remove the account.",
        bad: true,
      };
    case S.DEGRADED:
      return {
        what: "The platform limits the calls for it, or is in maintenance.",
        cost: "It gets no new work: it buys nothing and puts nothing on sale. What it began goes on, more slowly.",
        next: "Wait: the engine looks at it every minute, and it is ready again with the next answer. If it lasts, check whether the platform works and whether the clock of the server is right. All accounts of a server share what the platform allows, so fewer of them help, too.",
        bad: false,
      };
    case S.RESTRICTED:
      return restriction(a);
    default:
      return undefined;
  }
}
