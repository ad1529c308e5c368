import type { RiskPoint } from "../gen/accounts/v1/risk_notice_pb.ts";

/** The risks of a notice, one below the other. */
export const RiskPoints = ({ of }: { of: readonly RiskPoint[] }) => (
  <div className="prose">
    <ol>
      {of.map((point) => (
        <li key={point.title}>
          <b>{point.title}.</b> {point.text}
        </li>
      ))}
    </ol>
  </div>
);
