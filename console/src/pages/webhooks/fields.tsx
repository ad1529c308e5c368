import { Link } from "wouter";
import { show } from "../../core/ids.ts";
import type { WebhookEndpoint } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import type { Spec } from "../../ui/field.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { typesField } from "./types.tsx";

/** What no server takes. Which hosts, ports and networks it takes depends on its settings: it says so itself. */
export function badAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "Write an address such as https://hooks.example.com/tradepost.";
  if (url.username || url.password) return "A user name or a password in an address is not accepted.";
  return url.hash ? "An address with a # is not accepted." : undefined;
}
export const FIELDS: readonly Spec[] = [
  {
    name: "url",
    label: "Address",
    required: true,
    wide: true,
    max: 500,
    placeholder: "https://hooks.example.com/tradepost",
    hint: "Events are posted there. It must be reachable from everywhere, by https.",
    check: badAddress,
  },
  { name: "description", label: "Description", wide: true, max: 200, placeholder: "What the receiver does with them" },
  typesField(),
];
/** The secret that signs the deliveries, once. */
export const Secret = ({ raw, of }: { raw: string | undefined; of?: WebhookEndpoint | undefined }) => (
  <>
    <ShownOnce text={raw ?? ""} name="the secret">
      Copy the secret now and store it with the receiver, which verifies signatures with it. It cannot be read again.
    </ShownOnce>
    {of && (
      <p>
        <Link href={`/webhooks/${show(of.id)}`} className="textlink">
          Open the endpoint
        </Link>{" "}
        to send a test.
      </p>
    )}
  </>
);
