import { useLocation } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { count, iso, several, when } from "../../core/format.ts";
import { read, short, show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import {
  countConversations,
  getConversations,
  listConversations,
  markConversationRead,
  sendMessage,
} from "../../gen/trading/v1/chat_calls.ts";
import type { Conversation } from "../../gen/trading/v1/chat_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { accountField, PARTNER, TEXT } from "../friends/fields.ts";
import { CHATS, isUnread } from "./words.ts";

const BULK: readonly BulkAction<Conversation>[] = [
  {
    label: "Mark as read",
    call: markConversationRead,
    can: isUnread,
    text: <p>They are marked as read until the last message that is shown here, also at the platform.</p>,
    run: (c, _v, key) => markConversationRead({ conversationId: c.id!, ...(c.lastMessageAt ? { until: c.lastMessageAt } : {}) }, { key }),
    old: CHATS,
  },
];
const columns = (accountOf: (c: Conversation) => string): Column<Conversation>[] => [
  {
    id: "partner",
    head: "With",
    phone: "title",
    cell: (c) => <span className="mono clip">{c.partner}</span>,
    text: (c) => c.partner ?? "",
  },
  {
    id: "unread",
    head: "State",
    width: "8rem",
    phone: "status",
    cell: (c) => (isUnread(c) ? <Badge tone="info">{count(c.unread)} unread</Badge> : <Badge shape="square">Read</Badge>),
    text: (c) => String(c.unread ?? 0),
  },
  {
    id: "account",
    head: "Account",
    width: "10rem",
    from: "md",
    cell: (c) => <span className="clip muted">{accountOf(c)}</span>,
    text: accountOf,
  },
  {
    id: "last",
    head: "Last message",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (c) => <span className="num muted">{when(c.lastMessageAt)}</span>,
    text: (c) => iso(c.lastMessageAt),
  },
  {
    id: "read",
    head: "Read until",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (c) => <span className="num muted">{when(c.readUntil)}</span>,
    text: (c) => iso(c.readUntil),
  },
  {
    id: "note",
    head: "Last message",
    phone: "note",
    phoneOnly: true,
    cell: (c) => (
      <span className="clip">
        {accountOf(c)}, {when(c.lastMessageAt)}
      </span>
    ),
  },
];
const FILTERS = ["unread", "account"];
/** Conversations of the accounts whose chat is enabled. */
export default function Chats() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const unreadOnly = filters.of("unread") === "yes";
  const account = filters.of("account");
  const accountId = read(account);
  const counts = useCall(countConversations, {});
  const records = useRecords<Conversation>({
    name: "ListConversations",
    filter: [account, unreadOnly],
    list: async (cursor, signal) => {
      const a = await listConversations({ limit: 100, cursor, accountId, unreadOnly }, { signal });
      return { ids: a.conversationIds, next: a.nextCursor };
    },
    get: async (conversationIds, signal) => (await getConversations({ conversationIds }, { signal })).conversations,
  });
  const names = useSubjectNames(records.rows.map((c) => ({ subjectType: T.ACCOUNT, subjectId: c.accountId })));
  const shown = columns((c) => names.get(show(c.accountId))?.name ?? short(c.accountId));
  // The server counts all of a workspace: for one account the numbers would be of other rows.
  const known = account ? undefined : counts.data;
  const unread = counts.data?.unread ?? 0;
  return (
    <>
      <Head
        title="Chats"
        back={["/friends", "Friends"]}
        note={
          unread
            ? `${several(unread, "conversation has", "conversations have")} unread messages.`
            : "What partners write to the accounts whose chat is enabled."
        }
      >
        <SaveRows name="conversations" columns={shown} of={records} />
        {accounts.length > 0 && <Write key={account} accounts={accounts} chosen={account} />}
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Unread"
        chosen={unreadOnly ? "yes" : ""}
        choose={(v) => filters.set("unread", v)}
        choices={[
          { id: "", name: "All", count: known?.total },
          { id: "yes", name: "Unread", count: known?.unread },
        ]}
      />
      <Card flush>
        <RecordTable
          label="Conversations"
          columns={shown}
          records={records}
          bulk={BULK}
          href={(c) => `/chats/${show(c.id)}`}
          total={!known ? -1 : ((unreadOnly ? known.unread : known.total) ?? -1)}
          empty={
            <Empty
              icon="chats"
              title={
                unreadOnly ? "Everything is read." : filters.any ? "The account has no conversation." : "There is no conversation yet."
              }
            >
              <p>
                {unreadOnly
                  ? "A conversation is here as long as the platform shows messages of it as unread."
                  : "The chat of an account is off until you enable it on the page of the account. From then on the engine looks for messages every minute."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
function Write({ accounts, chosen }: { accounts: readonly (readonly [string, string])[]; chosen: string }) {
  const [, go] = useLocation();
  return (
    <Action
      label="Write a message"
      icon="plus"
      kind="primary"
      call={sendMessage}
      title="Write a message"
      confirm="Send"
      done="The engine sends it in one of its next passes, once."
      old={CHATS}
      wide
      start={{ account: chosen || accounts[0]![0] }}
      fields={[accountField(accounts, "Its chat must be enabled."), PARTNER, TEXT]}
      run={async (v) => {
        const { message } = await sendMessage({ accountId: read(v.account!), partner: v.partner!.trim(), text: v.text! });
        go(`/chats/${show(message?.conversationId)}`);
      }}
    />
  );
}
