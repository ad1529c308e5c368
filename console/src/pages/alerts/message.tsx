import { Link } from "wouter";
import { count, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { NAMES, pathOf } from "../../core/subjects.ts";
import { AlertMessageState as M, type AlertMessage } from "../../gen/alerts/v1/alert_message_pb.ts";
import { getAlertRule } from "../../gen/alerts/v1/alert_rule_calls.ts";
import { AlertTopic as Topic } from "../../gen/alerts/v1/alert_rule_pb.ts";
import { RemediationSeverity as S } from "../../gen/contracts/v1/remediation_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Facts } from "../../ui/card.tsx";
import { Notice } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { sentenceOf } from "../webhooks/words.tsx";
import { topicName, whenSent } from "./rule.ts";
import { MessageState } from "./words.tsx";

/** The calls whose answers are old after something was sent. */
export const MESSAGES = ["ListAlertMessages", "GetAlertMessages", "GetAlertChannel", "ListAlertChannels"];

/** The outcome of a message: why it waits, why it was not sent, or that it arrived. */
function Outcome({ m }: { m: AlertMessage }) {
  if (m.state === M.SENT)
    return (
      <Notice tone="good" icon="check">
        The channel accepted it{m.doneAt && ` on ${when(m.doneAt)}`}.
      </Notice>
    );
  if (m.state === M.WAITING && !m.error) return <Notice tone="info">It is sent {m.dueAt ? `on ${when(m.dueAt)}` : "soon"}.</Notice>;
  return m.error ? (
    <Notice tone={m.state === M.DROPPED ? "" : "bad"}>
      <b>{sentenceOf(m.error)}</b> {m.state === M.WAITING && m.dueAt && `It is tried again on ${when(m.dueAt)}.`}
    </Notice>
  ) : null;
}
/** The rule that asked for a message, as it is now. */
function ByRule({ ruleId }: { ruleId: Uint8Array }) {
  const query = useCall(getAlertRule, { ruleId });
  const rule = query.data?.rule;
  return <>{rule ? whenSent(rule) : query.isError ? "deleted, or not yours to see" : "…"}</>;
}
function About({ m }: { m: AlertMessage }) {
  const to = pathOf(m.subjectType, m.subjectId);
  const name = NAMES[m.subjectType ?? T.UNSPECIFIED];
  return to ? <Link href={to}>{name}</Link> : <>{name}</>;
}
/** A message with what it says, why it was sent, and why not. */
export const Message = ({ m }: { m: AlertMessage }) => (
  <div className="stack">
    <Outcome m={m} />
    {m.detail && (
      <div className="prose">
        <p>{m.detail}</p>
      </div>
    )}
    <Facts
      of={[
        ["State", <MessageState m={m} />],
        ["Topic", topicName(m.topic)],
        Boolean(m.severity) && ["Severity", <Status name={S[m.severity ?? 0]} />],
        Boolean(m.subjectId?.length) && ["About", <About m={m} />],
        m.ruleId?.length ? ["Its rule sends", <ByRule ruleId={m.ruleId} />] : false,
        ["Tries", m.topic === Topic.TEST ? "one" : `${count(m.tries ?? 0)} of 8`],
        ["Created", when(m.createdAt)],
        m.resolvedAt && ["Problem ended", when(m.resolvedAt)],
        m.doneAt && ["Ended", when(m.doneAt)],
        ["Id", <span className="mono">{show(m.id)}</span>],
      ]}
    />
  </div>
);
