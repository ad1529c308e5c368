import { useSearchParams } from "wouter";
import { ago, count, iso } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { countAlertChannels, createAlertChannel, getAlertChannels, listAlertChannels } from "../../gen/alerts/v1/alert_channel_calls.ts";
import { AlertChannelKind as K, AlertChannelStatus as S, type AlertChannel } from "../../gen/alerts/v1/alert_channel_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { createFields, Made, OWN, secretIn, targetIn } from "./channel-fields.tsx";
import { ChannelState, CHANNELS, kindOf, mayChange, stateOf, targetOf } from "./words.tsx";

const WHOSE = [
  { id: "", name: "The workspace's" },
  { id: OWN, name: "Yours" },
];
const COLUMNS: Column<AlertChannel>[] = [
  { id: "name", head: "Channel", phone: "title", cell: (c) => <span className="clip">{c.name}</span>, text: (c) => c.name ?? "" },
  { id: "state", head: "State", width: "9rem", phone: "status", cell: (c) => <ChannelState c={c} />, text: stateOf },
  { id: "kind", head: "Kind", width: "8rem", from: "md", cell: (c) => <span className="muted">{kindOf(c)}</span>, text: kindOf },
  {
    id: "target",
    head: "Goes to",
    width: "18rem",
    from: "lg",
    cell: (c) => <span className="clip muted">{targetOf(c)}</span>,
    text: targetOf,
  },
  {
    id: "failures",
    head: "Failures",
    width: "6.5rem",
    end: true,
    from: "md",
    cell: (c) => <span className={`num ${c.consecutiveFailures ? "loss" : "muted"}`}>{count(c.consecutiveFailures ?? 0)}</span>,
    text: (c) => String(c.consecutiveFailures ?? 0),
  },
  {
    id: "success",
    head: "Last accepted",
    width: "8.5rem",
    end: true,
    phone: "end",
    cell: (c) => <span className="muted">{ago(c.lastSuccessAt, Date.now())}</span>,
    text: (c) => iso(c.lastSuccessAt),
  },
  {
    id: "note",
    head: "Kind",
    phone: "note",
    phoneOnly: true,
    cell: (c) => (
      <span className="clip">
        {kindOf(c)}, {targetOf(c)}
      </span>
    ),
  },
];
const Create = ({ whose }: { whose: string }) => (
  <Action
    label="New channel"
    icon="plus"
    kind="primary"
    call={createAlertChannel}
    title="New alert channel"
    confirm="Create the channel"
    old={CHANNELS}
    wide
    text={<p>A channel is where messages go. Its rules say which ones, and when.</p>}
    start={{ whose, kind: String(whose === OWN ? K.MAIL : K.TELEGRAM) }}
    fields={createFields()}
    run={async (v) => {
      const made = await createAlertChannel({
        own: v.whose === OWN,
        kind: Number(v.kind) as K,
        name: v.name!.trim(),
        target: targetIn(v),
        secret: secretIn(v),
      });
      return <Made of={made.channel} secret={made.secret} />;
    }}
  />
);
export default function Alerts() {
  const [search, setSearch] = useSearchParams();
  const whose = search.get("whose") === OWN ? OWN : "";
  const own = whose === OWN;
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countAlertChannels, { own });
  const records = useRecords<AlertChannel>({
    name: "ListAlertChannels",
    filter: [own, status],
    list: async (cursor, signal) => {
      const a = await listAlertChannels({ limit: 100, cursor, own, status }, { signal });
      return { ids: a.channelIds, next: a.nextCursor };
    },
    get: async (channelIds, signal) => (await getAlertChannels({ channelIds }, { signal })).channels,
  });
  const total = counts.data?.counts.reduce((n, c) => n + (c.count ?? 0), 0);
  return (
    <>
      <Head title="Alerts" note="Messages to people when money or trading needs them, outside of this page.">
        <SaveRows name="alert-channels" columns={COLUMNS} of={records} />
        <Create key={whose} whose={mayChange(own) ? whose : OWN} />
      </Head>
      <div className="tools">
        <Segments label="Whose channels" choices={WHOSE} chosen={whose} choose={(w) => setSearch(w ? { whose: w } : {})} />
      </div>
      {Boolean(total) && <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} />}
      <Card flush>
        <RecordTable
          label="Alert channels"
          columns={COLUMNS}
          records={records}
          bulk={mayChange(own) ? BULK : []}
          href={(c) => `/alerts/${show(c.id)}`}
          {...(total === undefined || status ? {} : { total })}
          empty={
            <Empty
              icon="alerts"
              title={status ? "No channel has this status." : own ? "You have no channel yet." : "Alerts go to no one yet."}
            >
              <p>
                {own
                  ? "Mail, a chat or an address of your own: what goes there is for you alone."
                  : "Without a channel a problem waits until a person opens this page. Add the chat of your team, or an address of a program."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
