import { count, when } from "../../core/format.ts";
import { resendWebhookDelivery } from "../../gen/events/v1/webhook_delivery_calls.ts";
import { WebhookDeliveryState as D, type WebhookDelivery } from "../../gen/events/v1/webhook_delivery_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Facts } from "../../ui/card.tsx";
import { Notice } from "../../ui/state.tsx";
import { DeliveryState, sentenceOf } from "./words.tsx";

/** The calls whose answers are old after something was sent. */
export const DELIVERIES = ["ListWebhookDeliveries", "GetWebhookDeliveries", "GetWebhookEndpoint"];
/** A delivery with what came back, as far as it is known. */
export const Delivery = ({ d }: { d: WebhookDelivery }) => (
  <div className="stack">
    {d.state === D.DELIVERED ? (
      <Notice tone="good" icon="check">
        The receiver accepted it.
      </Notice>
    ) : (
      d.error && (
        <Notice tone="bad">
          <b>{sentenceOf(d.error)}</b> {d.nextTryAt && `It is tried again at ${when(d.nextTryAt)}.`}
        </Notice>
      )
    )}
    <Facts
      of={[
        ["State", <DeliveryState d={d} />],
        ["Event", <span className="mono">{d.type}</span>],
        ["Tries", `${count(d.tries ?? 0)} of 8`],
        ["Answer", d.httpStatus ? `HTTP ${d.httpStatus}` : d.tries ? "none" : "not tried yet"],
        d.durationMs !== undefined && Boolean(d.tries) && ["Took", `${count(d.durationMs)} ms`],
        ["Created", when(d.createdAt)],
        d.doneAt && ["Ended", when(d.doneAt)],
        ["Id for the receiver", <span className="mono">{d.webhookId}</span>],
      ]}
    />
    {d.responseExcerpt && (
      <div className="stack">
        <h3>What the receiver answered</h3>
        <pre className="code" tabIndex={0} aria-label="What the receiver answered">
          {d.responseExcerpt}
        </pre>
      </div>
    )}
  </div>
);
export const Resend = ({ d }: { d: WebhookDelivery }) =>
  d.state === D.PENDING ? null : (
    <Action
      label="Resend"
      call={resendWebhookDelivery}
      title="Resend the delivery?"
      confirm="Resend"
      done="It is sent again."
      old={DELIVERIES}
      text={<p>The receiver gets the event under the same id, with new tries. A receiver drops an id that it knows.</p>}
      run={async () => void (await resendWebhookDelivery({ deliveryId: d.id! }))}
    />
  );
