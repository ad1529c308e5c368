import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { refresh, useRecords } from "../../core/queries.ts";
import { getAlertMessages, listAlertMessages } from "../../gen/alerts/v1/alert_message_calls.ts";
import { AlertMessageState as M, type AlertMessage } from "../../gen/alerts/v1/alert_message_pb.ts";
import { AlertTopic as T } from "../../gen/alerts/v1/alert_rule_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import Window from "../../ui/dialog.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Message, MESSAGES } from "./message.tsx";
import { topicName, TOPICS } from "./rule.ts";
import { MessageState, messageWord, stateWord } from "./words.tsx";

const AT_ONCE = 50;
const EVERY = 10_000;
const STATES = [M.WAITING, M.SENT, M.FAILED, M.DROPPED];
const waits = (m: AlertMessage) => m.state === M.WAITING;
const remark = (m: AlertMessage) => m.error || topicName(m.topic);
const columns = (open: (id: string) => void): Column<AlertMessage>[] => [
  {
    id: "title",
    head: "Message",
    phone: "title",
    cell: (m) => (
      <button type="button" className="plainlink clip" onClick={() => open(show(m.id))}>
        {m.title}
      </button>
    ),
    text: (m) => m.title ?? "",
  },
  { id: "state", head: "State", width: "8rem", phone: "status", cell: (m) => <MessageState m={m} />, text: messageWord },
  {
    id: "remark",
    head: "Topic, or why not",
    width: "15rem",
    from: "lg",
    cell: (m) => <span className={`clip ${m.error ? "loss" : "muted"}`}>{remark(m)}</span>,
    text: remark,
  },
  {
    id: "at",
    head: "Created",
    width: "11.5rem",
    end: true,
    phone: "end",
    cell: (m) => <span className="num muted">{when(m.createdAt)}</span>,
    text: (m) => iso(m.createdAt),
  },
  { id: "note", head: "Topic, or why not", phone: "note", phoneOnly: true, cell: (m) => <span className="clip">{remark(m)}</span> },
];
/** Messages that wait are asked for again, and only these: the list itself stays. */
function useCurrent(rows: readonly AlertMessage[]): AlertMessage[] {
  const messageIds = rows
    .filter(waits)
    .map((m) => m.id!)
    .slice(0, 200);
  const query = useQuery<AlertMessage[]>({
    queryKey: ["GetAlertMessages", messageIds.map(show).join()],
    enabled: messageIds.length > 0,
    refetchInterval: (q) => (q.state.data?.every((m) => !waits(m)) ? false : EVERY),
    queryFn: async ({ signal }) => (await getAlertMessages({ messageIds }, { signal })).messages,
  });
  const now = new Map(query.data?.map((m) => [show(m.id), m]));
  return rows.map((m) => now.get(show(m.id)) ?? m);
}
/** The messages of a channel, the newest first, some at a time. */
export function Messages({ channelId }: { channelId: Uint8Array }) {
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState("");
  const state = (M[(search.get("state") ?? "") as keyof typeof M] ?? M.UNSPECIFIED) as M;
  const topic = (T[(search.get("topic") ?? "") as keyof typeof T] ?? T.UNSPECIFIED) as T;
  const choose = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
  const list = useRecords<AlertMessage>({
    name: "ListAlertMessages",
    filter: [show(channelId), state, topic],
    list: async (cursor, signal) => {
      const a = await listAlertMessages({ channelId, limit: AT_ONCE, cursor, state, topic }, { signal });
      return { ids: a.messageIds, next: a.nextCursor };
    },
    get: async (messageIds, signal) => (await getAlertMessages({ messageIds }, { signal })).messages,
  });
  const rows = useCurrent(list.rows);
  const shown = columns(setOpen);
  const chosen = rows.find((m) => show(m.id) === open);
  return (
    <>
      <Card
        title="Messages"
        note="What was sent, and what was not"
        flush
        extra={
          <div className="choices">
            <Choice label="State of the messages" value={state ? M[state] : ""} choose={(v) => choose("state", v)} none="Every state">
              {STATES.map((s) => (
                <option key={s} value={M[s]}>
                  {stateWord(s)}
                </option>
              ))}
            </Choice>
            <Choice label="Topic" value={topic ? T[topic] : ""} choose={(v) => choose("topic", v)} none="Every topic">
              {[...TOPICS.map(([t]) => t), T.TEST].map((t) => (
                <option key={t} value={T[t]}>
                  {topicName(t)}
                </option>
              ))}
            </Choice>
            <Button onPress={() => void refresh(...MESSAGES)}>Refresh</Button>
            <SaveRows name="messages" columns={shown} of={{ ...list, rows }} />
          </div>
        }
      >
        {list.query.isError ? (
          <div className="body">
            <Failed error={list.query.error} again={list.query.refetch} />
          </div>
        ) : list.query.isPending ? (
          <div className="body">
            <Skeleton lines={6} />
          </div>
        ) : rows.length === 0 ? (
          <Empty title={state || topic ? "No message is like that." : "Nothing was sent yet."}>
            <p>{state || topic ? "Choose other ones." : "What its rules are about is, once it happens, and so is a test."}</p>
          </Empty>
        ) : (
          <Table label="Messages" columns={shown} rows={rows} id={(m) => show(m.id)} />
        )}
      </Card>
      {!list.complete && (
        <p className="row">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
      {chosen && (
        <Window title={chosen.title ?? "Message"} close={() => setOpen("")} wide>
          <Message m={chosen} />
          <footer>
            <Button kind="primary" onPress={() => setOpen("")}>
              Close
            </Button>
          </footer>
        </Window>
      )}
    </>
  );
}
