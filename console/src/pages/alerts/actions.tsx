import { useLocation } from "wouter";
import {
  deleteAlertChannel,
  disableAlertChannel,
  enableAlertChannel,
  sendTestAlert,
  updateAlertChannel,
} from "../../gen/alerts/v1/alert_channel_calls.ts";
import { AlertChannelStatus as S, type AlertChannel } from "../../gen/alerts/v1/alert_channel_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { Values } from "../../ui/field.tsx";
import { EDIT, Made, secretIn, targetIn } from "./channel-fields.tsx";
import { Message, MESSAGES } from "./message.tsx";
import { CHANNELS, isHeartbeat, isOwn, mayChange, targetOf } from "./words.tsx";

interface Of {
  c: AlertChannel;
}
const rest = (c: AlertChannel) => ({ channelId: c.id!, expectedVersion: c.version });
/** The server waits for the channel for up to 15 s, and has something to do before and after. */
const PATIENCE = 25_000;
const Test = ({ c }: Of) => (
  <Action
    label={isHeartbeat(c) ? "Call it now" : "Send a test"}
    call={sendTestAlert}
    title={isHeartbeat(c) ? "Call the heartbeat" : "Send a test"}
    confirm={isHeartbeat(c) ? "Call it now" : "Send it now"}
    old={MESSAGES}
    text={<p>Goes to {targetOf(c)}, and waits for the answer. It is tried once.</p>}
    run={async () => {
      const { message } = await sendTestAlert({ channelId: c.id! }, { timeoutMs: PATIENCE });
      return message && <Message m={message} />;
    }}
  />
);
/** What was changed of a channel: what is empty or as before is not sent, since another target needs the second factor. */
const changesOf = (c: AlertChannel, v: Values) => {
  const [target, secret] = [targetIn(v), secretIn(v)];
  return {
    name: v.name!.trim(),
    ...(target && target !== c.target ? { target } : {}),
    ...(secret ? { secret } : {}),
    newSigningSecret: v.fresh === "yes",
  };
};
const Edit = ({ c }: Of) => (
  <Action
    label="Edit"
    call={updateAlertChannel}
    title="Edit the channel"
    confirm="Save"
    done="Saved."
    old={CHANNELS}
    wide
    start={{ kind: String(c.kind), name: c.name ?? "", chat: c.target ?? "", address: c.target ?? "" }}
    fields={EDIT}
    run={async (v) => {
      const { secret } = await updateAlertChannel({ ...rest(c), ...changesOf(c, v) });
      return secret && <Made of={undefined} secret={secret} />;
    }}
  />
);
const Enable = ({ c }: Of) => (
  <Action
    label="Enable"
    icon="play"
    kind="primary"
    call={enableAlertChannel}
    title="Enable the channel?"
    confirm="Enable"
    done="Enabled."
    old={CHANNELS}
    text={<p>It sends what happens from now on. What happened in between is not sent: see Problems.</p>}
    run={async () => void (await enableAlertChannel(rest(c)))}
  />
);
const Disable = ({ c }: Of) => (
  <Action
    label="Disable"
    call={disableAlertChannel}
    title="Disable the channel?"
    confirm="Disable"
    done="Disabled."
    old={CHANNELS}
    text={<p>It sends nothing until it is enabled again. Messages that wait are not sent.</p>}
    run={async () => void (await disableAlertChannel(rest(c)))}
  />
);
function Delete({ c }: Of) {
  const [, go] = useLocation();
  return (
    <Action
      label="Delete"
      kind="danger"
      danger
      call={deleteAlertChannel}
      title="Delete the channel?"
      confirm="Delete the channel"
      done="Deleted."
      old={CHANNELS}
      text={<p>It is deleted with its rules and its secret, and messages that wait are not sent. This cannot be undone.</p>}
      run={async () => {
        await deleteAlertChannel(rest(c));
        go("/alerts");
      }}
    />
  );
}
export const Actions = ({ c }: Of) =>
  mayChange(isOwn(c)) && (
    <>
      {c.status === S.DISABLED && <Enable c={c} />}
      <Test c={c} />
      <Edit c={c} />
      {c.status === S.ACTIVE && <Disable c={c} />}
      <Delete c={c} />
    </>
  );
