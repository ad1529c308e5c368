import { count, moment, money, percent, words } from "../../core/format.ts";
import type { Evaluation, EvaluationReason } from "../../gen/contracts/v1/evaluation_pb.ts";
import { Icon } from "../../ui/icon.tsx";
import { RULES } from "./words.ts";

/** A value of a rule: a number in its unit, else words. */
function show(code: string, value: string): string {
  const unit = RULES[code]?.[1];
  if (/^-?\d+$/.test(value))
    return unit === "cents"
      ? money(BigInt(value))
      : unit === "bps"
        ? percent(Number(value))
        : unit === "s"
          ? `${value} s`
          : unit === "days"
            ? `${value} d`
            : count(BigInt(value));
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moment(new Date(value));
  return /^[A-Z_]+$/.test(value) ? words(value) : value;
}
/** What was found; a rule that is met without a number has no limit or nothing to measure. */
const found = (r: EvaluationReason) => (r.actual ? show(r.code ?? "", r.actual) : r.passed ? (r.limit ? "met" : "no limit") : "not known");
/** Rule by rule: what was found and what the limit was. What stopped it comes first. */
export function Reasons({ of }: { of: Evaluation | undefined }) {
  const reasons = [...(of?.reasons ?? [])].sort((a, b) => Number(a.passed ?? false) - Number(b.passed ?? false));
  if (reasons.length === 0) return <p className="muted">No rule is recorded.</p>;
  return (
    <ul className="reasons">
      {reasons.map((r, n) => (
        <li key={n} className={r.passed ? "" : "loss"}>
          <Icon name={r.passed ? "check" : "close"} />
          <span>
            {RULES[r.code ?? ""]?.[0] ?? words(r.code)}
            <span className="vh">{r.passed ? ": met" : ": not met"}</span>
          </span>
          <span className="num">
            {found(r)}
            {r.actual && r.limit && r.limit !== r.actual ? <span className="muted">, limit {show(r.code ?? "", r.limit)}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
