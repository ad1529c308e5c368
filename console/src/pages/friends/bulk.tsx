import { acceptFriend, blockFriend, removeFriend, unblockFriend } from "../../gen/trading/v1/friend_calls.ts";
import { FriendAction as A, type Friend } from "../../gen/trading/v1/friend_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { can, FRIENDS } from "./words.ts";

const rest = (f: Friend) => ({ friendId: f.id!, expectedVersion: f.version });
export const BULK: readonly BulkAction<Friend>[] = [
  {
    label: "Accept",
    call: acceptFriend,
    can: (f) => can(f, A.ACCEPT),
    text: <p>Their requests are accepted. A friend can write to the account.</p>,
    run: (f, _v, key) => acceptFriend(rest(f), { key }),
    old: FRIENDS,
  },
  {
    label: "Remove",
    danger: true,
    call: removeFriend,
    can: (f) => can(f, A.REMOVE),
    text: <p>Friendships end, requests of ours are withdrawn, and theirs are declined.</p>,
    run: (f, _v, key) => removeFriend(rest(f), { key }),
    old: FRIENDS,
  },
  {
    label: "Block",
    danger: true,
    call: blockFriend,
    can: (f) => can(f, A.BLOCK),
    text: <p>They can neither write nor ask for friendship. A friendship ends with it.</p>,
    run: (f, _v, key) => blockFriend(rest(f), { key }),
    old: FRIENDS,
  },
  {
    label: "Unblock",
    call: unblockFriend,
    can: (f) => can(f, A.UNBLOCK),
    text: <p>They can write and ask for friendship again. An earlier friendship does not come back.</p>,
    run: (f, _v, key) => unblockFriend(rest(f), { key }),
    old: FRIENDS,
  },
];
