import { Link } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { read, show } from "../../core/ids.ts";
import { may, refresh, useRecords } from "../../core/queries.ts";
import {
  addAccountsToGroup,
  createAccountGroup,
  deleteAccountGroup,
  getAccountGroups,
  listAccountGroups,
  removeAccountsFromGroup,
  updateAccountGroup,
} from "../../gen/trading/v1/account_group_calls.ts";
import { bulkAccounts } from "../../gen/trading/v1/account_calls.ts";
import { AccountAction } from "../../gen/trading/v1/account_pb.ts";
import type { AccountGroup } from "../../gen/trading/v1/account_group_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import type { Spec, Values } from "../../ui/field.tsx";
import { PickOne, type Picks } from "../../ui/picks.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { Selected, usePicks } from "../../ui/table.tsx";
import { SESSIONS } from "../sessions/words.ts";

const OLD = ["ListAccountGroups", "GetAccountGroups", "GetAccounts"];
const FIELDS: Spec[] = [
  { name: "name", label: "Name", required: true, wide: true, max: 64 },
  { name: "about", label: "Description", wide: true, max: 200 },
];
const ACTIONS = [
  ["DISABLE", "Disable: they start nothing new"],
  ["ENABLE", "Enable: each is checked first"],
  ["START_SESSION", "Start a session: the engine signs each in, one every 10 s"],
] as const;
const isStart = (v: Values) => v.action === "START_SESSION";
const idOf = (g: AccountGroup) => show(g.id);
const nameOf = (g: AccountGroup) => g.name ?? "";
const ids = (text: string | undefined) => new Set((text ?? "").split("\n").filter(Boolean));

/** What came of every account: those that stay as they are are named, with the reason. */
const stayed = (results: readonly { accountId?: Uint8Array; message?: string }[], names: ReadonlyMap<string, string>) =>
  results
    .filter((r) => r.message)
    .map((r) => `${names.get(show(r.accountId)) ?? show(r.accountId)}: ${r.message}`)
    .join("; ");

const setMembers = async (g: AccountGroup, wanted: ReadonlySet<string>) => {
  const now = new Set(g.accountIds.map((a) => show(a)));
  const add = [...wanted].filter((a) => !now.has(a)).map(read),
    drop = [...now].filter((a) => !wanted.has(a)).map(read);
  if (add.length) await addAccountsToGroup({ accountGroupId: g.id!, accountIds: add });
  // If the second call fails, the next press compares what is chosen then with the members that the group has by now.
  if (add.length && drop.length) void refresh("ListAccountGroups");
  if (drop.length) await removeAccountsFromGroup({ accountGroupId: g.id!, accountIds: drop });
};
const BULK: readonly BulkAction<AccountGroup>[] = [
  {
    label: "Delete",
    danger: true,
    call: deleteAccountGroup,
    can: () => true,
    text: <p>The accounts stay. A group that serves a pool is refused: remove its assignment first.</p>,
    run: (g, _v, key) => deleteAccountGroup({ accountGroupId: g.id!, expectedVersion: g.version }, { key }),
    old: OLD,
  },
];
const useGroups = () =>
  useRecords<AccountGroup>({
    name: "ListAccountGroups",
    enabled: may(listAccountGroups),
    list: async (cursor, signal) => {
      const a = await listAccountGroups({ limit: 100, cursor }, { signal });
      return { ids: a.accountGroupIds, next: a.nextCursor };
    },
    get: async (accountGroupIds, signal) => (await getAccountGroups({ accountGroupIds }, { signal })).accountGroups,
  });
interface Known {
  names: ReadonlyMap<string, string>;
  accounts: (readonly [string, string])[];
}
const Acts = ({ g, names, accounts }: Known & { g: AccountGroup }) => (
  <span className="row">
    <Action
      label="Accounts"
      kind="quiet"
      call={addAccountsToGroup}
      title={`Accounts of ${g.name}`}
      confirm="Save"
      done="Saved."
      old={OLD}
      start={{ ids: g.accountIds.map((a) => show(a)).join("\n") }}
      fields={[{ name: "ids", label: "Accounts", kind: "checks", options: accounts }]}
      run={(v) => setMembers(g, ids(v.ids))}
    />
    <Action
      label="Edit"
      kind="quiet"
      call={updateAccountGroup}
      title="Edit the group"
      confirm="Save"
      done="Saved."
      old={OLD}
      start={{ name: g.name ?? "", about: g.description ?? "" }}
      fields={FIELDS}
      run={async (v) =>
        void (await updateAccountGroup({
          accountGroupId: g.id!,
          expectedVersion: g.version,
          name: v.name!.trim(),
          description: v.about?.trim() ?? "",
        }))
      }
    />
    {g.accountIds.length > 0 && (
      <Action
        label="Enable, disable or sign in"
        kind="quiet"
        call={bulkAccounts}
        title={`All accounts of ${g.name}`}
        confirm="Do it"
        done="Done."
        old={[...OLD, "ListAccounts", "CountAccounts", ...SESSIONS]}
        start={{ action: "DISABLE" }}
        fields={[
          { name: "action", label: "What", kind: "select", options: ACTIONS },
          { name: "reason", label: "Reason", wide: true, max: 200, when: (v) => !isStart(v) },
        ]}
        run={async (v) => {
          const [chosen] = ACTIONS.find(([name]) => name === v.action) ?? ACTIONS[0];
          const { results } = await bulkAccounts({
            accountGroupId: g.id!,
            action: AccountAction[chosen],
            ...(v.reason && !isStart(v) ? { reason: v.reason } : {}),
          });
          const left = stayed(results, names);
          return left ? <p>These accounts stay as they are. {left}</p> : undefined;
        }}
      />
    )}
    <Action
      label="Delete"
      kind="quiet danger"
      danger
      call={deleteAccountGroup}
      title={`Delete ${g.name}?`}
      confirm="Delete the group"
      done="Deleted."
      old={OLD}
      text={<p>The accounts stay.</p>}
      run={async () => void (await deleteAccountGroup({ accountGroupId: g.id!, expectedVersion: g.version }))}
    />
  </span>
);
const Row = ({ g, picks, ...known }: Known & { g: AccountGroup; picks: Picks<AccountGroup> | undefined }) => (
  <tr>
    {picks && (
      <td className="tight">
        <PickOne row={g} id={idOf(g)} name={nameOf(g)} picks={picks} />
      </td>
    )}
    <th scope="row">
      {g.name}
      <br />
      <small className="muted">{g.description}</small>
    </th>
    <td>
      <ul className="tags">
        {g.accountIds.map((a) => (
          <li key={show(a)}>
            <Link href={`/accounts/${show(a)}`}>{known.names.get(show(a)) ?? show(a).slice(-8)}</Link>
          </li>
        ))}
      </ul>
      {g.accountIds.length === 0 && <span className="muted">none</span>}
    </td>
    <td className="end tight">
      <Acts g={g} {...known} />
    </td>
  </tr>
);
/** Groups of accounts: a pool can be served by a group, so that accounts come and go without a change of the pool. */
export function Groups() {
  const known = useAccountChoices();
  const list = useGroups();
  const picks = usePicks(BULK);
  const { rows, query } = list;
  if (!may(listAccountGroups)) return null;
  return (
    <Card
      title="Groups"
      note="A pool can be served by a group"
      flush
      extra={
        <>
          <SaveRows
            name="account-groups"
            of={list}
            columns={[
              { head: "Group", text: nameOf },
              { head: "Description", text: (g) => g.description ?? "" },
              { head: "Accounts", text: (g) => g.accountIds.map((a) => known.names.get(show(a)) ?? show(a)).join(" ") },
            ]}
          />
          <Action
            label="New group"
            icon="plus"
            call={createAccountGroup}
            confirm="Create the group"
            done="Created."
            old={OLD}
            fields={FIELDS}
            run={async (v) => void (await createAccountGroup({ name: v.name!.trim(), description: v.about?.trim() ?? "" }))}
          />
        </>
      }
    >
      {rows.length > 0 ? (
        <div className="scroll" tabIndex={0} role="region" aria-label="Groups of accounts">
          <table className="rows">
            <thead>
              <tr>
                {picks && (
                  <th scope="col">
                    <span className="vh">Selected</span>
                  </th>
                )}
                <th scope="col">Group</th>
                <th scope="col">Accounts</th>
                <th scope="col" className="end">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((g) => (
                <Row key={idOf(g)} g={g} picks={picks} names={known.names} accounts={known.accounts} />
              ))}
            </tbody>
          </table>
        </div>
      ) : query.isPending ? (
        <Skeleton />
      ) : query.isError ? null : (
        <Empty title="There is no group." />
      )}
      {query.isError && <Failed error={query.error} again={query.refetch} />}
      {!list.complete && rows.length > 0 && (
        <p className="body">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
      <Selected label="Groups" picks={picks} actions={BULK} rows={rows} id={idOf} name={nameOf} />
    </Card>
  );
}
