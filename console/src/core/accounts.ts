import { useQuery } from "@tanstack/react-query";
import { getAccountGroups, listAccountGroups } from "../gen/trading/v1/account_group_calls.ts";
import { getAccounts, listAccounts } from "../gen/trading/v1/account_calls.ts";
import { show } from "./ids.ts";
import { may } from "./queries.ts";
import { wholeList } from "./whole.ts";

const accountsOf = (signal: AbortSignal) =>
  wholeList(
    async (asked) => {
      const a = await listAccounts(asked, { signal });
      return { ids: a.accountIds, next: a.nextCursor };
    },
    async (accountIds) => (await getAccounts({ accountIds }, { signal })).accounts,
  );
const groupsOf = (signal: AbortSignal) =>
  wholeList(
    async (asked) => {
      const a = await listAccountGroups(asked, { signal });
      return { ids: a.accountGroupIds, next: a.nextCursor };
    },
    async (accountGroupIds) => (await getAccountGroups({ accountGroupIds }, { signal })).accountGroups,
  );
/** Names of accounts and of groups by id, and the choices of a field. */
export function useAccountChoices(): {
  names: ReadonlyMap<string, string>;
  /** Accounts and groups, each id with its kind in front. */
  choices: (readonly [string, string])[];
  /** Accounts alone. */
  accounts: (readonly [string, string])[];
} {
  const query = useQuery({
    queryKey: ["GetAccounts", "names"],
    staleTime: 60_000,
    enabled: may(listAccounts),
    queryFn: async ({ signal }) => ({ accounts: await accountsOf(signal), groups: await groupsOf(signal) }),
  });
  const { accounts = [], groups = [] } = query.data ?? {};
  return {
    names: new Map([...accounts, ...groups].map((a) => [show(a.id), a.name ?? ""])),
    accounts: accounts.map((a) => [show(a.id), a.name ?? ""] as const),
    choices: [
      ...accounts.map((a) => [`a:${show(a.id)}`, a.name ?? ""] as const),
      ...groups.map((g) => [`g:${show(g.id)}`, `Group ${g.name ?? ""}`] as const),
    ],
  };
}
