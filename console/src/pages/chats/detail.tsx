import { Link } from "wouter";
import { count, iso, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useUserNames } from "../../core/members.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getAccount } from "../../gen/trading/v1/account_calls.ts";
import { getConversation, getMessages, listMessages, markConversationRead, sendMessage } from "../../gen/trading/v1/chat_calls.ts";
import { ChatMessageStatus as S, type ChatMessage, type Conversation } from "../../gen/trading/v1/chat_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Badge, Status, wordOf } from "../../ui/status.tsx";
import { Send } from "./send.tsx";
import { CHATS, isUnread, linesOf, troubleOf } from "./words.ts";

const BACK: [string, string] = ["/chats", "Chats"];
export default function ChatDetail({ id = "" }: { id?: string }) {
  const conversationId = read(id);
  const query = useCall(getConversation, { conversationId });
  const c = query.data?.conversation;
  const account = useCall(getAccount, { accountId: c?.accountId ?? new Uint8Array() }, { enabled: Boolean(c) && may(getAccount) });
  if (query.isError || !c)
    return (
      <>
        <Head title="Conversation" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const a = account.data?.account;
  const isOff = a !== undefined && !a.chatEnabled;
  return (
    <>
      <Head
        title={`Conversation with ${c.partner}`}
        back={BACK}
        note={
          <>
            {isUnread(c) ? <Badge tone="info">{count(c.unread)} unread</Badge> : <Badge shape="square">Read</Badge>} {a && `of ${a.name}`}
          </>
        }
      >
        {isUnread(c) && <MarkRead c={c} />}
      </Head>
      <div className="split">
        <div className="stack">
          {isOff && (
            <Notice tone="info">
              <b>The chat of the account is off.</b> No message is read or sent.{" "}
              <Link href={`/accounts/${show(c.accountId)}`}>Open the account</Link> to enable it.
            </Notice>
          )}
          {may(sendMessage) && !isOff && <Send c={c} />}
          <Messages c={c} account={a?.name ?? "We"} />
        </div>
        <div className="stack">
          <Card title="Record">
            <Facts
              of={[
                ["Account", <Link href={`/accounts/${show(c.accountId)}`}>{a?.name || "The account"}</Link>],
                ["With", <span className="mono">{c.partner}</span>],
                ["Last message", when(c.lastMessageAt)],
                ["Read here until", when(c.readUntil)],
                ["Recorded", when(c.createdAt)],
                ["Version", String(c.version ?? "")],
                ["Id", <span className="mono">{show(c.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
/** Until the last message that the page knows of: one that came since stays unread. */
const MarkRead = ({ c }: { c: Conversation }) => (
  <Action
    label="Mark as read"
    icon="check"
    call={markConversationRead}
    title="Mark as read?"
    confirm="Mark as read"
    done="Marked as read."
    old={CHATS}
    text={<p>It is read until the last message that is shown here. The partner can see that at the platform.</p>}
    run={async () => void (await markConversationRead({ conversationId: c.id!, ...(c.lastMessageAt ? { until: c.lastMessageAt } : {}) }))}
  />
);
const isAsShown = (m: ChatMessage): boolean => m.status === S.SENT || m.status === S.RECEIVED;
/** The messages, the newest first. Their texts are data: a link in one is text. */
function Messages({ c, account }: { c: Conversation; account: string }) {
  const conversationId = c.id!;
  const list = useRecords<ChatMessage>({
    name: "ListMessages",
    filter: show(conversationId),
    subject: T.CHAT_MESSAGE,
    list: async (cursor, signal) => {
      const a = await listMessages({ conversationId, limit: 50, cursor }, { signal });
      return { ids: a.messageIds, next: a.nextCursor };
    },
    get: async (messageIds, signal) => (await getMessages({ messageIds }, { signal })).messages,
  });
  const authors = new Map(list.rows.flatMap((m) => (m.sentBy?.length ? [[show(m.sentBy), m.sentBy] as const] : [])));
  const names = useUserNames([...authors.values()]);
  const byOf = (m: ChatMessage): string => {
    if (!m.fromUs) return c.partner ?? "";
    if (!m.sentBy?.length) return `${account}, written outside`;
    const name = names.data?.get(show(m.sentBy));
    return `${account}, ${name ? `by ${name}` : "by an API key"}`;
  };
  const columns = [
    { head: "Time", text: (m: ChatMessage) => iso(m.sentAt ?? m.createdAt) },
    { head: "From", text: byOf },
    { head: "Status", text: (m: ChatMessage) => wordOf(S[m.status ?? 0]) },
    { head: "Text", text: (m: ChatMessage) => m.text ?? "" },
  ];
  return (
    <Card
      title="Messages"
      note="The newest first, of the last 90 days. Links are shown as text: partners know how to imitate a marketplace"
      extra={<SaveRows name={`chat-${c.partner ?? ""}`} columns={columns} of={list} />}
    >
      {list.query.isError ? (
        <Failed error={list.query.error} again={list.query.refetch} />
      ) : list.query.isPending ? (
        <Skeleton lines={6} />
      ) : list.rows.length === 0 ? (
        <Empty icon="chats" title="No message is recorded.">
          <p>Messages are kept for 90 days. What is older is at the platform alone.</p>
        </Empty>
      ) : (
        <ol className="steps" aria-label="Messages">
          {list.rows.map((m) => (
            <li key={show(m.id)}>
              <span>
                <b>{byOf(m)}</b> {!isAsShown(m) && <Status name={S[m.status ?? 0]} />}
              </span>
              <time>{when(m.sentAt ?? m.createdAt)}</time>
              <Text of={m} />
              {troubleOf(m) && <small>{troubleOf(m)}</small>}
            </li>
          ))}
        </ol>
      )}
      {!list.complete && (
        <p>
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
    </Card>
  );
}
const Text = ({ of: m }: { of: ChatMessage }) => (
  <span className="said">
    {linesOf(m.text).map((line, i) => (
      <span key={i}>
        {i > 0 && <br />}
        {line}
      </span>
    ))}
  </span>
);
