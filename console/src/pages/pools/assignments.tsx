import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { parseWhole, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useAccountChoices } from "../../core/accounts.ts";
import { may } from "../../core/queries.ts";
import {
  createAssignment,
  deleteAssignment,
  getAssignments,
  listAssignments,
  resolveAssignment,
  updateAssignment,
} from "../../gen/contracts/v1/assignment_calls.ts";
import { AssignmentRole as R, type Assignment } from "../../gen/contracts/v1/assignment_pb.ts";
import { Action } from "../../ui/action.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Card } from "../../ui/card.tsx";
import type { Spec } from "../../ui/field.tsx";
import { Empty, Loaded, Notice } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";

export const ROLES: Record<R, string> = { [R.UNSPECIFIED]: "–", [R.BUY]: "Buys", [R.SELL]: "Sells", [R.STORE]: "Keeps items" };
const OLD = ["ListAssignments", "ResolveAssignment"];
const FIELDS: Spec[] = [
  { name: "roles", label: "What they do", kind: "checks", options: [R.BUY, R.SELL, R.STORE].map((r) => [String(r), ROLES[r]] as const) },
  { name: "priority", label: "Order", kind: "whole", hint: "The lowest is used first." },
  { name: "open", label: "Open purchases at most", kind: "whole" },
  { name: "items", label: "Items at most", kind: "whole" },
];
const roles = (text: string | undefined) => (text ?? "").split("\n").filter(Boolean).map(Number) as R[];
const limits = (v: Record<string, string>) => ({
  maxOpenPurchases: v.open ? parseWhole(v.open) : undefined,
  maxItems: v.items ? parseWhole(v.items) : undefined,
});

/** Which accounts buy, sell and keep items for the pool. */
export function Assignments({ poolId }: { poolId: Uint8Array }) {
  const { names, choices } = useAccountChoices();
  const query = useQuery({
    queryKey: ["ListAssignments", show(poolId)],
    enabled: may(listAssignments),
    queryFn: async ({ signal }) => {
      const { assignmentIds } = await listAssignments({ poolId, limit: 100 }, { signal });
      return assignmentIds.length ? (await getAssignments({ assignmentIds }, { signal })).assignments : [];
    },
  });
  const target = (a: Assignment) =>
    a.accountId?.length ? (
      <Link href={`/accounts/${show(a.accountId)}`} className="textlink">
        {names.get(show(a.accountId)) ?? show(a.accountId).slice(-8)}
      </Link>
    ) : (
      <>group {names.get(show(a.accountGroupId)) ?? show(a.accountGroupId).slice(-8)}</>
    );
  const nameOf = (id: Uint8Array | undefined) => names.get(show(id)) ?? show(id);
  const file = [
    { head: "Account", text: (a: Assignment) => (a.accountId?.length ? nameOf(a.accountId) : `group ${nameOf(a.accountGroupId)}`) },
    { head: "Does", text: (a: Assignment) => a.roles.map((r) => ROLES[r]).join(", ") },
    { head: "Order", text: (a: Assignment) => String(a.priority ?? 0) },
    { head: "Open purchases at most", text: (a: Assignment) => String(a.limits?.maxOpenPurchases ?? "") },
    { head: "Items at most", text: (a: Assignment) => String(a.limits?.maxItems ?? "") },
  ];
  if (!may(listAssignments)) return null;
  return (
    <Card
      title="Accounts"
      note="Which accounts serve this pool"
      flush
      extra={
        <>
          <SaveRows name="assignments" columns={file} rows={query.data ?? []} />
          <Action
            label="Assign"
            icon="plus"
            call={createAssignment}
            title="Assign accounts to this pool"
            confirm="Assign"
            done="Assigned."
            old={OLD}
            wide
            start={{ who: choices[0]?.[0] ?? "", roles: `${R.BUY}\n${R.SELL}` }}
            fields={[{ name: "who", label: "Account or group", kind: "select", wide: true, options: choices }, ...FIELDS]}
            run={async (v) => {
              const [kind, id] = v.who!.split(":");
              await createAssignment({
                poolId,
                ...(kind === "g" ? { accountGroupId: read(id!) } : { accountId: read(id!) }),
                roles: roles(v.roles),
                priority: v.priority ? (parseWhole(v.priority) ?? 0) : 0,
                limits: limits(v),
              });
            }}
          />
        </>
      }
    >
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="accounts" title="No account is assigned.">
              <p>Without one the workspace's accounts of each marketplace serve it.</p>
            </Empty>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Assigned accounts">
              <table className="rows">
                <thead>
                  <tr>
                    <th scope="col">Account</th>
                    <th scope="col">Does</th>
                    <th scope="col" className="end">
                      Order
                    </th>
                    <th scope="col" className="end">
                      Limits
                    </th>
                    <th scope="col" className="end">
                      <span className="vh">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((a) => (
                    <tr key={show(a.id)}>
                      <th scope="row">{target(a)}</th>
                      <td>{a.roles.map((r) => ROLES[r]).join(", ") || "–"}</td>
                      <td className="num end">{a.priority}</td>
                      <td className="end muted">
                        {[
                          a.limits?.maxOpenPurchases !== undefined && `${a.limits.maxOpenPurchases} open`,
                          a.limits?.maxItems !== undefined && `${a.limits.maxItems} items`,
                        ]
                          .filter(Boolean)
                          .join(", ") || "none"}
                      </td>
                      <td className="end tight">
                        <span className="row">
                          <Action
                            label="Edit"
                            kind="quiet"
                            call={updateAssignment}
                            title="Edit the assignment"
                            confirm="Save"
                            done="Saved."
                            old={OLD}
                            start={{
                              roles: a.roles.join("\n"),
                              priority: String(a.priority ?? 0),
                              open: String(a.limits?.maxOpenPurchases ?? ""),
                              items: String(a.limits?.maxItems ?? ""),
                            }}
                            fields={FIELDS}
                            run={async (v) =>
                              void (await updateAssignment({
                                assignmentId: a.id!,
                                expectedVersion: a.version,
                                roles: roles(v.roles),
                                priority: parseWhole(v.priority ?? "") ?? 0,
                                limits: limits(v),
                              }))
                            }
                          />
                          <Action
                            label="Remove"
                            kind="quiet danger"
                            danger
                            call={deleteAssignment}
                            title="Remove the assignment?"
                            confirm="Remove"
                            done="Removed."
                            old={OLD}
                            run={async () => void (await deleteAssignment({ assignmentId: a.id!, expectedVersion: a.version }))}
                          />
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <Next poolId={poolId} />
    </Card>
  );
}
/** Which account would be used now, and why the others not. */
function Next({ poolId }: { poolId: Uint8Array }) {
  const query = useQuery({
    queryKey: ["ResolveAssignment", show(poolId)],
    enabled: may(resolveAssignment),
    retry: false,
    queryFn: ({ signal }) => resolveAssignment({ poolId, role: R.BUY }, { signal }),
  });
  if (!query.data?.accounts.length) return null;
  return (
    <div className="body">
      <Notice tone="info" icon="accounts">
        The next purchase would be made by: {query.data.accounts.find((a) => a.eligible)?.accountName ?? "none of them"}.
      </Notice>
      <br />
      <ul className="tags">
        {query.data.accounts.map((a) => (
          <li key={show(a.accountId)}>
            {a.accountName} {a.eligible ? <Badge tone="gain">ready</Badge> : <Badge tone="warn">{words(a.reason)}</Badge>}
          </li>
        ))}
      </ul>
    </div>
  );
}
