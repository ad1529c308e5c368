import { parseWhole } from "../../core/format.ts";
import { place } from "../../core/place.ts";
import { zones } from "../../core/zone.ts";
import { AlertPace as P, AlertTopic as T } from "../../gen/alerts/v1/alert_rule_pb.ts";
import { RemediationKind as K } from "../../gen/contracts/v1/remediation_pb.ts";
import type { Spec } from "../../ui/field.tsx";
import { kindName } from "../problems/words.ts";
import { chosenOf, has, isDaily, linesOfTopics, TOPICS } from "./rule.ts";

interface Props {
  value: string;
  set: (value: string) => void;
}
/** Each topic, and next to a chosen one whether it is sent at once in any case. */
function Topics({ value, set }: Props) {
  const chosen = chosenOf(value);
  const without = (topic: T) => chosen.filter((c) => c.topic !== topic);
  const write = (next: readonly { topic: T; urgent: boolean }[]) => set(linesOfTopics(next));
  return (
    <ul className="topics">
      {TOPICS.map(([topic, name, what]) => {
        const now = chosen.find((c) => c.topic === topic);
        return (
          <li key={topic}>
            <label>
              <input
                type="checkbox"
                checked={now !== undefined}
                onChange={() => write(now ? without(topic) : [...chosen, { topic, urgent: false }])}
              />{" "}
              <span>
                {name} {what && <small className="muted">{what}</small>}
              </span>
            </label>
            {now && (
              <label>
                <input
                  type="checkbox"
                  aria-label={`${name}: at once in any case`}
                  checked={now.urgent}
                  onChange={() => write([...without(topic), { topic, urgent: !now.urgent }])}
                />{" "}
                <span className="muted">in any case</span>
              </label>
            )}
          </li>
        );
      })}
    </ul>
  );
}
const NO_TIME = "Write a time such as 22:00.";
const clock = (v: string) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(v) ? undefined : NO_TIME);
/** Of the enum both directions are there: the numbers are those that name themselves. */
const PROBLEMS = Object.values(K)
  .filter((k): k is K => typeof k === "number" && k !== K.UNSPECIFIED)
  .map((k) => [String(k), kindName(k)] as const);
const quiet = (v: Record<string, string>) => Boolean(v.quietFrom);

export const ruleFields = (): readonly Spec[] => [
  {
    name: "topics",
    label: "What is sent",
    kind: "checks",
    required: true,
    hint: "“In any case” is sent at once: quiet hours and the pace do not hold it back.",
    pick: (value, set) => <Topics value={value} set={set} />,
  },
  {
    name: "severity",
    label: "Of other problems",
    kind: "select",
    when: (v) => has(v, T.PROBLEM),
    options: [
      ["0", "all"],
      ["2", "where money or an item may be lost"],
      ["3", "where money or an item is at stake now"],
    ],
  },
  {
    name: "silent",
    label: "Nothing trades for",
    kind: "whole",
    suffix: "minutes",
    required: true,
    when: (v) => has(v, T.ENGINE_SILENT),
    check: (v) => ((parseWhole(v) ?? 0) < 2 || (parseWhole(v) ?? 0) > 1440 ? "From 2 to 1440." : undefined),
  },
  {
    name: "kinds",
    label: "Only these problems",
    kind: "checks",
    when: (v) => has(v, T.PROBLEM),
    options: PROBLEMS,
    hint: "None: all other problems. A chosen one is sent also where another choice above is about it.",
  },
  {
    name: "pace",
    label: "When",
    kind: "select",
    options: [
      [String(P.AT_ONCE), "at once"],
      [String(P.HOURLY), "together, every full hour"],
      [String(P.DAILY), "together, once a day"],
    ],
  },
  {
    name: "daily",
    label: "Time of the day",
    kind: "clock",
    required: true,
    when: isDaily,
    hint: "Of what is sent once a day, and of summaries.",
    check: clock,
  },
  {
    name: "quietFrom",
    label: "Quiet hours from",
    kind: "clock",
    hint: "Empty: none. What happens in them waits for their end.",
    check: clock,
  },
  {
    name: "quietTo",
    label: "to",
    kind: "clock",
    required: true,
    when: quiet,
    check: (to, v) => clock(to) ?? (to === v.quietFrom ? "The end is the beginning." : undefined),
  },
  { name: "zone", label: "Time zone", kind: "select", when: (v) => quiet(v) || isDaily(v), options: zones(place.timeZone) },
];
