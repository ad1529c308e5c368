import { timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { useLocation } from "wouter";
import { count, parseWhole, zoneName } from "../../core/format.ts";
import { marketNow } from "../../core/live.ts";
import { timeOf } from "../../core/zone.ts";
import { replayWebhookEvents, sendTestEvent } from "../../gen/events/v1/webhook_delivery_calls.ts";
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from "../../gen/events/v1/webhook_endpoint_calls.ts";
import { WebhookEndpointStatus as S, type WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { Spec, Values } from "../../ui/field.tsx";
import { linesOf } from "../../ui/form.tsx";
import { Notice } from "../../ui/state.tsx";
import { Delivery, DELIVERIES } from "./delivery.tsx";
import { FIELDS, Secret } from "./fields.tsx";
import { typesField } from "./types.tsx";
import { ENDPOINTS } from "./words.tsx";

interface Of {
  e: WebhookEndpoint;
}
const rest = (e: WebhookEndpoint) => ({ endpointId: e.id!, expectedVersion: e.version });
const HOUR = 3_600_000;
const OWN = "own";
const own = (v: Values) => v.span === OWN;
const periodFields = (): readonly Spec[] => [
  {
    name: "span",
    label: "Period",
    kind: "select",
    wide: true,
    options: [
      ["1", "The last hour"],
      ["6", "The last 6 hours"],
      ["24", "The last 24 hours"],
      ["168", "The last 7 days"],
      ["720", "The last 30 days"],
      [OWN, "From one time to another"],
    ],
  },
  { name: "from", label: "From", kind: "time", required: true, when: own, hint: `Time of ${zoneName()}, at most 31 days ago.` },
  {
    name: "to",
    label: "To",
    kind: "time",
    when: own,
    hint: `Time of ${zoneName()}. Empty: now.`,
    check: (to, v) => (v.from && to <= v.from ? "It must be after the beginning." : undefined),
  },
  typesField({ label: "Only these events", required: false, hint: "None: those that the endpoint asks for." }),
];
const period = (v: Values): { from: Timestamp | undefined; to?: Timestamp | undefined } =>
  own(v) ? { from: timeOf(v.from), to: timeOf(v.to) } : { from: timestampFromDate(new Date(marketNow() - Number(v.span) * HOUR)) };

/** The server waits for the receiver for up to 15 s, and has something to do before and after. */
const PATIENCE = 25_000;
const Test = ({ e }: Of) => (
  <Action
    label="Send a test"
    call={sendTestEvent}
    title="Send a test"
    confirm="Send it now"
    old={DELIVERIES}
    text={<p>Posts an event endpoint.test to {e.url} and waits for the answer. One that fails is tried again like every delivery.</p>}
    run={async () => {
      const { delivery } = await sendTestEvent({ endpointId: e.id! }, { timeoutMs: PATIENCE });
      return delivery && <Delivery d={delivery} />;
    }}
  />
);
const Replay = ({ e }: Of) => (
  <Action
    label="Replay"
    call={replayWebhookEvents}
    title="Replay events"
    confirm="Deliver them again"
    old={DELIVERIES}
    wide
    text={<p>Delivers the events of a period once more, each under the id that it had. At most 10,000 at a time.</p>}
    start={{ span: "24" }}
    fields={periodFields()}
    run={async (v) => {
      const { enqueued = 0 } = await replayWebhookEvents({ endpointId: e.id!, ...period(v), types: linesOf(v.types) });
      return (
        <Notice tone={enqueued ? "good" : "info"} icon={enqueued ? "check" : "problems"}>
          {enqueued === 0
            ? "No event of these types is in this period. Nothing is sent."
            : `${count(enqueued)} ${enqueued === 1 ? "event is" : "events are"} delivered once more.`}
        </Notice>
      );
    }}
  />
);
const Edit = ({ e }: Of) => (
  <Action
    label="Edit"
    call={updateWebhookEndpoint}
    title="Edit the endpoint"
    confirm="Save"
    done="Saved."
    old={ENDPOINTS}
    wide
    start={{ url: e.url ?? "", description: e.description ?? "", types: e.types.join("\n") }}
    fields={FIELDS}
    run={async (v) => {
      const url = v.url!.trim();
      await updateWebhookEndpoint({
        ...rest(e),
        ...(url === e.url ? {} : { url }),
        description: (v.description ?? "").trim(),
        types: linesOf(v.types),
      });
    }}
  />
);
const Rotate = ({ e }: Of) => (
  <Action
    label="Rotate the secret"
    call={rotateWebhookSecret}
    title="Rotate the secret"
    confirm="Make a new secret"
    old={ENDPOINTS}
    start={{ hours: "24" }}
    fields={[
      {
        name: "hours",
        label: "The old secret signs for another",
        kind: "whole",
        suffix: "hours",
        required: true,
        wide: true,
        hint: "Both sign in the meantime, so that the receiver can be changed. 0 ends the old one at once.",
        check: (v) => ((parseWhole(v) ?? 0) > 24 ? "At most 24." : undefined),
      },
    ]}
    run={async (v) => (
      <Secret raw={(await rotateWebhookSecret({ endpointId: e.id!, overlapSeconds: parseWhole(v.hours!)! * 3600 })).secret} />
    )}
  />
);
const Enable = ({ e }: Of) => (
  <Action
    label="Enable"
    icon="play"
    kind="primary"
    call={enableWebhookEndpoint}
    title="Enable the endpoint?"
    confirm="Enable"
    done="Enabled."
    old={ENDPOINTS}
    text={<p>Deliveries go on where the endpoint was.</p>}
    run={async () =>
      (await enableWebhookEndpoint(rest(e))).beginsAtEnd && (
        <Notice>The endpoint was away for more than 31 days. It receives new events, and those in between are not delivered.</Notice>
      )
    }
  />
);
const Disable = ({ e }: Of) => (
  <Action
    label="Disable"
    call={disableWebhookEndpoint}
    title="Disable the endpoint?"
    confirm="Disable"
    done="Disabled."
    old={ENDPOINTS}
    text={<p>Events wait until it is enabled again. Those of the last 31 days are delivered then.</p>}
    run={async () => void (await disableWebhookEndpoint(rest(e)))}
  />
);
function Delete({ e }: Of) {
  const [, go] = useLocation();
  return (
    <Action
      label="Delete"
      kind="danger"
      danger
      call={deleteWebhookEndpoint}
      title="Delete the endpoint?"
      confirm="Delete the endpoint"
      done="Deleted."
      old={ENDPOINTS}
      text={<p>Its secret is deleted, and deliveries that wait are cancelled. This cannot be undone.</p>}
      run={async () => {
        await deleteWebhookEndpoint(rest(e));
        go("/webhooks");
      }}
    />
  );
}
export const Actions = ({ e }: Of) => (
  <>
    <Test e={e} />
    <Replay e={e} />
    <Edit e={e} />
    <Rotate e={e} />
    {e.status === S.DISABLED ? <Enable e={e} /> : <Disable e={e} />}
    <Delete e={e} />
  </>
);
