import { parseCents } from "../../core/format.ts";
import { runRemediationAction } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationAction as A, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { Spec } from "../../ui/field.tsx";
import { useMarketplaces } from "../items/actions.tsx";
import { SOURCES } from "../items/words.ts";
import { ACTIONS } from "./words.ts";

const EVIDENCE: Spec = {
  name: "evidence",
  label: "Evidence",
  kind: "area",
  required: true,
  max: 500,
  hint: "Where you saw it: a number of the order, of the trade, of the mail. It is kept with the record.",
};
const fieldsOf = (places: readonly string[]): Partial<Record<A, Spec[]>> => ({
  [A.APPEND_LINK]: [
    { name: "asset", label: "Asset id", required: true, max: 64 },
    {
      name: "source",
      label: "What shows it",
      kind: "select",
      options: Object.entries(SOURCES)
        .filter(([k]) => k !== "import")
        .map(([k, [sentence]]) => [k, sentence]),
    },
    { ...EVIDENCE, label: "Number of the trade, listing or reading", hint: "What shows that this is the id now." },
  ],
  [A.RELEASE_RESERVATION]: [EVIDENCE],
  [A.RECORD_REFUND]: [{ name: "amount", label: "Amount that came back", kind: "money", required: true, wide: true }, EVIDENCE],
  [A.WRITE_OFF]: [EVIDENCE],
  [A.RELIST]: [
    places.length
      ? { name: "market", label: "Marketplace", kind: "select", options: places.map((n) => [n, n] as const) }
      : { name: "market", label: "Marketplace", required: true, max: 64 },
    { name: "price", label: "Price", kind: "money", required: true },
  ],
});

/** The actions that the problem allows, each with what it does. Those that move money ask for the second factor. */
export function ProblemActions({ r }: { r: Remediation }) {
  const places = useMarketplaces().data ?? [];
  const fields = fieldsOf(places);
  return (
    <ul className="doings">
      {r.allowedActions.map((action) => {
        const [label, what] = ACTIONS[action] ?? ["Act", ""];
        const serious = action === A.WRITE_OFF || action === A.RELEASE_RESERVATION;
        return (
          <li key={action}>
            <div>
              <b>{label}</b>
              <p className="muted">{what}</p>
            </div>
            <Action
              label={label}
              {...(serious ? { kind: "danger", danger: true } : {})}
              call={runRemediationAction}
              title={label}
              text={<p>{what}</p>}
              confirm={label}
              done={`${label}: done.`}
              fields={fields[action] ?? []}
              start={{ source: "inventory", market: places[0] ?? "" }}
              wide={(fields[action]?.length ?? 0) > 2}
              old={[
                "GetRemediation",
                "ListRemediations",
                "CountRemediations",
                "ListTransitions",
                "GetPurchase",
                "GetInventoryItem",
                "GetPoolBalance",
                "GetCapital",
              ]}
              run={async (v) =>
                void (await runRemediationAction({
                  remediationId: r.id!,
                  action,
                  expectedVersion: r.version,
                  args: {
                    evidence: v.evidence?.trim() ?? "",
                    assetId: v.asset?.trim() ?? "",
                    source: action === A.APPEND_LINK ? (v.source ?? "") : "",
                    marketplace: action === A.RELIST ? (v.market?.trim() ?? "") : "",
                    ...(v.amount ? { amountCents: parseCents(v.amount) } : {}),
                    ...(v.price ? { priceCents: parseCents(v.price) } : {}),
                  },
                }))
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
