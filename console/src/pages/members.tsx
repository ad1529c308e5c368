import { useSearchParams } from "wouter";
import { iso, when } from "../core/format.ts";
import { read, show } from "../core/ids.ts";
import { useUserNames, usePolicies } from "../core/members.ts";
import { place } from "../core/place.ts";
import { useCall, useRecords } from "../core/queries.ts";
import {
  countMemberships,
  getMemberships,
  inviteMember,
  listMemberships,
  reinstateMembership,
  removeMembership,
  resendInvitation,
  revokeInvitation,
  suspendMembership,
  updateMembership,
} from "../gen/accounts/v1/membership_calls.ts";
import { MembershipRole as R, MembershipStatus as S, type Membership } from "../gen/accounts/v1/membership_pb.ts";
import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";
import { Action } from "../ui/action.tsx";
import type { BulkAction } from "../ui/bulk.tsx";
import { Card, Facts, Head } from "../ui/card.tsx";
import Window from "../ui/dialog.tsx";
import { SaveRows } from "../ui/copy.tsx";
import type { Spec } from "../ui/field.tsx";
import { useOpened } from "../ui/opened.ts";
import { Facets } from "../ui/segments.tsx";
import { Empty } from "../ui/state.tsx";
import { Status, wordOf } from "../ui/status.tsx";
import { RecordTable, type Column } from "../ui/table.tsx";

const ROLES: Record<R, string> = { [R.UNSPECIFIED]: "–", [R.MEMBER]: "Member", [R.ADMIN]: "Admin", [R.OWNER]: "Owner" };
const OLD = ["ListMemberships", "GetMemberships", "CountMemberships", "GetQuotas"];
const ORDER = [S.ACCEPTED, S.INVITED, S.SUSPENDED, S.DECLINED, S.REVOKED, S.EXPIRED, S.REMOVED, S.LEFT];
const policiesOf = (text: string | undefined) => (text ?? "").split("\n").filter(Boolean);

/** The owner, and the person who is signed in, cannot be suspended or removed. */
const others = (m: Membership, ...statuses: S[]) =>
  m.role !== R.OWNER && show(m.userId) !== show(place.userId) && statuses.includes(m.status ?? 0);
const BULK: readonly BulkAction<Membership>[] = [
  {
    label: "Send again",
    call: resendInvitation,
    can: (m) => m.status === S.INVITED,
    text: <p>Each gets a new link, which is good for seven days.</p>,
    run: (m, _v, key) => resendInvitation({ membershipId: m.id! }, { key }),
    old: OLD,
  },
  {
    label: "Revoke",
    danger: true,
    call: revokeInvitation,
    can: (m) => m.status === S.INVITED,
    text: <p>The links of these invitations stop working.</p>,
    run: (m, _v, key) => revokeInvitation({ membershipId: m.id! }, { key }),
    old: OLD,
  },
  {
    label: "Suspend",
    call: suspendMembership,
    can: (m) => others(m, S.ACCEPTED),
    text: <p>Their sessions and keys stop working here at once, until the memberships are reinstated.</p>,
    run: (m, _v, key) => suspendMembership({ membershipId: m.id! }, { key }),
    old: OLD,
  },
  {
    label: "Reinstate",
    call: reinstateMembership,
    can: (m) => others(m, S.SUSPENDED),
    text: <p>They have their rights back.</p>,
    run: (m, _v, key) => reinstateMembership({ membershipId: m.id! }, { key }),
    old: OLD,
  },
  {
    label: "Remove",
    danger: true,
    call: removeMembership,
    can: (m) => others(m, S.ACCEPTED, S.SUSPENDED),
    text: <p>Their sessions and keys end. A new invitation is needed to come back.</p>,
    run: (m, _v, key) => removeMembership({ membershipId: m.id! }, { key }),
    old: OLD,
  },
];

export default function Members() {
  const [search, setSearch] = useSearchParams();
  const status = (S[(search.get("status") ?? "") as keyof typeof S] ?? S.UNSPECIFIED) as S;
  const [open, setOpen] = useOpened();
  const policies = usePolicies();
  const counts = useCall(countMemberships, { workspaceId: place.workspaceId });
  const records = useRecords<Membership>({
    name: "ListMemberships",
    filter: status,
    subject: T.MEMBERSHIP,
    list: async (cursor, signal) => {
      const a = await listMemberships({ limit: 100, cursor, status }, { signal });
      return { ids: a.membershipIds, next: a.nextCursor };
    },
    get: async (membershipIds, signal) => (await getMemberships({ membershipIds }, { signal })).memberships,
  });
  const shown = records.rows.find((m) => show(m.id) === open);
  // One that a search found may be on none of the pages that are loaded.
  const sought = useCall(getMemberships, { membershipIds: [read(open)] }, { enabled: open !== "" && !shown });
  const chosen = open ? (shown ?? sought.data?.memberships[0]) : undefined;
  const people = chosen && !shown ? [...records.rows, chosen] : records.rows;
  const names = useUserNames(people.flatMap((m) => (m.userId?.length ? [m.userId] : [])));
  const nameOf = (m: Membership) => names.data?.get(show(m.userId)) || m.invitation?.email || "A person without a name";
  const of = (s: S) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = ORDER.reduce((n, s) => n + of(s), 0);
  const rights: Spec[] = [
    {
      name: "role",
      label: "Role",
      kind: "select",
      options: [
        [String(R.MEMBER), "Member: what its policies allow"],
        [String(R.ADMIN), "Admin: everything but ownership"],
      ],
      wide: true,
    },
    {
      name: "policies",
      label: "Policies",
      kind: "checks",
      options: policies.filter(([p]) => p !== "identity"),
      when: (v) => v.role === String(R.MEMBER),
      hint: "A member sees and does only what these allow.",
    },
  ];
  const columns: Column<Membership>[] = [
    {
      id: "who",
      head: "Person",
      phone: "title",
      cell: (m) => (
        <button type="button" className="plainlink clip" onClick={() => setOpen(show(m.id))}>
          {nameOf(m)}
          {show(m.userId) === show(place.userId) ? " (you)" : ""}
        </button>
      ),
      text: nameOf,
    },
    { id: "role", head: "Role", width: "7rem", phone: "end", cell: (m) => ROLES[m.role ?? 0], text: (m) => ROLES[m.role ?? 0] },
    {
      id: "status",
      head: "Status",
      width: "8rem",
      phone: "status",
      cell: (m) => <Status name={S[m.status ?? 0]} />,
      text: (m) => wordOf(S[m.status ?? 0]),
    },
    {
      id: "policies",
      head: "Policies",
      from: "md",
      cell: (m) => <span className="clip muted">{m.role === R.MEMBER ? m.policies.join(", ") || "none" : "all"}</span>,
      text: (m) => (m.role === R.MEMBER ? m.policies.join(" ") : "all"),
    },
    {
      id: "at",
      head: "Since",
      width: "11.5rem",
      end: true,
      from: "lg",
      cell: (m) => <span className="num muted">{when(m.createdAt)}</span>,
      text: (m) => iso(m.createdAt),
    },
    { id: "do", head: "Actions", width: "15rem", end: true, from: "md", cell: (m) => <Acts m={m} name={nameOf(m)} rights={rights} /> },
    {
      id: "note",
      head: "Policies",
      phone: "note",
      phoneOnly: true,
      cell: (m) => <span className="clip">{m.role === R.MEMBER ? m.policies.join(", ") || "no policies" : "all policies"}</span>,
    },
  ];
  return (
    <>
      <Head title="Members" note="The users of this workspace, and what each may do.">
        <SaveRows name="members" columns={columns} of={records} />
        <Action
          label="Invite"
          icon="plus"
          kind="primary"
          call={inviteMember}
          title="Invite a person"
          confirm="Send the invitation"
          done="The invitation was sent."
          old={OLD}
          wide
          start={{ role: String(R.MEMBER), policies: "analytics" }}
          fields={[{ name: "email", label: "E-mail address", kind: "email", required: true, wide: true }, ...rights]}
          run={async (v) =>
            void (await inviteMember({
              email: v.email!.trim(),
              role: Number(v.role) as R,
              policies: v.role === String(R.MEMBER) ? policiesOf(v.policies) : [],
            }))
          }
        />
      </Head>
      <Facets
        label="Status"
        chosen={String(status)}
        choose={(k) => setSearch(Number(k) ? { status: S[Number(k)]! } : {})}
        choices={[
          { id: "0", name: "All", count: total },
          ...ORDER.filter((s) => of(s) > 0).map((s) => ({ id: String(s), name: wordOf(S[s]), count: of(s) })),
        ]}
      />
      <Card flush>
        <RecordTable
          label="Members"
          columns={columns}
          records={records}
          bulk={BULK}
          total={status ? of(status) : total}
          empty={<Empty icon="members" title="No member has this status." />}
        />
      </Card>
      {chosen && (
        <Window title={nameOf(chosen)} close={() => setOpen("")}>
          <Facts
            of={[
              ["Role", ROLES[chosen.role ?? 0]],
              ["Status", <Status name={S[chosen.status ?? 0]} />],
              ["Policies", chosen.role === R.MEMBER ? chosen.policies.join(", ") || "none" : "all"],
              chosen.invitation?.email ? ["Invited as", chosen.invitation.email] : undefined,
              chosen.invitation?.expiresAt && ["Invitation ends", when(chosen.invitation.expiresAt)],
              ["Since", when(chosen.createdAt)],
            ]}
          />
          <Acts m={chosen} name={nameOf(chosen)} rights={rights} />
        </Window>
      )}
    </>
  );
}
function Acts({ m, name, rights }: { m: Membership; name: string; rights: Spec[] }) {
  const membershipId = m.id!;
  if (m.role === R.OWNER || show(m.userId) === show(place.userId)) return <span className="muted">–</span>;
  return (
    <span className="row nowrap">
      {m.status === S.INVITED && (
        <Action
          label="Send again"
          kind="quiet"
          call={resendInvitation}
          title="Send the invitation again?"
          confirm="Send"
          done="Sent."
          old={OLD}
          run={async () => void (await resendInvitation({ membershipId }))}
        />
      )}
      {m.status === S.INVITED && (
        <Action
          label="Revoke"
          kind="quiet danger"
          danger
          call={revokeInvitation}
          title={`Revoke the invitation of ${name}?`}
          confirm="Revoke"
          done="Revoked."
          old={OLD}
          run={async () => void (await revokeInvitation({ membershipId }))}
        />
      )}
      {m.status === S.ACCEPTED && (
        <Action
          label="Rights"
          kind="quiet"
          call={updateMembership}
          title={`Rights of ${name}`}
          confirm="Save"
          done="Saved."
          old={OLD}
          wide
          start={{ role: String(m.role), policies: m.policies.join("\n") }}
          fields={rights}
          run={async (v) => {
            const p = v.role === String(R.MEMBER) ? policiesOf(v.policies) : [];
            await updateMembership({ membershipId, role: Number(v.role) as R, ...(p.length ? { policies: p } : { noPolicies: true }) });
          }}
        />
      )}
      {m.status === S.ACCEPTED && (
        <Action
          label="Suspend"
          kind="quiet"
          call={suspendMembership}
          title={`Suspend ${name}?`}
          confirm="Suspend"
          done="Suspended."
          old={OLD}
          text={<p>Sessions and keys of {name} stop working here at once, until the membership is reinstated.</p>}
          run={async () => void (await suspendMembership({ membershipId }))}
        />
      )}
      {m.status === S.SUSPENDED && (
        <Action
          label="Reinstate"
          kind="quiet"
          call={reinstateMembership}
          title={`Reinstate ${name}?`}
          confirm="Reinstate"
          done="Reinstated."
          old={OLD}
          run={async () => void (await reinstateMembership({ membershipId }))}
        />
      )}
      {(m.status === S.ACCEPTED || m.status === S.SUSPENDED) && (
        <Action
          label="Remove"
          kind="quiet danger"
          danger
          call={removeMembership}
          title={`Remove ${name}?`}
          confirm="Remove"
          done="Removed."
          old={OLD}
          text={<p>Sessions and keys of {name} end. A new invitation is needed to come back.</p>}
          run={async () => void (await removeMembership({ membershipId }))}
        />
      )}
    </span>
  );
}
