import { ago, count, iso } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import {
  countWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoints,
  listWebhookEndpoints,
} from "../../gen/events/v1/webhook_endpoint_calls.ts";
import { WebhookEndpointStatus as S, type WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { linesOf } from "../../ui/form.tsx";
import { Empty } from "../../ui/state.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { FIELDS, Secret } from "./fields.tsx";
import { ENDPOINTS, EndpointState, lag, place, stateOf, types } from "./words.tsx";

const COLUMNS: Column<WebhookEndpoint>[] = [
  { id: "url", head: "Address", phone: "title", cell: (e) => <span className="clip">{place(e)}</span>, text: (e) => e.url ?? "" },
  { id: "state", head: "State", width: "9rem", phone: "status", cell: (e) => <EndpointState e={e} />, text: stateOf },
  {
    id: "for",
    head: "Description",
    width: "11rem",
    from: "md",
    cell: (e) => <span className="clip muted">{e.description || "–"}</span>,
    text: (e) => e.description ?? "",
  },
  { id: "types", head: "Events", width: "14rem", from: "lg", cell: (e) => <span className="clip muted">{types(e)}</span>, text: types },
  {
    id: "failures",
    head: "Failures",
    width: "6.5rem",
    end: true,
    from: "md",
    cell: (e) => <span className={`num ${e.consecutiveFailures ? "loss" : "muted"}`}>{count(e.consecutiveFailures ?? 0)}</span>,
    text: (e) => String(e.consecutiveFailures ?? 0),
  },
  {
    id: "lag",
    head: "Behind by",
    width: "7.5rem",
    end: true,
    from: "md",
    cell: (e) => <span className={`num ${e.positionLag ? "" : "muted"}`}>{lag(e)}</span>,
    text: (e) => String(e.positionLag ?? ""),
  },
  {
    id: "success",
    head: "Last accepted",
    width: "8.5rem",
    end: true,
    phone: "end",
    cell: (e) => <span className="muted">{ago(e.lastSuccessAt, Date.now())}</span>,
    text: (e) => iso(e.lastSuccessAt),
  },
  { id: "note", head: "Events", phone: "note", phoneOnly: true, cell: (e) => <span className="clip">{types(e)}</span> },
];
const Create = () => (
  <Action
    label="New endpoint"
    icon="plus"
    kind="primary"
    call={createWebhookEndpoint}
    title="New webhook endpoint"
    confirm="Create the endpoint"
    old={ENDPOINTS}
    wide
    text={<p>It receives the events that are recorded from now on.</p>}
    start={{ types: "*" }}
    fields={[...FIELDS, { name: "disabled", label: "Disabled at first", kind: "check" }]}
    run={async (v) => {
      const made = await createWebhookEndpoint({
        url: v.url!.trim(),
        description: (v.description ?? "").trim(),
        types: linesOf(v.types),
        disabled: v.disabled === "yes",
      });
      return <Secret raw={made.secret} of={made.endpoint} />;
    }}
  />
);
export default function Webhooks() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countWebhookEndpoints, {});
  const records = useRecords<WebhookEndpoint>({
    name: "ListWebhookEndpoints",
    filter: status,
    list: async (cursor, signal) => {
      const a = await listWebhookEndpoints({ limit: 100, cursor, status }, { signal });
      return { ids: a.endpointIds, next: a.nextCursor };
    },
    get: async (endpointIds, signal) => (await getWebhookEndpoints({ endpointIds }, { signal })).endpoints,
  });
  const total = counts.data?.counts.reduce((n, c) => n + (c.count ?? 0), 0);
  return (
    <>
      <Head title="Webhooks" note="Addresses of programs to which the server posts each event, signed.">
        <SaveRows name="webhooks" columns={COLUMNS} of={records} />
        <Create />
      </Head>
      {Boolean(total) && <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} />}
      <Card flush>
        <RecordTable
          label="Webhook endpoints"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(e) => `/webhooks/${show(e.id)}`}
          {...(total === undefined || status ? {} : { total })}
          empty={
            <Empty icon="webhooks" title={status ? "No endpoint has this status." : "There is no webhook endpoint yet."}>
              <p>
                An endpoint is an address of yours that events are posted to. While you write the receiver on your own machine,{" "}
                <code className="mono">tradepost webhook listen</code> forwards events to it without one.
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
