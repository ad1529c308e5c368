import { deleteAlertChannel, disableAlertChannel, enableAlertChannel } from "../../gen/alerts/v1/alert_channel_calls.ts";
import { AlertChannelStatus as S, type AlertChannel } from "../../gen/alerts/v1/alert_channel_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { CHANNELS as old } from "./words.tsx";

const rest = (c: AlertChannel) => ({ channelId: c.id!, expectedVersion: c.version });
export const BULK: readonly BulkAction<AlertChannel>[] = [
  {
    label: "Enable",
    call: enableAlertChannel,
    can: (c) => c.status === S.DISABLED,
    text: <p>They send what happens from now on. What happened in between is not sent.</p>,
    run: (c, _v, key) => enableAlertChannel(rest(c), { key }),
    old,
  },
  {
    label: "Disable",
    danger: true,
    call: disableAlertChannel,
    can: (c) => c.status === S.ACTIVE,
    text: <p>They send nothing until they are enabled.</p>,
    run: (c, _v, key) => disableAlertChannel(rest(c), { key }),
    old,
  },
  {
    label: "Delete",
    danger: true,
    call: deleteAlertChannel,
    can: () => true,
    text: <p>They are deleted with their rules and secrets, and messages that wait are not sent. This cannot be undone.</p>,
    run: (c, _v, key) => deleteAlertChannel(rest(c), { key }),
    old,
  },
];
