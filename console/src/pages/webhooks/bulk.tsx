import { deleteWebhookEndpoint, disableWebhookEndpoint, enableWebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_calls.ts";
import { WebhookEndpointStatus as S, type WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { ENDPOINTS as old } from "./words.tsx";

const rest = (e: WebhookEndpoint) => ({ endpointId: e.id!, expectedVersion: e.version });
export const BULK: readonly BulkAction<WebhookEndpoint>[] = [
  {
    label: "Enable",
    call: enableWebhookEndpoint,
    can: (e) => e.status === S.DISABLED,
    text: <p>Deliveries go on where each endpoint was. One that was disabled for more than 31 days begins with new events.</p>,
    run: (e, _v, key) => enableWebhookEndpoint(rest(e), { key }),
    old,
  },
  {
    label: "Disable",
    danger: true,
    call: disableWebhookEndpoint,
    can: (e) => e.status === S.ACTIVE,
    text: <p>Events wait until an endpoint is enabled again, for up to 31 days.</p>,
    run: (e, _v, key) => disableWebhookEndpoint(rest(e), { key }),
    old,
  },
  {
    label: "Delete",
    danger: true,
    call: deleteWebhookEndpoint,
    can: () => true,
    text: <p>The endpoints and their secrets are deleted, and deliveries that wait are cancelled. This cannot be undone.</p>,
    run: (e, _v, key) => deleteWebhookEndpoint(rest(e), { key }),
    old,
  },
];
