import { approveIntent, cancelIntent, rejectIntent } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentStatus as S, type Intent } from "../../gen/contracts/v1/intent_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import type { Spec } from "../../ui/field.tsx";

const old = ["GetIntent", "GetIntents", "ListIntents", "CountIntents"];
const REASON: Spec = { name: "reason", label: "Reason", wide: true, max: 200 };
const rest = (i: Intent, reason?: string) => ({ intentId: i.id!, expectedVersion: i.version, ...(reason ? { reason } : {}) });

export const BULK: readonly BulkAction<Intent>[] = [
  {
    label: "Approve",
    call: approveIntent,
    can: (i) => i.status === S.PROPOSED,
    text: <p>The engine checks price and limits of each once more before it acts.</p>,
    run: (i, _v, key) => approveIntent(rest(i), { key }),
    old,
  },
  {
    label: "Reject",
    call: rejectIntent,
    can: (i) => i.status === S.PROPOSED,
    text: <p>Nothing is bought or put on sale for them.</p>,
    fields: [REASON],
    run: (i, v, key) => rejectIntent(rest(i, v.reason), { key }),
    old,
  },
  {
    label: "Cancel",
    danger: true,
    call: cancelIntent,
    can: (i) => i.status === S.APPROVED,
    text: <p>They were approved and have not begun. One that begins in the meantime is refused.</p>,
    fields: [REASON],
    run: (i, v, key) => cancelIntent(rest(i, v.reason), { key }),
    old,
  },
];
