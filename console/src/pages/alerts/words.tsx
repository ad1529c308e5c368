import {
  AlertChannelKind as K,
  AlertChannelStatus as S,
  AlertDisabledReason as R,
  type AlertChannel,
} from "../../gen/alerts/v1/alert_channel_pb.ts";
import { AlertMessageState as M, type AlertMessage } from "../../gen/alerts/v1/alert_message_pb.ts";
import { may } from "../../core/queries.ts";
import { updateWorkspace } from "../../gen/accounts/v1/workspace_calls.ts";
import { Badge } from "../../ui/status.tsx";

/** The calls whose answers are old after a channel changed. */
export const CHANNELS = ["ListAlertChannels", "CountAlertChannels", "GetAlertChannel"];
export const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "Not known here",
  [K.MAIL]: "Mail",
  [K.TELEGRAM]: "Telegram",
  [K.DISCORD]: "Discord",
  [K.WEBHOOK]: "Webhook",
  [K.HEARTBEAT]: "Heartbeat",
};
export const kindOf = (c: AlertChannel): string => KINDS[c.kind ?? K.UNSPECIFIED];
export const isOwn = (c: AlertChannel): boolean => Boolean(c.userId?.length);
/** A channel of the workspace is changed with the policy workspace, as the workspace itself is; one's own by oneself. */
export const mayChange = (own: boolean): boolean => own || may(updateWorkspace);
export const isHeartbeat = (c: AlertChannel): boolean => c.kind === K.HEARTBEAT;
export const targetOf = (c: AlertChannel): string => c.target || (c.kind === K.MAIL ? "the address of your account" : "–");

/** What a channel does now, in one word. */
export const stateOf = (c: AlertChannel): string =>
  c.status === S.DISABLED ? "Disabled" : c.consecutiveFailures ? "Fails" : c.lastSuccessAt ? "Works" : "Nothing sent yet";
export function ChannelState({ c }: { c: AlertChannel }) {
  if (c.status === S.DISABLED)
    return (
      <Badge tone={c.disabledReason === R.PERSON ? "" : "loss"} shape="square">
        Disabled
      </Badge>
    );
  if (c.consecutiveFailures) return <Badge tone="loss">Fails</Badge>;
  return c.lastSuccessAt ? <Badge tone="gain">Works</Badge> : <Badge shape="ring">Nothing yet</Badge>;
}
export const WHY_DISABLED: Record<R, string> = {
  [R.UNSPECIFIED]: "It sends nothing until it is enabled.",
  [R.PERSON]: "A person disabled it. It sends nothing until it is enabled.",
  [R.REMOVED]:
    "The channel accepts no message any longer: its token was revoked, or its chat no longer exists. Give it another one, then enable it.",
  [R.FAILING]: "Every try of five days failed, so the server disabled it. Find the cause in the messages, then enable it.",
};

type Look = [tone: "" | "gain" | "loss" | "warn" | "info", shape?: "ring" | "square"];
const MESSAGES: Record<M, [word: string, look: Look]> = {
  [M.UNSPECIFIED]: ["Not known here", [""]],
  [M.WAITING]: ["Waits", ["info", "ring"]],
  [M.SENT]: ["Sent", ["gain", "square"]],
  [M.FAILED]: ["Failed", ["loss", "square"]],
  [M.DROPPED]: ["Not sent", ["warn", "square"]],
};
export const messageWord = (m: AlertMessage): string =>
  m.state === M.WAITING && (m.tries ?? 0) > 0 ? "Retrying" : MESSAGES[m.state ?? M.UNSPECIFIED][0];
export function MessageState({ m }: { m: AlertMessage }) {
  const [tone, shape] = m.state === M.WAITING && (m.tries ?? 0) > 0 ? (["warn", "ring"] as Look) : MESSAGES[m.state ?? M.UNSPECIFIED][1];
  return (
    <Badge tone={tone} {...(shape ? { shape } : {})}>
      {messageWord(m)}
    </Badge>
  );
}
export const stateWord = (state: M): string => MESSAGES[state][0];
