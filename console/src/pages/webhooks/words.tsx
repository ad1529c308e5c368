import { count, plainly, words } from "../../core/format.ts";
import { WebhookDeliveryState as D, type WebhookDelivery } from "../../gen/events/v1/webhook_delivery_pb.ts";
import { WebhookDisabledReason as R, WebhookEndpointStatus as S, type WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import { Badge, Status } from "../../ui/status.tsx";

/** The calls whose answers are old after an endpoint changed. */
export const ENDPOINTS = ["ListWebhookEndpoints", "CountWebhookEndpoints", "GetWebhookEndpoint"];
/** The most changes that the server counts. */
const LAG = 200;

export const lag = (e: WebhookEndpoint): string =>
  e.positionLag === undefined ? "–" : e.positionLag >= LAG ? `${LAG} or more` : count(e.positionLag);
/** The address without what nearly all of them begin with. */
export const place = (e: WebhookEndpoint): string => (e.url ?? "").replace(/^https:\/\//, "");
export const types = (e: { types: readonly string[] }): string => (e.types.includes("*") ? "everything" : e.types.join(", "));

/** What an endpoint does now, in one word. */
export const stateOf = (e: WebhookEndpoint): string =>
  e.status === S.DISABLED ? "Disabled" : e.consecutiveFailures ? "Fails" : e.lastSuccessAt ? "Delivers" : "Nothing delivered yet";
export const EndpointState = ({ e }: { e: WebhookEndpoint }) => {
  const word = stateOf(e);
  if (e.status === S.DISABLED)
    return (
      <Badge tone={e.disabledReason === R.PERSON ? "" : "loss"} shape="square">
        {word}
      </Badge>
    );
  if (e.consecutiveFailures) return <Badge tone="loss">{word}</Badge>;
  return e.lastSuccessAt ? <Badge tone="gain">{word}</Badge> : <Badge shape="ring">Nothing yet</Badge>;
};
export const WHY_DISABLED: Record<R, string> = {
  [R.UNSPECIFIED]: "No events are delivered until it is enabled.",
  [R.PERSON]: "A person disabled it. No events are delivered until it is enabled.",
  [R.REMOVED]: "The receiver answered that it no longer exists (410). Correct the address, then enable it.",
  [R.FAILING]: "Every try of five days failed, so the server disabled it. Correct the receiver, then enable it.",
};

/** A failed try is not a failed delivery until it is the last one. */
export const DeliveryState = ({ d }: { d: WebhookDelivery }) =>
  d.state === D.PENDING && (d.tries ?? 0) > 0 ? (
    <Badge tone="warn" shape="ring">
      Retrying
    </Badge>
  ) : (
    <Status name={D[d.state ?? 0]} />
  );
export const deliveryWord = (d: WebhookDelivery): string =>
  d.state === D.PENDING && (d.tries ?? 0) > 0 ? "Retrying" : words(D[d.state ?? 0]);
/** What came back at the last try, in a few words. */
export const outcome = (d: WebhookDelivery): string =>
  d.error || (d.httpStatus ? `answered ${d.httpStatus}` : d.tries ? "no answer" : "not tried yet");
export const sentenceOf = (text: string | undefined): string => {
  const t = plainly(text);
  return t && `${t.charAt(0).toUpperCase()}${t.slice(1)}${/[.!?]$/.test(t) ? "" : "."}`;
};
