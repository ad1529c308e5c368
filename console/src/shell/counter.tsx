import { useCall } from "../core/queries.ts";
import { count } from "../core/format.ts";
import { place } from "../core/place.ts";
import { countIntents } from "../gen/contracts/v1/intent_calls.ts";
import { IntentStatus } from "../gen/contracts/v1/intent_pb.ts";
import { countPurchases } from "../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus as P } from "../gen/contracts/v1/purchase_pb.ts";
import { countRemediations } from "../gen/contracts/v1/remediation_calls.ts";
import { RemediationStatus as R } from "../gen/contracts/v1/remediation_pb.ts";

const has = (m: string) => place.operations.has(`contracts.v1.Contracts/${m}`);
/** The number next to a page's name in the rail: hot where a person is needed. */
export default function Counter({ of }: { of: "problems" | "open" | "approvals" }) {
  const problems = useCall(countRemediations, {}, { enabled: of === "problems" && has("CountRemediations") });
  const open = useCall(countPurchases, {}, { enabled: of === "open" && has("CountPurchases") });
  const intents = useCall(countIntents, {}, { enabled: of === "approvals" && has("CountIntents") });
  const n =
    of === "problems"
      ? problems.data?.counts.find((c) => c.status === R.NEEDS_OPERATOR)?.count
      : of === "approvals"
        ? intents.data?.counts.find((c) => c.status === IntentStatus.PROPOSED)?.count
        : open.data?.counts.filter((c) => c.status! >= P.PENDING && c.status! <= P.TRADE_HELD).reduce((s, c) => s + (c.count ?? 0), 0);
  if (!n) return null;
  return (
    <span className={of === "open" ? "count" : "count hot"}>
      {count(n)}
      <span className="vh">{of === "open" ? " in progress" : " need you"}</span>
    </span>
  );
}
