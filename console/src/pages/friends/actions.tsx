import { useLocation } from "wouter";
import { read, show } from "../../core/ids.ts";
import { sendMessage } from "../../gen/trading/v1/chat_calls.ts";
import { acceptFriend, addFriend, blockFriend, refreshFriends, removeFriend, unblockFriend } from "../../gen/trading/v1/friend_calls.ts";
import { FriendAction as A, FriendRelation as R, type Friend } from "../../gen/trading/v1/friend_pb.ts";
import { Action } from "../../ui/action.tsx";
import { accountField, NOTE, PARTNER, TEXT } from "./fields.ts";
import { can, FRIENDS, nameOf, REMOVES } from "./words.ts";

const LATER = "The engine does it in one of its next passes.";
type Accounts = readonly (readonly [string, string])[];
/** What is done for an account: a friend is added, and its list is read again. */
export function AccountActions({ accounts, chosen }: { accounts: Accounts; chosen: string }) {
  if (accounts.length === 0) return null;
  const first = chosen || accounts[0]![0];
  // The windows begin with the account of the filter.
  return (
    <div className="row" key={first}>
      <Action
        label="Refresh"
        call={refreshFriends}
        title="Read a list of friends again"
        confirm="Ask for it"
        done={LATER}
        old={FRIENDS}
        start={{ account: first }}
        text={<p>The engine reads the list of each account every 15 minutes. You can have it read now.</p>}
        fields={[accountField(accounts)]}
        run={async (v) => void (await refreshFriends({ accountId: read(v.account!) }))}
      />
      <Action
        label="Add a friend"
        icon="plus"
        kind="primary"
        call={addFriend}
        title="Add a friend"
        confirm="Ask for friendship"
        done={LATER}
        old={FRIENDS}
        wide
        start={{ account: first }}
        text={<p>The other account is asked for friendship. If it asks already, its request is accepted.</p>}
        fields={[accountField(accounts), PARTNER, NOTE]}
        run={async (v) =>
          void (await addFriend({
            accountId: read(v.account!),
            platformUserId: v.partner!.trim(),
            ...(v.note?.trim() ? { note: v.note.trim() } : {}),
          }))
        }
      />
    </div>
  );
}
/** What the relation allows. */
export function Actions({ f }: { f: Friend }) {
  const [, go] = useLocation();
  const rest = { friendId: f.id!, expectedVersion: f.version };
  const name = nameOf(f);
  return (
    <>
      {f.relation === R.FRIEND && (
        <Action
          label="Write a message"
          call={sendMessage}
          title={`Write to ${name}`}
          confirm="Send"
          done="The engine sends it in one of its next passes, once."
          old={["ListConversations", "CountConversations", "ListMessages"]}
          wide
          fields={[TEXT]}
          run={async (v) => {
            const { message } = await sendMessage({ accountId: f.accountId!, partner: f.platformUserId!, text: v.text! });
            go(`/chats/${show(message?.conversationId)}`);
          }}
        />
      )}
      {can(f, A.ADD) && (
        <Action
          label="Ask for friendship"
          icon="plus"
          kind="primary"
          call={addFriend}
          title={`Ask ${name} for friendship?`}
          confirm="Ask"
          done={LATER}
          old={FRIENDS}
          run={async () => void (await addFriend({ accountId: f.accountId!, platformUserId: f.platformUserId! }))}
        />
      )}
      {can(f, A.ACCEPT) && (
        <Action
          label="Accept"
          icon="check"
          kind="primary"
          call={acceptFriend}
          title={`Accept ${name}?`}
          confirm="Accept"
          done={LATER}
          old={FRIENDS}
          text={<p>They become friends, and can write to the account. Anyone can have this name: the number says who it is.</p>}
          run={async () => void (await acceptFriend(rest))}
        />
      )}
      {can(f, A.REMOVE) && (
        <Action
          label="Remove"
          call={removeFriend}
          title={`Remove ${name}?`}
          confirm="Remove"
          done={LATER}
          old={FRIENDS}
          danger
          text={<p>{REMOVES[f.relation ?? R.UNSPECIFIED]}</p>}
          run={async () => void (await removeFriend(rest))}
        />
      )}
      {can(f, A.UNBLOCK) && (
        <Action
          label="Unblock"
          call={unblockFriend}
          title={`Unblock ${name}?`}
          confirm="Unblock"
          done={LATER}
          old={FRIENDS}
          text={<p>They can write and ask for friendship again. An earlier friendship does not come back.</p>}
          run={async () => void (await unblockFriend(rest))}
        />
      )}
      {can(f, A.BLOCK) && (
        <Action
          label="Block"
          kind="danger"
          danger
          call={blockFriend}
          title={`Block ${name}?`}
          confirm="Block them"
          done={LATER}
          old={FRIENDS}
          text={<p>They can neither write nor ask for friendship. A friendship ends with it.</p>}
          run={async () => void (await blockFriend(rest))}
        />
      )}
    </>
  );
}
