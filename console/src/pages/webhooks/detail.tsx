import { useQuery } from "@tanstack/react-query";
import { ago, count, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { listWebhookDeliveries } from "../../gen/events/v1/webhook_delivery_calls.ts";
import { getWebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_calls.ts";
import { WebhookDisabledReason as R, WebhookEndpointStatus as S, type WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import { Card, Facts, Head, Stat } from "../../ui/card.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Actions } from "./actions.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EndpointState, lag, WHY_DISABLED } from "./words.tsx";

/** The live feed does not name endpoints, so their health is asked for again while it is looked at. */
const EVERY = 10_000;
const BACK: [string, string] = ["/webhooks", "Webhooks"];

export default function WebhookDetail({ id = "" }: { id?: string }) {
  const query = useQuery({
    queryKey: ["GetWebhookEndpoint", id],
    refetchInterval: EVERY,
    queryFn: ({ signal }) => getWebhookEndpoint({ endpointId: read(id) }, { signal }),
  });
  const e = query.data?.endpoint;
  if (!e)
    return (
      <>
        <Head title="Webhook endpoint" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  return (
    <>
      <Head
        title={e.description || "Webhook endpoint"}
        back={BACK}
        note={
          <>
            <EndpointState e={e} /> <span className="mono">{e.url}</span>
          </>
        }
      >
        <Actions e={e} />
      </Head>
      <div className="stack">
        <Trouble e={e} />
        <Health e={e} />
        <div className="split">
          <div className="stack">{may(listWebhookDeliveries) && <Deliveries endpointId={e.id!} />}</div>
          <Record e={e} />
        </div>
      </div>
    </>
  );
}
/** What a person has to know about it, if anything. */
function Trouble({ e }: { e: WebhookEndpoint }) {
  if (e.status === S.DISABLED) {
    const why = e.disabledReason ?? R.UNSPECIFIED;
    return <Notice tone={why === R.REMOVED || why === R.FAILING ? "bad" : "info"}>{WHY_DISABLED[why]}</Notice>;
  }
  return e.consecutiveFailures ? (
    <Notice>
      <b>{e.consecutiveFailures === 1 ? "The last try failed." : `The last ${count(e.consecutiveFailures)} tries failed.`}</b> The
      deliveries show why. After five days in which every try fails, the server disables the endpoint.
    </Notice>
  ) : null;
}
function Health({ e }: { e: WebhookEndpoint }) {
  // Health is of the server's clock: calls have no time of a market.
  const now = Date.now();
  return (
    <div className="grid">
      <Stat name="Failures in a row" value={count(e.consecutiveFailures ?? 0)} tone={e.consecutiveFailures ? "loss" : ""} note="tries" />
      <Stat
        name="Behind by"
        value={lag(e)}
        note={e.positionLag ? "changes that were not looked at yet" : "nothing waits to be looked at"}
      />
      <Stat
        name="Last accepted"
        value={e.lastSuccessAt ? ago(e.lastSuccessAt, now) : "never"}
        note={e.lastSuccessAt && when(e.lastSuccessAt)}
      />
      <Stat
        name="Last failed"
        value={e.lastFailureAt ? ago(e.lastFailureAt, now) : "never"}
        note={e.lastFailureAt && when(e.lastFailureAt)}
      />
    </div>
  );
}
const Record = ({ e }: { e: WebhookEndpoint }) => (
  <Card title="Record">
    <Facts
      of={[
        [
          "Events",
          <ul className="tags">
            {e.types.map((t) => (
              <li key={t} className={t === "*" ? "" : "mono"}>
                {t === "*" ? "everything" : t}
              </li>
            ))}
          </ul>,
        ],
        ["Secret ends with", <span className="mono">{e.secretHint}</span>],
        ["Created", when(e.createdAt)],
        ["Changed", when(e.updatedAt)],
        ["Version", String(e.version ?? "")],
        ["Id", <span className="mono">{show(e.id)}</span>],
      ]}
    />
  </Card>
);
