import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { parseWhole, plainly, words } from "../../core/format.ts";
import { read, short, show } from "../../core/ids.ts";
import { useAccountChoices } from "../../core/accounts.ts";
import { may, useRecords } from "../../core/queries.ts";
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
import type { BulkAction } from "../../ui/bulk.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Card } from "../../ui/card.tsx";
import type { Spec } from "../../ui/field.tsx";
import { Empty, Notice } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";

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

export const does = (a: Assignment) => a.roles.map((r) => ROLES[r]).join(", ");
export const limitsIn = (a: Assignment) =>
  [
    a.limits?.maxOpenPurchases !== undefined && `${a.limits.maxOpenPurchases} open`,
    a.limits?.maxItems !== undefined && `${a.limits.maxItems} items`,
  ]
    .filter(Boolean)
    .join(", ");
const Target = ({ a, name }: { a: Assignment; name: string }) =>
  a.accountId?.length ? (
    <Link href={`/accounts/${show(a.accountId)}`} className="textlink clip">
      {name}
    </Link>
  ) : (
    <span className="clip">{name}</span>
  );
const Acts = ({ a }: { a: Assignment }) => (
  <span className="row nowrap">
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
);
const BULK: readonly BulkAction<Assignment>[] = [
  {
    label: "Remove",
    danger: true,
    call: deleteAssignment,
    can: () => true,
    text: <p>These accounts no longer serve the pool. What they hold and what they bought stays.</p>,
    run: (a, _v, key) => deleteAssignment({ assignmentId: a.id!, expectedVersion: a.version }, { key }),
    old: OLD,
  },
];

/** Which accounts buy, sell and keep items for the pool. */
export function Assignments({ poolId }: { poolId: Uint8Array }) {
  const { names, choices } = useAccountChoices();
  const records = useRecords<Assignment>({
    name: "ListAssignments",
    filter: show(poolId),
    enabled: may(listAssignments),
    list: async (cursor, signal) => {
      const a = await listAssignments({ poolId, limit: 100, cursor }, { signal });
      return { ids: a.assignmentIds, next: a.nextCursor };
    },
    get: async (assignmentIds, signal) => (await getAssignments({ assignmentIds }, { signal })).assignments,
  });
  const nameOf = (a: Assignment) =>
    a.accountId?.length
      ? (names.get(show(a.accountId)) ?? short(a.accountId))
      : `group ${names.get(show(a.accountGroupId)) ?? short(a.accountGroupId)}`;
  const columns: readonly Column<Assignment>[] = [
    { id: "who", head: "Account", phone: "title", cell: (a) => <Target a={a} name={nameOf(a)} />, text: nameOf },
    { id: "does", head: "Does", from: "md", cell: (a) => <span className="clip">{does(a) || "–"}</span>, text: does },
    {
      id: "order",
      head: "Order",
      width: "4.5rem",
      end: true,
      from: "md",
      cell: (a) => <span className="num">{a.priority ?? 0}</span>,
      text: (a) => String(a.priority ?? 0),
    },
    {
      id: "limits",
      head: "Limits",
      width: "9rem",
      end: true,
      from: "lg",
      cell: (a) => <span className="clip muted">{limitsIn(a) || "none"}</span>,
      text: limitsIn,
    },
    { id: "do", head: "Actions", width: "9.5rem", end: true, phone: "status", cell: (a) => <Acts a={a} /> },
    {
      id: "note",
      head: "Does",
      phone: "note",
      phoneOnly: true,
      cell: (a) => <span className="clip">{[does(a), `order ${a.priority ?? 0}`, limitsIn(a)].filter(Boolean).join(", ")}</span>,
    },
  ];
  if (!may(listAssignments)) return null;
  return (
    <Card
      title="Accounts"
      note="Which accounts serve this pool"
      flush
      extra={
        <>
          <SaveRows name="assignments" columns={columns} of={records} />
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
      <RecordTable
        label="Assigned accounts"
        columns={columns}
        records={records}
        bulk={BULK}
        byHand
        lines={4}
        empty={
          <Empty icon="accounts" title="No account is assigned.">
            <p>Without one the workspace's accounts of each marketplace serve it.</p>
          </Empty>
        }
      />
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
            {a.accountName} {a.eligible ? <Badge tone="gain">ready</Badge> : <Badge tone="warn">not now</Badge>}{" "}
            {plainly(a.detail) || words(a.reason)}
          </li>
        ))}
      </ul>
    </div>
  );
}
