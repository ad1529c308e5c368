import { Link } from "wouter";
import { show } from "../../core/ids.ts";
import { place } from "../../core/place.ts";
import { AlertChannelKind as K, type AlertChannel } from "../../gen/alerts/v1/alert_channel_pb.ts";
import type { Spec, Values } from "../../ui/field.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Notice } from "../../ui/state.tsx";
import { badAddress } from "../webhooks/fields.tsx";
import { KINDS, mayChange } from "./words.tsx";

export const OWN = "own";
const is = (v: Values, ...kinds: K[]) => kinds.includes(Number(v.kind));
const HINTS: Partial<Record<K, string>> = {
  [K.TELEGRAM]: "Make a bot with BotFather, add it to the chat, and write its token and the chat here.",
  [K.DISCORD]: "In the settings of the channel, under Integrations, make a webhook and copy its URL.",
  [K.WEBHOOK]: "A program of yours that takes a message by POST. Each one is signed.",
  [K.HEARTBEAT]: "Is called every minute while the engine is well. A watcher elsewhere notices when the calls stop. It has no rules.",
};
const name: Spec = { name: "name", label: "Name", required: true, wide: true, max: 64, placeholder: "On call, Traders, My telephone" };
const whose = (): Spec => ({
  name: "whose",
  label: "Whose",
  kind: "select",
  options: [...(mayChange(false) ? [["", "The workspace's"] as const] : []), [OWN, "Yours alone"]],
});
const kind: Spec = {
  name: "kind",
  label: "Kind",
  kind: "select",
  options: [K.MAIL, K.TELEGRAM, K.DISCORD, K.WEBHOOK, K.HEARTBEAT].map((k) => [String(k), KINDS[k]] as const),
  hint: (v) => (is(v, K.MAIL) ? `Mail to the address of your account, ${place.email || "once it has one"}.` : HINTS[Number(v.kind) as K]),
  check: (k, v) => (Number(k) === K.MAIL && v.whose !== OWN ? "Mail goes to one person: choose Yours alone." : undefined),
};
/** Where messages go and what is secret of it. What is changed may stay empty: then it is as before. */
const targets = (required: boolean): readonly Spec[] => [
  {
    name: "chat",
    label: "Chat",
    required,
    wide: true,
    max: 200,
    when: (v) => is(v, K.TELEGRAM),
    placeholder: "-1001234567890",
    hint: "The number of the chat, or @name of a public channel.",
  },
  {
    name: "token",
    label: required ? "Token of the bot" : "Another token of the bot",
    kind: "password",
    required,
    wide: true,
    max: 200,
    when: (v) => is(v, K.TELEGRAM),
  },
  {
    name: "address",
    label: "Address",
    required,
    wide: true,
    max: 500,
    when: (v) => is(v, K.WEBHOOK),
    placeholder: "https://hooks.example.com/alerts",
    check: badAddress,
  },
  {
    name: "url",
    label: required ? "URL" : "Another URL",
    required,
    wide: true,
    max: 500,
    when: (v) => is(v, K.DISCORD, K.HEARTBEAT),
    placeholder: "https://",
    hint: "It is stored sealed, and only its host is shown again.",
    check: badAddress,
  },
];
export const createFields = (): readonly Spec[] => [whose(), kind, name, ...targets(true)];
export const EDIT: readonly Spec[] = [
  name,
  ...targets(false),
  {
    name: "fresh",
    label: "Make a new secret to sign with; the old one ends at once",
    kind: "check",
    when: (v) => is(v, K.WEBHOOK),
  },
];
export const targetIn = (v: Values): string => (is(v, K.TELEGRAM) ? v.chat : is(v, K.WEBHOOK) ? v.address : "")?.trim() ?? "";
export const secretIn = (v: Values): string => (is(v, K.TELEGRAM) ? v.token : is(v, K.DISCORD, K.HEARTBEAT) ? v.url : "")?.trim() ?? "";

/** What a window shows after a channel was made: the secret of a webhook, once, and what comes next. */
export const Made = ({ of, secret }: { of: AlertChannel | undefined; secret: string | undefined }) => (
  <>
    {secret ? (
      <ShownOnce text={secret} name="the secret">
        Copy the secret now and store it with the receiver, which verifies signatures with it. It cannot be read again.
      </ShownOnce>
    ) : (
      <Notice tone="good" icon="check">
        The channel is there.
      </Notice>
    )}
    {of && (
      <p>
        <Link href={`/alerts/${show(of.id)}`} className="textlink">
          Open the channel
        </Link>{" "}
        {of.kind === K.HEARTBEAT ? "to see its calls." : "to send a test and to add a rule: without one it sends nothing."}
      </p>
    )}
  </>
);
