import { count, iso, parseWhole, several, when, zoneOfDays } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { place, rememberWorkspace } from "../../core/place.ts";
import { zones } from "../../core/zone.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { getMemberships, leaveWorkspace, listMemberships } from "../../gen/accounts/v1/membership_calls.ts";
import { MembershipStatus, type Membership } from "../../gen/accounts/v1/membership_pb.ts";
import { getRiskNotice } from "../../gen/accounts/v1/risk_notice_calls.ts";
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  getWorkspaceSettings,
  listWorkspaces,
  restoreWorkspace,
  transferWorkspaceOwnership,
  updateWorkspace,
} from "../../gen/accounts/v1/workspace_calls.ts";
import { destroyWorkspaceKey, listWorkspaceKeys, rotateWorkspaceKey } from "../../gen/accounts/v1/workspace_key_calls.ts";
import { WorkspaceKeyStatus as K, type WorkspaceKey } from "../../gen/accounts/v1/workspace_key_pb.ts";
import { useUserNames } from "../../core/members.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { RiskPoints } from "../../ui/risk-points.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";

const OLD = ["GetWorkspace", "GetWorkspaceSettings"];
export function WorkspaceSettings() {
  const workspace = useCall(getWorkspace, { workspaceId: place.workspaceId });
  const settings = useCall(getWorkspaceSettings, { workspaceId: place.workspaceId });
  const w = workspace.data?.workspace,
    s = settings.data?.settings;
  return (
    <>
      <Card
        title="Workspace"
        extra={
          w &&
          s && (
            <Action
              label="Edit"
              call={updateWorkspace}
              title="Edit the workspace"
              confirm="Save"
              done="Saved."
              old={OLD}
              wide
              start={{
                name: w.name ?? "",
                about: w.description ?? "",
                zone: w.timeZone ?? "",
                two: s.requireTwoFactor ? "yes" : "",
                mail: s.allowEmailStepUp ? "yes" : "",
                days: s.maxApiKeyLifetimeDays ? String(s.maxApiKeyLifetimeDays) : "",
              }}
              fields={[
                { name: "name", label: "Name", required: true, wide: true, max: 64 },
                { name: "about", label: "Description", wide: true, max: 512 },
                {
                  name: "zone",
                  label: "Time zone",
                  kind: "select",
                  options: zones(w.timeZone ?? ""),
                  hint: "Lists and profit are by its days. Equity and limits of a day are by days of UTC.",
                },
                { name: "two", label: "Every member needs a second factor", kind: "check" },
                { name: "mail", label: "A code by mail is enough to confirm", kind: "check", hint: "An app or a passkey is safer." },
                {
                  name: "days",
                  label: "API keys last at most",
                  kind: "whole",
                  suffix: "days",
                  hint: "Empty: as long as their owners want.",
                },
              ]}
              run={async (v) => {
                const now = await updateWorkspace({
                  workspaceId: place.workspaceId,
                  name: v.name!.trim(),
                  description: v.about?.trim() ?? "",
                  timeZone: v.zone ?? "",
                  requireTwoFactor: v.two === "yes",
                  allowEmailStepUp: v.mail === "yes",
                  maxApiKeyLifetimeDays: parseWhole(v.days ?? "") ?? 0,
                  expectedVersion: settings.data?.version,
                });
                place.timeZone = zoneOfDays(now.workspace?.timeZone);
              }}
            />
          )
        }
      >
        <Loaded query={workspace} lines={10}>
          {() => (
            <Facts
              of={[
                ["Name", w?.name],
                ["Description", w?.description || "none"],
                ["Currency", w?.baseCurrency],
                ["Time zone", w?.timeZone],
                ["Second factor", s?.requireTwoFactor ? "every member needs one" : "not asked of members"],
                ["Code by mail", s?.allowEmailStepUp ? "is enough to confirm" : "does not confirm"],
                ["API keys last", s?.maxApiKeyLifetimeDays ? `at most ${count(s.maxApiKeyLifetimeDays)} d` : "as long as wanted"],
                ["Since", when(w?.createdAt)],
                ["Id", <span className="mono">{show(place.workspaceId)}</span>],
              ]}
            />
          )}
        </Loaded>
      </Card>
      {may(listWorkspaceKeys) && <Keys />}
      <Risks />
      <Ends name={w?.name ?? place.name} />
    </>
  );
}
const nameOf = (k: WorkspaceKey) => `Number ${k.version}`;
const isRetired = (k: WorkspaceKey) => k.status === K.RETIRED;
const destroy = (k: WorkspaceKey, key?: string) =>
  destroyWorkspaceKey({ workspaceId: place.workspaceId, workspaceKeyId: k.id! }, key === undefined ? {} : { key });
const Destroy = ({ k }: { k: WorkspaceKey }) =>
  isRetired(k) ? (
    <Action
      label="Destroy"
      kind="quiet danger"
      danger
      call={destroyWorkspaceKey}
      title={`Destroy key ${k.version}?`}
      confirm="Destroy it"
      done="Destroyed."
      old={["ListWorkspaceKeys"]}
      text={<p>Backups that are sealed under it can never be opened again.</p>}
      run={async () => void (await destroy(k))}
    />
  ) : null;
const COLUMNS: readonly Column<WorkspaceKey>[] = [
  { id: "key", head: "Key", phone: "title", cell: nameOf, text: (k) => String(k.version ?? "") },
  {
    id: "status",
    head: "Status",
    width: "8rem",
    phone: "end",
    cell: (k) => <Status name={K[k.status ?? 0]} />,
    text: (k) => wordOf(K[k.status ?? 0]),
  },
  {
    id: "records",
    head: "Secrets under it",
    width: "9rem",
    end: true,
    from: "md",
    cell: (k) => <span className="num">{count(k.recordsRemaining)}</span>,
    text: (k) => String(k.recordsRemaining ?? ""),
  },
  {
    id: "at",
    head: "Made",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (k) => <span className="num muted">{when(k.createdAt)}</span>,
    text: (k) => iso(k.createdAt),
  },
  { id: "do", head: "Actions", width: "7rem", end: true, phone: "status", cell: (k) => <Destroy k={k} /> },
  {
    id: "note",
    head: "Made",
    phone: "note",
    phoneOnly: true,
    cell: (k) => `${several(k.recordsRemaining ?? 0, "secret", "secrets")}, ${when(k.createdAt)}`,
  },
];
const BULK: readonly BulkAction<WorkspaceKey>[] = [
  {
    label: "Destroy",
    danger: true,
    call: destroyWorkspaceKey,
    can: isRetired,
    text: <p>Backups that are sealed under them can never be opened again.</p>,
    run: (k, _v, key) => destroy(k, key),
    old: ["ListWorkspaceKeys"],
  },
];
function Keys() {
  const query = useCall(listWorkspaceKeys, { workspaceId: place.workspaceId });
  const picks = usePicks(BULK);
  const rows = query.data?.workspaceKeys ?? [];
  return (
    <Card
      title="Workspace keys"
      note="They seal the secrets of accounts and providers"
      flush
      extra={
        <>
          <SaveRows name="workspace-keys" columns={COLUMNS} rows={rows} />
          <Action
            label="Replace the key"
            call={rotateWorkspaceKey}
            title="Replace the workspace's key?"
            confirm="Make a new key"
            done="A new key seals from now on."
            old={["ListWorkspaceKeys"]}
            text={<p>New secrets are sealed under the new key at once, and the old ones in the background. Nothing stops.</p>}
            run={async () => void (await rotateWorkspaceKey({ workspaceId: place.workspaceId }))}
          />
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="keys" title="No secret is stored yet.">
              <p>The first secret makes the first key.</p>
            </Empty>
          ) : (
            <Table label="Workspace keys" columns={COLUMNS} rows={rows} id={(k) => show(k.id)} {...(picks ? { picks } : {})} />
          )
        }
      </Loaded>
      <Selected label="Workspace keys" picks={picks} actions={BULK} rows={rows} id={(k) => show(k.id)} name={nameOf} />
    </Card>
  );
}
/** The risks that are acknowledged before the first secret is stored, and who did. */
function Risks() {
  const query = useCall(getRiskNotice, { workspaceId: place.workspaceId });
  const read = query.data?.acknowledgement;
  const names = useUserNames(read?.userId ? [read.userId] : []);
  const who = read?.userId ? (names.data?.get(show(read.userId)) ?? "a member") : "the server";
  const note = !query.data?.acknowledged
    ? read
      ? `An earlier version was acknowledged ${when(read.acknowledgedAt)}; the next secret asks again`
      : "Asked for with the first secret of an account or provider"
    : `Acknowledged by ${who}, ${when(read?.acknowledgedAt)}`;
  return (
    <Card title="Risks of trading accounts" note={query.data ? note : "\u00a0"}>
      <Loaded query={query} lines={19}>
        {(n) => <RiskPoints of={n.notice?.points ?? []} />}
      </Loaded>
    </Card>
  );
}
/** Workspaces that the person deleted, as long as they can be restored. */
function Restore() {
  const { data } = useCall(listWorkspaces, {});
  const deleted = data?.workspaces.filter((w) => w.deletedAt) ?? [];
  if (deleted.length === 0) return null;
  return (
    <Action
      label="Restore a workspace"
      call={restoreWorkspace}
      title="Restore a deleted workspace"
      confirm="Restore it"
      text={<p>Its records are as they were. Its keys stay revoked.</p>}
      start={{ which: show(deleted[0]?.id) }}
      fields={[
        {
          name: "which",
          label: "Workspace",
          kind: "select",
          wide: true,
          options: deleted.map((w) => [show(w.id), `${w.name}, deleted ${when(w.deletedAt)}`] as const),
        },
      ]}
      run={async (v) => {
        await restoreWorkspace({ workspaceId: read(v.which!) });
        rememberWorkspace(v.which!);
        location.assign("/");
      }}
    />
  );
}
function Ends({ name }: { name: string }) {
  const members = useRecords<Membership>({
    name: "ListMemberships",
    filter: "heirs",
    enabled: may(listMemberships),
    list: async (cursor, signal) => {
      const a = await listMemberships({ limit: 100, cursor, status: MembershipStatus.ACCEPTED }, { signal });
      return { ids: a.membershipIds, next: a.nextCursor };
    },
    get: async (membershipIds, signal) => (await getMemberships({ membershipIds }, { signal })).memberships,
  });
  const others = members.rows.filter((m) => show(m.userId) !== show(place.userId));
  const names = useUserNames(others.flatMap((m) => (m.userId?.length ? [m.userId] : [])));
  const owner = place.role === 3;
  return (
    <Card title="Ownership" note={owner ? "You own this workspace." : "You are a member of this workspace."}>
      <div className="row">
        <Action
          label="New workspace"
          call={createWorkspace}
          title="New workspace"
          confirm="Create it"
          done="Created. Choose it in the menu at the top."
          fields={[
            { name: "name", label: "Name", required: true, max: 64 },
            { name: "currency", label: "Currency", required: true, max: 3, placeholder: "USD" },
          ]}
          run={async (v) => {
            await createWorkspace({ name: v.name!.trim(), baseCurrency: v.currency!.trim().toUpperCase() });
            location.assign("/");
          }}
        />
        <Restore />
        {owner && others.length > 0 && (
          <Action
            label="Give ownership away"
            call={transferWorkspaceOwnership}
            title="Give this workspace to another member"
            confirm="Give it away"
            done="Done."
            text={<p>You become an admin. The new owner needs a second factor.</p>}
            start={{ who: show(others[0]?.id) }}
            fields={[
              {
                name: "who",
                label: "Member",
                kind: "select",
                wide: true,
                options: others.map((m) => [show(m.id), names.data?.get(show(m.userId)) ?? show(m.userId).slice(-8)] as const),
              },
            ]}
            run={async (v) => {
              await transferWorkspaceOwnership({ workspaceId: place.workspaceId, membershipId: read(v.who!) });
              location.assign("/");
            }}
          />
        )}
        {!owner && (
          <Action
            label="Leave"
            kind="danger"
            danger
            call={leaveWorkspace}
            title={`Leave ${name}?`}
            confirm="Leave it"
            text={<p>Your keys of this workspace stop working.</p>}
            run={async () => {
              await leaveWorkspace({ workspaceId: place.workspaceId });
              location.assign("/");
            }}
          />
        )}
        {owner && (
          <Action
            label="Delete"
            kind="danger"
            danger
            call={deleteWorkspace}
            title={`Delete ${name}?`}
            confirm="Delete the workspace"
            text={<p>Contracts stop, keys stop working, and members lose it. It can be restored for 30 days.</p>}
            fields={[
              {
                name: "name",
                label: `Type its name: ${name}`,
                required: true,
                wide: true,
                check: (v) => (v === name ? undefined : "That is not its name."),
              },
            ]}
            run={async (v) => {
              await deleteWorkspace({ workspaceId: place.workspaceId, confirmName: v.name! });
              location.assign("/");
            }}
          />
        )}
      </div>
    </Card>
  );
}
