import { parseWhole } from "../../core/format.ts";
import { AlertPace as P, AlertTopic as T, type AlertRule } from "../../gen/alerts/v1/alert_rule_pb.ts";
import type { RemediationKind, RemediationSeverity } from "../../gen/contracts/v1/remediation_pb.ts";
import type { Values } from "../../ui/field.tsx";

/** The topics of rules, what needs a person first. */
export const TOPICS: readonly [topic: T, name: string, what: string][] = [
  [T.BREAKER, "A contract stopped itself", "Its purchases failed in a row."],
  [T.LOSS_LIMIT, "A contract reached its loss limit", "It lost what it may lose in a day, and no longer buys."],
  [T.ACCOUNT_LOST, "An account is lost", "The platform no longer accepts it, or has banned it."],
  [T.ENGINE_SILENT, "Nothing trades", "Contracts are active, and no engine works."],
  [T.PROBLEM, "Another problem", "What the service found and cannot solve by itself."],
  [T.HALT, "Trading was halted or resumed", "By a person, or by a limit."],
  [T.BOUGHT, "An item was bought", ""],
  [T.SOLD, "An item was sold", ""],
  [T.DAILY_SUMMARY, "A summary of the day", "What was bought and sold, and the open problems."],
  [T.WEEKLY_SUMMARY, "A summary of the week", "On Mondays."],
];
export const topicName = (t: T | undefined): string =>
  t === T.TEST ? "Test" : (TOPICS.find(([topic]) => topic === t)?.[1] ?? "Not known here");

const URGENT = "!";
/** The chosen topics are lines of a form's value: the number, and a mark where quiet hours and pace do not apply. */
export interface Chosen {
  topic: T;
  urgent: boolean;
}
export const chosenOf = (text: string | undefined): Chosen[] =>
  (text ?? "")
    .split("\n")
    .filter(Boolean)
    .map((l) => ({ topic: Number.parseInt(l, 10) as T, urgent: l.endsWith(URGENT) }));
export const linesOfTopics = (chosen: readonly Chosen[]): string =>
  [...chosen]
    .sort((a, b) => a.topic - b.topic)
    .map((c) => `${c.topic}${c.urgent ? URGENT : ""}`)
    .join("\n");
export const has = (v: Values, ...topics: T[]): boolean => chosenOf(v.topics).some((c) => topics.includes(c.topic));

/** What wakes a person at night unless another rule is wanted: what costs money while one waits. */
export const FIRST: Values = {
  topics: linesOfTopics([
    ...[T.BREAKER, T.LOSS_LIMIT, T.ACCOUNT_LOST, T.ENGINE_SILENT].map((topic) => ({ topic, urgent: true })),
    ...[T.PROBLEM, T.HALT].map((topic) => ({ topic, urgent: false })),
  ]),
  severity: "2",
  silent: "10",
  pace: String(P.AT_ONCE),
  daily: "08:00",
};

/** The fields of the form of a rule that there is. */
export const valuesOf = (r: AlertRule): Values => ({
  topics: linesOfTopics(r.topics.map((topic) => ({ topic, urgent: r.urgentTopics.includes(topic) }))),
  kinds: r.problemKinds.join("\n"),
  severity: String(r.minSeverity ?? 0),
  silent: String(r.silentMinutes || 10),
  pace: String(r.pace || P.AT_ONCE),
  zone: r.timeZone ?? "",
  quietFrom: r.quietFrom ?? "",
  quietTo: r.quietTo ?? "",
  daily: r.dailyAt || "08:00",
});
/** What a call says of a rule. A part that the topics do not need is not sent: a field that is not shown changes nothing. */
export function ruleOf(v: Values) {
  const chosen = chosenOf(v.topics);
  const problems = has(v, T.PROBLEM);
  return {
    topics: chosen.map((c) => c.topic),
    urgentTopics: chosen.filter((c) => c.urgent).map((c) => c.topic),
    problemKinds: problems ? ((v.kinds ?? "").split("\n").filter(Boolean).map(Number) as RemediationKind[]) : [],
    minSeverity: (problems ? Number(v.severity ?? 0) : 0) as RemediationSeverity,
    silentMinutes: has(v, T.ENGINE_SILENT) ? (parseWhole(v.silent ?? "") ?? 0) : 0,
    pace: Number(v.pace ?? P.AT_ONCE) as P,
    timeZone: (v.zone ?? "").trim(),
    quietFrom: v.quietFrom ?? "",
    quietTo: v.quietFrom ? (v.quietTo ?? "") : "",
    dailyAt: isDaily(v) ? (v.daily ?? "") : "",
  };
}
/** Whether something of the rule is sent at a time of the day. */
export const isDaily = (v: Values): boolean => Number(v.pace) === P.DAILY || has(v, T.DAILY_SUMMARY, T.WEEKLY_SUMMARY);

/** When the messages of a rule are sent, as a clause. */
export function whenSent(r: AlertRule): string {
  const pace =
    r.pace === P.HOURLY ? "together, every full hour" : r.pace === P.DAILY ? `together, every day at ${r.dailyAt || "08:00"}` : "at once";
  const quiet = r.quietFrom ? `, not from ${r.quietFrom} to ${r.quietTo}` : "";
  const ofDays = r.topics.some((t) => t === T.DAILY_SUMMARY || t === T.WEEKLY_SUMMARY);
  const summaries = ofDays && r.pace !== P.DAILY ? `, summaries at ${r.dailyAt || "08:00"}` : "";
  const zone = r.quietFrom || ofDays || r.pace === P.DAILY ? ` (${r.timeZone || "UTC"})` : "";
  return pace + summaries + quiet + zone;
}
