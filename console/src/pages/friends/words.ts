import { FriendAction as A, FriendActionState as S, FriendRelation as R, type Friend } from "../../gen/trading/v1/friend_pb.ts";

/** The calls whose answers are old after something was asked for. */
export const FRIENDS = ["ListFriends", "CountFriends", "GetFriend", "GetFriends", "ListTransitions"];
export const RELATION_ORDER = [R.THEY_ASKED, R.FRIEND, R.WE_ASKED, R.BLOCKED, R.IGNORED, R.NONE];
/** What a relation means for the two. */
export const MEANS: Record<R, string> = {
  [R.UNSPECIFIED]: "",
  [R.THEY_ASKED]: "They ask for friendship. Accept, or remove the request.",
  [R.WE_ASKED]: "We asked for friendship, and they have not answered.",
  [R.FRIEND]: "They are friends.",
  [R.BLOCKED]: "They are blocked, and cannot write.",
  [R.IGNORED]: "They asked, and their request is ignored.",
  [R.NONE]: "They are not related.",
};
/** Their name as they chose it, or their number: a name may be that of anyone. */
export const nameOf = (f: Friend): string => f.name || f.platformUserId || "";

const DOINGS: Record<A, string> = {
  [A.UNSPECIFIED]: "",
  [A.ADD]: "Asking for friendship",
  [A.ACCEPT]: "Accepting the request",
  [A.REMOVE]: "Removing",
  [A.BLOCK]: "Blocking",
  [A.UNBLOCK]: "Unblocking",
};
const FAILURES: Record<string, string> = {
  LIST_FULL: "the list of friends of the account is full. Remove a friend first",
  REJECTED: "the platform rejected it. The other account allows no requests, or blocks us",
  NOT_FOUND: "the platform knows no such account",
  OVERTAKEN: "the relation changed in the meantime",
  NO_ANSWER: "three calls had neither an answer nor an effect",
};
/** What a person asked for and how far it is, as a sentence; empty where nothing is open and nothing failed. */
export function askedOf(f: Friend): string {
  const doing = DOINGS[f.action ?? A.UNSPECIFIED];
  switch (f.actionState) {
    case S.REQUESTED:
      return `${doing} waits for the engine.`;
    case S.UNCERTAIN:
      return `${doing} had no answer. The engine reads the list of friends before anything is repeated.`;
    case S.FAILED:
      return `${doing} failed: ${FAILURES[f.failure ?? ""] ?? (f.failure || "the reason is not known")}.`;
    default:
      return "";
  }
}
/** What can be asked for in each relation. Nothing, as long as the last call has no answer. */
const POSSIBLE: Record<R, readonly A[]> = {
  [R.UNSPECIFIED]: [],
  [R.THEY_ASKED]: [A.ACCEPT, A.REMOVE, A.BLOCK],
  [R.WE_ASKED]: [A.REMOVE, A.BLOCK],
  [R.FRIEND]: [A.REMOVE, A.BLOCK],
  [R.BLOCKED]: [A.UNBLOCK],
  [R.IGNORED]: [A.ADD, A.REMOVE, A.BLOCK],
  [R.NONE]: [A.ADD, A.BLOCK],
};
export const can = (f: Friend, action: A): boolean => {
  const waits = f.actionState === S.REQUESTED && f.action === action;
  return f.actionState !== S.UNCERTAIN && !waits && POSSIBLE[f.relation ?? R.UNSPECIFIED].includes(action);
};
/** What removing means in a relation. */
export const REMOVES: Partial<Record<R, string>> = {
  [R.THEY_ASKED]: "Their request is declined.",
  [R.IGNORED]: "Their request is declined.",
  [R.WE_ASKED]: "Our request is withdrawn.",
  [R.FRIEND]:
    "The friendship ends at the platform. A long friendship can shorten the holds of trades, and does not come back with a new one.",
};
