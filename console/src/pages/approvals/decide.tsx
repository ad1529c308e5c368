import { approveIntent, cancelIntent, rejectIntent } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentStatus as S, type Intent } from "../../gen/contracts/v1/intent_pb.ts";
import { Action } from "../../ui/action.tsx";
import { whatOf } from "./words.ts";

const OLD = ["GetIntent", "ListIntents", "CountIntents", "ListTransitions"];
/** Approve and reject a proposal; cancel one that was approved and has not begun. */
export function Decide({ intent: i, name, small }: { intent: Intent; name: string; small?: boolean }) {
  const rest = { intentId: i.id!, expectedVersion: i.version };
  const what = whatOf(i, name);
  if (i.status === S.PROPOSED) {
    return (
      <span className="row">
        <Action
          label="Approve"
          kind={small ? "" : "primary"}
          call={approveIntent}
          title="Approve this?"
          confirm="Approve"
          done="Approved."
          old={OLD}
          text={<p>{what}. The engine checks price and limits once more before it acts.</p>}
          run={async () => void (await approveIntent(rest))}
        />
        <Action
          label="Reject"
          kind={small ? "quiet" : ""}
          call={rejectIntent}
          title="Reject this?"
          confirm="Reject"
          done="Rejected."
          old={OLD}
          text={<p>{what}.</p>}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
          run={async (v) => void (await rejectIntent({ ...rest, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      </span>
    );
  }
  if (i.status === S.APPROVED)
    return (
      <Action
        label="Cancel"
        call={cancelIntent}
        title="Cancel this?"
        confirm="Cancel it"
        done="Cancelled."
        old={OLD}
        text={<p>{what}. It was approved and has not begun.</p>}
        fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
        run={async (v) => void (await cancelIntent({ ...rest, ...(v.reason ? { reason: v.reason } : {}) }))}
      />
    );
  return null;
}
