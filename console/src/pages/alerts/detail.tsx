import { useQuery } from "@tanstack/react-query";
import { ago, count, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { getAlertChannel } from "../../gen/alerts/v1/alert_channel_calls.ts";
import { AlertChannelStatus as S, AlertDisabledReason as R, type AlertChannel } from "../../gen/alerts/v1/alert_channel_pb.ts";
import { listAlertMessages } from "../../gen/alerts/v1/alert_message_calls.ts";
import { listAlertRules } from "../../gen/alerts/v1/alert_rule_calls.ts";
import { Card, Facts, Head, Stat } from "../../ui/card.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Actions } from "./actions.tsx";
import { Messages } from "./messages.tsx";
import { Rules } from "./rules.tsx";
import { ChannelState, isHeartbeat, isOwn, kindOf, mayChange, targetOf, WHY_DISABLED } from "./words.tsx";

/** The live feed does not name channels, so their health is asked for again while it is looked at. */
const EVERY = 10_000;
const BACK: [string, string] = ["/alerts", "Alerts"];

export default function ChannelDetail({ id = "" }: { id?: string }) {
  const query = useQuery({
    queryKey: ["GetAlertChannel", id],
    refetchInterval: EVERY,
    queryFn: ({ signal }) => getAlertChannel({ channelId: read(id) }, { signal }),
  });
  const c = query.data?.channel;
  if (!c)
    return (
      <>
        <Head title="Alert channel" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  return (
    <>
      <Head
        title={c.name || "Alert channel"}
        back={BACK}
        note={
          <>
            <ChannelState c={c} /> {kindOf(c)} to <span className="mono">{targetOf(c)}</span>
          </>
        }
      >
        <Actions c={c} />
      </Head>
      <div className="stack">
        <Trouble c={c} />
        <Health c={c} />
        <div className="split">
          <div className="stack">
            {isHeartbeat(c) ? <Beats /> : may(listAlertRules) && <Rules channelId={c.id!} canChange={mayChange(isOwn(c))} />}
            {may(listAlertMessages) && <Messages channelId={c.id!} />}
          </div>
          <Record c={c} />
        </div>
      </div>
    </>
  );
}
const Beats = () => (
  <Card title="Heartbeat">
    <div className="prose">
      <p>
        The URL is called every minute while the engine is well. It has no rules: set the service behind it to notify you when no call came
        for some minutes. It notices what this server cannot report itself, such as its own end.
      </p>
    </div>
  </Card>
);
/** What a person has to know about it, if anything. */
function Trouble({ c }: { c: AlertChannel }) {
  if (c.status === S.DISABLED) {
    const why = c.disabledReason ?? R.UNSPECIFIED;
    return <Notice tone={why === R.REMOVED || why === R.FAILING ? "bad" : "info"}>{WHY_DISABLED[why]}</Notice>;
  }
  return c.consecutiveFailures ? (
    <Notice>
      <b>{c.consecutiveFailures === 1 ? "The last try failed." : `The last ${count(c.consecutiveFailures)} tries failed.`}</b> The messages
      show why. After five days in which every try fails, the server disables the channel.
    </Notice>
  ) : null;
}
function Health({ c }: { c: AlertChannel }) {
  // Health is of the server's clock: calls have no time of a market.
  const now = Date.now();
  return (
    <div className="grid">
      <Stat name="Failures in a row" value={count(c.consecutiveFailures ?? 0)} tone={c.consecutiveFailures ? "loss" : ""} note="tries" />
      <Stat
        name="Last accepted"
        value={c.lastSuccessAt ? ago(c.lastSuccessAt, now) : "never"}
        note={c.lastSuccessAt ? when(c.lastSuccessAt) : isHeartbeat(c) ? "call it once" : "send a test"}
      />
      <Stat
        name="Last failed"
        value={c.lastFailureAt ? ago(c.lastFailureAt, now) : "never"}
        note={c.lastFailureAt ? when(c.lastFailureAt) : "as far as is known"}
      />
      <Stat
        name="Seen by"
        value={isOwn(c) ? "you alone" : "the workspace"}
        note={isOwn(c) ? "a channel of your own" : "changed by those who may change the workspace"}
      />
    </div>
  );
}
const Record = ({ c }: { c: AlertChannel }) => (
  <Card title="Record">
    <Facts
      of={[
        ["Kind", kindOf(c)],
        ["Goes to", <span className="mono">{targetOf(c)}</span>],
        Boolean(c.secretHint) && ["Secret ends with", <span className="mono">{c.secretHint}</span>],
        ["Created", when(c.createdAt)],
        ["Changed", when(c.updatedAt)],
        ["Version", String(c.version ?? "")],
        ["Id", <span className="mono">{show(c.id)}</span>],
      ]}
    />
  </Card>
);
