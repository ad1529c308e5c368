import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { read, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
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
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import type { Spec } from "../../ui/field.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";

const OLD = ["ListAccountGroups", "GetAccountGroups", "GetAccounts"];
const FIELDS: Spec[] = [
  { name: "name", label: "Name", required: true, wide: true, max: 64 },
  { name: "about", label: "Description", wide: true, max: 200 },
];
const ACTIONS = [
  ["DISABLE", "Disable: they start nothing new"],
  ["ENABLE", "Enable: each is checked first"],
] as const;
const ids = (text: string | undefined) => new Set((text ?? "").split("\n").filter(Boolean));

/** What came of every account: those that stay as they are are named, with the reason. */
const stayed = (results: readonly { accountId?: Uint8Array; message?: string }[], names: ReadonlyMap<string, string>) =>
  results
    .filter((r) => r.message)
    .map((r) => `${names.get(show(r.accountId)) ?? show(r.accountId)}: ${r.message}`)
    .join("; ");

/** Groups of accounts: a pool can be served by a group, so that accounts come and go without a change of the pool. */
export function Groups() {
  const { names, choices } = useAccountChoices();
  const query = useQuery({
    queryKey: ["ListAccountGroups", "page"],
    enabled: may(listAccountGroups),
    queryFn: async ({ signal }) => {
      const { accountGroupIds } = await listAccountGroups({ limit: 200 }, { signal });
      return accountGroupIds.length ? (await getAccountGroups({ accountGroupIds }, { signal })).accountGroups : [];
    },
  });
  const accounts = choices.filter(([k]) => k.startsWith("a:")).map(([k, n]) => [k.slice(2), n] as const);
  const members = async (g: AccountGroup, wanted: ReadonlySet<string>) => {
    const now = new Set(g.accountIds.map((a) => show(a)));
    const add = [...wanted].filter((a) => !now.has(a)).map(read),
      drop = [...now].filter((a) => !wanted.has(a)).map(read);
    if (add.length) await addAccountsToGroup({ accountGroupId: g.id!, accountIds: add });
    if (drop.length) await removeAccountsFromGroup({ accountGroupId: g.id!, accountIds: drop });
  };
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
            rows={query.data ?? []}
            columns={[
              { head: "Group", text: (g) => g.name ?? "" },
              { head: "Description", text: (g) => g.description ?? "" },
              { head: "Accounts", text: (g) => g.accountIds.map((a) => names.get(show(a)) ?? show(a)).join(" ") },
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
      <Loaded query={query}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty title="There is no group." />
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Groups of accounts">
              <table className="rows">
                <thead>
                  <tr>
                    <th scope="col">Group</th>
                    <th scope="col">Accounts</th>
                    <th scope="col" className="end">
                      <span className="vh">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {groups.map((g) => (
                    <tr key={show(g.id)}>
                      <th scope="row">
                        {g.name}
                        <br />
                        <small className="muted">{g.description}</small>
                      </th>
                      <td>
                        <ul className="tags">
                          {g.accountIds.map((a) => (
                            <li key={show(a)}>
                              <Link href={`/accounts/${show(a)}`}>{names.get(show(a)) ?? show(a).slice(-8)}</Link>
                            </li>
                          ))}
                        </ul>
                        {g.accountIds.length === 0 && <span className="muted">none</span>}
                      </td>
                      <td className="end tight">
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
                            run={(v) => members(g, ids(v.ids))}
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
                              label="Enable or disable"
                              kind="quiet"
                              call={bulkAccounts}
                              title={`All accounts of ${g.name}`}
                              confirm="Do it"
                              done="Done."
                              old={[...OLD, "GetAccount", "ListAccounts", "CountAccounts", "GetAccountReadiness"]}
                              start={{ action: "DISABLE" }}
                              fields={[
                                { name: "action", label: "What", kind: "select", options: ACTIONS },
                                { name: "reason", label: "Reason", wide: true, max: 200 },
                              ]}
                              run={async (v) => {
                                const action = v.action === "ENABLE" ? AccountAction.ENABLE : AccountAction.DISABLE;
                                const { results } = await bulkAccounts({
                                  accountGroupId: g.id!,
                                  action,
                                  ...(v.reason ? { reason: v.reason } : {}),
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
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
