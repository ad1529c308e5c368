import { read, show } from "../../core/ids.ts";
import { place } from "../../core/place.ts";
import { assignRemediation, dismissRemediation, runRemediationAction } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationAction as A, RemediationStatus as R, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { ACTIONS } from "./words.ts";

const old = ["GetRemediation", "GetRemediations", "ListRemediations", "CountRemediations"];
const open = (r: Remediation) => r.status !== R.RESOLVED && r.status !== R.DISMISSED;
const rest = (r: Remediation) => ({ remediationId: r.id!, expectedVersion: r.version });
/** The one action that needs nothing typed for each of them. */
const [RECONCILE, ASKS] = ACTIONS[A.RECONCILE]!;
export const bulk = (members: readonly (readonly [string, string])[]): readonly BulkAction<Remediation>[] => [
  {
    label: RECONCILE,
    call: runRemediationAction,
    can: (r) => r.allowedActions.includes(A.RECONCILE),
    text: <p>{ASKS} A problem whose cause is over ends, and the others wait.</p>,
    run: (r, _v, key) => runRemediationAction({ ...rest(r), action: A.RECONCILE }, { key }),
    old: [...old, "GetPurchase", "GetPurchases", "ListPurchases", "CountPurchases", "GetPoolBalance", "GetCapital"],
  },
  {
    label: "Assign",
    call: assignRemediation,
    can: open,
    text: <p>One person handles all of them.</p>,
    start: { who: show(place.userId) },
    fields: [
      {
        name: "who",
        label: "Member",
        kind: "select",
        wide: true,
        options: members.length ? members : [[show(place.userId), place.person || "You"]],
      },
    ],
    run: (r, v, key) => assignRemediation({ ...rest(r), userId: read(v.who!) }, { key }),
    old,
  },
  {
    label: "Dismiss",
    danger: true,
    call: dismissRemediation,
    can: open,
    text: <p>The service stops to handle them. One whose cause is still there is opened again.</p>,
    fields: [{ name: "reason", label: "Reason", required: true, wide: true, max: 200 }],
    run: (r, v, key) => dismissRemediation({ ...rest(r), reason: v.reason!.trim() }, { key }),
    old,
  },
];
